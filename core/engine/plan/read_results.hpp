#pragma once
// Whether the value of a call is read at all, by the primal or by the derivatives of its users.

#include "core/engine/analysis/activity.hpp"

namespace assay::engine {

bool is_result_read(const llvm::CallBase &call, const Request &request, const FunctionInfo &function_info,
                    const ActivityAnalysis &activity);

} // namespace assay::engine
