#include "core/engine/prepare/leading_pointer.hpp"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace assay::engine {

Function &copy_with_leading_pointer(Function &callee, StringRef suffix, Type *result,
                                    function_ref<void(Function &, ArrayRef<ReturnInst *>)> adapt) {
  Module &module = *callee.getParent();
  const std::string name = (callee.getName() + suffix).str();
  if (Function *existing = module.getFunction(name))
    return *existing;
  SmallVector<Type *, 8> parameters{PointerType::getUnqual(module.getContext())};
  append_range(parameters, callee.getFunctionType()->params());
  Function *copy =
      Function::Create(FunctionType::get(result, parameters, false), GlobalValue::InternalLinkage, name, module);
  ValueToValueMapTy map;
  for (Argument &argument : callee.args()) {
    copy->getArg(argument.getArgNo() + 1)->setName(argument.getName());
    map[&argument] = copy->getArg(argument.getArgNo() + 1);
  }
  SmallVector<ReturnInst *, 4> exits;
  CloneFunctionInto(copy, &callee, map, CloneFunctionChangeType::LocalChangesOnly, exits);
  copy->setLinkage(GlobalValue::InternalLinkage);
  copy->setVisibility(GlobalValue::DefaultVisibility);
  copy->setComdat(nullptr);
  for (const Attribute attribute : copy->getAttributes().getRetAttrs())
    attribute.isStringAttribute() ? copy->removeRetAttr(attribute.getKindAsString())
                                  : copy->removeRetAttr(attribute.getKindAsEnum());
  copy->removeFnAttr(Attribute::Memory);
  adapt(*copy, exits);
  return *copy;
}

AttributeList attributes_behind_leading_pointer(const CallBase &call) {
  const AttributeList old = call.getAttributes();
  SmallVector<AttributeSet, 8> parameters{AttributeSet()};
  for (unsigned index = 0; index < call.arg_size(); ++index)
    parameters.push_back(old.getParamAttrs(index));
  LLVMContext &context = call.getContext();
  return AttributeList::get(context, old.getFnAttrs().removeAttribute(context, Attribute::Memory), AttributeSet(),
                            parameters);
}

} // namespace assay::engine
