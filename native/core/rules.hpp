// The rules of a game as tables, compiled once from plain lists. No game is known by name.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/mask.hpp"
#include "core/refusal.hpp"

namespace plyground {

using Cells = std::vector<int>;

struct PatternData {
    Cells cells, neutraliser;
    int family;
    Cells barred{};            // while its layer has one of them it counts for nothing
    Cells swapped{};           // those of its cells that must lie in the other one of two layers
    std::vector<int> views{};  // the entries of `watches`, end to end, that it counts for; empty: all
};

struct PlacementData {
    std::vector<Cells> adds;  // the cells it adds to each layer
    Cells rests_on;
    friend bool operator==(const PlacementData&, const PlacementData&) = default;
};

struct SymmetryData {
    std::vector<int> cells, layers;  // entry i is what i goes to
    friend bool operator==(const SymmetryData&, const SymmetryData&) = default;
};

struct RulesData {
    int cells, layers;
    std::array<std::vector<int>, 2> watches;
    std::vector<PatternData> patterns;
    std::array<std::vector<PlacementData>, 2> placements;
    int max_plies;
    int recycle_from;  // NEVER where nothing is lifted again
    std::vector<SymmetryData> symmetries;
    bool mover_wins_ties = true;  // when one move completes patterns of both sides
    int full_winner = -1;         // who wins when the board is full; -1: a draw
    std::vector<int> passes{};    // the plies at which the side to move can only pass, by its last placement
};

constexpr int NEVER = 1 << 30;
constexpr int MAX_CELLS = 256;
constexpr int MAX_LAYERS = 4;
constexpr int MAX_VIEWS = 4;
constexpr int MAX_PLACEMENTS = 768;
constexpr int MAX_SYMMETRIES = 16;
constexpr int MANY_CELLS = 100;  // a board with more is large

struct Move {
    std::int16_t place = -1;
    std::int16_t lift = -1;  // -1: a plain move
    friend bool operator==(Move, Move) = default;
};

// Lists of small numbers, one list a key, end to end.
class Lists {
  public:
    Lists() = default;
    explicit Lists(const std::vector<std::vector<int>>& lists);
    std::span<const std::uint16_t> operator[](int key) const {
        return {items_.data() + starts_[key], items_.data() + starts_[key + 1]};
    }

  private:
    std::vector<std::uint32_t> starts_;
    std::vector<std::uint16_t> items_;
};

// A view is a layer as one side watches it: where a pattern can be completed.
struct View {
    int side, layer;
};

struct PatternShape {
    std::uint8_t size;
    std::uint8_t poles;      // cells of the neutraliser
    std::uint8_t xor_cells;  // of all its cells, so that a lone missing one is known
    std::uint8_t family;
    std::uint8_t views;   // those that it counts for
    std::uint8_t barred;  // cells that its layer must not have
};

// A cell a placement covers, and the set of layers it puts there.
struct Covered {
    std::uint8_t cell, kind;
};

struct Adder {
    std::uint8_t mover;  // index of a table of placements
    std::uint16_t place;
};

class Tables {
  public:
    static Made<Tables> compile(RulesData data);

    RulesData data;
    int cells, layers, patterns, longest = 0;
    std::array<int, 2> places{};  // by side

    std::vector<View> views;
    std::vector<int> kinds;                                     // the sets of layers that placements put on a cell
    std::array<std::uint8_t, 1 << MAX_LAYERS> views_of_kind{};  // the views that gain from a kind of cell
    std::array<std::uint8_t, 1 << MAX_LAYERS> sides_of_kind{};  // the sides that watch one of its layers

    std::vector<PatternShape> shapes;
    Lists through;   // patterns by cell
    Lists pole_of;   // patterns by the cells of their neutralisers
    Lists bar_of;    // patterns by the cells that are barred to them
    Lists cells_of;  // cells by pattern
    Lists poles_of;  // cells of neutralisers by pattern

    // Sides whose placements have the same cells share a table of what can be laid;
    // those whose placements are the same in all share a table of what completes patterns too.
    std::array<int, 2> shape_of{0, 1}, mover_of{0, 1};
    int shape_count = 2, mover_count = 2;
    std::array<Lists, 2> covering, resting;                        // placements by cell, one table a shape
    std::array<std::vector<Adder>, MAX_VIEWS * MAX_CELLS> adders;  // who adds a cell to a view, by view and cell

    std::array<std::vector<std::vector<Covered>>, 2> covered;  // by side and placement
    std::array<Lists, 2> rests_on;                             // cells by placement, by side

    // Whether a lone missing cell shows every way to complete a pattern in one plain move.
    bool threats_complete = true;
    bool has_poles = false;
    // Whether to complete a pattern is to win, whatever else a move completes.
    bool completing_wins = true;

    // Of patterns of two layers: the cells that must lie in the other one, by pattern; the views of the other layer.
    bool has_swaps = false;
    std::vector<Mask<MAX_CELLS / 64>> swapped;
    std::array<std::uint8_t, MAX_VIEWS> other_view{};

    // Whether the board is large and any empty cell can be taken by the placement of its number.
    bool roomy = false;
    // Whether two lone missing cells of a pattern show every way to make a threat, and to stop it. Followed on large
    // boards only.
    bool forks = false;

    // Zobrist numbers: of a placement as each symmetry shows it, of the ply, of the card that must not be lifted.
    int symmetries = 1;
    std::vector<SymmetryData> group;  // the first is the identity
    std::array<std::vector<std::array<std::uint64_t, MAX_SYMMETRIES>>, 2> keys;
    std::vector<std::array<std::uint64_t, MAX_SYMMETRIES>> barred_keys;
    std::array<std::vector<std::array<std::int16_t, MAX_SYMMETRIES>>, 2> images, origins;  // by side, placement
    std::vector<std::array<std::uint64_t, MAX_SYMMETRIES>> cell_keys;                      // by kind and cell
    std::vector<std::uint64_t> ply_keys;

    // The view that gains from a disc on a cell of a pattern that counts for a view: that of the other layer where the
    // pattern wants it there.
    int view_at(int pattern, int v, int cell) const {
        return has_swaps && swapped[pattern].test(cell) ? other_view[v] : v;
    }

    // Whether any empty cell can be taken at any time, for good and for the mover alone, and who holds on draws.
    bool pairable() const;

    // Whether the side to move at a ply can only pass.
    bool passes(int ply) const { return !pass_at_.empty() && pass_at_[ply]; }
    bool has_passes() const { return !pass_at_.empty(); }
    int pass_of(int side) const { return places[side] - 1; }

    // Whether every pattern counts for whoever watches its layer, and nothing but patterns decides a game.
    bool plain() const;

    // A number that these rules have, and hardly any others.
    std::uint64_t fingerprint() const { return fingerprint_; }

    bool recycles() const { return data.recycle_from != NEVER; }

  private:
    std::uint64_t fingerprint_;
    std::vector<std::uint8_t> pass_at_;  // by ply; empty where nobody passes

    explicit Tables(RulesData data);
    void compile_views();
    void compile_passes();
    void compile_patterns();
    void compile_placements();
    void compile_sharing();
    void compile_lookups();
    void compile_room();
    void compile_group();
    void compile_keys();
    void compile_keys(int side);
};

std::uint64_t scramble(std::uint64_t x);

}  // namespace plyground
