#include "core/engine/emit/tape_memory.hpp"
#include "core/engine/rules/own_function.hpp"
#include "core/engine/support/convention_names.hpp"
#include "core/engine/support/memory_calls.hpp"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr StringLiteral note_name = "assay.tape.memory";
constexpr Align piece_alignment = Align::Constant<16>();
constexpr std::uint64_t lanes = 32; // of a warp

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

FunctionType *stride_type(LLVMContext &context) {
  return FunctionType::get(Type::getInt64Ty(context), {PointerType::getUnqual(context)}, false);
}

bool takes(TapeCall kind) {
  return kind == TapeCall::take || kind == TapeCall::take_words;
}

/// One of them while derivatives are written. That it means the heap is a body that is never run.
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
    if (takes(kind)) {
      function.setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
      function.addRetAttr(Attribute::NoAlias);
    }
  });
}

/// The stride has no body: with one, optimisers would know the heap's.
FunctionCallee stride_stand_in(Module &module) {
  FunctionCallee function = module.getOrInsertFunction(tape_stride_name, stride_type(module.getContext()));
  auto *declaration = cast<Function>(function.getCallee());
  declaration->setDoesNotAccessMemory();
  declaration->setDoesNotThrow();
  declaration->setWillReturn();
  return function;
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

/// For what has no memory of its own.
Function *stride_on_heap(Module &module) {
  return own_function(module, "assay.tape.stride.on.heap", stride_type(module.getContext()), [&](Function &function) {
    IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", &function));
    builder.CreateRet(builder.getInt64(tape_word_bytes));
  });
}

enum class Kind : std::uint8_t { whole, words };

/// One of the two pieces in the struct of a thread's tapes.
class ThreadMemory {
public:
  ThreadMemory(IRBuilder<> &builder, Function &function, Kind kind)
      : builder_(builder), state_(function.getArg(0)), kind_(kind) {
    memory_ = builder.CreateLoad(builder.getPtrTy(), place(0));
    bytes_ = builder.CreateLoad(builder.getInt64Ty(), place(1));
  }
  Value *bytes() const { return bytes_; }
  Value *used() { return builder_.CreateLoad(builder_.getInt64Ty(), place(2)); }
  void set_used(Value *used) { builder_.CreateStore(used, place(2)); }
  void want(Value *more) {
    Value *wanted = builder_.CreateLoad(builder_.getInt64Ty(), place(3));
    builder_.CreateStore(builder_.CreateAdd(wanted, more), place(3));
  }
  /// Of the thread's byte at that offset, which a piece starts with.
  Value *address(Value *offset) {
    return builder_.CreateInBoundsPtrAdd(memory_, builder_.CreateMul(offset, builder_.getInt64(spread())));
  }
  /// The reverse; what it is for an address outside of the piece is said by `contains`.
  Value *offset(Value *address) { return builder_.CreateUDiv(distance(address), builder_.getInt64(spread())); }
  Value *contains(Value *address) {
    return builder_.CreateICmpULT(distance(address), builder_.CreateMul(bytes_, builder_.getInt64(spread())));
  }
  Value *round_up(Value *bytes) {
    const std::uint64_t most = (kind_ == Kind::words ? tape_word_bytes : piece_alignment.value()) - 1;
    return builder_.CreateAnd(builder_.CreateAdd(bytes, builder_.getInt64(most)), builder_.getInt64(~most));
  }

private:
  static constexpr unsigned piece_words = 4;

  Value *place(unsigned word) {
    const unsigned first = kind_ == Kind::words ? piece_words : 0;
    return builder_.CreateConstInBoundsGEP1_64(builder_.getInt64Ty(), state_, first + word);
  }
  /// Bytes of memory for each of the thread's.
  std::uint64_t spread() const { return kind_ == Kind::words ? lanes : 1; }
  Value *distance(Value *address) {
    Type *word = builder_.getInt64Ty();
    return builder_.CreateSub(builder_.CreatePtrToInt(address, word), builder_.CreatePtrToInt(memory_, word));
  }

  IRBuilder<> &builder_;
  Value *state_, *memory_, *bytes_;
  Kind kind_;
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

void write_take(Function &function, Kind kind) {
  IRBuilder<> builder(BasicBlock::Create(function.getContext(), "", &function));
  ThreadMemory tapes(builder, function, kind);
  Value *piece = tapes.round_up(function.getArg(1));
  tapes.want(piece);
  Value *used = tapes.used(), *end = builder.CreateAdd(used, piece);
  BasicBlock *heap = branch(builder, builder.CreateICmpULE(end, tapes.bytes()));
  tapes.set_used(end);
  builder.CreateRet(tapes.address(used));
  builder.SetInsertPoint(heap);
  builder.CreateRet(builder.CreateCall(malloc_function(*function.getParent()), {function.getArg(1)}));
}

/// All pieces end with the call of the derivative.
void write_leave(Function &function) {
  IRBuilder<> builder(BasicBlock::Create(function.getContext(), "", &function));
  ThreadMemory whole(builder, function, Kind::whole), words(builder, function, Kind::words);
  Value *memory = function.getArg(1);
  BasicBlock *heap = branch(builder, builder.CreateOr(whole.contains(memory), words.contains(memory)));
  builder.CreateRetVoid();
  builder.SetInsertPoint(heap);
  builder.CreateCall(free_function(*function.getParent()), {memory});
  builder.CreateRetVoid();
}

void write_stride(Function &function) {
  IRBuilder<> builder(BasicBlock::Create(function.getContext(), "", &function));
  ThreadMemory words(builder, function, Kind::words);
  builder.CreateRet(builder.CreateSelect(words.contains(function.getArg(1)), builder.getInt64(lanes * tape_word_bytes),
                                         builder.getInt64(tape_word_bytes)));
}

struct StridedWords {
  Value *first, *stride;
  Value *at(IRBuilder<> &builder, Value *word) const {
    return builder.CreateInBoundsPtrAdd(first, builder.CreateMul(word, stride));
  }
};

/// For `word` from `begin` below `end`, in steps; the difference is a multiple of the step.
void emit_loop(IRBuilder<> &builder, Value *begin, Value *end, std::uint64_t step, function_ref<void(Value *)> body) {
  Function &function = *builder.GetInsertBlock()->getParent();
  BasicBlock *before = builder.GetInsertBlock();
  auto *loop = BasicBlock::Create(function.getContext(), "word", &function);
  auto *done = BasicBlock::Create(function.getContext(), "done", &function);
  builder.CreateCondBr(builder.CreateICmpEQ(begin, end), done, loop);
  builder.SetInsertPoint(loop);
  PHINode *word = builder.CreatePHI(builder.getInt64Ty(), 2);
  body(word);
  Value *next = builder.CreateAdd(word, builder.getInt64(step));
  word->addIncoming(begin, before);
  word->addIncoming(next, loop);
  builder.CreateCondBr(builder.CreateICmpULT(next, end), loop, done);
  builder.SetInsertPoint(done);
}

/// Several loads are under way at a time: nobody but us knows that the words do not overlap.
void emit_copy_of_words(IRBuilder<> &builder, const StridedWords &to, const StridedWords &from, Value *count) {
  constexpr std::uint64_t at_once = 8;
  const auto copy = [&](std::uint64_t words) {
    return [&, words](Value *first) {
      SmallVector<std::pair<Value *, Value *>, at_once> copied;
      for (std::uint64_t index = 0; index < words; ++index) {
        Value *word = builder.CreateAdd(first, builder.getInt64(index));
        copied.emplace_back(word, builder.CreateLoad(builder.getInt64Ty(), from.at(builder, word)));
      }
      for (const auto &[word, value] : copied)
        builder.CreateStore(value, to.at(builder, word));
    };
  };
  Value *most = builder.CreateAnd(count, builder.getInt64(-at_once));
  emit_loop(builder, builder.getInt64(0), most, at_once, copy(at_once));
  emit_loop(builder, most, count, 1, copy(1));
}

/// Where there is no memory, nothing is copied and the old words are still there.
void emit_move_of_words(IRBuilder<> &builder, Function &function, Value *fresh) {
  Function *stride = in_thread_memory(*function.getParent(), TapeCall::stride);
  const auto strided = [&](Value *words) -> StridedWords {
    return {words, builder.CreateCall(stride, {function.getArg(0), words})};
  };
  Value *count = builder.CreateUDiv(function.getArg(2), builder.getInt64(tape_word_bytes));
  count = builder.CreateSelect(builder.CreateIsNull(fresh), builder.getInt64(0), count);
  emit_copy_of_words(builder, strided(fresh), strided(function.getArg(1)), count);
}

/// In place for the last piece.
void write_grow(Function &function, Kind kind) {
  function.addFnAttr(Attribute::NoInline); // which is rare
  Module &module = *function.getParent();
  IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", &function));
  ThreadMemory tapes(builder, function, kind);
  Value *memory = function.getArg(1), *old_bytes = function.getArg(2), *bytes = function.getArg(3);
  Value *offset = tapes.offset(memory), *end = builder.CreateAdd(offset, tapes.round_up(bytes));
  Value *is_last = builder.CreateICmpEQ(builder.CreateAdd(offset, tapes.round_up(old_bytes)), tapes.used());
  Value *fits = builder.CreateICmpULE(end, tapes.bytes());
  BasicBlock *elsewhere = branch(builder, builder.CreateAnd(builder.CreateAnd(tapes.contains(memory), is_last), fits));
  tapes.set_used(end);
  tapes.want(builder.CreateSub(tapes.round_up(bytes), tapes.round_up(old_bytes)));
  builder.CreateRet(memory);
  builder.SetInsertPoint(elsewhere);
  Function *take = in_thread_memory(module, kind == Kind::words ? TapeCall::take_words : TapeCall::take);
  Value *fresh = builder.CreateCall(take, {function.getArg(0), bytes});
  if (kind == Kind::words)
    emit_move_of_words(builder, function, fresh);
  else
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
FunctionCallee tape_take_words_function(Module &module) {
  if (!has_tape_memory(module))
    return malloc_function(module);
  return stand_in(module, tape_take_words_name, take_type(module.getContext()), TapeCall::take_words);
}
FunctionCallee tape_leave_function(Module &module) {
  if (!has_tape_memory(module))
    return free_function(module);
  return stand_in(module, tape_leave_name, leave_type(module.getContext()), TapeCall::leave);
}
FunctionCallee tape_grow_function(Module &module) {
  if (!has_tape_memory(module))
    return grow_on_heap(module);
  return stand_in(module, tape_grow_name, grow_type(module.getContext()), TapeCall::grow);
}
FunctionCallee tape_grow_words_function(Module &module) {
  if (!has_tape_memory(module))
    return grow_on_heap(module);
  return stand_in(module, tape_grow_words_name, grow_type(module.getContext()), TapeCall::grow_words);
}
Value *emit_tape_stride(IRBuilder<> &builder, Value *words) {
  Module &module = *builder.GetInsertBlock()->getModule();
  if (!has_tape_memory(module))
    return builder.getInt64(tape_word_bytes);
  return builder.CreateCall(stride_stand_in(module), {words}, "stride");
}

std::optional<TapeCall> tape_call(const Function &function) {
  return StringSwitch<std::optional<TapeCall>>(function.getName())
      .Case(tape_take_name, TapeCall::take)
      .Case(tape_take_words_name, TapeCall::take_words)
      .Case(tape_grow_name, TapeCall::grow)
      .Case(tape_grow_words_name, TapeCall::grow_words)
      .Case(tape_leave_name, TapeCall::leave)
      .Case(tape_stride_name, TapeCall::stride)
      .Default(std::nullopt);
}

FunctionCallee on_heap(Module &module, TapeCall kind) {
  switch (kind) {
  case TapeCall::take:
  case TapeCall::take_words:
    return malloc_function(module);
  case TapeCall::grow:
  case TapeCall::grow_words:
    return grow_on_heap(module);
  case TapeCall::leave:
    return free_function(module);
  case TapeCall::stride:
    return stride_on_heap(module);
  }
  llvm_unreachable("unknown call of a tape");
}

Function *in_thread_memory(Module &module, TapeCall kind) {
  LLVMContext &context = module.getContext();
  const auto own = [&](StringRef name, FunctionType *type, function_ref<void(Function &)> write) {
    return own_function(module, name, with_struct(type), write);
  };
  switch (kind) {
  case TapeCall::take:
    return own("assay.tape.take.own", take_type(context), [](Function &it) { write_take(it, Kind::whole); });
  case TapeCall::take_words:
    return own("assay.tape.take.words.own", take_type(context), [](Function &it) { write_take(it, Kind::words); });
  case TapeCall::grow:
    return own("assay.tape.grow.own", grow_type(context), [](Function &it) { write_grow(it, Kind::whole); });
  case TapeCall::grow_words:
    return own("assay.tape.grow.words.own", grow_type(context), [](Function &it) { write_grow(it, Kind::words); });
  case TapeCall::leave:
    return own("assay.tape.leave.own", leave_type(context), write_leave);
  case TapeCall::stride:
    return own("assay.tape.stride.own", stride_type(context), write_stride);
  }
  llvm_unreachable("unknown call of a tape");
}

} // namespace assay::engine
