// One function for each kind of instruction that the emitters write; classes follow from what the instruction works on.

#include "core/jit/mutate/find_sites.hpp"

#include "core/jit/mutate/derivative_parts.hpp"
#include "core/jit/mutate/planted_sites.hpp"
#include "core/jit/mutate/transposed_index.hpp"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace assay::jit {

namespace {

class Finder {
public:
  explicit Finder(Function &written) : written_(written), parts_(written) {}

  SmallVector<Site, 64> run() {
    for (Instruction &instruction : instructions(written_))
      visit(instruction);
    return std::move(sites_);
  }

private:
  void visit(Instruction &instruction) {
    if (auto *operation = dyn_cast<BinaryOperator>(&instruction))
      visit_arithmetic(*operation);
    else if (auto *negation = dyn_cast<UnaryOperator>(&instruction))
      visit_negation(*negation);
    else if (auto *load = dyn_cast<LoadInst>(&instruction))
      visit_load(*load);
    else if (auto *store = dyn_cast<StoreInst>(&instruction))
      visit_store(*store);
    else if (auto *address = dyn_cast<GetElementPtrInst>(&instruction))
      visit_address(*address);
    else if (auto *memory = dyn_cast<MemIntrinsic>(&instruction))
      visit_memory(*memory);
    else if (auto *call = dyn_cast<CallInst>(&instruction))
      visit_call(*call);
    else if (auto *extract = dyn_cast<ExtractValueInst>(&instruction))
      visit_extract(*extract);
    else if (auto *insert = dyn_cast<InsertValueInst>(&instruction))
      visit_insert(*insert);
  }

  void add(FaultClass kind, Instruction &place, unsigned operand = 0, Value *other = nullptr) {
    sites_.push_back({kind, &place, operand, other});
  }

  bool carries(const Value *value) const { return parts_.carries_derivative(value); }

  // --- arithmetic ---

  void visit_arithmetic(BinaryOperator &operation) {
    if (!operation.getType()->isFPOrFPVectorTy())
      return visit_integer(operation);
    if (!carries(&operation))
      return add(FaultClass::primal_changed, operation);
    if (operation.getOpcode() == Instruction::FAdd)
      return visit_sum(operation);
    add(FaultClass::sign, operation);
    if (operation.getOpcode() != Instruction::FMul && operation.getOpcode() != Instruction::FDiv)
      return;
    for (const unsigned operand : {0U, 1U})
      if (Value *factor = operation.getOperand(operand); !carries(factor) && !isa<Constant>(factor))
        add(FaultClass::wrong_operand, operation, operand, other_value(operation, *factor));
  }

  void visit_sum(BinaryOperator &sum) {
    const auto *held = dyn_cast<LoadInst>(sum.getOperand(0));
    const bool accumulates = held &&
                             (parts_.is_adjoint_slot(held->getPointerOperand()) || parts_.is_shadow_access(*held)) &&
                             any_of(sum.users(), [&](const User *user) {
                               const auto *store = dyn_cast<StoreInst>(user);
                               return store && store->getPointerOperand() == held->getPointerOperand();
                             });
    for (const unsigned operand : {0U, 1U})
      if (!isa<Constant>(sum.getOperand(operand)))
        add(operand == 0 && accumulates ? FaultClass::overwritten_sum : FaultClass::dropped_term, sum, operand);
  }

  /// Another primal value that is known at `place`, the nearest above it; 1 where there is none.
  Value *other_value(Instruction &place, const Value &than) const {
    for (Instruction *above = place.getPrevNode(); above; above = above->getPrevNode())
      if (above != &than && above->getType() == than.getType() && !carries(above))
        return above;
    for (Argument &argument : written_.args())
      if (&argument != &than && argument.getType() == than.getType() && !carries(&argument))
        return &argument;
    return ConstantFP::get(than.getType(), 1);
  }

  void visit_negation(UnaryOperator &negation) {
    add(carries(&negation) ? FaultClass::conjugate : FaultClass::primal_changed, negation);
  }

  /// The position on a tape of records: one record down for each iteration.
  void visit_integer(BinaryOperator &operation) {
    if (operation.getOpcode() != Instruction::Sub || !parts_.in_reverse_sweep(operation) ||
        !isa<ConstantInt>(operation.getOperand(1)))
      return;
    const auto *position = dyn_cast<LoadInst>(operation.getOperand(0));
    const auto *address = position ? dyn_cast<GEPOperator>(position->getPointerOperand()) : nullptr;
    if (address && address->getPointerOperand()->getName().starts_with("tape"))
      add(FaultClass::wrong_iteration, operation);
  }

  // --- memory ---

  void visit_load(LoadInst &load) {
    if (!parts_.in_reverse_sweep(load))
      return;
    if (load.getPointerOperand()->getName().starts_with("iteration"))
      return visit_counter(load);
    if (!parts_.is_tape_access(load) || load.getPointerOperand()->getName().starts_with("tape.") ||
        isa<StructType>(load.getType()))
      return;
    if (auto *address = dyn_cast<GetElementPtrInst>(load.getPointerOperand()))
      if (const Value *index = address->getOperand(address->getNumOperands() - 1); !isa<Constant>(index))
        add(FaultClass::wrong_iteration, load);
    if (Value *slot = other_slot(load))
      add(FaultClass::tape_slot, load, 0, slot);
  }

  /// Where the sweep counts itself is left alone: it would not end.
  void visit_counter(LoadInst &counter) {
    const bool counts = any_of(counter.users(), [](const User *user) {
      const auto *operation = dyn_cast<Instruction>(user);
      return operation && (isa<ICmpInst>(operation) || operation->getOpcode() == Instruction::Sub);
    });
    if (!counts)
      add(FaultClass::wrong_iteration, counter);
  }

  /// The place of another value of the same type: the nearest that is read above.
  Value *other_slot(LoadInst &load) const {
    for (Instruction *above = load.getPrevNode(); above; above = above->getPrevNode()) {
      auto *other = dyn_cast<LoadInst>(above);
      if (other && other->getType() == load.getType() && parts_.is_tape_access(*other) &&
          other->getPointerOperand() != load.getPointerOperand())
        return other->getPointerOperand();
    }
    if (!isa<AllocaInst>(load.getPointerOperand()))
      return nullptr;
    for (Instruction &instruction : written_.getEntryBlock())
      if (auto *slot = dyn_cast<AllocaInst>(&instruction); slot && slot != load.getPointerOperand() &&
                                                           slot->getName().starts_with("tape") &&
                                                           slot->getAllocatedType() == load.getType())
        return slot;
    return nullptr;
  }

  void visit_store(StoreInst &store) {
    const bool is_zero = match(store.getValueOperand(), PatternMatch::m_AnyZeroFP());
    if (parts_.in_reverse_sweep(store)) {
      if (is_zero && (parts_.is_shadow_access(store) || parts_.is_adjoint_slot(store.getPointerOperand())))
        add(FaultClass::missing_zeroing, store);
      return;
    }
    if (keeps_value(store))
      return add(FaultClass::tape_store, store);
    const bool tangent = parts_.is_forward_mode() && parts_.is_shadow_access(store);
    if ((tangent || parts_.is_primal_access(store)) && leaves_frame(store.getPointerOperand()) &&
        holds_floats(*store.getValueOperand()->getType()))
      add(FaultClass::argument_mutation, store);
  }

  /// What holds the tape together is left alone.
  bool keeps_value(const StoreInst &store) const {
    const Type *type = store.getValueOperand()->getType();
    return parts_.is_tape_access(store) && !store.getPointerOperand()->getName().starts_with("tape.") &&
           (type->isFPOrFPVectorTy() || type->isIntegerTy());
  }

  static bool leaves_frame(const Value *pointer) { return !isa<AllocaInst>(getUnderlyingObject(pointer)); }

  void visit_memory(MemIntrinsic &memory) {
    const auto *fill = dyn_cast<MemSetInst>(&memory);
    const bool clears = fill && match(fill->getValue(), PatternMatch::m_Zero());
    if (clears && (parts_.in_reverse_sweep(memory) || DerivativeParts::names_shadow(*memory.getRawDest())))
      return add(FaultClass::missing_zeroing, memory);
    if (!parts_.in_reverse_sweep(memory) && leaves_frame(memory.getRawDest()))
      add(FaultClass::argument_mutation, memory);
  }

  void visit_address(GetElementPtrInst &address) {
    if (DerivativeParts::names_shadow(address) && has_row_and_column(address))
      add(FaultClass::transposed_index, address);
  }

  // --- calls ---

  void visit_call(CallInst &call) {
    if (releases_memory(call)) {
      add(FaultClass::missing_release, call);
      add(FaultClass::double_release, call);
      return;
    }
    if (parts_.is_derivative_call(call) && !call.isInlineAsm()) {
      if (!parts_.is_forward_mode() && parts_.in_reverse_sweep(call))
        add(FaultClass::callable, call);
      return;
    }
    if (!call.getType()->isFPOrFPVectorTy())
      return;
    add(carries(&call) ? FaultClass::sign : FaultClass::primal_changed, call);
  }

  /// What is returned beside a tape, a tangent or adjoints.
  void visit_insert(InsertValueInst &insert) {
    Value *result = insert.getInsertedValueOperand();
    if (result->getType()->isFloatingPointTy() && !isa<Constant>(result) && !carries(result) &&
        any_of(insert.users(), [](const User *user) { return isa<ReturnInst, InsertValueInst>(user); }))
      add(FaultClass::primal_return, insert, 1);
  }

  /// Forward mode: the tangent that a call returns beside its primal result.
  void visit_extract(ExtractValueInst &extract) {
    const auto *call = dyn_cast<CallInst>(extract.getAggregateOperand());
    if (call && parts_.is_forward_mode() && parts_.is_derivative_call(*call) && carries(&extract))
      add(FaultClass::callable, extract);
  }

  Function &written_;
  DerivativeParts parts_;
  SmallVector<Site, 64> sites_;
};

} // namespace

SmallVector<Site, 64> find_sites(Function &written) {
  SmallVector<Site, 64> sites = Finder(written).run();
  append_range(sites, find_general_faults(written, roles_of_written(written)));
  return sites;
}

} // namespace assay::jit
