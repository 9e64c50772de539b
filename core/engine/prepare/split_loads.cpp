#include "core/engine/prepare/split_loads.hpp"
#include "core/engine/prepare/integer_parts.hpp"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace assay::engine {
namespace {

bool is_float(const Value &value) {
  return value.getType()->isFPOrFPVectorTy();
}

/// What is loaded as a pointer has the bits of floats where the same memory holds pointers at other times.
void add_parts_of_address(Value &address, SmallVectorImpl<IntegerPart> &parts) {
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
void add_number_or_address(LoadInst &load, SmallVectorImpl<IntegerPart> &parts) {
  const auto is_address = [](const User *user) { return isa<IntToPtrInst>(user); };
  if (none_of(load.users(), is_address) || !becomes_float(load))
    return;
  for (User *user : load.users())
    if (is_address(user) || (isa<BitCastInst>(user) && is_float(*user)))
      parts.push_back({cast<CastInst>(user), 0});
}

SmallVector<IntegerPart, 4> parts_of(LoadInst &load) {
  SmallVector<IntegerPart, 4> parts;
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

/// A word that goes on as it is: it may be a float, too.
bool is_moved_word(const Value &part) {
  return part.getType()->isIntegerTy(32) && any_of(part.users(), [&](const User *user) {
           const auto *store = dyn_cast<StoreInst>(user);
           return isa<PHINode>(user) || (store && store->getValueOperand() == &part);
         });
}

bool is_to_split(const IntegerPart &part) {
  return is_float(*part.value) || becomes_float(*part.value) || is_moved_word(*part.value);
}

bool may_write(const Instruction &instruction) {
  return instruction.mayWriteToMemory();
}

/// Where a part is used in a branch of its own it is loaded there: the other branch may find something else in memory.
Instruction *place_of(LoadInst &load, const IntegerPart &part) {
  BasicBlock *used = part.value->getParent();
  if (used->getSinglePredecessor() != load.getParent() ||
      any_of(make_range(load.getIterator(), load.getParent()->end()), may_write) ||
      any_of(make_range(used->begin(), part.value->getIterator()), may_write))
    return &load;
  return part.value;
}

void split(LoadInst &load, ArrayRef<IntegerPart> parts) {
  for (const IntegerPart &part : parts) {
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
    const SmallVector<IntegerPart, 4> parts = parts_of(*load);
    if (none_of(parts, is_to_split))
      continue;
    split(*load, parts);
    for (const IntegerPart &part : parts)
      replaced.emplace_back(part.value);
    changed = true;
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(replaced);
  return changed;
}

} // namespace assay::engine
