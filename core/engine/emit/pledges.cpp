#include "core/engine/emit/pledges.hpp"
#include "core/engine/emit/droppable_tape.hpp"
#include "core/engine/emit/graveyard.hpp"
#include "core/engine/emit/tape_helpers.hpp"
#include "core/engine/rules/own_function.hpp"
#include "core/engine/support/convention_names.hpp"
#include "core/engine/support/memory_calls.hpp"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr unsigned pledges = 1; // the second list behind the address of the graveyard's
constexpr unsigned buffer = 0, position = 2;

FunctionType *procedure(Module &module, ArrayRef<Type *> parameters) {
  return FunctionType::get(Type::getVoidTy(module.getContext()), parameters, false);
}

Value *part_of(IRBuilder<> &builder, Value *lists, unsigned part) {
  auto *type = ArrayType::get(tape_state_type(builder.getContext()), pledges + 1);
  return builder.CreateInBoundsGEP(type, lists,
                                   {builder.getInt64(0), builder.getInt32(pledges), builder.getInt32(part)});
}

/// pledge(lists, memory, release, other): nothing where there are no lists, or no memory.
Function *pledge_function(Module &module) {
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::getUnqual(context), *word = Type::getInt64Ty(context);
  return own_function(module, (list_prefix + "pledge").str(), procedure(module, {pointer, pointer, pointer, word}),
                      [&](Function &function) {
                        auto *entry = BasicBlock::Create(context, "", &function);
                        auto *note = BasicBlock::Create(context, "note", &function);
                        auto *done = BasicBlock::Create(context, "done", &function);
                        IRBuilder<> builder(entry);
                        builder.CreateCondBr(builder.CreateIsNull(function.getArg(0)), done, note);
                        builder.SetInsertPoint(note);
                        builder.CreateCall(bury_function(module),
                                           {part_of(builder, function.getArg(0), buffer), function.getArg(1),
                                            function.getArg(2), function.getArg(3)});
                        builder.CreateBr(done);
                        builder.SetInsertPoint(done);
                        builder.CreateRetVoid();
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

void write(ForwardSweep &sweep, const Pledge &pledge) {
  IRBuilder<> builder(pledge.place);
  Value *other = pledge.release.others.empty() ? builder.getInt64(0) : pledge.release.others.front();
  other = other->getType()->isPointerTy() ? builder.CreatePtrToInt(other, builder.getInt64Ty())
                                          : builder.CreateZExtOrTrunc(other, builder.getInt64Ty());
  Module &module = sweep.engine.module();
  if (Function *thunk = release_thunk(module, pledge.release))
    for (Value *memory : pledge.memory)
      builder.CreateCall(pledge_function(module), {sweep.graveyard(), memory, thunk, other});
}

} // namespace

bool needs_pledges(const Module &module) {
  return drops_tapes(module) || any_of(module, [](const Function &function) {
           return function.hasPersonalityFn() || (function.isDeclaration() && function.getName() == "__cxa_throw");
         });
}

void pledge(ForwardSweep &sweep, IRBuilder<> &builder, Value *memory, Function &release) {
  if (needs_pledges(sweep.engine.module()))
    builder.CreateCall(pledge_function(sweep.engine.module()),
                       {sweep.graveyard(), memory, &release, builder.getInt64(0)});
}

/// What stands at `place` may be replaced before the pledge is written: a mark is left there.
void note_pledge(ForwardSweep &sweep, const CallBase &release, Instruction &place, ArrayRef<Value *> memory) {
  auto *mark = new FreezeInst(PoisonValue::get(Type::getInt1Ty(place.getContext())), "", place.getIterator());
  sweep.pledges.push_back({same_release(release, sweep.engine.knowledge()), mark, {memory.begin(), memory.end()}});
}

void prepare_pledges(ForwardSweep &sweep) {
  if (!needs_pledges(sweep.engine.module()))
    sweep.pledges.clear();
  if (!sweep.pledges.empty())
    sweep.graveyard();
}

void write_pledges(ForwardSweep &sweep) {
  auto *list = dyn_cast_or_null<Instruction>(sweep.graveyard_list);
  if (!list || !needs_pledges(sweep.engine.module()))
    return;
  IRBuilder<> builder(list->getNextNode());
  sweep.pledges_before = builder.getInt64(0);
  if (list != sweep.own_graveyard)
    sweep.pledges_before = builder.CreateLoad(builder.getInt64Ty(), part_of(builder, list, position), "pledges");
  for (const Pledge &pledge : sweep.pledges) {
    write(sweep, pledge);
    pledge.place->eraseFromParent();
  }
}

void end_pledges(ForwardSweep &sweep, Tape &tape, IRBuilder<> &builder) {
  Module &module = sweep.engine.module();
  if (!needs_pledges(module))
    return;
  if (sweep.own_graveyard)
    builder.CreateCall(
        free_function(module),
        {builder.CreateLoad(builder.getPtrTy(), part_of(builder, tape.forward_address(*sweep.own_graveyard), buffer))});
  const std::optional<unsigned> given = DerivativeAbi(sweep.request).graveyard_parameter();
  if (sweep.split && given && !isa<ConstantPointerNull>(tape.frame()))
    builder.CreateCall(pledge_function(module),
                       {sweep.function.getArg(*given), tape.frame(), tape_release(sweep, tape), builder.getInt64(0)});
}

void release_pledges(const ForwardSweep &sweep, IRBuilder<> &builder) {
  if (!sweep.pledges_before)
    return;
  Module &module = sweep.engine.module();
  builder.CreateCall(release_pledged_function(module),
                     {part_of(builder, sweep.graveyard_list, buffer), sweep.pledges_before});
  if (sweep.own_graveyard == sweep.graveyard_list)
    builder.CreateCall(free_function(module),
                       {builder.CreateLoad(builder.getPtrTy(), part_of(builder, sweep.own_graveyard, buffer))});
}

} // namespace assay::engine
