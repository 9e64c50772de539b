#include "core/engine/rules/shuffles.hpp"
#include "core/engine/rules/own_function.hpp"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr unsigned lanes = 32;
constexpr StringLiteral double_prefix = "assay.shuffle.";

struct Spelled {
  ShuffleKind kind;
  StringLiteral name;
  Intrinsic::ID of_float, of_word;
};
constexpr Spelled spellings[] = {
    {ShuffleKind::index, "assay.shuffle.idx", Intrinsic::nvvm_shfl_sync_idx_f32, Intrinsic::nvvm_shfl_sync_idx_i32},
    {ShuffleKind::up, "assay.shuffle.up", Intrinsic::nvvm_shfl_sync_up_f32, Intrinsic::nvvm_shfl_sync_up_i32},
    {ShuffleKind::down, "assay.shuffle.down", Intrinsic::nvvm_shfl_sync_down_f32, Intrinsic::nvvm_shfl_sync_down_i32},
    {ShuffleKind::butterfly, "assay.shuffle.bfly", Intrinsic::nvvm_shfl_sync_bfly_f32,
     Intrinsic::nvvm_shfl_sync_bfly_i32},
};

const Spelled &spelling_of(ShuffleKind kind) {
  return *find_if(spellings, [&](const Spelled &spelled) { return spelled.kind == kind; });
}

/// Shuffles are moved and repeated as little as barriers.
void mark_convergent(Function &function) {
  function.setConvergent();
  function.setOnlyAccessesInaccessibleMemory();
  function.setWillReturn();
}

void write_double_shuffle(Function &function, ShuffleKind kind) {
  IRBuilder<> builder(BasicBlock::Create(function.getContext(), "", &function));
  Value *bits = builder.CreateBitCast(function.getArg(1), builder.getInt64Ty());
  const auto move = [&](Value *word) {
    Value *moved = emit_shuffle(
        builder, kind,
        {function.getArg(0), builder.CreateTrunc(word, builder.getInt32Ty()), function.getArg(2), function.getArg(3)});
    return builder.CreateZExt(moved, builder.getInt64Ty());
  };
  Value *low = move(bits);
  Value *high = builder.CreateShl(move(builder.CreateLShr(bits, 32)), 32);
  builder.CreateRet(builder.CreateBitCast(builder.CreateOr(high, low), function.getReturnType()));
}

Function *double_shuffle(Module &module, ShuffleKind kind) {
  LLVMContext &context = module.getContext();
  Type *word = Type::getInt32Ty(context), *number = Type::getDoubleTy(context);
  auto *type = FunctionType::get(number, {word, number, word, word}, false);
  return own_function(module, spelling_of(kind).name, type, [&](Function &function) {
    mark_convergent(function);
    write_double_shuffle(function, kind);
  });
}

void write_gather(Function &function) {
  LLVMContext &context = function.getContext();
  Value *members = function.getArg(0), *value = function.getArg(1), *source = function.getArg(2);
  auto *entry = BasicBlock::Create(context, "", &function);
  auto *loop = BasicBlock::Create(context, "lane", &function);
  auto *done = BasicBlock::Create(context, "done", &function);
  IRBuilder<> builder(entry);
  Value *self = builder.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_laneid, {});
  builder.CreateBr(loop);
  builder.SetInsertPoint(loop);
  PHINode *lane = builder.CreatePHI(builder.getInt32Ty(), 2), *sum = builder.CreatePHI(value->getType(), 2);
  Value *whole = builder.getInt32(lanes - 1);
  Value *wanted = emit_shuffle(builder, ShuffleKind::index, {members, source, lane, whole});
  Value *theirs = emit_shuffle(builder, ShuffleKind::index, {members, value, lane, whole});
  Value *takes_part = builder.CreateTrunc(builder.CreateLShr(members, lane), builder.getInt1Ty());
  Value *is_mine = builder.CreateAnd(takes_part, builder.CreateICmpEQ(wanted, self));
  Value *next_sum = builder.CreateSelect(is_mine, builder.CreateFAdd(sum, theirs), sum);
  Value *next = builder.CreateAdd(lane, builder.getInt32(1));
  lane->addIncoming(builder.getInt32(0), entry);
  lane->addIncoming(next, loop);
  sum->addIncoming(Constant::getNullValue(value->getType()), entry);
  sum->addIncoming(next_sum, loop);
  builder.CreateCondBr(builder.CreateICmpEQ(next, builder.getInt32(lanes)), done, loop);
  builder.SetInsertPoint(done);
  builder.CreateRet(next_sum);
}

const Function *called(const Instruction &instruction) {
  const auto *call = dyn_cast<CallInst>(&instruction);
  return call ? call->getCalledFunction() : nullptr;
}

} // namespace

std::optional<ShuffleKind> shuffle_of_numbers(const Instruction &instruction) {
  const Function *callee = called(instruction);
  if (callee && (callee->isIntrinsic() || callee->getName().starts_with(double_prefix)))
    for (const Spelled &spelled : spellings)
      if (callee->isIntrinsic() ? callee->getIntrinsicID() == spelled.of_float : callee->getName() == spelled.name)
        return spelled.kind;
  return std::nullopt;
}

std::optional<ShuffleKind> shuffle_of_words(const Instruction &instruction) {
  const Function *callee = called(instruction);
  if (callee && callee->isIntrinsic())
    for (const Spelled &spelled : spellings)
      if (callee->getIntrinsicID() == spelled.of_word)
        return spelled.kind;
  return std::nullopt;
}

ShuffleOperands shuffle_operands(const CallBase &shuffle) {
  return {shuffle.getArgOperand(0), shuffle.getArgOperand(1), shuffle.getArgOperand(2), shuffle.getArgOperand(3)};
}

Value *emit_shuffle(IRBuilderBase &builder, ShuffleKind kind, const ShuffleOperands &operands) {
  Module &module = *builder.GetInsertBlock()->getModule();
  Value *arguments[] = {operands.members, operands.value, operands.distance, operands.bounds};
  Type *type = operands.value->getType();
  if (!type->isDoubleTy())
    return builder.CreateIntrinsic(type, type->isFloatTy() ? spelling_of(kind).of_float : spelling_of(kind).of_word,
                                   arguments);
  CallInst *call = builder.CreateCall(double_shuffle(module, kind), arguments);
  call->setConvergent();
  return call;
}

Value *emit_gather_from_lanes(IRBuilderBase &builder, Value *members, Value *value, Value *source) {
  Module &module = *builder.GetInsertBlock()->getModule();
  Type *word = builder.getInt32Ty(), *type = value->getType();
  auto *signature = FunctionType::get(type, {word, type, word}, false);
  Function *gather = own_function(module, type->isFloatTy() ? "assay.gather.lanes.f32" : "assay.gather.lanes.f64",
                                  signature, [](Function &function) {
                                    mark_convergent(function);
                                    write_gather(function);
                                  });
  CallInst *call = builder.CreateCall(gather, {members, value, source});
  call->setConvergent();
  return call;
}

} // namespace assay::engine
