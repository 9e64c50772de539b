#include "core/engine/prepare/split_loads.hpp"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr unsigned narrowest_part = 16; // bits

/// `value` is what was loaded, from bit `first` on.
struct Part {
  CastInst *value;
  std::uint64_t first;
};

bool is_float(const Value &value) {
  return value.getType()->isFPOrFPVectorTy();
}

bool becomes_float(const Value &integer) {
  return any_of(integer.users(), [](const User *user) { return isa<BitCastInst>(user) && is_float(*user); });
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

/// What is loaded as a pointer has the bits of floats where the same memory holds pointers at other times.
void add_parts_of_address(Value &address, SmallVectorImpl<Part> &parts) {
  for (User *user : address.users()) {
    auto *bits = dyn_cast<PtrToIntInst>(user);
    if (!bits || bits->getDataLayout().getTypeSizeInBits(address.getType()) != bits->getType()->getIntegerBitWidth())
      continue;
    add_parts(*bits, parts);
    for (User *whole : bits->users())
      if (isa<BitCastInst>(whole) && is_float(*whole))
        parts.push_back({cast<CastInst>(whole), 0});
  }
}

/// What is loaded as an integer is a number at some times and an address at others: a union whose tag tells which.
void add_number_or_address(LoadInst &load, SmallVectorImpl<Part> &parts) {
  const auto is_address = [](const User *user) { return isa<IntToPtrInst>(user); };
  if (none_of(load.users(), is_address) || !becomes_float(load))
    return;
  for (User *user : load.users())
    if (is_address(user) || (isa<BitCastInst>(user) && is_float(*user)))
      parts.push_back({cast<CastInst>(user), 0});
}

SmallVector<Part, 4> parts_of(LoadInst &load) {
  SmallVector<Part, 4> parts;
  if (load.getType()->isPointerTy())
    add_parts_of_address(load, parts);
  else if (load.getType()->isIntegerTy()) {
    add_parts(load, parts);
    add_number_or_address(load, parts);
  } else if (load.getType()->isFloatingPointTy())
    for (User *user : load.users())
      if (isa<BitCastInst>(user) && user->getType()->isIntegerTy())
        add_parts(*user, parts);
  return parts;
}

bool may_write(const Instruction &instruction) {
  return instruction.mayWriteToMemory();
}

/// Where a part is used in a branch of its own it is loaded there: the other branch may find something else in memory.
Instruction *place_of(LoadInst &load, const Part &part) {
  BasicBlock *used = part.value->getParent();
  if (used->getSinglePredecessor() != load.getParent() ||
      any_of(make_range(load.getIterator(), load.getParent()->end()), may_write) ||
      any_of(make_range(used->begin(), part.value->getIterator()), may_write))
    return &load;
  return part.value;
}

void split(LoadInst &load, ArrayRef<Part> parts) {
  for (const Part &part : parts) {
    IRBuilder<> builder(place_of(load, part));
    const std::uint64_t offset = part.first / 8;
    Value *place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), load.getPointerOperand(), offset);
    Value *own = builder.CreateAlignedLoad(part.value->getType(), place, commonAlignment(load.getAlign(), offset));
    part.value->replaceAllUsesWith(own);
  }
}

} // namespace

bool split_loads(Function &function) {
  if (!function.getDataLayout().isLittleEndian())
    return false;
  bool changed = false;
  SmallVector<WeakTrackingVH, 8> replaced;
  for (Instruction &instruction : instructions(function)) {
    auto *load = dyn_cast<LoadInst>(&instruction);
    if (!load || !load->isSimple())
      continue;
    const SmallVector<Part, 4> parts = parts_of(*load);
    if (none_of(parts, [](const Part &part) { return is_float(*part.value) || becomes_float(*part.value); }))
      continue;
    split(*load, parts);
    for (const Part &part : parts)
      replaced.emplace_back(part.value);
    changed = true;
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(replaced);
  return changed;
}

} // namespace assay::engine
