// A learner as Python sees it.
#include "learn/learner.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <cstdint>
#include <tuple>
#include <vector>

#include "bind/bind.hpp"
#include "bind/convert.hpp"
#include "bind/running.hpp"

namespace plyground {

namespace {

constexpr int MAX_GAMES = 1 << 20, MAX_STEPS = 1 << 20, MAX_THREADS = 256;

nb::bytes to_bytes(const auto& numbers) { return nb::bytes(numbers.data(), numbers.size()); }

void check_share(const char* name, double share) {
    if (!(share >= 0 && share <= 1)) refuse(std::string(name) + " must be 0 to 1");
}

class BoundLearner {
  public:
    BoundLearner(const Core& core, int units, std::uint64_t seed) : core_(core), learner_(make(core, units, seed)) {}

    auto play(const BoundEvaluator& evaluator, int games, int threads, std::uint64_t nodes, int opening, double explore,
              double trust) {
        const OneAtATime::Hold hold(busy_);
        const auto& heuristic = own(core_, evaluator);
        if (heuristic.callback) refuse("games for learning need a heuristic that is data");
        checked("games", games, 1, MAX_GAMES);
        checked("threads", threads, 1, MAX_THREADS);
        checked("opening", opening, 0, core_.tables().data.max_plies);
        check_share("explore", explore);
        check_share("trust", trust);
        const SelfPlay style{nodes, opening, explore, trust};
        const auto played = searched([&] { return learner_.play(heuristic, games, threads, style, interrupted); });
        if (!played.finished) throw std::bad_alloc();
        return std::tuple{played.positions, played.first_won, played.drawn};
    }

    double learn(int steps, double rate) {
        const OneAtATime::Hold hold(busy_);
        checked("steps", steps, 0, MAX_STEPS);
        check_share("rate", rate);
        return searched([&] { return learner_.learn(steps, rate, interrupted); });
    }

    auto net() {
        const OneAtATime::Hold hold(busy_);
        const auto learned = learner_.net();
        return std::tuple{to_bytes(learned.net.rows), learned.net.out, learned.net.shift, learned.plain};
    }

    auto rows(const BoundState& state) const { return learner_.rows(own(core_, state)); }

    nb::bytes state() {
        const OneAtATime::Hold hold(busy_);
        return to_bytes(learner_.state());
    }

    void restore(const nb::bytes& bytes, bool goes_on) {
        const OneAtATime::Hold hold(busy_);
        const auto* first = static_cast<const std::uint8_t*>(bytes.data());
        check(learner_.restore({first, first + bytes.size()}, goes_on));
    }

    const Learner& operator*() const { return learner_; }

  private:
    const Core& core_;
    Learner learner_;
    OneAtATime busy_;

    static Learner make(const Core& core, int units, std::uint64_t seed) {
        check(Learner::refusal_of(core.tables(), units));
        return {core, units, seed};
    }
};

}  // namespace

void bind_learn(nb::module_& m) {
    nb::class_<BoundLearner>(m, "Learner")
        .def(nb::init<const Core&, int, std::uint64_t>(), nb::keep_alive<1, 2>(), nb::arg("core"), nb::arg("units"),
             nb::arg("seed"))
        .def("play", &BoundLearner::play, nb::arg("evaluator"), nb::arg("games"), nb::arg("threads"), nb::arg("nodes"),
             nb::arg("opening"), nb::arg("explore"), nb::arg("trust"))
        .def("learn", &BoundLearner::learn, nb::arg("steps"), nb::arg("rate"))
        .def("net", &BoundLearner::net)
        .def("rows", &BoundLearner::rows, nb::arg("state"))
        .def("state", &BoundLearner::state)
        .def("restore", &BoundLearner::restore, nb::arg("state"), nb::arg("goes_on"))
        .def_prop_ro("games", [](const BoundLearner& learner) { return (*learner).games(); })
        .def_prop_ro("lessons", [](const BoundLearner& learner) { return (*learner).lessons(); })
        .def_prop_ro("steps", [](const BoundLearner& learner) { return (*learner).steps(); });
}

}  // namespace plyground
