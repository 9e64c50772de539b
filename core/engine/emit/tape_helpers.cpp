#include "core/engine/emit/tape_helpers.hpp"
#include "core/engine/emit/tape_memory.hpp"
#include "core/engine/emit/tape_pool.hpp"
#include "core/engine/emit/tape_words.hpp"
#include "core/engine/rules/own_function.hpp"
#include "core/engine/support/convention_names.hpp"
#include "core/engine/support/device_target.hpp"
#include "core/engine/support/library_bodies.hpp"
#include "core/engine/support/memory_calls.hpp"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace assay::engine {

StructType *tape_state_type(LLVMContext &context) {
  Type *word = Type::getInt64Ty(context);
  return StructType::get(PointerType::getUnqual(context), word, word);
}

namespace {

constexpr std::uint64_t first_capacity = 4096;
constexpr std::uint64_t first_capacity_in_pool = 256, first_capacity_on_device = 256; // a call, a thread

std::uint64_t least_capacity(const Module &module, TapeHome home) {
  if (is_device_code(module))
    return first_capacity_on_device;
  return home == TapeHome::pool ? first_capacity_in_pool : first_capacity;
}

/// A function of a tape's state and a number of bytes, which may grow the tape; and of what else it is to tell.
Function *growing_function(Module &module, StringRef name, Type *result, function_ref<void(Function &)> write,
                           ArrayRef<Type *> more = {}) {
  LLVMContext &context = module.getContext();
  SmallVector<Type *, 3> parameters{PointerType::getUnqual(context), Type::getInt64Ty(context)};
  parameters.append(more.begin(), more.end());
  auto *type = FunctionType::get(result, parameters, false);
  return own_function(module, name, type, [&](Function &function) {
    function.addFnAttr(Attribute::AlwaysInline);
    write(function);
  });
}

Value *emit_reallocation(IRBuilder<> &builder, Value *buffer, Value *bytes) {
  Module &module = *builder.GetInsertBlock()->getModule();
  builder.CreateCall(library_helper(module, "assay.memory.expect"), {bytes});
  return builder.CreateCall(realloc_function(module), {buffer, bytes});
}

/// A tape of words has more to tell where it grows.
bool has_words(const Function &growing) {
  return growing.arg_size() > 2;
}
void tell_of_words(IRBuilder<> &builder, Value *buffer, Value *position) {
  Function &function = *builder.GetInsertBlock()->getParent();
  Value *stride = emit_tape_stride(builder, buffer);
  builder.CreateStore(stride, function.getArg(2));
  const TapeWords words{in_global_memory(builder, buffer), stride};
  builder.CreateStore(word_address(builder, words, position, tape_word_bytes), function.getArg(3));
}

Value *emit_larger_copy(IRBuilder<> &builder, Value *buffer, Value *old_bytes, Value *bytes) {
  Function &function = *builder.GetInsertBlock()->getParent();
  Module &module = *function.getParent();
  const FunctionCallee grow = has_words(function) ? tape_grow_words_function(module) : tape_grow_function(module);
  return builder.CreateCall(grow, {buffer, old_bytes, bytes});
}

Value *round_up_to_words(IRBuilder<> &builder, Value *bytes) {
  return builder.CreateAnd(builder.CreateAdd(bytes, builder.getInt64(tape_word_bytes - 1)),
                           builder.getInt64(-tape_word_bytes));
}

struct Growth {
  Value *buffer, *old_bytes, *bytes;
  TapeHome home;
};

Value *emit_larger_buffer(IRBuilder<> &builder, const Growth &growth) {
  Module &module = *builder.GetInsertBlock()->getModule();
  if (is_device_code(module))
    return emit_larger_copy(builder, growth.buffer, growth.old_bytes, growth.bytes);
  if (growth.home == TapeHome::pool)
    return builder.CreateCall(pool_grow_function(module), {growth.buffer, growth.old_bytes, growth.bytes});
  return emit_reallocation(builder, growth.buffer, growth.bytes);
}

/// Emits: if (position + bytes > capacity) grow. Returns the block that goes on, and the wanted end of the buffer.
Value *emit_growth(Function &function, IRBuilder<> &builder, Value *position, TapeHome home) {
  Module &module = *function.getParent();
  LLVMContext &context = module.getContext();
  Value *state = function.getArg(0), *bytes = function.getArg(1);
  StructType *type = tape_state_type(context);
  Value *capacity_place = builder.CreateStructGEP(type, state, 1);
  Value *capacity = builder.CreateLoad(builder.getInt64Ty(), capacity_place);
  Value *end = builder.CreateAdd(position, bytes, "", true, true);
  auto *grow = BasicBlock::Create(context, "grow", &function);
  auto *failed = BasicBlock::Create(context, "failed", &function);
  auto *grown = BasicBlock::Create(context, "grown", &function);
  auto *ready = BasicBlock::Create(context, "ready", &function);
  MDNode *rarely = MDBuilder(context).createBranchWeights(1, 2000);
  builder.CreateCondBr(builder.CreateICmpUGT(end, capacity), grow, ready, rarely);

  builder.SetInsertPoint(grow);
  Value *doubled = builder.CreateShl(capacity, 1);
  Value *larger = builder.CreateBinaryIntrinsic(Intrinsic::umax, end, doubled);
  larger = builder.CreateBinaryIntrinsic(Intrinsic::umax, larger, builder.getInt64(least_capacity(module, home)));
  if (has_words(function))
    larger = round_up_to_words(builder, larger);
  Value *buffer = builder.CreateLoad(builder.getPtrTy(), state);
  Value *fresh = emit_larger_buffer(builder, {buffer, capacity, larger, home});
  builder.CreateCondBr(builder.CreateIsNull(fresh), failed, grown, rarely);

  builder.SetInsertPoint(failed); // out of memory: there is no way to go on
  builder.CreateIntrinsic(builder.getVoidTy(), Intrinsic::trap, {});
  builder.CreateUnreachable();

  builder.SetInsertPoint(grown);
  builder.CreateStore(fresh, state);
  builder.CreateStore(larger, capacity_place);
  if (has_words(function))
    tell_of_words(builder, fresh, position);
  builder.CreateBr(ready);
  builder.SetInsertPoint(ready);
  return end;
}

void write_push(Function &function, TapeHome home) {
  LLVMContext &context = function.getContext();
  IRBuilder<> builder(BasicBlock::Create(context, "", &function));
  Value *position_place = builder.CreateStructGEP(tape_state_type(context), function.getArg(0), 2);
  Value *position = builder.CreateLoad(builder.getInt64Ty(), position_place);
  Value *end = emit_growth(function, builder, position, home);
  builder.CreateStore(end, position_place);
  Value *buffer = builder.CreateLoad(builder.getPtrTy(), function.getArg(0));
  builder.CreateRet(builder.CreateInBoundsPtrAdd(buffer, position));
}

void write_reserve(Function &function, TapeHome home) {
  LLVMContext &context = function.getContext();
  IRBuilder<> builder(BasicBlock::Create(context, "", &function));
  Value *position = builder.CreateLoad(builder.getInt64Ty(),
                                       builder.CreateStructGEP(tape_state_type(context), function.getArg(0), 2));
  emit_growth(function, builder, position, home);
  builder.CreateRetVoid();
}

std::string name_in(TapeHome home, StringRef name) {
  return (home == TapeHome::pool ? name + ".pool" : Twine(name)).str();
}

} // namespace

Function *tape_push_function(Module &module, TapeHome home) {
  return growing_function(module, name_in(home, "assay.tape.push"), PointerType::getUnqual(module.getContext()),
                          [&](Function &function) { write_push(function, home); });
}

Function *tape_reserve_words_function(Module &module) {
  return growing_function(module, "assay.tape.reserve.words", Type::getVoidTy(module.getContext()),
                          [](Function &function) { write_reserve(function, TapeHome::heap); },
                          {PointerType::getUnqual(module.getContext()), PointerType::getUnqual(module.getContext())});
}

Function *tape_reserve_function(Module &module, TapeHome home) {
  return growing_function(module, name_in(home, "assay.tape.reserve"), Type::getVoidTy(module.getContext()),
                          [&](Function &function) { write_reserve(function, home); });
}

} // namespace assay::engine
