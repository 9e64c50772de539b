#include "core/engine/plan/integers_over_numbers.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace assay::engine {

bool is_integer_over_number(const TypeAnalysis &types, const StoreInst &store) {
  const Value &stored = *store.getValueOperand();
  const Type *part = stored.getType()->getScalarType();
  if (!(part->isIntegerTy(32) || part->isIntegerTy(64)) || types.of(stored).kind != ByteKind::integer)
    return false;
  const std::uint64_t size = types.layout().getTypeStoreSize(stored.getType()).getFixedValue();
  return any_of(types.seen_fields(*store.getPointerOperand(), size),
                [](const TypedField &field) { return field.may_be_floating || field.type.kind == ByteKind::floating; });
}

bool computes_with_bits(const Function &function) {
  return any_of(*function.getParent(), [&](const Function &linear) {
    return linear.getName().starts_with("assay.linear.") && any_of(linear.users(), [&](const User *user) {
             const auto *call = dyn_cast<CallInst>(user);
             return call && call->getFunction() == &function;
           });
  });
}

} // namespace assay::engine
