#pragma once
// The derivative rules of pure scalar operations: instructions, intrinsics, libm. An entry is the partial derivatives
// as small expressions; what a partial needs of the primal, its JVP and its VJP all follow from that.

#include "core/engine/rules/dialect.hpp"
#include "core/engine/rules/zero_times_infinity.hpp"
#include "core/engine/support/function_info.hpp"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instruction.h"
#include <optional>

namespace assay::engine {

/// Primal values that an emitted partial derivative reads.
struct PartialNeeds {
  llvm::SmallBitVector operands; ///< One bit for each operand of the rule.
  bool result = false;
};

struct RuleEntry; // the table's own description of an operation, private to rules/

/// A rule bound to one instruction. Elementwise on vectors.
class ScalarRule {
public:
  /// The rule for `instruction`, or nothing when it is not a pure scalar floating-point operation with a known
  /// derivative. Covers fadd fsub fmul fdiv frem fneg fptrunc fpext, floating intrinsics, and libm calls by
  /// `function_info.library_name`. select, phi, bitcast, loads and stores are not scalar rules: the emitters treat them
  /// structurally.
  static std::optional<ScalarRule> find(const llvm::Instruction &instruction, const FunctionInfo &function_info);

  /// Operands that the rule speaks of: operand i of an instruction, argument i of a call.
  unsigned operand_count() const;
  llvm::Value *operand(unsigned index) const;
  /// False where the derivative is identically zero (floor, the sign of copysign, integer operands).
  bool has_partial(unsigned index) const;
  PartialNeeds needs(unsigned index) const;
  /// True when a call of it costs so much more than a load that its result is kept rather than recomputed (exp, pow,
  /// ...).
  bool is_expensive() const;

  /// Emits `seed * (d result / d operand[index])` at the builder's position. `operands[i]` and `result` are the primal
  /// values at that point and may be null where `needs(index)` does not ask for them. `zeros` defines 0 * inf.
  /// Both directions: an adjoint seed has the type of the result and gives the type of the operand; a tangent seed has
  /// the type of the operand and gives the type of the result. (They differ only for fptrunc, fpext and vector
  /// reductions.)
  llvm::Value *emit_product(llvm::IRBuilderBase &builder, unsigned index, llvm::ArrayRef<llvm::Value *> operands,
                            llvm::Value *result, llvm::Value *seed, ZeroTimesInfinity zeros) const;
  /// True when a tangent seed may also be a vector of tangents of the operand, a number: the product is one, too.
  bool takes_packed_seeds() const;
  /// The same for several seeds: the parts that do not depend on them are computed once.
  llvm::SmallVector<llvm::Value *, 4> emit_products(llvm::IRBuilderBase &builder, unsigned index,
                                                    llvm::ArrayRef<llvm::Value *> operands, llvm::Value *result,
                                                    llvm::ArrayRef<llvm::Value *> seeds, ZeroTimesInfinity zeros) const;

private:
  const llvm::Instruction *instruction_ = nullptr;
  const RuleEntry *entry_ = nullptr;
  Dialect dialect_;
};

/// True for library functions and intrinsics that carry no derivative and touch no memory that matters to one
/// (floor-like functions that return integers, lround, isnan, fpclassify helpers, llvm.is.fpclass, assume, lifetime,
/// ...).
bool is_derivative_free(const llvm::Instruction &instruction, const FunctionInfo &function_info);

} // namespace assay::engine
