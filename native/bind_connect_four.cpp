// The Connect Four solver as Python sees it.
#include "bind_connect_four.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "connect_four.hpp"

namespace nb = nanobind;
using namespace plyground;

namespace {

void check_signals() {
    nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

class ConnectFour {
  public:
    ConnectFour(int rows, int columns, int line, std::size_t table_bytes)
        : solver_(connect_four::solver(rows, columns, line, table_bytes)),
          cells_(static_cast<std::size_t>(rows) * columns) {
        if (!solver_) throw std::invalid_argument("the board does not fit 128 bits");
    }

    // Discs come as the masks of Python, lowest byte first: cells are numbered row by row from the bottom left.
    // The score, if no limit came first, and the positions visited.
    std::pair<std::optional<int>, std::uint64_t> solve(nb::bytes own, nb::bytes other, int lower, int upper, int threads,
                                                       std::optional<std::uint64_t> nodes, std::optional<double> seconds) {
        if (threads < 1 || lower > upper) throw std::invalid_argument("threads must be 1 or more, lower at most upper");
        if (own.size() * 8 < cells_ || other.size() * 8 < cells_) throw std::invalid_argument("a board needs all its cells");
        std::vector<connect_four::Cell> cells(cells_, connect_four::Cell::Empty);
        for (std::size_t at = 0; at < cells_; ++at) {
            if (own.c_str()[at / 8] >> at % 8 & 1) cells[at] = connect_four::Cell::Own;
            if (other.c_str()[at / 8] >> at % 8 & 1) cells[at] = connect_four::Cell::Other;
        }
        Limits limits;
        if (nodes) limits.nodes = *nodes;
        if (seconds) limits.seconds = *seconds;
        Running running(*this);
        running.control.begin(limits, check_signals, false);
        nb::gil_scoped_release free;
        const auto found = solver_->solve(cells, lower, upper, threads, running.control);
        return {found.score, found.nodes};
    }

    void clear() { solver_->clear(); }
    void share() { solver_->share(); }

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

    std::unique_ptr<connect_four::Solver> solver_;
    std::size_t cells_;
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
