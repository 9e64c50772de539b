#include "core/engine/prepare/integer_parts.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr unsigned narrowest_part = 16; // bits

void add_part(User *user, std::uint64_t first, SmallVectorImpl<IntegerPart> &parts) {
  auto *truncation = dyn_cast<TruncInst>(user);
  if (!truncation || first % 8 != 0)
    return;
  const unsigned width = truncation->getType()->getIntegerBitWidth();
  if (width % 8 == 0 && width >= narrowest_part)
    parts.push_back({truncation, first});
}

} // namespace

void add_parts(Value &bits, SmallVectorImpl<IntegerPart> &parts) {
  for (User *user : bits.users()) {
    add_part(user, 0, parts);
    auto *shift = dyn_cast<BinaryOperator>(user);
    const auto *distance = shift ? dyn_cast<ConstantInt>(shift->getOperand(1)) : nullptr;
    if (!distance || shift->getOpcode() != Instruction::LShr)
      continue;
    for (User *inner : shift->users())
      add_part(inner, distance->getZExtValue(), parts);
  }
}

bool becomes_float(const Value &integer) {
  return any_of(integer.users(),
                [](const User *user) { return isa<BitCastInst>(user) && user->getType()->isFPOrFPVectorTy(); });
}

} // namespace assay::engine
