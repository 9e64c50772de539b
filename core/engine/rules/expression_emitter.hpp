#pragma once
// Writes expressions as instructions.

#include "core/engine/rules/dialect.hpp"
#include "core/engine/rules/expression.hpp"
#include "core/engine/rules/zero_times_infinity.hpp"
#include "llvm/ADT/DenseMap.h"

namespace assay::engine {

/// The primal values that an expression speaks of; null where it does not.
struct PrimalValues {
  llvm::Type *type; ///< of floating-point operands and the result
  llvm::ArrayRef<llvm::Value *> operands;
  llvm::Value *result;
};

class ExpressionEmitter {
public:
  ExpressionEmitter(llvm::IRBuilderBase &builder, const Dialect &dialect, PrimalValues primal, ZeroTimesInfinity zeros)
      : builder_(builder), dialect_(dialect), primal_(primal), zeros_(zeros) {}

  /// Each seed times `factor`. A seed is moved into selects, so that a factor of 0 or 1 costs nothing and what is not
  /// selected never meets it. A single one is also moved to the numerators of quotients with a constant one; several
  /// share the parts that do not mention them.
  llvm::SmallVector<llvm::Value *, 4> products(const Node &factor, llvm::ArrayRef<llvm::Value *> seeds);

private:
  llvm::Value *product(const Node &factor);
  llvm::Value *times_seed(const Node &factor);
  llvm::Value *like_seed(llvm::Value *number);
  llvm::Value *value(const Node &node);
  llvm::Value *emit(const Node &node);
  llvm::Value *emit_binary(const Node &node);
  llvm::Value *divide_by_reciprocal(llvm::Value *numerator, llvm::Value *denominator);
  llvm::Value *emit_select(const Node &condition, llvm::Value *yes, llvm::Value *no);
  llvm::Value *emit_compare(const Node &node);
  llvm::Value *emit_to_float(const Node &node);
  llvm::Value *emit_function(const Node &node);
  llvm::Constant *constant(llvm::StringRef decimal) const;
  llvm::Constant *dominance() const;

  llvm::IRBuilderBase &builder_;
  const Dialect &dialect_;
  PrimalValues primal_;
  ZeroTimesInfinity zeros_;
  llvm::Value *seed_ = nullptr;
  bool is_alone_ = true; ///< There is one seed.
  llvm::DenseMap<const Node *, llvm::Value *> emitted_;
};

/// True when the product with any seed is finite for a finite seed, so that a zero seed gives zero.
bool is_finite_factor(const Node &factor);

/// The product, or zero where it is NaN and `factor`, one of its factors, is zero. A product that is a number stays
/// what it is: the derivative of zero times x is not zero.
llvm::Value *zero_times_infinity_is_zero(llvm::IRBuilderBase &builder, llvm::Value &factor, llvm::Value &product);

} // namespace assay::engine
