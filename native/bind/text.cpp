// Games as text, as Python sees them.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "bind/bind.hpp"
#include "bind/convert.hpp"
#include "text/game_text.hpp"

namespace plyground {

namespace {

nb::list patterns_of(const text::GameText& game) {
    nb::list all;
    for (std::size_t i = 0; i < game.meanings.size(); ++i) {
        const auto& pattern = game.rules.patterns[i];
        const auto& meaning = game.meanings[i];
        all.append(nb::make_tuple(pattern.cells, pattern.neutraliser, pattern.family, pattern.barred, pattern.swapped,
                                  meaning.loses, meaning.owner, meaning.layer));
    }
    return all;
}

nb::list placements_of(const text::GameText& game, int side) {
    nb::list all;
    const auto& placements = game.rules.placements[side];
    for (std::size_t i = 0; i < placements.size(); ++i)
        all.append(nb::make_tuple(game.names[side][i], placements[i].adds, placements[i].rests_on));
    return all;
}

nb::dict compile(const std::string& source) {
    const auto game = checked(text::compile_game(source));
    nb::list symmetries;
    for (std::size_t i = 0; i < game.symmetries.size(); ++i) {
        const auto& symmetry = game.rules.symmetries[i];
        symmetries.append(nb::make_tuple(game.symmetries[i], symmetry.cells, symmetry.layers));
    }
    nb::dict found;
    found["title"] = game.title;
    found["credit"] = game.credit;
    found["places"] = game.places;
    found["board"] = game.board;
    found["layers"] = game.layers;
    found["sides"] = nb::make_tuple(game.sides[0], game.sides[1]);
    found["watches"] = nb::make_tuple(game.rules.watches[0], game.rules.watches[1]);
    found["patterns"] = patterns_of(game);
    found["families"] = game.families;
    found["placements"] = nb::make_tuple(placements_of(game, 0), placements_of(game, 1));
    found["max_plies"] = game.rules.max_plies;
    found["recycle_from"] =
        game.rules.recycle_from == NEVER ? nb::object(nb::none()) : nb::int_(game.rules.recycle_from);
    found["writing"] = static_cast<int>(game.writing);
    found["mover_wins_ties"] = game.rules.mover_wins_ties;
    found["full_winner"] = game.rules.full_winner < 0 ? nb::object(nb::none()) : nb::int_(game.rules.full_winner);
    found["passes"] = game.rules.passes;
    found["symmetries"] = symmetries;
    found["symmetries_found"] = game.symmetries_found;
    found["first_moves"] = game.first_moves;
    found["goal"] = game.goal;
    found["special"] = game.special;
    return found;
}

}  // namespace

void bind_text(nb::module_& m) { m.def("compile_game", &compile, nb::arg("source")); }

}  // namespace plyground
