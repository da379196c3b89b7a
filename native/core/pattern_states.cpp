#include "core/pattern_states.hpp"

#include <algorithm>
#include <map>

namespace plyground {

namespace {

struct Holding {
    std::array<std::uint8_t, 1 << MAX_LAYERS> cells{};  // by kind
    std::array<std::uint8_t, 2> taken{};                // poles by side
    std::array<std::uint8_t, MAX_LAYERS> barred{};      // barred cells by layer
    friend auto operator<=>(const Holding&, const Holding&) = default;
};

PatternState judge(const Tables& t, const PatternStates::Worth& worth, int pattern, const Holding& holding) {
    const auto [size, poles, xor_cells, family, views, barred] = t.shapes[pattern];
    PatternState state;
    state.taken = holding.taken;
    for (int count : holding.cells) state.occupied = static_cast<std::uint8_t>(state.occupied + count);
    for (std::size_t v = 0; v < t.views.size(); ++v) {
        const auto [side, layer] = t.views[v];
        if (!(views >> v & 1) || holding.barred[layer]) continue;
        int own = 0;
        for (int kind = 0; kind < 1 << MAX_LAYERS; ++kind)
            if (kind >> layer & 1) own += holding.cells[kind];
        const int against = holding.taken[side ^ 1];
        if (own != state.occupied || (poles && against == poles)) continue;
        const auto value = worth(pattern, side, poles ? against : 0, own);
        state.value += side == 0 ? value : -value;
        state.live += side == 0 ? 1 : 1 << 16;
        state.views |= 1 << v;
        if (own + 1 == size) state.threats |= 1 << v;
        if (own + 2 == size && t.forks) state.nearly |= 1 << v;
        if (own == size) state.completed |= 1 << side;
        if (own > 0 && own < size) state.holding = static_cast<std::uint8_t>(side * (t.longest - 1) + own);
    }
    state.eventful = (state.threats | state.nearly | state.completed) != 0;
    return state;
}

}  // namespace

PatternStates::PatternStates(const Tables& tables, const std::vector<int>& groups, const Worth& worth) {
    std::map<std::array<int, 5>, std::uint16_t> classes;
    for (int pattern = 0; pattern < tables.patterns && fit_; ++pattern) {
        const auto& shape = tables.shapes[pattern];
        const std::array<int, 5> key{shape.size, shape.poles, groups[pattern], shape.views, shape.barred};
        if (!classes.contains(key)) {
            classes[key] = static_cast<std::uint16_t>(states_.size());
            add_class(tables, worth, pattern);
        }
        starts_.push_back(classes[key]);
    }
}

// Every state of the patterns like that one, the empty one first.
void PatternStates::add_class(const Tables& tables, const Worth& worth, int pattern) {
    const int size = tables.shapes[pattern].size, poles = tables.shapes[pattern].poles;
    const int barred = tables.shapes[pattern].barred;
    const std::size_t first = states_.size();
    std::map<Holding, std::size_t> numbers{{Holding{}, first}};
    std::vector<Holding> holdings{Holding{}};
    auto number_of = [&](const Holding& holding) {
        const auto [at, fresh] = numbers.emplace(holding, first + holdings.size());
        if (fresh) holdings.push_back(holding);
        return at->second;
    };
    using Steps = std::vector<std::uint16_t>;
    auto connect = [](Steps& up, Steps& down, std::size_t from, std::size_t to, int kind) {
        const std::size_t needed = (std::max(from, to) + 1) << MAX_LAYERS;
        if (up.size() < needed) up.resize(needed), down.resize(needed);
        up[from << MAX_LAYERS | kind] = static_cast<std::uint16_t>(to);
        down[to << MAX_LAYERS | kind] = static_cast<std::uint16_t>(from);
    };
    for (std::size_t i = 0; i < holdings.size(); ++i) {
        if (first + holdings.size() > MOST) {
            fit_ = false;
            return;
        }
        const Holding here = holdings[i];
        states_.push_back(judge(tables, worth, pattern, here));
        for (int kind : tables.kinds) {
            if (states_.back().occupied < size) {
                Holding next = here;
                ++next.cells[kind];
                connect(cell_up_, cell_down_, first + i, number_of(next), kind);
            }
            Holding next = here;
            bool room = poles > 0;
            for (int side = 0; side < 2; ++side)
                if (tables.sides_of_kind[kind] >> side & 1) room &= next.taken[side]++ < poles;
            if (room) connect(pole_up_, pole_down_, first + i, number_of(next), kind);
            next = here;
            bool free = barred > 0;
            for (int layer = 0; layer < tables.layers; ++layer)
                if (kind >> layer & 1) free &= next.barred[layer]++ < barred;
            if (free) connect(bar_up_, bar_down_, first + i, number_of(next), kind);
        }
    }
}

}  // namespace plyground
