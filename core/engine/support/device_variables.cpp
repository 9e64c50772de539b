#include "core/engine/support/device_variables.hpp"
#include "core/engine/support/convention_names.hpp"
#include "core/engine/support/device_target.hpp"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace assay::engine {

namespace {

/// void __cudaRegisterVar(handle, variable, address, name, is external, bytes, is constant, is global)
constexpr StringLiteral registering_function = "__cudaRegisterVar", asking_function = "__assay_device_variables";
constexpr unsigned variable_operand = 1, bytes_operand = 5;

StructType *entry_type(LLVMContext &context) {
  Type *word = Type::getInt64Ty(context);
  return StructType::get(PointerType::getUnqual(context), word, word);
}

Constant *entry_of(GlobalVariable &variable, std::uint64_t bytes) {
  LLVMContext &context = variable.getContext();
  Type *word = Type::getInt64Ty(context);
  const bool is_table = registration_table(variable.getName()) == Table::shadow_global;
  return ConstantStruct::get(entry_type(context),
                             {&variable, ConstantInt::get(word, bytes), ConstantInt::get(word, is_table ? 1 : 0)});
}

SmallVector<Constant *, 8> registered_variables(Module &module) {
  SmallVector<Constant *, 8> entries;
  if (const Function *registers = module.getFunction(registering_function))
    for (const User *user : registers->users()) {
      const auto *call = dyn_cast<CallBase>(user);
      if (!call || call->getCalledFunction() != registers)
        continue;
      auto *variable = dyn_cast<GlobalVariable>(call->getArgOperand(variable_operand)->stripPointerCasts());
      const auto *bytes = dyn_cast<ConstantInt>(call->getArgOperand(bytes_operand));
      if (variable && bytes)
        entries.push_back(entry_of(*variable, bytes->getZExtValue()));
    }
  return entries;
}

void define(Function &asks, ArrayRef<Constant *> entries) {
  Module &module = *asks.getParent();
  auto *type = ArrayType::get(entry_type(module.getContext()), entries.size());
  auto *list = new GlobalVariable(module, type, true, GlobalValue::PrivateLinkage, ConstantArray::get(type, entries),
                                  "assay_device_variables");
  IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", &asks));
  builder.CreateStore(builder.getInt64(entries.size()), asks.getArg(0));
  builder.CreateRet(list);
  asks.setLinkage(GlobalValue::InternalLinkage);
  asks.setDSOLocal(true);
}

} // namespace

bool list_device_variables(Module &module) {
  Function *asks = module.getFunction(asking_function);
  if (!asks || !asks->isDeclaration() || asks->arg_size() != 1 || is_device_code(module))
    return false;
  define(*asks, registered_variables(module));
  return true;
}

PreservedAnalyses DeviceVariablesPass::run(Module &module, ModuleAnalysisManager &) {
  return list_device_variables(module) ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace assay::engine
