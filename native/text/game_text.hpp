// A game as a text of a few lines, compiled to the tables that all games are. The grammar is a page of the docs.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/refusal.hpp"
#include "core/rules.hpp"

namespace plyground::text {

// How a move is written: the name of a cell, a column, a piece and a cell, or a card.
enum class Writing : int { CELL, COLUMN, PIECE, CARD };

// What a pattern does and for whom, beside its tables.
struct PatternMeaning {
    bool loses = false;
    int owner = -1;  // a side; -1: both
    int layer = -1;  // the only layer it counts in; -1: all that are watched
};

struct GameText {
    std::string title, credit;
    std::vector<std::pair<int, int>> places;  // (column, row) of each cell
    std::string board;                        // square, hexagon or stack: how it is drawn
    RulesData rules;                          // its `watches` are those of the sides; patterns have no views yet
    std::vector<PatternMeaning> meanings;     // by pattern
    std::vector<std::string> layers;
    std::array<std::string, 2> sides;
    std::vector<std::string> families;
    std::array<std::vector<std::string>, 2> names;  // of placements
    Writing writing = Writing::CELL;
    std::vector<std::string> symmetries;  // names of the rules' symmetries
    int symmetries_found = 1;             // of which the rules use as many as the core has room for
    int first_moves = 0;                  // that differ, of the first side, by all that were found
    std::vector<std::string> goal, special;
};

// The game that a text describes, or what is wrong with it: "line 3, column 8: expected ...".
Made<GameText> compile_game(std::string_view text);

}  // namespace plyground::text
