#include "core/engine/emit/redo_log.hpp"
#include "core/engine/emit/tape_helpers.hpp"
#include "core/engine/emit/tape_memory.hpp"
#include "core/engine/rules/own_function.hpp"
#include "core/engine/support/adjoint_sums.hpp"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace assay::engine {

/// The log is two tapes, so that each is memory of one type: addresses and values.
static ArrayType *log_type(LLVMContext &context) {
  return ArrayType::get(tape_state_type(context), 2);
}
static Value *values_of(IRBuilder<> &builder, Value *state) {
  return builder.CreateConstInBoundsGEP1_64(tape_state_type(builder.getContext()), state, 1);
}

Function *redo_note_function(Module &module, Type *value) {
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::getUnqual(context);
  std::string name = "assay.redo.";
  raw_string_ostream(name) << *value;
  auto *type = FunctionType::get(Type::getVoidTy(context), {pointer, Type::getInt1Ty(context), pointer, value}, false);
  return own_function(module, name, type, [&](Function &function) {
    function.addFnAttr(Attribute::AlwaysInline);
    auto *note = BasicBlock::Create(context, "note", &function), *done = BasicBlock::Create(context, "done", &function);
    IRBuilder<>(BasicBlock::Create(context, "", &function, note)).CreateCondBr(function.getArg(1), note, done);
    IRBuilder<> builder(note);
    const DataLayout &layout = module.getDataLayout();
    SmallVector<CallInst *, 2> pushes;
    const auto push = [&](Value *state, Value *entry) {
      Value *bytes = builder.getInt64(layout.getTypeAllocSize(entry->getType()));
      pushes.push_back(builder.CreateCall(tape_push_function(module), {state, bytes}));
      builder.CreateStore(entry, pushes.back());
    };
    push(function.getArg(0), function.getArg(2));
    push(values_of(builder, function.getArg(0)), function.getArg(3));
    builder.CreateBr(done);
    IRBuilder<>(done).CreateRetVoid();
    for (CallInst *call : pushes) {
      InlineFunctionInfo information;
      InlineFunction(*call, information);
    }
  });
}

Value *RedoLog::state_to_open(Function &function, Type *type, Align alignment) {
  alignment_ = state_ ? std::min(alignment_, alignment) : alignment;
  if (state_)
    return state_;
  value_ = type;
  BasicBlock &entry = function.getEntryBlock();
  IRBuilder<> slots(&entry, entry.getFirstInsertionPt());
  return state_ = slots.CreateAlloca(log_type(function.getContext()), nullptr, "redo");
}

void RedoLog::open(IRBuilder<> &builder, Value *state) {
  builder.CreateStore(Constant::getNullValue(log_type(builder.getContext())), state);
}

Value *RedoLog::state(Function &function, Type *type, Align alignment) {
  const bool is_new = !state_;
  Value *state = state_to_open(function, type, alignment);
  if (is_new) {
    BasicBlock &entry = function.getEntryBlock();
    IRBuilder<> slots(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
    open(slots, state);
  }
  return state;
}

void RedoLog::note(IRBuilder<> &builder, const RedoEntry &entry) {
  Function &function = *builder.GetInsertBlock()->getParent();
  Value *log = state(function, entry.type, entry.alignment);
  Value *value = builder.CreateAlignedLoad(entry.type, entry.address, entry.alignment);
  helper_calls_.push_back(builder.CreateCall(redo_note_function(*function.getParent(), entry.type),
                                             {log, entry.is_last, entry.address, value}));
}

void RedoLog::replay(IRBuilder<> &builder) {
  if (!state_)
    return;
  Function &function = *builder.GetInsertBlock()->getParent();
  BasicBlock *before = builder.GetInsertBlock();
  auto *after = BasicBlock::Create(function.getContext(), "redone", &function);
  StructType *type = tape_state_type(function.getContext());
  Value *values_state = values_of(builder, state_);
  Value *addresses = builder.CreateLoad(builder.getPtrTy(), state_);
  Value *values = builder.CreateLoad(builder.getPtrTy(), values_state);
  Value *bytes = builder.CreateLoad(builder.getInt64Ty(), builder.CreateStructGEP(type, state_, 2));
  const std::uint64_t pointer_bytes = function.getDataLayout().getTypeAllocSize(builder.getPtrTy());
  Value *count = builder.CreateUDiv(bytes, builder.getInt64(pointer_bytes));
  BasicBlock *loop = write_loop(function, {addresses, values, count}, before, after);
  builder.CreateCondBr(builder.CreateICmpEQ(count, builder.getInt64(0)), after, loop);
  builder.SetInsertPoint(after);
  for (Value *buffer : {addresses, values})
    builder.CreateCall(tape_leave_function(*function.getParent()), {buffer});
}

/// From the end of the log to its start.
BasicBlock *RedoLog::write_loop(Function &function, const Entries &entries, BasicBlock *before, BasicBlock *after) {
  auto *loop = BasicBlock::Create(function.getContext(), "redo", &function, after);
  IRBuilder<> builder(loop);
  PHINode *position = builder.CreatePHI(builder.getInt64Ty(), 2, "position");
  Value *next = builder.CreateSub(position, builder.getInt64(1), "", true, true);
  position->addIncoming(entries.count, before);
  position->addIncoming(next, loop);
  Value *address =
      builder.CreateLoad(builder.getPtrTy(), builder.CreateInBoundsGEP(builder.getPtrTy(), entries.addresses, next));
  Value *value = builder.CreateLoad(value_, builder.CreateInBoundsGEP(value_, entries.values, next));
  builder.CreateAlignedStore(value, address, alignment_)
      ->setMetadata(done_again, MDNode::get(builder.getContext(), {}));
  builder.CreateCondBr(builder.CreateICmpEQ(next, builder.getInt64(0)), after, loop);
  return loop;
}

void RedoLog::inline_helpers() {
  for (CallInst *call : helper_calls_) {
    InlineFunctionInfo info;
    InlineFunction(*call, info, /*MergeAttributes=*/false, nullptr, /*InsertLifetime=*/false);
  }
  helper_calls_.clear();
}

} // namespace assay::engine
