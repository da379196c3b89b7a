// The parts of the module `plyground.native._core`. Only the files of this folder know Python, and only they throw.
#pragma once

#include <nanobind/nanobind.h>

namespace plyground {

void bind_core(nanobind::module_& m);
void bind_engine(nanobind::module_& m);
void bind_proof(nanobind::module_& m);
void bind_connect_four(nanobind::module_& m);
void bind_batch(nanobind::module_& m);
void bind_walk(nanobind::module_& m);

}  // namespace plyground
