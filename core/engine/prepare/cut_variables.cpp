#include "core/engine/prepare/cut_variables.hpp"
#include "core/engine/prepare/word_parts.hpp"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// A copy of the rest, and the access of the bytes before it.
struct CutCopy {
  MemTransferInst *rest;
  Instruction *head; ///< A load where the variable is filled, a store where it is copied from.
  Instruction *first;
};

struct CutVariable {
  AllocaInst *rest;
  std::uint64_t head_bytes;
  SmallVector<CutCopy, 4> in, out;
};

std::optional<CutCopy> filled_by(MemTransferInst &copy, const DataLayout &layout) {
  const Place source = place_of(*copy.getRawSource(), layout);
  for (LoadInst *load : loads_before(*copy.getParent(), source)) {
    if (Instruction *first = first_of(*load, copy, may_write))
      return CutCopy{&copy, load, first};
  }
  return std::nullopt;
}

std::optional<CutCopy> emptied_by(MemTransferInst &copy, std::uint64_t size, const DataLayout &layout) {
  const Place target = place_of(*copy.getRawDest(), layout);
  for (StoreInst *store : stores_before(*copy.getParent(), target)) {
    const Place head = place_of(*store->getPointerOperand(), layout);
    const auto touches = [&](const Instruction &between) {
      return may_touch(between, head, size + word_bytes, layout);
    };
    if (Instruction *first = first_of(*store, copy, touches))
      return CutCopy{&copy, store, first};
  }
  return std::nullopt;
}

/// Every use is a copy of the whole, and the part before it is moved along each time.
std::optional<CutVariable> cut_variable(AllocaInst &rest) {
  const DataLayout &layout = rest.getDataLayout();
  if (!rest.isStaticAlloca())
    return std::nullopt;
  CutVariable variable{&rest, 0, {}, {}};
  for (User *user : rest.users()) {
    if (cast<Instruction>(user)->isLifetimeStartOrEnd())
      continue;
    auto *copy = dyn_cast<MemTransferInst>(user);
    const auto *length = copy ? dyn_cast<ConstantInt>(copy->getLength()) : nullptr;
    if (!length || copy->isVolatile() || length->getZExtValue() % word_bytes == 0 ||
        copy->getRawDest() == copy->getRawSource())
      return std::nullopt;
    const bool is_filled = copy->getRawDest() == &rest;
    const auto found = is_filled ? filled_by(*copy, layout) : emptied_by(*copy, length->getZExtValue(), layout);
    if (!found)
      return std::nullopt;
    (is_filled ? variable.in : variable.out).push_back(*found);
  }
  if (variable.in.size() != 1 || variable.out.empty())
    return std::nullopt;
  Instruction &head = *variable.in.front().head;
  variable.head_bytes = bytes_of(head, layout);
  const Value *length = variable.in.front().rest->getLength();
  const auto moves_head = [&](const CutCopy &copy) {
    return copy.head->getOperand(0) == &head && copy.rest->getLength() == length;
  };
  return all_of(variable.out, moves_head) ? std::optional(variable) : std::nullopt;
}

/// The fields of a copy that begins so many bytes earlier, in its first field.
MDNode *fields_from(const MDNode *fields, std::uint64_t head_bytes) {
  if (!fields || fields->getNumOperands() < 3)
    return nullptr;
  SmallVector<Metadata *, 12> shifted;
  for (unsigned index = 0; index < fields->getNumOperands(); ++index) {
    auto *number = index % 3 == 2 ? nullptr : mdconst::dyn_extract_or_null<ConstantInt>(fields->getOperand(index));
    const bool begins = index < 2 ? mdconst::extract<ConstantInt>(fields->getOperand(0))->isZero() : false;
    if (number && (index % 3 == 0 ? !begins : index == 1 && begins)) // later, or longer
      shifted.push_back(
          ConstantAsMetadata::get(ConstantInt::get(number->getType(), number->getZExtValue() + head_bytes)));
    else
      shifted.push_back(fields->getOperand(index));
  }
  return MDNode::get(fields->getContext(), shifted);
}

Value *before(IRBuilderBase &builder, Value &pointer, std::uint64_t bytes) {
  return builder.CreatePtrAdd(&pointer, builder.getInt64(-static_cast<std::int64_t>(bytes)));
}

void rejoin(const CutVariable &variable) {
  const auto *length = cast<ConstantInt>(variable.in.front().rest->getLength());
  const std::uint64_t bytes = length->getZExtValue() + variable.head_bytes;
  IRBuilder<> builder(variable.rest);
  AllocaInst *whole =
      builder.CreateAlloca(ArrayType::get(builder.getInt8Ty(), bytes), nullptr, variable.rest->getName());
  whole->setAlignment(Align(word_bytes));
  const auto copy_whole = [&](const CutCopy &copy, bool is_filled) {
    Instruction *last = copy.first == copy.rest ? copy.head : copy.rest;
    builder.SetInsertPoint(last);
    Value *other =
        before(builder, is_filled ? *copy.rest->getRawSource() : *copy.rest->getRawDest(), variable.head_bytes);
    const Align align = getLoadStoreAlignment(copy.head);
    CallInst *joined = builder.CreateMemCpy(is_filled ? whole : other, is_filled ? whole->getAlign() : align,
                                            is_filled ? other : whole, is_filled ? align : whole->getAlign(), bytes);
    if (MDNode *fields = fields_from(copy.rest->getMetadata(LLVMContext::MD_tbaa_struct), variable.head_bytes))
      joined->setMetadata(LLVMContext::MD_tbaa_struct, fields);
  };
  copy_whole(variable.in.front(), true);
  for (const CutCopy &copy : variable.out)
    copy_whole(copy, false);
  for (const CutCopy &copy : variable.out)
    copy.head->eraseFromParent();
  for (User *user : make_early_inc_range(variable.rest->users()))
    cast<Instruction>(user)->eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructions(variable.in.front().head);
  variable.rest->eraseFromParent();
}

} // namespace

bool rejoin_cut_variables(Function &function) {
  if (!function.getDataLayout().isLittleEndian())
    return false;
  SmallVector<CutVariable, 4> variables;
  for (Instruction &instruction : instructions(function))
    if (auto *allocation = dyn_cast<AllocaInst>(&instruction))
      if (auto variable = cut_variable(*allocation))
        variables.push_back(std::move(*variable));
  for (const CutVariable &variable : variables)
    rejoin(variable);
  return !variables.empty();
}

} // namespace assay::engine
