// The engine as Python sees it.
#include "search/engine.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "bind/bind.hpp"
#include "bind/convert.hpp"
#include "bind/running.hpp"

namespace plyground {

namespace {

constexpr int MAX_DEPTH = 1 << 16, MAX_THREADS = 256;

// An engine that is used as it must be: begun before it searches, one search at a time.
class BoundEngine {
  public:
    BoundEngine(const Core& core, const BoundEvaluator& evaluator, std::size_t table_bytes, int threads)
        : core_(core), engine_(new_engine(core, own(core, evaluator), table_bytes, threads)) {}

    const Engine& operator*() const { return *engine_; }
    void stop() { engine_->stop(); }

    void begin(const BoundState& state, std::optional<std::uint64_t> nodes, std::optional<double> seconds,
               bool interruptible, const std::vector<MoveTuple>& among) {
        const OneAtATime::Hold hold(searches_);
        begun_ = false;
        check(engine_->begin(own(core_, state), to_moves(among), to_limit(nodes, seconds),
                             interruptible ? Interrupt(interrupted) : Interrupt()));
        begun_ = true;
    }

    // The result of what f does with the engine.
    template <class F>
    auto search(int depth, F&& f) {
        const OneAtATime::Hold hold(searches_);
        if (!begun_) throw std::runtime_error("nothing to search: begin first");
        checked("depth", depth, 1, MAX_DEPTH);
        auto result = searched([&] { return f(*engine_); });
        check_sound(engine_->unsound());
        return result;
    }

  private:
    const Core& core_;
    const std::unique_ptr<Engine> engine_;
    OneAtATime searches_;
    bool begun_ = false;
};

}  // namespace

std::unique_ptr<Engine> new_engine(const Core& core, const Evaluator& evaluator, std::size_t table_bytes, int threads) {
    auto engine = make_engine(core, evaluator, table_bytes, checked("threads", threads, 1, MAX_THREADS));
    if (!engine) throw std::bad_alloc();
    return engine;
}

void bind_engine(nb::module_& m) {
    nb::class_<BoundEngine>(m, "Engine")
        .def("begin", &BoundEngine::begin, nb::arg("state"), nb::arg("nodes").none(), nb::arg("seconds").none(),
             nb::arg("interruptible"), nb::arg("among"))
        .def(
            "deepen",
            [](BoundEngine& engine, int depth) {
                const auto found = engine.search(depth, [&](Engine& begun) { return begun.deepen(depth); });
                return std::tuple{found.complete, found.found, found.score, found.proved, to_tuples(found.line)};
            },
            nb::arg("depth"))
        .def(
            "score_all",
            [](BoundEngine& engine, int depth) {
                return engine.search(depth, [&](Engine& begun) { return begun.score_all(depth); });
            },
            nb::arg("depth"))
        .def("scores",
             [](const BoundEngine& engine) {
                 std::vector<std::tuple<int, int, bool, std::vector<MoveTuple>>> scores;
                 for (const auto& root : (*engine).all_roots())
                     if (root.depth > 0) scores.emplace_back(root.score, root.depth, root.proved, to_tuples(root.line));
                 return scores;
             })
        .def("stop", &BoundEngine::stop)
        .def_prop_ro("nodes", [](const BoundEngine& engine) { return (*engine).nodes(); })
        .def_prop_ro("seconds", [](const BoundEngine& engine) { return (*engine).seconds(); })
        .def_prop_ro("table_bytes", [](const BoundEngine& engine) { return (*engine).table_bytes(); });

    // The core was bound before, without an engine: searching is one floor above it.
    nb::class_<Core> core = nb::borrow<nb::class_<Core>>(m.attr("Core"));
    core.def(
        "engine",
        [](const Core& core, const BoundEvaluator& evaluator, std::size_t table_bytes, int threads) {
            return new BoundEngine(core, evaluator, table_bytes, threads);
        },
        nb::rv_policy::take_ownership, nb::keep_alive<0, 1>(), nb::keep_alive<0, 2>(), nb::arg("evaluator"),
        nb::arg("table_bytes"), nb::arg("threads"));
}

}  // namespace plyground
