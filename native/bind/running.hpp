// Searches as Python runs them: other Python threads go on meanwhile, and what Python raises ends them.
//
// No exception passes through the core. What Python raises while the core asks it is kept, the search is stopped, and
// it is raised again once the search has returned. Python is asked only by the thread that runs the search.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

namespace plyground {

namespace nb = nanobind;

class Raised {
  public:
    // Keeps the exception that is being handled.
    static void keep() { kept() = std::current_exception(); }
    static void rethrow() {
        if (auto raised = std::exchange(kept(), nullptr)) std::rethrow_exception(raised);
    }

  private:
    static std::exception_ptr& kept() {
        thread_local std::exception_ptr kept;
        return kept;
    }
};

// Gives Python's signal handlers their chance; what they raise ends the search.
inline bool interrupted() {
    nb::gil_scoped_acquire gil;
    try {
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
    } catch (...) {
        Raised::keep();
        return true;
    }
    return false;
}

// The result of a search, during which other Python threads run.
template <class F>
auto searched(F&& search) {
    auto result = [&] {
        nb::gil_scoped_release free;
        return search();
    }();
    Raised::rethrow();
    return result;
}

// A value no heuristic may have.
struct HeuristicRangeError : std::range_error {
    explicit HeuristicRangeError(std::int64_t value) : std::range_error(std::to_string(value)) {}
};

// `unsound`: a value that ended a search, 0 where there was none.
inline void check_sound(std::int64_t unsound) {
    if (unsound) throw HeuristicRangeError(unsound);
}

// What runs one search at a time.
class OneAtATime {
  public:
    // Whoever has it; RuntimeError where another one has.
    class Hold {
      public:
        explicit Hold(OneAtATime& of) : of_(of) {
            if (of_.taken_.exchange(true)) throw std::runtime_error("a search is running already");
        }
        ~Hold() { of_.taken_ = false; }
        Hold(const Hold&) = delete;
        Hold& operator=(const Hold&) = delete;

      private:
        OneAtATime& of_;
    };

  private:
    std::atomic<bool> taken_{false};
};

}  // namespace plyground
