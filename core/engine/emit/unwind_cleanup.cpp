#include "core/engine/emit/unwind_cleanup.hpp"
#include "core/engine/emit/deferred_frees.hpp"
#include "core/engine/emit/droppable_tape.hpp"
#include "core/engine/emit/tape_helpers.hpp"
#include "core/engine/rules/own_function.hpp"
#include "core/engine/support/convention_names.hpp"
#include "core/engine/support/memory_calls.hpp"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr unsigned unwind_cleanups = 1; // the second list behind the address of the deferred frees
constexpr unsigned buffer = 0, position = 2;

FunctionType *procedure(Module &module, ArrayRef<Type *> parameters) {
  return FunctionType::get(Type::getVoidTy(module.getContext()), parameters, false);
}

Value *part_of(IRBuilder<> &builder, Value *lists, unsigned part) {
  auto *type = ArrayType::get(tape_state_type(builder.getContext()), unwind_cleanups + 1);
  return builder.CreateInBoundsGEP(type, lists,
                                   {builder.getInt64(0), builder.getInt32(unwind_cleanups), builder.getInt32(part)});
}

/// cleanup(lists, memory, release, other): nothing where there are no lists, or no memory.
Function *unwind_cleanup_function(Module &module) {
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::getUnqual(context), *word = Type::getInt64Ty(context);
  return own_function(module, (list_prefix + "unwind.cleanup").str(),
                      procedure(module, {pointer, pointer, pointer, word}), [&](Function &function) {
                        write_unless_null(function, [&](IRBuilder<> &builder) {
                          builder.CreateCall(bury_function(module),
                                             {part_of(builder, function.getArg(0), buffer), function.getArg(1),
                                              function.getArg(2), function.getArg(3)});
                        });
                        function.setDoesNotThrow();
                      });
}

/// The release of a tape as an entry of the list has it: void(ptr frame, i64).
Function *tape_release(ForwardSweep &sweep, Tape &tape) {
  Module &module = sweep.engine.module();
  LLVMContext &context = module.getContext();
  auto *type = procedure(module, {PointerType::getUnqual(context), Type::getInt64Ty(context)});
  Function *function =
      Function::Create(type, GlobalValue::InternalLinkage, "assay.release.tape." + sweep.function.getName(), module);
  function->setDoesNotThrow();
  IRBuilder<> builder(BasicBlock::Create(context, "", function));
  tape.release_frame(builder, function->getArg(0));
  builder.CreateRetVoid();
  return function;
}

void write(ForwardSweep &sweep, const UnwindCleanup &cleanup) {
  IRBuilder<> builder(cleanup.place);
  Value *other = other_word(builder, cleanup.release);
  Module &module = sweep.engine.module();
  if (Function *thunk = release_thunk(module, cleanup.release))
    for (Value *memory : cleanup.memory)
      builder.CreateCall(unwind_cleanup_function(module), {sweep.deferred_frees(), memory, thunk, other});
}

} // namespace

/// The same for all derivatives of a module, whichever were written before: the two sweeps of one may come from two.
bool needs_unwind_cleanups(const Module &module) {
  const auto catches = [](const Function &function) {
    return function.hasPersonalityFn() && !function.hasFnAttribute(derivative_attribute);
  };
  return !declared_functions(module, LibraryRole::throw_exception).empty() || any_of(module, catches) ||
         drops_tapes(module);
}

void add_unwind_cleanup(ForwardSweep &sweep, IRBuilder<> &builder, Value *memory, Function &release) {
  if (needs_unwind_cleanups(sweep.engine.module()))
    builder.CreateCall(unwind_cleanup_function(sweep.engine.module()),
                       {sweep.deferred_frees(), memory, &release, builder.getInt64(0)});
}

/// What stands at `place` may be replaced before the cleanup is written: a mark is left there.
void note_unwind_cleanup(ForwardSweep &sweep, const CallBase &release, Instruction &place, ArrayRef<Value *> memory) {
  auto *mark = new FreezeInst(PoisonValue::get(Type::getInt1Ty(place.getContext())), "", place.getIterator());
  sweep.unwind_cleanups.push_back(
      {same_release(release, sweep.engine.function_info()), mark, {memory.begin(), memory.end()}});
}

void prepare_unwind_cleanups(ForwardSweep &sweep) {
  if (!needs_unwind_cleanups(sweep.engine.module()))
    sweep.unwind_cleanups.clear();
  if (!sweep.unwind_cleanups.empty())
    sweep.deferred_frees();
}

void write_unwind_cleanups(ForwardSweep &sweep) {
  auto *list = dyn_cast_or_null<Instruction>(sweep.deferred_frees_list);
  if (!list || !needs_unwind_cleanups(sweep.engine.module()))
    return;
  IRBuilder<> builder(list->getNextNode());
  sweep.unwind_cleanups_before = builder.getInt64(0);
  if (list != sweep.own_deferred_frees)
    sweep.unwind_cleanups_before =
        builder.CreateLoad(builder.getInt64Ty(), part_of(builder, list, position), "unwind_cleanups");
  for (const UnwindCleanup &cleanup : sweep.unwind_cleanups) {
    write(sweep, cleanup);
    cleanup.place->eraseFromParent();
  }
}

void end_unwind_cleanups(ForwardSweep &sweep, Tape &tape, IRBuilder<> &builder) {
  Module &module = sweep.engine.module();
  if (sweep.buries_tape() && !isa<ConstantPointerNull>(tape.frame()))
    builder.CreateCall(bury_function(module),
                       {sweep.deferred_frees_list, tape.frame(), tape_release(sweep, tape), builder.getInt64(0)});
  if (!needs_unwind_cleanups(module))
    return;
  if (sweep.own_deferred_frees)
    builder.CreateCall(free_function(module),
                       {builder.CreateLoad(builder.getPtrTy(),
                                           part_of(builder, tape.forward_address(*sweep.own_deferred_frees), buffer))});
  const std::optional<unsigned> given = DerivativeAbi(sweep.request).deferred_frees_parameter();
  if (sweep.split && given && !sweep.buries_tape() && !isa<ConstantPointerNull>(tape.frame()))
    builder.CreateCall(unwind_cleanup_function(module),
                       {sweep.function.getArg(*given), tape.frame(), tape_release(sweep, tape), builder.getInt64(0)});
}

void release_unwind_cleanups(const ForwardSweep &sweep, IRBuilder<> &builder) {
  if (!sweep.unwind_cleanups_before)
    return;
  Module &module = sweep.engine.module();
  builder.CreateCall(unwind_cleanup_release_function(module),
                     {part_of(builder, sweep.deferred_frees_list, buffer), sweep.unwind_cleanups_before});
  if (sweep.own_deferred_frees == sweep.deferred_frees_list)
    builder.CreateCall(free_function(module),
                       {builder.CreateLoad(builder.getPtrTy(), part_of(builder, sweep.own_deferred_frees, buffer))});
}

} // namespace assay::engine
