#pragma once
// Writes the entries of derivative.hpp into a module: functions of one signature that call the function itself, or ask
// for a derivative of it in the convention that C programs use. In device code they are kernels.

#include "core/jit/derivative.hpp"
#include "core/jit/signature.hpp"
#include "llvm/IR/Function.h"

namespace assay::jit {

/// From now on entries of `function` have slots for those parameters alone that have memory of their own.
void share_memory(llvm::Function &function, llvm::ArrayRef<PassedParameter> passed);
/// Where the parameters of `function` have their values and memory, one entry for each.
llvm::SmallVector<PassedParameter, 8> passed_parameters(const llvm::Function &function);
/// How many parameters an entry of `function` has slots for.
std::size_t parameters_with_slots(const llvm::Function &function);

/// The function that is called with the slots before the kernel `entry` is launched.
std::string clearing_function_of(llvm::StringRef entry);
/// Of a kernel: how many shadows its derivative has for each array in shared memory.
inline constexpr llvm::StringLiteral shadow_lanes_attribute = "assay-shadow-lanes";

/// `name` becomes the symbol of the new function.
llvm::Function *write_primal_entry(llvm::Function &function, llvm::StringRef name);
llvm::Function *write_derivative_entry(llvm::Function &function, const Derivative &derivative, llvm::StringRef name);

} // namespace assay::jit
