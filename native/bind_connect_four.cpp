// The Connect Four solver as Python sees it.
#include "bind_connect_four.hpp"

#include <nanobind/stl/optional.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
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
        : solver_(connect_four::solver(rows, columns, line, table_bytes)) {
        if (!solver_) throw std::invalid_argument("the board does not fit 128 bits");
    }

    std::optional<int> solve(nb::bytes board, int lower, int upper, int threads, std::optional<std::uint64_t> nodes,
                             std::optional<double> seconds) {
        if (threads < 1 || lower > upper) throw std::invalid_argument("threads must be 1 or more, lower at most upper");
        std::vector<connect_four::Cell> cells;
        for (std::size_t at = 0; at < board.size(); ++at) {
            const char cell = board.c_str()[at];
            if (cell < 0 || cell > 2) throw std::invalid_argument("a cell is 0 empty, 1 own or 2 the other's");
            cells.push_back(static_cast<connect_four::Cell>(cell));
        }
        Limits limits;
        if (nodes) limits.nodes = *nodes;
        if (seconds) limits.seconds = *seconds;
        solver_->control.begin(limits, check_signals, false);
        nb::gil_scoped_release free;
        return solver_->solve(cells, lower, upper, threads);
    }

    void clear() { solver_->clear(); }
    void stop() { solver_->control.stop(); }
    std::uint64_t nodes() const { return solver_->nodes(); }

  private:
    std::unique_ptr<connect_four::Solver> solver_;
};

}  // namespace

void bind_connect_four(nb::module_& m) {
    nb::class_<ConnectFour>(m, "ConnectFour")
        .def(nb::init<int, int, int, std::size_t>(), nb::arg("rows"), nb::arg("columns"), nb::arg("line"),
             nb::arg("table_bytes"))
        .def("solve", &ConnectFour::solve, nb::arg("board"), nb::arg("lower"), nb::arg("upper"), nb::arg("threads"),
             nb::arg("nodes").none(), nb::arg("seconds").none())
        .def("clear", &ConnectFour::clear)
        .def("stop", &ConnectFour::stop)
        .def_prop_ro("nodes", &ConnectFour::nodes);
}
