// Bad input is reported by a value: exceptions are for `bind/` alone, so that these headers build without them.
#pragma once

#include <optional>
#include <string>

namespace plyground {

// Why something cannot be done, in words for whoever asked; nothing where it can.
using Refusal = std::optional<std::string>;

// What was made, or why it could not be.
template <class T>
struct Made {
    std::optional<T> value;
    Refusal refusal;  // set where there is no value
};

}  // namespace plyground
