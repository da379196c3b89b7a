// Claims about moves and the proofs that they rest on, as Python sees them.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "bind/bind.hpp"
#include "bind/convert.hpp"
#include "bind/judge.hpp"
#include "bind/running.hpp"
#include "core/core.hpp"
#include "judge/explain.hpp"
#include "judge/oracle.hpp"
#include "judge/review.hpp"
#include "judge/tempo.hpp"

namespace plyground {

namespace {

using CellList = std::vector<int>;
using ScoreTuple = std::tuple<int, int, bool>;  // result, number, at most
using AimTuple = std::tuple<int, int, int>;     // side, result, by
// Kind, side, moves, moves after the move, cells, patterns, pairs, number.
using ClaimTuple =
    std::tuple<int, int, std::vector<MoveTuple>, std::vector<MoveTuple>, CellList, std::vector<CellList>, Pairs, int>;

CellList to_list(const CellSet& set) {
    CellList list;
    set.each([&](int cell) { list.push_back(cell); });
    return list;
}

CellSet to_set(const CellList& list) {
    for (int cell : list) checked("cell", cell, 0, MAX_CELLS - 1);
    return cell_set(list);
}

ClaimTuple to_tuple(const Claim& claim) {
    std::vector<CellList> patterns;
    for (const auto& pattern : claim.patterns) patterns.push_back(to_list(pattern));
    return {static_cast<int>(claim.kind),
            claim.side,
            to_tuples(claim.moves),
            to_tuples(claim.after),
            to_list(claim.cells),
            patterns,
            claim.pairs,
            claim.number};
}

Claim to_claim(const ClaimTuple& tuple) {
    const auto& [kind, side, moves, after, cells, patterns, pairs, number] = tuple;
    Claim claim{static_cast<ClaimKind>(checked("kind", kind, 0, CLAIM_KINDS - 1)),
                checked("side", side, 0, 1),
                to_moves(moves),
                to_moves(after),
                to_set(cells),
                {},
                pairs,
                number};
    for (const auto& pattern : patterns) claim.patterns.push_back(to_set(pattern));
    for (const auto& [one, other] : pairs) {
        checked("cell", one, 0, MAX_CELLS - 1);
        checked("cell", other, 0, MAX_CELLS - 1);
    }
    return claim;
}

Result to_result(int result) { return static_cast<Result>(checked("result", result, 0, 3)); }

std::optional<Score> to_score(const std::optional<ScoreTuple>& tuple) {
    if (!tuple) return {};
    return Score{to_result(std::get<0>(*tuple)), std::get<1>(*tuple), std::get<2>(*tuple)};
}

std::optional<ScoreTuple> to_tuple(const std::optional<Score>& score) {
    if (!score) return {};
    return ScoreTuple{static_cast<int>(score->result), score->number, score->at_most};
}

Aim to_aim(const AimTuple& tuple) {
    const auto [side, result, by] = tuple;
    return {checked("side", side, 0, 1), to_result(result), by};
}

using GapTuple = std::tuple<std::optional<int>, std::optional<int>, std::optional<int>>;  // results, plies, points
// Claims, the score that they make exact, whether they contradict the one that was given.
using ExplanationTuple = std::tuple<std::vector<ClaimTuple>, std::optional<ScoreTuple>, bool>;

ExplanationTuple to_tuple(const Explanation& found) {
    std::vector<ClaimTuple> claims;
    for (const auto& claim : found.claims) claims.push_back(to_tuple(claim));
    return {std::move(claims), to_tuple(found.score), found.contradicts};
}

std::optional<GapTuple> to_tuple(const std::optional<Gap>& gap) {
    if (!gap) return {};
    return GapTuple{gap->results, gap->plies, gap->points};
}

// An oracle that asks out of a judge's solver and proofs.
class BoundOracle {
  public:
    BoundOracle(JudgeHandle& judge, std::uint64_t nodes, std::optional<std::uint64_t> nodes_in_all) : judge_(judge) {
        const Effort effort{nodes, nodes_in_all.value_or(std::numeric_limits<std::uint64_t>::max())};
        judge.ask([&](Judge& asked) {
            oracle_.emplace(asked.tables(), asked.solver(), &asked.proofs().table(), outer_, effort);
        });
    }

    // What f finds out about a position, within so many seconds.
    template <class F>
    auto ask(const BoundState& state, std::optional<double> seconds, F&& f) {
        const Core& core = judge_.core();
        const State& start = own(core, state);
        const Limit limit = to_limit({}, seconds);
        std::optional<decltype(f(*oracle_, std::declval<Position<1>&>()))> found;
        judge_.ask([&](Judge& asked) {
            outer_.begin(limit, asked.halting(), true);
            found = core.with_position(core.none(), start, [&](auto& position) { return f(*oracle_, position); });
        });
        return std::move(*found);
    }

    std::uint64_t nodes() const { return oracle_->nodes(); }

  private:
    JudgeHandle& judge_;
    Control outer_;
    std::optional<ProofOracle> oracle_;
};

using Seconds = std::optional<double>;

std::optional<bool> keeps(BoundOracle& oracle, const BoundState& state, AimTuple aim, Seconds seconds) {
    return oracle.ask(state, seconds,
                      [aim = to_aim(aim)](auto& asked, auto& position) { return asked.keeps(position, aim); });
}

std::optional<std::vector<MoveTuple>> right(BoundOracle& oracle, const BoundState& state, AimTuple aim,
                                            Seconds seconds) {
    const auto found = oracle.ask(
        state, seconds, [aim = to_aim(aim)](auto& asked, auto& position) { return asked.right(position, aim); });
    if (!found) return {};
    return to_tuples(*found);
}

std::optional<ScoreTuple> score(BoundOracle& oracle, const BoundState& state, int most, Seconds seconds) {
    return to_tuple(
        oracle.ask(state, seconds, [=](auto& asked, auto& position) { return asked.score(position, most); }));
}

std::optional<bool> wins(BoundOracle& oracle, const BoundState& state, int side, int plies, Seconds seconds) {
    checked("side", side, 0, 1);
    return oracle.ask(state, seconds, [=](auto& asked, auto& position) { return asked.wins(position, side, plies); });
}

std::optional<int> length(BoundOracle& oracle, const BoundState& state, int winner, int most, Seconds seconds) {
    checked("winner", winner, 0, 1);
    return oracle.ask(state, seconds,
                      [=](auto& asked, auto& position) { return asked.length(position, winner, most); });
}

std::vector<MoveTuple> play(BoundOracle& oracle, const BoundState& state, int winner, int length, int most,
                            Seconds seconds) {
    checked("winner", winner, 0, 1);
    return to_tuples(oracle.ask(
        state, seconds, [=](auto& asked, auto& position) { return asked.play(position, winner, length, most); }));
}

bool takes(BoundOracle& oracle, const BoundState& state, int winner, int length, Seconds seconds) {
    checked("winner", winner, 0, 1);
    return oracle.ask(state, seconds,
                      [=](auto& asked, auto& position) { return asked.takes(position, winner, length); });
}

bool holds(BoundOracle& oracle, const BoundState& state, MoveTuple move, const ClaimTuple& claim, Seconds seconds) {
    return oracle.ask(
        state, seconds, [claim = to_claim(claim), move = to_move(move)]<int W>(auto& asked, Position<W>& position) {
            return Line<W>::is_legal(position, move) && ClaimChecks<W>(asked).holds(claim, position, move);
        });
}

// Claims about a legal move, its score made exact by them, and whether they contradict the score that was given.
ExplanationTuple explain_move(BoundOracle& oracle, const BoundState& state, MoveTuple move,
                              std::optional<ScoreTuple> known, Seconds seconds) {
    const auto found = oracle.ask(state, seconds,
                                  [move = to_move(move), known = to_score(known)]<int W>(
                                      auto& asked, Position<W>& position) -> std::optional<Explanation> {
                                      if (!Line<W>::is_legal(position, move)) return {};
                                      return explain(asked, position, move, known);
                                  });
    if (!found) refuse("the move to explain is not legal");
    return to_tuple(*found);
}

std::pair<int, int> to_tuple(const Cost& cost) { return {static_cast<int>(cost.what), cost.number}; }

// The review of a game, position by position.
class BoundReview {
  public:
    BoundReview(JudgeHandle& judge, const BoundState& start, const std::vector<MoveTuple>& moves,
                std::optional<int> depth, std::optional<std::uint64_t> nodes, std::optional<double> seconds,
                std::uint64_t effort, std::uint64_t effort_in_all, double patience)
        : judge_(judge) {
        const State& state = own(judge.core(), start);
        const auto played = to_moves(moves);
        const bool legal = judge.core().with_position(
            judge.core().none(), state, [&](auto& position) { return static_cast<bool>(Line(position, played)); });
        if (!legal) refuse("a move of the game is not legal");
        judge.ask([&](Judge& asked) {
            review_.emplace(asked, state, played, Budget{depth, nodes, seconds}, Effort{effort, effort_in_all},
                            patience);
        });
    }

    // The judgement (None where the game is over), worth of the move, whether it was advised, gap, grade, what it
    // cost, explanation.
    nb::object next() {
        bool more = false;
        judge_.ask([&](Judge&) { more = review_->next(); });
        check_sound(review_->unsound());
        if (!more) return nb::none();
        const auto& found = review_->found();
        nb::object judgement = nb::none(), why = nb::none();
        if (!found.outcome) judgement = nb::cast(found.judgement);
        if (found.why) why = nb::cast(to_tuple(*found.why));
        return nb::make_tuple(judgement, to_tuple(found.worth), found.advised, to_tuple(found.gap),
                              static_cast<int>(found.graded.grade), to_tuple(found.graded.cost), why);
    }

  private:
    JudgeHandle& judge_;
    std::optional<Review> review_;
};

// The moves with which a side would win if it were its turn.
std::vector<MoveTuple> winning_moves(const Core& core, const BoundState& state, int side) {
    checked("side", side, 0, 1);
    std::vector<Move> moves;
    core.with_position(core.none(), own(core, state), [&](auto& position) {
        for (const auto& win : wins_at_once(core.tables(), position, side)) moves.push_back(win.move);
        return 0;
    });
    return to_tuples(moves);
}

}  // namespace

void bind_reasons(nb::module_& m) {
    m.def("claim_kinds", [] { return std::vector<const char*>(CLAIM_NAMES.begin(), CLAIM_NAMES.end()); });

    m.def("winning_moves", &winning_moves, nb::arg("core"), nb::arg("state"), nb::arg("side"));

    m.def(
        "grade_of",
        [](std::optional<ScoreTuple> position, std::optional<ScoreTuple> best, std::optional<ScoreTuple> move,
           int depth) {
            const auto whole = to_score(position), worth = to_score(move);
            const Gap gap = whole && worth ? gap_between(*whole, *worth) : Gap{};
            const auto found = grade_of(fault_of(whole, to_score(best), worth, depth), whole, worth, gap);
            return std::pair(static_cast<int>(found.grade), to_tuple(found.cost));
        },
        nb::arg("position").none(), nb::arg("best").none(), nb::arg("move").none(), nb::arg("depth"));

    m.def("grade_points", [] { return std::vector<int>(GRADE_POINTS.begin() + 1, GRADE_POINTS.end()); });

    m.def(
        "summary_of",
        [](const std::vector<int>& grades, int mover, int loser) {
            checked("mover", mover, 0, 1);
            checked("loser", loser, -1, 1);
            std::vector<Grade> read;
            for (const int grade : grades) read.push_back(static_cast<Grade>(checked("grade", grade, 0, GRADES - 1)));
            const auto found = summary_of(read, mover, loser);
            return nb::make_tuple(found.counts, found.accuracy, found.decisive);
        },
        nb::arg("grades"), nb::arg("mover"), nb::arg("loser"));

    nb::class_<BoundReview>(m, "Review")
        .def(nb::init<JudgeHandle&, const BoundState&, const std::vector<MoveTuple>&, std::optional<int>,
                      std::optional<std::uint64_t>, std::optional<double>, std::uint64_t, std::uint64_t, double>(),
             nb::arg("judge"), nb::arg("start"), nb::arg("moves"), nb::arg("depth").none(), nb::arg("nodes").none(),
             nb::arg("seconds").none(), nb::arg("effort"), nb::arg("effort_in_all"), nb::arg("patience"),
             nb::keep_alive<1, 2>())
        .def("next", &BoundReview::next);

    nb::class_<BoundOracle>(m, "ProofOracle")
        .def(nb::init<JudgeHandle&, std::uint64_t, std::optional<std::uint64_t>>(), nb::arg("judge"), nb::arg("nodes"),
             nb::arg("nodes_in_all").none(), nb::keep_alive<1, 2>())
        .def_prop_ro("nodes", &BoundOracle::nodes)
        .def("keeps", &keeps, nb::arg("state"), nb::arg("aim"), nb::arg("seconds").none())
        .def("right", &right, nb::arg("state"), nb::arg("aim"), nb::arg("seconds").none())
        .def("score", &score, nb::arg("state"), nb::arg("most"), nb::arg("seconds").none())
        .def("wins", &wins, nb::arg("state"), nb::arg("side"), nb::arg("plies"), nb::arg("seconds").none())
        .def("length", &length, nb::arg("state"), nb::arg("winner"), nb::arg("most"), nb::arg("seconds").none())
        .def("play", &play, nb::arg("state"), nb::arg("winner"), nb::arg("length"), nb::arg("most"),
             nb::arg("seconds").none())
        .def("takes", &takes, nb::arg("state"), nb::arg("winner"), nb::arg("length"), nb::arg("seconds").none())
        .def("holds", &holds, nb::arg("state"), nb::arg("move"), nb::arg("claim"), nb::arg("seconds").none())
        .def("explain", &explain_move, nb::arg("state"), nb::arg("move"), nb::arg("known").none(),
             nb::arg("seconds").none());
}

}  // namespace plyground
