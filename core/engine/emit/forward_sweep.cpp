#include "core/engine/emit/forward_sweep.hpp"
#include "core/engine/analysis/blocks_reaching_return.hpp"
#include "core/engine/analysis/tagged_copies.hpp"
#include "core/engine/analysis/tbaa_types.hpp"
#include "core/engine/emit/address_log.hpp"
#include "core/engine/emit/address_shadows.hpp"
#include "core/engine/emit/augmented_call.hpp"
#include "core/engine/emit/debug_info.hpp"
#include "core/engine/emit/deferred_frees.hpp"
#include "core/engine/emit/extremum_choice.hpp"
#include "core/engine/emit/lost_ways.hpp"
#include "core/engine/emit/measured_memory.hpp"
#include "core/engine/emit/releases.hpp"
#include "core/engine/emit/shadow_alignment.hpp"
#include "core/engine/emit/shadow_memory.hpp"
#include "core/engine/emit/shadow_transfers.hpp"
#include "core/engine/emit/table_shadows.hpp"
#include "core/engine/emit/tagged_moves.hpp"
#include "core/engine/emit/tape_helpers.hpp"
#include "core/engine/prepare/stack_memory.hpp"
#include "core/engine/rules/deferred_free_calls.hpp"
#include "core/engine/rules/scalar_rule.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "core/engine/support/memory_calls.hpp"
#include "core/engine/support/memory_resources.hpp"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/InstVisitor.h"

using namespace llvm;

namespace assay::engine {

Value *ForwardSweep::primal(const Value *value) const {
  if (isa<Constant>(value) || isa<MetadataAsValue>(value))
    return const_cast<Value *>(value);
  return map.lookup(value);
}

BasicBlock *ForwardSweep::block(const BasicBlock *prepared_block) const {
  return cast<BasicBlock>(map.lookup(prepared_block));
}

Value *ForwardSweep::deferred_frees() {
  if (deferred_frees_list)
    return deferred_frees_list;
  BasicBlock &entry = function.getEntryBlock();
  IRBuilder<> builder(&entry, entry.begin());
  auto *type = ArrayType::get(tape_state_type(function.getContext()), 2); // shadows to release, and cleanups
  own_deferred_frees = builder.CreateAlloca(type, nullptr, "deferred_frees");
  builder.SetInsertPoint(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  builder.CreateStore(Constant::getNullValue(type), own_deferred_frees);
  deferred_frees_list = own_deferred_frees;
  if (std::optional<unsigned> parameter = DerivativeAbi(request).deferred_frees_parameter()) {
    Argument *given = function.getArg(*parameter);
    deferred_frees_list = builder.CreateSelect(builder.CreateIsNull(given), own_deferred_frees, given);
  }
  if (keeps_address_log(*this)) {
    Value *begun = begin_log(builder, deferred_frees_list);
    if (deferred_frees_list != own_deferred_frees)
      deferred_frees_list = begun; // the reverse half cannot select it anew
  }
  return deferred_frees_list;
}

bool ForwardSweep::buries_tape() const {
  return split && deferred_frees_list && request.caller == Caller::derivative && keeps_address_log(*this);
}

ReturnInst *ForwardSweep::exit() const {
  for (BasicBlock &block : function)
    if (auto *result = dyn_cast<ReturnInst>(block.getTerminator()))
      return result;
  return nullptr;
}

namespace {

/// What the prepared clone says of its parameters stays true of the sweep's primal parameters; what speaks of the
/// calling convention or of the whole function does not.
void set_attributes(ForwardSweep &sweep, const DerivativeAbi &abi, const AttributeList &declared) {
  sweep.function.setAttributes(declared);
  for (Argument &argument : sweep.prepared.args())
    for (Attribute::AttrKind kind :
         {Attribute::NonNull, Attribute::NoAlias, Attribute::Dereferenceable, Attribute::Alignment})
      if (Attribute attribute = argument.getAttribute(kind);
          attribute.isValid() && !(kind == Attribute::NoAlias && sweep.request.options.runtime_activity))
        sweep.function.addParamAttr(abi.primal_parameter(argument.getArgNo()), attribute);
}

void clone_body(ForwardSweep &sweep) {
  Request of_function = sweep.request;
  const DerivativeAbi abi(of_function);
  const AttributeList declared = sweep.function.getAttributes();
  for (Argument &argument : sweep.prepared.args()) {
    const unsigned index = argument.getArgNo();
    Argument *copy = sweep.function.getArg(abi.primal_parameter(index));
    copy->setName(argument.getName());
    sweep.map[&argument] = copy;
    if (!is_duplicated(sweep.request.argument_activity[index]))
      continue;
    for (unsigned lane = 0; lane < sweep.width; ++lane) {
      Argument *shadow = sweep.function.getArg(abi.shadow_parameter(index, lane));
      shadow->setName(argument.getName() + "'");
      sweep.shadows[&argument].push_back(shadow);
    }
  }
  SmallVector<ReturnInst *, 2> returns;
  CloneFunctionInto(&sweep.function, &sweep.prepared, sweep.map, CloneFunctionChangeType::LocalChangesOnly, returns);
  set_attributes(sweep, abi, declared);
}

Lanes same_in_every_lane(Value *value, unsigned width) {
  return Lanes(width, value);
}

/// Writes shadows instruction by instruction, in an order in which operands come first.
class ShadowWriter {
public:
  explicit ShadowWriter(ForwardSweep &sweep) : sweep_(sweep), memory_(sweep) {}

  Error run() {
    const BlocksReachingReturn live(sweep_.prepared);
    ReversePostOrderTraversal<Function *> order(&sweep_.prepared);
    for (BasicBlock *block : order)
      for (Instruction &instruction : *block) {
        if (!live.contains(block))
          write_on_lost_way(sweep_, memory_, instruction);
        else if (Error error = write(instruction))
          return error;
      }
    return fill_phis();
  }

private:
  Error write(const Instruction &instruction) {
    if (auto *call = dyn_cast<CallBase>(&instruction))
      return write_call(*call);
    if (auto *store = dyn_cast<StoreInst>(&instruction))
      return write_store(*store);
    if (!sweep_.activity.has_shadow(instruction))
      return Error::success();
    if (auto *allocation = dyn_cast<AllocaInst>(&instruction))
      return write_alloca(*allocation);
    if (auto *phi = dyn_cast<PHINode>(&instruction))
      return write_phi(*phi);
    if (auto *operation = dyn_cast<BinaryOperator>(&instruction))
      return write_arithmetic(*operation);
    if (isa<GetElementPtrInst, LoadInst, CastInst, SelectInst, FreezeInst, ExtractValueInst, InsertValueInst,
            ExtractElementInst, InsertElementInst, ShuffleVectorInst>(instruction))
      return mirror(instruction);
    if (isa<AtomicRMWInst, AtomicCmpXchgInst, VAArgInst>(instruction))
      return unsupported(instruction, "an atomic or variadic access yields a pointer to active memory",
                         "mark the function inactive or give it a rule");
    return unsupported(instruction, "no shadow can be computed for this pointer", "give the function a rule");
  }

  /// The same instruction on shadows; operands that have none are the primal's.
  Error mirror(const Instruction &instruction) {
    auto *primal = cast<Instruction>(sweep_.primal(&instruction));
    Lanes lanes;
    for (unsigned lane = 0; lane < sweep_.width; ++lane) {
      Instruction *copy = copy_for_shadow(*primal);
      copy->setName(primal->getName() + "'");
      for (unsigned index = 0; index < instruction.getNumOperands(); ++index) {
        const Value *operand = instruction.getOperand(index);
        if (!takes_shadow(instruction, index))
          continue;
        Expected<Lanes> shadow = shadow_of(sweep_, operand, instruction);
        if (!shadow)
          return shadow.takeError();
        copy->setOperand(index, (*shadow)[lane]);
      }
      copy->insertAfter(lane == 0 ? primal->getIterator() : cast<Instruction>(lanes.back())->getIterator());
      relax_alignment(*copy);
      if (const auto *load = dyn_cast<LoadInst>(&instruction)) {
        sweep_.shadow_accesses.insert(copy);
        if (sweep_.types.is_number_or_address(*load->getPointerOperand()))
          sweep_.passing_addresses.insert(copy);
      }
      lanes.push_back(copy);
    }
    sweep_.shadows[&instruction] = std::move(lanes);
    return Error::success();
  }

  Error write_arithmetic(const BinaryOperator &operation) {
    auto *primal = cast<BinaryOperator>(sweep_.primal(&operation));
    SmallVector<Lanes, 2> operands(2, same_in_every_lane(nullptr, sweep_.width));
    for (unsigned index = 0; index < 2; ++index) {
      if (!sweep_.activity.has_shadow(*operation.getOperand(index)))
        continue;
      Expected<Lanes> shadow = shadow_of(sweep_, operation.getOperand(index), operation);
      if (!shadow)
        return shadow.takeError();
      operands[index] = *shadow;
    }
    if (Error unknown = check_arithmetic(operation, sweep_.activity.has_shadow(*operation.getOperand(0)),
                                         sweep_.activity.has_shadow(*operation.getOperand(1))))
      return unknown;
    IRBuilder<> builder(primal->getNextNode());
    Lanes lanes;
    for (auto [left, right] : zip_equal(operands[0], operands[1]))
      lanes.push_back(left || right ? shadow_of_arithmetic(builder, *primal, left, right) : primal);
    sweep_.shadows[&operation] = std::move(lanes);
    return Error::success();
  }

  /// Pointers, and whatever carries them, are replaced by shadows; indices, conditions and floats are the primal's.
  bool takes_shadow(const Instruction &instruction, unsigned index) const {
    const Value *operand = instruction.getOperand(index);
    if (isa<SelectInst>(instruction) && index == 0)
      return false;
    if (isa<LoadInst>(instruction))
      return true;
    if (isa<GetElementPtrInst>(instruction))
      return index == 0;
    return sweep_.activity.has_shadow(*operand) || operand->getType()->isPtrOrPtrVectorTy();
  }

  Error write_phi(const PHINode &phi) {
    auto *primal = cast<PHINode>(sweep_.primal(&phi));
    IRBuilder<> builder(primal);
    Lanes lanes;
    for (unsigned lane = 0; lane < sweep_.width; ++lane)
      lanes.push_back(builder.CreatePHI(phi.getType(), phi.getNumIncomingValues(), primal->getName() + "'"));
    sweep_.shadows[&phi] = std::move(lanes);
    phis_.push_back(&phi);
    return Error::success();
  }

  Error fill_phis() {
    for (const PHINode *phi : phis_)
      for (unsigned index = 0; index < phi->getNumIncomingValues(); ++index) {
        Expected<Lanes> incoming = shadow_of(sweep_, phi->getIncomingValue(index), *phi);
        if (!incoming)
          return incoming.takeError();
        BasicBlock *from = sweep_.block(phi->getIncomingBlock(index));
        for (unsigned lane = 0; lane < sweep_.width; ++lane)
          cast<PHINode>(sweep_.shadows[phi][lane])->addIncoming((*incoming)[lane], from);
      }
    return Error::success();
  }

  Error write_alloca(const AllocaInst &allocation) {
    if (!allocation.isStaticAlloca())
      return unsupported(allocation, "active stack memory of variable size", "use an array of constant size or malloc");
    auto *primal = cast<AllocaInst>(sweep_.primal(&allocation));
    Lanes lanes;
    for (unsigned lane = 0; lane < sweep_.width; ++lane) {
      auto *shadow = cast<AllocaInst>(copy_for_shadow(*primal));
      shadow->setName(primal->getName() + "'");
      shadow->insertAfter(primal->getIterator());
      sweep_.shadow_memory.push_back(shadow);
      lanes.push_back(shadow);
    }
    sweep_.shadows[&allocation] = std::move(lanes);
    return Error::success();
  }

  /// The shadow of an object says how large it is, as the object does, where a rule may ask.
  bool is_mirrored_integer(const StoreInst &store) const {
    const Value &value = *store.getValueOperand(), &place = *store.getPointerOperand();
    if (!sweep_.engine.function_info().mirrors_integers() || !value.getType()->isIntOrIntVectorTy())
      return false;
    const auto is_number = [](const TypedField &field) { return field.type.kind == ByteKind::floating; };
    const std::uint64_t size = store.getDataLayout().getTypeStoreSize(value.getType()).getFixedValue();
    return sweep_.types.of(value).kind != ByteKind::floating && !sweep_.types.is_number_or_address(place) &&
           !sweep_.types.is_within_floating(place) && none_of(sweep_.types.fields(place, size), is_number);
  }

  /// A pointer stored to shadowed memory: its shadow goes to the same place of the shadow. An integer goes there as it
  /// is.
  Error write_store(const StoreInst &store) {
    const Value &value = *store.getValueOperand();
    const bool is_integer = value.getType()->isIntOrIntVectorTy() && !isa<Constant>(value);
    if (is_integer && sweep_.activity.carries_derivative(value) &&
        sweep_.activity.has_shadow(*store.getPointerOperand()) && sweep_.types.of(value).kind != ByteKind::floating &&
        !is_declared_integer(store))
      return unsupported(store,
                         "bytes of unknown type that may be parts of floats are stored: " +
                             sweep_.types.explain(*store.getPointerOperand()),
                         "copy whole values or use memcpy");
    const bool is_mirrored =
        sweep_.activity.has_shadow(value) || value.getType()->isPtrOrPtrVectorTy() || is_mirrored_integer(store);
    if (!is_mirrored || !sweep_.activity.has_shadow(*store.getPointerOperand()))
      return forget_overwritten_address(sweep_, store);
    Expected<Lanes> target = shadow_of(sweep_, store.getPointerOperand(), store);
    if (!target)
      return target.takeError();
    // A pointer to constant memory is its own shadow: whoever loads it has no derivative to add there.
    const bool shadowed = isa<Constant>(value) || sweep_.activity.has_shadow(value);
    Expected<Lanes> stored = shadowed ? shadow_of(sweep_, &value, store)
                                      : Expected<Lanes>(same_in_every_lane(sweep_.primal(&value), sweep_.width));
    if (!stored)
      return stored.takeError();
    auto *primal = cast<StoreInst>(sweep_.primal(&store));
    for (unsigned lane = 0; lane < sweep_.width; ++lane) {
      auto *copy = cast<StoreInst>(copy_for_shadow(*primal));
      Value *place = (*target)[lane];
      note_address_store(sweep_, store, place);
      copy->setOperand(0, (*stored)[lane]);
      copy->setOperand(1, place_unless_own(sweep_, *primal, place));
      copy->insertAfter(primal->getIterator());
      relax_alignment(*copy);
      sweep_.shadow_accesses.insert(copy);
    }
    return Error::success();
  }

  Error write_call(const CallBase &call) {
    if (tagged_copy(call) != TaggedCopy::none)
      return is_tagged_move(sweep_, call) ? write_tagged_move(sweep_, call) : Error::success();
    const MemoryCall memory = classify_memory_call(call, sweep_.engine.function_info());
    switch (memory.action) {
    case MemoryAction::allocate:
    case MemoryAction::allocate_zeroed:
      if (sweep_.activity.has_shadow(call))
        return memory_.write_allocation(call, memory);
      if (is_stack_memory(call))
        memory_.release_late(call);
      return Error::success();
    case MemoryAction::release:
      return memory_.write_release(call, memory.pointer);
    case MemoryAction::copy:
    case MemoryAction::fill:
      return write_transfer(sweep_, call, memory);
    case MemoryAction::allocate_into:
    case MemoryAction::reallocate:
      if (sweep_.activity.has_shadow(*call.getArgOperand(memory.pointer)))
        return unsupported(call, "this allocation of active memory is not known", "use malloc, calloc or operator new");
      return Error::success();
    case MemoryAction::measure:
      return measure(call, memory);
    case MemoryAction::none:
      break;
    }
    if (isa<IntrinsicInst>(call) && sweep_.activity.has_shadow(call))
      return mirror(call);
    if (gives_object_of_library(call, sweep_.engine.function_info())) {
      sweep_.shadows[&call] = same_in_every_lane(sweep_.primal(&call), sweep_.width);
      return Error::success();
    }
    if (is_bury(call))
      return memory_.bury_shadows(call);
    if (is_address_note(call))
      return note_shadows_of_change(sweep_, call);
    if (is_release_buried(call)) {
      memory_.keep_buried(call);
      return Error::success();
    }
    const auto plan = sweep_.call_plans.calls.find(&call);
    return plan == sweep_.call_plans.calls.end() ? Error::success() : augment_call(sweep_, call, plan->second);
  }

  Error measure(const CallBase &call, const MemoryCall &memory) {
    const Value *pointer = call.getArgOperand(memory.pointer);
    if (isa<Constant>(pointer) || !sweep_.activity.has_shadow(*pointer))
      return Error::success();
    Expected<Lanes> shadow = shadow_of(sweep_, pointer, call);
    if (!shadow)
      return shadow.takeError();
    sweep_.map[&call] = measure_shadows_too(*cast<CallBase>(sweep_.primal(&call)), *shadow);
    return Error::success();
  }

  ForwardSweep &sweep_;
  ShadowMemory memory_;
  SmallVector<const PHINode *, 8> phis_;
};

} // namespace

Expected<Lanes> shadow_of(ForwardSweep &sweep, const Value *value, const Instruction &user) {
  if (auto found = sweep.shadows.find(value); found != sweep.shadows.end())
    return found->second;
  if (isa<UndefValue>(value))
    return same_in_every_lane(const_cast<Value *>(value), sweep.width);
  if (auto *constant = dyn_cast<Constant>(value)) {
    Lanes lanes;
    for (unsigned lane = 0; lane < sweep.width; ++lane)
      lanes.push_back(scratch_of_constant(*const_cast<Constant *>(constant), shadow_set(sweep.request, lane),
                                          sweep.engine.function_info()));
    return lanes;
  }
  const bool is_pointer = value->getType()->isPtrOrPtrVectorTy(); // else an integer that is no pointer after all
  if (!is_pointer || sweep.request.options.runtime_activity)
    return same_in_every_lane(sweep.primal(value), sweep.width);
  return unsupported(user, "memory that is declared constant is used where a derivative may be stored",
                     "pass it with a shadow (enzyme_dup), or turn on runtime activity");
}

Value *unless_own_shadow(const ForwardSweep &sweep, IRBuilderBase &builder, Value *shadow, Value *primal,
                         Value *when_own, Value *otherwise) {
  if (!sweep.request.options.runtime_activity)
    return otherwise;
  if (when_own->getType() != otherwise->getType()) // memory of the frame in place of memory of a device
    otherwise = builder.CreateAddrSpaceCast(otherwise, when_own->getType());
  return builder.CreateSelect(builder.CreateICmpEQ(shadow, primal), when_own, otherwise);
}

Value *place_unless_own(const ForwardSweep &sweep, StoreInst &primal, Value *shadow) {
  if (!sweep.request.options.runtime_activity)
    return shadow;
  IRBuilder<> builder(&primal);
  AllocaInst *scratch = scratch_slot(sweep.function, builder, primal.getValueOperand()->getType());
  return unless_own_shadow(sweep, builder, shadow, primal.getPointerOperand(), scratch, shadow);
}

AllocaInst *scratch_slot(Function &function, IRBuilderBase &builder, Type *type) {
  BasicBlock &entry = function.getEntryBlock();
  AllocaInst *slot = IRBuilder<>(&entry, entry.getFirstInsertionPt()).CreateAlloca(type, nullptr, "inactive");
  builder.CreateStore(Constant::getNullValue(type), slot);
  return slot;
}

Expected<Lanes> returned_shadow(ForwardSweep &sweep) {
  for (BasicBlock &block : sweep.prepared)
    if (auto *exit = dyn_cast<ReturnInst>(block.getTerminator()))
      return shadow_of(sweep, exit->getReturnValue(), *exit);
  return unsupported(sweep.prepared, nullptr, "the function never returns", "do not ask for its result");
}

Error build_forward_sweep(ForwardSweep &sweep) {
  clone_body(sweep);
  if (Error error = ShadowWriter(sweep).run())
    return error;
  forget_stack_memory(sweep.function);
  write_extremum_choices(sweep);
  return Error::success();
}

} // namespace assay::engine
