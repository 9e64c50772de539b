#include "core/jit/mutate/roles.hpp"

#include "core/jit/mutate/derivative_parts.hpp"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace assay::jit {

namespace {

/// What an adjoint held, which something is added to.
bool is_accumulated(const LoadInst &load) {
  return any_of(load.users(), [&](const User *user) {
    const auto *sum = dyn_cast<Instruction>(user);
    return sum && (isa<BinaryOperator>(sum) || is_fused(*sum)) && any_of(sum->users(), [&](const User *next) {
             const auto *store = dyn_cast<StoreInst>(next);
             return store && store->getPointerOperand() == load.getPointerOperand();
           });
  });
}

bool is_scalar(const Value &value) {
  return value.getType()->isFloatingPointTy();
}

void add_result(Use &use, Roles &roles) {
  if (is_scalar(*use) && roles.carries(use))
    roles.results.push_back(&use);
}

/// By itself or as a part of what is returned.
void add_returned(Instruction &instruction, Roles &roles) {
  if (auto *insert = dyn_cast<InsertValueInst>(&instruction))
    add_result(insert->getOperandUse(1), roles);
  else if (isa<ReturnInst>(instruction) && instruction.getNumOperands() == 1)
    add_result(instruction.getOperandUse(0), roles);
}

/// Calls `visit` with each operand of a product or quotient that carries a derivative.
void for_each_factor(Function &function, const Roles &roles, function_ref<void(Use &)> visit) {
  for (Instruction &instruction : instructions(function)) {
    const unsigned opcode = instruction.getOpcode();
    if (opcode != Instruction::FMul && opcode != Instruction::FDiv && !is_fused(instruction))
      continue;
    Use &first = instruction.getOperandUse(0), &second = instruction.getOperandUse(1);
    if (!is_scalar(*first) || roles.carries(first) == roles.carries(second))
      continue;
    visit(roles.carries(first) ? second : first);
  }
}

} // namespace

Roles roles_of_written(Function &written) {
  const DerivativeParts parts(written);
  Roles roles;
  for (Argument &argument : written.args())
    if (is_scalar(argument) && parts.carries_derivative(&argument))
      roles.seeds.push_back(&argument);
  for (Argument &argument : written.args())
    if (parts.carries_derivative(&argument))
      roles.derivatives.insert(&argument);
  for (Instruction &instruction : instructions(written)) {
    if (parts.carries_derivative(&instruction))
      roles.derivatives.insert(&instruction);
    if (auto *load = dyn_cast<LoadInst>(&instruction); load && is_scalar(*load) && parts.is_shadow_access(*load))
      if (!isa<AllocaInst>(getUnderlyingObject(load->getPointerOperand())) && !is_accumulated(*load))
        roles.seeds.push_back(load);
    if (auto *store = dyn_cast<StoreInst>(&instruction); store && parts.is_shadow_access(*store))
      if (!isa<AllocaInst>(getUnderlyingObject(store->getPointerOperand())))
        add_result(store->getOperandUse(0), roles);
    add_returned(instruction, roles);
  }
  return roles;
}

namespace {

/// In the order of the primal's parameters: which parameters of a rule's function are shadows. `has_shadow` says of
/// which primal ones.
SmallVector<Argument *, 8> shadows_in(Function &part, const Function &primal, unsigned further,
                                      function_ref<bool(const Type &)> has_shadow) {
  unsigned count = 0;
  for (const Argument &argument : primal.args())
    count += has_shadow(*argument.getType());
  if (part.arg_size() != primal.arg_size() + count + further)
    return {};
  SmallVector<Argument *, 8> shadows;
  unsigned next = 0;
  for (const Argument &argument : primal.args()) {
    ++next;
    if (has_shadow(*argument.getType()))
      shadows.push_back(part.getArg(next++));
  }
  return shadows;
}

/// Everything that is computed from seeds and from what shadows hold, also by way of memory.
void spread(Function &part, ArrayRef<const Value *> shadows, Roles &roles) {
  DenseSet<const Value *> memory(shadows.begin(), shadows.end());
  const auto is_new = [&](Instruction &instruction) {
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      return is_scalar(*load) && memory.contains(getUnderlyingObject(load->getPointerOperand()));
    return holds_floats(*instruction.getType()) && !isa<LoadInst>(instruction) &&
           any_of(instruction.operands(), [&](const Use &operand) { return roles.carries(operand); });
  };
  for (bool grows = true; grows;) {
    grows = false;
    for (Instruction &instruction : instructions(part)) {
      if (auto *store = dyn_cast<StoreInst>(&instruction))
        grows |= roles.carries(store->getValueOperand()) &&
                 memory.insert(getUnderlyingObject(store->getPointerOperand())).second;
      else if (is_new(instruction))
        grows |= roles.derivatives.insert(&instruction).second;
    }
  }
}

Roles roles_from(Function &part, ArrayRef<Argument *> shadows, Argument *seed) {
  Roles roles;
  if (seed && is_scalar(*seed))
    roles.seeds.push_back(seed);
  for (Argument *shadow : shadows)
    if (is_scalar(*shadow))
      roles.seeds.push_back(shadow);
  roles.derivatives.insert(roles.seeds.begin(), roles.seeds.end());
  spread(part, SmallVector<const Value *, 8>(shadows.begin(), shadows.end()), roles);
  const auto is_shadow = [&](const Value *pointer) { return is_contained(shadows, getUnderlyingObject(pointer)); };
  for (Instruction &instruction : instructions(part)) {
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      if (is_scalar(*load) && is_shadow(load->getPointerOperand()) && !is_accumulated(*load))
        roles.seeds.push_back(load);
    if (auto *store = dyn_cast<StoreInst>(&instruction); store && is_shadow(store->getPointerOperand()))
      add_result(store->getOperandUse(0), roles);
    add_returned(instruction, roles);
  }
  return roles;
}

} // namespace

Roles roles_of_tangent(Function &part, const Function &primal) {
  const auto has_tangent = [](const Type &type) { return type.isFloatingPointTy() || type.isPointerTy(); };
  return roles_from(part, shadows_in(part, primal, 0, has_tangent), nullptr);
}

/// Behind the parameters of the first half stand the seed of what is returned, if that is a number, and the tape.
Roles roles_of_reverse(Function &part, const Function &primal) {
  const bool has_seed = primal.getReturnType()->isFloatingPointTy();
  const auto has_shadow = [](const Type &type) { return type.isPointerTy(); };
  const SmallVector<Argument *, 8> shadows = shadows_in(part, primal, has_seed ? 2 : 1, has_shadow);
  const bool is_seed =
      has_seed && part.arg_size() > 1 && part.getArg(part.arg_size() - 2)->getType()->isFloatingPointTy();
  return roles_from(part, shadows, is_seed ? part.getArg(part.arg_size() - 2) : nullptr);
}

namespace {

/// Addresses that are found in the memory of `start`, and in the memory that these lead to. An address that may be of
/// either of two counts where one of them does.
class LedTo {
public:
  LedTo(Function &part, ArrayRef<Argument *> start) : memory(start.begin(), start.end()) {
    for (bool grows = true; grows;) {
      grows = false;
      for (Instruction &instruction : instructions(part))
        if (instruction.getType()->isPointerTy() && leads_on(instruction))
          grows |= memory.insert(&instruction).second;
    }
  }
  bool contains(const Value *pointer) const { return memory.contains(getUnderlyingObject(pointer)); }

  DenseSet<const Value *> memory;

private:
  bool leads_on(const Instruction &instruction) const {
    if (const auto *load = dyn_cast<LoadInst>(&instruction))
      return contains(load->getPointerOperand());
    return (isa<PHINode>(instruction) || isa<SelectInst>(instruction)) &&
           any_of(instruction.operands(),
                  [&](const Use &operand) { return operand->getType()->isPointerTy() && contains(operand); });
  }
};

} // namespace

/// The parameters are told in core/include/assay/detail/rules/entry.hpp: the configuration, the result, the
/// shadows of the result, the tape, then a value for each argument, then its shadows.
Roles roles_of_template(Function &part, const RegisteredRule &rule) {
  constexpr unsigned result_shadows = 2, first_value = 4;
  const unsigned count = (part.arg_size() - first_value) / 2;
  SmallVector<Argument *, 8> of_arguments, of_result{part.getArg(result_shadows)};
  for (unsigned index = first_value + count; index < part.arg_size(); ++index)
    of_arguments.push_back(part.getArg(index));
  const LedTo arguments(part, of_arguments), result(part, of_result);
  const bool is_forward = rule.mode == Mode::forward;
  Roles roles;
  SmallVector<const Value *, 16> memory(arguments.memory.begin(), arguments.memory.end());
  memory.append(result.memory.begin(), result.memory.end());
  spread(part, memory, roles);
  for (Instruction &instruction : instructions(part)) {
    if (auto *load = dyn_cast<LoadInst>(&instruction); load && is_scalar(*load) && !is_accumulated(*load))
      if (is_forward ? arguments.contains(load->getPointerOperand())
                     : arguments.contains(load->getPointerOperand()) || result.contains(load->getPointerOperand()))
        roles.seeds.push_back(load);
    if (auto *store = dyn_cast<StoreInst>(&instruction))
      if (arguments.contains(store->getPointerOperand()) || result.contains(store->getPointerOperand()))
        add_result(store->getOperandUse(0), roles);
  }
  return roles;
}

bool is_fused(const Instruction &instruction) {
  const auto *call = dyn_cast<IntrinsicInst>(&instruction);
  return call && (call->getIntrinsicID() == Intrinsic::fmuladd || call->getIntrinsicID() == Intrinsic::fma);
}

SmallVector<Factor, 16> factors_of(Function &function, const Roles &roles) {
  MapVector<Value *, Factor> factors;
  for_each_factor(function, roles, [&](Use &use) {
    if (isa<Constant>(use))
      return;
    Factor &factor = factors[use];
    factor.value = use;
    factor.uses.push_back(&use);
  });
  SmallVector<Factor, 16> found;
  for (auto &[value, factor] : factors)
    found.push_back(std::move(factor));
  return found;
}

SmallVector<Use *, 8> constant_factors_of(Function &function, const Roles &roles) {
  SmallVector<Use *, 8> uses;
  for_each_factor(function, roles, [&](Use &use) {
    if (isa<ConstantFP>(use))
      uses.push_back(&use);
  });
  return uses;
}

} // namespace assay::jit
