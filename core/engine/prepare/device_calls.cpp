#include "core/engine/prepare/device_calls.hpp"
#include "core/engine/rules/own_function.hpp"
#include "core/engine/support/device_target.hpp"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// A call of a function of the device's library on one number.
Value *device_call(IRBuilder<> &builder, StringRef name, Value *x) {
  Type *type = x->getType();
  const std::string full_name = (device_library_prefix + name + (type->isFloatTy() ? "f" : "")).str();
  Module &module = *builder.GetInsertBlock()->getModule();
  CallInst *call =
      builder.CreateCall(module.getOrInsertFunction(full_name, FunctionType::get(type, {type}, false)), {x});
  call->setDoesNotAccessMemory();
  call->setDoesNotThrow();
  call->addFnAttr(Attribute::WillReturn);
  return call;
}

/// f(x, s, c): the sine behind the second argument, the cosine behind the third.
Value *expand_pair(IRBuilder<> &builder, CallInst &call, StringRef sine, StringRef cosine) {
  Value *x = call.getArgOperand(0);
  Value *first = device_call(builder, sine, x), *second = device_call(builder, cosine, x);
  builder.CreateStore(first, call.getArgOperand(1));
  builder.CreateStore(second, call.getArgOperand(2));
  return nullptr;
}
Value *expand_sincos(IRBuilder<> &builder, CallInst &call) {
  return expand_pair(builder, call, "sin", "cos");
}
Value *expand_fast_sincos(IRBuilder<> &builder, CallInst &call) {
  return expand_pair(builder, call, "fast_sin", "fast_cos");
}
Value *expand_sincospi(IRBuilder<> &builder, CallInst &call) {
  return expand_pair(builder, call, "sinpi", "cospi");
}

/// modf(x, p): the integral part has no derivative. Infinities have a fraction of zero.
Value *expand_modf(IRBuilder<> &builder, CallInst &call) {
  Value *x = call.getArgOperand(0);
  Type *type = x->getType();
  Value *whole = builder.CreateUnaryIntrinsic(Intrinsic::trunc, x);
  builder.CreateStore(whole, call.getArgOperand(1));
  Value *size = builder.CreateUnaryIntrinsic(Intrinsic::fabs, x);
  Value *infinite = builder.CreateFCmpOEQ(size, ConstantFP::getInfinity(type));
  Value *signed_zero = builder.CreateBinaryIntrinsic(Intrinsic::copysign, Constant::getNullValue(type), x);
  Value *rest = builder.CreateFSub(x, whole);
  Value *zero = builder.CreateFCmpOEQ(rest, Constant::getNullValue(type));
  return builder.CreateSelect(builder.CreateOr(infinite, zero), signed_zero, rest);
}

Value *expand_bit_move(IRBuilder<> &builder, CallInst &call) {
  return builder.CreateBitCast(call.getArgOperand(0), call.getType());
}

Value *half_of_double(IRBuilder<> &builder, CallInst &call, unsigned shift) {
  Value *bits = builder.CreateBitCast(call.getArgOperand(0), builder.getInt64Ty());
  return builder.CreateTrunc(shift ? builder.CreateLShr(bits, shift) : bits, call.getType());
}
Value *expand_low(IRBuilder<> &builder, CallInst &call) {
  return half_of_double(builder, call, 0);
}
Value *expand_high(IRBuilder<> &builder, CallInst &call) {
  return half_of_double(builder, call, 32);
}

Value *double_of_halves(IRBuilder<> &builder, CallInst &call, Value *high, Value *low) {
  Value *upper = builder.CreateShl(builder.CreateZExt(high, builder.getInt64Ty()), 32);
  Value *bits = builder.CreateOr(upper, builder.CreateZExt(low, builder.getInt64Ty()));
  return builder.CreateBitCast(bits, call.getType());
}
Value *expand_high_low(IRBuilder<> &builder, CallInst &call) {
  return double_of_halves(builder, call, call.getArgOperand(0), call.getArgOperand(1));
}
Value *expand_low_high(IRBuilder<> &builder, CallInst &call) {
  return double_of_halves(builder, call, call.getArgOperand(1), call.getArgOperand(0));
}

/// sqrt(p[0]^2 + ... + p[n - 1]^2), or its reciprocal, in double; zero, whose root has no slope, has the norm zero.
void write_norm(Function &function, bool is_reciprocal) {
  LLVMContext &context = function.getContext();
  auto *entry = BasicBlock::Create(context, "", &function);
  auto *loop = BasicBlock::Create(context, "loop", &function);
  auto *end = BasicBlock::Create(context, "end", &function);
  Value *count = function.getArg(0);
  IRBuilder<> builder(entry);
  Type *wide = builder.getDoubleTy();
  Constant *zero = ConstantFP::get(wide, 0), *one = ConstantFP::get(wide, 1);
  builder.CreateCondBr(builder.CreateICmpSGT(count, builder.getInt32(0)), loop, end);
  builder.SetInsertPoint(loop);
  PHINode *index = builder.CreatePHI(builder.getInt32Ty(), 2), *sum = builder.CreatePHI(wide, 2);
  Value *place = builder.CreateInBoundsGEP(function.getReturnType(), function.getArg(1),
                                           builder.CreateZExt(index, builder.getInt64Ty()));
  Value *number = builder.CreateFPCast(builder.CreateLoad(function.getReturnType(), place), wide);
  Value *longer = builder.CreateFAdd(sum, builder.CreateFMul(number, number));
  Value *next = builder.CreateAdd(index, builder.getInt32(1), "", true, true);
  index->addIncoming(builder.getInt32(0), entry);
  index->addIncoming(next, loop);
  sum->addIncoming(zero, entry);
  sum->addIncoming(longer, loop);
  builder.CreateCondBr(builder.CreateICmpSLT(next, count), loop, end);
  builder.SetInsertPoint(end);
  PHINode *total = builder.CreatePHI(wide, 2);
  total->addIncoming(zero, entry);
  total->addIncoming(longer, loop);
  Value *is_zero = builder.CreateFCmpOEQ(total, zero);
  Value *root = builder.CreateUnaryIntrinsic(Intrinsic::sqrt, builder.CreateSelect(is_zero, one, total));
  Value *result = is_reciprocal
                      ? builder.CreateSelect(is_zero, ConstantFP::getInfinity(wide), builder.CreateFDiv(one, root))
                      : builder.CreateSelect(is_zero, zero, root);
  builder.CreateRet(builder.CreateFPCast(result, function.getReturnType()));
}

Value *norm(IRBuilder<> &builder, CallInst &call, bool is_reciprocal) {
  const std::string name =
      ("assay.device." + call.getCalledFunction()->getName().substr(device_library_prefix.size())).str();
  Function *function = own_function(*call.getModule(), name, call.getFunctionType(),
                                    [&](Function &written) { write_norm(written, is_reciprocal); });
  // The library always takes the first number.
  Value *count = call.getArgOperand(0);
  count = builder.CreateBinaryIntrinsic(Intrinsic::smax, count, ConstantInt::get(count->getType(), 1));
  return builder.CreateCall(function, {count, call.getArgOperand(1)});
}
Value *expand_norm(IRBuilder<> &builder, CallInst &call) {
  return norm(builder, call, false);
}
Value *expand_reciprocal_norm(IRBuilder<> &builder, CallInst &call) {
  return norm(builder, call, true);
}

/// To nearest, ties to even, as the instruction rounds.
Value *expand_truncation(IRBuilder<> &builder, CallInst &call) {
  return builder.CreateFPTrunc(call.getArgOperand(0), call.getType());
}

/// An atomic addition within a block, or with the host.
Value *expand_atomic_add(IRBuilder<> &builder, CallInst &call) {
  const bool in_block = call.getIntrinsicID() == Intrinsic::nvvm_atomic_add_gen_f_cta;
  const SyncScope::ID scope =
      in_block ? call.getContext().getOrInsertSyncScopeID("block") : SyncScope::ID(SyncScope::System);
  return builder.CreateAtomicRMW(AtomicRMWInst::FAdd, call.getArgOperand(0), call.getArgOperand(1), MaybeAlign(),
                                 AtomicOrdering::Monotonic, scope);
}

using Expansion = Value *(*)(IRBuilder<> &, CallInst &);

Expansion expansion_of_library(StringRef name) {
  return StringSwitch<Expansion>(name)
      .Cases({"sincos", "sincosf"}, expand_sincos)
      .Case("fast_sincosf", expand_fast_sincos)
      .Cases({"sincospi", "sincospif"}, expand_sincospi)
      .Cases({"modf", "modff"}, expand_modf)
      .Cases({"float_as_int", "float_as_uint", "int_as_float", "uint_as_float"}, expand_bit_move)
      .Cases({"double_as_longlong", "longlong_as_double"}, expand_bit_move)
      .Cases({"norm", "normf"}, expand_norm)
      .Cases({"rnorm", "rnormf"}, expand_reciprocal_norm)
      .Case("double2loint", expand_low)
      .Case("double2hiint", expand_high)
      .Case("hiloint2double", expand_high_low)
      .Case("double2float_rn", expand_truncation)
      .Default(nullptr);
}

Expansion expansion_of_intrinsic(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::nvvm_d2i_lo:
    return expand_low;
  case Intrinsic::nvvm_d2i_hi:
    return expand_high;
  case Intrinsic::nvvm_lohi_i2d:
    return expand_low_high;
  case Intrinsic::nvvm_d2f_rn:
    return expand_truncation;
  case Intrinsic::nvvm_atomic_add_gen_f_cta:
  case Intrinsic::nvvm_atomic_add_gen_f_sys:
    return expand_atomic_add;
  case Intrinsic::nvvm_move_float:
  case Intrinsic::nvvm_move_double:
    return expand_bit_move;
  default:
    return nullptr;
  }
}

Expansion expansion_of(const CallInst &call) {
  const Function *callee = call.getCalledFunction();
  if (!callee)
    return nullptr;
  if (callee->isIntrinsic())
    return expansion_of_intrinsic(callee->getIntrinsicID());
  StringRef name = callee->getName();
  return name.consume_front(device_library_prefix) ? expansion_of_library(name) : nullptr;
}

} // namespace

bool expand_device_calls(Function &function) {
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *call = dyn_cast<CallInst>(&instruction);
    const Expansion expand = call ? expansion_of(*call) : nullptr;
    if (!expand)
      continue;
    IRBuilder<> builder(call);
    if (Value *result = expand(builder, *call))
      call->replaceAllUsesWith(result);
    call->eraseFromParent();
    changed = true;
  }
  return changed;
}

} // namespace assay::engine
