#include "core/engine/emit/tapeless_rule.hpp"
#include "core/engine/emit/rule_lanes.hpp"
#include "core/engine/rules/own_function.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// Of the augmented pass, whose pointers are each followed by their shadow: the numbers of the primal's arguments, and
/// which parameters are shadows.
struct RuleParameters {
  explicit RuleParameters(const Function &primal) {
    for (const Argument &argument : primal.args()) {
      primals.push_back(shadows.size());
      shadows.resize(shadows.size() + 1);
      if (argument.getType()->isPointerTy())
        shadows.resize(shadows.size() + 1, true);
    }
  }

  SmallVector<unsigned, 8> primals;
  SmallBitVector shadows;
};

Expected<bool> both_write(DerivativeSource &engine, const UserRule &rule, const RuleParameters &parameters) {
  Expected<bool> augmented_writes = may_write_arguments(engine, *rule.augmented, parameters.shadows);
  if (!augmented_writes || !*augmented_writes)
    return augmented_writes;
  return may_write_arguments(engine, *rule.primal);
}

void write_calls(Function &function, const UserRule &rule, const RuleParameters &parameters) {
  IRBuilder<> builder(BasicBlock::Create(function.getContext(), "", &function));
  SmallVector<Value *, 8> all, primals;
  for (Argument &argument : function.args())
    all.push_back(&argument);
  for (const unsigned index : parameters.primals)
    primals.push_back(function.getArg(index));
  CallInst *result = builder.CreateCall(rule.primal, primals);
  result->setCallingConv(rule.primal->getCallingConv());
  builder.CreateCall(rule.augmented, all)->setCallingConv(rule.augmented->getCallingConv());
  builder.CreateRet(result);
  if (!rule.primal->doesNotThrow() || !rule.augmented->doesNotThrow())
    function.removeFnAttr(Attribute::NoUnwind);
}

} // namespace

Expected<Function *> augmented_with_result(DerivativeSource &engine, const CallBase &call, const UserRule &rule) {
  Function &augmented = *rule.augmented;
  if (!augmented.getReturnType()->isVoidTy() || call.getType()->isVoidTy() || call.use_empty())
    return &augmented;
  const RuleParameters parameters(*rule.primal);
  if (augmented.arg_size() != parameters.shadows.size())
    return &augmented; // does not fit, which is said elsewhere
  Expected<bool> twice = both_write(engine, rule, parameters);
  if (!twice)
    return twice.takeError();
  if (*twice)
    return unsupported(call,
                       "the registered augmented pass '" + source_name(augmented) +
                           "' returns nothing, so that the function itself is called for its result, and both write to "
                           "memory of the arguments",
                       "return {tape, result} from the augmented pass");
  auto *type = FunctionType::get(call.getType(), augmented.getFunctionType()->params(), false);
  const std::string name = (augmented.getName() + ".with_result." + rule.primal->getName()).str();
  return own_function(*augmented.getParent(), name, type,
                      [&](Function &function) { write_calls(function, rule, parameters); });
}

} // namespace assay::engine
