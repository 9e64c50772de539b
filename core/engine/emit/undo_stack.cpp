#include "core/engine/emit/undo_stack.hpp"
#include "core/engine/emit/tape_helpers.hpp"
#include "core/engine/emit/tape_memory.hpp"
#include "core/engine/plan/reload.hpp"
#include "core/engine/rules/own_function.hpp"
#include "core/engine/support/device_target.hpp"

using namespace llvm;

namespace assay::engine {
namespace {

std::string name_for(StringRef name, const Type &value) {
  std::string text = ("assay.undo." + name + ".").str();
  raw_string_ostream(text) << value;
  return text;
}

/// Three tapes, so that each is memory of one type.
enum Part : unsigned { addresses, sizes, values, parts };

Value *part_of(IRBuilder<> &builder, Value *stack, Part part) {
  return builder.CreateConstInBoundsGEP1_64(tape_state_type(builder.getContext()), stack, part);
}
constexpr std::uint64_t word_bytes = 8;

} // namespace

AllocaInst *UndoStack::stack_of(Type *content) {
  AllocaInst *&stack = stacks_[content];
  if (stack)
    return stack;
  BasicBlock &entry = function_.getEntryBlock();
  IRBuilder<> slots(&entry, entry.getFirstInsertionPt());
  auto *type = ArrayType::get(tape_state_type(function_.getContext()), parts);
  stack = slots.CreateAlloca(type, nullptr, "undo");
  if (!is_open_) {
    slots.SetInsertPoint(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
    slots.CreateStore(Constant::getNullValue(type), stack);
  }
  return stack;
}

/// open(stack, log)
Function *UndoStack::open_function() {
  LLVMContext &context = function_.getContext();
  Type *pointer = PointerType::getUnqual(context);
  const auto write = [&](IRBuilder<> &builder, Function &function) {
    builder.CreateStore(Constant::getNullValue(ArrayType::get(tape_state_type(context), parts)), function.getArg(0));
    RedoLog::open(builder, function.getArg(1));
  };
  return rare_function(*function_.getParent(), "assay.undo.open", {pointer, pointer}, write);
}

void UndoStack::open_behind(Instruction &overlap, Type *content) {
  BasicBlock &entry = function_.getEntryBlock();
  if (!is_open_) {
    IRBuilder<> slots(&entry, entry.getFirstInsertionPt());
    is_open_ = slots.CreateAlloca(slots.getInt1Ty(), nullptr, "undo.open");
    slots.SetInsertPoint(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
    slots.CreateStore(slots.getFalse(), is_open_);
  }
  IRBuilder<> builder(overlap.getNextNode());
  Value *was_open = builder.CreateLoad(builder.getInt1Ty(), is_open_);
  calls_.add(
      builder, builder.CreateAnd(&overlap, builder.CreateNot(was_open)), *open_function(),
      {stack_of(content), log_.state_to_open(function_, content, least_alignment(*function_.getParent(), content))});
  builder.CreateStore(builder.CreateOr(was_open, &overlap), is_open_);
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

/// push(stack, address, bytes)
Function *UndoStack::push_function(Type *value) {
  Module &module = *function_.getParent();
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::getUnqual(context);
  const auto write = [&](IRBuilder<> &builder, Function &function) {
    Value *stack = function.getArg(0), *address = function.getArg(1), *bytes = function.getArg(2);
    const auto push = [&](Part part, Value *size) {
      return builder.CreateCall(tape_push_function(module), {part_of(builder, stack, part), size});
    };
    builder.CreateStore(address, push(addresses, builder.getInt64(word_bytes)));
    builder.CreateStore(bytes, push(sizes, builder.getInt64(word_bytes)));
    Value *kept = push(values, bytes);
    const std::uint64_t size = module.getDataLayout().getTypeAllocSize(value);
    const Align alignment = least_alignment(module, value);
    for_each_element(builder, bytes, size, [&](IRBuilder<> &inner, Value *offset) {
      Value *element = inner.CreateAlignedLoad(value, inner.CreatePtrAdd(address, offset), alignment);
      inner.CreateAlignedStore(element, inner.CreatePtrAdd(kept, offset), alignment);
    });
  };
  return rare_function(module, name_for("keep", *value), {pointer, pointer, Type::getInt64Ty(context)}, write);
}

/// Takes `bytes` off the end of a stack; the address of what was there.
static Value *take_off(IRBuilder<> &builder, Value *state, Value *bytes) {
  Value *position_place = builder.CreateStructGEP(tape_state_type(builder.getContext()), state, 2);
  Value *position = builder.CreateSub(builder.CreateLoad(builder.getInt64Ty(), position_place), bytes);
  builder.CreateStore(position, position_place);
  return builder.CreatePtrAdd(builder.CreateLoad(builder.getPtrTy(), state), position);
}

/// pop(stack, redo state, whether to redo)
Function *UndoStack::pop_function(Type *value) {
  Module &module = *function_.getParent();
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::getUnqual(context);
  const auto write = [&](IRBuilder<> &builder, Function &function) {
    const auto take = [&](Part part, Value *size) {
      return take_off(builder, part_of(builder, function.getArg(0), part), size);
    };
    Value *address = builder.CreateLoad(pointer, take(addresses, builder.getInt64(word_bytes)));
    Value *bytes = builder.CreateLoad(builder.getInt64Ty(), take(sizes, builder.getInt64(word_bytes)));
    Value *kept = take(values, bytes);
    const std::uint64_t size = module.getDataLayout().getTypeAllocSize(value);
    const Align alignment = least_alignment(module, value);
    for_each_element(builder, bytes, size, [&](IRBuilder<> &inner, Value *offset) {
      Value *element = inner.CreatePtrAdd(address, offset);
      Value *current = inner.CreateAlignedLoad(value, element, alignment);
      inner.CreateCall(redo_note_function(module, value), {function.getArg(1), function.getArg(2), element, current});
      Value *old = inner.CreateAlignedLoad(value, inner.CreatePtrAdd(kept, offset), alignment);
      inner.CreateAlignedStore(old, element, alignment);
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
  calls_.add(builder, only_if, *push_function(content), {stack_of(content), address, bytes});
}

void UndoStack::pop(IRBuilder<> &builder, const Popped &popped) {
  Value *log = log_.state(function_, popped.content, least_alignment(*function_.getParent(), popped.content));
  calls_.add(builder, popped.only_if, *pop_function(popped.content),
             {stack_of(popped.content), log, builder.getInt1(popped.redo == Redo::log)});
}

Value *UndoStack::was_opened(IRBuilder<> &builder) const {
  return is_open_ ? builder.CreateLoad(builder.getInt1Ty(), is_open_) : nullptr;
}

void UndoStack::release(IRBuilder<> &builder) {
  for (const auto &[content, stack] : stacks_)
    for (const Part part : {addresses, sizes, values})
      builder.CreateCall(tape_leave_function(*function_.getParent()),
                         {builder.CreateLoad(builder.getPtrTy(), part_of(builder, stack, part))});
}

} // namespace assay::engine
