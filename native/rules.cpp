#include "rules.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>

namespace plyground {

// The finaliser of splitmix64: neighbouring numbers become unrelated ones.
std::uint64_t scramble(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

namespace {

void demand(bool holds, const std::string& what) {
    if (!holds) throw std::invalid_argument("the native core cannot play these rules: " + what);
}

std::uint64_t layer_key(int layer, int cell) { return scramble(0x1000 + layer * MAX_CELLS + cell); }
std::uint64_t card_key(int place) { return scramble(0x10000 + place); }
std::uint64_t barred_key(int place) { return scramble(0x20000 + place); }

SymmetryData after(const SymmetryData& first, const SymmetryData& second) {
    SymmetryData both = first;
    for (auto& cell : both.cells) cell = second.cells[cell];
    for (auto& layer : both.layers) layer = second.layers[layer];
    return both;
}

bool same(const SymmetryData& a, const SymmetryData& b) { return a.cells == b.cells && a.layers == b.layers; }

}  // namespace

Lists::Lists(const std::vector<std::vector<int>>& lists) {
    starts_.push_back(0);
    for (const auto& list : lists) {
        for (int item : list) items_.push_back(static_cast<std::uint16_t>(item));
        starts_.push_back(static_cast<std::uint32_t>(items_.size()));
    }
}

Tables::Tables(RulesData given)
    : data(std::move(given)), cells(data.cells), layers(data.layers), patterns(static_cast<int>(data.patterns.size())) {
    demand(0 < cells && cells <= MAX_CELLS, "1 to 256 cells, got " + std::to_string(cells));
    demand(0 < layers && layers <= MAX_LAYERS, "1 to 4 layers, got " + std::to_string(layers));
    demand(0 < data.max_plies && data.max_plies <= 1 << 16, "1 to 65536 plies, got " + std::to_string(data.max_plies));
    demand(patterns < 1 << 14, "less than 16384 patterns, got " + std::to_string(patterns));
    auto on_board = [&](const Cells& list) {
        return std::ranges::all_of(list, [&](int cell) { return 0 <= cell && cell < cells; });
    };
    for (const auto& pattern : data.patterns)
        demand(on_board(pattern.cells) && on_board(pattern.neutraliser), "a pattern lies off the board");
    for (const auto& side : data.placements) {
        demand(!side.empty() && side.size() <= MAX_PLACEMENTS, "1 to 768 placements, got " + std::to_string(side.size()));
        for (const auto& placement : side) {
            demand(static_cast<int>(placement.adds.size()) == layers, "a placement needs an entry for each layer");
            demand(on_board(placement.rests_on), "a placement rests on a cell off the board");
            for (const auto& added : placement.adds) demand(on_board(added), "a placement lies off the board");
        }
    }
    compile_views();
    compile_patterns();
    compile_placements();
    compile_group();
    compile_keys();
}

bool Tables::pairable() const {
    if (recycles()) return false;
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
        for (int layer : data.watches[side]) {
            demand(0 <= layer && layer < layers, "a side watches a layer that does not exist");
            views.push_back({side, layer});
        }
    demand(views.size() <= MAX_VIEWS, "at most 4 watched layers, got " + std::to_string(views.size()));
    for (int kind = 0; kind < 1 << MAX_LAYERS; ++kind)
        for (std::size_t v = 0; v < views.size(); ++v)
            if (kind >> views[v].layer & 1) {
                views_of_kind[kind] |= 1 << v;
                sides_of_kind[kind] |= 1 << views[v].side;
            }
}

void Tables::compile_patterns() {
    std::vector<std::vector<int>> by_cell(cells), by_pole(cells), own_cells, own_poles;
    for (int p = 0; p < patterns; ++p) {
        const auto& pattern = data.patterns[p];
        demand(!pattern.cells.empty(), "a pattern has no cells");
        demand(0 <= pattern.family && pattern.family < 32, "at most 32 families of pattern");
        PatternShape shape{static_cast<std::uint8_t>(pattern.cells.size()),
                           static_cast<std::uint8_t>(pattern.neutraliser.size()), 0,
                           static_cast<std::uint8_t>(pattern.family)};
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
    for (const auto& list : by_cell) demand(list.size() < 256, "less than 256 patterns through a cell");
    through = Lists(by_cell);
    pole_of = Lists(by_pole);
    cells_of = Lists(own_cells);
    poles_of = Lists(own_poles);
    demand(!has_poles || (data.watches[0].size() == 1 && data.watches[1].size() == 1),
           "with neutralisers each side watches one layer");
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
    auto feet_and_cells = [&](int side) {
        std::vector<std::pair<Cells, Cells>> all;
        for (int place = 0; place < places[side]; ++place) {
            Cells own;
            for (auto [cell, kind] : covered[side][place]) own.push_back(cell);
            all.emplace_back(own, data.placements[side][place].rests_on);
        }
        return all;
    };
    if (feet_and_cells(0) == feet_and_cells(1)) {
        shape_of = {0, 0};
        shape_count = 1;
        auto adds = [&](int side) {
            std::vector<std::vector<Cells>> all;
            for (const auto& placement : data.placements[side]) all.push_back(placement.adds);
            return all;
        };
        if (adds(0) == adds(1)) {
            mover_of = {0, 0};
            mover_count = 1;
        }
    }
    demand(!recycles() || mover_count == 1, "with recycling both sides must have the same placements");
    demand(!recycles() || !has_poles, "with recycling no pattern can have a neutraliser");
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

void Tables::compile_group() {
    SymmetryData identity;
    for (int cell = 0; cell < cells; ++cell) identity.cells.push_back(cell);
    for (int layer = 0; layer < layers; ++layer) identity.layers.push_back(layer);
    group = {identity};
    for (const auto& generator : data.symmetries)
        demand(static_cast<int>(generator.cells.size()) == cells && static_cast<int>(generator.layers.size()) == layers,
               "a symmetry needs an entry for each cell and layer");
    for (std::size_t i = 0; i < group.size(); ++i)
        for (const auto& generator : data.symmetries) {
            auto next = after(group[i], generator);
            if (std::ranges::none_of(group, [&](const auto& known) { return same(known, next); })) group.push_back(next);
        }
    // A group too large for the tables is left unused: positions are then told apart that need not be.
    if (group.size() > MAX_SYMMETRIES) group.resize(1);
    symmetries = static_cast<int>(group.size());
}

void Tables::compile_keys() {
    for (int side = 0; side < 2; ++side) {
        std::map<std::vector<Cells>, int> place_with;
        for (int place = 0; place < places[side]; ++place) {
            auto adds = data.placements[side][place].adds;
            for (auto& list : adds) std::ranges::sort(list);
            place_with.emplace(adds, place);
        }
        images[side].resize(places[side]);
        origins[side].resize(places[side]);
        keys[side].resize(places[side]);
        for (int g = 0; g < symmetries; ++g)
            for (int place = 0; place < places[side]; ++place) {
                std::vector<Cells> adds(layers);
                std::uint64_t key = 0;
                for (int layer = 0; layer < layers; ++layer)
                    for (int cell : data.placements[side][place].adds[layer]) {
                        adds[group[g].layers[layer]].push_back(group[g].cells[cell]);
                        key ^= layer_key(group[g].layers[layer], group[g].cells[cell]);
                    }
                for (auto& list : adds) std::ranges::sort(list);
                auto found = place_with.find(adds);
                demand(found != place_with.end(), "a symmetry takes a placement to none");
                int image = g == 0 ? place : found->second;
                images[side][place][g] = static_cast<std::int16_t>(image);
                origins[side][image][g] = static_cast<std::int16_t>(place);
                keys[side][place][g] = recycles() ? card_key(image) : key;
            }
    }
    cell_keys.resize(static_cast<std::size_t>(cells) << MAX_LAYERS);
    for (int kind = 0; kind < 1 << layers; ++kind)
        for (int cell = 0; cell < cells; ++cell)
            for (int g = 0; g < symmetries; ++g)
                for (int layer = 0; layer < layers; ++layer)
                    if (kind >> layer & 1)
                        cell_keys[kind * cells + cell][g] ^= layer_key(group[g].layers[layer], group[g].cells[cell]);
    for (int ply = 0; ply <= data.max_plies; ++ply) ply_keys.push_back(scramble(0x40000 + static_cast<std::uint64_t>(ply)));
    barred_keys.resize(places[0]);
    for (int g = 0; g < symmetries; ++g)
        for (int place = 0; place < places[0]; ++place) barred_keys[place][g] = barred_key(images[0][place][g]);
}

}  // namespace plyground
