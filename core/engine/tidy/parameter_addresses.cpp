#include "core/engine/tidy/parameter_addresses.hpp"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// Uses of the parameter's address, as far as each is understood.
struct AddressUses {
  bool is_known = true; ///< Nothing else gets to know the address.
  SmallVector<ICmpInst *, 4> comparisons{};
};

AddressUses uses_of(Argument &parameter) {
  AddressUses result;
  SmallVector<Value *, 8> pending{&parameter};
  SmallPtrSet<Value *, 8> seen{&parameter};
  while (!pending.empty()) {
    Value *address = pending.pop_back_val();
    for (User *user : address->users()) {
      if (auto *comparison = dyn_cast<ICmpInst>(user)) {
        result.comparisons.push_back(comparison);
      } else if (isa<GetElementPtrInst, AddrSpaceCastInst, PHINode, SelectInst>(user)) {
        if (seen.insert(user).second)
          pending.push_back(user);
      } else if (const auto *copy = dyn_cast<MemTransferInst>(user); !isa<LoadInst>(user) && !copy) {
        result.is_known = false;
      }
    }
  }
  return result;
}

/// True where the two addresses are those of different objects: `parameter`, and what does not come from it.
bool are_apart(const ICmpInst &comparison, const Argument &parameter) {
  const auto is_parameter = [&](const Value &address) {
    SmallVector<const Value *, 4> objects;
    getUnderlyingObjects(&address, objects);
    return std::pair(all_of(objects, [&](const Value *object) { return object == &parameter; }),
                     is_contained(objects, &parameter));
  };
  const auto [left_is, left_may_be] = is_parameter(*comparison.getOperand(0));
  const auto [right_is, right_may_be] = is_parameter(*comparison.getOperand(1));
  return (left_is && !right_may_be) || (right_is && !left_may_be);
}

} // namespace

PreservedAnalyses ParameterAddressesPass::run(Function &function, FunctionAnalysisManager &) {
  if (function.getCallingConv() != CallingConv::PTX_Kernel)
    return PreservedAnalyses::all();
  bool changed = false;
  for (Argument &parameter : function.args()) {
    if (!parameter.hasByValAttr())
      continue;
    const AddressUses uses = uses_of(parameter);
    for (ICmpInst *comparison : uses.comparisons)
      if (uses.is_known && comparison->isEquality() && are_apart(*comparison, parameter)) {
        const bool is_equal = comparison->getPredicate() == ICmpInst::ICMP_EQ;
        comparison->replaceAllUsesWith(ConstantInt::getBool(comparison->getType(), !is_equal));
        comparison->eraseFromParent();
        changed = true;
      }
  }
  return changed ? PreservedAnalyses::allInSet<CFGAnalyses>() : PreservedAnalyses::all();
}

} // namespace assay::engine
