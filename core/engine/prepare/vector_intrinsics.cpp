#include "core/engine/prepare/vector_intrinsics.hpp"
#include "core/engine/prepare/avx512_intrinsics.hpp"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr unsigned block_bits = 128; ///< Many instructions treat each 128 bits by themselves.

/// One call; `name` is what follows "llvm.x86." of it.
class Expansion {
public:
  Expansion(IntrinsicInst &call, StringRef name)
      : call_(call), name_(name), builder_(&call), type_(dyn_cast<FixedVectorType>(call.getType())) {}

  /// Null for what is not known.
  Value *result() {
    if (!type_ || !call_.getType()->isFPOrFPVectorTy())
      return nullptr;
    lanes_ = type_->getNumElements();
    block_ = std::min(lanes_, block_bits / type_->getScalarSizeInBits());
    if (name_.starts_with("avx512.mask.rndscale.p"))
      return rounds_all_to_units() ? rounded() : nullptr;
    const StringRef operation = operation_of(name_);
    if (operation.starts_with("hadd") || operation.starts_with("hsub"))
      return horizontal(operation.starts_with("hadd"));
    if (operation.starts_with("addsub"))
      return alternating(operand(0), operand(1), /*adds_first=*/false);
    if (operation.starts_with("vfmaddsub"))
      return alternating_product();
    if (operation.starts_with("dp"))
      return dot_product();
    if (operation.starts_with("max") || operation.starts_with("min"))
      return extremum(operation.starts_with("max") ? CmpInst::FCMP_OGT : CmpInst::FCMP_OLT);
    if (operation.starts_with("blendv"))
      return blend_by_sign();
    if (operation.starts_with("round"))
      return rounded();
    if (operation.starts_with("cmp"))
      return comparison();
    if (operation.starts_with("cvt"))
      return converted(operation);
    if (operation.starts_with("rcp.ss") || operation.starts_with("rsqrt.ss"))
      return approximation(operation);
    if (operation.starts_with("vpermilvar"))
      return permuted_in_blocks();
    if (operation.starts_with("permps"))
      return permuted();
    if (operation.starts_with("insertps"))
      return inserted();
    return nullptr;
  }

private:
  /// Behind the name of the instruction set.
  static StringRef operation_of(StringRef name) {
    if (name.starts_with("avx512.max.p") || name.starts_with("avx512.min.p")) // the third operand is about exceptions
      return name.drop_front(StringRef("avx512.").size());
    for (StringRef set : {"sse.", "sse2.", "sse3.", "sse41.", "avx.", "avx2.", "fma."})
      if (name.starts_with(set))
        return name.drop_front(set.size());
    return {};
  }

  Value *operand(unsigned index) { return call_.getArgOperand(index); }
  Value *lane(Value *vector, unsigned index) { return builder_.CreateExtractElement(vector, std::uint64_t(index)); }
  bool is_of_first_lane() const { return name_.ends_with(".ss") || name_.ends_with(".sd"); }

  /// No lane is masked off, and no bits of the fraction are kept.
  bool rounds_all_to_units() {
    const auto *mask = dyn_cast<ConstantInt>(operand(3));
    const auto control = constant_operand(1);
    return mask && mask->isMinusOne() && control && *control < 16;
  }

  std::optional<std::uint64_t> constant_operand(unsigned index) {
    const auto *constant = dyn_cast<ConstantInt>(operand(index));
    return constant ? std::optional(constant->getZExtValue()) : std::nullopt;
  }

  /// Only the first lane is `computed`, the others are those of `rest`.
  Value *in_first_lane(Value *computed, Value *rest) {
    return builder_.CreateInsertElement(rest, computed, std::uint64_t(0));
  }

  /// Sums or differences of neighbours: those of the first operand, then of the second, in each block.
  Value *horizontal(bool adds) {
    SmallVector<int, 16> even, odd;
    for (unsigned first = 0; first < lanes_; first += block_)
      for (unsigned source : {0u, lanes_})
        for (unsigned index = 0; index < block_; index += 2) {
          even.push_back(static_cast<int>(source + first + index));
          odd.push_back(static_cast<int>(source + first + index + 1));
        }
    Value *left = builder_.CreateShuffleVector(operand(0), operand(1), even);
    Value *right = builder_.CreateShuffleVector(operand(0), operand(1), odd);
    return adds ? builder_.CreateFAdd(left, right) : builder_.CreateFSub(left, right);
  }

  Value *every_second(Value *even, Value *odd) {
    SmallVector<int, 16> mask;
    for (unsigned index = 0; index < lanes_; ++index)
      mask.push_back(static_cast<int>(index % 2 == 0 ? index : lanes_ + index));
    return builder_.CreateShuffleVector(even, odd, mask);
  }

  Value *alternating(Value *x, Value *y, bool adds_first) {
    Value *sum = builder_.CreateFAdd(x, y), *difference = builder_.CreateFSub(x, y);
    return adds_first ? every_second(sum, difference) : every_second(difference, sum);
  }

  Value *alternating_product() {
    const auto fused = [&](Value *addend) {
      return builder_.CreateIntrinsic(Intrinsic::fma, {type_}, {operand(0), operand(1), addend});
    };
    return every_second(fused(builder_.CreateFNeg(operand(2))), fused(operand(2)));
  }

  /// The high four bits of the constant say which products are summed, the low ones which lanes receive the sum.
  Value *dot_product() {
    const auto control = constant_operand(2);
    if (!control)
      return nullptr;
    Value *products = builder_.CreateFMul(operand(0), operand(1));
    Value *result = Constant::getNullValue(type_);
    for (unsigned first = 0; first < lanes_; first += block_) {
      Value *sum = Constant::getNullValue(type_->getElementType());
      SmallVector<Value *, 4> terms;
      for (unsigned index = 0; index < block_; ++index)
        terms.push_back((*control >> (4 + index) & 1) != 0 ? lane(products, first + index) : sum);
      for (std::size_t width = terms.size(); width > 1; width /= 2) // in the order of the instruction
        for (std::size_t pair = 0; pair < width / 2; ++pair)
          terms[pair] = builder_.CreateFAdd(terms[2 * pair], terms[2 * pair + 1]);
      for (unsigned index = 0; index < block_; ++index)
        if ((*control >> index & 1) != 0)
          result = builder_.CreateInsertElement(result, terms[0], std::uint64_t(first + index));
    }
    return result;
  }

  Value *extremum(CmpInst::Predicate predicate) {
    if (!is_of_first_lane())
      return builder_.CreateSelect(builder_.CreateFCmp(predicate, operand(0), operand(1)), operand(0), operand(1));
    Value *x = lane(operand(0), 0), *y = lane(operand(1), 0);
    return in_first_lane(builder_.CreateSelect(builder_.CreateFCmp(predicate, x, y), x, y), operand(0));
  }

  Value *blend_by_sign() {
    Type *integers = VectorType::getInteger(type_);
    Value *sign =
        builder_.CreateICmpSLT(builder_.CreateBitCast(operand(2), integers), Constant::getNullValue(integers));
    return builder_.CreateSelect(sign, operand(1), operand(0));
  }

  Value *rounded() {
    const bool is_scalar = is_of_first_lane();
    const auto control = constant_operand(is_scalar ? 2 : 1);
    if (!control)
      return nullptr;
    constexpr std::array modes{Intrinsic::roundeven, Intrinsic::floor, Intrinsic::ceil, Intrinsic::trunc};
    const Intrinsic::ID mode = (*control & 4) != 0 ? Intrinsic::rint : modes[*control & 3];
    if (!is_scalar)
      return builder_.CreateUnaryIntrinsic(mode, operand(0));
    return in_first_lane(builder_.CreateUnaryIntrinsic(mode, lane(operand(1), 0)), operand(0));
  }

  /// All bits of the first lane are set where the comparison holds.
  Value *comparison() {
    constexpr std::array predicates{CmpInst::FCMP_OEQ, CmpInst::FCMP_OLT, CmpInst::FCMP_OLE, CmpInst::FCMP_UNO,
                                    CmpInst::FCMP_UNE, CmpInst::FCMP_UGE, CmpInst::FCMP_UGT, CmpInst::FCMP_ORD};
    const auto control = constant_operand(2);
    if (!control || *control >= predicates.size() || !is_of_first_lane())
      return nullptr;
    Value *holds = builder_.CreateFCmp(predicates[*control], lane(operand(0), 0), lane(operand(1), 0));
    Value *bits = builder_.CreateSExt(holds, builder_.getIntNTy(type_->getScalarSizeInBits()));
    return in_first_lane(builder_.CreateBitCast(bits, type_->getElementType()), operand(0));
  }

  Value *converted(StringRef operation) {
    if (operation == "cvt.pd2.ps.256")
      return builder_.CreateFPTrunc(operand(0), type_);
    if (operation == "cvtpd2ps") {
      Value *narrow = builder_.CreateFPTrunc(operand(0), FixedVectorType::get(builder_.getFloatTy(), 2));
      return builder_.CreateShuffleVector(narrow, Constant::getNullValue(narrow->getType()), {0, 1, 2, 3});
    }
    if (operation == "cvtsd2ss")
      return in_first_lane(builder_.CreateFPTrunc(lane(operand(1), 0), builder_.getFloatTy()), operand(0));
    return nullptr;
  }

  /// As the instruction for all lanes, whose derivative is known.
  Value *approximation(StringRef operation) {
    const Intrinsic::ID all =
        Intrinsic::lookupIntrinsicID(operation.starts_with("rcp") ? "llvm.x86.sse.rcp.ps" : "llvm.x86.sse.rsqrt.ps");
    return in_first_lane(lane(builder_.CreateIntrinsic(all, {operand(0)}), 0), operand(0));
  }

  Value *permuted_in_blocks() {
    const bool is_wide = type_->getScalarSizeInBits() == 64;
    Value *result = PoisonValue::get(type_);
    for (unsigned index = 0; index < lanes_; ++index) {
      Value *control = builder_.CreateZExtOrTrunc(lane(operand(1), index), builder_.getInt64Ty());
      Value *chosen = is_wide ? builder_.CreateAnd(builder_.CreateLShr(control, 1), builder_.getInt64(1))
                              : builder_.CreateAnd(control, builder_.getInt64(3));
      Value *from = builder_.CreateAdd(chosen, builder_.getInt64(index / block_ * block_));
      result =
          builder_.CreateInsertElement(result, builder_.CreateExtractElement(operand(0), from), std::uint64_t(index));
    }
    return result;
  }

  Value *permuted() {
    Value *result = PoisonValue::get(type_);
    for (unsigned index = 0; index < lanes_; ++index) {
      Value *from = builder_.CreateAnd(builder_.CreateZExt(lane(operand(1), index), builder_.getInt64Ty()),
                                       builder_.getInt64(lanes_ - 1));
      result =
          builder_.CreateInsertElement(result, builder_.CreateExtractElement(operand(0), from), std::uint64_t(index));
    }
    return result;
  }

  Value *inserted() {
    const auto control = constant_operand(2);
    if (!control)
      return nullptr;
    Value *result = builder_.CreateInsertElement(operand(0), lane(operand(1), *control >> 6), *control >> 4 & 3);
    for (unsigned index = 0; index < lanes_; ++index)
      if ((*control >> index & 1) != 0)
        result =
            builder_.CreateInsertElement(result, Constant::getNullValue(type_->getElementType()), std::uint64_t(index));
    return result;
  }

  IntrinsicInst &call_;
  StringRef name_;
  IRBuilder<> builder_;
  FixedVectorType *type_;
  unsigned lanes_ = 0, block_ = 0;
};

/// The largest or smallest lane, compared one after the other.
bool expand_extremum(IntrinsicInst &call, StringRef name) {
  const auto step = StringSwitch<Intrinsic::ID>(name)
                        .Case("llvm.vector.reduce.fmax", Intrinsic::maxnum)
                        .Case("llvm.vector.reduce.fmin", Intrinsic::minnum)
                        .Case("llvm.vector.reduce.fmaximum", Intrinsic::maximum)
                        .Case("llvm.vector.reduce.fminimum", Intrinsic::minimum)
                        .Default(Intrinsic::not_intrinsic);
  auto *type = step ? dyn_cast<FixedVectorType>(call.getArgOperand(0)->getType()) : nullptr;
  if (!type)
    return false;
  IRBuilder<> builder(&call);
  Value *result = builder.CreateExtractElement(call.getArgOperand(0), std::uint64_t(0));
  for (unsigned index = 1; index < type->getNumElements(); ++index)
    result = builder.CreateBinaryIntrinsic(step, result,
                                           builder.CreateExtractElement(call.getArgOperand(0), std::uint64_t(index)));
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
  return true;
}

} // namespace

bool expand_vector_intrinsics(Function &function) {
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *call = dyn_cast<IntrinsicInst>(&instruction);
    StringRef name = call ? Intrinsic::getBaseName(call->getIntrinsicID()) : StringRef();
    if (call && expand_extremum(*call, name)) {
      changed = true;
      continue;
    }
    if (!name.consume_front("llvm.x86."))
      continue;
    Value *result = Expansion(*call, name).result();
    if (!result && name.consume_front("avx512."))
      result = expand_avx512_intrinsic(*call, name);
    if (result) {
      call->replaceAllUsesWith(result);
      call->eraseFromParent();
      changed = true;
    }
  }
  return changed;
}

} // namespace assay::engine
