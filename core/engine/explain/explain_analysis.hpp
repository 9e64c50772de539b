#pragma once
// The part of an explanation that is known before anything is written: values, their types and activity, declarations
// that take no part, and how constant and active memory came together.

#include "core/engine/explain/explanation.hpp"
#include "core/engine/support/observer.hpp"
#include "llvm/ADT/DenseMap.h"

namespace assay::engine {

using ValueIndex = llvm::DenseMap<const llvm::Value *, std::size_t>;

/// How much is said of each value: all, or only its name and place, as remarks of the plan need it.
enum class Detail : std::uint8_t { full, names };

Explanation explain_analysis(const AnalysedDerivative &derivative, const SourceNames &names, ValueIndex &index,
                             Detail detail);

/// The function, mode and activities alone.
Explanation explain_request(const Request &request);

} // namespace assay::engine
