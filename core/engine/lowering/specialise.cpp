#include "core/engine/lowering/specialise.hpp"
#include "core/engine/support/constant_resolution.hpp"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace assay::engine {
namespace {

struct GivenConstant {
  unsigned parameter;
  Constant *value;
};

Constant *given_constant(const ParsedCall &parsed, const ParsedArgument &argument) {
  const bool constant = parsed.request.argument_activity[argument.parameter] == Activity::constant;
  return constant && !argument.primal.in_memory && !argument.by_value ? resolve_constant(argument.primal.value)
                                                                      : nullptr;
}

/// The parts of source parameters that contain a function; the other parts (the offset in a pointer to member) are
/// constants too.
SmallVector<GivenConstant, 2> given_functions(const ParsedCall &parsed) {
  SmallVector<unsigned, 2> sources;
  for (const ParsedArgument &argument : parsed.arguments)
    if (const Argument &parameter = *parsed.request.function->getArg(argument.parameter);
        !parameter.use_empty() && isa_and_nonnull<Function>(given_constant(parsed, argument)))
      sources.push_back(argument.source);
  SmallVector<GivenConstant, 2> given;
  for (const ParsedArgument &argument : parsed.arguments)
    if (is_contained(sources, argument.source))
      if (Constant *value = given_constant(parsed, argument))
        given.push_back({argument.parameter, value});
  return given;
}

std::string name_with(const Function &function, ArrayRef<GivenConstant> given) {
  std::string name;
  raw_string_ostream out(name);
  out << function.getName() << ".assay.given";
  for (const GivenConstant &constant : given) {
    out << '.' << constant.parameter << '=';
    constant.value->printAsOperand(out, false);
  }
  return name;
}

Constant *as_type(Constant *value, Type *type) {
  if (value->getType() == type)
    return value;
  if (value->getType()->isPointerTy())
    return type->isPointerTy() ? ConstantExpr::getAddrSpaceCast(value, type) : ConstantExpr::getPtrToInt(value, type);
  return type->isPointerTy() ? ConstantExpr::getIntToPtr(value, type) : nullptr;
}

} // namespace

Function &specialised_function(const ParsedCall &parsed) {
  Function &function = *parsed.request.function;
  const auto given = given_functions(parsed);
  if (given.empty())
    return function;
  const std::string name = name_with(function, given);
  if (Function *made = function.getParent()->getFunction(name))
    return *made;
  ValueToValueMapTy map;
  Function *copy = CloneFunction(&function, map);
  copy->setName(name);
  copy->setLinkage(GlobalValue::InternalLinkage);
  copy->setVisibility(GlobalValue::DefaultVisibility);
  copy->setComdat(nullptr);
  for (const GivenConstant &constant : given) {
    Argument &parameter = *copy->getArg(constant.parameter);
    if (Constant *value = as_type(constant.value, parameter.getType()))
      parameter.replaceAllUsesWith(value);
  }
  return *copy;
}

} // namespace assay::engine
