// Variables are made for the fault: of the program, or of the thread. What they hold is one value for the function, so
// only factors that are computed once in a call are kept.

#include "core/jit/mutate/planted_sites.hpp"
#include "core/jit/mutate/replace_uses.hpp"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace assay::jit {

namespace {

enum class Storage : std::uint8_t { of_program, of_thread };

GlobalVariable *new_variable(Module &module, Type &type, Storage storage = Storage::of_program) {
  return new GlobalVariable(
      module, &type, false, GlobalValue::InternalLinkage, Constant::getNullValue(&type), "assay.mutant.kept", nullptr,
      storage == Storage::of_thread ? GlobalValue::GeneralDynamicTLSModel : GlobalValue::NotThreadLocal);
}

bool is_computed_once(const Value &value) {
  const auto *instruction = dyn_cast<Instruction>(&value);
  if (!instruction)
    return true;
  const BasicBlock *block = instruction->getParent();
  return none_of(successors(block), [&](const BasicBlock *next) { return isPotentiallyReachable(next, block); });
}

/// What the call before gave, from the second call on.
Value *of_last_call(IRBuilder<> &builder, Value &value, Storage storage) {
  Module &module = *builder.GetInsertBlock()->getModule();
  GlobalVariable *kept = new_variable(module, *value.getType(), storage);
  GlobalVariable *is_kept = new_variable(module, *builder.getInt8Ty(), storage);
  Value *last = builder.CreateLoad(value.getType(), kept);
  Value *has_last = builder.CreateIsNotNull(builder.CreateLoad(builder.getInt8Ty(), is_kept));
  builder.CreateStore(&value, kept);
  builder.CreateStore(builder.getInt8(1), is_kept);
  return builder.CreateSelect(has_last, last, &value);
}

/// What an earlier call gave while `key` was the same.
Value *while_same_address(IRBuilder<> &builder, Value &value, Value &key) {
  Module &module = *builder.GetInsertBlock()->getModule();
  GlobalVariable *kept = new_variable(module, *value.getType()), *address = new_variable(module, *key.getType());
  Value *is_same = builder.CreateICmpEQ(builder.CreateLoad(key.getType(), address), &key);
  Value *used = builder.CreateSelect(is_same, builder.CreateLoad(value.getType(), kept), &value);
  builder.CreateStore(used, kept);
  builder.CreateStore(&key, address);
  return used;
}

Value *half_after_first_call(IRBuilder<> &builder, Value &value) {
  Module &module = *builder.GetInsertBlock()->getModule();
  GlobalVariable *counter = new_variable(module, *builder.getInt32Ty());
  Value *calls = builder.CreateLoad(builder.getInt32Ty(), counter);
  builder.CreateStore(builder.CreateAdd(calls, builder.getInt32(1)), counter);
  Value *half = builder.CreateFMul(&value, ConstantFP::get(value.getType(), 0.5));
  return builder.CreateSelect(builder.CreateIsNull(calls), &value, half);
}

void add_factor(const Factor &factor, FaultClass kind, std::string text,
                const std::function<Value *(IRBuilder<> &, Value &)> &change, Sites &sites) {
  sites.push_back({kind, cast<Instruction>(factor.uses.front()->getUser()), 0, nullptr,
                   [factor, change] { replace_in(factor.uses, *factor.value, change); }, std::move(text)});
}

/// Written by the function, of a type that one can be added to.
bool may_be_changed(const GlobalVariable &variable) {
  const Type *type = variable.getValueType();
  return !variable.isConstant() && (type->isIntegerTy() || type->isFloatingPointTy());
}

void increase(GlobalVariable &variable, Instruction &before) {
  IRBuilder<> builder(&before);
  Type *type = variable.getValueType();
  Value *held = builder.CreateLoad(type, &variable);
  builder.CreateStore(type->isIntegerTy() ? builder.CreateAdd(held, ConstantInt::get(type, 1))
                                          : builder.CreateFAdd(held, ConstantFP::get(type, 1)),
                      &variable);
}

/// Those that the function mentions, or what it calls.
SmallVector<GlobalVariable *, 4> variables_of(Function &function) {
  SetVector<Function *> functions;
  SetVector<GlobalVariable *> variables;
  functions.insert(&function);
  for (unsigned next = 0; next < functions.size(); ++next)
    for (Instruction &instruction : instructions(*functions[next]))
      for (Value *operand : instruction.operands())
        if (auto *callee = dyn_cast<Function>(operand))
          functions.insert(callee);
        else if (auto *variable = dyn_cast<GlobalVariable>(operand); variable && may_be_changed(*variable))
          variables.insert(variable);
  return SmallVector<GlobalVariable *, 4>(variables.begin(), variables.end());
}

void find_changed_variables(Function &function, Sites &sites) {
  for (GlobalVariable *variable : variables_of(function))
    for (BasicBlock &block : function)
      if (auto *end = dyn_cast<ReturnInst>(block.getTerminator()))
        sites.push_back({FaultClass::changed_variable, end, 0, nullptr, [variable, end] { increase(*variable, *end); },
                         "after 1 is added to " + variable->getName().str()});
}

} // namespace

void find_state_faults(Function &function, const Roles &roles, Sites &sites) {
  Argument *address = nullptr;
  for (Argument &argument : function.args())
    if (argument.getType()->isPointerTy() && !address)
      address = &argument;
  for (const Factor &factor : factors_of(function, roles)) {
    if (!place_behind(*factor.value) || !is_computed_once(*factor.value))
      continue;
    add_factor(
        factor, FaultClass::last_call, "with the factor of the last call",
        [](IRBuilder<> &builder, Value &value) { return of_last_call(builder, value, Storage::of_program); }, sites);
    add_factor(
        factor, FaultClass::last_call, "with the factor of the thread's last call",
        [](IRBuilder<> &builder, Value &value) { return of_last_call(builder, value, Storage::of_thread); }, sites);
    add_factor(factor, FaultClass::call_counter, "with half its factor after the first call", half_after_first_call,
               sites);
    if (address)
      add_factor(
          factor, FaultClass::cached_address, "with the factor that belongs to the address of an argument",
          [address](IRBuilder<> &builder, Value &value) { return while_same_address(builder, value, *address); },
          sites);
  }
  find_changed_variables(function, sites);
}

} // namespace assay::jit
