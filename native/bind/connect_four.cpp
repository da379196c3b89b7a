// The Connect Four solver as Python sees it.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "bind/bind.hpp"
#include "bind/convert.hpp"
#include "bind/running.hpp"
#include "connect_four/solver.hpp"

namespace plyground {

namespace {

constexpr int MAX_THREADS = 256;

class ConnectFour {
  public:
    ConnectFour(int rows, int columns, int line, std::size_t table_bytes)
        : cells_(static_cast<std::size_t>(rows) * columns) {
        auto made = connect_four::make_solver(rows, columns, line, table_bytes);
        check(made.refusal);
        if (!made.solver) throw std::bad_alloc();
        solver_ = std::move(made.solver);
    }

    // Discs come as the masks of Python, lowest byte first: cells are numbered row by row from the bottom left.
    // The score, if no limit came first, and the positions visited.
    std::pair<std::optional<int>, std::uint64_t> solve(nb::bytes own, nb::bytes other, int lower, int upper,
                                                       int threads, std::optional<std::uint64_t> nodes,
                                                       std::optional<double> seconds) {
        checked("threads", threads, 1, MAX_THREADS);
        if (lower > upper) refuse("lower must be at most upper");
        const auto cells = board(own, other);
        check(solver_->refusal_of(cells));
        std::optional<OneAtATime::Turn> turn;
        if (!shared_) turn.emplace(searches_);
        Running running(*this);
        running.control.begin(to_limits(nodes, seconds), interrupted, false);
        const auto found = searched([&] { return solver_->solve(cells, lower, upper, threads, running.control); });
        return {found.score, found.nodes};
    }

    void clear() {
        const OneAtATime::Turn turn(searches_);
        solver_->clear();
    }
    void share() {
        const OneAtATime::Turn turn(searches_);
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

    std::vector<connect_four::Cell> board(const nb::bytes& own, const nb::bytes& other) const {
        if (own.size() * 8 < cells_ || other.size() * 8 < cells_) refuse("a board needs all its cells");
        std::vector<connect_four::Cell> cells(cells_, connect_four::Cell::EMPTY);
        for (std::size_t at = 0; at < cells_; ++at) {
            if (own.c_str()[at / 8] >> at % 8 & 1) cells[at] = connect_four::Cell::OWN;
            if (other.c_str()[at / 8] >> at % 8 & 1) cells[at] = connect_four::Cell::OTHER;
        }
        return cells;
    }

    std::unique_ptr<connect_four::Solver> solver_;
    std::size_t cells_;
    bool shared_ = false;
    OneAtATime searches_;  // where they do not share the table
    std::mutex lock_;
    std::set<Control*> running_;
};

}  // namespace

void bind_connect_four(nb::module_& m) {
    nb::class_<ConnectFour>(m, "ConnectFour")
        .def(nb::init<int, int, int, std::size_t>(), nb::arg("rows"), nb::arg("columns"), nb::arg("line"),
             nb::arg("table_bytes"))
        .def("solve", &ConnectFour::solve, nb::arg("own"), nb::arg("other"), nb::arg("lower"), nb::arg("upper"),
             nb::arg("threads"), nb::arg("nodes").none(), nb::arg("seconds").none())
        .def("clear", &ConnectFour::clear)
        .def("share", &ConnectFour::share)
        .def("stop", &ConnectFour::stop);
}

}  // namespace plyground
