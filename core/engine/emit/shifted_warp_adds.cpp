#include "core/engine/emit/shifted_warp_adds.hpp"
#include "core/engine/emit/warp_adds.hpp"
#include "core/engine/emit/warp_code.hpp"
#include "core/engine/support/adjoint_sums.hpp"
#include "core/engine/support/lanes_together.hpp"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace assay::engine {
namespace {

class ShiftCode {
public:
  ShiftCode(Function &function, ArrayRef<unsigned> steps)
      : function_(function), steps_(steps), number_(function.getArg(1)->getType()), builder_(block_of(function, "")),
        code_(builder_, function, builder_.getInt32(~0U)) {}

  void write() {
    auto *whole = block_of(function_, "whole"), *beside = block_of(function_, "beside"),
         *alone = block_of(function_, "alone");
    Value *members = builder_.CreateCall(lanes_together_function(*function_.getParent()));
    builder_.CreateCondBr(builder_.CreateICmpEQ(members, builder_.getInt32(~0U)), whole, alone);
    builder_.SetInsertPoint(whole);
    lane_ = code_.lane();
    builder_.CreateCondBr(lanes_lie_beside_each_other(), beside, alone);
    builder_.SetInsertPoint(beside);
    add_shifted();
    builder_.SetInsertPoint(alone);
    for (const auto &[index, step] : enumerate(steps_))
      add_for_device(builder_, place(step), function_.getArg(index + 1));
    builder_.CreateRetVoid();
  }

private:
  Value *place(unsigned step) {
    return step == 0 ? function_.getArg(0) : builder_.CreateConstGEP1_64(number_, function_.getArg(0), step);
  }

  /// The address of each is that of the first and the lane's number of numbers.
  Value *lanes_lie_beside_each_other() {
    const unsigned bytes = function_.getDataLayout().getTypeStoreSize(number_).getFixedValue();
    Value *before = builder_.CreateMul(lane_, builder_.getInt32(bytes));
    Value *start = builder_.CreateGEP(builder_.getInt8Ty(), function_.getArg(0),
                                      builder_.CreateNeg(builder_.CreateZExt(before, builder_.getInt64Ty())));
    return code_.all_equal_after(code_.words_of(start), [&](Value *word) { return code_.broadcast_first(word); });
  }

  void add_shifted() {
    Value *here = ConstantFP::getZero(number_), *behind = here, *zero = here;
    for (const auto &[index, step] : enumerate(steps_)) {
      Value *number = function_.getArg(index + 1);
      if (step == 0) {
        here = number;
        continue;
      }
      Value *moved = code_.number_of(number, builder_.CreateSub(lane_, builder_.getInt32(step)));
      Value *is_here = builder_.CreateICmpUGE(lane_, builder_.getInt32(step));
      here = builder_.CreateFAdd(here, builder_.CreateSelect(is_here, moved, zero));
      behind = builder_.CreateFAdd(behind, builder_.CreateSelect(is_here, zero, moved));
    }
    add_for_device(builder_, place(0), here);
    auto *add = block_of(function_, "behind"), *end = block_of(function_, "end");
    builder_.CreateCondBr(builder_.CreateICmpULT(lane_, builder_.getInt32(steps_.back())), add, end);
    builder_.SetInsertPoint(add);
    add_for_device(builder_, place(lanes_of_warp), behind);
    builder_.CreateBr(end);
    builder_.SetInsertPoint(end);
    code_.wait();
    builder_.CreateRetVoid();
  }

  Function &function_;
  ArrayRef<unsigned> steps_;
  Type *number_;
  IRBuilder<> builder_;
  WarpCode code_;
  Value *lane_ = nullptr;
};

} // namespace

Function *shifted_warp_add_function(Module &module, Type *type, PointerType *address, ArrayRef<unsigned> steps) {
  assert(steps.size() <= most_shifted_sums && steps.front() == 0 && is_sorted(steps) && steps.back() < lanes_of_warp);
  const SmallVector<std::int64_t, most_shifted_sums> distances(steps.begin(), steps.end());
  return warp_add_of_several(module, shifted_warp_add_prefix, type, address, distances,
                             [&](Function &function) { ShiftCode(function, steps).write(); });
}

} // namespace assay::engine
