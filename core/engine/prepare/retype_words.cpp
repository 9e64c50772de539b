#include "core/engine/prepare/retype_words.hpp"
#include "core/engine/analysis/copy_reads.hpp"
#include "core/engine/analysis/integer_provenance.hpp"
#include "core/engine/analysis/memory_classes.hpp"
#include "core/engine/analysis/tbaa_types.hpp"
#include "core/engine/analysis/units.hpp"
#include "core/engine/analysis/uses_only_double.hpp"
#include "core/engine/prepare/joined_words.hpp"
#include "core/engine/prepare/words.hpp"
#include "core/engine/support/device_target.hpp"
#include "core/engine/support/type_options.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr unsigned half_word_bits = 32;

MemoryKind words_of_doubles(const Module &module) {
  return {MemoryContent::words, Type::getDoubleTy(module.getContext())};
}

/// The words where more may be than is seen.
MemoryKind any_words(const Module &module) {
  if (uses_only_double(module))
    return words_of_doubles(module);
  return {MemoryContent::words, uses_only_float(module) ? Type::getFloatTy(module.getContext()) : nullptr};
}

bool are_doubles(const MemoryKind &words) {
  return words.floating && words.floating->isDoubleTy();
}

/// Where no float was seen in an upper half, one is told from a double by the zeros there.
MemoryKind told_by_halves(MemoryKind words, const TypeAnalysis &types, ArrayRef<const Value *> pointers,
                          std::optional<std::uint64_t> size) {
  words.halves_tell =
      !words.floating && none_of(pointers, [&](const Value *pointer) { return types.may_hold_pairs(*pointer, size); });
  return words;
}

} // namespace

std::optional<MemoryKind> words_behind(const TypeAnalysis &types, ArrayRef<const Value *> pointers,
                                       std::optional<std::uint64_t> size, const Module &module) {
  MemoryWords found = MemoryWords::unknown;
  for (const Value *pointer : pointers)
    found = joined(found, types.words(*pointer, size));
  const MemoryKind any = any_words(module);
  switch (found) {
  case MemoryWords::unknown:
    return are_doubles(any) ? std::optional(any) : std::nullopt;
  case MemoryWords::plain:
    return any;
  case MemoryWords::doubles:
    return words_of_doubles(module);
  case MemoryWords::floats:
    return MemoryKind{MemoryContent::words, Type::getFloatTy(module.getContext())};
  case MemoryWords::either:
    return told_by_halves(any, types, pointers, size);
  case MemoryWords::others:
    return std::nullopt;
  }
  return std::nullopt;
}

namespace {

/// Pointers are all that is seen in [0, size) behind both, or what is seen may be of something else, and not all is
/// seen. Where objects of several kinds are one, a pointer that is seen beside doubles may be of another kind, too.
bool may_hold_more(const TypeAnalysis &types, const Value &one, const Value &other, std::optional<std::uint64_t> size) {
  const MemoryWords found = joined(types.words(one, size), types.words(other, size));
  const bool has_doubles =
      found == MemoryWords::doubles && (types.may_begin_anywhere(one) || types.may_begin_anywhere(other));
  if ((found != MemoryWords::plain && !has_doubles) || !types.is_open(one) || !types.is_open(other))
    return false;
  const auto has_pointers = [&](const Value &pointer) {
    if (!size || *size > most_single_bytes)
      return types.summarize(pointer).pointers;
    return any_of(types.fields(pointer, *size),
                  [](const TypedField &field) { return field.type.kind == ByteKind::pointer; });
  };
  return has_pointers(one) || has_pointers(other) || types.is_mixture(one) || types.is_mixture(other);
}

/// A number or an address is seen to begin where a word would begin that is counted from `pointer`.
bool has_word_at_start(const TypeAnalysis &types, const Value &pointer, std::uint64_t length) {
  return any_of(types.fields(pointer, length), [](const TypedField &field) {
    return (field.type.kind == ByteKind::floating || field.type.kind == ByteKind::pointer) &&
           static_cast<std::uint64_t>(field.offset) % word_size == 0;
  });
}

/// A piece of a struct that begins with half a word: the alignment says so. Where the numbers may be floats, the half
/// word may be one, too; and packed structs align their words like that.
bool begins_within_word(const MemTransferInst &transfer, const TypeAnalysis &types, const MemoryKind &words,
                        std::uint64_t length) {
  constexpr std::uint64_t half_word = word_size / 2;
  return are_doubles(words) && length > word_size &&
         std::min(transfer.getDestAlign().valueOrOne(), transfer.getSourceAlign().valueOrOne()) == Align(half_word) &&
         !has_word_at_start(types, *transfer.getRawDest(), length) &&
         !has_word_at_start(types, *transfer.getRawSource(), length);
}

/// The half word, which is no number of its own, is copied before the words.
void split_at_word(MemTransferInst &transfer, const MemoryKind &words, std::uint64_t length) {
  constexpr std::uint64_t half_word = word_size / 2;
  IRBuilder<> builder(&transfer);
  const auto move = [&](std::uint64_t offset, std::uint64_t size, MemoryKind kind) {
    const Align align(half_word);
    Value *target = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), transfer.getRawDest(), offset);
    Value *source = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), transfer.getRawSource(), offset);
    set_memory_kind(*cast<MemIntrinsic>(builder.CreateMemCpy(target, align, source, align, size)), kind);
  };
  move(0, half_word, {MemoryContent::none, nullptr});
  move(half_word, length - half_word, words);
  transfer.eraseFromParent();
}

bool begins_object(const Value &pointer) {
  return isa<AllocaInst>(pointer) || isNoAliasCall(&pointer);
}

/// The alignment of what is copied by its type, which clang gives the copy. The alignment of a piece of a constant
/// length is that of its offset, unless it begins where an object does.
std::optional<Align> alignment_by_type(const MemIntrinsic &intrinsic) {
  const auto *transfer = dyn_cast<MemTransferInst>(&intrinsic);
  if (!transfer || transfer->getDestAlign() != transfer->getSourceAlign())
    return std::nullopt;
  const bool may_be_piece = isa<ConstantInt>(transfer->getLength()) && !begins_object(*transfer->getRawDest()) &&
                            !begins_object(*transfer->getRawSource());
  return may_be_piece ? std::nullopt : transfer->getDestAlign();
}

/// Where it is not known what is copied, its alignment tells: what is aligned to half a word holds no double and no
/// address. What is aligned to a word may be any of it, which the words tell when the program runs.
std::optional<MemoryKind> told_by_alignment(const MemIntrinsic &intrinsic, std::optional<MemoryKind> words,
                                            const TypeAnalysis &types) {
  const Module &module = *intrinsic.getModule();
  Type *wide = Type::getDoubleTy(module.getContext());
  const std::optional<Align> alignment = alignment_by_type(intrinsic);
  if ((words && words->floating) || !alignment || !uses_only_float_and_double(module) ||
      types.layout().getABITypeAlign(wide) != Align(word_size))
    return words;
  if (*alignment == Align(word_size / 2))
    return MemoryKind{MemoryContent::words, Type::getFloatTy(module.getContext())};
  return !words && *alignment == Align(word_size) ? std::optional(MemoryKind{MemoryContent::words, nullptr}) : words;
}

/// Where numbers of several kinds may be copied, those count that are read of the copy, if all that is read of it is
/// seen.
std::optional<MemoryKind> told_by_reads(const MemIntrinsic &intrinsic, std::optional<MemoryKind> words) {
  if (!isa<MemTransferInst>(intrinsic) || (words && words->floating))
    return words;
  const auto reads = reads_of_copy(*intrinsic.getRawDest(), intrinsic.getDataLayout());
  Type *type = reads ? only_type(*reads) : nullptr;
  return type ? MemoryKind{MemoryContent::words, type} : words;
}

/// Where nothing is known of bytes of any number and alignment, in memory of which single bytes are read or written as
/// well, they are moved one by one, unless their type is guessed.
std::optional<MemoryKind> as_bytes(const MemIntrinsic &intrinsic, const TypeAnalysis &types) {
  const auto *transfer = dyn_cast<MemTransferInst>(&intrinsic);
  if (!transfer || !copies_unaligned_bytes(*transfer) || type_options().loose || is_device_code(intrinsic))
    return std::nullopt;
  const std::array<const Value *, 2> pointers = {transfer->getRawDest(), transfer->getRawSource()};
  const bool has_bytes = any_of(pointers, [&](const Value *pointer) { return types.has_single_bytes(*pointer); });
  const bool has_addresses = any_of(pointers, [&](const Value *pointer) { return types.summarize(*pointer).pointers; });
  return has_bytes && !has_addresses ? std::optional(MemoryKind{MemoryContent::bytes}) : std::nullopt;
}

/// Whatever byte a fill writes: there is no pointer afterwards, and no number with a derivative.
void retype(MemIntrinsic &intrinsic, const TypeAnalysis &types) {
  if (intrinsic.isVolatile() || memory_kind(intrinsic))
    return;
  SmallVector<const Value *, 2> pointers{intrinsic.getRawDest()};
  if (const auto *transfer = dyn_cast<MemTransferInst>(&intrinsic))
    pointers.push_back(transfer->getRawSource());
  const auto *length = dyn_cast<ConstantInt>(intrinsic.getLength());
  const std::optional<std::uint64_t> size = length ? std::optional(length->getZExtValue()) : std::nullopt;
  std::optional<MemoryKind> words = told_by_reads(
      intrinsic, told_by_alignment(intrinsic, words_behind(types, pointers, size, *intrinsic.getModule()), types));
  if (!words)
    words = as_bytes(intrinsic, types);
  if (!words)
    return;
  auto *copy = dyn_cast<MemCpyInst>(&intrinsic); // whose parts do not overlap
  if (copy && size && begins_within_word(*copy, types, *words, *size))
    split_at_word(*copy, *words, *size);
  else
    set_memory_kind(intrinsic, *words);
}

/// An address that the optimiser made of a word, as unions of addresses and numbers are copied, is one as well.
bool is_word_as_address(const Value &value, const DataLayout &layout) {
  return value.getType()->isPointerTy() && size_of(value, layout) == word_size;
}

bool is_row_of_words(const Value &value, const DataLayout &layout) {
  return value.getType()->isIntOrIntVectorTy() && !value.getType()->isScalableTy() &&
         size_of(value, layout) % word_size == 0;
}

} // namespace

SmallVector<StoreInst *, 2> stores_of(LoadInst &load) {
  SmallVector<StoreInst *, 2> stores;
  for (const Use &use : load.uses())
    if (auto *store = dyn_cast<StoreInst>(use.getUser()); store && store->isSimple() && use.getOperandNo() == 0)
      stores.push_back(store);
  return stores;
}

/// The move goes by way of stack memory, since what is between load and store may change either place.
void move_as_words(LoadInst &load, ArrayRef<StoreInst *> stores, MemoryKind words) {
  const std::uint64_t size = size_of(load, load.getDataLayout());
  BasicBlock &entry = load.getFunction()->getEntryBlock();
  IRBuilder<> builder(&entry, entry.getFirstInsertionPt());
  AllocaInst *between = builder.CreateAlloca(load.getType(), nullptr, "words");
  between->setAlignment(Align(word_size));
  builder.SetInsertPoint(&load);
  const auto move = [&](Value *target, Align target_align, Value *source, Align source_align) {
    set_memory_kind(*cast<MemIntrinsic>(builder.CreateMemCpy(target, target_align, source, source_align, size)), words);
  };
  move(between, between->getAlign(), load.getPointerOperand(), load.getAlign());
  for (StoreInst *store : stores) {
    builder.SetInsertPoint(store);
    move(store->getPointerOperand(), store->getAlign(), between, between->getAlign());
    store->eraseFromParent();
  }
  if (load.use_empty())
    load.eraseFromParent();
}

namespace {

/// The address's bits as an integer, which is only stored.
bool is_moved_integer(const User &user) {
  return isa<PtrToIntInst>(user) && user.getType()->isIntegerTy(word_size * 8) && !user.use_empty() &&
         all_of(user.uses(), [](const Use &use) {
           const auto *store = dyn_cast<StoreInst>(use.getUser());
           return store && store->isSimple() && use.getOperandNo() == 0;
         });
}

/// Stores of the integer alone, which is loaded as an address because its variable has one at other times.
SmallVector<Instruction *, 2> moved_integers(LoadInst &load) {
  SmallVector<Instruction *, 2> found;
  for (User *user : load.users())
    if (is_moved_integer(*user))
      found.push_back(cast<Instruction>(user));
  return found;
}

bool may_hold_number(const Value &place, const TypeAnalysis &types) {
  return stands_for_joined_word(place) || holds_numbers(types.words(place, word_size));
}

/// What is loaded as an address and only stored again, perhaps as an integer, may be a number where the memory holds
/// numbers as well.
void retype_address(LoadInst &load, const TypeAnalysis &types) {
  const SmallVector<Instruction *, 2> integers = moved_integers(load);
  SmallVector<StoreInst *, 2> stores = stores_of(load);
  const bool is_only_stored = load.hasNUses(stores.size() + integers.size()); // else it is used as an address, at times
  for (Instruction *integer : integers)
    for (User *store : integer->users())
      stores.push_back(cast<StoreInst>(store));
  if (!load.isSimple() || stores.empty())
    return;
  SmallVector<const Value *, 4> places{load.getPointerOperand()};
  for (const StoreInst *store : stores)
    places.push_back(store->getPointerOperand());
  if (none_of(places, [&](const Value *place) {
        return is_only_stored ? may_hold_number(*place, types)
                              : types.is_number_or_address(*place) || stands_for_joined_word(*place);
      }))
    return;
  const auto words = words_behind(types, places, word_size, *load.getModule());
  if (!words)
    return;
  for (Instruction *integer : integers) {
    for (Use &use : make_early_inc_range(integer->uses()))
      use.set(&load);
    integer->eraseFromParent();
  }
  move_as_words(load, stores, *words);
}

/// A half word that is only copied, at an offset where other objects of the same memory class have an address, is an
/// integer or a float: the words themselves tell when the program runs.
void retype_half_word(LoadInst &load, const TypeAnalysis &types) {
  const SmallVector<StoreInst *, 2> stores = stores_of(load);
  MemoryKind words = any_words(*load.getModule());
  const auto may_hold_either = [&](const Value &place) {
    return types.may_hold_half_words(place) || has_floats(types.words(place, word_size / 2));
  };
  const auto may_be_either = [&](const StoreInst *store) {
    return may_hold_either(*load.getPointerOperand()) || may_hold_either(*store->getPointerOperand());
  };
  if (are_doubles(words) || !load.isSimple() || load.hasMetadata(integer_metadata) || !load.hasNUses(stores.size()) ||
      !(types.of(load).kind == ByteKind::unknown || types.is_only_hinted(load)) || none_of(stores, may_be_either))
    return;
  words.halves_tell = !words.floating;
  move_as_words(load, stores, words);
}

void retype(LoadInst &load, const TypeAnalysis &types) {
  if (is_word_as_address(load, types.layout()))
    return retype_address(load, types);
  if (load.getType()->isIntegerTy(half_word_bits))
    return retype_half_word(load, types);
  if (!load.isSimple() || !is_row_of_words(load, types.layout()) || load.hasMetadata(integer_metadata))
    return;
  const SmallVector<StoreInst *, 2> stores = stores_of(load);
  SmallVector<const Value *, 4> pointers{load.getPointerOperand()};
  for (const StoreInst *store : stores)
    pointers.push_back(store->getPointerOperand());
  const ByteKind kind = types.of(load).kind;
  const bool is_hinted = types.is_only_hinted(load);
  const auto is_either = [&](const Value *place) {
    return types.is_number_or_address(*place) || may_hold_number(*place, types);
  };
  const bool is_joined = any_of(pointers, [](const Value *place) { return stands_for_joined_word(*place); });
  const bool is_known = kind != ByteKind::unknown && !is_hinted;
  if (is_known && !(kind == ByteKind::pointer && any_of(pointers, is_either)) && // an address when it is used as one
      !is_joined)
    return;
  const std::uint64_t size = size_of(load, types.layout());
  const auto has_numbers = [&](const Value *place) { return holds_numbers(types.words(*place, size)); };
  const bool is_named_integer = is_hinted && kind != ByteKind::unknown;
  if (stores.empty() || (is_named_integer && !is_joined && none_of(pointers, has_numbers)))
    return;
  if (const auto words = words_behind(types, pointers, size, *load.getModule()))
    move_as_words(load, stores, *words);
}

void retype(StoreInst &store, const TypeAnalysis &types) {
  const auto *zero = dyn_cast<Constant>(store.getValueOperand());
  if (!zero || !zero->isNullValue() || !store.isSimple() || !is_row_of_words(*zero, types.layout()))
    return;
  const std::uint64_t size = size_of(*zero, types.layout());
  const auto words = words_behind(types, {store.getPointerOperand()}, size, *store.getModule());
  if (!words || types.words(*store.getPointerOperand(), size) == MemoryWords::plain)
    return;
  IRBuilder<> builder(&store);
  set_memory_kind(
      *cast<MemIntrinsic>(builder.CreateMemSet(store.getPointerOperand(), builder.getInt8(0), size, store.getAlign())),
      *words);
  store.eraseFromParent();
}

void retype_open(MemTransferInst &transfer, const TypeAnalysis &types, MemoryKind words) {
  const auto *length = dyn_cast<ConstantInt>(transfer.getLength());
  const std::optional<std::uint64_t> size = length ? std::optional(length->getZExtValue()) : std::nullopt;
  const std::uint64_t unit = are_doubles(words) ? word_size : word_size / 2;
  if (!transfer.isVolatile() && size.value_or(0) % unit == 0 &&
      may_hold_more(types, *transfer.getRawDest(), *transfer.getRawSource(), size))
    set_memory_kind(transfer, words);
}

void retype_open(LoadInst &load, const TypeAnalysis &types, MemoryKind words) {
  if (!load.isSimple() || !is_row_of_words(load, types.layout()) || tagged_type(load).kind != ByteKind::unknown)
    return;
  const SmallVector<StoreInst *, 2> stores = stores_of(load);
  const std::uint64_t size = size_of(load, types.layout());
  if (!stores.empty() && load.hasNUses(stores.size()) && all_of(stores, [&](const StoreInst *store) {
        return may_hold_more(types, *load.getPointerOperand(), *store->getPointerOperand(), size);
      }))
    move_as_words(load, stores, words);
}

} // namespace

void retype_open_words(Function &function, const TypeAnalysis &types) {
  const MemoryKind words = any_words(*function.getParent());
  SmallVector<Instruction *, 16> moves;
  for (Instruction &instruction : instructions(function))
    if (isa<MemTransferInst, LoadInst>(instruction))
      moves.push_back(&instruction);
  for (Instruction *move : moves)
    if (auto *transfer = dyn_cast<MemTransferInst>(move))
      retype_open(*transfer, types, words);
    else if (auto *load = dyn_cast<LoadInst>(move))
      retype_open(*load, types, words);
}

void retype_words(Function &function, const TypeAnalysis &types) {
  SmallVector<WeakTrackingVH, 16> moves;
  for (Instruction &instruction : instructions(function))
    if (isa<MemIntrinsic, LoadInst, StoreInst>(instruction))
      moves.emplace_back(&instruction);
  for (const WeakTrackingVH &move : moves) {
    if (auto *intrinsic = dyn_cast_or_null<MemIntrinsic>(move))
      retype(*intrinsic, types);
    else if (auto *load = dyn_cast_or_null<LoadInst>(move))
      retype(*load, types);
    else if (auto *store = dyn_cast_or_null<StoreInst>(move))
      retype(*store, types);
  }
}

} // namespace assay::engine
