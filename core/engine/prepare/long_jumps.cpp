#include "core/engine/prepare/long_jumps.hpp"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace assay::engine {
namespace {

bool is_long_jump(const Function &function) {
  return function.getIntrinsicID() == Intrinsic::eh_sjlj_longjmp ||
         (function.isDeclaration() && library_role(function) == LibraryRole::long_jump);
}

bool has_long_jump(const Module &module) {
  const auto is_used = [](const Function *function) { return function && !function->use_empty(); };
  return is_used(Intrinsic::getDeclarationIfExists(&module, Intrinsic::eh_sjlj_longjmp)) ||
         any_of(declared_functions(module, LibraryRole::long_jump), is_used);
}

class Search {
public:
  explicit Search(const FunctionInfo &function_info) : function_info_(function_info) {}

  const CallBase *in(const Function &function) {
    if (!seen_.insert(&function).second)
      return nullptr;
    for (const Instruction &instruction : instructions(function))
      if (const auto *call = dyn_cast<CallBase>(&instruction); call && leads_there(*call))
        return call;
    return nullptr;
  }

private:
  bool leads_there(const CallBase &call) {
    const Function *callee = call.getCalledFunction();
    if (!callee || function_info_.rule(*callee) || function_info_.is_inactive(*callee))
      return false;
    return is_long_jump(*callee) || in(*callee);
  }

  const FunctionInfo &function_info_;
  SmallPtrSet<const Function *, 16> seen_;
};

} // namespace

const CallBase *reached_long_jump(const Function &function, const FunctionInfo &function_info) {
  return has_long_jump(*function.getParent()) ? Search(function_info).in(function) : nullptr;
}

} // namespace assay::engine
