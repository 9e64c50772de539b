#include "core/engine/prepare/prepare.hpp"
#include "core/engine/emit/memory_functions.hpp"
#include "core/engine/emit/memory_stack.hpp"
#include "core/engine/prepare/atomic_floats.hpp"
#include "core/engine/prepare/byte_loops.hpp"
#include "core/engine/prepare/chosen_parts.hpp"
#include "core/engine/prepare/computed_addresses.hpp"
#include "core/engine/prepare/computed_goto.hpp"
#include "core/engine/prepare/copied_integers.hpp"
#include "core/engine/prepare/cut_variables.hpp"
#include "core/engine/prepare/cut_words.hpp"
#include "core/engine/prepare/float_bits.hpp"
#include "core/engine/prepare/inline_assembly.hpp"
#include "core/engine/prepare/inline_calls.hpp"
#include "core/engine/prepare/joined_pieces.hpp"
#include "core/engine/prepare/known_calls.hpp"
#include "core/engine/prepare/lane_moves.hpp"
#include "core/engine/prepare/long_jumps.hpp"
#include "core/engine/prepare/masked_memory.hpp"
#include "core/engine/prepare/mixed_results.hpp"
#include "core/engine/prepare/null_accesses.hpp"
#include "core/engine/prepare/resolve_calls.hpp"
#include "core/engine/prepare/retype.hpp"
#include "core/engine/prepare/rounding_sums.hpp"
#include "core/engine/prepare/sign_bits.hpp"
#include "core/engine/prepare/split_joins.hpp"
#include "core/engine/prepare/split_loads.hpp"
#include "core/engine/prepare/split_vector_loads.hpp"
#include "core/engine/prepare/stack_memory.hpp"
#include "core/engine/prepare/stored_bits.hpp"
#include "core/engine/prepare/text_input.hpp"
#include "core/engine/prepare/unused_lanes.hpp"
#include "core/engine/prepare/variadic_calls.hpp"
#include "core/engine/prepare/vector_intrinsics.hpp"
#include "core/engine/request/diagnostics.hpp"
#include "core/engine/request/rule_adapters.hpp"
#include "core/engine/request/type_options.hpp"
#include "llvm/ADT/SetOperations.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/DeadStoreElimination.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopDeletion.h"
#include "llvm/Transforms/Scalar/LoopIdiomRecognize.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/Reg2Mem.h"
#include "llvm/Transforms/Scalar/SCCP.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/FixIrreducible.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"
#include "llvm/Transforms/Utils/Mem2Reg.h"
#include "llvm/Transforms/Utils/UnifyFunctionExitNodes.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// Attributes that describe the user's function to its callers but not our clone of it.
void free_attributes(Function &clone) {
  clone.setLinkage(GlobalValue::InternalLinkage);
  clone.setVisibility(GlobalValue::DefaultVisibility);
  clone.setDLLStorageClass(GlobalValue::DefaultStorageClass);
  clone.setDSOLocal(true);
  clone.setComdat(nullptr);
  clone.setSection("");
  for (Attribute::AttrKind kind :
       {Attribute::OptimizeNone, Attribute::NoInline, Attribute::AlwaysInline, Attribute::InlineHint, Attribute::Naked})
    clone.removeFnAttr(kind);
}

/// Speculation is kept off: a branch that guards log(x) must stay a branch, or its derivative would be 0 * inf.
SimplifyCFGOptions keep_guards() {
  return SimplifyCFGOptions().speculateBlocks(false).hoistCommonInsts(true);
}

void simplify(Function &function, FunctionAnalysisManager &analyses) {
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass(true));
  passes.addPass(SimplifyCFGPass(keep_guards()));
  passes.addPass(InstCombinePass());
  passes.addPass(SCCPPass());
  passes.addPass(SimplifyCFGPass(keep_guards()));
  LoopPassManager rotate;
  rotate.addPass(LoopRotatePass(true, false));
  rotate.addPass(LICMPass(LICMOptions()));
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(rotate), /*UseMemorySSA=*/true));
  passes.addPass(SimplifyCFGPass(keep_guards()));
  passes.addPass(InstCombinePass());
  LoopPassManager induction;
  induction.addPass(LoopIdiomRecognizePass()); // bytes that are copied one by one are copied as what they are
  induction.addPass(IndVarSimplifyPass());
  induction.addPass(LoopDeletionPass());
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(induction), /*UseMemorySSA=*/false));
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(GVNPass());
  passes.addPass(DSEPass());
  passes.addPass(InstCombinePass());
  LoopPassManager motion;
  motion.addPass(LICMPass(LICMOptions()));
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(motion), /*UseMemorySSA=*/true));
  passes.addPass(ADCEPass());
  passes.addPass(SimplifyCFGPass(keep_guards()));
  passes.run(function, analyses);
  analyses.invalidate(function, PreservedAnalyses::none());
}

bool has_irreducible_cycle(Function &function, FunctionAnalysisManager &analyses) {
  LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  ReversePostOrderTraversal<Function *> order(&function);
  return containsIrreducibleCFG<const BasicBlock *>(order, loops);
}

/// One exit, reducible loops in simplified LCSSA form.
void canonicalise(Function &function, FunctionAnalysisManager &analyses) {
  FunctionPassManager passes;
  if (has_irreducible_cycle(function, analyses)) {
    passes.addPass(LowerSwitchPass());
    passes.addPass(RegToMemPass()); // the next pass loses values that several entries of a cycle pass on
    passes.addPass(FixIrreduciblePass());
    passes.addPass(PromotePass());
  }
  passes.addPass(UnifyFunctionExitNodesPass());
  passes.addPass(LoopSimplifyPass());
  passes.addPass(LCSSAPass());
  passes.run(function, analyses);
  analyses.invalidate(function, PreservedAnalyses::none());
}

/// A by-value aggregate that is passed in memory: the clone copies it itself, so that its parameter is a plain pointer.
void copy_by_value_parameters(Function &clone) {
  for (Argument &argument : clone.args()) {
    if (!argument.hasByValAttr())
      continue;
    Type *type = argument.getParamByValType();
    const Align alignment = argument.getParamAlign().value_or(clone.getDataLayout().getABITypeAlign(type));
    BasicBlock &entry = clone.getEntryBlock();
    IRBuilder<> builder(&entry, entry.getFirstInsertionPt());
    AllocaInst *copy = builder.CreateAlloca(type, nullptr, argument.getName() + ".copy");
    copy->setAlignment(alignment);
    argument.replaceAllUsesWith(copy);
    builder.CreateMemCpy(copy, alignment, &argument, alignment, clone.getDataLayout().getTypeAllocSize(type));
    argument.removeAttr(Attribute::ByVal);
  }
}

bool rejoin_what_was_cut(Function &clone) {
  const bool rejoined_variables = rejoin_cut_variables(clone);
  return rejoin_cut_words(clone) || rejoined_variables;
}

/// An allocation that fails throws past the derivative: it needs no landing pad of its own. Invokes that stay get a
/// normal destination of their own, where what they return can be stored.
void simplify_invokes(Function &clone, const Knowledge &knowledge) {
  for (BasicBlock &block : make_early_inc_range(clone)) {
    auto *invoke = dyn_cast<InvokeInst>(block.getTerminator());
    if (!invoke)
      continue;
    const MemoryAction action = classify_memory_call(*invoke, knowledge).action;
    if (action == MemoryAction::allocate || action == MemoryAction::allocate_zeroed || action == MemoryAction::release)
      changeToCall(invoke);
    else if (!invoke->getNormalDest()->getSinglePredecessor())
      SplitEdge(&block, invoke->getNormalDest());
  }
}

/// Markers of lifetimes would end memory that the reverse sweep still reads.
void drop_lifetimes(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (instruction.isLifetimeStartOrEnd())
      instruction.eraseFromParent();
}

SmallPtrSet<const Function *, 16> direct_callees(Function &function) {
  SmallPtrSet<const Function *, 16> callees;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction); call && call->getCalledFunction())
      callees.insert(call->getCalledFunction());
  return callees;
}

/// What is called through a pointer may become known by simplification, or is one of some candidates; then it may be
/// inlined, and more becomes known.
Error simplify_and_inline(Function &clone, const PrepareContext &context) {
  constexpr unsigned most_rounds = 3;
  for (unsigned round = 0; round < most_rounds; ++round) {
    const auto known = direct_callees(clone);
    simplify(clone, context.analyses);
    const bool resolved = resolve_indirect_calls(clone, context.knowledge);
    if (!resolved && set_is_subset(direct_callees(clone), known))
      return Error::success();
    if (Error error = inline_calls(clone, context))
      return error;
  }
  simplify(clone, context.analyses);
  return Error::success();
}

/// Callers are asked where the function itself does not tell, or tells no more than that it copies what it declares as
/// integers; then words are told apart by their bits, and last come guesses, where the user wants them.
void type_memory(Function &clone, const Function &source, const PrepareContext &context) {
  std::optional<TypeHints> hints;
  std::optional<TypeAnalysis> types;
  if (may_copy_integers(clone))
    types.emplace(clone, false, context.body_of);
  if (types && copies_declared_integers(clone, *types))
    hints = context.hints_for(source);
  const bool told_of_floats = hints && hints->tell_floats();
  if (!told_of_floats && retype_memory(clone, Unknown::left, context.body_of, nullptr, std::move(types)))
    return;
  if (!hints)
    hints = context.hints_for(source);
  const TypeHints *told = hints ? &*hints : nullptr;
  if (!retype_memory(clone, Unknown::words, context.body_of, told) && type_options().loose)
    retype_memory(clone, Unknown::guessed, context.body_of, told);
}

} // namespace

Expected<Function *> prepare(Function &source, const PrepareContext &context) {
  if (source.hasFnAttribute(Attribute::ReturnsTwice) || source.callsFunctionThatReturnsTwice())
    return unsupported(source, nullptr, "setjmp cannot be differentiated",
                       "move it out of the differentiated code or give the function a custom rule");
  if (source.isPresplitCoroutine())
    return unsupported(source, nullptr, "a coroutine cannot be differentiated", "give it a custom rule");
  if (const CallBase *jump = reached_long_jump(source, context.knowledge))
    return unsupported(*jump, "longjmp out of differentiated code loses the derivative",
                       "return an error instead, or register the function that jumps as inactive");

  ValueToValueMapTy map;
  Function *clone = CloneFunction(&source, map);
  clone->setName(source.getName() + prepared_suffix);
  free_attributes(*clone);
  merge_callees(*clone, source, context);
  replace_memory_stack(*clone);
  expand_computed_gotos(*clone, source, map);
  rewrite_inline_assembly(*clone);
  if (Error error = fix_variadic_calls(*clone))
    return error;
  call_simple_forms(*clone, source, context.knowledge);
  expand_known_calls(*clone, context.knowledge);
  read_text_apart(*clone);
  rejoin_what_was_cut(*clone);
  expand_vector_intrinsics(*clone);
  expand_masked_memory(*clone);
  if (Error error = inline_calls(*clone, context))
    return error;
  copy_by_value_parameters(*clone);
  move_dynamic_stack_to_heap(*clone);
  simplify_invokes(*clone, context.knowledge);
  if (Error error = simplify_and_inline(*clone, context))
    return error;
  expand_known_calls(*clone, context.knowledge); // those that simplification made of others
  if (end_at_null_accesses(*clone))
    simplify(*clone, context.analyses);
  if (rejoin_what_was_cut(*clone))
    simplify(*clone, context.analyses);
  if (rewrite_atomic_floats(*clone))
    simplify(*clone, context.analyses);
  if (rewrite_byte_loops(*clone, context.analyses))
    simplify(*clone, context.analyses);
  if (rewrite_sign_bits(*clone))
    simplify(*clone, context.analyses);
  join_pieces(*clone);
  rewrite_computed_addresses(*clone);
  choose_parts(*clone);
  split_joins(*clone);
  split_loads(*clone);
  split_vector_loads(*clone);
  rewrite_lane_moves(*clone);
  rewrite_single_lanes(*clone); // the combiner would make moves of integers again
  store_floats_as_floats(*clone);
  rewrite_rounding_sums(*clone);
  rewrite_float_bits(*clone);
  fill_unused_lanes(*clone);
  call_simple_forms(*clone, source, context.knowledge);   // pointers to functions are known now
  return_mixed_through_memory(*clone, context.knowledge); // what is not inlined by now
  drop_lifetimes(*clone);
  simplify_invokes(*clone, context.knowledge);
  canonicalise(*clone, context.analyses);
  return clone;
}

Expected<Function *> with_typed_memory(Function &prepared, const Function &source, WordMoves moves,
                                       const PrepareContext &context) {
  ValueToValueMapTy map;
  Function *clone = CloneFunction(&prepared, map);
  clone->setName(prepared.getName());
  if (moves == WordMoves::inlined) {
    Expected<bool> inlined = inline_word_moves(*clone, context);
    if (!inlined)
      return inlined.takeError();
    if (*inlined)
      simplify(*clone, context.analyses);
  }
  type_memory(*clone, source, context);
  rewrite_sign_bits(*clone); // of what is now loaded as floats
  rewrite_float_bits(*clone);
  context.analyses.invalidate(*clone, PreservedAnalyses::none());
  simplify_invokes(*clone, context.knowledge);
  canonicalise(*clone, context.analyses);
  return clone;
}

} // namespace assay::engine
