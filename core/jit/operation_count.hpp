#pragma once
// How much a call computes, counted and not timed, so that it is the same on every run and on every machine. Each basic
// block of the simplified function adds the number of its instructions to a counter.

#include "core/passes/named_functions.hpp"
#include "llvm/IR/Module.h"

#include <cstdint>

namespace assay::jit {

struct OperationCount {
  std::uint64_t operations = 0;      ///< Instructions of LLVM IR; calls of libraries and copies count by their work.
  std::uint64_t real_operations = 0; ///< Of these, those on floating-point numbers.
};

/// Writes counters into all functions of the module.
void insert_operation_counters(llvm::Module &module);

/// What the counters need when they are linked.
NamedFunctions operation_count_symbols();

/// Of all calls since the last reset.
OperationCount counted_operations();
void reset_operation_count();

/// How many instructions the functions of the module have: a measure of what it costs to compile them.
std::size_t code_size(const llvm::Module &module);

} // namespace assay::jit
