#include "core/engine/emit/tape_memory.hpp"
#include "core/engine/rules/own_function.hpp"
#include "core/engine/support/convention_names.hpp"
#include "core/engine/support/memory_calls.hpp"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr StringLiteral note_name = "assay.tape.memory";
constexpr Align piece_alignment = Align::Constant<16>();

FunctionType *take_type(LLVMContext &context) {
  return FunctionType::get(PointerType::getUnqual(context), {Type::getInt64Ty(context)}, false);
}
FunctionType *leave_type(LLVMContext &context) {
  return FunctionType::get(Type::getVoidTy(context), {PointerType::getUnqual(context)}, false);
}
FunctionType *grow_type(LLVMContext &context) {
  Type *pointer = PointerType::getUnqual(context), *word = Type::getInt64Ty(context);
  return FunctionType::get(pointer, {pointer, word, word}, false);
}
FunctionType *with_struct(FunctionType *type) {
  SmallVector<Type *, 4> parameters{PointerType::getUnqual(type->getContext())};
  parameters.append(type->param_begin(), type->param_end());
  return FunctionType::get(type->getReturnType(), parameters, false);
}

/// One of the three while derivatives are written. That it means the heap is a body that is never run.
Function *stand_in(Module &module, StringRef name, FunctionType *type, TapeCall kind) {
  return own_function(module, name, type, [&](Function &function) {
    IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", &function));
    SmallVector<Value *, 3> arguments;
    for (Argument &argument : function.args())
      arguments.push_back(&argument);
    Value *result = builder.CreateCall(on_heap(module, kind), arguments);
    if (type->getReturnType()->isVoidTy())
      builder.CreateRetVoid();
    else
      builder.CreateRet(result);
    function.addFnAttr(Attribute::NoInline);
    function.addFnAttr(Attribute::WillReturn);
    if (kind == TapeCall::take) {
      function.setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
      function.addRetAttr(Attribute::NoAlias);
    }
  });
}

/// A device has no realloc. Where there is no memory, nothing is copied and the old buffer is still there.
Value *emit_copy_to(IRBuilder<> &builder, Value *fresh, Value *memory, Value *bytes) {
  Value *kept = builder.CreateSelect(builder.CreateIsNull(fresh), builder.getInt64(0), bytes);
  builder.CreateMemCpy(fresh, MaybeAlign(), memory, MaybeAlign(), kept);
  return fresh;
}

Function *grow_on_heap(Module &module) {
  return own_function(module, tape_grow_on_heap_name, grow_type(module.getContext()), [&](Function &function) {
    IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", &function));
    Value *fresh = builder.CreateCall(malloc_function(module), {function.getArg(2)});
    emit_copy_to(builder, fresh, function.getArg(0), function.getArg(1));
    builder.CreateCall(free_function(module), {function.getArg(0)});
    builder.CreateRet(fresh);
  });
}

/// The struct of a thread's tapes.
class ThreadMemory {
public:
  ThreadMemory(IRBuilder<> &builder, Function &function) : builder_(builder), state_(function.getArg(0)) {
    memory_ = builder.CreateLoad(builder.getPtrTy(), state_);
    bytes_ = builder.CreateLoad(builder.getInt64Ty(), place(1));
  }
  Value *memory() const { return memory_; }
  Value *bytes() const { return bytes_; }
  Value *used() { return builder_.CreateLoad(builder_.getInt64Ty(), place(2)); }
  void set_used(Value *used) { builder_.CreateStore(used, place(2)); }
  void want(Value *more) {
    Value *wanted = builder_.CreateLoad(builder_.getInt64Ty(), place(3));
    builder_.CreateStore(builder_.CreateAdd(wanted, more), place(3));
  }
  /// The offset of `address` in the memory; at least `bytes()` for an address outside of it.
  Value *offset(Value *address) {
    Type *word = builder_.getInt64Ty();
    return builder_.CreateSub(builder_.CreatePtrToInt(address, word), builder_.CreatePtrToInt(memory_, word));
  }
  Value *round_up(Value *bytes) {
    const std::uint64_t most = piece_alignment.value() - 1;
    return builder_.CreateAnd(builder_.CreateAdd(bytes, builder_.getInt64(most)), builder_.getInt64(~most));
  }

private:
  Value *place(unsigned word) { return builder_.CreateConstInBoundsGEP1_64(builder_.getInt64Ty(), state_, word); }

  IRBuilder<> &builder_;
  Value *state_, *memory_, *bytes_;
};

/// Both blocks of a choice; the builder stands in the first.
BasicBlock *branch(IRBuilder<> &builder, Value *condition) {
  Function &function = *builder.GetInsertBlock()->getParent();
  auto *first = BasicBlock::Create(function.getContext(), "", &function);
  auto *second = BasicBlock::Create(function.getContext(), "", &function);
  builder.CreateCondBr(condition, first, second);
  builder.SetInsertPoint(first);
  return second;
}

void write_take(Function &function) {
  IRBuilder<> builder(BasicBlock::Create(function.getContext(), "", &function));
  ThreadMemory tapes(builder, function);
  Value *piece = tapes.round_up(function.getArg(1));
  tapes.want(piece);
  Value *used = tapes.used(), *end = builder.CreateAdd(used, piece);
  BasicBlock *heap = branch(builder, builder.CreateICmpULE(end, tapes.bytes()));
  tapes.set_used(end);
  builder.CreateRet(builder.CreateInBoundsPtrAdd(tapes.memory(), used));
  builder.SetInsertPoint(heap);
  builder.CreateRet(builder.CreateCall(malloc_function(*function.getParent()), {function.getArg(1)}));
}

/// All pieces end with the call of the derivative.
void write_leave(Function &function) {
  IRBuilder<> builder(BasicBlock::Create(function.getContext(), "", &function));
  ThreadMemory tapes(builder, function);
  BasicBlock *heap = branch(builder, builder.CreateICmpULT(tapes.offset(function.getArg(1)), tapes.bytes()));
  builder.CreateRetVoid();
  builder.SetInsertPoint(heap);
  builder.CreateCall(free_function(*function.getParent()), {function.getArg(1)});
  builder.CreateRetVoid();
}

/// In place for the last piece.
void write_grow(Function &function) {
  Module &module = *function.getParent();
  IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", &function));
  ThreadMemory tapes(builder, function);
  Value *memory = function.getArg(1), *old_bytes = function.getArg(2), *bytes = function.getArg(3);
  Value *offset = tapes.offset(memory), *end = builder.CreateAdd(offset, tapes.round_up(bytes));
  Value *is_last = builder.CreateICmpEQ(builder.CreateAdd(offset, tapes.round_up(old_bytes)), tapes.used());
  Value *is_inside = builder.CreateICmpULT(offset, tapes.bytes());
  Value *fits = builder.CreateICmpULE(end, tapes.bytes());
  BasicBlock *elsewhere = branch(builder, builder.CreateAnd(builder.CreateAnd(is_inside, is_last), fits));
  tapes.set_used(end);
  tapes.want(builder.CreateSub(tapes.round_up(bytes), tapes.round_up(old_bytes)));
  builder.CreateRet(memory);
  builder.SetInsertPoint(elsewhere);
  Value *fresh = builder.CreateCall(in_thread_memory(module, TapeCall::take), {function.getArg(0), bytes});
  emit_copy_to(builder, fresh, memory, old_bytes);
  builder.CreateCall(in_thread_memory(module, TapeCall::leave), {function.getArg(0), memory});
  builder.CreateRet(fresh);
}

} // namespace

void note_tape_memory(Module &module) {
  module.getOrInsertNamedMetadata(note_name);
}
bool has_tape_memory(const Module &module) {
  return module.getNamedMetadata(note_name) != nullptr;
}
void forget_tape_memory(Module &module) {
  if (NamedMDNode *note = module.getNamedMetadata(note_name))
    note->eraseFromParent();
}

FunctionCallee tape_take_function(Module &module) {
  if (!has_tape_memory(module))
    return malloc_function(module);
  return stand_in(module, tape_take_name, take_type(module.getContext()), TapeCall::take);
}
FunctionCallee tape_leave_function(Module &module) {
  if (!has_tape_memory(module))
    return free_function(module);
  return stand_in(module, tape_leave_name, leave_type(module.getContext()), TapeCall::leave);
}
Function *tape_grow_function(Module &module) {
  return stand_in(module, tape_grow_name, grow_type(module.getContext()), TapeCall::grow);
}

std::optional<TapeCall> tape_call(const Function &function) {
  if (function.getName() == tape_take_name)
    return TapeCall::take;
  if (function.getName() == tape_grow_name)
    return TapeCall::grow;
  return function.getName() == tape_leave_name ? std::optional(TapeCall::leave) : std::nullopt;
}

FunctionCallee on_heap(Module &module, TapeCall kind) {
  switch (kind) {
  case TapeCall::take:
    return malloc_function(module);
  case TapeCall::grow:
    return grow_on_heap(module);
  case TapeCall::leave:
    return free_function(module);
  }
  llvm_unreachable("unknown call of a tape");
}

Function *in_thread_memory(Module &module, TapeCall kind) {
  LLVMContext &context = module.getContext();
  switch (kind) {
  case TapeCall::take:
    return own_function(module, "assay.tape.take.own", with_struct(take_type(context)), write_take);
  case TapeCall::grow:
    return own_function(module, "assay.tape.grow.own", with_struct(grow_type(context)), write_grow);
  case TapeCall::leave:
    return own_function(module, "assay.tape.leave.own", with_struct(leave_type(context)), write_leave);
  }
  llvm_unreachable("unknown call of a tape");
}

} // namespace assay::engine
