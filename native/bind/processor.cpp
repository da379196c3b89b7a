// The module `plyground.native._processor`: what the processor can do. Compiled for every processor.
#include <cpuid.h>
#include <nanobind/nanobind.h>

namespace {

// The registers that the instruction cpuid fills.
struct Registers {
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
};

// What a leaf of cpuid says; nothing where the processor does not know the leaf.
Registers ask(unsigned leaf) {
    Registers said;
    if (!__get_cpuid_count(leaf, 0, &said.eax, &said.ebx, &said.ecx, &said.edx)) return {};
    return said;
}

bool all(unsigned said, unsigned wanted) { return (said & wanted) == wanted; }

// Which registers the operating system keeps when it changes from one program to another.
unsigned kept() {
    unsigned low, high;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

// Whether this is x86-64-v3. Asked by hand, as not every compiler has the library behind __builtin_cpu_supports.
bool has_v3() {
    constexpr unsigned SSE_AND_AVX = 0b110;
    return all(ask(1).ecx, bit_SSE3 | bit_SSSE3 | bit_FMA | bit_CMPXCHG16B | bit_SSE4_1 | bit_SSE4_2 | bit_MOVBE |
                               bit_POPCNT | bit_OSXSAVE | bit_AVX | bit_F16C) &&
           all(ask(7).ebx, bit_BMI | bit_AVX2 | bit_BMI2) && all(ask(0x80000001).ecx, bit_LAHF_LM | bit_LZCNT) &&
           all(kept(), SSE_AND_AVX);
}

}  // namespace

NB_MODULE(_processor, m) {
    m.doc() = "What this processor can do.";
    m.def("has_v3", has_v3);
}
