#include "core/engine/support/annotations.hpp"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr StringLiteral list_name = "llvm.global.annotations";

std::string string_of(Constant *constant) {
  auto *global = dyn_cast<GlobalVariable>(constant->stripPointerCasts());
  auto *data =
      global && global->hasInitializer() ? dyn_cast<ConstantDataSequential>(global->getInitializer()) : nullptr;
  return data && data->isCString() ? data->getAsCString().str() : std::string();
}

std::string text_of(const ConstantStruct &entry) {
  std::string text = string_of(entry.getOperand(1));
  if (entry.getNumOperands() < 5)
    return text;
  auto *arguments = dyn_cast<GlobalVariable>(entry.getOperand(4)->stripPointerCasts());
  auto *values =
      arguments && arguments->hasInitializer() ? dyn_cast<ConstantStruct>(arguments->getInitializer()) : nullptr;
  if (values && values->getNumOperands() > 0)
    if (const std::string argument = string_of(values->getOperand(0)); !argument.empty())
      text += "=" + argument;
  return text;
}

GlobalObject *subject_of(const ConstantStruct &entry) {
  return dyn_cast<GlobalObject>(entry.getOperand(0)->stripPointerCasts());
}

const ConstantArray *entries_of(const Module &module) {
  const GlobalVariable *list = module.getGlobalVariable(list_name);
  return list && list->hasInitializer() ? dyn_cast<ConstantArray>(list->getInitializer()) : nullptr;
}

} // namespace

std::vector<Annotation> annotations(const Module &module) {
  std::vector<Annotation> result;
  const ConstantArray *entries = entries_of(module);
  if (!entries)
    return result;
  for (const Use &use : entries->operands())
    if (auto *entry = dyn_cast<ConstantStruct>(use.get()))
      if (GlobalObject *subject = subject_of(*entry))
        result.push_back({subject, text_of(*entry)});
  return result;
}

void remove_annotations(Module &module, function_ref<bool(GlobalObject &, StringRef)> take) {
  const ConstantArray *entries = entries_of(module);
  if (!entries)
    return;
  SmallVector<Constant *, 8> kept;
  for (const Use &use : entries->operands()) {
    auto *entry = dyn_cast<ConstantStruct>(use.get());
    GlobalObject *subject = entry ? subject_of(*entry) : nullptr;
    if (!subject || !take(*subject, text_of(*entry)))
      kept.push_back(cast<Constant>(use.get()));
  }
  if (kept.size() == entries->getNumOperands())
    return;
  GlobalVariable *old = module.getGlobalVariable(list_name);
  const std::string section = old->getSection().str();
  Type *type = entries->getType()->getElementType();
  old->eraseFromParent();
  if (kept.empty())
    return;
  auto *all = ConstantArray::get(ArrayType::get(type, kept.size()), kept);
  auto *list = new GlobalVariable(module, all->getType(), false, GlobalValue::AppendingLinkage, all, list_name);
  list->setSection(section);
}

} // namespace assay::engine
