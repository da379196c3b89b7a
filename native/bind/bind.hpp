// The parts of the module `plyground.native._core`. Only the files of this folder know Python, and only they throw.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <memory>

namespace plyground {

class Core;
class Engine;
class Evaluator;
namespace connect_four {
class Solver;
}

// Made where they are compiled, so that whoever works with them need not compile them once more. ValueError for what is
// refused, MemoryError where there is too little memory.
std::unique_ptr<connect_four::Solver> new_solver(int rows, int columns, int line, std::size_t table_bytes);
std::unique_ptr<Engine> new_engine(const Core& core, const Evaluator& evaluator, std::size_t table_bytes, int threads);

void bind_core(nanobind::module_& m);
void bind_engine(nanobind::module_& m);
void bind_proof(nanobind::module_& m);
void bind_connect_four(nanobind::module_& m);
void bind_reasons(nanobind::module_& m);
void bind_batch(nanobind::module_& m);
void bind_walk(nanobind::module_& m);
void bind_text(nanobind::module_& m);
void bind_judge(nanobind::module_& m);
void bind_learn(nanobind::module_& m);

}  // namespace plyground
