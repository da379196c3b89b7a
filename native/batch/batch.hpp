// Many games of the same rules stepped at once, seen as a learner wants to see them: planes, masks, rewards.
//
//   action  the name of a placement; those that share one, such as the cells of a column, are never legal together
//   move    one action; where cards are lifted again two, the card as it lies and then where it goes
//   planes  the layers of whoever is to act, those of the opponent, the rest; [the card in hand;] the board
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/core.hpp"
#include "core/light.hpp"
#include "core/mask.hpp"
#include "core/position.hpp"
#include "core/rules.hpp"
#include "core/state.hpp"

namespace plyground {

struct BatchForm {
    int games;
    int squares;                             // of a plane
    std::vector<int> square_of;              // by cell
    std::array<std::vector<int>, 2> planes;  // layers in the order that each side sees them
    int actions;
    std::array<std::vector<int>, 2> action_of;  // by side and placement
    bool auto_reset;
    bool opponent;  // a random player moves in between; it is the second side in games of even number
    std::uint64_t seed;
};

// Where the games are written, one row per game.
struct BatchArrays {
    std::int8_t* observations;  // null: not wanted
    std::int8_t* masks;
    float* rewards;  // to whoever acted
    bool* dones;
    std::int8_t* to_move;
    std::int64_t* actions;
};

class Batch {
  public:
    virtual ~Batch() = default;
    virtual void reset(std::uint64_t seed) = 0;
    // Begins those games again that are marked, one mark a game.
    virtual void restart(const bool* marked) = 0;
    // Takes one action in every game. The first game whose action is not legal, and nothing done, if there is one.
    virtual std::optional<int> step() = 0;
    // Draws a legal action for every game.
    virtual void sample() = 0;
    virtual State game(int index) const = 0;
};

// What the games of a batch are: light positions where nothing is lifted again.
template <int W, class Place>
class BatchOf final : public Batch {
    static constexpr bool LIGHT = std::is_same_v<Place, LightPosition<W>>;
    static constexpr std::uint64_t ONES = 0x0101010101010101, HIGHEST = 0x8080808080808080;  // bits of each byte

  public:
    BatchOf(const Tables& tables, Place start, BatchForm form, BatchArrays arrays)
        : t_(tables),
          form_(std::move(form)),
          to_(arrays),
          start_(std::move(start)),
          games_(form_.games, Game{start_, 0, -1, false}) {
        for (int side = 0; side < 2; ++side) {
            places_of_[side].resize(form_.actions);
            for (int place = 0; place < t_.places[side]; ++place)
                places_of_[side][form_.action_of[side][place]].set(place);
        }
        planes_ = t_.layers + 1 + t_.recycles();
        for (int cell = 0; cell < t_.cells; ++cell) in_order_ &= form_.square_of[cell] == cell;
        for (int i = 0; to_.observations && i < form_.games; ++i)
            for (int cell = 0; cell < t_.cells; ++cell) plane(i, planes_ - 1)[form_.square_of[cell]] = 1;
        begin(form_.seed);
    }

    void reset(std::uint64_t seed) override {
        std::lock_guard lock(busy_);
        begin(seed);
    }

    void restart(const bool* marked) override {
        std::lock_guard lock(busy_);
        for (int i = 0; i < form_.games; ++i)
            if (marked[i]) begin_again(i);
    }

    std::optional<int> step() override {
        std::lock_guard lock(busy_);
        for (int i = 0; i < form_.games; ++i) {
            const std::int64_t action = to_.actions[i];
            if (games_[i].over) continue;
            if (action < 0 || action >= form_.actions || !mask(i)[action]) return i;
        }
        for (int i = 0; i < form_.games; ++i) act(i, static_cast<int>(to_.actions[i]));
        return {};
    }

    void sample() override {
        std::lock_guard lock(busy_);
        for (int i = 0; i < form_.games; ++i) {
            int count = 0;
            for (int from = 0; from < form_.actions; from += 8) count += sum_of(eight(i, from));
            to_.actions[i] = count ? marked(i, draw(games_[i], count)) : 0;
        }
    }

    State game(int index) const override { return games_[index].position.state(); }

  private:
    struct Game {
        Place position;
        std::uint64_t chance;
        int in_hand;  // the card lifted by the first half of a move, -1: none
        bool over;
    };

    const Tables& t_;
    BatchForm form_;
    BatchArrays to_;
    Place start_;
    std::vector<Game> games_;
    std::array<std::vector<Mask<W>>, 2> places_of_;  // by side and action
    int planes_;
    bool in_order_ = true;  // the squares of a plane are numbered as the cells are
    std::vector<Move> moves_;
    std::mutex busy_;

    std::int8_t* plane(int i, int p) const {
        return to_.observations + (static_cast<std::size_t>(i) * planes_ + p) * form_.squares;
    }
    std::int8_t* mask(int i) const { return to_.masks + static_cast<std::size_t>(i) * form_.actions; }

    // Eight marks of a game from that action on as one word, the first lowest; what lies beyond the last counts as
    // none.
    std::uint64_t eight(int i, int from) const {
        const std::size_t all = static_cast<std::size_t>(form_.games) * form_.actions;
        const std::size_t begin = static_cast<std::size_t>(i) * form_.actions + from;
        std::uint64_t marks = 0;
        if (all < 8) {
            std::memcpy(&marks, to_.masks + begin, form_.actions - from);
            return marks;
        }
        // The last word of all ends where the masks do: others are read on into the next game, and that cut off.
        const std::size_t at = std::min(begin, all - 8);
        std::memcpy(&marks, to_.masks + at, 8);
        marks >>= 8 * (begin - at);
        const int left = form_.actions - from;
        return left < 8 ? marks & ((std::uint64_t{1} << 8 * left) - 1) : marks;
    }
    static int sum_of(std::uint64_t marks) { return static_cast<int>(marks * ONES >> 56); }

    // The action of the mark before which there are so many others.
    int marked(int i, int before) const {
        int from = 0;
        for (std::uint64_t marks;; from += 8) {
            marks = eight(i, from);
            if (const int count = sum_of(marks); before >= count)
                before -= count;
            else
                break;
        }
        // Each byte of the product counts the marks up to its own: those that count too few come before the one meant.
        const std::uint64_t up_to = eight(i, from) * ONES;
        const std::uint64_t enough = (up_to | HIGHEST) - (static_cast<std::uint64_t>(before) + 1) * ONES;
        return from + std::countr_zero(enough & HIGHEST) / 8;
    }

    static int draw(Game& game, int count) {
        game.chance += 0x9e3779b97f4a7c15;
        return static_cast<int>((scramble(game.chance) >> 32) * static_cast<std::uint64_t>(count) >> 32);
    }

    void begin(std::uint64_t seed) {
        for (int i = 0; i < form_.games; ++i) {
            games_[i].chance = scramble(seed + static_cast<std::uint64_t>(i) * 0xd1b54a32d192ed03);
            begin_again(i);
        }
    }

    void begin_again(int i) {
        to_.rewards[i] = 0;
        to_.dones[i] = false;
        set_up(i);
        write(i);
    }

    void set_up(int i) {
        Game& game = games_[i];
        game.position = start_;
        game.in_hand = -1;
        game.over = form_.opponent && (i & 1) && answer(game);
    }

    void act(int i, int action) {
        Game& game = games_[i];
        to_.rewards[i] = 0;
        if (game.over) return;
        const int side = game.position.to_move();
        const int place = meant(game, side, action);
        if (game.position.recycling() && game.in_hand < 0) {
            game.in_hand = place;
            to_.dones[i] = false;
            return write(i);
        }
        game.position.make({static_cast<std::int16_t>(place), static_cast<std::int16_t>(game.in_hand)});
        game.in_hand = -1;
        Outcome outcome = game.position.outcome();
        if (!outcome && form_.opponent) outcome = answer(game);
        game.over = static_cast<bool>(outcome);
        if (outcome.winner >= 0) to_.rewards[i] = outcome.winner == side ? 1.0f : -1.0f;
        to_.dones[i] = game.over;
        if (game.over && form_.auto_reset) set_up(i);
        write(i);
    }

    // The placement a legal action stands for.
    int meant(const Game& game, int side, int action) const {
        const auto& places = places_of_[side][action];
        return game.position.recycling() ? places.first() : (places & game.position.playable(side)).first();
    }

    // The random player's move.
    Outcome answer(Game& game) {
        moves_.clear();
        game.position.any_move([&](Move move) { return moves_.push_back(move), false; });
        game.position.make(moves_[draw(game, static_cast<int>(moves_.size()))]);
        return game.position.outcome();
    }

    void write(int i) {
        to_.to_move[i] = static_cast<std::int8_t>(games_[i].position.to_move());
        if (to_.observations) write_planes(i);
        write_mask(i);
    }

    void write_planes(int i) {
        const Game& game = games_[i];
        const int side = game.position.to_move();
        for (int p = 0; p < t_.layers; ++p) {
            std::int8_t* squares = plane(i, p);
            const int layer = form_.planes[side][p];
            if constexpr (LIGHT) {
                write_cells(game.position.layer(layer), squares);
            } else {
                for (int cell = 0; cell < t_.cells; ++cell)
                    squares[form_.square_of[cell]] = game.position.kind(cell) >> layer & 1;
            }
        }
        if (!t_.recycles()) return;
        std::int8_t* squares = plane(i, t_.layers);
        std::fill_n(squares, form_.squares, std::int8_t{0});
        if (game.in_hand >= 0)
            for (auto [cell, kind] : t_.covered[side][game.in_hand]) squares[form_.square_of[cell]] = 1;
    }

    // A byte for each cell, 1 for those of the set.
    void write_cells(const Mask<W>& cells, std::int8_t* squares) const {
        if (!in_order_) {
            std::fill_n(squares, form_.squares, std::int8_t{0});
            return cells.each([&](int cell) { squares[form_.square_of[cell]] = 1; });
        }
        int from = 0;
        for (; from + 8 <= t_.cells; from += 8) {
            const std::uint64_t eight = spread(cells.words[from >> 6] >> (from & 63) & 0xff);
            std::memcpy(squares + from, &eight, 8);
        }
        for (; from < t_.cells; ++from) squares[from] = cells.test(from);
    }

    // Eight bits as eight bytes, the lowest first (in memory too: the core is built for such machines only).
    static_assert(std::endian::native == std::endian::little);
    static std::uint64_t spread(std::uint64_t bits) {
        const std::uint64_t bytes = bits * ONES & 0x8040201008040201;
        return (bytes + ~HIGHEST) >> 7 & ONES;
    }

    void write_mask(int i) {
        Game& game = games_[i];
        const int side = game.position.to_move();
        std::int8_t* legal = mask(i);
        std::fill_n(legal, form_.actions, std::int8_t{0});
        if (game.over) return;
        const auto& action_of = form_.action_of[side];
        if (!game.position.recycling())
            return game.position.playable(side).each([&](int place) { legal[action_of[place]] = 1; });
        game.position.any_move([&](Move move) {
            if (game.in_hand < 0) legal[action_of[move.lift]] = 1;
            if (game.in_hand == move.lift) legal[action_of[move.place]] = 1;
            return false;
        });
    }
};

// With the tables that light positions need.
template <int W>
class LightBatch final : public Batch {
  public:
    LightBatch(const Tables& tables, BatchForm form, BatchArrays arrays)
        : tables_(tables), batch_(tables, LightPosition<W>(tables_), std::move(form), arrays) {}

    void reset(std::uint64_t seed) override { batch_.reset(seed); }
    void restart(const bool* marked) override { batch_.restart(marked); }
    std::optional<int> step() override { return batch_.step(); }
    void sample() override { batch_.sample(); }
    State game(int index) const override { return batch_.game(index); }

  private:
    const LightTables<W> tables_;
    BatchOf<W, LightPosition<W>> batch_;
};

// A batch for the rules of a core, which must outlive it.
inline std::unique_ptr<Batch> make_batch(const Core& core, BatchForm form, BatchArrays arrays) {
    const Tables& tables = core.tables();
    return core.with_width([&]<int W>(std::integral_constant<int, W>) -> std::unique_ptr<Batch> {
        if (LightTables<W>::fits(tables)) return std::make_unique<LightBatch<W>>(tables, std::move(form), arrays);
        Position<W> start(tables, core.none(), start_of(tables));
        return std::make_unique<BatchOf<W, Position<W>>>(tables, std::move(start), std::move(form), arrays);
    });
}

}  // namespace plyground
