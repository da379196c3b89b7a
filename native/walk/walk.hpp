// A plain walk through a game: who can force a win within some plies. It checks what the solver and the proof search
// find, so it shares nothing with them: no header of another folder is included here.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <utility>
#include <vector>

namespace plyground::walk {

// A set of cells.
template <int Words>
struct Cells {
    std::array<std::uint64_t, Words> words{};

    bool any() const {
        std::uint64_t all = 0;
        for (const auto word : words) all |= word;
        return all != 0;
    }
    int count() const {
        int sum = 0;
        for (const auto word : words) sum += std::popcount(word);
        return sum;
    }
    bool has(int cell) const { return words[cell / 64] >> cell % 64 & 1; }
    void add(int cell) { words[cell / 64] |= std::uint64_t{1} << cell % 64; }
    bool within(const Cells& other) const { return !without(other).any(); }
    Cells without(const Cells& other) const {
        Cells left;
        for (int i = 0; i < Words; ++i) left.words[i] = words[i] & ~other.words[i];
        return left;
    }
    Cells& operator|=(const Cells& other) {
        for (int i = 0; i < Words; ++i) words[i] |= other.words[i];
        return *this;
    }
    friend Cells operator&(Cells one, const Cells& other) {
        for (int i = 0; i < Words; ++i) one.words[i] &= other.words[i];
        return one;
    }
    friend bool operator==(const Cells&, const Cells&) = default;
};

// Cells that win, unless the opponent has all of the poles.
template <int Words>
struct PatternLine {
    Cells<Words> cells, poles;
};

// A way to lay something.
template <int Words, int Layers>
struct Laid {
    std::array<Cells<Words>, Layers> adds;
    Cells<Words> cells, rests_on;
};

// What a walk has to know of a game.
template <int Words, int Layers>
struct Tables {
    std::array<std::vector<Laid<Words, Layers>>, 2> laid;
    std::vector<PatternLine<Words>> lines;
    std::array<std::vector<int>, 2> watches;
    int plies = 0;
    bool shared = false;  // whether a move may add to lines of the other side
    bool pairs = false;   // whether any free cell may be taken, so that one of two is always to be had
};

template <int Words, int Layers>
struct Board {
    std::array<Cells<Words>, Layers> layers;
    int ply = 0;

    int mover() const { return ply & 1; }
    Cells<Words> occupied() const {
        Cells<Words> all;
        for (const auto& layer : layers) all |= layer;
        return all;
    }
    friend bool operator==(const Board&, const Board&) = default;
};

// What was found about boards, in slots that are tried one after the other; keys are exact.
template <int Words, int Layers>
class Known {
  public:
    static constexpr std::int16_t NEVER = 1 << 14;

    // Within so many plies the side wins, within so many it does not.
    struct Bounds {
        std::int16_t proved = NEVER, refuted = 0;
    };

    // What is known of a board, to be changed in place; valid until the next call.
    Bounds& of(const std::array<Cells<Words>, Layers>& layers, int mover, int side) {
        const auto turn = static_cast<std::int8_t>(1 + 2 * mover + side);
        if (2 * used_ >= slots_.size() && slots_.size() < MOST_SLOTS) grow();
        auto& slot = find(layers, turn);
        if (slot.turn != turn || slot.layers != layers) {
            used_ += slot.turn == 0;
            slot = {layers, {}, turn};
        }
        return slot.bounds;
    }

  private:
    static constexpr std::size_t FEWEST_SLOTS = std::size_t{1} << 12, MOST_SLOTS = std::size_t{1} << 22;
    static constexpr std::size_t TRIED_SLOTS = 32;

    struct Slot {
        std::array<Cells<Words>, Layers> layers;
        Bounds bounds;
        std::int8_t turn = 0;  // 0 while the slot is empty
    };

    // The slot of a key, an empty one for it, or where there is no more room the first that it may have.
    Slot& find(const std::array<Cells<Words>, Layers>& layers, std::int8_t turn) {
        std::uint64_t hash = static_cast<std::uint64_t>(turn);
        for (const auto& layer : layers)
            for (const auto word : layer.words) {
                hash = (hash ^ word) * 0x9E3779B97F4A7C15;
                hash ^= hash >> 29;
            }
        const std::size_t last = slots_.size() - 1;
        for (std::size_t tried = 0; tried < TRIED_SLOTS; ++tried) {
            auto& slot = slots_[(hash + tried) & last];
            if (slot.turn == 0 || (slot.turn == turn && slot.layers == layers)) return slot;
        }
        return slots_[hash & last];
    }

    void grow() {
        std::vector<Slot> old(2 * slots_.size());
        std::swap(old, slots_);
        for (const auto& slot : old)
            if (slot.turn != 0) find(slot.layers, slot.turn) = slot;
    }

    std::vector<Slot> slots_ = std::vector<Slot>(FEWEST_SLOTS);
    std::size_t used_ = 0;
};

enum class Decision { NO, YES, UNDECIDED };

template <int Words, int Layers>
class Walk {
  public:
    using At = Board<Words, Layers>;

    explicit Walk(Tables<Words, Layers> tables) : tables_(std::move(tables)) {
        for (int side = 0; side < 2; ++side) good_[side].resize(tables_.laid[side].size());
        tried_.resize(tables_.plies + 1);
    }

    // Whether a side can force a win within so many plies, at most those that are left; a budget of positions, and
    // whoever `stop` asks from time to time, may end the walk before.
    template <class Stop>
    Decision wins(const At& board, int side, int plies, std::uint64_t budget, Stop&& stop) {
        nodes_ = 0;
        budget_ = budget;
        stopped_ = false;
        const bool won = search(board, side, plies, stop);
        return stopped_ ? Decision::UNDECIDED : won ? Decision::YES : Decision::NO;
    }

    // Whether pairs of free cells, one in each line open to the opponent, show in so many steps that a side cannot
    // lose, in a game in which any free cell may be taken.
    bool paired(const At& board, int side, int steps) const {
        const int opponent = 1 - side;
        const Mask occupied = board.occupied();
        std::vector<Mask> wanted;
        for (const int layer : tables_.watches[opponent]) {
            const Mask others = occupied.without(board.layers[layer]);
            for (const auto& line : tables_.lines) {
                if ((line.cells & others).any() || dead(board, opponent, line)) continue;
                const Mask lack = line.cells.without(occupied);
                if (std::ranges::find(wanted, lack) == wanted.end()) wanted.push_back(lack);
            }
        }
        return paired(wanted, occupied, steps);
    }

    std::uint64_t nodes() const { return nodes_; }
    int plies() const { return tables_.plies; }
    std::size_t moves_of(int side) const { return tables_.laid[side].size(); }

  private:
    using Mask = Cells<Words>;
    using Masks = std::array<Mask, Layers>;
    static constexpr std::uint64_t ASKED_NODES = 1 << 14;
    static constexpr int PAIRED_PLIES = 5, GLANCE_STEPS = 12;

    template <class Stop>
    bool search(const At& board, int side, int plies, Stop& stop) {
        if (plies <= 0) return false;
        const auto known = known_.of(board.layers, board.mover(), side);
        if (plies >= known.proved || plies <= known.refuted) return plies >= known.proved;
        if (++nodes_ > budget_ || (nodes_ % ASKED_NODES == 0 && stop())) {
            stopped_ = true;
            return false;
        }
        bool won = false;
        if (plies >= PAIRED_PLIES && tables_.pairs && paired(board, 1 - side, GLANCE_STEPS))
            plies = tables_.plies;  // however long the game goes on
        else if (!hopeless(board, side, plies))
            won = tried(board, side, plies, stop);
        if (stopped_) return false;
        auto& found = known_.of(board.layers, board.mover(), side);
        if (won)
            found.proved = std::min(found.proved, static_cast<std::int16_t>(plies));
        else
            found.refuted = std::max(found.refuted, static_cast<std::int16_t>(plies));
        return won;
    }

    // Whether no line can be completed in time: nobody adds more than a cell to one with a move.
    bool hopeless(const At& board, int side, int plies) const {
        const int own = tables_.shared ? plies : (plies + (board.mover() == side)) / 2;
        const Mask occupied = board.occupied();
        for (const int layer : tables_.watches[side]) {
            const Mask others = occupied.without(board.layers[layer]);
            for (const auto& line : tables_.lines)
                if (!(line.cells & others).any() && line.cells.without(board.layers[layer]).count() <= own)
                    return false;
        }
        return true;
    }

    // Whether one of the side's moves wins, or all of the other's do.
    template <class Stop>
    bool tried(const At& board, int side, int plies, Stop& stop) {
        const int mover = board.mover();
        const bool attacking = mover == side;
        const auto& laid = tables_.laid[mover];
        const Mask occupied = board.occupied();
        const Masks own = needs(board, mover), theirs = needs(board, 1 - mover);
        auto& after = tried_[board.ply];
        after.clear();
        bool any = false;
        for (std::size_t number = 0; number < laid.size(); ++number) {
            if (!may_lay(laid[number], occupied)) continue;
            any = true;
            if (meets(laid[number].adds, own)) return attacking;
            if (!meets(laid[number].adds, theirs)) after.push_back(static_cast<std::int16_t>(number));
        }
        if (plies > 1 && board.ply + 1 < tables_.plies) {
            // Whoever leaves the other a way to win at once has nothing to look at.
            for (const auto& guard : guards(board, 1 - mover))
                std::erase_if(after, [&](auto number) { return !(laid[number].cells & guard).any(); });
            if (attacking && plies == 3 && tables_.pairs) keep_doubling(board, after);
            const auto& good = good_[mover];
            std::stable_sort(after.begin(), after.end(), [&](auto a, auto b) { return good[a] > good[b]; });
            for (std::size_t at = 0; at < after.size(); ++at) {
                const auto number = after[at];
                const bool won = search(laid_on(board, laid[number]), side, plies - 1, stop);
                if (stopped_) return false;
                if (won == attacking) {
                    ++good_[mover][number];
                    return attacking;
                }
            }
        } else if (!after.empty()) {
            return false;
        }
        return !attacking && any;
    }

    // Leaves what may make two threats: a single one is stopped, where any free cell may be taken.
    void keep_doubling(const At& board, std::vector<std::int16_t>& numbers) const {
        const int mover = board.mover();
        const Mask occupied = board.occupied();
        Mask once, twice;
        for (const int layer : tables_.watches[mover]) {
            const Mask others = occupied.without(board.layers[layer]);
            for (const auto& line : tables_.lines) {
                const Mask lack = line.cells.without(board.layers[layer]);
                if (lack.count() != 2 || (lack & others).any() || dead(board, mover, line)) continue;
                twice |= once & lack;
                once |= lack;
            }
        }
        std::erase_if(numbers, [&](auto number) { return !(tables_.laid[mover][number].cells & twice).any(); });
    }

    // The same for cells of lines, of which some are taken by other pairs or by discs.
    static bool paired(const std::vector<Mask>& wanted, const Mask& taken, int& steps) {
        if (wanted.empty()) return true;
        if (--steps < 0) return false;
        const auto left = [&](const Mask& line) { return line.without(taken).count(); };
        const Mask tightest = std::ranges::min(wanted, {}, left).without(taken);
        std::vector<std::pair<std::ptrdiff_t, Mask>> pairs;
        for (int one = 0; one < 64 * Words; ++one) {
            if (!tightest.has(one)) continue;
            for (int other = one + 1; other < 64 * Words; ++other) {
                if (!tightest.has(other)) continue;
                Mask pair;
                pair.add(one);
                pair.add(other);
                pairs.emplace_back(std::ranges::count_if(wanted, [&](const Mask& line) { return pair.within(line); }),
                                   pair);
            }
        }
        std::ranges::stable_sort(pairs, std::greater{}, &std::pair<std::ptrdiff_t, Mask>::first);
        for (const auto& [count, pair] : pairs) {
            std::vector<Mask> rest;
            std::ranges::copy_if(wanted, std::back_inserter(rest),
                                 [&](const Mask& line) { return !pair.within(line); });
            Mask further = taken;
            further |= pair;
            if (paired(rest, further, steps)) return true;
        }
        return false;
    }

    static bool may_lay(const Laid<Words, Layers>& laid, const Mask& occupied) {
        return !(laid.cells & occupied).any() && laid.rests_on.within(occupied);
    }

    static bool meets(const Masks& adds, const Masks& needs) {
        for (int layer = 0; layer < Layers; ++layer)
            if ((adds[layer] & needs[layer]).any()) return true;
        return false;
    }

    static At laid_on(At board, const Laid<Words, Layers>& laid) {
        for (int layer = 0; layer < Layers; ++layer) board.layers[layer] |= laid.adds[layer];
        ++board.ply;
        return board;
    }

    // For each layer the cells that complete a line of a side.
    Masks needs(const At& board, int side) const {
        Masks found{};
        const Mask occupied = board.occupied();
        for (const int layer : tables_.watches[side]) {
            const Mask others = occupied.without(board.layers[layer]);
            for (const auto& line : tables_.lines) {
                const Mask lack = line.cells.without(board.layers[layer]);
                if (lack.count() <= 1 && !(lack & others).any() && !dead(board, side, line)) found[layer] |= lack;
            }
        }
        return found;
    }

    bool dead(const At& board, int side, const PatternLine<Words>& line) const {
        if (!line.poles.any()) return false;
        return std::ranges::any_of(tables_.watches[1 - side],
                                   [&](int layer) { return line.poles.within(board.layers[layer]); });
    }

    // For each way in which a side that is not to move could win at once: the cells of which one stops it.
    std::vector<Mask> guards(const At& board, int side) const {
        std::vector<Mask> found;
        const Masks lack = needs(board, side);
        if (std::ranges::none_of(lack, [](const Mask& cells) { return cells.any(); })) return found;
        const Mask occupied = board.occupied();
        for (const auto& laid : tables_.laid[side]) {
            if (!meets(laid.adds, lack) || !may_lay(laid, occupied)) continue;
            found.push_back(laid.cells);
            found.back() |= poles(board, side, laid);
        }
        return found;
    }

    // The poles of the lines that laying something completes.
    Mask poles(const At& board, int side, const Laid<Words, Layers>& laid) const {
        Mask found;
        for (const int layer : tables_.watches[side])
            for (const auto& line : tables_.lines)
                if ((line.cells & laid.adds[layer]).any() &&
                    !line.cells.without(board.layers[layer]).without(laid.adds[layer]).any())
                    found |= line.poles;
        return found;
    }

    const Tables<Words, Layers> tables_;
    Known<Words, Layers> known_;
    std::array<std::vector<std::uint64_t>, 2> good_;  // how often laying something has decided a question
    std::vector<std::vector<std::int16_t>> tried_;    // by ply
    std::uint64_t nodes_ = 0, budget_ = 0;
    bool stopped_ = false;
};

}  // namespace plyground::walk
