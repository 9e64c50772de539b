#include "core/engine/emit/droppable_tape.hpp"
#include "core/engine/emit/deferred_frees.hpp"
#include "core/engine/emit/tape_helpers.hpp"
#include "core/engine/prepare/dropped_tapes.hpp"
#include "core/engine/rules/own_function.hpp"
#include "core/engine/support/memory_calls.hpp"

using namespace llvm;

namespace assay::engine {
namespace {

enum List : unsigned { shadows, unwind_cleanups };
constexpr unsigned number_of_lists = 2;

ArrayType *lists_type(LLVMContext &context) {
  return ArrayType::get(tape_state_type(context), number_of_lists);
}

Value *list(IRBuilderBase &builder, Value *lists, List which) {
  return builder.CreateInBoundsGEP(lists_type(builder.getContext()), lists,
                                   {builder.getInt64(0), builder.getInt32(which)});
}

/// void forget(ptr lists): no cleanup is due any more, and both lists are empty.
Function *forget_function(Module &module) {
  LLVMContext &context = module.getContext();
  auto *type = FunctionType::get(Type::getVoidTy(context), {PointerType::getUnqual(context)}, false);
  return own_function(module, (list_prefix + "forget").str(), type, [&](Function &function) {
    IRBuilder<> builder(BasicBlock::Create(context, "", &function));
    Value *lists = function.getArg(0);
    Value *buffer = builder.CreateLoad(builder.getPtrTy(), list(builder, lists, unwind_cleanups));
    builder.CreateCall(free_function(module), {buffer});
    builder.CreateStore(Constant::getNullValue(lists_type(context)), lists);
    builder.CreateRetVoid();
  });
}

void write_drop(Function &function) {
  Module &module = *function.getParent();
  IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", &function));
  Value *lists = function.getArg(0);
  builder.CreateCall(unwind_cleanup_release_function(module),
                     {list(builder, lists, unwind_cleanups), builder.getInt64(0)});
  end_lists(builder, lists);
  builder.CreateRetVoid();
  function.setLinkage(GlobalValue::InternalLinkage);
  function.setSubprogram(nullptr); // that of a declaration
  function.setDoesNotThrow();
}

} // namespace

bool drops_tapes(const Module &module) {
  return any_of(module, [](const Function &function) { return drops_tape(function); });
}

void end_lists(IRBuilderBase &builder, Value *lists) {
  Module &module = *builder.GetInsertBlock()->getModule();
  builder.CreateCall(release_buried_function(module), {list(builder, lists, shadows)});
  builder.CreateCall(forget_function(module), {lists});
}

void write_drops(Module &module) {
  SmallVector<Function *, 1> drops;
  for (Function &function : module)
    if (drops_tape(function) && function.isDeclaration())
      drops.push_back(&function);
  for (Function *function : drops)
    write_drop(*function);
}

} // namespace assay::engine
