#pragma once
// Instructions in words, for messages.

#include "llvm/IR/Instructions.h"
#include <string>

namespace assay::trace {

/// `the call of g`, `the product`, `the load`.
std::string describe(const llvm::Instruction &instruction);

/// `argument 1 of the call of g`, `the left operand of the product`, `the stored value`.
std::string describe_operand(const llvm::Instruction &instruction, unsigned operand);

/// `f.c:12 in f`.
std::string place_of(const llvm::Instruction &instruction);

} // namespace assay::trace
