#include "core/engine/emit/warp_code.hpp"
#include "core/engine/rules/own_function.hpp"
#include "core/engine/support/adjoint_sums.hpp"
#include "core/engine/support/device_target.hpp"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace assay::engine {

static constexpr unsigned bounds = lanes_of_warp - 1; ///< A shuffle among all lanes.

SmallVector<Value *, 2> WarpCode::words_of(Value *address) {
  const bool is_short = is_in(*address->getType(), DeviceMemory::shared); // all of it within 32 bits
  Value *bits = builder_.CreatePtrToInt(address, builder_.getInt64Ty());
  SmallVector<Value *, 2> words{builder_.CreateTrunc(bits, builder_.getInt32Ty())};
  if (!is_short)
    words.push_back(builder_.CreateTrunc(builder_.CreateLShr(bits, 32), builder_.getInt32Ty()));
  return words;
}

Value *WarpCode::all_equal_after(ArrayRef<Value *> words, function_ref<Value *(Value *)> move) {
  Value *alike = builder_.getTrue();
  for (Value *word : words)
    alike = builder_.CreateAnd(alike, builder_.CreateICmpEQ(word, move(word)));
  return builder_.CreateIntrinsic(Intrinsic::nvvm_vote_all_sync, {members_, alike});
}

Value *WarpCode::broadcast_first(Value *word) {
  return builder_.CreateIntrinsic(Intrinsic::nvvm_shfl_sync_idx_i32,
                                  {members_, word, builder_.getInt32(0), builder_.getInt32(bounds)});
}

Value *WarpCode::butterfly_word(Value *word, unsigned distance) {
  return builder_.CreateIntrinsic(Intrinsic::nvvm_shfl_sync_bfly_i32,
                                  {members_, word, builder_.getInt32(distance), builder_.getInt32(bounds)});
}

Value *WarpCode::has_lane(unsigned distance) {
  if (isa<ConstantInt>(members_)) // all
    return builder_.getTrue();
  return builder_.CreateICmpNE(builder_.CreateAnd(members_, builder_.getInt32(1U << distance)), builder_.getInt32(0));
}

Value *WarpCode::moved(Value *number, function_ref<Value *(Value *)> move) {
  if (number->getType()->isFloatTy())
    return builder_.CreateBitCast(move(builder_.CreateBitCast(number, builder_.getInt32Ty())), number->getType());
  Value *bits = builder_.CreateBitCast(number, builder_.getInt64Ty());
  Value *low = move(builder_.CreateTrunc(bits, builder_.getInt32Ty()));
  Value *high = move(builder_.CreateTrunc(builder_.CreateLShr(bits, 32), builder_.getInt32Ty()));
  bits = builder_.CreateOr(builder_.CreateShl(builder_.CreateZExt(high, builder_.getInt64Ty()), 32),
                           builder_.CreateZExt(low, builder_.getInt64Ty()));
  return builder_.CreateBitCast(bits, number->getType());
}

Value *WarpCode::butterfly(Value *number, unsigned distance) {
  return moved(number, [&](Value *word) { return butterfly_word(word, distance); });
}

Value *WarpCode::number_of(Value *number, Value *lane) {
  Value *source = builder_.CreateAnd(lane, bounds);
  return moved(number, [&](Value *word) {
    return builder_.CreateIntrinsic(Intrinsic::nvvm_shfl_sync_idx_i32,
                                    {members_, word, source, builder_.getInt32(bounds)});
  });
}

Value *WarpCode::plus_butterfly(Value *number, unsigned distance) {
  return builder_.CreateFAdd(number, butterfly(number, distance));
}

Value *WarpCode::lane() {
  return builder_.CreateIntrinsic(builder_.getInt32Ty(), Intrinsic::nvvm_read_ptx_sreg_laneid, {});
}

void WarpCode::wait() {
  builder_.CreateIntrinsic(builder_.getVoidTy(), Intrinsic::nvvm_bar_warp_sync, {members_})
      ->setMetadata(own_wait, MDNode::get(builder_.getContext(), {}));
}

Value *WarpCode::has_lane_bit(Value *lane, unsigned distance) {
  return builder_.CreateICmpNE(builder_.CreateAnd(lane, distance), builder_.getInt32(0));
}

void mark_warp_add(Function &function) {
  function.setConvergent();
  function.setMemoryEffects(effects_of_warp_adds());
}

Function *warp_add_of_several(Module &module, StringRef prefix, Type *type, PointerType *address,
                              ArrayRef<std::int64_t> distances, function_ref<void(Function &)> write) {
  std::string name = prefix.str();
  raw_string_ostream text(name);
  text << *type << '.' << address->getAddressSpace();
  for (const std::int64_t distance : distances)
    text << '.' << distance;
  SmallVector<Type *, 10> parameters(distances.size() + 1, type);
  parameters.front() = address;
  auto *signature = FunctionType::get(Type::getVoidTy(module.getContext()), parameters, false);
  return own_function(module, name, signature, [&](Function &function) {
    mark_warp_add(function);
    function.addFnAttr(Attribute::NoInline);
    write(function);
  });
}

BasicBlock *block_of(Function &function, const Twine &name) {
  return BasicBlock::Create(function.getContext(), name, &function);
}

} // namespace assay::engine
