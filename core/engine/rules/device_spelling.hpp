#pragma once
// How intrinsics of the device's instructions spell the operations of the rule table: `llvm.nvvm.sqrt.rn.ftz.f` is a
// sqrt, `llvm.nvvm.ex2.approx` an exp2. Rounding, flushing of subnormals and approximation make no difference to a
// derivative.

#include "llvm/ADT/StringRef.h"
#include <string>

namespace assay::engine {

/// The operation that the intrinsic `name`, without "llvm.nvvm.", stands for; empty where it is none of the table's.
std::string device_operation(llvm::StringRef name);

/// True for conversions of integers to floats and back, and for others that leave nothing of a derivative.
bool is_device_conversion(llvm::StringRef name);

} // namespace assay::engine
