#pragma once
// The values of the names of a block of PTX while it is translated.
//
// A register of PTX holds bits; each instruction says for what it takes them. Here it keeps the value as it was made,
// so that numbers stay numbers, and each read asks for a type.

#include "core/engine/prepare/assembly_operands.hpp"
#include "core/engine/prepare/ptx_statements.hpp"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace assay::engine {

/// The type of a suffix (`f16x2`, `s32`, `b16`, `pred`), or null.
llvm::Type *ptx_type(llvm::StringRef name, llvm::LLVMContext &context);
unsigned ptx_bits(const llvm::Type &type);

class PtxValues {
public:
  PtxValues(llvm::IRBuilderBase &builder, const llvm::CallInst &call, const PtxBlock &block);

  /// The value as it was made, or null where it has another number of bits.
  llvm::Value *bits(const PtxOperand &operand, unsigned count);
  /// The same bits as a value of `type`.
  llvm::Value *read(const PtxOperand &operand, llvm::Type *type);
  /// A pointer to where an address in brackets is, or null: `ptx_addresses.cpp`.
  llvm::Value *address(const PtxOperand &operand);
  /// False where the value does not fit. Integers of fewer bits are extended.
  bool write(const PtxOperand &operand, llvm::Value *value, bool is_signed = false);
  /// The call's result after the block, or null where an output was not written.
  llvm::Value *result(llvm::Type *type);

  llvm::Value *as_type(llvm::Value *value, llvm::Type *type);

private:
  struct Place {
    llvm::Type *type = nullptr; ///< Of numbers or of bits.
    llvm::Value *value = nullptr;
  };

  Place *place(const PtxOperand &operand);
  llvm::Value *special_register(llvm::StringRef name);
  llvm::Value *packed(llvm::ArrayRef<PtxOperand> parts, unsigned count);
  bool unpack(llvm::ArrayRef<PtxOperand> parts, llvm::Value *value);

  llvm::IRBuilderBase &builder_;
  std::vector<Place> registers_, operands_;
  llvm::SmallVector<unsigned, 2> outputs_;
};

} // namespace assay::engine
