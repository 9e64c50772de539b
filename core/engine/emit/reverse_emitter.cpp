#include "core/engine/emit/reverse_emitter.hpp"
#include "core/engine/emit/address_log.hpp"
#include "core/engine/emit/adjoint.hpp"
#include "core/engine/emit/deferred_frees.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "llvm/ADT/PostOrderIterator.h"

using namespace llvm;

namespace assay::engine {

ReverseEmitter::ReverseEmitter(ForwardSweep &sweep, const Request &request, const ControlRecord &control,
                               const Plan &plan, ArrayRef<Instruction *> checks, LoopInfo &loops, Tape &tape,
                               Undo &undo, Function &reverse)
    : sweep_(sweep), request_(request), control_(control), plan_(plan), checks_(checks), loops_(loops), tape_(tape),
      undo_(undo), reverse_(reverse), builder_(reverse.getContext()), moved_locations_(reverse) {
  for (const Instruction &instruction : instructions(sweep.prepared))
    if (const auto *load = dyn_cast<LoadInst>(&instruction))
      if (auto found = plan.accumulations.find(dyn_cast_or_null<LoadInst>(sweep.primal(load)));
          found != plan.accumulations.end())
        accumulations_[load] = &found->second;
}

Error ReverseEmitter::run() {
  LLVMContext &context = reverse_.getContext();
  ReturnInst *exit = sweep_.exit();
  start_ = BasicBlock::Create(context, "reverse", &reverse_);
  finish_ = BasicBlock::Create(context, "reverse.end");
  for (BasicBlock &block : sweep_.prepared)
    if (control_.live.contains(sweep_.block(&block)))
      reverse_blocks_[sweep_.block(&block)] = BasicBlock::Create(context, "reverse." + block.getName(), &reverse_);
  finish_->insertInto(&reverse_);

  start();
  IRBuilder<>(start_).CreateBr(reverse_blocks_.at(exit->getParent()));
  for (const BasicBlock *block : post_order(&sweep_.prepared))
    if (control_.live.contains(sweep_.block(block))) {
      if (Error error = emit_instructions(*block))
        return error;
      if (Error error = leave_block(*block))
        return error;
    }
  if (Error error = finish(finish_))
    return error;
  if (missing_)
    return unsupported(*missing_, "the plan has no way to a value that the reverse sweep reads",
                       "this is a fault of the engine: please report it with the source");
  return Error::success();
}

/// The first block of the reverse sweep: tape positions, seeds.
void ReverseEmitter::start() {
  const DerivativeAbi abi(request_);
  builder_.SetInsertPoint(start_);
  tape_.begin_reverse(builder_);
  for (BasicBlock &block : sweep_.prepared) {
    auto *result = dyn_cast<ReturnInst>(block.getTerminator());
    if (!result || !result->getReturnValue() || !abi.seed_parameter(0) ||
        !sweep_.activity.carries_derivative(*result->getReturnValue()))
      continue;
    for (unsigned lane = 0; lane < width(); ++lane)
      add_adjoint(result->getReturnValue(), lane, reverse_.getArg(*abi.seed_parameter(lane)));
  }
}

Error ReverseEmitter::emit_instructions(const BasicBlock &prepared_block) {
  const BasicBlock *block = sweep_.block(&prepared_block);
  loop_ = loops_.getLoopFor(block);
  builder_.SetInsertPoint(reverse_blocks_.at(block));
  for (const Instruction &instruction : reverse(prepared_block)) {
    if (isa<PHINode>(instruction))
      break;
    if (isa<InvokeInst>(instruction)) // undone on the edge from its normal destination: on the other one it has thrown
      continue;
    undo_store(instruction);
    if (Error error = emit_instruction(instruction))
      return error;
  }
  return Error::success();
}

/// Memory becomes what it was before the store, where the plan counts on that.
void ReverseEmitter::undo_store(const Instruction &instruction) {
  if (!instruction.mayWriteToMemory())
    return;
  const auto *copy = dyn_cast_or_null<Instruction>(sweep_.primal(&instruction));
  if (!copy || !undo_.is_restored(*copy))
    return;
  if (undo_.is_on_stack(*copy)) {
    const std::optional<unsigned> check = undo_.check(*copy);
    undo_.put_back_if(builder_, *copy, check ? lookup_check(*check) : builder_.getTrue());
    return;
  }
  Value *address = lookup(const_cast<Value *>(written_pointer(*copy)));
  Value *old =
      tape_.read(builder_, *undo_.old_value(*copy), [&](const Loop &loop) { return iteration_of(builder_, loop); });
  undo_.put_back(builder_, *copy, address, old, in_last_iterations(undo_.repeating(*copy)));
}

Value *ReverseEmitter::in_last_iterations(ArrayRef<const Loop *> loops) {
  Value *all = builder_.getTrue();
  for (const Loop *loop : loops)
    all = builder_.CreateAnd(all, builder_.CreateLoad(builder_.getInt1Ty(), last_iteration_slot(*loop), "last"));
  return all;
}

/// A location of the forward sweep in the function of the reverse sweep.
DebugLoc ReverseEmitter::here(const DebugLoc &location) {
  return sweep_.split ? moved_locations_(location) : location;
}

Error ReverseEmitter::emit_instruction(const Instruction &instruction) {
  if (!has_adjoint(sweep_, instruction))
    return Error::success();
  builder_.SetCurrentDebugLocation(here(instruction_location(sweep_, instruction)));
  return emit_adjoint(*this, instruction);
}

/// An invoke that ended the predecessor and returned normally.
Error ReverseEmitter::emit_invoke(const BasicBlock &prepared_block, BasicBlock *predecessor) {
  for (const BasicBlock *before : predecessors(&prepared_block)) {
    const auto *invoke = dyn_cast<InvokeInst>(before->getTerminator());
    if (sweep_.block(before) != predecessor || !invoke || invoke->getNormalDest() != &prepared_block)
      continue;
    const Loop *outside = std::exchange(loop_, loops_.getLoopFor(predecessor));
    Error error = emit_instruction(*invoke);
    loop_ = outside;
    return error;
  }
  return Error::success();
}

Error ReverseEmitter::leave_block(const BasicBlock &prepared_block) {
  BasicBlock *block = sweep_.block(&prepared_block);
  const JoinRecord &join = control_.joins.at(block);
  if (join.jump_to) {
    builder_.CreateBr(reverse_blocks_.at(join.jump_to));
    return Error::success();
  }
  if (join.predecessors.empty()) {
    builder_.CreateBr(finish_);
    return Error::success();
  }
  const PhiAdjoints phis = take_phis(prepared_block);
  const Loop *loop = loops_.getLoopFor(block);
  return loop && loop->getHeader() == block ? leave_header(prepared_block, *loop, phis)
                                            : leave_join(prepared_block, join, phis);
}

/// All of a block's phis happen at once: their adjoints are taken before any is passed on.
ReverseEmitter::PhiAdjoints ReverseEmitter::take_phis(const BasicBlock &prepared_block) {
  PhiAdjoints phis;
  for (const PHINode &phi : prepared_block.phis()) {
    if (!has_adjoint(sweep_, phi))
      continue;
    Lanes adjoints;
    for (unsigned lane = 0; lane < width(); ++lane)
      adjoints.push_back(take_adjoint(&phi, lane));
    phis.emplace_back(&phi, std::move(adjoints));
  }
  return phis;
}

/// To the iteration before, or out of the reverse loop.
Error ReverseEmitter::leave_header(const BasicBlock &prepared_block, const Loop &loop, const PhiAdjoints &phis) {
  Value *first = builder_.CreateICmpEQ(iteration_of(builder_, loop), last_undone_iteration(loop));
  IRBuilder<> branch(builder_.GetInsertBlock());
  branch.SetCurrentDebugLocation(builder_.getCurrentDebugLocation());
  Expected<BasicBlock *> before = edge(prepared_block, loop.getLoopPreheader(), phis);
  if (!before)
    return before.takeError();
  Expected<BasicBlock *> again = edge(prepared_block, loop.getLoopLatch(), phis);
  if (!again)
    return again.takeError();
  branch.CreateCondBr(first, *before, *again);
  return Error::success();
}

/// To the predecessor that the forward sweep came from.
Error ReverseEmitter::leave_join(const BasicBlock &prepared_block, const JoinRecord &join, const PhiAdjoints &phis) {
  Value *selector = join.predecessors.size() > 1 ? lookup(join.selector) : nullptr;
  IRBuilder<> branch(builder_.GetInsertBlock());
  branch.SetCurrentDebugLocation(builder_.getCurrentDebugLocation());
  SmallVector<BasicBlock *, 4> edges;
  for (BasicBlock *predecessor : join.predecessors) {
    Expected<BasicBlock *> passage = edge(prepared_block, predecessor, phis);
    if (!passage)
      return passage.takeError();
    edges.push_back(*passage);
  }
  if (!selector) {
    branch.CreateBr(edges.front());
    return Error::success();
  }
  if (selector->getType()->isIntegerTy(1)) {
    branch.CreateCondBr(selector, edges[1], edges[0]);
    return Error::success();
  }
  auto *choice = branch.CreateSwitch(selector, edges[0], edges.size() - 1);
  for (unsigned index = 1; index < edges.size(); ++index)
    choice->addCase(cast<ConstantInt>(ConstantInt::get(selector->getType(), index)), edges[index]);
  return Error::success();
}

/// What happens between the reverse of a block and that of one of its predecessors.
Expected<BasicBlock *> ReverseEmitter::edge(const BasicBlock &prepared_block, BasicBlock *predecessor,
                                            const PhiAdjoints &phis) {
  BasicBlock *block = sweep_.block(&prepared_block);
  auto *passage = BasicBlock::Create(reverse_.getContext(), "reverse.edge", &reverse_, finish_);
  IRBuilder<>::InsertPointGuard guard(builder_);
  builder_.SetInsertPoint(passage);
  for (const auto &[phi, adjoints] : phis)
    for (unsigned index = 0; index < phi->getNumIncomingValues(); ++index) {
      const Value *incoming = phi->getIncomingValue(index);
      if (sweep_.block(phi->getIncomingBlock(index)) != predecessor)
        continue;
      if (sweep_.activity.carries_derivative(*incoming))
        for (unsigned lane = 0; lane < width(); ++lane)
          add_adjoint(incoming, lane, adjoints[lane]);
      break; // a predecessor that is listed twice brings the same value
    }
  const Loop *loop = loops_.getLoopFor(block);
  if (loop && loop->getHeader() == block && loop->contains(predecessor)) {
    builder_.CreateStore(next_iteration(*loop), iteration_slot(*loop));
    if (undo_.repeats(*loop))
      builder_.CreateStore(builder_.getFalse(), last_iteration_slot(*loop));
    tape_.previous_iteration(builder_, *loop);
  } else {
    if (loop && loop->getHeader() == block)
      if (Error error = add_sums(*loop))
        return std::move(error);
    enter_loops(builder_, block, predecessor);
  }
  if (Error error = emit_invoke(prepared_block, predecessor))
    return std::move(error);
  builder_.CreateBr(reverse_blocks_.at(predecessor));
  return passage;
}

/// Backwards into every loop that `exiting` is in and `exit` is not, outermost first.
void ReverseEmitter::enter_loops(IRBuilder<> &builder, BasicBlock *exit, BasicBlock *exiting) {
  SmallVector<const Loop *, 4> entered;
  for (const Loop *loop = loops_.getLoopFor(exiting); loop && !loop->contains(exit); loop = loop->getParentLoop())
    entered.push_back(loop);
  for (const Loop *loop : reverse(entered)) {
    const LoopRecord &record = control_.loops.at(loop);
    Value *count = lookup_at(record.count_for(exit), {builder, loops_.getLoopFor(exit)});
    Value *first = count;
    if (Value *descends = descends_if(*loop)) {
      counts_[loop] = count;
      first = builder.CreateSelect(descends, count, builder.getInt64(0));
    }
    builder.CreateStore(first, iteration_slot(*loop));
    if (undo_.repeats(*loop))
      builder.CreateStore(builder.getTrue(), last_iteration_slot(*loop));
    tape_.enter_loop(builder, *loop, count);
    if (record.only_exit == exit)
      loop_entries_[loop] = builder.GetInsertBlock();
  }
}

// --- free order ------------------------------------------------------------------------------------------------------

Value *ReverseEmitter::descends_if(const Loop &loop) {
  auto found = plan_.order_independent_loops.find(&loop);
  if (found == plan_.order_independent_loops.end())
    return nullptr;
  Value *any = builder_.getFalse();
  for (const unsigned check : found->second.unless)
    any = builder_.CreateOr(any, lookup_check(check));
  return any;
}

/// Going on in the loop whose reverse is being written.
Value *ReverseEmitter::next_iteration(const Loop &loop) {
  Value *iteration = iteration_of(builder_, loop);
  const auto down = [&] { return builder_.CreateSub(iteration, builder_.getInt64(1), "", true, true); };
  Value *descends = descends_if(loop);
  if (!descends)
    return down();
  Value *up = builder_.CreateAdd(iteration, builder_.getInt64(1), "", true, true);
  return isa<Constant>(descends) ? up : builder_.CreateSelect(descends, down(), up);
}

Value *ReverseEmitter::last_undone_iteration(const Loop &loop) {
  Value *zero = builder_.getInt64(0), *count = counts_.lookup(&loop);
  return count ? builder_.CreateSelect(descends_if(loop), zero, count) : zero; // with no count, nothing enters the loop
}

void ReverseEmitter::finish_address_log() {
  Value *list = sweep_.deferred_frees_list;
  if (list && keeps_address_log(sweep_) && !sweep_.buries_tape())
    finish_log(builder_, lookup(list));
}

void ReverseEmitter::release_buried() {
  if (!sweep_.own_deferred_frees || (sweep_.split && !request_.options.free_tape))
    return;
  Value *list = tape_.frame_address(*sweep_.own_deferred_frees);
  builder_.CreateCall(release_buried_function(sweep_.engine.module()), {list ? list : sweep_.own_deferred_frees});
}

/// Gradients, primal result, shadow of the result; the tape's memory is given back.
Error ReverseEmitter::finish(BasicBlock *last) {
  const DerivativeAbi abi(request_);
  builder_.SetInsertPoint(last);
  builder_.SetCurrentDebugLocation(function_location(reverse_));
  Type *type = reverse_.getReturnType();
  Value *result = type->isVoidTy() ? nullptr : PoisonValue::get(type);
  for (Argument &argument : sweep_.prepared.args()) {
    if (request_.argument_activity[argument.getArgNo()] != Activity::active)
      continue;
    for (unsigned lane = 0; lane < width(); ++lane) {
      Value *gradient = sweep_.activity.carries_derivative(argument) ? take_adjoint(&argument, lane)
                                                                     : Constant::getNullValue(argument.getType());
      if (argument.getType()->isIntegerTy()) // which may be the bits of a number
        gradient = builder_.CreateBitCast(gradient, argument.getType());
      result = builder_.CreateInsertValue(result, gradient, abi.gradient_result(argument.getArgNo(), lane));
    }
  }
  if (!sweep_.split) {
    ReturnInst *exit = sweep_.exit();
    if (std::optional<unsigned> index = abi.primal_result())
      result = builder_.CreateInsertValue(result, exit->getReturnValue(), *index);
    if (abi.shadow_result(0)) {
      Expected<Lanes> shadow = returned_shadow(sweep_);
      if (!shadow)
        return shadow.takeError();
      for (unsigned lane = 0; lane < width(); ++lane)
        result = builder_.CreateInsertValue(result, (*shadow)[lane], *abi.shadow_result(lane));
    }
  }
  undo_.redo(builder_);
  finish_address_log();
  release_buried();
  tape_.release(builder_);
  if (result)
    builder_.CreateRet(result);
  else
    builder_.CreateRetVoid();
  return Error::success();
}

AllocaInst *ReverseEmitter::iteration_slot(const Loop &loop) {
  AllocaInst *&slot = iterations_[&loop];
  if (!slot) {
    BasicBlock &entry = reverse_.getEntryBlock();
    slot = IRBuilder<>(&entry, entry.getFirstInsertionPt()).CreateAlloca(builder_.getInt64Ty(), nullptr, "iteration");
  }
  return slot;
}

AllocaInst *ReverseEmitter::last_iteration_slot(const Loop &loop) {
  AllocaInst *&slot = last_iterations_[&loop];
  if (!slot) {
    BasicBlock &entry = reverse_.getEntryBlock();
    slot = IRBuilder<>(&entry, entry.getFirstInsertionPt()).CreateAlloca(builder_.getInt1Ty(), nullptr, "last");
  }
  return slot;
}

} // namespace assay::engine
