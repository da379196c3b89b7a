// The only file that knows Python: what the core offers, as the module plyground._core.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

NB_MODULE(_core, m) {
    m.doc() = "The native core of plyground.";
    m.attr("abi") = 1;
}
