#include "core/engine/prepare/avx512_intrinsics.hpp"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace assay::engine {
namespace {

class Avx512Expansion {
public:
  Avx512Expansion(IntrinsicInst &call, StringRef name)
      : call_(call), name_(name), builder_(&call), type_(dyn_cast<FixedVectorType>(call.getType())) {}

  Value *result() {
    if (!type_ || !type_->getElementType()->isFloatingPointTy())
      return nullptr;
    if (Value *plain = usually_rounded())
      return plain;
    if (name_.starts_with("rcp14.s") || name_.starts_with("rsqrt14.s"))
      return approximation_of_first_lane();
    if (name_.starts_with("rcp14.p") || name_.starts_with("rsqrt14.p"))
      return approximation();
    if (name_.starts_with("mask.cvtpd2ps.512") && rounds_as_usual(3))
      return masked(builder_.CreateFPTrunc(operand(0), type_), operand(1), operand(2));
    if (name_.starts_with("mask.cvtps2pd.512"))
      return masked(builder_.CreateFPExt(operand(0), type_), operand(1), operand(2));
    if (name_.starts_with("permvar.df") || name_.starts_with("permvar.sf"))
      return permuted(operand(0), operand(1));
    if (name_.starts_with("vpermi2var.p"))
      return permuted(both(operand(0), operand(2)), operand(1));
    if (name_.starts_with("mask.compress"))
      return compressed();
    if (name_.starts_with("mask.expand"))
      return expanded();
    return nullptr;
  }

private:
  Value *operand(unsigned index) { return call_.getArgOperand(index); }
  unsigned lanes() const { return type_->getNumElements(); }

  /// In the mode that the program is in.
  bool rounds_as_usual(unsigned index) {
    constexpr std::uint64_t current_mode = 4;
    const auto *mode = dyn_cast<ConstantInt>(operand(index));
    return mode && mode->getZExtValue() == current_mode;
  }

  /// Arithmetic whose last operand is the mode of rounding.
  Value *usually_rounded() {
    if (name_.starts_with("mask.") || !rounds_as_usual(call_.arg_size() - 1))
      return nullptr;
    if (name_.starts_with("add.p"))
      return builder_.CreateFAdd(operand(0), operand(1));
    if (name_.starts_with("sub.p"))
      return builder_.CreateFSub(operand(0), operand(1));
    if (name_.starts_with("mul.p"))
      return builder_.CreateFMul(operand(0), operand(1));
    if (name_.starts_with("div.p"))
      return builder_.CreateFDiv(operand(0), operand(1));
    if (name_.starts_with("sqrt.p"))
      return builder_.CreateUnaryIntrinsic(Intrinsic::sqrt, operand(0));
    if (name_.starts_with("vfmadd.p"))
      return fused(operand(2));
    if (name_.starts_with("vfmaddsub.p"))
      return alternating_product();
    return nullptr;
  }

  Value *fused(Value *addend) {
    return builder_.CreateIntrinsic(Intrinsic::fma, {type_}, {operand(0), operand(1), addend});
  }

  /// The first lane and every second one behind it subtract.
  Value *alternating_product() {
    SmallVector<int, 16> mask;
    for (unsigned index = 0; index < lanes(); ++index)
      mask.push_back(static_cast<int>(index % 2 == 0 ? index : lanes() + index));
    return builder_.CreateShuffleVector(fused(builder_.CreateFNeg(operand(2))), fused(operand(2)), mask);
  }

  /// A vector of i1, from one or from an integer with a bit for each lane.
  Value *lanes_of(Value *mask) {
    if (mask->getType()->isVectorTy())
      return mask;
    const unsigned bits = mask->getType()->getIntegerBitWidth();
    Value *all = builder_.CreateBitCast(mask, FixedVectorType::get(builder_.getInt1Ty(), bits));
    SmallVector<int, 16> low;
    for (unsigned index = 0; index < lanes(); ++index)
      low.push_back(static_cast<int>(index));
    return bits == lanes() ? all : builder_.CreateShuffleVector(all, low);
  }

  Value *masked(Value *computed, Value *otherwise, Value *mask) {
    const auto *constant = dyn_cast<Constant>(mask);
    return constant && constant->isAllOnesValue() ? computed
                                                  : builder_.CreateSelect(lanes_of(mask), computed, otherwise);
  }

  /// Of all lanes, which has a rule.
  Value *approximation() {
    const auto *mask = dyn_cast<Constant>(operand(2));
    if (mask && mask->isAllOnesValue())
      return nullptr;
    Value *all = Constant::getAllOnesValue(operand(2)->getType());
    Value *computed =
        builder_.CreateIntrinsic(call_.getIntrinsicID(), {operand(0), Constant::getNullValue(type_), all});
    return masked(computed, operand(1), operand(2));
  }

  /// As the instruction for all lanes.
  Value *approximation_of_first_lane() {
    const StringRef number = type_->getElementType()->isDoubleTy() ? "pd" : "ps";
    const StringRef kind = name_.starts_with("rcp14") ? "rcp14" : "rsqrt14";
    const Intrinsic::ID all = Intrinsic::lookupIntrinsicID(("llvm.x86.avx512." + kind + "." + number + ".128").str());
    Value *computed = builder_.CreateIntrinsic(
        all, {operand(1), Constant::getNullValue(type_), Constant::getAllOnesValue(builder_.getInt8Ty())});
    Value *first = lane(masked(computed, operand(2), operand(3)), builder_.getInt64(0));
    return builder_.CreateInsertElement(operand(0), first, std::uint64_t(0));
  }

  Value *lane(Value *vector, Value *index) { return builder_.CreateExtractElement(vector, index); }

  Value *both(Value *first, Value *second) {
    SmallVector<int, 32> mask;
    for (unsigned index = 0; index < 2 * lanes(); ++index)
      mask.push_back(static_cast<int>(index));
    return builder_.CreateShuffleVector(first, second, mask);
  }

  /// Lanes by their numbers, of which only the low bits count.
  Value *permuted(Value *source, Value *numbers) {
    const unsigned count = cast<FixedVectorType>(source->getType())->getNumElements();
    Value *result = PoisonValue::get(type_);
    for (unsigned index = 0; index < lanes(); ++index) {
      Value *number = builder_.CreateZExtOrTrunc(lane(numbers, builder_.getInt64(index)), builder_.getInt64Ty());
      Value *from = builder_.CreateAnd(number, builder_.getInt64(count - 1));
      result = builder_.CreateInsertElement(result, lane(source, from), std::uint64_t(index));
    }
    return result;
  }

  /// The lanes of the mask one behind the other; behind them those of the second operand.
  Value *compressed() {
    Value *mask = lanes_of(operand(2)), *result = operand(1), *place = builder_.getInt64(0);
    for (unsigned index = 0; index < lanes(); ++index) {
      Value *is_taken = lane(mask, builder_.getInt64(index));
      Value *taken = builder_.CreateInsertElement(result, lane(operand(0), builder_.getInt64(index)), place);
      result = builder_.CreateSelect(is_taken, taken, result);
      place = builder_.CreateAdd(place, builder_.CreateZExt(is_taken, builder_.getInt64Ty()));
    }
    return result;
  }

  /// The first lanes go to those of the mask; the others are those of the second operand.
  Value *expanded() {
    Value *mask = lanes_of(operand(2)), *result = operand(1), *place = builder_.getInt64(0);
    for (unsigned index = 0; index < lanes(); ++index) {
      Value *is_taken = lane(mask, builder_.getInt64(index));
      Value *taken = builder_.CreateInsertElement(result, lane(operand(0), place), std::uint64_t(index));
      result = builder_.CreateSelect(is_taken, taken, result);
      place = builder_.CreateAdd(place, builder_.CreateZExt(is_taken, builder_.getInt64Ty()));
    }
    return result;
  }

  IntrinsicInst &call_;
  StringRef name_;
  IRBuilder<> builder_;
  FixedVectorType *type_;
};

} // namespace

Value *expand_avx512_intrinsic(IntrinsicInst &call, StringRef name) {
  return Avx512Expansion(call, name).result();
}

} // namespace assay::engine
