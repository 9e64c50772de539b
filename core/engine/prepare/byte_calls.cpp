#include "core/engine/prepare/byte_calls.hpp"
#include "core/engine/analysis/number_parts.hpp"
#include "core/engine/prepare/byte_pieces.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace assay::engine {

constexpr unsigned bits_of_byte = 8;

bool is_part_of_number(const Type &type) {
  return type.isIntegerTy(bits_of_byte) || type.isIntegerTy(2 * bits_of_byte);
}

namespace {

bool cuts_number(Instruction &instruction) {
  if (isa<TruncInst>(instruction) && is_part_of_number(*instruction.getType()))
    return chosen_byte(instruction) || has_bytes_of_number(byte_pieces(instruction));
  const auto *copy = dyn_cast<MemTransferInst>(&instruction);
  return copy && copies_parts_of_numbers(*copy);
}

/// The address of any byte behind a pointer, or of one within so many.
bool is_address_within(const User &user, std::uint64_t bytes) {
  const auto *element = dyn_cast<GetElementPtrInst>(&user);
  if (!element || !element->getSourceElementType()->isIntegerTy(bits_of_byte))
    return false;
  const auto *index = dyn_cast<ConstantInt>(element->getOperand(1));
  return !index || (!index->isZero() && index->getValue().ult(bytes));
}

/// A number is stored where its bytes are looked at one by one.
bool is_seen_in_bytes(const Instruction &instruction) {
  const auto *store = dyn_cast<StoreInst>(&instruction);
  const auto *place = store ? dyn_cast<AllocaInst>(store->getPointerOperand()) : nullptr;
  return place && store->getValueOperand()->getType()->isFloatingPointTy() &&
         any_of(place->users(),
                [&](const User *user) { return is_address_within(*user, bytes_of(*store->getValueOperand())); });
}

bool joins_bytes(Instruction &instruction) {
  const auto *root = dyn_cast<BitCastInst>(&instruction);
  return root && root->getType()->isFloatingPointTy() && root->getOperand(0)->getType()->isIntegerTy() &&
         count_if(byte_pieces(*root->getOperand(0)),
                  [](const BytePiece &piece) { return piece.kind == BytePiece::Kind::memory && piece.byte == 0; }) > 1;
}

/// A byte that a call gives is put beside others.
bool joins_result(const Instruction &instruction) {
  return isa<CallBase>(instruction) && is_part_of_number(*instruction.getType()) &&
         any_of(instruction.users(), [](const User *user) {
           return isa<ZExtInst>(user) && any_of(user->users(), [](const User *sum) {
                    return is_contained({Instruction::Shl, Instruction::Or, Instruction::Add},
                                        cast<Instruction>(sum)->getOpcode());
                  });
         });
}

bool is_moved_byte(const Value &value) {
  const auto *load = dyn_cast<LoadInst>(&value);
  return is_part_of_number(*value.getType()) && (isa<Argument>(value) || (load && load->isSimple()));
}

} // namespace

bool handles_bytes_of_numbers(Function &function) {
  return any_of(instructions(function), [](Instruction &instruction) {
    return cuts_number(instruction) || is_seen_in_bytes(instruction) || joins_bytes(instruction) ||
           joins_result(instruction);
  });
}

bool moves_single_bytes(const Function &function) {
  return any_of(instructions(function), [](const Instruction &instruction) {
    return isa<StoreInst, ReturnInst>(instruction) && instruction.getNumOperands() > 0 &&
           is_moved_byte(*instruction.getOperand(0));
  });
}

} // namespace assay::engine
