// Batches of games as Python sees them.
#pragma once

#include <nanobind/nanobind.h>

void bind_batch(nanobind::module_& m);
