// What is known of a move or a position, and where from.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/rules.hpp"
#include "judge/score.hpp"

namespace plyground {

enum class Source : std::uint8_t { BOOK, SOLVER, PAIRING, PROOF_SEARCH, SEARCH };

// A remark about a move; its words are data of those who show it.
enum class Remark : std::uint8_t {
    NONE,
    CANNOT_LOSE,       // a pairing keeps its mover from losing
    BOOK_CANNOT_LOSE,  // a book says that the other side cannot win
    BOOK_WINS,         // by the ply in the note at the latest
    BOOK_LOSES,
    BOOK_DEFENCE,     // recommended to a side that was lost at the start
    LONGEST_DEFENCE,  // lost against best play
};

struct Note {
    Remark remark = Remark::NONE;
    int ply = 0;
    friend bool operator==(const Note&, const Note&) = default;
};

struct Analysis {
    std::vector<Move> line;      // best play of both sides, the move itself first; of a position perhaps empty
    std::optional<Score> score;  // nothing for what was not looked at
    Source source = Source::SEARCH;
    Note note;
    // Of a search: plies looked ahead, positions and seconds since it began, and the score in its own numbers.
    int depth = 0;
    std::uint64_t nodes = 0;
    double seconds = 0;
    std::optional<int> points;

    // A proof; what it took to find is not part of it.
    static Analysis proof(Score score, std::vector<Move> line, Source source, Note note = {}) {
        Analysis made;
        made.line = std::move(line);
        made.score = score;
        made.source = source;
        made.note = note;
        return made;
    }

    static Analysis unsearched(Move move) {
        Analysis made;
        made.line = {move};
        return made;
    }

    bool proved() const { return score && score->proved(); }
    // Whether nothing is left to find out: how the game ends is proved, and when.
    bool settled() const { return proved() && !score->at_most; }
    Move move() const { return line.front(); }
};

}  // namespace plyground
