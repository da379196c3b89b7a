// What a side could do if it were its turn, and who gets which cell if discs only fill up columns.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "core/mask.hpp"
#include "core/position.hpp"
#include "core/rules.hpp"

namespace plyground {

using CellSet = Mask<MAX_CELLS / 64>;

inline CellSet cell_set(const Cells& cells) {
    CellSet set;
    for (int cell : cells) set.set(cell);
    return set;
}

// While it lives it is that side's turn, if that can be: not where the other one has no move left in the game, nor
// where cards are lifted, as that depends on who moved last.
template <int W>
class Turn {
  public:
    Turn(const Tables& tables, Position<W>& position, int side) : position_(position) {
        if (position.to_move() == side) return;
        const int ply = position.ply + 1;
        ready_ = ply < tables.data.recycle_from && ply < tables.data.max_plies && !position.outcome();
        passed_ = ready_;
        position.ply += passed_;
    }
    ~Turn() { position_.ply -= passed_; }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

    explicit operator bool() const { return ready_; }
    // Whether the other side has passed, so that the game goes on.
    bool passed() const { return passed_; }

  private:
    Position<W>& position_;
    bool ready_ = true, passed_ = false;
};

// While it lives these moves are made, if each is legal where it is made.
template <int W>
class Line {
  public:
    explicit Line(Position<W>& position) : position_(position) {}
    Line(Position<W>& position, const std::vector<Move>& moves) : Line(position) {
        for (Move move : moves)
            if (!(legal_ = legal_ && is_legal(position, move)))
                return;
            else
                play(move);
    }
    ~Line() {
        for (auto before = befores_.rbegin(); before != befores_.rend(); ++before) position_.unmake(*before);
    }
    Line(const Line&) = delete;
    Line& operator=(const Line&) = delete;

    explicit operator bool() const { return legal_; }
    // Makes a move that is legal.
    void play(Move move) {
        befores_.push_back(position_.last);
        position_.make(move);
    }

    static bool is_legal(Position<W>& position, Move move) {
        if (position.outcome()) return false;
        return position.any_move([&](Move other) { return other == move; });
    }

  private:
    Position<W>& position_;
    std::vector<Move> befores_;
    bool legal_ = true;
};

template <int W>
std::vector<Move> moves_of(Position<W>& position) {
    std::vector<Move> list;
    if (!position.outcome()) position.any_move([&](Move move) { return list.push_back(move), false; });
    return list;
}

// The first pattern that the winner of a finished game has; -1 elsewhere.
template <int W>
int completed_pattern(const Tables& tables, Position<W>& position) {
    const int winner = position.outcome().winner;
    for (int p = 0; winner >= 0 && p < tables.patterns; ++p)
        if (position.pattern(p).completed >> winner & 1) return p;
    return -1;
}

// Whether the winner of a finished game has a pattern of these cells.
template <int W>
bool has_completed(const Tables& tables, Position<W>& position, const CellSet& cells) {
    const int winner = position.outcome().winner;
    for (int p = 0; winner >= 0 && p < tables.patterns; ++p)
        if (position.pattern(p).completed >> winner & 1 && cell_set(tables.data.patterns[p].cells) == cells)
            return true;
    return false;
}

// A move that wins at once, and the first pattern that it completes.
struct Finish {
    Move move;
    CellSet pattern;
};

// The moves with which a side wins if it is its turn; none if the game is over or nobody may pass.
template <int W>
std::vector<Finish> wins_at_once(const Tables& tables, Position<W>& position, int side) {
    std::vector<Finish> found;
    const Turn<W> turn(tables, position, side);
    if (!turn || (!turn.passed() && position.outcome())) return found;
    const Move before = position.last;
    const auto look = [&](Move move) {
        position.make(move);
        if (position.outcome().winner == side)
            found.push_back({move, cell_set(tables.data.patterns[completed_pattern(tables, position)].cells)});
        position.unmake(before);
        return false;
    };
    // A pattern that lacks one cell shows every move that can complete it, unless a move takes several.
    if (tables.threats_complete && !position.recycling())
        (position.playable(side) & position.completing(side, side)).any_of([&](int place) {
            return look(Move{static_cast<std::int16_t>(place), -1});
        });
    else
        position.any_move(look);
    return found;
}

// Whether there is any such move.
template <int W>
bool can_win_at_once(const Tables& tables, Position<W>& position, int side) {
    return !wins_at_once(tables, position, side).empty();
}

// The cells in columns, lowest first, where every move is a disc that rests on the one below; none elsewhere.
class Piles {
  public:
    explicit Piles(const Tables& tables) {
        std::vector<int> below(tables.cells, NOWHERE), above(tables.cells, NOWHERE);
        std::vector<int> laid;  // the cells in the order in which placements name them
        bool rests = false;
        for (int side = 0; side < 2; ++side)
            for (int place = 0; place < tables.places[side]; ++place) {
                const auto& cover = tables.covered[side][place];
                const auto under = tables.rests_on[side][place];
                if (cover.size() != 1 || under.size() > 1) return;
                const int cell = cover[0].cell;
                if (below[cell] == NOWHERE) laid.push_back(cell);
                below[cell] = under.empty() ? GROUND : under[0];
                rests |= !under.empty();
            }
        if (tables.recycles() || !rests) return;
        for (int cell : laid)
            if (below[cell] >= 0) above[below[cell]] = cell;
        for (int cell : laid) {
            if (below[cell] != GROUND) continue;
            auto& pile = piles_.emplace_back();
            for (int next = cell; next != NOWHERE; next = above[next]) pile.push_back(next);
        }
    }

    explicit operator bool() const { return !piles_.empty(); }

    // Who gets which cell if the side that is not to move answers every disc on top of it.
    //
    // In a column with an odd number of empty cells its lowest is answered by that of another such column, so it may
    // be anybody's. Drawn for a column of five empty cells: f the follower's, l the leader's, ? either's.
    //
    //     f
    //     l
    //     f
    //     l
    //     ?
    struct Waiting {
        int follower;
        CellSet settled;  // the cells that the follower gets for sure
        CellSet open;     // those that the leader may get
        int odd = 0;      // how many columns have an odd number of empty cells
    };

    // The same in a game that goes on; nothing where discs do not pile up or an odd number of cells is left.
    template <int W>
    std::optional<Waiting> waiting(Position<W>& position) const {
        if (!*this || position.outcome() || position.empty_cells() % 2) return {};
        Waiting way{position.to_move() ^ 1, {}, {}};
        for (const auto& pile : piles_) {
            std::vector<int> empty;
            for (int cell : pile)
                if (!position.taken(cell)) empty.push_back(cell);
            const bool odd = empty.size() % 2;
            way.odd += odd;
            for (std::size_t from_top = 0; from_top < empty.size(); ++from_top) {
                const std::size_t at = empty.size() - 1 - from_top;
                const bool settled = from_top % 2 == 0 && !(odd && at == 0);
                (settled ? way.settled : way.open).set(empty[at]);
            }
        }
        return way;
    }

  private:
    static constexpr int NOWHERE = -2, GROUND = -1;
    std::vector<std::vector<int>> piles_;
};

// Calls f with every pattern that a side can still complete or has completed, one layer after the other.
template <int W, class F>
void each_live(const Tables& tables, const Position<W>& position, int side, F&& f) {
    for (std::size_t v = 0; v < tables.views.size(); ++v)
        for (int p = 0; tables.views[v].side == side && p < tables.patterns; ++p)
            if (position.pattern(p).views >> v & 1) f(static_cast<int>(v), p);
}

// The patterns that a side has if it gets some of the empty cells besides its own.
template <int W>
std::vector<CellSet> patterns_with(const Tables& tables, const Position<W>& position, int side, const CellSet& cells) {
    std::vector<CellSet> found;
    each_live(tables, position, side, [&](int, int p) {
        const auto& all = tables.data.patterns[p].cells;
        if (std::ranges::all_of(all, [&](int cell) { return position.taken(cell) || cells.test(cell); }))
            found.push_back(cell_set(all));
    });
    return found;
}

}  // namespace plyground
