#include "core/engine/prepare/masked_memory.hpp"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// A masked access in one form. Lanes lie side by side behind `pointer`, or each behind its own of `pointers`.
struct Access {
  IntrinsicInst *call = nullptr;
  FixedVectorType *type = nullptr;
  Value *mask = nullptr;     ///< A vector of i1, or of numbers whose sign counts.
  Value *pointer = nullptr;  ///< The first lane, or the base of a gather.
  Value *pointers = nullptr; ///< Null where lanes lie side by side.
  Value *indices = nullptr;  ///< With `scale`: the lane lies that many bytes behind `pointer`.
  Value *scale = nullptr;
  Value *stored = nullptr;    ///< Null for loads.
  Value *otherwise = nullptr; ///< What the lanes of a load are that the mask leaves out.
  bool is_packed = false;     ///< Only the lanes of the mask take part in memory.
};

FixedVectorType *fixed(Type *type) {
  return dyn_cast<FixedVectorType>(type);
}

std::optional<Access> x86_access(IntrinsicInst &call) {
  const StringRef name = Intrinsic::getBaseName(call.getIntrinsicID());
  Access access{&call};
  if (name.starts_with("llvm.x86.avx2.gather.") || name.starts_with("llvm.x86.avx512.mask.gather")) {
    access.type = fixed(call.getType());
    access.otherwise = call.getArgOperand(0);
    access.pointer = call.getArgOperand(1);
    access.indices = call.getArgOperand(2);
    access.mask = call.getArgOperand(3);
    access.scale = call.getArgOperand(4);
    return access;
  }
  if (name.starts_with("llvm.x86.avx512.mask.scatter")) {
    access.pointer = call.getArgOperand(0);
    access.mask = call.getArgOperand(1);
    access.indices = call.getArgOperand(2);
    access.stored = call.getArgOperand(3);
    access.scale = call.getArgOperand(4);
    access.type = fixed(access.stored->getType());
    return access;
  }
  const bool is_load = name.contains("maskload"), is_store = name.contains("maskstore");
  if (!name.starts_with("llvm.x86.avx") || (!is_load && !is_store))
    return std::nullopt;
  access.pointer = call.getArgOperand(0);
  access.mask = call.getArgOperand(1);
  access.stored = is_store ? call.getArgOperand(2) : nullptr;
  access.type = fixed(is_store ? access.stored->getType() : call.getType());
  access.otherwise = is_load ? Constant::getNullValue(call.getType()) : nullptr;
  return access;
}

std::optional<Access> access_of(IntrinsicInst &call) {
  Access access{&call};
  switch (call.getIntrinsicID()) {
  case Intrinsic::masked_load:
  case Intrinsic::masked_expandload:
    access.pointer = call.getArgOperand(0);
    access.mask = call.getArgOperand(1);
    access.otherwise = call.getArgOperand(2);
    break;
  case Intrinsic::masked_gather:
    access.pointers = call.getArgOperand(0);
    access.mask = call.getArgOperand(1);
    access.otherwise = call.getArgOperand(2);
    break;
  case Intrinsic::masked_store:
  case Intrinsic::masked_compressstore:
    access.stored = call.getArgOperand(0);
    access.pointer = call.getArgOperand(1);
    access.mask = call.getArgOperand(2);
    break;
  case Intrinsic::masked_scatter:
    access.stored = call.getArgOperand(0);
    access.pointers = call.getArgOperand(1);
    access.mask = call.getArgOperand(2);
    break;
  default:
    return x86_access(call);
  }
  access.is_packed =
      call.getIntrinsicID() == Intrinsic::masked_expandload || call.getIntrinsicID() == Intrinsic::masked_compressstore;
  access.type = fixed(access.stored ? access.stored->getType() : call.getType());
  return access.type ? std::optional(access) : std::nullopt;
}

class LaneWriter {
public:
  explicit LaneWriter(const Access &access)
      : access_(access), builder_(access.call), result_(access.otherwise), position_(builder_.getInt64(0)) {}

  void run() {
    for (unsigned lane = 0; lane < access_.type->getNumElements(); ++lane)
      write(lane);
    if (result_)
      access_.call->replaceAllUsesWith(result_);
    access_.call->eraseFromParent();
  }

private:
  Value *lane_of(Value *vector, unsigned lane) { return builder_.CreateExtractElement(vector, std::uint64_t(lane)); }

  Value *condition(unsigned lane) {
    Value *mask = lane_of(access_.mask, lane);
    if (mask->getType()->isIntegerTy(1))
      return mask;
    Type *integer = builder_.getIntNTy(mask->getType()->getScalarSizeInBits());
    Value *bits = builder_.CreateBitCast(mask, integer);
    return builder_.CreateICmpSLT(bits, Constant::getNullValue(integer));
  }

  Value *place(unsigned lane) {
    if (access_.pointers)
      return lane_of(access_.pointers, lane);
    if (access_.indices) {
      Value *index = builder_.CreateSExt(lane_of(access_.indices, lane), builder_.getInt64Ty());
      Value *scale = builder_.CreateZExt(access_.scale, builder_.getInt64Ty());
      return builder_.CreatePtrAdd(access_.pointer, builder_.CreateMul(index, scale));
    }
    Value *index = access_.is_packed ? position_ : builder_.getInt64(lane);
    return builder_.CreateGEP(access_.type->getElementType(), access_.pointer, index);
  }

  Align alignment() const {
    const unsigned pointer = access_.stored && !access_.call->getCalledFunction()->getName().contains("x86") ? 1 : 0;
    const Align whole = access_.call->getParamAlign(pointer).valueOrOne();
    const std::uint64_t element = access_.type->getScalarSizeInBits() / 8;
    return access_.pointers ? whole : commonAlignment(whole, element);
  }

  /// The access of one lane, at the builder's place; what was loaded.
  Value *access_lane(unsigned lane) {
    Value *pointer = place(lane);
    Instruction *made = access_.stored
                            ? static_cast<Instruction *>(
                                  builder_.CreateAlignedStore(lane_of(access_.stored, lane), pointer, alignment()))
                            : builder_.CreateAlignedLoad(access_.type->getElementType(), pointer, alignment());
    made->setMetadata(LLVMContext::MD_tbaa, access_.call->getMetadata(LLVMContext::MD_tbaa));
    return access_.stored ? nullptr : made;
  }

  void insert(Value *loaded, unsigned lane) {
    if (loaded)
      result_ = builder_.CreateInsertElement(result_, loaded, std::uint64_t(lane));
  }

  void write(unsigned lane) {
    Value *active = condition(lane);
    if (auto *known = dyn_cast<ConstantInt>(active)) {
      if (known->isZero())
        return;
      insert(access_lane(lane), lane);
      position_ = builder_.CreateAdd(position_, builder_.getInt64(1));
      return;
    }
    Value *before = result_ ? lane_of(result_, lane) : nullptr;
    BasicBlock *head = builder_.GetInsertBlock();
    Instruction *then = SplitBlockAndInsertIfThen(active, access_.call, /*Unreachable=*/false);
    builder_.SetInsertPoint(then);
    Value *loaded = access_lane(lane);
    Value *next = builder_.CreateAdd(position_, builder_.getInt64(1));
    builder_.SetInsertPoint(access_.call);
    const auto joined = [&](Value *taken, Value *skipped) {
      PHINode *phi = PHINode::Create(taken->getType(), 2, "", access_.call->getParent()->begin());
      phi->addIncoming(taken, then->getParent());
      phi->addIncoming(skipped, head);
      return phi;
    };
    if (access_.is_packed)
      position_ = joined(next, position_);
    if (loaded)
      insert(joined(loaded, before), lane);
  }

  const Access &access_;
  IRBuilder<> builder_;
  Value *result_;
  Value *position_; ///< How many lanes were taken before this one.
};

} // namespace

bool expand_masked_memory(Function &function) {
  SmallVector<Access, 4> accesses;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
      if (std::optional<Access> access = access_of(*call))
        accesses.push_back(*access);
  for (const Access &access : accesses)
    LaneWriter(access).run();
  return !accesses.empty();
}

} // namespace assay::engine
