#include "core/rules.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <string>
#include <utility>

namespace plyground {

// The finaliser of splitmix64: neighbouring numbers become unrelated ones.
std::uint64_t scramble(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

namespace {

std::uint64_t layer_key(int layer, int cell) { return scramble(0x1000 + layer * MAX_CELLS + cell); }
std::uint64_t card_key(int place) { return scramble(0x10000 + place); }
std::uint64_t barred_key(int place) { return scramble(0x20000 + place); }

SymmetryData after(const SymmetryData& first, const SymmetryData& second) {
    SymmetryData both = first;
    for (auto& cell : both.cells) cell = second.cells[cell];
    for (auto& layer : both.layers) layer = second.layers[layer];
    return both;
}

// What a placement adds where a symmetry takes it, each list in order.
std::vector<Cells> image_of(const std::vector<Cells>& adds, const SymmetryData& symmetry) {
    std::vector<Cells> image(adds.size());
    for (std::size_t layer = 0; layer < adds.size(); ++layer)
        for (int cell : adds[layer]) image[symmetry.layers[layer]].push_back(symmetry.cells[cell]);
    for (auto& list : image) std::ranges::sort(list);
    return image;
}

SymmetryData identity_of(const RulesData& data) {
    SymmetryData identity{std::vector<int>(data.cells), std::vector<int>(data.layers)};
    std::iota(identity.cells.begin(), identity.cells.end(), 0);
    std::iota(identity.layers.begin(), identity.layers.end(), 0);
    return identity;
}

// The placements by what they add; of equal ones the first.
std::map<std::vector<Cells>, int> by_adds(const RulesData& data, int side) {
    std::map<std::vector<Cells>, int> places;
    for (std::size_t place = 0; place < data.placements[side].size(); ++place)
        places.emplace(image_of(data.placements[side][place].adds, identity_of(data)), static_cast<int>(place));
    return places;
}

// Why the core cannot play rules: what its tables have no room for, and what does not fit together.
class Check {
  public:
    explicit Check(const RulesData& data) : data_(data) {}

    Refusal refusal() {
        // Each may rely on what was found in order before.
        for (const auto part : {&Check::sizes, &Check::patterns, &Check::placements, &Check::views, &Check::symmetries})
            if (!(this->*part)()) return "the native core cannot play these rules: " + why_;
        return {};
    }

  private:
    const RulesData& data_;
    std::string why_;

    bool demand(bool holds, const std::string& what) {
        if (!holds) why_ = what;
        return holds;
    }

    bool on_board(const Cells& list) const {
        return std::ranges::all_of(list, [&](int cell) { return 0 <= cell && cell < data_.cells; });
    }

    bool has_poles() const {
        return std::ranges::any_of(data_.patterns, [](const auto& pattern) { return !pattern.neutraliser.empty(); });
    }

    bool sizes() {
        const auto plies = data_.max_plies;
        const auto patterns = data_.patterns.size();
        return demand(0 < data_.cells && data_.cells <= MAX_CELLS,
                      "1 to 256 cells, got " + std::to_string(data_.cells)) &&
               demand(0 < data_.layers && data_.layers <= MAX_LAYERS,
                      "1 to 4 layers, got " + std::to_string(data_.layers)) &&
               demand(0 < plies && plies <= 1 << 16, "1 to 65536 plies, got " + std::to_string(plies)) &&
               demand(patterns < 1 << 14, "less than 16384 patterns, got " + std::to_string(patterns));
    }

    bool patterns() {
        std::vector<int> through(data_.cells);
        for (const auto& pattern : data_.patterns) {
            if (!demand(on_board(pattern.cells) && on_board(pattern.neutraliser) && on_board(pattern.barred) &&
                            on_board(pattern.swapped),
                        "a pattern lies off the board") ||
                !demand(!pattern.cells.empty(), "a pattern has no cells") ||
                !demand(pattern.cells.size() < 256 && pattern.neutraliser.size() < 256 && pattern.barred.size() < 256,
                        "a pattern has 255 cells at most") ||
                !demand(0 <= pattern.family && pattern.family < 32, "at most 32 families of pattern"))
                return false;
            for (int cell : pattern.cells) ++through[cell];
        }
        return demand(std::ranges::all_of(through, [](int count) { return count < 256; }),
                      "less than 256 patterns through a cell");
    }

    bool placements() {
        for (const int ply : data_.passes)
            if (!demand(0 < ply && ply <= data_.max_plies, "a pass lies outside the game")) return false;
        for (const auto& side : data_.placements) {
            if (!demand(!side.empty() && side.size() <= MAX_PLACEMENTS,
                        "1 to 768 placements, got " + std::to_string(side.size())))
                return false;
            for (const auto& [adds, rests_on] : side)
                if (!demand(static_cast<int>(adds.size()) == data_.layers,
                            "a placement needs an entry for each layer") ||
                    !demand(on_board(rests_on), "a placement rests on a cell off the board") ||
                    !demand(std::ranges::all_of(adds, [&](const Cells& added) { return on_board(added); }),
                            "a placement lies off the board"))
                    return false;
        }
        if (!data_.passes.empty() && !lasts_pass()) return false;
        if (data_.recycle_from == NEVER) return true;
        return demand(data_.placements[0] == data_.placements[1],
                      "with recycling both sides must have the same placements") &&
               demand(!has_poles(), "with recycling no pattern can have a neutraliser");
    }

    // Where sides pass, the last placement of each does nothing.
    bool lasts_pass() {
        return demand(data_.recycle_from == NEVER, "with recycling nobody passes") &&
               demand(std::ranges::all_of(data_.placements,
                                          [](const auto& side) {
                                              return std::ranges::all_of(side.back().adds, &Cells::empty) &&
                                                     side.back().rests_on.empty();
                                          }),
                      "where sides pass the last placement covers no cell");
    }

    bool views() {
        const auto& [first, second] = data_.watches;
        const int all = static_cast<int>(first.size() + second.size());
        for (const auto& pattern : data_.patterns)
            if (!demand(std::ranges::all_of(pattern.views, [&](int view) { return 0 <= view && view < all; }),
                        "a pattern counts for a view that does not exist") ||
                !demand(pattern.swapped.empty() || (data_.layers == 2 && first.size() == 2 && second.size() == 2 &&
                                                    pattern.barred.empty() && pattern.neutraliser.empty()),
                        "a pattern of two layers needs sides that watch both of two"))
                return false;
        if (!demand(-1 <= data_.full_winner && data_.full_winner <= 1, "who wins a full board is a side")) return false;
        const auto exists = [&](int layer) { return 0 <= layer && layer < data_.layers; };
        return demand(std::ranges::all_of(first, exists) && std::ranges::all_of(second, exists),
                      "a side watches a layer that does not exist") &&
               demand(first.size() + second.size() <= MAX_VIEWS,
                      "at most 4 watched layers, got " + std::to_string(first.size() + second.size())) &&
               demand(!has_poles() || (first.size() == 1 && second.size() == 1),
                      "with neutralisers each side watches one layer");
    }

    bool symmetries() {
        const auto identity = identity_of(data_);
        const std::array places{by_adds(data_, 0), by_adds(data_, 1)};
        for (const auto& symmetry : data_.symmetries) {
            if (!demand(std::ranges::is_permutation(symmetry.cells, identity.cells) &&
                            std::ranges::is_permutation(symmetry.layers, identity.layers),
                        "a symmetry needs an entry for each cell and layer"))
                return false;
            for (int side = 0; side < 2; ++side)
                for (const auto& placement : data_.placements[side])
                    if (!demand(places[side].contains(image_of(placement.adds, symmetry)),
                                "a symmetry takes a placement to none"))
                        return false;
        }
        return true;
    }
};

// Mixes numbers, and how many there are, into one.
class Fingerprint {
  public:
    std::uint64_t value = 0;

    void add(int number) { value = scramble(value ^ static_cast<std::uint32_t>(number)); }
    template <class Range>
    void add(const Range& parts) {
        add(static_cast<int>(std::size(parts)));
        for (const auto& part : parts) add(part);
    }
    void add(const PatternData& pattern) {
        add(pattern.cells), add(pattern.neutraliser), add(pattern.family);
        if (pattern.barred.empty() && pattern.swapped.empty() && pattern.views.empty()) return;
        add(pattern.barred), add(pattern.swapped), add(pattern.views);
    }
    void add(const PlacementData& placement) { add(placement.adds), add(placement.rests_on); }
    void add(const SymmetryData& symmetry) { add(symmetry.cells), add(symmetry.layers); }
    void add(const RulesData& data) {
        add(data.cells), add(data.layers), add(data.max_plies), add(data.recycle_from);
        add(data.watches), add(data.patterns), add(data.placements), add(data.symmetries);
        if (data.mover_wins_ties && data.full_winner < 0 && data.passes.empty()) return;
        add(data.mover_wins_ties ? 1 : 0), add(data.full_winner), add(data.passes);
    }
};

std::uint64_t fingerprint_of(const RulesData& data) {
    Fingerprint print;
    print.add(data);
    return print.value;
}

}  // namespace

Lists::Lists(const std::vector<std::vector<int>>& lists) {
    starts_.push_back(0);
    for (const auto& list : lists) {
        for (int item : list) items_.push_back(static_cast<std::uint16_t>(item));
        starts_.push_back(static_cast<std::uint32_t>(items_.size()));
    }
}

Made<Tables> Tables::compile(RulesData data) {
    if (auto refusal = Check(data).refusal()) return {{}, refusal};
    return {Tables(std::move(data)), {}};
}

Tables::Tables(RulesData given)
    : data(std::move(given)),
      cells(data.cells),
      layers(data.layers),
      patterns(static_cast<int>(data.patterns.size())),
      fingerprint_(fingerprint_of(data)) {
    compile_views();
    compile_passes();
    compile_patterns();
    compile_placements();
    compile_sharing();
    compile_lookups();
    compile_room();
    compile_group();
    compile_keys();
}

bool Tables::plain() const {
    const auto is_plain = [](const PatternData& pattern) {
        return pattern.barred.empty() && pattern.swapped.empty() && pattern.views.empty();
    };
    return data.mover_wins_ties && data.full_winner < 0 && data.passes.empty() &&
           std::ranges::all_of(data.patterns, is_plain);
}

bool Tables::pairable() const {
    if (recycles() || has_passes() || data.full_winner >= 0) return false;
    if (data.watches[0] == data.watches[1]) return false;  // each cell that is taken serves both
    for (int side = 0; side < 2; ++side) {
        if (data.watches[side].size() != 1 || places[side] != cells) return false;
        for (int place = 0; place < places[side]; ++place) {
            const auto& cover = covered[side][place];
            if (!rests_on[side][place].empty() || cover.size() != 1) return false;
            if (cover[0].kind != 1 << data.watches[side][0]) return false;
        }
    }
    return true;
}

void Tables::compile_views() {
    for (int side = 0; side < 2; ++side)
        for (int layer : data.watches[side]) views.push_back({side, layer});
    for (int kind = 0; kind < 1 << MAX_LAYERS; ++kind)
        for (std::size_t v = 0; v < views.size(); ++v)
            if (kind >> views[v].layer & 1) {
                views_of_kind[kind] |= 1 << v;
                sides_of_kind[kind] |= 1 << views[v].side;
            }
}

void Tables::compile_passes() {
    if (data.passes.empty()) return;
    pass_at_.resize(data.max_plies + 2);
    for (const int ply : data.passes) pass_at_[ply] = 1;
}

void Tables::compile_patterns() {
    std::vector<std::vector<int>> by_cell(cells), by_pole(cells), by_bar(cells), own_cells, own_poles;
    for (std::size_t v = 0; v < views.size(); ++v)
        for (std::size_t other = 0; other < views.size(); ++other)
            if (views[v].side == views[other].side && views[v].layer == 1 - views[other].layer)
                other_view[v] = static_cast<std::uint8_t>(other);
    for (int p = 0; p < patterns; ++p) {
        const auto& pattern = data.patterns[p];
        PatternShape shape{static_cast<std::uint8_t>(pattern.cells.size()),
                           static_cast<std::uint8_t>(pattern.neutraliser.size()),
                           0,
                           static_cast<std::uint8_t>(pattern.family),
                           static_cast<std::uint8_t>(pattern.views.empty() ? (1 << views.size()) - 1 : 0),
                           static_cast<std::uint8_t>(pattern.barred.size())};
        for (const int view : pattern.views) shape.views |= static_cast<std::uint8_t>(1 << view);
        auto& swaps = swapped.emplace_back();
        for (const int cell : pattern.swapped) swaps.set(cell);
        has_swaps |= !pattern.swapped.empty();
        for (const int cell : pattern.barred) by_bar[cell].push_back(p);
        for (int cell : pattern.cells) {
            by_cell[cell].push_back(p);
            shape.xor_cells ^= static_cast<std::uint8_t>(cell);
        }
        for (int cell : pattern.neutraliser) by_pole[cell].push_back(p);
        has_poles |= !pattern.neutraliser.empty();
        longest = std::max(longest, static_cast<int>(pattern.cells.size()));
        shapes.push_back(shape);
        own_cells.push_back(pattern.cells);
        own_poles.push_back(pattern.neutraliser);
    }
    through = Lists(by_cell);
    pole_of = Lists(by_pole);
    bar_of = Lists(by_bar);
    cells_of = Lists(own_cells);
    poles_of = Lists(own_poles);
}

void Tables::compile_placements() {
    for (int side = 0; side < 2; ++side) {
        const auto& list = data.placements[side];
        places[side] = static_cast<int>(list.size());
        std::vector<std::vector<int>> feet;
        for (const auto& placement : list) {
            std::map<int, int> laid;
            for (int layer = 0; layer < layers; ++layer) {
                for (int cell : placement.adds[layer]) laid[cell] |= 1 << layer;
                threats_complete &= placement.adds[layer].size() <= 1;
            }
            std::vector<Covered> cover;
            for (auto [cell, kind] : laid) {
                if (std::ranges::find(kinds, kind) == kinds.end()) kinds.push_back(kind);
                cover.push_back({static_cast<std::uint8_t>(cell), static_cast<std::uint8_t>(kind)});
                // Whoever could lay the opponent's poles while completing a pattern might kill it by that.
                if (has_poles && sides_of_kind[kind] >> (1 - side) & 1) threats_complete = false;
            }
            covered[side].push_back(cover);
            feet.push_back(placement.rests_on);
        }
        rests_on[side] = Lists(feet);
    }
    const bool bars = std::ranges::any_of(shapes, [](const auto& shape) { return shape.barred > 0; });
    for (int side = 0; side < 2; ++side)
        for (const auto& cover : covered[side])
            for (auto [cell, kind] : cover) {
                // What a move completes for the opponent may outweigh what it completes for the mover.
                if (!data.mover_wins_ties && sides_of_kind[kind] == 3) completing_wins = false;
                // A placement may complete a line and make it too long at once, or stop it by making it too long.
                if (bars && (cover.size() > 1 || sides_of_kind[kind] != 1 << side)) completing_wins = false;
            }
    threats_complete &= completing_wins;
}

// Which tables both sides can share.
void Tables::compile_sharing() {
    auto feet_and_cells = [&](int side) {
        std::vector<std::pair<Cells, Cells>> all;
        for (int place = 0; place < places[side]; ++place) {
            Cells own;
            for (auto [cell, kind] : covered[side][place]) own.push_back(cell);
            all.emplace_back(own, data.placements[side][place].rests_on);
        }
        return all;
    };
    if (feet_and_cells(0) != feet_and_cells(1)) return;
    shape_of = {0, 0};
    shape_count = 1;
    if (data.placements[0] != data.placements[1]) return;
    mover_of = {0, 0};
    mover_count = 1;
}

// Which placements cover a cell, rest on it, or add it to a view.
void Tables::compile_lookups() {
    for (int shape = 0; shape < shape_count; ++shape) {
        std::vector<std::vector<int>> cover(cells), rest(cells);
        for (int place = 0; place < places[shape]; ++place) {
            for (auto [cell, kind] : covered[shape][place]) cover[cell].push_back(place);
            for (int cell : data.placements[shape][place].rests_on) rest[cell].push_back(place);
        }
        covering[shape] = Lists(cover);
        resting[shape] = Lists(rest);
    }
    for (int mover = 0; mover < mover_count; ++mover)
        for (int place = 0; place < places[mover]; ++place)
            for (auto [cell, kind] : covered[mover][place])
                for (std::size_t v = 0; v < views.size(); ++v)
                    if (kind >> views[v].layer & 1)
                        adders[v * MAX_CELLS + cell].push_back(
                            {static_cast<std::uint8_t>(mover), static_cast<std::uint16_t>(place)});
}

void Tables::compile_room() {
    roomy = cells > MANY_CELLS && pairable();
    for (int side = 0; side < 2; ++side)
        for (int place = 0; roomy && place < places[side]; ++place) roomy = covered[side][place][0].cell == place;
    forks = roomy && threats_complete && !has_poles;
}

void Tables::compile_group() {
    group = {identity_of(data)};
    // A group too large for the tables is left unused: positions are then told apart that need not be.
    for (std::size_t i = 0; i < group.size() && group.size() <= MAX_SYMMETRIES; ++i)
        for (const auto& generator : data.symmetries)
            if (auto next = after(group[i], generator); std::ranges::find(group, next) == group.end())
                group.push_back(std::move(next));
    if (group.size() > MAX_SYMMETRIES) group.resize(1);
    symmetries = static_cast<int>(group.size());
}

void Tables::compile_keys(int side) {
    const auto place_with = by_adds(data, side);
    images[side].resize(places[side]);
    origins[side].resize(places[side]);
    keys[side].resize(places[side]);
    for (int g = 0; g < symmetries; ++g)
        for (int place = 0; place < places[side]; ++place) {
            const auto adds = image_of(data.placements[side][place].adds, group[g]);
            std::uint64_t key = 0;
            for (int layer = 0; layer < layers; ++layer)
                for (int cell : adds[layer]) key ^= layer_key(layer, cell);
            const int image = g == 0 ? place : place_with.find(adds)->second;
            images[side][place][g] = static_cast<std::int16_t>(image);
            origins[side][image][g] = static_cast<std::int16_t>(place);
            keys[side][place][g] = recycles() ? card_key(image) : key;
        }
}

void Tables::compile_keys() {
    for (int side = 0; side < 2; ++side) compile_keys(side);
    cell_keys.resize(static_cast<std::size_t>(cells) << MAX_LAYERS);
    for (int kind = 0; kind < 1 << layers; ++kind)
        for (int cell = 0; cell < cells; ++cell)
            for (int g = 0; g < symmetries; ++g)
                for (int layer = 0; layer < layers; ++layer)
                    if (kind >> layer & 1)
                        cell_keys[kind * cells + cell][g] ^= layer_key(group[g].layers[layer], group[g].cells[cell]);
    for (int ply = 0; ply <= data.max_plies; ++ply)
        ply_keys.push_back(scramble(0x40000 + static_cast<std::uint64_t>(ply)));
    barred_keys.resize(places[0]);
    for (int g = 0; g < symmetries; ++g)
        for (int place = 0; place < places[0]; ++place) barred_keys[place][g] = barred_key(images[0][place][g]);
}

}  // namespace plyground
