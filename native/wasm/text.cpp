// Games as text, as JavaScript sees them: a module of its own, which only the workshop needs.
#include <string>
#include <utility>
#include <vector>

#include "text/game_text.hpp"
#include "wasm/exchange.hpp"

namespace plyground::wasm {

namespace {

void say_cells(const Cells& cells) {
    exchange.say(cells.size());
    for (const int cell : cells) exchange.say(cell);
}

// A text is a list of its bytes.
void say_text(const std::string& text) {
    exchange.say(text.size());
    for (const char byte : text) exchange.say(static_cast<unsigned char>(byte));
}

void say_texts(const std::vector<std::string>& texts) {
    exchange.say(texts.size());
    for (const auto& text : texts) say_text(text);
}

void say_patterns(const text::GameText& game) {
    exchange.say(game.meanings.size());
    for (std::size_t i = 0; i < game.meanings.size(); ++i) {
        const auto& pattern = game.rules.patterns[i];
        const auto& meaning = game.meanings[i];
        for (const auto* cells : {&pattern.cells, &pattern.neutraliser, &pattern.barred, &pattern.swapped})
            say_cells(*cells);
        exchange.say(pattern.family, meaning.loses, meaning.owner, meaning.layer);
    }
}

void say_placements(const text::GameText& game, int side) {
    const auto& placements = game.rules.placements[side];
    exchange.say(placements.size());
    for (std::size_t i = 0; i < placements.size(); ++i) {
        say_text(game.names[side][i]);
        for (const auto& cells : placements[i].adds) say_cells(cells);
        say_cells(placements[i].rests_on);
    }
}

void say_symmetries(const text::GameText& game) {
    exchange.say(game.symmetries.size());
    for (std::size_t i = 0; i < game.symmetries.size(); ++i) {
        say_text(game.symmetries[i]);
        say_cells(game.rules.symmetries[i].cells);
        say_cells(game.rules.symmetries[i].layers);
    }
}

}  // namespace

// The game that the bytes of `room_for_bytes` describe, in the order in which core/text.js reads it; a refusal says
// line and column.
PLYGROUND_EXPORT("compile_game") int compile_game(int words) {
    return call(words, [](Reader& given) -> Refusal {
        if (!given.done()) return {};
        const auto bytes = exchange.take_bytes();
        auto made = text::compile_game({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
        if (made.refusal) return made.refusal;
        const auto& game = *made.value;
        for (const auto* text : {&game.title, &game.credit, &game.sides[0], &game.sides[1]}) say_text(*text);
        for (const auto* texts : {&game.layers, &game.families, &game.goal, &game.special}) say_texts(*texts);
        exchange.say(game.places.size());
        for (const auto& [column, row] : game.places) exchange.say(column, row);
        for (const auto& watched : game.rules.watches) say_cells(watched);
        say_patterns(game);
        for (const int side : {0, 1}) say_placements(game, side);
        say_symmetries(game);
        say_cells(game.rules.passes);
        exchange.say(game.rules.max_plies, game.rules.recycle_from == NEVER ? -1 : game.rules.recycle_from);
        exchange.say(static_cast<int>(game.writing), game.rules.mover_wins_ties, game.rules.full_winner);
        exchange.say(game.symmetries_found, game.first_moves);
        return {};
    });
}

}  // namespace plyground::wasm
