#pragma once
// How C's calling conventions pass one value of the source: in one parameter, spread over several, or in memory.

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"

namespace assay::engine {

/// A number, pointer or vector within a value.
struct Part {
  llvm::Type *type;
  std::uint64_t offset;
};

struct PassedValue {
  unsigned first = 0;     ///< The LLVM parameter that it begins with.
  bool in_memory = false; ///< One parameter points to all of it (attribute byval).
  llvm::SmallVector<Part, 4> parts;
};

/// The parameters of `function` after a hidden struct-return parameter.
llvm::SmallVector<PassedValue, 8> values_passed_to(const llvm::Function &function);
/// The result of `function`, also one through a hidden pointer.
llvm::Type *returned_type(const llvm::Function &function);

llvm::SmallVector<llvm::Value *, 4> parts_of(llvm::IRBuilderBase &builder, llvm::Value *value);
llvm::Value *load_part(llvm::IRBuilderBase &builder, const Part &part, llvm::Value *memory);
llvm::Value *load_parts(llvm::IRBuilderBase &builder, llvm::Type &type, llvm::Value *memory);
void store_parts(llvm::IRBuilderBase &builder, llvm::Value *value, llvm::Value *memory);
/// The bytes of `value` as a `type`, which may be smaller.
llvm::Value *same_bytes(llvm::IRBuilderBase &builder, llvm::Value *value, llvm::Type &type);

/// Gathers the operands of a call of `callee`, whose parameters say how they are passed.
class PassingCall {
public:
  PassingCall(llvm::IRBuilderBase &builder, llvm::Function &callee);

  /// One value of the source, part by part.
  void pass(llvm::ArrayRef<llvm::Value *> parts);
  /// The operand for one LLVM parameter.
  void pass_operand(llvm::Value *operand) { operands_.push_back(operand); }
  /// The parameter that comes next, or null.
  const llvm::Argument *next() const;
  /// All parameters have their operands, and no operand was left over or of another type.
  bool is_complete() const { return fits_ && !next(); }
  /// `result` is the memory that a hidden pointer leads to, or null.
  llvm::CallInst *call(llvm::AllocaInst *&result);

private:
  void pass_in_memory(llvm::Type &type, llvm::ArrayRef<llvm::Value *> parts);

  llvm::IRBuilderBase &builder_;
  llvm::Function &callee_;
  llvm::SmallVector<llvm::Value *, 8> operands_;
  bool fits_ = true;
};

} // namespace assay::engine
