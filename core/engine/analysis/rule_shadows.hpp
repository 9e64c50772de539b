#pragma once
// Rules of the user's that follow pointers in the shadow of a struct. Where what such a pointer leads to carries no
// derivative, the shadow has the pointer itself, and the rule would take the numbers for their own derivatives.

#include "core/engine/analysis/activity.hpp"

namespace assay::engine {

/// An argument of a call and the parameter of the rule that its shadow is passed for.
struct RuleShadow {
  unsigned argument, parameter;
};

/// The first of `shadows` through which `rule` is seen to reach numbers that carry no derivative here.
std::optional<unsigned> argument_with_constants(const llvm::CallBase &call, const llvm::Function &rule,
                                                llvm::ArrayRef<RuleShadow> shadows, const ActivityAnalysis &activity);

/// What is said of it.
llvm::Error constants_behind_shadow(const llvm::CallBase &call, const llvm::Function &rule, unsigned argument);

} // namespace assay::engine
