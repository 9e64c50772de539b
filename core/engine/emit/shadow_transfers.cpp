#include "core/engine/emit/shadow_transfers.hpp"
#include "core/engine/emit/address_log.hpp"
#include "core/engine/emit/debug_info.hpp"
#include "core/engine/emit/shadow_alignment.hpp"
#include "core/engine/prepare/retype.hpp"
#include "core/engine/prepare/words.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "core/engine/support/library_bodies.hpp"
#include "core/engine/support/memory_calls.hpp"

using namespace llvm;

namespace assay::engine {

namespace {

/// What are pointers is told by the primal's words, before they are moved.
Error move_words(ForwardSweep &sweep, const MemIntrinsic &intrinsic) {
  auto *primal = cast<Instruction>(sweep.primal(&intrinsic));
  IRBuilder<> builder(primal);
  Value *bytes = builder.CreateZExtOrTrunc(primal->getOperand(2), builder.getInt64Ty());
  Expected<Lanes> target = shadow_of(sweep, intrinsic.getRawDest(), intrinsic);
  if (!target)
    return target.takeError();
  Lanes source(sweep.width, nullptr);
  if (const auto *transfer = dyn_cast<MemTransferInst>(&intrinsic)) {
    const Value *from = transfer->getRawSource();
    Expected<Lanes> shadow = sweep.activity.has_shadow(*from) ? shadow_of(sweep, from, intrinsic)
                                                              : Expected<Lanes>(Lanes(sweep.width, sweep.primal(from)));
    if (!shadow)
      return shadow.takeError();
    source = *shadow;
  }
  const Type *number = memory_kind(intrinsic)->floating;
  const bool are_doubles = number && number->isDoubleTy();
  for (unsigned lane = 0; lane < sweep.width; ++lane) {
    Value *length =
        unless_own_shadow(sweep, builder, (*target)[lane], primal->getOperand(0), builder.getInt64(0), bytes);
    note_address_change(sweep, builder, (*target)[lane], length, Beside::numbers);
    if (source[lane])
      builder.CreateCall(
          library_helper(sweep.engine.module(), are_doubles ? "assay.words.moved" : "assay.words.moved.float"),
          {(*target)[lane], source[lane], length, primal->getOperand(1)});
    else
      builder.CreateCall(
          library_helper(sweep.engine.module(), are_doubles ? "assay.words.cleared" : "assay.words.cleared.float"),
          {(*target)[lane], length});
  }
  return Error::success();
}

} // namespace

/// Words that may be addresses are aligned, wherever in one the access begins: what it is counted from need not tell.
Value *first_of_words(IRBuilder<> &builder, Value *shadow, const StaleWords &words) {
  if (!words.are_aligned)
    return shadow;
  constexpr std::int64_t word_size = 8;
  Value *mask = builder.getInt64(static_cast<std::uint64_t>(-word_size));
  return builder.CreateIntrinsic(Intrinsic::ptrmask, {shadow->getType(), mask->getType()}, {shadow, mask});
}

Value *bytes_of_words(IRBuilder<> &builder, Value *shadow, const StaleWords &words, Align alignment) {
  const Align half_word(4);
  Value *bytes = builder.getInt64(words.bytes);
  if (!words.are_aligned || alignment >= half_word)
    return bytes;
  Value *address = builder.CreatePtrToInt(shadow, builder.getInt64Ty());
  Value *within = builder.CreateAnd(address, builder.getInt64(half_word.value() - 1));
  return builder.CreateSelect(builder.CreateIsNull(within), bytes, builder.getInt64(0));
}

const char *helper_that_forgets_addresses(const Type &type) {
  return type.getScalarType()->isX86_FP80Ty() ? "assay.words.cleared.extended" : "assay.words.cleared.float";
}

Error forget_overwritten_address(ForwardSweep &sweep, const StoreInst &store) {
  const Value &place = *store.getPointerOperand();
  Type &type = *store.getValueOperand()->getType();
  if (type.getScalarType()->isDoubleTy())
    return Error::success(); // It leaves no half: the reverse sweep finds the whole address.
  const std::optional<StaleWords> words =
      sweep.activity.has_shadow(place) ? words_read_as_floats(sweep.types, store, type) : std::nullopt;
  if (!words)
    return Error::success();
  Expected<Lanes> shadows = shadow_of(sweep, &place, store);
  if (!shadows)
    return shadows.takeError();
  auto *primal = cast<Instruction>(sweep.primal(&store));
  IRBuilder<> builder(primal);
  for (Value *shadow : *shadows) {
    Value *length = unless_own_shadow(sweep, builder, shadow, getLoadStorePointerOperand(primal), builder.getInt64(0),
                                      bytes_of_words(builder, shadow, *words, store.getAlign()));
    Value *first = first_of_words(builder, shadow, *words);
    note_address_change(sweep, builder, first, length, Beside::numbers);
    builder.CreateCall(library_helper(sweep.engine.module(), helper_that_forgets_addresses(type)), {first, length});
  }
  return Error::success();
}

namespace {

Error mirror_transfer(ForwardSweep &sweep, const MemIntrinsic &intrinsic, MemoryContent content) {
  auto *primal = cast<Instruction>(sweep.primal(&intrinsic));
  for (unsigned lane = 0; lane < sweep.width; ++lane) {
    Instruction *copy = copy_for_shadow(*primal);
    for (unsigned index = 0; index < (isa<MemTransferInst>(intrinsic) ? 2u : 1u); ++index) {
      const Value *pointer = intrinsic.getArgOperand(index);
      if (content == MemoryContent::none && !sweep.activity.has_shadow(*pointer))
        continue; // integers are in the shadow as they are in the primal
      Expected<Lanes> shadow = shadow_of(sweep, pointer, intrinsic);
      if (!shadow)
        return shadow.takeError();
      copy->setOperand(index, (*shadow)[lane]);
    }
    IRBuilder<> builder(primal);
    Value *bytes = copy->getOperand(2);
    copy->setOperand(2, unless_own_shadow(sweep, builder, copy->getOperand(0), primal->getOperand(0),
                                          Constant::getNullValue(bytes->getType()), bytes));
    note_address_change(sweep, builder, copy->getOperand(0),
                        builder.CreateZExtOrTrunc(copy->getOperand(2), builder.getInt64Ty()), Beside::nothing);
    copy->insertAfter(primal->getIterator());
    relax_alignment(*copy);
  }
  return Error::success();
}

} // namespace

Error write_transfer(ForwardSweep &sweep, const CallBase &call, const MemoryCall &memory) {
  const Value *target = call.getArgOperand(memory.pointer);
  if (!sweep.activity.has_shadow(*target))
    return Error::success();
  const auto *intrinsic = dyn_cast<MemIntrinsic>(&call);
  const std::optional<MemoryKind> kind = intrinsic ? memory_kind(*intrinsic) : std::nullopt;
  if (!kind)
    return unsupported(call, "the type of the memory that is moved is not known: " + sweep.types.explain(*target),
                       "copy element by element, or use -assay-loose-types");
  if (kind->content == MemoryContent::words)
    return move_words(sweep, *intrinsic);
  if (kind->content == MemoryContent::none && isa<MemTransferInst>(intrinsic) &&
      sweep.engine.function_info().mirrors_integers())
    return mirror_transfer(sweep, *intrinsic, kind->content);
  if (kind->content != MemoryContent::pointer)
    return Error::success();
  return mirror_transfer(sweep, *intrinsic, kind->content);
}

} // namespace assay::engine
