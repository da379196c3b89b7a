#include "learn/learner.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

#include "search/threads.hpp"

namespace plyground {

namespace {

constexpr std::size_t TABLE_BYTES = 4u << 20;  // of an engine that plays
constexpr double MEAN_KEPT = 0.9, SQUARE_KEPT = 0.999, DECAY = 0.02;
constexpr int USUAL_ROWS = 64;  // about what counts in a position: how large weights are at first

std::size_t bytes_of(const Lesson& lesson) {
    return sizeof(Lesson) + lesson.rows.capacity() * sizeof(lesson.rows.front());
}

}  // namespace

Refusal Learner::refusal_of(const Tables& tables, int units) {
    if (auto refusal = Net::refusal_of(tables)) return refusal;
    const int most = Net::LANES / static_cast<int>(tables.group.size());
    if (units < 1 || units > most)
        return "a net has 1 to " + std::to_string(most) + " units, got " + std::to_string(units);
    if (NetRows(tables).count() > 1 << 16) return "the board is too large for a net";
    return {};
}

Learner::Learner(const Core& core, int units, std::uint64_t seed)
    : core_(core),
      rows_(core.tables()),
      images_(rows_.images(core.tables())),
      units_(units),
      seed_(seed),
      sums_(images_.size() * units),
      through_(units) {
    weights_.resize(constant_at() + 1);
    for (auto* each : {&slopes_, &means_, &squares_}) each->resize(weights_.size());
    Chance chance(seed);
    const auto any = [&](double most) { return static_cast<float>((2 * chance.share() - 1) * most); };
    for (std::size_t i = 0; i < out_at(); ++i) weights_[i] = any(1 / std::sqrt(USUAL_ROWS));
    for (std::size_t i = out_at(); i < plain_at(); ++i) weights_[i] = any(1 / std::sqrt(units));
}

Played Learner::play(const Evaluator& evaluator, int games, int threads, const SelfPlay& style,
                     const Interrupt& interrupt) {
    std::vector<std::vector<Lesson>> lessons(games);
    std::vector<int> results(games);
    std::atomic<int> next{0};
    std::atomic<bool> stop{false}, full{false};
    core_.with_width([&]<int W>(std::integral_constant<int, W>) {
        const auto work = [&](bool asks) {
            const auto engine = make_engine(core_, evaluator, TABLE_BYTES, 1);
            if (!engine) full = stop = true;
            for (int game; !stop && (game = next++) < games;) {
                if (asks && interrupt && interrupt()) stop = true;
                const std::uint64_t number = games_ + static_cast<std::uint64_t>(game);
                SelfPlayedGame<W> played(core_, *engine, style, scramble(seed_) + number);
                lessons[game] = played.play(results[game]);
            }
        };
        Threads others;
        for (int i = 1; i < std::min(threads, MOST_THREADS); ++i) others.start([&] { work(false); });
        work(true);
        others.join();
    });
    Played played;
    if (stop) return played;
    played.finished = true;
    played.games = games;
    for (int game = 0; game < games; ++game) {
        played.first_won += results[game] > 0;
        played.drawn += results[game] == 0;
        played.positions += lessons[game].size();
        remember(std::move(lessons[game]));
    }
    games_ += static_cast<std::uint64_t>(games);
    return played;
}

void Learner::remember(std::vector<Lesson> lessons) {
    for (auto& lesson : lessons) {
        lesson.rows.shrink_to_fit();
        lesson_bytes_ += bytes_of(lesson);
        lessons_.push_back(std::move(lesson));
    }
    while (lessons_.size() > MOST_LESSONS || (lessons_.size() > 1 && lesson_bytes_ > MOST_LESSON_BYTES)) {
        lesson_bytes_ -= bytes_of(lessons_.front());
        lessons_.pop_front();
    }
}

double Learner::learn(int steps, double rate, const Interrupt& interrupt) {
    if (lessons_.empty()) return 0;
    double loss = 0;
    int taken = 0;
    while (taken < steps && !(interrupt && interrupt())) {
        Chance chance(scramble(seed_ ^ 0x6c6561726e) + steps_);
        std::ranges::fill(slopes_, 0.0f);
        for (int i = 0; i < BATCH; ++i) loss += add_slopes(lessons_[chance.below(static_cast<int>(lessons_.size()))]);
        ++steps_;
        move(rate);
        ++taken;
    }
    return taken ? loss / (static_cast<double>(taken) * BATCH) : 0;
}

// Adds how the log loss of a lesson changes with each weight; the loss.
double Learner::add_slopes(const Lesson& lesson) {
    const int units = units_;
    const float* out = weights_.data() + out_at();
    float* out_slopes = slopes_.data() + out_at();
    std::ranges::fill(sums_, 0.0f);
    float odds = weights_[constant_at()];
    for (std::size_t g = 0; g < images_.size(); ++g) {
        float* at = sums_.data() + g * units;
        for (const int row : lesson.rows) {
            const int image = images_[g][row];
            const float* weights = weights_.data() + static_cast<std::size_t>(image) * units;
            for (int unit = 0; unit < units; ++unit) at[unit] += weights[unit];
            if (is_plain(image)) odds += weights_[plain_at() + image];
        }
        for (int unit = 0; unit < units; ++unit) {
            at[unit] = std::max(at[unit], 0.0f);
            odds += at[unit] * out[unit];
        }
    }
    const double chance = chance_of_odds(odds), target = lesson.target;
    const auto error = static_cast<float>((chance - target) / BATCH);
    for (std::size_t g = 0; g < images_.size(); ++g) {
        const float* at = sums_.data() + g * units;
        for (int unit = 0; unit < units; ++unit) {
            out_slopes[unit] += error * at[unit];
            through_[unit] = at[unit] > 0 ? error * out[unit] : 0.0f;
        }
        for (const int row : lesson.rows) {
            const int image = images_[g][row];
            float* slopes = slopes_.data() + static_cast<std::size_t>(image) * units;
            for (int unit = 0; unit < units; ++unit) slopes[unit] += through_[unit];
            if (is_plain(image)) slopes_[plain_at() + image] += error;
        }
    }
    slopes_[constant_at()] += error;
    return -(target * std::log(chance) + (1 - target) * std::log(1 - chance));
}

// One step of Adam, with weights that decay by themselves.
void Learner::move(double rate) {
    const double number = static_cast<double>(steps_);
    const auto by_mean = static_cast<float>(rate / (1 - std::pow(MEAN_KEPT, number)));
    const auto by_square = static_cast<float>(1 / (1 - std::pow(SQUARE_KEPT, number)));
    const auto kept = static_cast<float>(1 - rate * DECAY);
    const float mean_taken = 1 - static_cast<float>(MEAN_KEPT), square_taken = 1 - static_cast<float>(SQUARE_KEPT);
    for (std::size_t i = 0; i < weights_.size(); ++i) {
        const float slope = slopes_[i];
        means_[i] += mean_taken * (slope - means_[i]);
        squares_[i] += square_taken * (slope * slope - squares_[i]);
        weights_[i] = weights_[i] * kept - by_mean * means_[i] / (std::sqrt(squares_[i] * by_square) + 1e-8f);
    }
}

LearnedNet Learner::net() const {
    const auto& tables = core_.tables();
    LearnedNet learned{{std::vector<std::int8_t>(out_at()), std::vector<std::int64_t>(units_), 0},
                       std::vector<std::int64_t>(rows_.count())};
    // Each unit is as large as the numbers allow, since only its share of the sum counts.
    const auto largest = static_cast<double>(Net::largest_weight(tables));
    std::vector<double> points(units_);
    double most = 0;
    for (int unit = 0; unit < units_; ++unit) {
        double top = 1e-9;
        for (int row = 0; row < rows_.count(); ++row)
            top = std::max(top, std::abs(static_cast<double>(weights_[static_cast<std::size_t>(row) * units_ + unit])));
        const double scale = largest / top;
        for (int row = 0; row < rows_.count(); ++row) {
            const std::size_t i = static_cast<std::size_t>(row) * units_ + unit;
            learned.net.rows[i] = static_cast<std::int8_t>(std::lround(weights_[i] * scale));
        }
        points[unit] = POINTS_PER_LOG_ODDS * weights_[out_at() + unit] / scale;
        most = std::max(most, std::abs(points[unit]));
    }
    while (learned.net.shift < Net::LARGEST_SHIFT && most * 2 <= static_cast<double>(Net::LARGEST_OUT)) {
        ++learned.net.shift;
        most *= 2;
    }
    const auto limit = static_cast<double>(Net::LARGEST_OUT);
    for (int unit = 0; unit < units_; ++unit)
        learned.net.out[unit] = std::lround(std::clamp(std::ldexp(points[unit], learned.net.shift), -limit, limit));
    for (int row = 0; row < rows_.count(); ++row) {
        // Of rows that are images of each other one is added up, so that all have the same worth to the last bit.
        int least = row;
        for (const auto& image : images_) least = std::min(least, image[row]);
        if (!is_plain(row)) continue;
        double worth = 0;
        for (const auto& image : images_) worth += weights_[plain_at() + image[least]];
        learned.plain[row] = std::lround(std::clamp(POINTS_PER_LOG_ODDS * worth, -1e6, 1e6));
    }
    return learned;
}

std::vector<std::uint16_t> Learner::rows(const State& state) const {
    return core_.with_position(core_.none(), state,
                               [&](const auto& position) { return rows_in(core_.tables(), rows_, position); });
}

std::vector<std::uint8_t> Learner::state() const {
    std::vector<std::uint8_t> bytes;
    const auto add = [&](const void* from, std::size_t count) {
        const auto* first = static_cast<const std::uint8_t*>(from);
        bytes.insert(bytes.end(), first, first + count);
    };
    for (const std::uint64_t number : {games_, steps_}) add(&number, sizeof number);
    for (const auto* each : {&weights_, &means_, &squares_}) add(each->data(), each->size() * sizeof(float));
    return bytes;
}

Refusal Learner::restore(const std::vector<std::uint8_t>& bytes, bool goes_on) {
    const std::size_t each_size = weights_.size() * sizeof(float), wanted = 2 * sizeof(games_) + 3 * each_size;
    if (bytes.size() != wanted)
        return "the state of this learner has " + std::to_string(wanted) + " bytes, got " +
               std::to_string(bytes.size());
    std::vector<float> numbers(3 * weights_.size());
    std::memcpy(numbers.data(), bytes.data() + 2 * sizeof(games_), 3 * each_size);
    const auto sound = [](float number) { return std::abs(number) < 1e6f; };  // not a number that is none either
    if (!std::ranges::all_of(numbers, sound)) return "the state of this learner has numbers that none has";
    const auto second = numbers.begin() + static_cast<std::ptrdiff_t>(weights_.size());
    const auto third = second + static_cast<std::ptrdiff_t>(weights_.size());
    if (std::any_of(third, numbers.end(), [](float square) { return square < 0; }))
        return "the state of this learner has numbers that none has";
    if (goes_on) std::memcpy(&games_, bytes.data(), sizeof games_);
    std::memcpy(&steps_, bytes.data() + sizeof games_, sizeof steps_);
    std::copy(numbers.begin(), second, weights_.begin());
    std::copy(second, third, means_.begin());
    std::copy(third, numbers.end(), squares_.begin());
    return {};
}

}  // namespace plyground
