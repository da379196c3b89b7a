// The judge as JavaScript sees it: what is known of positions, with books, claims and reviews, and pairings.
#include "judge/judge.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "judge/explain.hpp"
#include "judge/inquiry.hpp"
#include "judge/oracle.hpp"
#include "judge/review.hpp"
#include "judge/safeguard.hpp"
#include "proof/pairing.hpp"
#include "wasm/exchange.hpp"
#include "wasm/games.hpp"
#include "wasm/searches.hpp"

namespace plyground::wasm {

namespace {

constexpr int WORDS = MAX_CELLS / 64;

// ------------------------------------------------------------ values out

void say(const std::optional<Score>& score) {
    exchange.say(score.has_value());
    if (score) exchange.say(static_cast<int>(score->result), score->number, score->at_most);
}

[[gnu::noinline]] void say(const Analysis& analysis) {
    exchange.say(analysis.line);
    say(analysis.score);
    exchange.say(static_cast<int>(analysis.source), static_cast<int>(analysis.note.remark), analysis.note.ply);
    exchange.say(analysis.depth, analysis.nodes, analysis.seconds);
    exchange.say(analysis.points.has_value());
    if (analysis.points) exchange.say(*analysis.points);
}

void say(const std::optional<Analysis>& analysis) {
    exchange.say(analysis.has_value());
    if (analysis) say(*analysis);
}

void say(const std::vector<Analysis>& analyses) {
    exchange.say(analyses.size());
    for (const auto& analysis : analyses) say(analysis);
}

// Positions visited, seconds, what is proved of the position apart from its moves, the position, its moves.
[[gnu::noinline]] void say(const Judgement& judgement) {
    exchange.say(judgement.nodes, judgement.seconds);
    say(judgement.ranking.worth);
    say(judgement.whole);
    say(judgement.ranking.best());
    say(judgement.ranking.compared);
    say(judgement.ranking.others);
}

void say(const CellSet& set) {
    Cells cells;
    set.each([&](int cell) { cells.push_back(cell); });
    say_list(cells);
}

// The score that the claims make exact, whether they contradict the one that was given, and the claims.
[[gnu::noinline]] void say(const Explanation& found) {
    say(found.score);
    exchange.say(found.contradicts, found.claims.size());
    for (const auto& claim : found.claims) {
        exchange.say(static_cast<int>(claim.kind), claim.side);
        exchange.say(claim.moves);
        exchange.say(claim.after);
        say(claim.cells);
        exchange.say(claim.patterns.size());
        for (const auto& pattern : claim.patterns) say(pattern);
        exchange.say(claim.pairs.size());
        for (auto [one, other] : claim.pairs) exchange.say(one, other);
        exchange.say(claim.number);
    }
}

// As another judge reads it.
void say(const Memory::Entry& entry) {
    exchange.say(entry.key >> 32, entry.key & 0xffffffff, entry.ply);
    exchange.say(entry.proof.line);
    say(entry.proof.score);
    exchange.say(static_cast<int>(entry.proof.source), static_cast<int>(entry.proof.note.remark), entry.proof.note.ply);
}

// ------------------------------------------------------------ values in

int read_within(Reader& given, int least, int most) {
    int number = 0;
    given >> number;
    if (number >= least && number <= most) return number;
    given.refuse("bad data: a number is not among those that stand for something");
    return least;
}

std::optional<Score> read_score(Reader& given) {
    std::optional<std::array<int, 3>> score;
    given >> score;
    if (!score) return {};
    const auto [result, number, at_most] = *score;
    if (result < 0 || result > static_cast<int>(Result::OPINION)) given.refuse("bad data: a score has no such result");
    return Score{static_cast<Result>(result), number, at_most != 0};
}

Budget read_budget(Reader& given) {
    Budget budget;
    given >> budget.depth, given >> budget.nodes, given >> budget.seconds;
    return budget;
}

// Positions for one question of a proof and for all of them.
Effort read_effort(Reader& given) {
    Effort effort;
    given >> effort.nodes, given >> effort.nodes_in_all;
    return effort;
}

// A position that goes on.
State read_open_state(Reader& given, const Game* game) {
    State state = read_state(given, game);
    if (!given.refusal() && game->core.outcome(state)) given.refuse("the game is over, so there is nothing to judge");
    return state;
}

std::vector<Image> read_images(Reader& given) {
    using Lists = std::array<std::vector<int>, 2>;
    std::vector<std::pair<Lists, Lists>> lists;  // cells and layers; placements by side
    given >> lists;
    std::vector<Image> images;
    for (auto& [board, places] : lists) images.push_back({std::move(board[0]), std::move(board[1]), std::move(places)});
    return images;
}

Memory::Entry read_entry(Reader& given, const Tables& tables) {
    std::array<std::uint64_t, 2> key{};
    for (auto& half : key) given >> half;
    Memory::Entry entry{key[0] << 32 | key[1], 0, {}};
    given >> entry.ply;
    std::size_t moves = 0;
    given >> moves;
    for (std::size_t at = 0; at < moves && !given.refusal(); ++at) {
        auto& move = entry.proof.line.emplace_back();
        given >> move.place, given >> move.lift;
        const int places = tables.places[(entry.ply + static_cast<int>(at)) & 1];
        if (move.place < 0 || move.place >= places || move.lift >= places)
            given.refuse("a line has a move of other rules");
    }
    bool known = false;
    given >> known;
    if (known) {
        const auto result = static_cast<Result>(read_within(given, 0, static_cast<int>(Result::WIN)));
        const int number = read_within(given, 0, NEVER);
        bool at_most = false;
        given >> at_most;
        entry.proof.score = Score{result, number, at_most};
    } else if (entry.proof.line.empty()) {
        given.refuse("advice names a move");
    }
    entry.proof.source = static_cast<Source>(read_within(given, 0, static_cast<int>(Source::SEARCH)));
    entry.proof.note.remark = static_cast<Remark>(read_within(given, 0, static_cast<int>(Remark::LONGEST_DEFENCE)));
    given >> entry.proof.note.ply;
    return entry;
}

// ------------------------------------------------------------ the judges

// A judge with the question that it is at.
struct Asked {
    const Game* game;
    Judge judge;
    std::unique_ptr<Inquiry> inquiry;
    std::unique_ptr<Review> review;
    Control control;

    Asked(const Game& of, Books books, JudgeTools tools)
        : game(&of), judge(of.core, std::move(books), std::move(tools)) {}
};

std::list<Asked> judges;  // the one that was asked last is the first

// The judge of a game; none, which is refused, where there is none.
Asked* read_judge(Reader& given) {
    const Game* game = read_game(given);
    const auto found = std::ranges::find(judges, game, &Asked::game);
    if (!game || found == judges.end()) {
        given.refuse("the game has no judge: make one first");
        return nullptr;
    }
    if (found != judges.begin()) {
        judges.front().inquiry.reset();
        judges.front().judge.rest();
        judges.splice(judges.begin(), judges, found);
    }
    return &judges.front();
}

// Runs f with the judge that the first argument of a call names, ready for a question.
template <class F>
int about_judge(int words, F&& f) {
    return call(words, [&](Reader& given) -> Refusal {
        Asked* asked = read_judge(given);
        if (!asked) return {};
        asked->judge.resume();
        asked->judge.begin(interrupted);
        return f(given, *asked);
    });
}

// A verdict as a message says it.
std::string words_of(const Score& score) {
    if (score.drawn()) return "draw";
    return std::string(score.won() ? "win in " : "loss in ") + (score.at_most ? "at most " : "") +
           std::to_string(score.number);
}

// What speaks against an answer.
Refusal objection(Judge& judge, std::int64_t value = 0) {
    if (value) return unsound(value);
    if (const auto both = std::exchange(judge.memory().contradiction, {}))
        return "two proofs contradict each other: " + words_of(both->first) + " and " + words_of(both->second) +
               "; please report this";
    return judge.books().damage();
}

std::vector<Image> identity(const Tables& tables) {
    Image image;
    image.cells.resize(tables.cells), image.layers.resize(tables.layers);
    std::iota(image.cells.begin(), image.cells.end(), 0), std::iota(image.layers.begin(), image.layers.end(), 0);
    for (int side = 0; side < 2; ++side) {
        image.places[side].resize(tables.places[side]);
        std::iota(image.places[side].begin(), image.places[side].end(), 0);
    }
    return {std::move(image)};
}

}  // namespace

void forget_judges(const Game* of) {
    judges.remove_if([&](const Asked& asked) { return !of || asked.game == of; });
}

// Game, kind, plies, side (-1: none), rows, columns, how positions are shown to it, the symmetries of its rules, sizes
// of its plies; the entries are what was put where `room_for_bytes` says. The game's next judge gets it, after those
// before.
PLYGROUND_EXPORT("add_book") int add_book(int words) {
    return call(words, [](Reader& given) -> Refusal {
        Game* game = read_game(given);
        if (!game) return {};
        const Tables& tables = game->core.tables();
        BookData data;
        data.kind = static_cast<BookKind>(read_within(given, 0, static_cast<int>(BookKind::RESULTS)));
        given >> data.plies;
        data.side = read_within(given, -1, 1);
        given >> data.rows, given >> data.columns;
        auto like = read_images(given);
        if (like.size() == 1) data.like = std::move(like.front());
        data.group = read_images(given);
        given >> data.sizes;
        if (!given.done()) return {};
        data.layers = tables.layers;
        data.recycle_from = tables.data.recycle_from;
        data.bytes = exchange.take_bytes();
        if (auto refusal = Book::refusal_of(tables, data)) return refusal;
        game->books.push_back(std::make_shared<const Book>(std::move(data)));
        return {};
    });
}

// Game, heuristic for opinions, the symmetries of the rules where there are books, the board of the solver, bytes of
// the tables of solver, proof search and engine.
PLYGROUND_EXPORT("make_judge") int make_judge(int words) {
    return call(words, [](Reader& given) -> Refusal {
        Game* game = read_game(given);
        const Evaluator* evaluator = read_evaluator(given, game);
        auto group = read_images(given);
        std::optional<std::array<int, 3>> board;
        std::array<std::size_t, 3> bytes{};
        given >> board;
        for (auto& each : bytes) given >> each;
        if (!given.done()) return {};
        const Tables& tables = game->core.tables();
        if (group.empty()) group = identity(tables);
        for (const auto& image : group)
            if (auto refusal = image.refusal(tables)) return refusal;
        JudgeTools tools;
        if (board) {
            const auto [rows, columns, line] = *board;
            if (!new_solver) return "this module has no solver";
            if (rows * columns != tables.cells || tables.kinds.size() != 2)
                return "the solver is for boards of another size";
            auto made = new_solver(rows, columns, line, bytes[0]);
            if (made.refusal) return made.refusal;
            if (!made.solver) return "there is too little memory for the solver's table";
            tools.solver = std::move(made.solver);
            tools.columns = columns;
        }
        tools.proof_bytes = std::max(bytes[1], ProofTable::LEAST_BYTES);
        tools.engine = [&core = game->core, evaluator, size = bytes[2]] {
            return make_engine(core, *evaluator, size, 1);
        };
        forget_judges(game);
        if (!judges.empty()) judges.front().inquiry.reset(), judges.front().judge.rest();
        judges.emplace_front(*game, Books(game->core, std::exchange(game->books, {}), std::move(group)),
                             std::move(tools));
        if (judges.front().judge.ready()) return {};
        judges.pop_front();
        return "there is too little memory for the table of proofs";
    });
}

PLYGROUND_EXPORT("drop_judge") int drop_judge(int words) {
    return call(words, [](Reader& given) -> Refusal {
        const Game* game = read_game(given);
        if (given.done()) forget_judges(game);
        return {};
    });
}

// Game, position, depth, nodes, seconds, whether all moves are asked about, whether drawn moves are ranked by opinion,
// whether proofs alone are wanted. `next_judgement` answers.
PLYGROUND_EXPORT("inquire") int inquire(int words) {
    return about_judge(words, [](Reader& given, Asked& asked) -> Refusal {
        const State state = read_open_state(given, asked.game);
        Wish wish;
        wish.budget = read_budget(given);
        given >> wish.all_moves, given >> wish.opinions, given >> wish.proofs_only;
        if (!given.done()) return {};
        asked.inquiry.reset();  // before another one may take its engine
        asked.inquiry = std::make_unique<Inquiry>(asked.judge, state, wish);
        return objection(asked.judge);
    });
}

// Answers whether there was another judgement, and that.
PLYGROUND_EXPORT("next_judgement") int next_judgement(int words) {
    return about_judge(words, [](Reader& given, Asked& asked) -> Refusal {
        bool last = false;
        given >> last;
        if (!given.done()) return {};
        if (!asked.inquiry) return "nothing to judge: inquire first";
        bool more = true;
        if (last)
            asked.inquiry->last();
        else
            more = asked.inquiry->next();
        exchange.begin_answer();
        exchange.say(more);
        if (more) say(asked.inquiry->found());
        const auto value = asked.inquiry->unsound();
        if (last || !more) asked.inquiry.reset();
        return objection(asked.judge, value);
    });
}

// What the board, the books and earlier proofs show at once.
PLYGROUND_EXPORT("advice") int advice(int words) {
    return about_judge(words, [](Reader& given, Asked& asked) -> Refusal {
        const State state = read_open_state(given, asked.game);
        if (!given.done()) return {};
        say(asked.judge.advice(Outlook::of(asked.judge.core(), state)));
        return objection(asked.judge);
    });
}

// Game, position, a move that somebody was advised to make.
PLYGROUND_EXPORT("advise") int advise(int words) {
    return about_judge(words, [](Reader& given, Asked& asked) -> Refusal {
        const State state = read_open_state(given, asked.game);
        Move move;
        given >> move;
        if (!given.done()) return {};
        const auto outlook = Outlook::of(asked.judge.core(), state);
        if (outlook.index(move) < 0) return "the move advised is not legal";
        asked.judge.memory().advise(outlook.here, move);
        return {};
    });
}

// What to do before a program thinks: what then, the answer, moves.
PLYGROUND_EXPORT("counsel") int counsel(int words) {
    return about_judge(words, [](Reader& given, Asked& asked) -> Refusal {
        const State state = read_open_state(given, asked.game);
        const Budget budget = read_budget(given);
        if (!given.done()) return {};
        const auto found = plyground::counsel(asked.judge, Outlook::of(asked.judge.core(), state), budget);
        exchange.begin_answer();
        exchange.say(static_cast<int>(found.then));
        say(found.answer);
        exchange.say(found.moves);
        return objection(asked.judge);
    });
}

// Game, position, the move chosen, whether it is known to lose, limits. Answers whether another one is to be played,
// which ones, and within how many plies all lose (-1: not known).
PLYGROUND_EXPORT("defend") int defend(int words) {
    return about_judge(words, [](Reader& given, Asked& asked) -> Refusal {
        const State state = read_open_state(given, asked.game);
        Move move;
        bool lost = false;
        given >> move, given >> lost;
        const Budget budget = read_budget(given);
        if (!given.done()) return {};
        const auto outlook = Outlook::of(asked.judge.core(), state);
        if (outlook.index(move) < 0) return "the move chosen is not legal";
        const auto found = plyground::defend(asked.judge, outlook, move, lost, budget);
        exchange.begin_answer();
        exchange.say(found.has_value());
        if (!found) return objection(asked.judge);
        std::vector<Move> moves;
        for (const auto at : found->moves) moves.push_back(outlook.moves[at]);
        exchange.say(moves);
        exchange.say(found->within.value_or(-1));
        return objection(asked.judge);
    });
}

// Game, position, a legal move, what it is worth to its mover, effort, seconds. Answers why.
PLYGROUND_EXPORT("explain") int explain(int words) {
    return about_judge(words, [](Reader& given, Asked& asked) -> Refusal {
        const State state = read_open_state(given, asked.game);
        Move move;
        given >> move;
        const auto known = read_score(given);
        const Effort effort = read_effort(given);
        std::optional<double> seconds;
        given >> seconds;
        if (!given.done()) return {};
        Judge& judge = asked.judge;
        asked.control.begin(to_limit({}, seconds), judge.halting(), true);
        ProofOracle oracle(judge.tables(), judge.solver(), &judge.proofs().table(), asked.control, effort);
        const auto found = judge.core().with_position(judge.core().none(), state,
                                                      [&]<int W>(Position<W>& position) -> std::optional<Explanation> {
                                                          if (!Line<W>::is_legal(position, move)) return {};
                                                          return plyground::explain(oracle, position, move, known);
                                                      });
        if (!found) return "the move to explain is not legal";
        exchange.begin_answer();
        say(*found);
        return objection(judge);
    });
}

// Game, position, the moves played from there, limits for each position, effort and seconds for each explanation.
// `next_review` answers.
PLYGROUND_EXPORT("begin_review") int begin_review(int words) {
    return about_judge(words, [](Reader& given, Asked& asked) -> Refusal {
        const State state = read_state(given, asked.game);
        std::vector<Move> moves;
        given >> moves;
        const Budget budget = read_budget(given);
        const Effort effort = read_effort(given);
        double patience = 0;
        given >> patience;
        if (!given.done()) return {};
        const Core& core = asked.judge.core();
        const bool legal = core.with_position(core.none(), state,
                                              [&](auto& position) { return static_cast<bool>(Line(position, moves)); });
        if (!legal) return "a move of the game is not legal";
        asked.review = std::make_unique<Review>(asked.judge, state, std::move(moves), budget, effort, patience);
        return {};
    });
}

// Answers whether there was another position, whether the game was over there, what the move played was worth, whether
// it was advised, its grade, what it cost, why; and the judgement. After the last one for both sides how many
// moves have which grade, and the accuracy or -1; and the ply of the move that decided the game, or -1.
PLYGROUND_EXPORT("next_review") int next_review(int words) {
    return about_judge(words, [](Reader& given, Asked& asked) -> Refusal {
        if (!given.done()) return {};
        if (!asked.review) return "nothing to review: begin first";
        const bool more = asked.review->next();
        exchange.begin_answer();
        exchange.say(more);
        if (!more) {
            const auto summary = asked.review->summary();
            for (const auto& counts : summary.counts)
                for (const int count : counts) exchange.say(count);
            for (const auto& accuracy : summary.accuracy) exchange.say(accuracy.value_or(-1));
            exchange.say(summary.decisive.value_or(-1));
            return asked.review.reset(), Refusal{};
        }
        const auto& found = asked.review->found();
        exchange.say(static_cast<bool>(found.outcome));
        if (found.outcome) return {};
        say(found.worth);
        exchange.say(found.advised, static_cast<int>(found.graded.grade));
        exchange.say(static_cast<int>(found.graded.cost.what), found.graded.cost.number, found.why.has_value());
        if (found.why) say(*found.why);
        say(found.judgement);
        return objection(asked.judge, asked.review->unsound());
    });
}

// What was learned since the last call, for a judge of the same game elsewhere.
PLYGROUND_EXPORT("take_news") int take_news(int words) {
    return about_judge(words, [](Reader& given, Asked& asked) -> Refusal {
        if (!given.done()) return {};
        for (const auto& entry : asked.judge.memory().take_news()) say(entry);
        return {};
    });
}

// What such a judge has learned.
PLYGROUND_EXPORT("learn") int learn(int words) {
    return about_judge(words, [](Reader& given, Asked& asked) -> Refusal {
        std::vector<double> told;
        given >> told;
        if (!given.done()) return {};
        Reader entries(told);
        std::vector<Memory::Entry> read;
        while (!entries.empty()) read.push_back(read_entry(entries, asked.judge.tables()));
        if (entries.refusal()) return entries.refusal();
        Memory& memory = asked.judge.memory();
        for (auto& entry : read) memory.add(std::move(entry));
        memory.take_news();  // which is none to the others
        return objection(asked.judge);
    });
}

// Patterns as lists of cells, and how many pairs may be tried. Answers 0 (there is no pairing), 1 (there is) or 2 (not
// known), and the pairs.
PLYGROUND_EXPORT("pairing") int pairing(int words) {
    return call(words, [](Reader& given) -> Refusal {
        std::vector<Cells> patterns;
        std::uint64_t effort = 0;
        given >> patterns, given >> effort;
        if (!given.done()) return {};
        std::vector<Mask<WORDS>> masks;
        for (const auto& pattern : patterns) {
            auto& mask = masks.emplace_back();
            for (int cell : pattern) {
                if (cell < 0 || cell >= MAX_CELLS) return "a pattern lies off the board";
                mask.set(cell);
            }
        }
        PairingFinder<WORDS> finder;
        exchange.say(static_cast<int>(finder.find(masks, effort)));
        exchange.say(finder.pairs.size());
        for (auto [low, high] : finder.pairs) exchange.say(low, high);
        return {};
    });
}

}  // namespace plyground::wasm
