#include "text/game_text.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "text/board.hpp"
#include "text/reader.hpp"

namespace plyground::text {

namespace {

constexpr int MOST_CELLS_OF_A_PATTERN = 25, MOST_LETTERS_WIDE = 26, MOST_PATTERNS = 16'383, MOST_GOALS = 40;

enum class Pieces { OWN, SHARED, EITHER, CARDS };

// Cells of a drawing, by column and row from its lower left corner.
struct Shape {
    std::vector<std::pair<int, int>> cells, poles;
    bool mirrored = false, turned = false;
    char pole = 0;
};

// One thing that decides the game.
struct Goal {
    bool loses = false;
    int owner = -1;
    int layer = -1;  // of that piece only
    int line = 0;    // cells of a line
    bool exact = false;
    std::vector<std::string> along;  // families of lines; empty: all
    std::string shape, word;
    bool dead = false;  // while the opponent holds every pole
    int safe_row = 0;   // a shape that stands on that row is never dead
    int at_line = 0, at_column = 0;
};

struct Card {
    std::array<int, 2> kinds;  // of its two cells: sets of layers
    bool turned = false;
};

// What a pattern is, whoever it is for.
struct Figure {
    Cells cells, neutraliser, barred, swapped;
    int family = 0;
    bool loses = false;
    friend auto operator<=>(const Figure&, const Figure&) = default;
};

const std::vector<std::string> STATEMENTS{"game",    "board", "place", "pieces", "card",   "turns",
                                          "win",     "lose",  "shape", "both",   "full",   "limit",
                                          "recycle", "sides", "goal",  "note",   "credit", "move"};

// What people ask for that is no data, with the words they ask with.
const std::vector<std::pair<std::string, std::string>> NO_DATA{{"capture", "captures"},
                                                               {"captures", "captures"},
                                                               {"take", "captures"},
                                                               {"flip", "turning pieces over"},
                                                               {"slide", "moving pieces"},
                                                               {"jump", "moving pieces"},
                                                               {"step", "moving pieces"},
                                                               {"connect", "connected chains"},
                                                               {"chain", "connected chains"},
                                                               {"pop", "taking pieces out"},
                                                               {"remove", "taking pieces out"},
                                                               {"dice", "chance"},
                                                               {"random", "chance"},
                                                               {"hidden", "hidden information"},
                                                               {"players", "more than two players"},
                                                               {"score", "counting points"},
                                                               {"points", "counting points"},
                                                               {"swap", "the swap rule"}};

std::string ending_of(int count) { return count == 1 ? "" : "s"; }

class Compiler {
  public:
    Made<GameText> compile(std::string_view text) {
        Lines lines(text);
        fault_ = lines.fault;
        if (!fault_ && lines.statements.empty())
            fault_ = Fault{1, 1, "the text is empty; a game begins with 'game NAME'"};
        for (const auto& statement : lines.statements)
            if (!fault_) take(statement);
        if (!fault_) finish();
        if (!fault_) build();
        if (fault_) {
            fault_->column = Lines::column_of(text, fault_->line, fault_->column);
            return {{}, fault_->message()};
        }
        return {std::move(made_), {}};
    }

  private:
    std::optional<Fault> fault_;
    GameText made_;
    std::set<std::string> given_;
    Board board_;
    bool has_board_ = false;
    Point fall_{};  // the step from a cell to the one it rests on
    bool falls_ = false;
    Pieces pieces_ = Pieces::OWN;
    std::vector<std::string> piece_names_;
    std::vector<Card> cards_;
    std::array<int, 2> turns_{1, 1};
    std::map<std::string, Shape> shapes_;
    std::vector<Goal> goals_;
    std::vector<std::pair<const Statement*, bool>> aims_;  // read when the sides are known
    std::vector<Statement> aim_statements_;
    bool mover_wins_ties_ = true;
    int full_winner_ = -1, limit_ = 0, recycle_from_ = 0;
    std::vector<Word> full_words_;
    std::map<Figure, std::set<std::pair<int, int>>> figures_;  // for which holder and layer
    std::vector<Figure> order_;
    std::map<std::pair<Cells, Cells>, int> shape_families_;

    void fail(int line, int column, std::string what) {
        if (!fault_) fault_ = Fault{line, column, std::move(what)};
    }

    void take(const Statement& statement) {
        const Word& head = statement.words[0];
        const std::string key = lower(head.text);
        if (!std::ranges::count(STATEMENTS, key)) {
            for (const auto& [word, what] : NO_DATA)
                if (key == word)
                    return fail(
                        head.line, head.column,
                        what + " are not data here: a game is what may be laid where, and which patterns decide");
            return fail(head.line, head.column,
                        "unknown statement " + quoted(head.text) + guess(head.text, STATEMENTS) +
                            (guess(head.text, STATEMENTS).empty() ? "; known: " + listed(STATEMENTS) : ""));
        }
        if (given_.empty() && key != "game")
            return fail(head.line, head.column, "a text begins with 'game NAME', got " + quoted(head.text));
        static const std::set<std::string> often{"win", "lose", "shape", "card", "goal", "note"};
        if (!often.contains(key) && given_.contains(key))
            return fail(head.line, head.column, "'" + key + "' is given twice");
        given_.insert(key);
        const bool has_block = key == "shape" || key == "board";
        if (!has_block && !statement.block.empty())
            return fail(statement.block[0].line, statement.block[0].column,
                        "a line that is set in belongs to a shape or a drawn board");
        Words words(statement, fault_);
        if (key == "game") return read_title(statement, words);
        if (key == "board") return read_board(statement, words);
        if (key == "place") return read_place(words);
        if (key == "pieces") return read_pieces(words);
        if (key == "card") return read_card(words);
        if (key == "turns") return read_turns(words);
        if (key == "shape") return read_shape(statement, words);
        if (key == "win" || key == "lose") return aim_statements_.push_back(statement);
        if (key == "sides") return read_sides(words);
        if (key == "both") return read_both(words);
        if (key == "full") return read_full(statement, words);
        if (key == "limit") return read_limit(words);
        if (key == "recycle") return read_recycle(words);
        if (key == "move") return read_move(words);
        if (statement.rest.empty()) return words.fail("expected a sentence behind '" + key + "'");
        if (statement.rest.size() > 200) return words.fail("a sentence has at most 200 letters");
        if (key == "goal") made_.goal.push_back(statement.rest);
        if (key == "note") made_.special.push_back(statement.rest);
        if (key == "credit") made_.credit = statement.rest;
    }

    void read_title(const Statement& statement, Words& words) {
        if (statement.rest.empty()) return words.fail("expected the name of the game");
        if (statement.rest.size() > 60) return words.fail("a name has at most 60 letters");
        made_.title = statement.rest;
    }

    // ------------------------------------------------------------ board

    void read_board(const Statement& statement, Words& words) {
        const int kind = words.choice({"rectangle", "square", "rows", "triangle", "hexagon", "cube", "box", "drawing"},
                                      "a kind of board");
        if (!words.ok()) return;
        if (kind != 7 && !statement.block.empty())
            return fail(statement.block[0].line, statement.block[0].column, "only 'board drawing' has lines below it");
        if (kind == 0) {
            const int rows = words.number("rows", 1, MOST_LETTERS_WIDE);
            words.accept("x");
            rectangle(words.number("columns", 1, MOST_LETTERS_WIDE), rows, 1);
        }
        if (kind == 1) {
            const int size = words.number("cells of a side", 1, 16);
            rectangle(size, size, 1);
        }
        if (kind == 2) rows_of(words);
        if (kind == 3) triangle(words.number("cells of a side", 2, 13));
        if (kind == 4) hexagon(words.number("cells of a side", 2, 7));
        if (kind == 5 || kind == 6) {
            const int rows = words.number(kind == 5 ? "cells of an edge" : "rows", 2, 8);
            int columns = rows, floors = rows;
            if (kind == 6) {
                words.accept("x");
                columns = words.number("columns", 2, 8);
                words.accept("x");
                floors = words.number("floors", 2, 8);
            }
            board_.lattice = Lattice::STACK;
            rectangle(columns, rows, floors);
        }
        if (kind == 7) draw(statement);
        if (words.accept("ring")) board_.ring = true;
        if (words.accept("torus")) board_.torus = true;
        if ((board_.ring || board_.torus) && kind > 1) words.fail("only a rectangle can be joined at its edges");
        words.end();
        if (fault_) return;
        board_.close();
        has_board_ = true;
        const int wide = 1 + std::ranges::max(board_.seen).first - 1;
        if (board_.cells() > MAX_CELLS)
            return fail(statement.line, 1, "a board has 1 to 256 cells, got " + std::to_string(board_.cells()));
        if (wide > MOST_LETTERS_WIDE)
            return fail(statement.line, 1, "a board is at most 26 columns wide, got " + std::to_string(wide));
    }

    void rectangle(int columns, int rows, int floors) {
        for (int floor = 0; floor < floors; ++floor)
            for (int row = 1; row <= rows; ++row)
                for (int column = 1; column <= columns; ++column) board_.points.push_back({column, row, floor});
    }

    // Rows from the bottom, by their lengths.
    void rows_of(Words& words) {
        std::vector<int> lengths;
        while (words.number_next() && lengths.size() < MOST_LETTERS_WIDE)
            lengths.push_back(words.number("the length of a row", 1, MOST_LETTERS_WIDE));
        if (lengths.empty()) words.number("the length of a row", 1, MOST_LETTERS_WIDE);
        const bool centred = words.accept("centred") || words.accept("centered");
        if (!words.ok()) return;
        const int longest = std::ranges::max(lengths);
        const bool alike = std::ranges::all_of(lengths, [&](int length) { return (longest - length) % 2 == 0; });
        if (centred && !alike) board_.lattice = Lattice::HEXAGON;
        const int step = centred && !alike ? 2 : 1;
        for (std::size_t r = 0; r < lengths.size(); ++r) {
            const int before = !centred ? 0 : alike ? (longest - lengths[r]) / 2 : longest - lengths[r];
            for (int i = 0; i < lengths[r]; ++i)
                board_.points.push_back({1 + before + step * i, static_cast<int>(r) + 1, 0});
        }
        if (board_.lattice == Lattice::HEXAGON) even_out();
    }

    // Of hexagons, columns and rows are both even or both odd.
    void even_out() {
        for (auto& point : board_.points)
            if ((point[0] + point[1]) % 2 != (board_.points[0][0] + board_.points[0][1]) % 2)
                return fail(1, 1,
                            "the lengths of neighbouring rows that are centred differ by 1, or all by even numbers");
        if ((board_.points[0][0] + board_.points[0][1]) % 2)
            for (auto& point : board_.points) ++point[0];
    }

    void triangle(int size) {
        board_.lattice = Lattice::HEXAGON;
        for (int row = 1; row <= size; ++row)
            for (int i = 0; i <= size - row; ++i) board_.points.push_back({row + 2 * i, row, 0});
    }

    void hexagon(int size) {
        board_.lattice = Lattice::HEXAGON;
        const int rows = 2 * size - 1;
        for (int row = 1; row <= rows; ++row) {
            const int short_by = std::abs(size - row);
            for (int i = 0; i < rows - short_by; ++i) board_.points.push_back({1 + short_by + 2 * i, row, 0});
        }
        even_out();
    }

    void draw(const Statement& statement) {
        const auto& block = statement.block;
        if (block.empty())
            return fail(statement.line, 1, "expected the rows of the board below it: # for a cell, . for none");
        int left = block[0].column;
        for (const auto& line : block) left = std::min(left, line.column);
        for (std::size_t i = 0; i < block.size(); ++i) {
            int column = block[i].column - left;
            for (const char letter : block[i].text) {
                if (letter == '#')
                    board_.points.push_back({column + 1, static_cast<int>(block.size() - i), 0});
                else if (letter != '.' && letter != ' ')
                    return fail(block[i].line, left + column,
                                "expected # for a cell or . for none, got " +
                                    quoted(letter_at(block[i].text, left + column - block[i].column)));
                ++column;
            }
        }
        if (board_.points.empty()) return fail(statement.line, 1, "the drawing has no cell: # is one");
        // Drawings may have a space between two letters.
        if (std::ranges::all_of(board_.points, [&](const Point& p) { return p[0] % 2 == board_.points[0][0] % 2; }) &&
            std::ranges::all_of(block, [](const Word& line) { return line.text.size() < 2 || line.text[1] == ' '; }))
            for (auto& point : board_.points) point[0] = (point[0] + 1) / 2;
        int least_column = board_.points[0][0], least_row = board_.points[0][1];
        for (const auto& point : board_.points)
            least_column = std::min(least_column, point[0]), least_row = std::min(least_row, point[1]);
        for (auto& point : board_.points) point[0] -= least_column - 1, point[1] -= least_row - 1;
    }

    // ------------------------------------------------------------ pieces

    void read_place(Words& words) {
        if (words.choice({"anywhere", "falling"}, "where pieces go") == 1) {
            falls_ = true;
            static const std::vector<std::pair<std::string, Point>> ways{
                {"down", {0, -1, 0}}, {"up", {0, 1, 0}}, {"left", {-1, 0, 0}}, {"right", {1, 0, 0}}};
            fall_ = {0, -1, 0};
            if (words.more()) {
                const int way = words.choice({"down", "up", "left", "right"}, "a direction");
                if (way >= 0) fall_ = ways[way].second;
            }
        }
        words.end();
    }

    void read_pieces(Words& words) {
        const int kind = words.choice({"own", "shared", "either", "cards"}, "whose pieces they are");
        if (kind < 0) return;
        pieces_ = static_cast<Pieces>(kind);
        while (words.more()) piece_names_.push_back(words.name("the name of a piece"));
        static constexpr std::array<int, 4> most{2, 1, 2, 4};
        const int wanted = kind == 0 || kind == 2 ? 2 : 1;
        const int count = static_cast<int>(piece_names_.size());
        if ((count && count < wanted) || count > most[kind] || (kind == 3 && count < 1))
            return words.fail(kind == 3 ? "cards show 1 to 4 kinds, such as red white filled open"
                                        : "expected " + std::to_string(wanted) + " name" + ending_of(wanted) +
                                              " of pieces, got " + std::to_string(count));
        if (std::set<std::string>(piece_names_.begin(), piece_names_.end()).size() != piece_names_.size())
            return words.fail("every piece needs a name of its own");
        for (const auto& name : piece_names_)
            if (name.size() > 12) return words.fail("the name of a piece has at most 12 letters");
    }

    // `card red+filled white+open turned`
    void read_card(Words& words) {
        if (pieces_ != Pieces::CARDS)
            return words.fail("a card needs 'pieces cards ...' above it, with the kinds that cards show");
        if (cards_.size() == 8) return words.fail("a game has at most 8 cards");
        Card card{};
        for (int& kinds : card.kinds) {
            if (!words.more())
                return words.fail("a card has two cells, such as red+filled white+open" + words.got_text());
            const std::string text = words.peek().text;
            std::size_t from = 0;
            while (from <= text.size()) {
                const auto plus = std::min(text.find('+', from), text.size());
                const auto name = text.substr(from, plus - from);
                const auto found = std::ranges::find(piece_names_, name);
                if (found == piece_names_.end())
                    return words.fail("unknown kind " + quoted(name) + guess(name, piece_names_));
                kinds |= 1 << (found - piece_names_.begin());
                from = plus + 1;
            }
            words.name("a cell");
        }
        card.turned = words.accept("turned");
        words.end();
        cards_.push_back(card);
    }

    void read_turns(Words& words) {
        turns_[0] = words.number("pieces of the first turn", 1, 3);
        turns_[1] = words.more() ? words.number("pieces of every later turn", 1, 3) : turns_[0];
        words.end();
    }

    void read_sides(Words& words) {
        for (auto& side : made_.sides) side = words.name("the name of a side");
        words.end();
        if (words.ok() && made_.sides[0] == made_.sides[1]) words.fail("the sides need different names");
        for (const auto& side : made_.sides)
            if (words.ok() && side.size() > 16) words.fail("the name of a side has at most 16 letters");
    }

    void read_both(Words& words) {
        mover_wins_ties_ = words.choice({"mover", "opponent"}, "who wins when one move decides for both") == 0;
        words.expect("wins");
        words.end();
    }

    void read_full(const Statement& statement, Words& words) {
        if (words.accept("draw")) return words.end();
        if (!words.more()) return words.fail("expected 'draw', 'first wins' or 'second wins'" + words.got_text());
        full_words_ = statement.words;
        words.name("a side");
        words.expect("wins");
        words.end();
    }

    void read_limit(Words& words) {
        limit_ = words.number("moves", 1, 10'000);
        words.accept("moves");
        words.end();
    }

    void read_recycle(Words& words) {
        words.expect("from");
        recycle_from_ = words.number("a move", 2, 10'000);
        words.end();
    }

    void read_move(Words& words) {
        const int way = words.choice({"cell", "column"}, "how a move is written");
        if (way == 1) made_.writing = Writing::COLUMN;
        words.end();
    }

    // ------------------------------------------------------------ shapes and goals

    void read_shape(const Statement& statement, Words& words) {
        const std::string name = lower(words.name("the name of the shape"));
        Shape shape;
        while (words.more()) {
            if (words.accept(",")) continue;
            (words.choice({"mirrored", "turned"}, "how the shape may lie") == 0 ? shape.mirrored : shape.turned) = true;
        }
        if (!words.ok()) return;
        if (shapes_.contains(name))
            return fail(statement.line, statement.words[1].column, "the shape " + quoted(name) + " is drawn twice");
        static const std::set<std::string> taken{"line", "word", "exactly", "unless", "or"};
        if (taken.contains(name))
            return fail(statement.line, statement.words[1].column, "a shape cannot be called " + quoted(name));
        const auto& block = statement.block;
        if (block.empty())
            return fail(statement.line, 1, "expected the shape drawn below it: * for its cells, . for others");
        for (std::size_t i = 0; i < block.size(); ++i) {
            int column = 0, left = block[0].column;
            for (const auto& line : block) left = std::min(left, line.column);
            column = block[i].column - left;
            for (const char letter : block[i].text) {
                const std::pair place{column, static_cast<int>(block.size() - i)};
                if (letter == '*')
                    shape.cells.push_back(place);
                else if (std::islower(static_cast<unsigned char>(letter))) {
                    if (shape.pole && shape.pole != letter)
                        return fail(block[i].line, left + column, "a shape has poles of one letter only");
                    shape.pole = letter;
                    shape.poles.push_back(place);
                } else if (letter != '.' && letter != ' ')
                    return fail(block[i].line, left + column,
                                "expected *, . or a small letter, got " +
                                    quoted(letter_at(block[i].text, left + column - block[i].column)));
                ++column;
            }
        }
        if (shape.cells.empty()) return fail(statement.line, 1, "the shape has no cell: * is one");
        if (shape.cells.size() > MOST_CELLS_OF_A_PATTERN)
            return fail(statement.line, 1, "a shape has at most 25 cells");
        halve_spaces(shape);
        shapes_[name] = shape;
    }

    // Drawings may have a space between two letters.
    static void halve_spaces(Shape& shape) {
        auto all = shape.cells;
        all.insert(all.end(), shape.poles.begin(), shape.poles.end());
        if (all.size() < 2 || !std::ranges::all_of(all, [](const auto& place) { return place.first % 2 == 0; })) return;
        if (std::ranges::all_of(all, [](const auto& place) { return place.first == 0; })) return;
        for (auto* places : {&shape.cells, &shape.poles})
            for (auto& place : *places) place.first /= 2;
    }

    // A side by number or name; -1 where the word names none.
    int side_named(const std::string& word) const {
        for (int side = 0; side < 2; ++side)
            if (lower(word) == (side ? "second" : "first") || word == made_.sides[side]) return side;
        return -1;
    }

    void read_aim(const Statement& statement) {
        Words words(statement, fault_);
        Goal goal;
        goal.loses = lower(statement.words[0].text) == "lose";
        if (statement.words.size() > 2 && statement.words[2].text == ":") {
            goal.owner = side_named(statement.words[1].text);
            if (goal.owner < 0)
                return words.fail("unknown side " + quoted(statement.words[1].text) +
                                  "; the sides are first, second, " + made_.sides[0] + " and " + made_.sides[1]);
            words.name("a side");
            words.expect(":");
        }
        do {
            Goal one = goal;
            read_goal(words, one);
            if (!fault_) goals_.push_back(one);
            if (goals_.size() > MOST_GOALS) words.fail("a game has at most 40 goals");
        } while (words.ok() && (words.accept(",") || words.accept("or")));
        words.end();
    }

    void read_goal(Words& words, Goal& goal) {
        if (words.more()) goal.at_line = words.peek().line, goal.at_column = words.peek().column;
        std::vector<std::string> known{"line", "word"};
        for (const auto& [name, shape] : shapes_) known.push_back(name);
        const int what = words.choice(known, "what decides");
        if (what < 0) return;
        if (what == 0) {
            goal.exact = words.accept("exactly");
            goal.line = words.number("the cells of a line", 1, 20);
            read_along(words, goal);
        } else if (what == 1) {
            read_word(words, goal);
        } else {
            goal.shape = known[what];
        }
        if (words.accept("of")) read_of(words, goal);
        if (words.accept("unless")) read_unless(words, goal);
    }

    void read_along(Words& words, Goal& goal) {
        if (!words.accept("in")) return;
        std::vector<std::string> names;
        for (const auto& direction : board_.directions())
            for (const auto& name : {direction.family, last_word(direction.family)})
                if (name.find(' ') == std::string::npos && !std::ranges::count(names, name)) names.push_back(name);
        std::vector<std::string> known = names;
        for (const auto& name : names) known.push_back(name + "s");
        do {
            const int found = words.choice(known, "directions of lines");
            if (found >= 0) goal.along.push_back(names[found % names.size()]);
        } while (words.more() && words.accept("and"));
    }

    static std::string last_word(const std::string& text) { return text.substr(text.find_last_of(' ') + 1); }

    void read_word(Words& words, Goal& goal) {
        goal.word = words.name("a word of pieces");
        if (!words.ok()) return;
        if (pieces_ != Pieces::EITHER || piece_names_.size() != 2 || piece_names_[0].size() != 1 ||
            piece_names_[1].size() != 1)
            return words.fail("a word needs 'pieces either' with two pieces of one letter");
        if (goal.word.size() < 2 || goal.word.size() > 16) return words.fail("a word has 2 to 16 letters");
        for (const char letter : goal.word)
            if (letter != piece_names_[0][0] && letter != piece_names_[1][0])
                return words.fail("a word consists of " + piece_names_[0] + " and " + piece_names_[1] + ", got " +
                                  quoted(goal.word));
    }

    void read_of(Words& words, Goal& goal) {
        if (pieces_ != Pieces::EITHER && pieces_ != Pieces::CARDS)
            return words.fail("'of' needs 'pieces either' or 'pieces cards'");
        if (!words.more()) return words.fail("expected the name of a piece" + words.got_text());
        const auto found = std::ranges::find(piece_names_, words.peek().text);
        if (found == piece_names_.end())
            return words.fail("unknown piece" + words.got_text() + guess(words.peek().text, piece_names_));
        goal.layer = static_cast<int>(found - piece_names_.begin());
        words.name("a piece");
    }

    // `unless the opponent holds every p, or it stands on row 1`: never dead on that row.
    void read_unless(Words& words, Goal& goal) {
        for (const auto* word : {"the", "opponent", "holds", "every"}) words.expect(word);
        if (!words.ok()) return;
        const std::string letter = words.name("the letter of the poles");
        const auto shape = shapes_.find(goal.shape);
        if (shape == shapes_.end() || std::string(1, shape->second.pole) != letter)
            return words.fail("the shape has no cells " + quoted(letter) + " to hold");
        goal.dead = true;
        const bool comma = words.accept(",");
        if (words.accept("or")) {
            for (const auto* word : {"it", "stands", "on", "row"}) words.expect(word);
            goal.safe_row = words.number("a row", 1, MOST_LETTERS_WIDE);
        } else if (comma) {
            words.fail("expected 'or it stands on row N'" + words.got_text());
        }
    }

    // ------------------------------------------------------------ what the statements mean together

    void finish() {
        if (!has_board_) return fail(1, 1, "the game has no board: add a line such as 'board rectangle 3 3'");
        name_sides();
        for (const auto& statement : aim_statements_)
            if (!fault_) read_aim(statement);
        if (fault_) return;
        if (goals_.empty()) return fail(1, 1, "nobody could win or lose: add a line such as 'win line 3'");
        // Where a line of shared pieces loses it does so for whoever completes it, if the text says nothing else.
        if (!given_.contains("both")) mover_wins_ties_ = !only_loses();
        if (!full_words_.empty()) {
            full_winner_ = side_named(full_words_[1].text);
            if (full_winner_ < 0)
                return fail(full_words_[1].line, full_words_[1].column,
                            "expected draw, first or second, got " + quoted(full_words_[1].text));
        }
        if (pieces_ == Pieces::CARDS && cards_.empty())
            return fail(1, 1, "cards need a line such as 'card red white turned'");
        if (recycle_from_ && (pieces_ != Pieces::CARDS || !limit_))
            return fail(1, 1, "'recycle' is for cards, and needs a 'limit' of moves");
        if (made_.writing == Writing::COLUMN && (!falls_ || fall_[1] == 0 || board_.lattice != Lattice::SQUARE))
            return fail(1, 1, "a move is a column only where pieces fall down or up on a square board");
        if (board_.lattice == Lattice::HEXAGON && !shapes_.empty())
            return fail(1, 1, "shapes are drawn for boards of squares, not for hexagons");
    }

    void name_sides() {
        if (piece_names_.empty() && pieces_ != Pieces::CARDS)
            piece_names_ =
                pieces_ == Pieces::SHARED ? std::vector<std::string>{"x"} : std::vector<std::string>{"x", "o"};
        if (!made_.sides[0].empty()) return;
        if (pieces_ == Pieces::OWN)
            made_.sides = {piece_names_[0], piece_names_[1]};
        else
            made_.sides = {"first", "second"};
    }

    // ------------------------------------------------------------ tables

    void build() {
        made_.places = board_.seen;
        made_.board = board_.lattice == Lattice::HEXAGON ? "hexagon"
                      : board_.lattice == Lattice::STACK ? "stack"
                                                         : "square";
        auto& rules = made_.rules;
        rules.cells = board_.cells();
        made_.layers = pieces_ == Pieces::OWN ? std::vector<std::string>{"first", "second"} : piece_names_;
        rules.layers = static_cast<int>(made_.layers.size());
        rules.mover_wins_ties = mover_wins_ties_;
        rules.full_winner = full_winner_;
        rules.recycle_from = recycle_from_ ? recycle_from_ - 1 : NEVER;
        for (const auto& goal : goals_)
            if (!fault_) add_figures(goal);
        if (fault_) return;
        watch();
        add_patterns();
        pieces_ == Pieces::CARDS ? lay_cards() : lay_pieces();
        if (fault_) return;
        add_passes();
        find_symmetries();
        describe();
    }

    // For whom a goal counts: pairs of the side that completes it and the layer.
    std::set<std::pair<int, int>> holders(const Goal& goal) const {
        std::set<std::pair<int, int>> all;
        for (int side = 0; side < 2; ++side) {
            if (goal.owner >= 0 && goal.owner != side) continue;
            for (int layer = 0; layer < made_.rules.layers; ++layer) {
                if (goal.layer >= 0 && goal.layer != layer) continue;
                if (pieces_ == Pieces::OWN && layer != side) continue;
                all.insert({side, layer});
            }
        }
        return all;
    }

    int family(const std::string& name) {
        const auto found = std::ranges::find(made_.families, name);
        if (found != made_.families.end()) return static_cast<int>(found - made_.families.begin());
        made_.families.push_back(name);
        return static_cast<int>(made_.families.size()) - 1;
    }

    void add_figure(Figure figure, const Goal& goal, const std::set<std::pair<int, int>>& for_whom) {
        for (auto* cells : {&figure.cells, &figure.neutraliser, &figure.barred, &figure.swapped})
            std::ranges::sort(*cells);
        figure.loses = goal.loses;
        auto [found, fresh] = figures_.try_emplace(figure);
        if (fresh) order_.push_back(figure);
        found->second.insert(for_whom.begin(), for_whom.end());
        if (order_.size() > MOST_PATTERNS)
            fail(goal.at_line, goal.at_column, "the board has more than 16383 patterns of this kind");
    }

    void add_figures(const Goal& goal) {
        const std::size_t before = order_.size();
        if (goal.line)
            add_lines(goal);
        else if (!goal.word.empty())
            add_words(goal);
        else
            add_shapes(goal);
        if (!fault_ && order_.size() == before && figures_.empty())
            fail(goal.at_line, goal.at_column, "this does not fit on the board, so nobody could ever complete it");
    }

    static bool wanted(const Goal& goal, const std::string& family) {
        return goal.along.empty() || std::ranges::count(goal.along, family) ||
               std::ranges::count(goal.along, last_word(family));
    }

    // The cells of a line, empty where it leaves the board or meets itself.
    Cells run(const Point& from, const Point& step, int length) const {
        Cells cells;
        for (int i = 0; i < length; ++i) {
            const int cell = board_.at(Board::after(from, step, i));
            if (cell < 0 || std::ranges::count(cells, cell)) return {};
            cells.push_back(cell);
        }
        return cells;
    }

    void add_lines(const Goal& goal) {
        for (const auto& [name, step] : board_.directions()) {
            if (!wanted(goal, name)) continue;
            std::set<Cells> seen;
            for (const auto& from : board_.points) {
                const Cells cells = run(from, step, goal.line);
                auto sorted = cells;
                std::ranges::sort(sorted);
                if (cells.empty() || !seen.insert(sorted).second) continue;
                Figure figure{cells, {}, {}, {}, family(name)};
                if (goal.exact)
                    for (const int end : {-1, goal.line}) {
                        const int cell = board_.at(Board::after(from, step, end));
                        if (cell >= 0 && !std::ranges::count(cells, cell) && !std::ranges::count(figure.barred, cell))
                            figure.barred.push_back(cell);
                    }
                add_figure(figure, goal, holders(goal));
                if (fault_) return;
            }
        }
    }

    void add_words(const Goal& goal) {
        std::set<std::pair<int, int>> for_whom;
        for (const auto& [side, layer] : holders(goal)) for_whom.insert({side, 0});
        const int length = static_cast<int>(goal.word.size());
        for (const auto& [name, step] : board_.directions()) {
            if (!wanted(goal, name)) continue;
            for (const auto& from : board_.points) {
                const Cells cells = run(from, step, length);
                if (cells.empty()) continue;
                for (const std::string& letters : {goal.word, std::string(goal.word.rbegin(), goal.word.rend())}) {
                    Figure figure{cells, {}, {}, {}, family(name)};
                    for (int i = 0; i < length; ++i)
                        if (letters[i] == piece_names_[1][0]) figure.swapped.push_back(cells[i]);
                    add_figure(figure, goal, for_whom);
                    if (fault_) return;
                }
            }
        }
    }

    void add_shapes(const Goal& goal) {
        const Shape& shape = shapes_.at(goal.shape);
        // A drawing and its images: turned by quarters, and reflected.
        std::vector<std::pair<std::string, Shape>> images{{goal.shape, shape}};
        if (shape.turned)
            for (int quarter = 1; quarter < 4; ++quarter)
                images.emplace_back(goal.shape + " turned " + std::to_string(quarter),
                                    changed(images.back().second, true));
        if (shape.mirrored)
            for (std::size_t i = images.size(); i-- > 0;)
                images.emplace_back("mirrored " + images[i].first, changed(images[i].second, false));
        for (const auto& [name, image] : images)
            for (int floor = 0; floor < board_.floors; ++floor)
                for (int row = 1 - 16; row <= board_.rows; ++row)
                    for (int column = 1 - 16; column <= board_.columns; ++column) {
                        add_shape(goal, name, image, {column, row, floor});
                        if (fault_) return;
                    }
    }

    static Shape changed(const Shape& shape, bool turn) {
        Shape image = shape;
        for (auto* places : {&image.cells, &image.poles})
            for (auto& [column, row] : *places) {
                if (turn)
                    std::tie(column, row) = std::pair{-row, column};
                else
                    column = -column;
            }
        int left = image.cells[0].first, low = image.cells[0].second;
        for (const auto& [column, row] : image.cells) left = std::min(left, column), low = std::min(low, row);
        for (auto* places : {&image.cells, &image.poles})
            for (auto& [column, row] : *places) column -= left, row -= low;
        return image;
    }

    void add_shape(const Goal& goal, const std::string& name, const Shape& shape, const Point& corner) {
        Figure figure;
        int lowest = board_.rows + 1;
        for (const auto& [column, row] : shape.cells) {
            const int cell = board_.at({corner[0] + column, corner[1] + row, corner[2]});
            if (cell < 0 || std::ranges::count(figure.cells, cell)) return;
            figure.cells.push_back(cell);
            lowest = std::min(lowest, board_.points[cell][1]);
        }
        if (goal.dead && goal.safe_row != lowest)
            for (const auto& [column, row] : shape.poles) {
                const int cell = board_.at({corner[0] + column, corner[1] + row, corner[2]});
                if (cell < 0) {  // a pole that nobody can hold
                    figure.neutraliser.clear();
                    break;
                }
                figure.neutraliser.push_back(cell);
            }
        // An image that looks like an earlier one is of its family.
        const auto [known, fresh] = shape_families_.try_emplace({sorted(figure.cells), sorted(figure.neutraliser)}, 0);
        if (fresh) known->second = family(name);
        figure.family = known->second;
        add_figure(figure, goal, holders(goal));
    }

    static Cells sorted(Cells cells) {
        std::ranges::sort(cells);
        return cells;
    }

    // The layers that each side watches: all of its pieces where they are shared or either side's.
    void watch() {
        std::array<std::set<int>, 2> watched;
        for (const auto& [figure, for_whom] : figures_)
            for (const auto& [side, layer] : for_whom) watched[side].insert(layer);
        for (int side = 0; side < 2; ++side) {
            if (pieces_ == Pieces::OWN) watched[side] = {side};
            if (pieces_ == Pieces::EITHER || pieces_ == Pieces::SHARED)
                for (int layer = 0; layer < made_.rules.layers; ++layer) watched[side].insert(layer);
            made_.rules.watches[side].assign(watched[side].begin(), watched[side].end());
        }
    }

    void add_pattern(const Figure& figure, int owner, int layer) {
        made_.rules.patterns.push_back(
            {figure.cells, figure.neutraliser, figure.family, figure.barred, figure.swapped, {}});
        made_.meanings.push_back({figure.loses, owner, layer});
    }

    // A pattern that counts for all who watch is one entry, and otherwise one for each side, or side and layer.
    void add_patterns() {
        for (const auto& figure : order_) {
            const auto& for_whom = figures_.at(figure);
            const auto whole = [&](int side) {
                return std::ranges::all_of(made_.rules.watches[side],
                                           [&](int layer) { return for_whom.contains({side, layer}); });
            };
            const auto has = [&](int side) {
                return std::ranges::any_of(for_whom, [&](const auto& one) { return one.first == side; });
            };
            if (figure.swapped.empty() && whole(0) && whole(1)) {
                add_pattern(figure, -1, -1);
                continue;
            }
            for (int side = 0; side < 2; ++side) {
                if (!has(side)) continue;
                if (figure.swapped.empty() && whole(side))
                    add_pattern(figure, side, -1);
                else
                    for (const int layer : made_.rules.watches[side])
                        if (for_whom.contains({side, layer})) add_pattern(figure, side, layer);
            }
        }
    }

    // What a cell rests on: the next one in the direction in which pieces fall; on stacks the one on the floor below.
    Cells below(int cell) const {
        if (!falls_) return {};
        const Point step = board_.lattice == Lattice::STACK ? Point{0, 0, -1} : fall_;
        const int next = board_.at(Board::after(board_.points[cell], step, 1));
        return next < 0 ? Cells{} : Cells{next};
    }

    std::string cell_name(int cell) const {
        const auto& [column, row] = board_.seen[cell];
        return std::string(1, static_cast<char>('A' + column - 1)) + std::to_string(row);
    }

    void lay_pieces() {
        const bool named = given_.contains("move");
        if (!named && falls_ && fall_[1] && board_.lattice == Lattice::SQUARE && pieces_ != Pieces::EITHER)
            made_.writing = Writing::COLUMN;
        if (pieces_ == Pieces::EITHER) made_.writing = Writing::PIECE;
        const int layers = made_.rules.layers;
        for (int side = 0; side < 2; ++side)
            for (int layer = 0; layer < layers; ++layer) {
                if (pieces_ == Pieces::OWN && layer != side) continue;
                for (int cell = 0; cell < board_.cells(); ++cell) {
                    PlacementData placement{std::vector<Cells>(layers), below(cell)};
                    placement.adds[layer] = {cell};
                    made_.rules.placements[side].push_back(std::move(placement));
                    made_.names[side].push_back(
                        made_.writing == Writing::COLUMN ? std::to_string(board_.seen[cell].first)
                        : pieces_ == Pieces::EITHER      ? piece_names_[layer] + " " + cell_name(cell)
                                                         : cell_name(cell));
                }
            }
        made_.rules.max_plies = limit_ ? limit_ : board_.cells();
        check_places();
    }

    void check_places() {
        const auto count = made_.rules.placements[0].size();
        if (count > MAX_PLACEMENTS - 1)
            fail(1, 1, "the core has room for 767 ways to lay a piece, got " + std::to_string(count));
    }

    // A card lies flat or upright, as drawn or turned; its first cell is the left or lower one.
    void lay_cards() {
        made_.writing = Writing::CARD;
        int number = 0;
        for (const auto& card : cards_)
            for (int turn = 0; turn < (card.turned ? 4 : 1); ++turn) {
                ++number;
                const bool flat = turn % 2 == 0, reversed = turn == 1 || turn == 2;
                const std::array<int, 2> kinds{card.kinds[reversed ? 1 : 0], card.kinds[reversed ? 0 : 1]};
                for (int cell = 0; cell < board_.cells(); ++cell) lay_card(number, flat, kinds, cell);
            }
        made_.rules.placements[1] = made_.rules.placements[0];
        made_.names[1] = made_.names[0];
        made_.rules.max_plies = limit_ ? limit_ : board_.cells() / 2;
        check_places();
    }

    void lay_card(int number, bool flat, const std::array<int, 2>& kinds, int cell) {
        const Point step = flat ? Point{1, 0, 0} : Point{0, 1, 0};
        const int other = board_.at(Board::after(board_.points[cell], step, 1));
        if (other < 0) return;
        PlacementData placement{std::vector<Cells>(made_.rules.layers), {}};
        for (const auto& [place, kind] : {std::pair{cell, kinds[0]}, std::pair{other, kinds[1]}})
            for (int layer = 0; layer < made_.rules.layers; ++layer)
                if (kind >> layer & 1) placement.adds[layer].push_back(place);
        for (const int foot : {cell, other})
            for (const int next : below(foot))
                if (next != cell && next != other) placement.rests_on.push_back(next);
        made_.rules.placements[0].push_back(std::move(placement));
        const auto& [column, row] = board_.seen[cell];
        made_.names[0].push_back(std::to_string(number) + " " + std::string(1, static_cast<char>('A' + column - 1)) +
                                 " " + std::to_string(row));
    }

    // Where a turn has several pieces the other side passes in between.
    void add_passes() {
        if (turns_[0] == 1 && turns_[1] == 1) return;
        if (pieces_ == Pieces::CARDS) return fail(1, 1, "turns of several cards are not data here");
        int left = limit_ ? limit_ : board_.cells(), ply = 0, turn = turns_[0];
        auto& rules = made_.rules;
        while (left > 0) {
            for (int i = 0; i < turn && left > 0; ++i, --left) {
                if (i > 0) rules.passes.push_back(ply++);
                ++ply;
            }
            turn = turns_[1];
        }
        rules.max_plies = ply;
        for (int side = 0; side < 2; ++side) {
            rules.placements[side].push_back({std::vector<Cells>(rules.layers), {}});
            made_.names[side].push_back("pass");
        }
    }

    // ------------------------------------------------------------ symmetries

    // A pattern as a symmetry shows it, with what it does.
    using Shown = std::tuple<Cells, Cells, Cells, Cells, bool, int, int>;

    static Cells mapped(const Cells& cells, const std::vector<int>& to) {
        Cells image;
        for (const int cell : cells) image.push_back(to[cell]);
        return sorted(image);
    }

    static Shown shown(const PatternData& pattern, const PatternMeaning& meaning, const std::vector<int>& cells,
                       const std::vector<int>& layers) {
        Cells swapped = mapped(pattern.swapped, cells);
        int layer = meaning.layer < 0 ? -1 : layers[meaning.layer];
        if (!pattern.swapped.empty() && layer == 1) {  // a word is kept as seen from the first piece
            Cells others;
            const Cells all = mapped(pattern.cells, cells);
            std::ranges::set_difference(all, swapped, std::back_inserter(others));
            swapped = others;
            layer = 0;
        }
        return {mapped(pattern.cells, cells),
                mapped(pattern.neutraliser, cells),
                mapped(pattern.barred, cells),
                swapped,
                meaning.loses,
                meaning.owner,
                layer};
    }

    bool keeps_patterns(const std::vector<int>& cells, const std::vector<int>& layers,
                        const std::set<Shown>& patterns) const {
        for (std::size_t i = 0; i < made_.rules.patterns.size(); ++i)
            if (!patterns.contains(shown(made_.rules.patterns[i], made_.meanings[i], cells, layers))) return false;
        return true;
    }

    using Laid = std::pair<std::vector<Cells>, Cells>;

    static Laid laid(const PlacementData& placement, const std::vector<int>& cells, const std::vector<int>& layers) {
        std::vector<Cells> adds(placement.adds.size());
        for (std::size_t layer = 0; layer < adds.size(); ++layer)
            adds[layers[layer]] = mapped(placement.adds[layer], cells);
        return {adds, mapped(placement.rests_on, cells)};
    }

    bool keeps_placements(const std::vector<int>& cells, const std::vector<int>& layers,
                          const std::array<std::set<Laid>, 2>& placements) const {
        for (int side = 0; side < 2; ++side)
            for (const auto& placement : made_.rules.placements[side])
                if (!placements[side].contains(laid(placement, cells, layers))) return false;
        return true;
    }

    // Every change of board and pieces that leaves the rules alone. Of more than the core has room for a part that is
    // a group of its own is used.
    void find_symmetries() {
        const auto& rules = made_.rules;
        std::vector<int> still(rules.cells), same(rules.layers);
        for (int i = 0; i < rules.cells; ++i) still[i] = i;
        for (int i = 0; i < rules.layers; ++i) same[i] = i;
        std::set<Shown> patterns;
        for (std::size_t i = 0; i < rules.patterns.size(); ++i)
            patterns.insert(shown(rules.patterns[i], made_.meanings[i], still, same));
        std::array<std::set<Laid>, 2> placements;
        for (int side = 0; side < 2; ++side)
            for (const auto& placement : rules.placements[side]) placements[side].insert(laid(placement, still, same));
        std::vector<std::pair<std::string, SymmetryData>> found;
        auto turns = board_.turns();
        turns.insert(turns.begin(), Turn{"", still});
        std::vector<int> layers = same;
        do {
            if (pieces_ == Pieces::OWN && layers != same) break;  // that would exchange the sides
            if (!keeps_watches(layers)) continue;
            for (const auto& [name, cells] : turns) {
                if (cells == still && layers == same) continue;
                if (!keeps_patterns(cells, layers, patterns) || !keeps_placements(cells, layers, placements)) continue;
                std::string called = name;
                if (layers != same) called += called.empty() ? "pieces exchanged" : ", pieces exchanged";
                found.emplace_back(called, SymmetryData{cells, layers});
            }
        } while (std::next_permutation(layers.begin(), layers.end()));
        count_first_moves(found, {still, same});
        choose(found, {still, same});
    }

    // Of the placements that the first side may begin with, those that no symmetry takes to an earlier one.
    void count_first_moves(const std::vector<std::pair<std::string, SymmetryData>>& found,
                           const SymmetryData& identity) {
        std::map<Laid, int> numbers;
        std::vector<int> leader;
        std::vector<const PlacementData*> first;
        for (const auto& placement : made_.rules.placements[0]) {
            const bool is_pass = std::ranges::all_of(placement.adds, &Cells::empty);
            if (is_pass || !placement.rests_on.empty()) continue;
            if (!numbers.emplace(laid(placement, identity.cells, identity.layers), first.size()).second) continue;
            leader.push_back(static_cast<int>(first.size()));
            first.push_back(&placement);
        }
        const auto led_by = [&](int number) {
            while (leader[number] != number) number = leader[number];
            return number;
        };
        for (const auto& [name, symmetry] : found)
            for (std::size_t i = 0; i < first.size(); ++i) {
                const auto image = numbers.find(laid(*first[i], symmetry.cells, symmetry.layers));
                if (image == numbers.end()) continue;
                const int one = led_by(static_cast<int>(i)), other = led_by(image->second);
                leader[std::max(one, other)] = std::min(one, other);
            }
        for (std::size_t i = 0; i < leader.size(); ++i) made_.first_moves += leader[i] == static_cast<int>(i);
    }

    bool keeps_watches(const std::vector<int>& layers) const {
        for (const auto& watched : made_.rules.watches) {
            std::set<int> images;
            for (const int layer : watched) images.insert(layers[layer]);
            if (images != std::set<int>(watched.begin(), watched.end())) return false;
        }
        return true;
    }

    static SymmetryData after(const SymmetryData& first, const SymmetryData& second) {
        SymmetryData both = first;
        for (auto& cell : both.cells) cell = second.cells[cell];
        for (auto& layer : both.layers) layer = second.layers[layer];
        return both;
    }

    // The group that symmetries generate; cut short once it is larger than so many.
    static std::vector<SymmetryData> group_of(const std::vector<SymmetryData>& generators, const SymmetryData& identity,
                                              std::size_t most) {
        std::vector<SymmetryData> group{identity};
        for (std::size_t i = 0; i < group.size() && group.size() <= most; ++i)
            for (const auto& generator : generators)
                if (auto next = after(group[i], generator); std::ranges::find(group, next) == group.end())
                    group.push_back(std::move(next));
        return group;
    }

    void choose(const std::vector<std::pair<std::string, SymmetryData>>& found, const SymmetryData& identity) {
        std::vector<SymmetryData> all;
        for (const auto& [name, symmetry] : found) all.push_back(symmetry);
        made_.symmetries_found = static_cast<int>(group_of(all, identity, 2'000).size());
        std::vector<SymmetryData> chosen;
        std::size_t size = 1;
        for (const auto& [name, symmetry] : found) {
            auto more = chosen;
            more.push_back(symmetry);
            const auto group = group_of(more, identity, MAX_SYMMETRIES);
            if (group.size() > MAX_SYMMETRIES || group.size() == size) continue;
            size = group.size();
            chosen = std::move(more);
            made_.symmetries.push_back(name);
        }
        made_.rules.symmetries = std::move(chosen);
    }

    // ------------------------------------------------------------ words

    // `4 of your pieces in a line`, as the side that is spoken to or of sees it.
    std::string line_words(const Goal& goal) const {
        std::string along;
        for (const auto& name : goal.along) along += (along.empty() ? " along a " : " or a ") + name;
        const std::string count = (goal.exact ? "exactly " : "") + std::to_string(goal.line);
        std::string what = pieces_ == Pieces::SHARED ? " pieces" : " equal pieces";
        if (goal.layer >= 0) what = " " + piece_names_[goal.layer] + " cells";
        if (goal.layer < 0 && pieces_ == Pieces::OWN) what = goal.owner < 0 ? " of your pieces" : " of its pieces";
        return count + what + " in a line" + along;
    }

    std::string goal_words(const Goal& goal) const {
        if (!goal.word.empty()) return "the word " + goal.word + " in a line, read from either end";
        if (goal.shape.empty()) return line_words(goal);
        const bool vowel = std::string_view("aeiou").find(goal.shape[0]) != std::string_view::npos;
        std::string with = pieces_ == Pieces::OWN ? (goal.owner < 0 ? " of your pieces" : " of its pieces") : "";
        if (goal.layer >= 0) with = " of " + piece_names_[goal.layer];
        return (vowel ? "an " : "a ") + goal.shape + with;
    }

    static std::string with_capital(std::string text) {
        if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
        return text;
    }

    std::string sentence_of(const Goal& goal) const {
        const std::string what = goal_words(goal);
        std::string text;
        if (goal.owner >= 0)
            text = with_capital(made_.sides[goal.owner]) + (goal.loses ? " loses with " : " wins with ") + what + ".";
        else if (goal.loses)
            text = "Do not get " + what + ": that loses.";
        else
            text = "Get " + what + ".";
        if (goal.exact) text += " A longer line does not count.";
        if (goal.dead) text += " It is dead while the opponent holds all its poles.";
        return text;
    }

    bool only_loses() const { return std::ranges::all_of(goals_, &Goal::loses); }

    // The goal in words, unless the text has its own.
    void describe() {
        std::vector<std::string> sentences;
        for (const auto& goal : goals_) sentences.push_back(sentence_of(goal));
        if (made_.goal.empty()) {
            made_.goal = {sentences.begin(), sentences.begin() + std::min<std::ptrdiff_t>(2, std::ssize(sentences))};
            if (sentences.size() > 2)
                made_.special.insert(made_.special.begin(), sentences.begin() + 2, sentences.end());
        }
        if (falls_) made_.special.push_back("A piece falls as far as it can.");
        if (board_.ring) made_.special.push_back("The left edge of the board is joined to the right one.");
        if (board_.torus) made_.special.push_back("Opposite edges of the board are joined.");
        if (pieces_ == Pieces::SHARED) made_.special.push_back("Both sides lay the same pieces.");
        if (pieces_ == Pieces::EITHER)
            made_.special.push_back("Each move lays " + listed(piece_names_) + ", as you like.");
        if (turns_[0] != 1 || turns_[1] != 1)
            made_.special.push_back("The first turn has " + std::to_string(turns_[0]) + " piece" +
                                    ending_of(turns_[0]) + ", every other one " + std::to_string(turns_[1]) + ".");
        if (!mover_wins_ties_ && !only_loses())
            made_.special.push_back("If one move decides for both sides, the opponent of the mover wins.");
        made_.special.push_back(full_winner_ < 0 ? "A full board without a winner is a draw."
                                                 : "If the board is full and nobody has won, " +
                                                       made_.sides[full_winner_] + " wins.");
        if (limit_)
            made_.special.push_back("After " + std::to_string(limit_) + " moves without a winner the game is a draw.");
    }
};

}  // namespace

Made<GameText> compile_game(std::string_view text) { return Compiler().compile(text); }

}  // namespace plyground::text
