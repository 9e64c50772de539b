#include "core/engine/prepare/split_loads.hpp"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr unsigned narrowest_part = 16; // bits

/// `truncation` of what was loaded, from bit `first` on.
struct Part {
  TruncInst *truncation;
  std::uint64_t first;
};

bool becomes_float(const Value &integer) {
  return any_of(integer.users(),
                [](const User *user) { return isa<BitCastInst>(user) && user->getType()->isFPOrFPVectorTy(); });
}

void add_part(User *user, std::uint64_t first, SmallVectorImpl<Part> &parts) {
  auto *truncation = dyn_cast<TruncInst>(user);
  if (!truncation || first % 8 != 0)
    return;
  const unsigned width = truncation->getType()->getIntegerBitWidth();
  if (width % 8 == 0 && width >= narrowest_part)
    parts.push_back({truncation, first});
}

/// The parts that are taken of `bits`: what was loaded, as an integer.
void add_parts(Value &bits, SmallVectorImpl<Part> &parts) {
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

SmallVector<Part, 4> parts_of(LoadInst &load) {
  SmallVector<Part, 4> parts;
  if (load.getType()->isIntegerTy())
    add_parts(load, parts);
  else if (load.getType()->isFloatingPointTy())
    for (User *user : load.users())
      if (isa<BitCastInst>(user) && user->getType()->isIntegerTy())
        add_parts(*user, parts);
  return parts;
}

void split(LoadInst &load, ArrayRef<Part> parts) {
  for (const Part &part : parts) {
    IRBuilder<> builder(&load);
    const std::uint64_t offset = part.first / 8;
    Value *place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), load.getPointerOperand(), offset);
    Value *own = builder.CreateAlignedLoad(part.truncation->getType(), place, commonAlignment(load.getAlign(), offset));
    part.truncation->replaceAllUsesWith(own);
  }
}

} // namespace

bool split_loads(Function &function) {
  if (!function.getDataLayout().isLittleEndian())
    return false;
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *load = dyn_cast<LoadInst>(&instruction);
    if (!load || !load->isSimple())
      continue;
    const SmallVector<Part, 4> parts = parts_of(*load);
    if (none_of(parts, [](const Part &part) { return becomes_float(*part.truncation); }))
      continue;
    split(*load, parts);
    changed = true;
  }
  return changed;
}

} // namespace assay::engine
