#include "core/engine/emit/undo_stack.hpp"
#include "core/engine/emit/tape_helpers.hpp"
#include "core/engine/plan/reload.hpp"
#include "core/engine/rules/own_function.hpp"

using namespace llvm;

namespace assay::engine {
namespace {

std::string name_for(StringRef name, const Type &value) {
  std::string text = ("assay.undo." + name + ".").str();
  raw_string_ostream(text) << value;
  return text;
}

/// On the stack, what was overwritten is followed by { address, bytes }.
StructType *footer_type(LLVMContext &context) {
  return StructType::get(context, {PointerType::getUnqual(context), Type::getInt64Ty(context)});
}
constexpr std::uint64_t footer_bytes = 16, stack_alignment = 16;

Value *padded(IRBuilder<> &builder, Value *bytes) {
  return builder.CreateAnd(builder.CreateAdd(bytes, builder.getInt64(stack_alignment - 1)),
                           builder.getInt64(-stack_alignment));
}

} // namespace

AllocaInst *UndoStack::state() {
  if (state_)
    return state_;
  BasicBlock &entry = function_.getEntryBlock();
  IRBuilder<> slots(&entry, entry.getFirstInsertionPt());
  StructType *type = tape_state_type(function_.getContext());
  state_ = slots.CreateAlloca(type, nullptr, "undo");
  slots.SetInsertPoint(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  slots.CreateStore(Constant::getNullValue(type), state_);
  return state_;
}

/// push(state, address, bytes)
Function *UndoStack::push_function() {
  Module &module = *function_.getParent();
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::getUnqual(context);
  const auto write = [&](IRBuilder<> &builder, Function &function) {
    Value *bytes = function.getArg(2), *room = padded(builder, bytes);
    Value *place = builder.CreateCall(tape_push_function(module),
                                      {function.getArg(0), builder.CreateAdd(room, builder.getInt64(footer_bytes))});
    builder.CreateMemCpy(place, Align(1), function.getArg(1), Align(1), bytes);
    Value *footer = builder.CreatePtrAdd(place, room);
    builder.CreateStore(function.getArg(1), footer);
    builder.CreateStore(bytes, builder.CreateStructGEP(footer_type(context), footer, 1));
  };
  return rare_function(module, "assay.undo.keep", {pointer, pointer, Type::getInt64Ty(context)}, write);
}

/// Calls `body` with the address of each element of `bytes` bytes from `first` on, and of its place on the stack.
static void for_each_element(IRBuilder<> &builder, Value *bytes, std::uint64_t size,
                             function_ref<void(IRBuilder<> &, Value *offset)> body) {
  Function &function = *builder.GetInsertBlock()->getParent();
  auto *loop = BasicBlock::Create(function.getContext(), "element", &function);
  auto *done = BasicBlock::Create(function.getContext(), "done", &function);
  BasicBlock *before = builder.GetInsertBlock();
  builder.CreateCondBr(builder.CreateICmpEQ(bytes, builder.getInt64(0)), done, loop);
  builder.SetInsertPoint(loop);
  PHINode *offset = builder.CreatePHI(builder.getInt64Ty(), 2, "offset");
  offset->addIncoming(builder.getInt64(0), before);
  body(builder, offset);
  Value *next = builder.CreateAdd(offset, builder.getInt64(size));
  offset->addIncoming(next, builder.GetInsertBlock());
  builder.CreateCondBr(builder.CreateICmpULT(next, bytes), loop, done);
  builder.SetInsertPoint(done);
}

/// pop(state, redo state, whether to redo)
Function *UndoStack::pop_function(Type *value) {
  Module &module = *function_.getParent();
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::getUnqual(context);
  const auto write = [&](IRBuilder<> &builder, Function &function) {
    Value *position_place = builder.CreateStructGEP(tape_state_type(context), function.getArg(0), 2);
    Value *stack = builder.CreateLoad(pointer, function.getArg(0));
    Value *position = builder.CreateLoad(builder.getInt64Ty(), position_place);
    Value *end = builder.CreateSub(position, builder.getInt64(footer_bytes));
    Value *footer = builder.CreatePtrAdd(stack, end);
    Value *address = builder.CreateLoad(pointer, footer);
    Value *bytes = builder.CreateLoad(builder.getInt64Ty(), builder.CreateStructGEP(footer_type(context), footer, 1));
    Value *start = builder.CreateSub(end, padded(builder, bytes));
    builder.CreateStore(start, position_place);
    Value *kept = builder.CreatePtrAdd(stack, start);
    const std::uint64_t size = module.getDataLayout().getTypeAllocSize(value);
    for_each_element(builder, bytes, size, [&](IRBuilder<> &inner, Value *offset) {
      Value *element = inner.CreatePtrAdd(address, offset);
      Value *current = inner.CreateAlignedLoad(value, element, Align(1));
      inner.CreateCall(redo_note_function(module, value), {function.getArg(1), function.getArg(2), element, current});
      inner.CreateAlignedStore(inner.CreateAlignedLoad(value, inner.CreatePtrAdd(kept, offset), Align(1)), element,
                               Align(1));
    });
  };
  return rare_function(module, name_for("put.back", *value), {pointer, pointer, Type::getInt1Ty(context)}, write);
}

void UndoStack::push(Instruction &store, Type *content, Value *only_if) {
  IRBuilder<> builder(&store);
  Value *bytes = builder.getInt64(function_.getDataLayout().getTypeAllocSize(content));
  if (auto *intrinsic = dyn_cast<MemIntrinsic>(&store))
    bytes = builder.CreateZExtOrTrunc(intrinsic->getLength(), builder.getInt64Ty());
  auto *address = const_cast<Value *>(written_pointer(store));
  calls_.add(builder, only_if, *push_function(), {state(), address, bytes});
}

void UndoStack::pop(IRBuilder<> &builder, const Popped &popped) {
  Value *log = log_.state(function_, popped.content, Align(1));
  calls_.add(builder, popped.only_if, *pop_function(popped.content),
             {state(), log, builder.getInt1(popped.redo == Redo::needed)});
}

void UndoStack::release(IRBuilder<> &builder) {
  if (state_)
    builder.CreateCall(free_function(*function_.getParent()), {builder.CreateLoad(builder.getPtrTy(), state_)});
}

} // namespace assay::engine
