#include "core/jit/mutate/roles.hpp"

#include "core/jit/mutate/derivative_parts.hpp"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace assay::jit {

namespace {

/// What an adjoint held, which something is added to.
bool is_accumulated(const LoadInst &load) {
  return any_of(load.users(), [&](const User *user) {
    const auto *sum = dyn_cast<BinaryOperator>(user);
    return sum && any_of(sum->users(), [&](const User *next) {
             const auto *store = dyn_cast<StoreInst>(next);
             return store && store->getPointerOperand() == load.getPointerOperand();
           });
  });
}

bool is_scalar(const Value &value) {
  return value.getType()->isFloatingPointTy();
}

/// Calls `visit` with each operand of a product or quotient that carries a derivative.
void for_each_factor(Function &function, const Roles &roles, function_ref<void(Use &)> visit) {
  for (Instruction &instruction : instructions(function)) {
    const unsigned opcode = instruction.getOpcode();
    if ((opcode != Instruction::FMul && opcode != Instruction::FDiv) || !roles.carries(&instruction))
      continue;
    for (Use &operand : instruction.operands())
      if (is_scalar(*operand) && !roles.carries(operand))
        visit(operand);
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
      if (is_scalar(*store->getValueOperand()) && parts.carries_derivative(store->getValueOperand()) &&
          !isa<AllocaInst>(getUnderlyingObject(store->getPointerOperand())))
        roles.results.push_back(store);
  }
  return roles;
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
