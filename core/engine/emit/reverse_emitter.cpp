#include "core/engine/emit/reverse_emitter.hpp"
#include "core/engine/emit/adjoint.hpp"
#include "core/engine/emit/adjoint_memory.hpp"
#include "core/engine/emit/graveyard.hpp"
#include "core/engine/request/diagnostics.hpp"
#include "llvm/ADT/PostOrderIterator.h"

using namespace llvm;

namespace assay::engine {

Value *add_parts(IRBuilder<> &builder, Value *left, Value *right) {
  Type *type = left->getType();
  if (type->isFPOrFPVectorTy()) {
    Value *sum = builder.CreateFAdd(left, right);
    // The first increment meets a zero: without regard to its sign the sum is the increment itself. Nothing asks for an
    // order of increments: sums over loops may be vectorised.
    if (auto *operation = dyn_cast<Instruction>(sum)) {
      operation->setHasNoSignedZeros(true);
      operation->setHasAllowReassoc(true);
    }
    return sum;
  }
  if (!type->isAggregateType())
    return left;
  Value *sum = left;
  const unsigned parts = type->isStructTy() ? type->getStructNumElements() : type->getArrayNumElements();
  for (unsigned index = 0; index < parts; ++index)
    sum = builder.CreateInsertValue(
        sum, add_parts(builder, builder.CreateExtractValue(left, index), builder.CreateExtractValue(right, index)),
        index);
  return sum;
}

ReverseEmitter::ReverseEmitter(ForwardSweep &sweep, const Request &request, const ControlRecord &control,
                               const Plan &plan, const Accumulations &accumulations, LoopInfo &loops, Tape &tape,
                               Undo &undo, Function &reverse)
    : sweep_(sweep), request_(request), control_(control), plan_(plan), loops_(loops), accumulations_(accumulations),
      tape_(tape), undo_(undo), reverse_(reverse), builder_(reverse.getContext()), moved_locations_(reverse) {}

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
  if (!copy || !undo_.is_undone(*copy))
    return;
  if (Value *overlap = undo_.only_if(*copy)) {
    undo_.put_back_if(builder_, *copy, lookup(overlap));
    return;
  }
  Value *address = lookup(const_cast<Value *>(written_pointer(*copy)));
  Value *old = lookup(undo_.old_value(*copy));
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
  // All of a block's phis happen at once: their adjoints are taken before any is passed on.
  SmallVector<std::pair<const PHINode *, Lanes>, 4> phis;
  for (const PHINode &phi : prepared_block.phis()) {
    if (!has_adjoint(sweep_, phi))
      continue;
    Lanes adjoints;
    for (unsigned lane = 0; lane < width(); ++lane)
      adjoints.push_back(take_adjoint(&phi, lane));
    phis.emplace_back(&phi, std::move(adjoints));
  }
  const Loop *loop = loops_.getLoopFor(block);
  if (loop && loop->getHeader() == block) {
    Value *iteration = iteration_of(builder_, *loop);
    Value *first = builder_.CreateICmpEQ(iteration, builder_.getInt64(0));
    IRBuilder<> branch(builder_.GetInsertBlock());
    branch.SetCurrentDebugLocation(builder_.getCurrentDebugLocation());
    Expected<BasicBlock *> before = edge(prepared_block, loop->getLoopPreheader(), phis);
    if (!before)
      return before.takeError();
    Expected<BasicBlock *> again = edge(prepared_block, loop->getLoopLatch(), phis);
    if (!again)
      return again.takeError();
    branch.CreateCondBr(first, *before, *again);
    return Error::success();
  }
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
                                            ArrayRef<std::pair<const PHINode *, Lanes>> phis) {
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
    Value *iteration = builder_.CreateSub(iteration_of(builder_, *loop), builder_.getInt64(1), "", true, true);
    builder_.CreateStore(iteration, iteration_slot(*loop));
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
    builder.CreateStore(count, iteration_slot(*loop));
    if (undo_.repeats(*loop))
      builder.CreateStore(builder.getTrue(), last_iteration_slot(*loop));
    tape_.enter_loop(builder, *loop, count);
    if (record.only_exit == exit)
      loop_entries_[loop] = builder.GetInsertBlock();
  }
}

void ReverseEmitter::release_buried() {
  if (!sweep_.own_graveyard || (sweep_.split && !request_.options.free_tape))
    return;
  Value *list = tape_.frame_address(*sweep_.own_graveyard);
  builder_.CreateCall(release_buried_function(sweep_.engine.module()), {list ? list : sweep_.own_graveyard});
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
  release_buried();
  tape_.release(builder_);
  if (result)
    builder_.CreateRet(result);
  else
    builder_.CreateRetVoid();
  return Error::success();
}

// --- adjoints --------------------------------------------------------------------------------------------------------

Type *ReverseEmitter::adjoint_type(const Value *prepared_value) const {
  Type *type = prepared_value->getType();
  if (!type->isIntOrIntVectorTy())
    return type;
  const BasicType basic = sweep_.types.of(*prepared_value);
  if (basic.kind != ByteKind::floating)
    return type;
  const unsigned floats =
      type->getPrimitiveSizeInBits().getFixedValue() / basic.floating->getPrimitiveSizeInBits().getFixedValue();
  return floats > 1 ? FixedVectorType::get(basic.floating, floats) : basic.floating;
}

bool ReverseEmitter::is_local(const Value *prepared_value) {
  const auto *instruction = dyn_cast<Instruction>(prepared_value);
  if (!instruction || instruction->isTerminator())
    return false;
  auto [known, fresh] = locality_.try_emplace(prepared_value, false);
  if (fresh)
    known->second = all_of(instruction->users(), [&](const User *user) {
      const auto *user_instruction = cast<Instruction>(user);
      return user_instruction->getParent() == instruction->getParent() && !isa<PHINode>(user_instruction) &&
             !user_instruction->isTerminator();
    });
  return known->second;
}

AllocaInst *ReverseEmitter::adjoint_slot(const Value *prepared_value, unsigned lane) {
  AllocaInst *&slot = adjoints_[{prepared_value, lane}];
  if (!slot)
    slot = zero_slot(adjoint_type(prepared_value), prepared_value->getName() + "'");
  return slot;
}

AllocaInst *ReverseEmitter::zero_slot(Type *type, const Twine &name) {
  BasicBlock &entry = reverse_.getEntryBlock();
  AllocaInst *slot = IRBuilder<>(&entry, entry.getFirstInsertionPt()).CreateAlloca(type, nullptr, name);
  IRBuilder<> start(start_, start_->getFirstInsertionPt());
  zeros_.push_back(start.CreateStore(Constant::getNullValue(type), slot));
  return slot;
}

Value *ReverseEmitter::take_adjoint(const Value *prepared_value, unsigned lane) {
  if (is_local(prepared_value)) {
    auto found = local_adjoints_.find({prepared_value, lane});
    if (found == local_adjoints_.end())
      return Constant::getNullValue(adjoint_type(prepared_value));
    Value *adjoint = found->second;
    local_adjoints_.erase(found);
    return adjoint;
  }
  AllocaInst *slot = adjoint_slot(prepared_value, lane);
  Value *adjoint = builder_.CreateLoad(slot->getAllocatedType(), slot, prepared_value->getName() + "'");
  builder_.CreateStore(Constant::getNullValue(slot->getAllocatedType()), slot);
  return adjoint;
}

void ReverseEmitter::add_adjoint(const Value *prepared_value, unsigned lane, Value *increment) {
  if (isa<Constant>(prepared_value))
    return;
  Type *type = adjoint_type(prepared_value);
  if (increment->getType() != type)
    increment = builder_.CreateBitCast(increment, type);
  if (is_local(prepared_value)) {
    Value *&sum = local_adjoints_[{prepared_value, lane}];
    sum = sum ? add_parts(builder_, sum, increment) : increment;
    return;
  }
  AllocaInst *slot = adjoint_slot(prepared_value, lane);
  Value *sum = add_parts(builder_, builder_.CreateLoad(type, slot), increment);
  if (auto *addition = dyn_cast<Instruction>(sum);
      addition && isa<FPMathOperator>(sum) && is_of_outer_loop(prepared_value))
    addition->setHasAllowReassoc(true); // A sum over iterations, in the order that is fastest.
  builder_.CreateStore(sum, slot);
}

// --- sums in registers -----------------------------------------------------------------------------------------------

static Function *add_function(Module &module, Type *type) {
  std::string name = "assay.add.";
  raw_string_ostream(name) << *type;
  return rare_function(module, name, {PointerType::getUnqual(module.getContext()), type},
                       [&](IRBuilder<> &builder, Function &function) {
                         Value *place = function.getArg(0);
                         Value *sum = builder.CreateAlignedLoad(type, place, Align(1));
                         builder.CreateAlignedStore(builder.CreateFAdd(sum, function.getArg(1)), place, Align(1));
                       });
}

bool ReverseEmitter::accumulate(const LoadInst &load, unsigned lane, Value *increment) {
  auto found = accumulations_.find(&load);
  if (found == accumulations_.end())
    return false;
  AllocaInst *&sum = sums_[{&load, lane}];
  Type *type = increment->getType();
  if (!sum)
    sum = zero_slot(type, load.getName() + "'sum");
  for (Value *overlap : found->second.unless) {
    Expected<Value *> shadow = lookup_shadow(load.getPointerOperand(), lane, load);
    cantFail(shadow.takeError()); // The load has a shadow: it was needed.
    Value *at_once = lookup(overlap);
    rare_calls_.add(builder_, at_once, *add_function(*reverse_.getParent(), type), {*shadow, increment});
    increment = builder_.CreateSelect(at_once, Constant::getNullValue(type), increment);
  }
  Value *total = add_parts(builder_, builder_.CreateLoad(type, sum), increment);
  if (auto *addition = dyn_cast<Instruction>(total))
    addition->setHasAllowReassoc(true); // A sum over iterations, in the order that is fastest.
  builder_.CreateStore(total, sum);
  return true;
}

/// On leaving the reverse loop.
Error ReverseEmitter::add_sums(const Loop &loop) {
  for (const auto &[load, accumulation] : accumulations_) {
    if (accumulation.loop != &loop)
      continue;
    for (unsigned lane = 0; lane < width(); ++lane) {
      AllocaInst *sum = sums_.lookup({load, lane});
      if (!sum)
        continue;
      Expected<Value *> shadow = lookup_shadow(load->getPointerOperand(), lane, *load);
      if (!shadow)
        return shadow.takeError();
      add_to_shadow(*this, *load, *shadow, builder_.CreateLoad(sum->getAllocatedType(), sum));
      builder_.CreateStore(Constant::getNullValue(sum->getAllocatedType()), sum);
    }
  }
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

/// True for a value that does not change in the loop whose reverse is being written.
bool ReverseEmitter::is_of_outer_loop(const Value *prepared_value) const {
  const auto *instruction = dyn_cast<Instruction>(prepared_value);
  return loop_ && (!instruction || !loop_->contains(sweep_.block(instruction->getParent())));
}

AllocaInst *ReverseEmitter::last_iteration_slot(const Loop &loop) {
  AllocaInst *&slot = last_iterations_[&loop];
  if (!slot) {
    BasicBlock &entry = reverse_.getEntryBlock();
    slot = IRBuilder<>(&entry, entry.getFirstInsertionPt()).CreateAlloca(builder_.getInt1Ty(), nullptr, "last");
  }
  return slot;
}

// --- primal values ---------------------------------------------------------------------------------------------------

Expected<Value *> ReverseEmitter::lookup_shadow(const Value *prepared_value, unsigned lane, const Instruction &user) {
  Expected<Lanes> shadow = shadow_of(sweep_, prepared_value, user);
  if (!shadow)
    return shadow.takeError();
  return lookup((*shadow)[lane]);
}

Value *ReverseEmitter::lookup(Value *value) {
  return lookup_at(value, {builder_, loop_});
}

Value *ReverseEmitter::lookup_argument(Argument &argument) const {
  if (!sweep_.split)
    return &argument;
  // Both halves take the primal arguments and their shadows first and in the same order.
  return reverse_.getArg(argument.getArgNo());
}

Value *ReverseEmitter::iteration_of(IRBuilder<> &builder, const Loop &loop) {
  return builder.CreateLoad(builder.getInt64Ty(), iteration_slot(loop), "iteration");
}

/// A value of an outer loop that is read in an inner one is fetched once, on the way into the inner loop's reverse.
Value *ReverseEmitter::lookup_at(Value *value, Place place) {
  if (auto *argument = dyn_cast<Argument>(value))
    return lookup_argument(*argument);
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction)
    return value;
  if (Value *address = tape_.frame_address(*instruction))
    return address;
  auto storage = plan_.storage.find(instruction);
  if (storage == plan_.storage.end()) {
    if (!missing_)
      missing_ = instruction;
    return PoisonValue::get(instruction->getType());
  }
  if (storage->second == Storage::direct)
    return instruction;

  const Loop *home = loops_.getLoopFor(instruction->getParent());
  SmallVector<const Loop *, 4> between;
  for (const Loop *loop = place.loop; loop && loop != home; loop = loop->getParentLoop())
    between.push_back(loop);
  for (const Loop *loop : reverse(between))
    if (BasicBlock *entry = loop_entries_.lookup(loop); entry && entry->getTerminator()) {
      IRBuilder<> early(entry->getTerminator());
      early.SetCurrentDebugLocation(place.builder.getCurrentDebugLocation());
      return materialise(*instruction, {early, loop->getParentLoop()});
    }
  return materialise(*instruction, place);
}

Value *ReverseEmitter::materialise(Instruction &value, Place place) {
  const auto key = std::pair<const Value *, const BasicBlock *>(&value, place.builder.GetInsertBlock());
  if (Value *known = looked_up_.lookup(key))
    return known;
  Value *result = nullptr;
  switch (plan_.storage.at(&value)) {
  case Storage::tape:
    result = tape_.read(place.builder, value, [&](const Loop &loop) { return iteration_of(place.builder, loop); });
    break;
  case Storage::iteration:
    // Not remembered: within one reverse block the counter may step.
    return iteration_of(place.builder, *loops_.getLoopFor(value.getParent()));
  case Storage::closed_form:
    result = closed_form(cast<PHINode>(value), place);
    break;
  case Storage::recompute:
    result = recompute(value, place);
    break;
  case Storage::direct:
  case Storage::frame:
    llvm_unreachable("needs no code");
  }
  looked_up_[key] = result;
  return result;
}

Value *ReverseEmitter::closed_form(PHINode &phi, Place place) {
  const ClosedForm &form = control_.closed_forms.at(&phi);
  Value *start = lookup_at(form.start, place), *step = lookup_at(form.step, place);
  Value *iteration = iteration_of(place.builder, *form.loop);
  iteration = place.builder.CreateZExtOrTrunc(iteration, step->getType());
  Value *distance = place.builder.CreateMul(iteration, step);
  if (phi.getType()->isPointerTy())
    return place.builder.CreatePtrAdd(start, distance, phi.getName());
  return place.builder.CreateAdd(start, place.builder.CreateZExtOrTrunc(distance, phi.getType()), phi.getName());
}

Value *ReverseEmitter::recompute(Instruction &value, Place place) {
  if (auto *phi = dyn_cast<PHINode>(&value))
    return lookup_at(phi->getIncomingValue(0), place);
  SmallVector<Value *, 4> operands;
  for (Value *operand : value.operand_values())
    operands.push_back(lookup_at(operand, place));
  Instruction *copy = value.clone();
  for (unsigned index = 0; index < operands.size(); ++index)
    copy->setOperand(index, operands[index]);
  copy->setDebugLoc(here(value.getDebugLoc()));
  copy->dropLocation();
  place.builder.Insert(copy, value.getName());
  if (sweep_.shadow_accesses.contains(&value))
    sweep_.shadow_accesses.insert(copy);
  return copy;
}

} // namespace assay::engine
