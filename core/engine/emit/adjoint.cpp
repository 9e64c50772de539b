#include "core/engine/emit/adjoint.hpp"
#include "core/engine/emit/adjoint_call.hpp"
#include "core/engine/emit/adjoint_memory.hpp"
#include "core/engine/emit/atomic_adjoint.hpp"
#include "core/engine/emit/extremum_choice.hpp"
#include "core/engine/emit/mirrored_barriers.hpp"
#include "core/engine/emit/reverse_emitter.hpp"
#include "core/engine/emit/shuffle_adjoint.hpp"
#include "core/engine/emit/tagged_moves.hpp"
#include "core/engine/plan/adjoint_type.hpp"
#include "core/engine/rules/scalar_rule.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "llvm/Analysis/VectorUtils.h"

using namespace llvm;

namespace assay::engine {

DebugLoc instruction_location(const ForwardSweep &sweep, const Instruction &prepared_instruction) {
  if (auto *copy = dyn_cast_or_null<Instruction>(sweep.primal(&prepared_instruction)); copy && copy->getDebugLoc())
    return copy->getDebugLoc();
  return function_location(sweep.function);
}

namespace {

bool carries(const ForwardSweep &sweep, const Value *value) {
  return !isa<Constant>(value) && sweep.activity.carries_derivative(*value);
}

/// A select keeps a value from the result; a derivative that is infinite there must not turn the zero adjoint into NaN.
bool is_guarded_by_select(const Instruction &instruction) {
  SmallVector<const Instruction *, 8> pending{&instruction};
  SmallPtrSet<const Instruction *, 16> seen{&instruction};
  while (!pending.empty() && seen.size() < 64)
    for (const User *user : pending.pop_back_val()->users()) {
      const auto *next = dyn_cast<Instruction>(user);
      if (!next || !next->getType()->isFPOrFPVectorTy())
        continue;
      if (isa<SelectInst>(next))
        return true;
      if (!isa<PHINode>(next) && seen.insert(next).second)
        pending.push_back(next);
    }
  return false;
}

/// A branch does so, too: the optimiser moves what does not change out of loops, whether or not it was reached in them.
bool is_guarded_by_branch(const Instruction &instruction) {
  SmallPtrSet<const BasicBlock *, 4> always_run;
  for (const BasicBlock *block = instruction.getParent(); block && always_run.insert(block).second;)
    block = block->getSingleSuccessor();
  SmallVector<const Instruction *, 8> pending{&instruction};
  SmallPtrSet<const Instruction *, 16> seen{&instruction};
  while (!pending.empty() && seen.size() < 64)
    for (const Use &use : pending.pop_back_val()->uses()) {
      const auto *user = cast<Instruction>(use.getUser());
      const auto *phi = dyn_cast<PHINode>(user);
      if (!always_run.contains(phi ? phi->getIncomingBlock(use) : user->getParent()))
        return true;
      if (!phi && user->getType()->isFPOrFPVectorTy() && seen.insert(user).second)
        pending.push_back(user);
    }
  return false;
}

// --- scalar operations -----------------------------------------------------------------------------------------------

void scalar_needs(const ForwardSweep &sweep, const Instruction &instruction, const ScalarRule &rule,
                  function_ref<void(Value *)> need) {
  if (Value *choice = extremum_choice(sweep, instruction))
    return need(choice);
  for (unsigned index = 0; index < rule.operand_count(); ++index) {
    if (!rule.has_partial(index) || !carries(sweep, rule.operand(index)))
      continue;
    const PartialNeeds needs = rule.needs(index);
    for (unsigned operand : needs.operands.set_bits())
      need(sweep.primal(rule.operand(operand)));
    if (needs.result)
      need(sweep.primal(&instruction));
  }
}

void emit_scalar(ReverseEmitter &emitter, const Instruction &instruction, const ScalarRule &rule) {
  ForwardSweep &sweep = emitter.sweep();
  ZeroTimesInfinity zeros = zero_times_infinity(sweep.request.options);
  if (zeros == ZeroTimesInfinity::undefined && (is_guarded_by_select(instruction) || is_guarded_by_branch(instruction)))
    zeros = ZeroTimesInfinity::zero_for_zero_seeds;
  Lanes seeds;
  for (unsigned lane = 0; lane < emitter.width(); ++lane)
    seeds.push_back(emitter.take_adjoint(&instruction, lane));
  if (all_of(seeds, [](const Value *seed) { return isa<Constant>(seed) && cast<Constant>(seed)->isNullValue(); }))
    return; // nothing that uses it is active
  for (unsigned index = 0; index < rule.operand_count(); ++index) {
    if (!rule.has_partial(index) || !carries(sweep, rule.operand(index)))
      continue;
    const PartialNeeds needs = rule.needs(index);
    SmallVector<Value *, 3> operands(rule.operand_count(), nullptr);
    for (unsigned operand : needs.operands.set_bits())
      operands[operand] = emitter.lookup_primal(rule.operand(operand));
    Value *result = needs.result ? emitter.lookup_primal(&instruction) : nullptr;
    for (auto [lane, product] : enumerate(rule.emit_products(emitter.builder(), index, operands, result, seeds, zeros)))
      emitter.add_adjoint(rule.operand(index), lane, product);
  }
}

// --- instructions that move values -----------------------------------------------------------------------------------

/// select, extractelement, insertelement read a condition or an index of the primal; the others read nothing.
void structural_needs(const ForwardSweep &sweep, const Instruction &instruction, function_ref<void(Value *)> need) {
  if (const auto *select = dyn_cast<SelectInst>(&instruction))
    need(sweep.primal(select->getCondition()));
  else if (isa<ExtractElementInst>(instruction))
    need(sweep.primal(instruction.getOperand(1)));
  else if (isa<InsertElementInst>(instruction))
    need(sweep.primal(instruction.getOperand(2)));
}

void emit_select(ReverseEmitter &emitter, const SelectInst &select, Value *adjoint, unsigned lane) {
  IRBuilder<> &builder = emitter.builder();
  Value *condition = emitter.lookup_primal(select.getCondition());
  Value *zero = Constant::getNullValue(adjoint->getType());
  if (carries(emitter.sweep(), select.getTrueValue()))
    emitter.add_adjoint(select.getTrueValue(), lane, builder.CreateSelect(condition, adjoint, zero));
  if (carries(emitter.sweep(), select.getFalseValue()))
    emitter.add_adjoint(select.getFalseValue(), lane, builder.CreateSelect(condition, zero, adjoint));
}

void emit_extract_value(ReverseEmitter &emitter, const ExtractValueInst &extract, Value *adjoint, unsigned lane) {
  const Value *aggregate = extract.getAggregateOperand();
  if (!carries(emitter.sweep(), aggregate))
    return;
  Value *spread = Constant::getNullValue(aggregate->getType());
  emitter.add_adjoint(aggregate, lane, emitter.builder().CreateInsertValue(spread, adjoint, extract.getIndices()));
}

void emit_insert_value(ReverseEmitter &emitter, const InsertValueInst &insert, Value *adjoint, unsigned lane) {
  IRBuilder<> &builder = emitter.builder();
  const Value *inserted = insert.getInsertedValueOperand(), *rest = insert.getAggregateOperand();
  if (carries(emitter.sweep(), inserted))
    emitter.add_adjoint(inserted, lane, builder.CreateExtractValue(adjoint, insert.getIndices()));
  if (carries(emitter.sweep(), rest))
    emitter.add_adjoint(
        rest, lane,
        builder.CreateInsertValue(adjoint, Constant::getNullValue(inserted->getType()), insert.getIndices()));
}

void emit_extract_element(ReverseEmitter &emitter, const ExtractElementInst &extract, Value *adjoint, unsigned lane) {
  const Value *vector = extract.getVectorOperand();
  if (!carries(emitter.sweep(), vector))
    return;
  Value *index = emitter.lookup_primal(extract.getIndexOperand());
  emitter.add_adjoint(
      vector, lane,
      emitter.builder().CreateInsertElement(Constant::getNullValue(emitter.adjoint_type(vector)), adjoint, index));
}

void emit_insert_element(ReverseEmitter &emitter, const InsertElementInst &insert, Value *adjoint, unsigned lane) {
  IRBuilder<> &builder = emitter.builder();
  const Value *vector = insert.getOperand(0), *element = insert.getOperand(1);
  Value *index = emitter.lookup_primal(insert.getOperand(2));
  if (carries(emitter.sweep(), element))
    emitter.add_adjoint(element, lane, builder.CreateExtractElement(adjoint, index));
  if (carries(emitter.sweep(), vector))
    emitter.add_adjoint(
        vector, lane,
        builder.CreateInsertElement(adjoint, Constant::getNullValue(adjoint->getType()->getScalarType()), index));
}

/// The mask of a shuffle in whole floats: integers that hold parts of one move together. Nothing when they do not.
std::optional<SmallVector<int, 8>> float_mask(const ReverseEmitter &emitter, const ShuffleVectorInst &shuffle) {
  const auto *floats = dyn_cast<FixedVectorType>(emitter.adjoint_type(shuffle.getOperand(0)));
  const unsigned elements = cast<FixedVectorType>(shuffle.getOperand(0)->getType())->getNumElements();
  if (!floats || !floats->getElementType()->isFloatingPointTy() || elements % floats->getNumElements() != 0)
    return std::nullopt;
  SmallVector<int, 8> mask;
  if (!widenShuffleMaskElts(elements / floats->getNumElements(), shuffle.getShuffleMask(), mask))
    return std::nullopt;
  return mask;
}

/// Each result element's adjoint goes back to the element it was taken from; one element may be taken several times.
void emit_shuffle(ReverseEmitter &emitter, const ShuffleVectorInst &shuffle, Value *adjoint, unsigned lane) {
  IRBuilder<> &builder = emitter.builder();
  Type *type = emitter.adjoint_type(shuffle.getOperand(0));
  const int length = cast<FixedVectorType>(type)->getNumElements();
  if (!adjoint->getType()->isVectorTy()) // one float in a vector of integers
    adjoint = builder.CreateBitCast(adjoint, FixedVectorType::get(adjoint->getType(), 1));
  const SmallVector<int, 8> mask = *float_mask(emitter, shuffle);
  for (int side : {0, 1}) {
    const Value *operand = shuffle.getOperand(side);
    if (!carries(emitter.sweep(), operand))
      continue;
    Value *gathered = Constant::getNullValue(type);
    for (auto [position, from] : enumerate(mask)) {
      if (from < side * length || from >= (side + 1) * length)
        continue;
      const std::uint64_t element = from - side * length;
      Value *sum = builder.CreateFAdd(builder.CreateExtractElement(gathered, element),
                                      builder.CreateExtractElement(adjoint, position));
      gathered = builder.CreateInsertElement(gathered, sum, element);
    }
    emitter.add_adjoint(operand, lane, gathered);
  }
}

/// Vectors of integers that carry floats of another width: an element is not a number of its own.
bool splits_floats(const ReverseEmitter &emitter, const Instruction &instruction) {
  if (const auto *shuffle = dyn_cast<ShuffleVectorInst>(&instruction))
    return !float_mask(emitter, *shuffle);
  if (!isa<ExtractElementInst, InsertElementInst>(instruction))
    return false;
  const Value *vector = instruction.getOperand(0);
  const auto *floats = dyn_cast<FixedVectorType>(emitter.adjoint_type(vector));
  return !floats || !floats->getElementType()->isFloatingPointTy() ||
         floats->getNumElements() != cast<FixedVectorType>(vector->getType())->getNumElements();
}

Error emit_structural(ReverseEmitter &emitter, const Instruction &instruction) {
  if (splits_floats(emitter, instruction))
    return unsupported(instruction, "a vector of integers that holds parts of floats is taken apart",
                       "use vectors of the floating type, or compile with optimisation");
  for (unsigned lane = 0; lane < emitter.width(); ++lane) {
    Value *adjoint = emitter.take_adjoint(&instruction, lane);
    if (const auto *select = dyn_cast<SelectInst>(&instruction))
      emit_select(emitter, *select, adjoint, lane);
    else if (const auto *extract = dyn_cast<ExtractValueInst>(&instruction))
      emit_extract_value(emitter, *extract, adjoint, lane);
    else if (const auto *insert = dyn_cast<InsertValueInst>(&instruction))
      emit_insert_value(emitter, *insert, adjoint, lane);
    else if (const auto *element = dyn_cast<ExtractElementInst>(&instruction))
      emit_extract_element(emitter, *element, adjoint, lane);
    else if (const auto *insertion = dyn_cast<InsertElementInst>(&instruction))
      emit_insert_element(emitter, *insertion, adjoint, lane);
    else if (const auto *shuffle = dyn_cast<ShuffleVectorInst>(&instruction))
      emit_shuffle(emitter, *shuffle, adjoint, lane);
    else if (carries(emitter.sweep(), instruction.getOperand(0))) // bitcast, freeze
      emitter.add_adjoint(instruction.getOperand(0), lane, adjoint);
  }
  return Error::success();
}

bool is_structural(const Instruction &instruction) {
  return isa<SelectInst, ExtractValueInst, InsertValueInst, ExtractElementInst, InsertElementInst, ShuffleVectorInst,
             BitCastInst, FreezeInst>(instruction);
}

Error no_adjoint(const Instruction &instruction) {
  return unsupported(instruction, "no derivative is known for this operation",
                     "rewrite it, mark the function inactive, or register a derivative for it");
}

} // namespace

/// What an atomic update finds, as part of what a swap returns: no derivative goes back through it.
static bool is_found_number(const ForwardSweep &sweep, const Instruction &instruction) {
  const auto *part = dyn_cast<ExtractValueInst>(&instruction);
  const auto *swap = part ? dyn_cast<AtomicCmpXchgInst>(part->getAggregateOperand()) : nullptr;
  return swap && sweep.atomics.find(*swap);
}

/// Nothing comes after it, so nothing goes back through it.
static bool stops_program(const ForwardSweep &sweep, const Instruction &instruction) {
  const auto *call = dyn_cast<CallBase>(&instruction);
  const auto plan = call ? sweep.call_plans.calls.find(call) : sweep.call_plans.calls.end();
  return plan != sweep.call_plans.calls.end() && plan->second.form == CallPlan::Form::stop;
}

bool has_adjoint(const ForwardSweep &sweep, const Instruction &instruction) {
  if (isa<StoreInst, MemIntrinsic>(instruction))
    return has_memory_adjoint(sweep, instruction);
  if (is_mirrored(instruction) || sweep.atomics.find(instruction) || is_tagged_move(sweep, instruction))
    return true;
  if (const auto *call = dyn_cast<CallBase>(&instruction); call && has_call_adjoint(sweep, *call))
    return true;
  if (stops_program(sweep, instruction) || is_found_number(sweep, instruction))
    return false;
  return !instruction.isTerminator() && carries(sweep, &instruction);
}

/// True of an integer that may hold floats of a type that is not known, so that its adjoint has no type to be summed
/// in.
static bool is_of_unknown_type(const ForwardSweep &sweep, const Value &value) {
  return !isa<Constant>(value) && carries(sweep, &value) && adjoint_type_of(value, sweep.types)->isIntOrIntVectorTy();
}

static bool takes_float_from_unknown_type(const ForwardSweep &sweep, const Instruction &instruction) {
  return !isa<CallBase, StoreInst, LoadInst>(instruction) && carries(sweep, &instruction) &&
         !adjoint_type_of(instruction, sweep.types)->isIntOrIntVectorTy() &&
         any_of(instruction.operands(), [&](const Use &operand) { return is_of_unknown_type(sweep, *operand); });
}

Error for_each_need(ForwardSweep &sweep, const Instruction &instruction, function_ref<void(Value *)> need) {
  if (!has_adjoint(sweep, instruction))
    return Error::success();
  if (takes_float_from_unknown_type(sweep, instruction))
    return unsupported(instruction, "bytes of unknown type are read as floats", "read whole values or use memcpy");
  if (isa<PHINode>(instruction))
    return Error::success();
  if (isa<LoadInst, StoreInst, MemIntrinsic>(instruction))
    return memory_needs(sweep, instruction, need);
  if (is_mirrored(instruction))
    return mirrored_barrier_needs(sweep, instruction, need);
  if (is_tagged_move(sweep, instruction)) {
    tagged_move_needs(sweep, cast<CallBase>(instruction), need);
    return Error::success();
  }
  if (const AtomicUpdate *update = sweep.atomics.find(instruction))
    return atomic_needs(sweep, instruction, *update, need);
  if (has_shuffle_adjoint(sweep, instruction)) {
    shuffle_needs(sweep, instruction, need);
    return Error::success();
  }
  if (const auto *call = dyn_cast<CallBase>(&instruction); call && has_call_adjoint(sweep, *call)) {
    call_needs(sweep, *call, need);
    return Error::success();
  }
  if (is_structural(instruction)) {
    structural_needs(sweep, instruction, need);
    return Error::success();
  }
  const std::optional<ScalarRule> rule = ScalarRule::find(instruction, sweep.engine.function_info());
  if (!rule)
    return no_adjoint(instruction);
  scalar_needs(sweep, instruction, *rule, need);
  return Error::success();
}

Error emit_adjoint(ReverseEmitter &emitter, const Instruction &instruction) {
  ForwardSweep &sweep = emitter.sweep();
  if (isa<LoadInst, StoreInst, MemIntrinsic>(instruction))
    return emit_memory_adjoint(emitter, instruction);
  if (is_mirrored(instruction)) {
    emit_mirrored_barrier(emitter, instruction);
    return Error::success();
  }
  if (is_tagged_move(sweep, instruction))
    return emit_tagged_move_adjoint(emitter, cast<CallBase>(instruction));
  if (const AtomicUpdate *update = sweep.atomics.find(instruction))
    return emit_atomic_adjoint(emitter, instruction, *update);
  if (has_shuffle_adjoint(sweep, instruction)) {
    emit_shuffle_adjoint(emitter, instruction);
    return Error::success();
  }
  if (const auto *call = dyn_cast<CallBase>(&instruction); call && has_call_adjoint(sweep, *call))
    return emit_call_adjoint(emitter, *call);
  if (is_structural(instruction))
    return emit_structural(emitter, instruction);
  const std::optional<ScalarRule> rule = ScalarRule::find(instruction, sweep.engine.function_info());
  if (!rule)
    return no_adjoint(instruction);
  if (Value *choice = extremum_choice(sweep, instruction))
    emit_extremum(emitter, instruction, choice);
  else
    emit_scalar(emitter, instruction, *rule);
  return Error::success();
}

} // namespace assay::engine
