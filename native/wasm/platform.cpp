// What the standard library asks of the system, answered by JavaScript or not at all, so that a module needs no system.
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <new>

#include "wasm/exchange.hpp"

extern "C" __attribute__((import_module("plyground"), import_name("milliseconds"))) double plyground_milliseconds();

extern "C" int clock_gettime(clockid_t, struct timespec* now) {
    const double milliseconds = plyground_milliseconds();
    now->tv_sec = static_cast<time_t>(milliseconds / 1000);
    now->tv_nsec = static_cast<long>((milliseconds - static_cast<double>(now->tv_sec) * 1000) * 1e6);
    return 0;
}

// Where the library finds its own rules broken it would print words, with all that takes; JavaScript sees that the core
// failed, and says so.
extern "C" [[noreturn]] void __cxa_pure_virtual() { __builtin_trap(); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return std::malloc(size); }
_LIBCPP_BEGIN_NAMESPACE_STD
[[noreturn]] void __libcpp_verbose_abort(const char*, ...) noexcept { __builtin_trap(); }
_LIBCPP_END_NAMESPACE_STD

namespace plyground::wasm {

PLYGROUND_EXPORT("room_for") double* room_for(int words) {
    return exchange.room_for(static_cast<std::size_t>(std::max(0, words)));
}
PLYGROUND_EXPORT("room_for_bytes") std::uint8_t* room_for_bytes(int bytes) {
    return exchange.room_for_bytes(static_cast<std::size_t>(std::max(0, bytes)));
}
PLYGROUND_EXPORT("answer") const double* answer() { return exchange.answer().data(); }
PLYGROUND_EXPORT("answer_words") int answer_words() { return static_cast<int>(exchange.answer().size()); }
PLYGROUND_EXPORT("refusal") const char* refusal() { return exchange.refusal().data(); }
PLYGROUND_EXPORT("refusal_bytes") int refusal_bytes() { return static_cast<int>(exchange.refusal().size()); }

}  // namespace plyground::wasm
