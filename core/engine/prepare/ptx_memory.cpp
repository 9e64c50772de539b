// Memory in PTX: loads and stores with their hints and orders, atomic updates, asynchronous copies, fences.

#include "core/engine/prepare/ptx_instructions.hpp"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace assay::engine {
namespace {

bool has(const PtxForm &form, StringRef word) {
  return is_contained(form.others, word);
}

/// Words beside the operation that say nothing of what happens: where the memory is, for the address is generic or
/// that of a pointer, and what caches do.
bool is_hint(StringRef word) {
  return word.starts_with("L1::") || word.starts_with("L2::") ||
         StringSwitch<bool>(word)
             .Cases({"global", "shared", "shared::cta", "local", "const", "weak", "nc"}, true)
             .Cases({"ca", "cg", "cs", "lu", "cv", "wb", "wt", "v2", "v4", "noftz"}, true)
             .Default(false);
}

std::optional<AtomicOrdering> ordering_named(StringRef word) {
  return StringSwitch<std::optional<AtomicOrdering>>(word)
      .Case("relaxed", AtomicOrdering::Monotonic)
      .Case("acquire", AtomicOrdering::Acquire)
      .Case("release", AtomicOrdering::Release)
      .Case("acq_rel", AtomicOrdering::AcquireRelease)
      .Default(std::nullopt);
}

std::optional<StringRef> scope_named(StringRef word) {
  return StringSwitch<std::optional<StringRef>>(word)
      .Case("cta", "block")
      .Case("cluster", "cluster")
      .Case("gpu", "device")
      .Case("sys", "")
      .Default(std::nullopt);
}

struct Order {
  AtomicOrdering ordering = AtomicOrdering::NotAtomic;
  SyncScope::ID scope = SyncScope::System;
  bool is_volatile = false;

  /// Updates that say nothing are relaxed.
  AtomicOrdering of_update() const {
    return ordering == AtomicOrdering::NotAtomic ? AtomicOrdering::Monotonic : ordering;
  }
};

/// Nothing where a word is not known. Where nothing is said, all threads of the device are meant.
std::optional<Order> order_of(const PtxForm &form, LLVMContext &context, ArrayRef<StringRef> operations) {
  Order order;
  StringRef scope = "device";
  for (StringRef word : form.others) {
    if (const auto ordering = ordering_named(word))
      order.ordering = *ordering;
    else if (const auto named = scope_named(word))
      scope = *named;
    else if (word == "volatile" || word == "mmio")
      order.is_volatile = true;
    else if (!is_hint(word) && !is_contained(operations, word))
      return std::nullopt;
  }
  order.is_volatile |= has(form, "cv");
  order.scope = context.getOrInsertSyncScopeID(scope);
  return order;
}

constexpr StringRef updates[] = {"add", "min", "max", "exch", "cas", "and", "or", "xor", "inc", "dec"};

std::optional<AtomicRMWInst::BinOp> update_of(const PtxForm &form, const Type &type) {
  const bool is_signed = form.types.front().starts_with("s"), is_number = type.isFPOrFPVectorTy();
  using Result = std::optional<AtomicRMWInst::BinOp>;
  for (StringRef word : form.others)
    if (Result update = is_number ? StringSwitch<Result>(word).Case("add", AtomicRMWInst::FAdd).Default(std::nullopt)
                                  : StringSwitch<Result>(word)
                                        .Case("add", AtomicRMWInst::Add)
                                        .Case("min", is_signed ? AtomicRMWInst::Min : AtomicRMWInst::UMin)
                                        .Case("max", is_signed ? AtomicRMWInst::Max : AtomicRMWInst::UMax)
                                        .Case("exch", AtomicRMWInst::Xchg)
                                        .Case("and", AtomicRMWInst::And)
                                        .Case("or", AtomicRMWInst::Or)
                                        .Case("xor", AtomicRMWInst::Xor)
                                        .Case("inc", AtomicRMWInst::UIncWrap)
                                        .Case("dec", AtomicRMWInst::UDecWrap)
                                        .Default(std::nullopt))
      return update;
  return std::nullopt;
}

} // namespace

bool is_memory_operation(const PtxForm &form) {
  return StringSwitch<bool>(form.operation)
      .Cases({"ld", "st", "atom", "red", "fence", "membar", "prefetch", "prefetchu"}, true)
      .Case("cp", has(form, "async"))
      .Default(false);
}

bool PtxTranslation::access(const PtxStatement &statement, const PtxForm &form) {
  const StringRef operation = form.operation;
  if (operation.starts_with("prefetch"))
    return true;
  if (operation == "fence" || operation == "membar")
    return order(form);
  if (operation == "cp")
    return copy(statement, form);
  if (operation == "st")
    return store(statement, form);
  if (operation == "red")
    return atomic(statement, form) != nullptr;
  Value *value = operation == "ld" ? load(statement, form) : atomic(statement, form);
  return value && values_.write(statement.operands.front(), value, form.types.front().starts_with("s"));
}

/// Behind a branch. What is read there is the value that the destination had where the guard does not hold.
bool PtxTranslation::access_where_guarded(const PtxStatement &statement, const PtxForm &form) {
  Value *holds = values_.read(*statement.guard, builder_.getInt1Ty());
  if (!holds)
    return false;
  const bool reads = form.operation == "ld" || form.operation == "atom";
  Type *type = reads ? accessed_type(form) : nullptr;
  Value *before = type ? values_.read(statement.operands.front(), type) : nullptr;
  if (reads && !before)
    return false;
  if (statement.is_guard_negated)
    holds = builder_.CreateNot(holds);
  Instruction *end = &*builder_.GetInsertPoint();
  Instruction *inside = SplitBlockAndInsertIfThen(holds, end->getIterator(), false);
  BasicBlock *outside = inside->getParent()->getSinglePredecessor();
  guards_.push_back(outside->getTerminator());
  builder_.SetInsertPoint(inside);
  const bool is_known = access(statement, form);
  Value *value = is_known && reads ? values_.read(statement.operands.front(), type) : nullptr;
  builder_.SetInsertPoint(end);
  if (!is_known || (reads && !value))
    return false;
  if (!reads)
    return true;
  PHINode *phi = PHINode::Create(type, 2, "", end->getParent()->begin());
  phi->addIncoming(value, inside->getParent());
  phi->addIncoming(before, outside);
  return values_.write(statement.operands.front(), phi);
}

void PtxTranslation::close_guards() {
  for (Instruction *guard : guards_)
    cast<BranchInst>(guard)->setCondition(builder_.getFalse());
}

/// Fences of weaker orders are the full one.
bool PtxTranslation::order(const PtxForm &form) {
  for (StringRef word : form.others) {
    const auto fence = StringSwitch<Intrinsic::ID>(word)
                           .Case("cta", Intrinsic::nvvm_membar_cta)
                           .Cases({"cluster", "gpu", "gl"}, Intrinsic::nvvm_membar_gl)
                           .Case("sys", Intrinsic::nvvm_membar_sys)
                           .Default(Intrinsic::not_intrinsic);
    if (fence != Intrinsic::not_intrinsic) {
      builder_.CreateIntrinsic(fence, {});
      return true;
    }
    if (word != "sc" && !ordering_named(word))
      return false;
  }
  return false;
}

/// `cp.async.cg.shared.global [to], [from], 16, size;` may take place at once: nobody may look before it is waited for.
/// What is beyond `size` is zero.
bool PtxTranslation::copy(const PtxStatement &statement, const PtxForm &form) {
  if (has(form, "commit_group") || has(form, "wait_group") || has(form, "wait_all"))
    return true;
  if (!all_of(form.others, [](StringRef word) { return word == "async" || is_hint(word); }) ||
      statement.operands.size() < 3 || statement.operands.size() > 4)
    return false;
  Value *to = values_.address(statement.operands[0]), *from = values_.address(statement.operands[1]);
  const auto bytes_of = [&](const auto &operand) -> Value * { // an immediate may have any width
    Value *narrow = values_.read(operand, builder_.getInt32Ty());
    return narrow ? narrow : values_.read(operand, builder_.getInt64Ty());
  };
  const auto *whole = dyn_cast_or_null<ConstantInt>(bytes_of(statement.operands[2]));
  Value *size = bytes_of(statement.operands.back());
  if (!to || !from || !whole || !size)
    return false;
  const Align alignment(whole->getZExtValue());
  const auto *known = dyn_cast<ConstantInt>(size);
  size = builder_.CreateZExtOrTrunc(size, builder_.getInt64Ty());
  builder_.CreateMemCpy(to, alignment, from, alignment, size);
  if (known && known->getZExtValue() >= whole->getZExtValue())
    return true;
  Value *rest = builder_.CreateSub(builder_.getInt64(whole->getZExtValue()), size);
  builder_.CreateMemSet(builder_.CreatePtrAdd(to, size), builder_.getInt8(0), rest, MaybeAlign());
  return true;
}

/// A number, or two or four of them.
Type *PtxTranslation::accessed_type(const PtxForm &form) {
  Type *type = type_of(form);
  const unsigned lanes = has(form, "v2") ? 2 : has(form, "v4") ? 4 : 1;
  if (!type || lanes == 1)
    return type;
  return type->isVectorTy() ? nullptr : FixedVectorType::get(type, lanes);
}

Value *PtxTranslation::load(const PtxStatement &statement, const PtxForm &form) {
  Type *type = accessed_type(form);
  const std::optional<Order> order = order_of(form, builder_.getContext(), {});
  if (!type || !order || statement.operands.size() != 2)
    return nullptr;
  Value *address = values_.address(statement.operands[1]);
  if (!address)
    return nullptr;
  LoadInst *load = builder_.CreateAlignedLoad(type, address, Align(ptx_bits(*type) / 8), order->is_volatile);
  if (order->ordering != AtomicOrdering::NotAtomic)
    load->setAtomic(order->ordering, order->scope);
  return load;
}

bool PtxTranslation::store(const PtxStatement &statement, const PtxForm &form) {
  Type *type = accessed_type(form);
  const std::optional<Order> order = order_of(form, builder_.getContext(), {});
  if (!type || !order || statement.operands.size() != 2)
    return false;
  Value *address = values_.address(statement.operands[0]), *value = values_.read(statement.operands[1], type);
  if (!address || !value)
    return false;
  StoreInst *store = builder_.CreateAlignedStore(value, address, Align(ptx_bits(*type) / 8), order->is_volatile);
  if (order->ordering != AtomicOrdering::NotAtomic)
    store->setAtomic(order->ordering, order->scope);
  return true;
}

/// `atom` gives what was there before, `red` does not.
Value *PtxTranslation::atomic(const PtxStatement &statement, const PtxForm &form) {
  const std::size_t first = form.operation == "atom" ? 1 : 0;
  const bool exchanges = has(form, "cas");
  Type *type = type_of(form);
  if (!type || statement.operands.size() != first + (exchanges ? 3 : 2))
    return nullptr;
  Value *address = values_.address(statement.operands[first]);
  Value *value = values_.read(statement.operands[first + 1], type);
  if (!address || !value)
    return nullptr;
  if (!exchanges)
    return atomic_update(form, address, type, value);
  const std::optional<Order> order = order_of(form, builder_.getContext(), updates);
  Value *wanted = values_.read(statement.operands[first + 2], type);
  if (!order || !wanted || !type->isIntegerTy())
    return nullptr;
  const AtomicOrdering success = order->of_update();
  Value *result = builder_.CreateAtomicCmpXchg(address, value, wanted, Align(ptx_bits(*type) / 8), success,
                                               AtomicCmpXchgInst::getStrongestFailureOrdering(success), order->scope);
  return builder_.CreateExtractValue(result, 0);
}

/// Both numbers of a pair are added on their own, as the instruction does.
Value *PtxTranslation::atomic_update(const PtxForm &form, Value *address, Type *type, Value *value) {
  const std::optional<Order> order = order_of(form, builder_.getContext(), updates);
  const std::optional<AtomicRMWInst::BinOp> update = update_of(form, *type);
  if (!order || !update)
    return nullptr;
  const AtomicOrdering ordering = order->of_update();
  const Align alignment(ptx_bits(*type->getScalarType()) / 8);
  const auto with = [&](Value *to, Value *number) {
    return builder_.CreateAtomicRMW(*update, to, number, alignment, ordering, order->scope);
  };
  const auto *pair = dyn_cast<FixedVectorType>(type);
  if (!pair)
    return with(address, value);
  Value *before = PoisonValue::get(type);
  for (unsigned lane = 0; lane < pair->getNumElements(); ++lane) {
    Value *to = builder_.CreateConstInBoundsGEP1_32(pair->getElementType(), address, lane);
    before = builder_.CreateInsertElement(before, with(to, builder_.CreateExtractElement(value, lane)), lane);
  }
  return before;
}

} // namespace assay::engine
