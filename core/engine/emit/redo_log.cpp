#include "core/engine/emit/redo_log.hpp"
#include "core/engine/emit/tape_helpers.hpp"
#include "core/engine/rules/own_function.hpp"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace assay::engine {

Function *redo_note_function(Module &module, Type *value) {
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::getUnqual(context);
  StructType *entry = StructType::get(context, {pointer, value});
  std::string name = "assay.redo.";
  raw_string_ostream(name) << *value;
  auto *type = FunctionType::get(Type::getVoidTy(context), {pointer, Type::getInt1Ty(context), pointer, value}, false);
  return own_function(module, name, type, [&](Function &function) {
    function.addFnAttr(Attribute::AlwaysInline);
    auto *note = BasicBlock::Create(context, "note", &function), *done = BasicBlock::Create(context, "done", &function);
    IRBuilder<>(BasicBlock::Create(context, "", &function, note)).CreateCondBr(function.getArg(1), note, done);
    IRBuilder<> builder(note);
    const std::uint64_t bytes = module.getDataLayout().getTypeAllocSize(entry);
    CallInst *place = builder.CreateCall(tape_push_function(module), {function.getArg(0), builder.getInt64(bytes)});
    builder.CreateStore(function.getArg(2), place);
    builder.CreateStore(function.getArg(3), builder.CreateStructGEP(entry, place, 1));
    builder.CreateBr(done);
    IRBuilder<>(done).CreateRetVoid();
    InlineFunctionInfo information;
    InlineFunction(*place, information);
  });
}

Value *RedoLog::state(Function &function, Type *type, Align alignment) {
  alignment_ = state_ ? std::min(alignment_, alignment) : alignment;
  if (state_)
    return state_;
  LLVMContext &context = function.getContext();
  entry_ = StructType::get(context, {PointerType::getUnqual(context), type});
  BasicBlock &entry = function.getEntryBlock();
  IRBuilder<> slots(&entry, entry.getFirstInsertionPt());
  state_ = slots.CreateAlloca(tape_state_type(context), nullptr, "redo");
  slots.SetInsertPoint(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  slots.CreateStore(Constant::getNullValue(tape_state_type(context)), state_);
  return state_;
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
  BasicBlock *loop = write_loop(function, after);
  StructType *type = tape_state_type(function.getContext());
  Value *end = builder.CreateLoad(builder.getInt64Ty(), builder.CreateStructGEP(type, state_, 2));
  builder.CreateCondBr(builder.CreateICmpEQ(end, builder.getInt64(0)), after, loop);
  cast<PHINode>(loop->begin())->addIncoming(end, before);
  builder.SetInsertPoint(after);
  builder.CreateCall(free_function(*function.getParent()), {builder.CreateLoad(builder.getPtrTy(), state_)});
}

/// From the end of the log, whose length the loop's phi still has to be given, to its start.
BasicBlock *RedoLog::write_loop(Function &function, BasicBlock *after) {
  auto *loop = BasicBlock::Create(function.getContext(), "redo", &function, after);
  IRBuilder<> builder(loop);
  PHINode *position = builder.CreatePHI(builder.getInt64Ty(), 2, "position");
  const std::uint64_t bytes = function.getDataLayout().getTypeAllocSize(entry_);
  Value *next = builder.CreateSub(position, builder.getInt64(bytes), "", true, true);
  position->addIncoming(next, loop);
  Value *buffer = builder.CreateLoad(builder.getPtrTy(), state_);
  Value *entry = builder.CreateInBoundsPtrAdd(buffer, next);
  LoadInst *address = builder.CreateLoad(builder.getPtrTy(), entry);
  LoadInst *value = builder.CreateLoad(entry_->getElementType(1), builder.CreateStructGEP(entry_, entry, 1));
  builder.CreateAlignedStore(value, address, alignment_);
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
