#include "core/engine/prepare/retype_bytes.hpp"
#include "core/engine/analysis/computed_bits.hpp"
#include "core/engine/prepare/number_bytes.hpp"
#include "core/engine/prepare/retype_words.hpp"
#include "core/engine/support/device_target.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr std::uint64_t address_size = 8, most_fields = 4096;
constexpr unsigned narrowest_number = 32; // bits

/// Among so many bytes; less than one has none that is an address by itself.
bool has_addresses(const TypeAnalysis &types, const Value &pointer, std::optional<std::uint64_t> size) {
  if (!size || *size > most_fields)
    return types.summarize(pointer).pointers;
  return *size >= address_size && any_of(types.seen_fields(pointer, *size), [](const TypedField &field) {
    return field.type.kind == ByteKind::pointer || field.may_be_pointer;
  });
}

std::optional<std::uint64_t> constant_length(const MemTransferInst &transfer) {
  const auto *length = dyn_cast<ConstantInt>(transfer.getLength());
  return length ? std::optional(length->getZExtValue()) : std::nullopt;
}

bool is_told(const MemTransferInst &transfer) {
  const std::optional<MemoryKind> kind = memory_kind(transfer);
  return kind && kind->content != MemoryContent::none;
}

/// Into memory of which all is known to be numbers: what is read as one is one, and has an adjoint that can be added.
bool reads_numbers(const MemTransferInst &transfer, const TypeAnalysis &types) {
  const std::optional<std::uint64_t> size = constant_length(transfer);
  if (!size || *size > most_fields || types.holds_parts(*transfer.getRawDest()))
    return false;
  std::uint64_t covered = 0;
  for (const TypedField &field : types.fields(*transfer.getRawDest(), *size)) {
    if (static_cast<std::uint64_t>(field.offset) != covered || field.type.kind != ByteKind::floating)
      return false;
    covered += types.layout().getTypeStoreSize(field.type.floating);
  }
  return covered == *size;
}

bool moves_parts(const MemTransferInst &transfer, const TypeAnalysis &types) {
  return !transfer.isVolatile() && !is_told(transfer) && types.holds_parts(*transfer.getRawSource()) &&
         !reads_numbers(transfer, types) &&
         !has_addresses(types, *transfer.getRawSource(), constant_length(transfer)) &&
         !has_addresses(types, *transfer.getRawDest(), constant_length(transfer));
}

/// Less than any number that is moved out of one, or whatever is moved out of memory that holds parts.
bool reads_parts(const LoadInst &load, const TypeAnalysis &types) {
  const Value &place = *load.getPointerOperand();
  const std::uint64_t bits = load.getType()->getPrimitiveSizeInBits();
  return types.holds_parts(place) || (bits < narrowest_number && bits % 8 == 0 && types.is_within_floating(place));
}

bool moves_parts(LoadInst &load, const TypeAnalysis &types) {
  const std::uint64_t size = load.getType()->getPrimitiveSizeInBits() / 8;
  if (!load.isSimple() || !load.getType()->isIntOrIntVectorTy() || types.of(load).kind == ByteKind::floating ||
      !reads_parts(load, types) || has_addresses(types, *load.getPointerOperand(), size))
    return false;
  const auto stores = stores_of(load);
  return !stores.empty() && none_of(stores, [&](const StoreInst *store) {
    return has_addresses(types, *store->getPointerOperand(), size);
  });
}

/// A number that is loaded as an integer of its size, of which parts are taken.
Type *cut_number(const LoadInst &load, const TypeAnalysis &types) {
  if (!load.isSimple() || !load.getType()->isIntegerTy() ||
      none_of(load.users(), [](const User *user) { return isa<TruncInst, BinaryOperator, IntrinsicInst>(user); }))
    return nullptr;
  const BasicType type = types.of(load);
  const bool is_whole = type.kind == ByteKind::floating &&
                        (type.floating->isFloatTy() || type.floating->isDoubleTy()) &&
                        type.floating->getPrimitiveSizeInBits() == load.getType()->getPrimitiveSizeInBits();
  return is_whole ? type.floating : nullptr;
}

/// A part that comes from one place or another: a copy has no phi, memory that each copies to has.
bool moves_parts(const PHINode &phi, const TypeAnalysis &types) {
  const auto is_part = [&](const Use &use) {
    const auto *load = dyn_cast<LoadInst>(use);
    return load && load->isSimple() && reads_parts(*load, types);
  };
  return phi.getType()->isIntegerTy() && phi.getType()->getIntegerBitWidth() <= narrowest_number &&
         any_of(phi.incoming_values(), is_part) &&
         any_of(phi.users(), [](const User *user) { return isa<StoreInst, PHINode>(user); });
}

bool keep_parts_in_memory(Function &function, const TypeAnalysis &types) {
  SmallVector<PHINode *, 4> phis;
  for (Instruction &instruction : instructions(function))
    if (auto *phi = dyn_cast<PHINode>(&instruction); phi && moves_parts(*phi, types))
      phis.push_back(phi);
  for (PHINode *phi : phis)
    DemotePHIToStack(phi, function.getEntryBlock().getFirstInsertionPt());
  return !phis.empty();
}

/// As the bits of a number, of which others are known to be parts.
bool load_cut_numbers(Function &function, const TypeAnalysis &types) {
  SmallVector<std::pair<LoadInst *, Type *>, 8> loads;
  for (Instruction &instruction : instructions(function))
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      if (Type *number = cut_number(*load, types))
        loads.push_back({load, number});
  for (auto [load, number] : loads) {
    IRBuilder<> builder(load);
    auto *loaded = builder.CreateAlignedLoad(number, load->getPointerOperand(), load->getAlign());
    loaded->copyMetadata(*load, {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope, LLVMContext::MD_noalias});
    load->replaceAllUsesWith(builder.CreateBitCast(loaded, load->getType()));
    load->eraseFromParent();
  }
  return !loads.empty();
}

/// The type of the number that is read where an integer is stored which was computed from a number's bits, such as one
/// with flags in its last bits.
Type *number_behind(const StoreInst &store, const TypeAnalysis &types) {
  const Value &stored = *store.getValueOperand();
  if (!store.isSimple() || !isa<BinaryOperator>(stored) || !stored.getType()->isIntegerTy())
    return nullptr;
  const ComputedBits bits = computed_bits(stored);
  const auto *number = find_if(bits.numbers, [&](const Value *found) {
    return found->getType()->getPrimitiveSizeInBits() == stored.getType()->getPrimitiveSizeInBits();
  });
  const auto fields = types.seen_fields(*store.getPointerOperand(), types.layout().getTypeStoreSize(stored.getType()));
  const bool is_read_as_number =
      !fields.empty() && (fields.front().type.kind == ByteKind::floating || fields.front().may_be_floating);
  return number != bits.numbers.end() && is_read_as_number ? (*number)->getType() : nullptr;
}

/// As the number that these bits are.
bool store_computed_numbers(Function &function, const TypeAnalysis &types) {
  bool changed = false;
  for (Instruction &instruction : instructions(function))
    if (auto *store = dyn_cast<StoreInst>(&instruction))
      if (Type *number = number_behind(*store, types)) {
        store->setOperand(0, IRBuilder<>(store).CreateBitCast(store->getValueOperand(), number));
        changed = true;
      }
  return changed;
}

} // namespace

bool retype_bytes(Function &function, const TypeAnalysis &types) {
  if (is_device_code(*function.getParent()))
    return false;
  if (load_cut_numbers(function, types)) {
    move_bytes_of_numbers(function);
    return true;
  }
  if (store_computed_numbers(function, types) || keep_parts_in_memory(function, types))
    return true;
  SmallVector<MemTransferInst *, 8> transfers;
  SmallVector<LoadInst *, 8> loads;
  for (Instruction &instruction : instructions(function))
    if (auto *transfer = dyn_cast<MemTransferInst>(&instruction); transfer && moves_parts(*transfer, types))
      transfers.push_back(transfer);
    else if (auto *load = dyn_cast<LoadInst>(&instruction); load && moves_parts(*load, types))
      loads.push_back(load);
  const MemoryKind parts{MemoryContent::bytes};
  for (MemTransferInst *transfer : transfers)
    set_memory_kind(*transfer, parts);
  for (LoadInst *load : loads)
    move_as_words(*load, stores_of(*load), parts);
  return !transfers.empty() || !loads.empty();
}

} // namespace assay::engine
