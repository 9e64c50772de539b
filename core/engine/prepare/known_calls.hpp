#pragma once
// Library functions that are written in terms of simpler ones before differentiation, so that no stage after this one
// has to know them: realloc, posix_memalign, sincos, modf, frexp, remquo, lgamma_r,
// qsort; and what finds its result in the object of an argument (dynamic_cast, memchr), as a distance from there.

#include "core/engine/support/function_info.hpp"

namespace assay::engine {

void expand_known_calls(llvm::Function &function, const FunctionInfo &function_info);

} // namespace assay::engine
