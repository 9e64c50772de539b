#pragma once
// How an integer grows with the bits of the floats that it is computed from.

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/KnownBits.h"
#include <optional>

namespace assay::engine {

/// How an integer grows with the bits of a float.
struct Slope {
  llvm::Value *factor; ///< Of the type of the result.
  unsigned top;        ///< Where the highest bit of the mantissa is.
};
/// By float.
struct Slopes {
  llvm::MapVector<llvm::Value *, Slope> by_float;
  bool depends = false; ///< On the bits of any float, if only on those of its exponent.
};

bool has_plain_bits(const llvm::Type *type);
unsigned mantissa_bits(const llvm::Type *type);
/// Numbers and integers of the same width, or vectors of such.
bool is_elementwise(const llvm::Type *one, const llvm::Type *other);
/// `value` as the bits of a float that is no constant; null where it is something else.
llvm::BitCastInst *as_bits_of_float(llvm::Value *value);
/// True for operations that change the order of the bits.
bool is_reordering(const llvm::Instruction &instruction);

/// Follows the integers that a float is made of back to the floats that they come from.
class BitSlopes {
public:
  BitSlopes(llvm::IRBuilder<> &builder, llvm::Type *type) : builder_(builder), type_(type) {}

  /// Nothing where an operation is not linear.
  std::optional<Slopes> of(llvm::Value *value, unsigned depth = most_operations);

  /// False where bits were only moved.
  bool has_arithmetic() const { return arithmetic_; }

private:
  static constexpr unsigned most_operations = 24; ///< In a row.

  llvm::Value *constant(double number) { return llvm::ConstantFP::get(type_, number); }
  std::optional<Slopes> find(llvm::Value *value, unsigned depth);

  /// Bits in another order are no linear function of the number.
  std::optional<Slopes> reordered(llvm::Instruction &call, unsigned depth);
  llvm::Value *sum(llvm::Value *one, llvm::Value *other, double sign);
  std::optional<Slopes> combined(llvm::Instruction &operation, double sign, unsigned depth);
  std::optional<Slopes> multiplied(llvm::Instruction &operation, unsigned depth);
  std::optional<Slopes> scaled(Slopes slopes, double factor);

  /// The amount of a shift in one direction; what is shifted by a variable amount has no place to be followed to.
  std::optional<Slopes> shifted(llvm::Instruction &operation, unsigned depth);
  std::optional<Slopes> truncated(llvm::Instruction &operation, unsigned depth);

  llvm::KnownBits bits_of(llvm::Value *value) {
    return llvm::computeKnownBits(value, builder_.GetInsertBlock()->getDataLayout());
  }

  /// x & m: the mantissa stays where the mask has its highest bit, and goes where it lacks it.
  std::optional<Slopes> masked(llvm::Instruction &operation, unsigned depth);

  /// x | m and x ^ m: a sum where m is known to be zero; a difference where ^ turns all bits over.
  std::optional<Slopes> merged(llvm::Instruction &operation, unsigned depth);
  std::optional<Slopes> selected(llvm::SelectInst &select, unsigned depth);

  bool arithmetic_ = false;
  llvm::IRBuilder<> &builder_;
  llvm::Type *type_;
  llvm::DenseMap<llvm::Value *, std::optional<Slopes>> known_;
};

} // namespace assay::engine
