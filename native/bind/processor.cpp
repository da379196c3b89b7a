// The module `plyground.native._processor`: what the processor can do. Compiled for every processor.
#include <nanobind/nanobind.h>

NB_MODULE(_processor, m) {
    m.doc() = "What this processor can do.";
    m.def("has_v3", [] {
        __builtin_cpu_init();
        return __builtin_cpu_supports("x86-64-v3") != 0;
    });
}
