// Proofs as Python sees them.
#pragma once

#include <nanobind/nanobind.h>

void bind_proof(nanobind::module_& m);
