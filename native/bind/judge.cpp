// The judge as Python sees it, and the books that it reads.
#include "judge/judge.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bind/bind.hpp"
#include "bind/convert.hpp"
#include "bind/judge.hpp"
#include "bind/running.hpp"
#include "judge/inquiry.hpp"
#include "judge/safeguard.hpp"

namespace plyground {

namespace {

using ImageTuple = std::tuple<std::vector<int>, std::vector<int>, std::array<std::vector<int>, 2>>;
using Shared = std::shared_ptr<const Book>;

Image to_image(const ImageTuple& image) { return {std::get<0>(image), std::get<1>(image), std::get<2>(image)}; }

std::vector<Image> to_group(const std::vector<ImageTuple>& images) {
    std::vector<Image> group;
    for (const auto& image : images) group.push_back(to_image(image));
    return group;
}

// A book with the fingerprint of the rules whose positions it is asked about.
struct BoundBook {
    Shared book;
    std::uint64_t rules;
};

BoundBook make_book(const Core& core, int kind, int plies, int side, std::pair<int, int> size,
                    const std::optional<ImageTuple>& like, const std::vector<ImageTuple>& group,
                    std::vector<std::size_t> sizes, nb::bytes entries) {
    const auto& tables = core.tables();
    BookData data;
    data.kind = static_cast<BookKind>(checked("kind", kind, 0, static_cast<int>(BookKind::RESULTS)));
    data.plies = plies;
    data.side = checked("side", side, -1, 1);
    data.layers = tables.layers;
    std::tie(data.rows, data.columns) = size;
    data.recycle_from = tables.data.recycle_from;
    if (like) data.like = to_image(*like);
    data.group = to_group(group);
    data.sizes = std::move(sizes);
    const auto* first = static_cast<const std::uint8_t*>(entries.data());
    data.bytes.assign(first, first + entries.size());
    check(Book::refusal_of(tables, data));
    return {std::make_shared<const Book>(std::move(data)), tables.fingerprint()};
}

// Analyses: line, score (result, number, at most) or None, source, note (remark, ply), depth, nodes, seconds, points.
nb::tuple to_tuple(const Score& score) {
    return nb::make_tuple(static_cast<int>(score.result), score.number, score.at_most);
}

nb::object to_object(const std::optional<Score>& score) {
    if (!score) return nb::none();
    return to_tuple(*score);
}

nb::tuple to_tuple(const Analysis& analysis) {
    return nb::make_tuple(to_tuples(analysis.line), to_object(analysis.score), static_cast<int>(analysis.source),
                          static_cast<int>(analysis.note.remark), analysis.note.ply, analysis.depth, analysis.nodes,
                          analysis.seconds, analysis.points);
}

nb::object to_object(const std::optional<Analysis>& analysis) {
    if (!analysis) return nb::none();
    return to_tuple(*analysis);
}

nb::list to_list(const std::vector<Analysis>& analyses) {
    nb::list list;
    for (const auto& analysis : analyses) list.append(to_tuple(analysis));
    return list;
}

// Proofs, as Python hands them back: line, (result, number, at most), source, (remark, ply). Advice has no score.
using ScoreTuple = std::tuple<int, int, bool>;
using ProofTuple = std::tuple<std::vector<MoveTuple>, std::optional<ScoreTuple>, int, std::pair<int, int>>;
// The same as it is remembered: key, ply, proof.
using EntryTuple = std::tuple<std::uint64_t, int, ProofTuple>;

Analysis to_proof(const Tables& tables, int ply, const ProofTuple& proof) {
    const auto& [line, score, source, note] = proof;
    auto moves = to_moves(line);
    for (std::size_t at = 0; at < moves.size(); ++at) {
        const int places = tables.places[(ply + static_cast<int>(at)) & 1];
        if (moves[at].place >= places || moves[at].lift >= places) refuse("a line has a move of other rules");
    }
    if (!score) {
        if (moves.empty()) refuse("advice names a move");
        return Analysis::unsearched(moves.front());
    }
    const auto& [result, number, at_most] = *score;
    return Analysis::proof(
        {static_cast<Result>(checked("result", result, 0, 2)), checked("plies", number, 0, NEVER), at_most},
        std::move(moves), static_cast<Source>(checked("source", source, 0, 4)),
        {static_cast<Remark>(checked("remark", note.first, 0, 6)), note.second});
}

nb::tuple to_tuple(const Memory::Entry& entry) {
    const auto& proof = entry.proof;
    return nb::make_tuple(entry.key, entry.ply,
                          nb::make_tuple(to_tuples(proof.line), to_object(proof.score), static_cast<int>(proof.source),
                                         nb::make_tuple(static_cast<int>(proof.note.remark), proof.note.ply)));
}

Budget to_budget(std::optional<int> depth, std::optional<std::uint64_t> nodes, std::optional<double> seconds) {
    return {depth, nodes, seconds};
}

// All books of a game.
class BoundBooks {
  public:
    BoundBooks(const Core& core, const std::vector<BoundBook>& books, const std::vector<ImageTuple>& group)
        : core_(core), books_(make(core, books, group)) {}

    static Books make(const Core& core, const std::vector<BoundBook>& books, const std::vector<ImageTuple>& group) {
        std::vector<Shared> shared;
        for (const auto& book : books) {
            if (book.rules != core.tables().fingerprint()) refuse("a book is asked about other rules");
            shared.push_back(book.book);
        }
        auto images = to_group(group);
        if (images.empty()) refuse("books need the symmetries of the rules");
        for (const auto& image : images) check(image.refusal(core.tables()));
        return Books(core, std::move(shared), std::move(images));
    }

    // What they know of moves: move, score or None, note.
    nb::list entries(const BoundState& state) const {
        const auto outlook = Outlook::of(core_, own(core_, state));
        const auto found = books_.entries(outlook);
        check(books_.damage());
        nb::list list;
        for (std::size_t i = 0; i < outlook.size(); ++i)
            if (found[i])
                list.append(nb::make_tuple(to_tuple(outlook.moves[i]), to_object(found[i]->score),
                                           static_cast<int>(found[i]->note.remark), found[i]->note.ply));
        return list;
    }

    nb::object score_of(const BoundState& state) const {
        const auto score = books_.score_of(own(core_, state));
        check(books_.damage());
        return to_object(score);
    }

    std::optional<int> exact_number(const BoundState& state) const {
        const auto number = books_.exact_number(own(core_, state));
        check(books_.damage());
        return number;
    }

    std::pair<int, int> possible_numbers(const BoundState& state, int columns) const {
        const auto [lower, upper] = books_.possible_numbers(own(core_, state), columns);
        return {lower, upper};
    }

  private:
    const Core& core_;
    const Books books_;
};

// A verdict as Python writes it.
std::string words(const Score& score) {
    if (score.drawn()) return "draw";
    return std::string(score.won() ? "win in " : "loss in ") + (score.at_most ? "at most " : "") +
           std::to_string(score.number);
}

// A judge that answers one question at a time; others wait meanwhile.
class BoundJudge final : public JudgeHandle {
  public:
    BoundJudge(const Core& core, const BoundEvaluator& evaluator, const std::vector<BoundBook>& books,
               const std::vector<ImageTuple>& group, std::optional<std::tuple<int, int, int>> solver,
               std::size_t solver_bytes, std::size_t proof_bytes, std::size_t engine_bytes, int threads)
        : core_(core),
          judge_(core, BoundBooks::make(core, books, group),
                 tools(core, own(core, evaluator), solver, solver_bytes, proof_bytes, engine_bytes, threads)) {
        if (!judge_.ready()) throw std::bad_alloc();
    }

    const Core& core() const override { return core_; }
    const State& own_state(const BoundState& state) const { return own(core_, state); }
    // Of a position that goes on.
    const State& open_state(const BoundState& state) const {
        const State& own = own_state(state);
        if (core_.outcome(own)) refuse("the game is over, so there is nothing to judge");
        return own;
    }

    // What f gets out of the judge, alone with it.
    template <class F>
    auto run(F&& f) {
        std::unique_lock held(lock_, std::defer_lock);
        auto result = searched([&] {
            held.lock();
            judge_.begin(interrupted);
            return f(judge_);
        });
        if (const auto both = std::exchange(judge_.memory().contradiction, {}))
            throw std::runtime_error("two proofs contradict each other: " + words(both->first) + " and " +
                                     words(both->second) + "; please report this");
        check(judge_.books().damage());
        return result;
    }

    void ask(const std::function<void(Judge&)>& f) override {
        resume();
        run([&](Judge& asked) { return f(asked), 0; });
    }

    void halt() { judge_.halt(); }
    void resume() { judge_.resume(); }
    std::uint64_t searches() const { return judge_.searches; }

  private:
    static JudgeTools tools(const Core& core, const Evaluator& evaluator,
                            std::optional<std::tuple<int, int, int>> solver, std::size_t solver_bytes,
                            std::size_t proof_bytes, std::size_t engine_bytes, int threads) {
        JudgeTools tools;
        tools.proof_bytes = std::max(proof_bytes, ProofTable::LEAST_BYTES);
        if (solver) {
            const auto [rows, columns, line] = *solver;
            if (rows * columns != core.tables().cells || core.tables().kinds.size() != 2)
                refuse("the solver is for boards of another size");
            tools.solver = new_solver(rows, columns, line, solver_bytes);
            tools.columns = columns;
        }
        tools.engine = [&core, &evaluator, engine_bytes, threads]() -> std::unique_ptr<Engine> {
            try {
                return new_engine(core, evaluator, engine_bytes, threads);
            } catch (...) {  // no exception passes through the core
                Raised::keep();
                return nullptr;
            }
        };
        return tools;
    }

    const Core& core_;
    Judge judge_;
    std::mutex lock_;
};

// One question, answered step by step.
class BoundInquiry {
  public:
    BoundInquiry(BoundJudge& judge, const BoundState& state, const Wish& wish) : judge_(judge) {
        const State& own = judge.open_state(state);
        judge.resume();
        inquiry_ = judge.run([&](Judge& asked) { return std::make_unique<Inquiry>(asked, own, wish); });
    }
    ~BoundInquiry() {
        // Its engine goes back to the judge, with which nobody else may be at work.
        judge_.run([&](Judge&) { return inquiry_.reset(), 0; });
    }
    BoundInquiry(const BoundInquiry&) = delete;
    BoundInquiry& operator=(const BoundInquiry&) = delete;

    std::optional<Judgement> next() {
        const bool more = judge_.run([&](Judge&) { return inquiry_->next(); });
        check_sound(inquiry_->unsound());
        if (!more) return {};
        return inquiry_->found();
    }

    Judgement last() {
        judge_.run([&](Judge&) { return inquiry_->last(), 0; });
        check_sound(inquiry_->unsound());
        return inquiry_->found();
    }

  private:
    BoundJudge& judge_;
    std::unique_ptr<Inquiry> inquiry_;
};

Wish to_wish(std::optional<int> depth, std::optional<std::uint64_t> nodes, std::optional<double> seconds,
             bool all_moves, bool opinions, bool proofs_only) {
    return {to_budget(depth, nodes, seconds), all_moves, opinions, proofs_only};
}

nb::object counsel_of(BoundJudge& judge, const BoundState& state, std::optional<int> depth,
                      std::optional<std::uint64_t> nodes, std::optional<double> seconds) {
    const State& own = judge.open_state(state);
    judge.resume();
    const auto found = judge.run(
        [&](Judge& asked) { return counsel(asked, Outlook::of(asked.core(), own), to_budget(depth, nodes, seconds)); });
    return nb::make_tuple(static_cast<int>(found.then), to_object(found.answer), to_tuples(found.moves));
}

nb::object exact_of(BoundJudge& judge, const BoundState& state, std::optional<int> depth,
                    std::optional<std::uint64_t> nodes, std::optional<double> seconds) {
    const State& own = judge.open_state(state);
    judge.resume();
    const auto found = judge.run([&](Judge& asked) {
        return exact_value(asked, Outlook::of(asked.core(), own), to_budget(depth, nodes, seconds));
    });
    if (!found) return nb::none();
    return nb::make_tuple(to_tuples(found->moves), to_tuple(found->score), found->nodes, found->seconds);
}

nb::object defence_of(BoundJudge& judge, const BoundState& state, const MoveTuple& chosen, bool lost,
                      std::optional<int> depth, std::optional<std::uint64_t> nodes, std::optional<double> seconds) {
    const auto outlook = Outlook::of(judge.core(), judge.open_state(state));
    const Move move = to_move(chosen);
    if (outlook.index(move) < 0) refuse("the move chosen is not legal");
    const auto found =
        judge.run([&](Judge& asked) { return defend(asked, outlook, move, lost, to_budget(depth, nodes, seconds)); });
    if (!found) return nb::none();
    std::vector<Move> moves;
    for (const auto at : found->moves) moves.push_back(outlook.moves[at]);
    return nb::make_tuple(to_tuples(moves), found->within);
}

}  // namespace

void bind_judge(nb::module_& m) {
    nb::class_<BoundBook>(m, "Book")
        .def("number",
             [](const BoundBook& book, const BoundState& state) {
                 if (state.rules != book.rules) refuse("the state is a position of other rules");
                 const auto number = book.book->number(state.value);
                 check(book.book->damage());
                 return number;
             })
        .def("reply", [](const BoundBook& book, const Core& core, const BoundState& state) -> std::optional<MoveTuple> {
            if (state.rules != book.rules) refuse("the state is a position of other rules");
            const auto moves = core.moves(own(core, state));
            const auto found = book.book->reply(state.value, moves);
            if (!found) return {};
            return to_tuple(moves[*found]);
        });

    nb::class_<BoundBooks>(m, "Books")
        .def(nb::init<const Core&, const std::vector<BoundBook>&, const std::vector<ImageTuple>&>(),
             nb::keep_alive<1, 2>(), nb::arg("core"), nb::arg("books"), nb::arg("group"))
        .def("entries", &BoundBooks::entries)
        .def("score_of", &BoundBooks::score_of)
        .def("exact_number", &BoundBooks::exact_number)
        .def("possible_numbers", &BoundBooks::possible_numbers);

    nb::class_<Judgement>(m, "Judgement")
        .def_prop_ro("compared", [](const Judgement& judgement) { return to_list(judgement.ranking.compared); })
        .def_prop_ro("others", [](const Judgement& judgement) { return to_list(judgement.ranking.others); })
        .def_prop_ro("worth", [](const Judgement& judgement) { return to_object(judgement.ranking.worth); })
        .def_prop_ro("cut_off", [](const Judgement& judgement) { return judgement.ranking.cut_off; })
        .def_prop_ro("whole", [](const Judgement& judgement) { return to_tuple(judgement.whole); })
        .def_prop_ro("nodes", [](const Judgement& judgement) { return judgement.nodes; })
        .def_prop_ro("seconds", [](const Judgement& judgement) { return judgement.seconds; });

    nb::class_<BoundInquiry>(m, "Inquiry").def("next", &BoundInquiry::next);

    nb::class_<JudgeHandle>(m, "JudgeHandle");
    nb::class_<BoundJudge, JudgeHandle>(m, "Judge")
        .def(nb::init<const Core&, const BoundEvaluator&, const std::vector<BoundBook>&, const std::vector<ImageTuple>&,
                      std::optional<std::tuple<int, int, int>>, std::size_t, std::size_t, std::size_t, int>(),
             nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::arg("core"), nb::arg("evaluator"), nb::arg("books"),
             nb::arg("group"), nb::arg("solver").none(), nb::arg("solver_bytes"), nb::arg("proof_bytes"),
             nb::arg("engine_bytes"), nb::arg("threads"))
        .def(
            "judge",
            [](BoundJudge& judge, const BoundState& state, std::optional<int> depth, std::optional<std::uint64_t> nodes,
               std::optional<double> seconds, bool all_moves, bool opinions) {
                return BoundInquiry(judge, state, to_wish(depth, nodes, seconds, all_moves, opinions, false)).last();
            },
            nb::arg("state"), nb::arg("depth").none(), nb::arg("nodes").none(), nb::arg("seconds").none(),
            nb::arg("all_moves"), nb::arg("opinions"))
        .def(
            "inquire",
            [](BoundJudge& judge, const BoundState& state, std::optional<int> depth, std::optional<std::uint64_t> nodes,
               std::optional<double> seconds, bool all_moves, bool opinions, bool proofs_only) {
                return new BoundInquiry(judge, state, to_wish(depth, nodes, seconds, all_moves, opinions, proofs_only));
            },
            nb::rv_policy::take_ownership, nb::keep_alive<0, 1>(), nb::arg("state"), nb::arg("depth").none(),
            nb::arg("nodes").none(), nb::arg("seconds").none(), nb::arg("all_moves"), nb::arg("opinions"),
            nb::arg("proofs_only"))
        .def("at_a_glance",
             [](BoundJudge& judge, const BoundState& state) {
                 const auto outlook = Outlook::of(judge.core(), judge.own_state(state));
                 nb::list list;
                 for (const auto& fact : judge.run([&](Judge& asked) { return asked.at_a_glance(outlook); }))
                     if (fact) list.append(to_tuple(*fact));
                 return list;
             })
        .def("known",
             [](BoundJudge& judge, const BoundState& state) {
                 const auto spot = Outlook::spot_of(judge.core(), judge.own_state(state));
                 return to_object(judge.run([&](Judge& asked) { return asked.known(spot); }));
             })
        .def("advice",
             [](BoundJudge& judge, const BoundState& state) {
                 const auto outlook = Outlook::of(judge.core(), judge.open_state(state));
                 return to_object(judge.run([&](Judge& asked) { return asked.advice(outlook); }));
             })
        .def("remember",
             [](BoundJudge& judge, const BoundState& state, const ProofTuple& proof) {
                 const State& own = judge.own_state(state);
                 const auto spot = Outlook::spot_of(judge.core(), own);
                 const auto analysis = to_proof(judge.core().tables(), own.ply, proof);
                 judge.run([&](Judge& asked) { return asked.remember(spot, analysis), 0; });
             })
        .def(
            "safe_moves",
            [](BoundJudge& judge, const BoundState& state, std::optional<std::uint64_t> nodes,
               std::optional<double> seconds) {
                const State& own = judge.open_state(state);
                return to_tuples(judge.run([&](Judge& asked) {
                    return asked.safe_moves(own, Judge::tries(asked.core().moves(own).size(), nodes, seconds));
                }));
            },
            nb::arg("state"), nb::arg("nodes").none(), nb::arg("seconds").none())
        .def("cannot_win",
             [](BoundJudge& judge, const BoundState& state) {
                 const State& own = judge.own_state(state);
                 return judge.run([&](Judge& asked) { return asked.cannot_win(own); });
             })
        .def("counsel", &counsel_of, nb::arg("state"), nb::arg("depth").none(), nb::arg("nodes").none(),
             nb::arg("seconds").none())
        .def("exact", &exact_of, nb::arg("state"), nb::arg("depth").none(), nb::arg("nodes").none(),
             nb::arg("seconds").none())
        .def("defend", &defence_of, nb::arg("state"), nb::arg("chosen"), nb::arg("lost"), nb::arg("depth").none(),
             nb::arg("nodes").none(), nb::arg("seconds").none())
        // What was learned since the last call, and what another judge of the same rules has learned.
        .def("take_news",
             [](BoundJudge& judge) {
                 nb::list list;
                 for (const auto& entry : judge.run([](Judge& asked) { return asked.memory().take_news(); }))
                     list.append(to_tuple(entry));
                 return list;
             })
        .def("learn",
             [](BoundJudge& judge, const std::vector<EntryTuple>& entries) {
                 std::vector<Memory::Entry> read;
                 for (const auto& [key, ply, proof] : entries)
                     read.push_back({key, ply, to_proof(judge.core().tables(), ply, proof)});
                 judge.run([&](Judge& asked) {
                     for (auto& entry : read) asked.memory().add(std::move(entry));
                     return 0;
                 });
             })
        .def("advise",
             [](BoundJudge& judge, const BoundState& state, const MoveTuple& move) {
                 const auto outlook = Outlook::of(judge.core(), judge.open_state(state));
                 if (outlook.index(to_move(move)) < 0) refuse("the move advised is not legal");
                 judge.run([&](Judge& asked) { return asked.memory().advise(outlook.here, to_move(move)), 0; });
             })
        .def("advised",
             [](BoundJudge& judge, const BoundState& state, const MoveTuple& move) {
                 const auto outlook = Outlook::of(judge.core(), judge.open_state(state));
                 if (outlook.index(to_move(move)) < 0) refuse("the move asked about is not legal");
                 return judge.run([&](Judge& asked) { return asked.memory().advised(outlook.here, to_move(move)); });
             })
        .def_prop_ro("remembered",
                     [](BoundJudge& judge) { return judge.run([](Judge& asked) { return asked.memory().size(); }); })
        .def("stop", &BoundJudge::halt)
        .def_prop_ro("searches", &BoundJudge::searches);

    nb::class_<Core> core = nb::borrow<nb::class_<Core>>(m.attr("Core"));
    core.def("book", &make_book, nb::arg("kind"), nb::arg("plies"), nb::arg("side"), nb::arg("size"),
             nb::arg("like").none(), nb::arg("group"), nb::arg("sizes"), nb::arg("entries"));
}

}  // namespace plyground
