// The Connect Four solver as JavaScript sees it: one at a time, with its table.
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "connect_four/solver.hpp"
#include "wasm/exchange.hpp"

namespace plyground::wasm {

namespace {

std::unique_ptr<connect_four::Solver> solver;
std::size_t cells = 0;  // of its board

}  // namespace

// Rows, columns, line, bytes of the table. The solver before it is gone.
PLYGROUND_EXPORT("make_solver") int make_solver(int words) {
    return call(words, [](Reader& given) -> Refusal {
        int rows = 0, columns = 0, line = 0;
        std::size_t bytes = 0;
        given >> rows, given >> columns, given >> line, given >> bytes;
        if (!given.done()) return {};
        solver.reset();
        auto made = connect_four::make_solver(rows, columns, line, bytes);
        if (made.refusal) return made.refusal;
        if (!made.solver) return "there is too little memory for the solver's table";
        solver = std::move(made.solver);
        cells = static_cast<std::size_t>(rows) * columns;
        return {};
    });
}

// The cells row by row from the bottom left (0 empty, 1 the side to move's, 2 the other's), lower, upper, nodes,
// seconds. Answers whether there is a score, the score, and the positions visited.
PLYGROUND_EXPORT("solve") int solve(int words) {
    return call(words, [](Reader& given) -> Refusal {
        std::vector<std::uint8_t> discs;
        int lower = 0, upper = 0;
        std::optional<std::uint64_t> nodes;
        std::optional<double> seconds;
        given >> discs, given >> lower, given >> upper, given >> nodes, given >> seconds;
        if (!given.done()) return {};
        if (!solver) return "there is no solver";
        if (lower > upper) return "lower must be at most upper";
        if (discs.size() != cells) return "a board needs all its cells";
        connect_four::Board board{0, 0};
        for (std::size_t at = 0; at < cells; ++at) {
            if (discs[at] > 2) return "a cell of a board is 0, 1 or 2";
            const auto cell = connect_four::Word128(1) << at;
            if (discs[at] == 1) board.own |= cell;
            if (discs[at] == 2) board.other |= cell;
        }
        if (auto refusal = solver->refusal_of(board)) return refusal;
        Control control;
        control.begin(to_limit(nodes, seconds), interrupted, false);
        const auto found = solver->solve(board, {lower, upper}, 1, control);
        exchange.begin_answer();
        exchange.say(found.score.has_value(), found.score.value_or(0), found.nodes);
        return {};
    });
}

PLYGROUND_EXPORT("clear_solver") int clear_solver(int words) {
    return call(words, [](Reader& given) -> Refusal {
        if (given.done() && solver) solver->clear();
        return {};
    });
}

}  // namespace plyground::wasm
