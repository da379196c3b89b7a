// The Connect Four solver as Python sees it.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "bind/bind.hpp"
#include "bind/convert.hpp"
#include "bind/running.hpp"
#include "connect_four/solver.hpp"

namespace plyground {

namespace {

constexpr int MAX_THREADS = 256;

using connect_four::Board;
using connect_four::Found;
using connect_four::Word128;

// The cells of a mask of Python's.
Word128 to_cells(nb::handle mask) {
    const auto word = [](PyObject* number) {
        const auto bits = PyLong_AsUnsignedLongLong(number);
        if (bits == static_cast<unsigned long long>(-1) && PyErr_Occurred()) {
            PyErr_Clear();
            refuse("a mask must be a whole number from 0 on, of at most 128 bits");
        }
        return static_cast<std::uint64_t>(bits);
    };
    if (!PyLong_Check(mask.ptr())) refuse("a mask must be a whole number");
    const auto low = PyLong_AsUnsignedLongLong(mask.ptr());
    if (low != static_cast<unsigned long long>(-1) || !PyErr_Occurred()) return low;
    PyErr_Clear();
    const nb::object high = mask >> nb::int_(64);
    const auto lower = PyLong_AsUnsignedLongLongMask(mask.ptr());
    return Word128(word(high.ptr())) << 64 | lower;
}

class ConnectFour {
  public:
    ConnectFour(int rows, int columns, int line, std::size_t table_bytes)
        : solver_(new_solver(rows, columns, line, table_bytes)) {}

    // Discs come as the masks of Python: cells are numbered row by row from the bottom left.
    // The score, if no limit came first, and the positions visited.
    std::pair<std::optional<int>, std::uint64_t> solve(nb::int_ own, nb::int_ other, int lower, int upper, int threads,
                                                       std::optional<std::uint64_t> nodes,
                                                       std::optional<double> seconds) {
        check_window(lower, upper, threads);
        const Board board{to_cells(own), to_cells(other)};
        check(solver_->refusal_of(board));
        const auto found = run(to_limit(nodes, seconds), [&](Control& control) {
            return solver_->solve(board, {lower, upper}, threads, control);
        });
        return {found.score, found.nodes};
    }

    // The same for many positions, each within the limit: the masks of both sides, and how many moves were played.
    nb::tuple solve_many(const nb::list& layers, const nb::list& plies, int lower, int upper, int threads,
                         std::optional<std::uint64_t> nodes, std::optional<double> seconds) {
        check_window(lower, upper, threads);
        if (layers.size() != plies.size()) refuse("each position needs its layers and its ply");
        std::vector<Board> boards(layers.size());
        for (std::size_t at = 0; at < boards.size(); ++at) boards[at] = to_board(layers[at], plies[at]);
        return solved(boards, {lower, upper}, threads, to_limit(nodes, seconds));
    }

    // The same for positions given as the columns played from a position on. Those whose columns cannot be played so,
    // or that cannot be solved, are not answered; their numbers come last.
    nb::tuple solve_played(const nb::tuple& layers, int ply, const std::vector<std::string_view>& columns, int lower,
                           int upper, int threads, std::optional<std::uint64_t> nodes, std::optional<double> seconds) {
        check_window(lower, upper, threads);
        const Board start = to_board(layers, nb::int_(ply));
        check(solver_->refusal_of(start));
        std::vector<Board> boards;
        nb::list refused;
        for (std::size_t at = 0; at < columns.size(); ++at) {
            const auto board = solver_->played(start, columns[at]);
            if (board)
                boards.push_back(*board);
            else
                refused.append(at);
        }
        const auto answers = solved(boards, {lower, upper}, threads, to_limit(nodes, seconds));
        return nb::make_tuple(answers[0], answers[1], refused);
    }

    void clear() {
        const OneAtATime::Hold hold(searches_);
        solver_->clear();
    }
    void share() {
        const OneAtATime::Hold hold(searches_);
        solver_->share();
        shared_ = true;
    }

    void stop() {
        const std::scoped_lock held(lock_);
        for (Control* control : running_) control->stop();
    }

  private:
    // What stop() can reach while it lives.
    struct Running {
        ConnectFour& owner;
        Control control;

        explicit Running(ConnectFour& owner) : owner(owner) {
            const std::scoped_lock held(owner.lock_);
            owner.running_.insert(&control);
        }
        ~Running() {
            const std::scoped_lock held(owner.lock_);
            owner.running_.erase(&control);
        }
        Running(const Running&) = delete;
        Running& operator=(const Running&) = delete;
    };

    static void check_window(int lower, int upper, int threads) {
        checked("threads", threads, 1, MAX_THREADS);
        if (lower > upper) refuse("lower must be at most upper");
    }

    static Board to_board(nb::handle layers, nb::handle plies) {
        if (!PyTuple_Check(layers.ptr()) || PyTuple_GET_SIZE(layers.ptr()) != 2) refuse("a board has two layers");
        const Word128 first = to_cells(PyTuple_GET_ITEM(layers.ptr(), 0));
        const Word128 second = to_cells(PyTuple_GET_ITEM(layers.ptr(), 1));
        const int ply = nb::cast<int>(plies);
        const Board board = ply & 1 ? Board{second, first} : Board{first, second};
        if (connect_four::count(first | second) != ply) refuse("a position needs a disc for each move");
        return board;
    }

    // What `search` finds, which is given a control that stop() reaches.
    template <class F>
    std::invoke_result_t<F, Control&> run(Limit limit, F&& search) {
        std::optional<OneAtATime::Hold> hold;
        if (!shared_) hold.emplace(searches_);
        Running running(*this);
        running.control.begin(limit, interrupted, false);
        return searched([&] { return search(running.control); });
    }

    // Scores, None where a limit came first, and positions visited.
    nb::tuple solved(const std::vector<Board>& boards, connect_four::Window window, int threads, Limit each) {
        std::vector<Found> found(boards.size());
        check(run(
            {}, [&](Control& control) { return solver_->solve_many(boards, window, threads, each, control, found); }));
        const auto score_of = [](const Found& one) -> nb::object {
            if (!one.score) return nb::none();
            return nb::int_(*one.score);
        };
        return nb::make_tuple(listed(found, score_of),
                              listed(found, [](const Found& one) { return nb::int_(one.nodes); }));
    }

    // A list that has its whole length from the start.
    template <class Item>
    static nb::list listed(const std::vector<Found>& found, Item item) {
        auto list = nb::steal<nb::list>(PyList_New(static_cast<Py_ssize_t>(found.size())));
        for (std::size_t at = 0; at < found.size(); ++at)
            PyList_SET_ITEM(list.ptr(), static_cast<Py_ssize_t>(at), item(found[at]).release().ptr());
        return list;
    }

    std::unique_ptr<connect_four::Solver> solver_;
    bool shared_ = false;
    OneAtATime searches_;  // where they do not share the table
    std::mutex lock_;
    std::set<Control*> running_;
};

}  // namespace

std::unique_ptr<connect_four::Solver> new_solver(int rows, int columns, int line, std::size_t table_bytes) {
    auto made = connect_four::make_solver(rows, columns, line, table_bytes);
    check(made.refusal);
    if (!made.solver) throw std::bad_alloc();
    return std::move(made.solver);
}

void bind_connect_four(nb::module_& m) {
    nb::class_<ConnectFour>(m, "ConnectFour")
        .def(nb::init<int, int, int, std::size_t>(), nb::arg("rows"), nb::arg("columns"), nb::arg("line"),
             nb::arg("table_bytes"))
        .def("solve", &ConnectFour::solve, nb::arg("own"), nb::arg("other"), nb::arg("lower"), nb::arg("upper"),
             nb::arg("threads"), nb::arg("nodes").none(), nb::arg("seconds").none())
        .def("solve_many", &ConnectFour::solve_many, nb::arg("layers"), nb::arg("plies"), nb::arg("lower"),
             nb::arg("upper"), nb::arg("threads"), nb::arg("nodes").none(), nb::arg("seconds").none())
        .def("solve_played", &ConnectFour::solve_played, nb::arg("layers"), nb::arg("ply"), nb::arg("columns"),
             nb::arg("lower"), nb::arg("upper"), nb::arg("threads"), nb::arg("nodes").none(), nb::arg("seconds").none())
        .def("clear", &ConnectFour::clear)
        .def("share", &ConnectFour::share)
        .def("stop", &ConnectFour::stop);
}

}  // namespace plyground
