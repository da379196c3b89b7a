// A judge as more than one file here asks it.
#pragma once

#include <functional>

#include "core/core.hpp"
#include "judge/judge.hpp"

namespace plyground {

class JudgeHandle {
  public:
    virtual ~JudgeHandle() = default;
    virtual const Core& core() const = 0;
    // Calls f, alone with the judge; other Python threads run meanwhile. A judge that was stopped answers again.
    virtual void ask(const std::function<void(Judge&)>& f) = 0;
};

}  // namespace plyground
