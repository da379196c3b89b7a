// What a glance at the board shows of the next two plies: wins, and what stops them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/mask.hpp"
#include "core/position.hpp"
#include "core/rules.hpp"

namespace plyground {

// The plain moves that do not lose at once, given that none wins at once.
template <int W>
struct Sensible {
    Mask<W> places;
    bool forced = false;   // the opponent threatens to win
    bool pressed = false;  // the opponent threatens to make two threats at once
    int lost_in = 0;       // plies to the end when every move loses so fast
};

// A cell that makes two threats at once, and two cells that would then complete a pattern.
struct Fork {
    int cell = -1, one = -1, other = -1;
    bool several = false;  // whether there are more than two such cells
    explicit operator bool() const { return other >= 0; }
};

template <int W>
class Tactics {
  public:
    explicit Tactics(const Tables& tables) : t_(tables) {
        for (int side = 0; side < 2; ++side)
            for (int place = 0; place < t_.places[side]; ++place) {
                auto& mask = conflicts_[side].emplace_back();
                for (auto [cell, kind] : t_.covered[side][place])
                    for (int other : t_.covering[t_.shape_of[side ^ 1]][cell]) mask.set(other);
            }
    }

    // A move that wins at once; place -1 when there is none or it cannot be seen cheaply.
    Move winning_move(Position<W>& position) const {
        if (!t_.threats_complete) return {};
        if (position.recycling()) return position.winning_recycling();
        const int side = position.to_move();
        const auto wins = position.playable(side) & position.completing(side, side);
        return wins.any() ? plain(wins.first()) : Move{};
    }

    Sensible<W> sensible(const Position<W>& position) const {
        const int side = position.to_move(), other = side ^ 1;
        Sensible<W> found{position.playable(side)};
        if (!t_.threats_complete) return found;
        found.places = found.places - position.completing(side, other);
        if (!found.places.any()) {
            found.lost_in = 1;
            return found;
        }
        // When the opponent's next move will be a plain one, it can lay what it could lay now, unless this
        // move takes a cell of it or the last pole of the pattern it would complete.
        const int next = position.ply + 1;
        if (next >= t_.data.recycle_from || position.last_ply() || t_.passes(next)) return found;
        const auto wins = position.layable(other) & position.completing(other, other);
        if (!wins.any()) {
            if (t_.forks) press(position, found);
            return found;
        }
        found.forced = true;
        wins.each([&](int place) {
            auto stops = conflicts_[other][place];
            if (t_.has_poles) stops = stops | position.pole_stops(place);
            found.places = found.places & stops;
        });
        if (!found.places.any()) found.lost_in = 2;
        return found;
    }

    // On large boards: where a side may take a cell and neither can win at once, two threats at once win, since only
    // one of them can be stopped.
    Fork fork(const Position<W>& position, int side) const {
        Fork found;
        position.forking(side).any_of(
            [&](int cell) { return static_cast<bool>(found = fork_at(position, side, cell)); });
        return found;
    }

    // A move that lasts as long as any does where all lose at once.
    Move lasting_move(const Position<W>& position, int lost_in) const {
        const int side = position.to_move();
        auto any = position.playable(side);
        if (lost_in == 2) any = any - position.completing(side, side ^ 1);
        return plain(any.first());
    }

  private:
    const Tables& t_;
    std::array<std::vector<Mask<W>>, 2> conflicts_;  // what gets in the way of a placement, by its side

    static Fork fork_at(const Position<W>& position, int side, int cell) {
        Fork fork{cell};
        position.any_end(side, cell, [&](int end) {
            if (fork.one < 0)
                fork.one = end;
            else if (fork.other < 0 && end != fork.one)
                fork.other = end;
            else
                fork.several |= end != fork.one && end != fork.other;
            return fork.several;
        });
        return fork;
    }

    // Where the opponent could make two threats at once, only a threat of one's own or one of their cells helps.
    void press(const Position<W>& position, Sensible<W>& found) const {
        const int side = position.to_move(), other = side ^ 1;
        position.forking(other).each([&](int cell) {
            const Fork fork = fork_at(position, other, cell);
            if (!fork) return;
            Mask<W> stops = position.threatening(side);
            stops.set(cell);
            if (!fork.several) stops.set(fork.one), stops.set(fork.other);
            found.places = found.places & stops;
            found.pressed = true;
        });
        if (!found.places.any()) found.lost_in = 4;
    }

    static Move plain(int place) { return {static_cast<std::int16_t>(place), -1}; }
};

}  // namespace plyground
