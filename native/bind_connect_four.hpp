// The Connect Four solver as Python sees it.
#pragma once

#include <nanobind/nanobind.h>

void bind_connect_four(nanobind::module_& m);
