#include "core/engine/prepare/flagged_words.hpp"
#include "core/engine/analysis/computed_bits.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace assay::engine {
namespace {

bool becomes_number(const LoadInst &load) {
  return any_of(load.users(), [](const User *user) {
    return isa<BitCastInst>(user) && user->getType()->isFloatingPointTy() && !user->use_empty();
  });
}

/// The address is one once its flags are taken off.
bool is_of_number(const IntToPtrInst &address) {
  if (!isa<BinaryOperator>(address.getOperand(0)))
    return false;
  const ComputedBits bits = computed_bits(*address.getOperand(0));
  return !bits.numbers.empty() || any_of(bits.loads, [](const LoadInst *load) { return becomes_number(*load); });
}

} // namespace

Error refuse_flagged_words(const Function &function) {
  for (const Instruction &instruction : instructions(function))
    if (const auto *address = dyn_cast<IntToPtrInst>(&instruction); address && is_of_number(*address))
      return unsupported(*address, "a word holds a number, or an address with flags in it, as its bits tell",
                         "keep addresses in a member of their own, or the kind of the value beside it");
  return Error::success();
}

} // namespace assay::engine
