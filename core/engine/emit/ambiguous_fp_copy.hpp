#pragma once
// The end of a program whose adjoints cannot be added: the words that are moved may be a double or two floats, or
// numbers begin at any place of them, and nothing in the program tells which. A wrong gradient would be worse.

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

namespace assay::engine {

enum class UnclearCopy : std::uint8_t {
  types,  ///< Of the numbers.
  places, ///< Where the numbers begin.
};

/// Writes a test that names the place of `moved` and stops the program where `unclear` holds.
void emit_stop_if_unclear(llvm::IRBuilderBase &builder, llvm::Value &unclear, const llvm::Instruction &moved,
                          UnclearCopy reason);

} // namespace assay::engine
