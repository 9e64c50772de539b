#include "core/engine/emit/adjoint_memory.hpp"
#include "core/engine/analysis/address_offsets.hpp"
#include "core/engine/analysis/uses_only_double.hpp"
#include "core/engine/emit/ambiguous_fp_copy.hpp"
#include "core/engine/emit/device_adds.hpp"
#include "core/engine/emit/move_adjoint.hpp"
#include "core/engine/emit/reverse_emitter.hpp"
#include "core/engine/emit/shadow_alignment.hpp"
#include "core/engine/emit/shadow_transfers.hpp"
#include "core/engine/plan/integers_over_numbers.hpp"
#include "core/engine/prepare/retype.hpp"
#include "core/engine/support/adjoint_sums.hpp"
#include "core/engine/support/convention_names.hpp"
#include "core/engine/support/device_target.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "core/engine/support/library_bodies.hpp"

using namespace llvm;

namespace assay::engine {
namespace {

bool has_floating_part(Type *type) {
  if (type->isFPOrFPVectorTy())
    return true;
  if (auto *array = dyn_cast<ArrayType>(type))
    return has_floating_part(array->getElementType());
  return type->isStructTy() && any_of(cast<StructType>(type)->elements(), has_floating_part);
}

/// True when what is stored are floats: by its type, or because the integer was found to carry one.
bool stores_floats(const ForwardSweep &sweep, const StoreInst &store) {
  const Value &value = *store.getValueOperand();
  return has_floating_part(value.getType()) ||
         (value.getType()->isIntegerTy() && sweep.types.of(value).kind == ByteKind::floating);
}

/// True of an integer to whose place an adjoint may have been added, by a load of the bits of a float.
bool ends_number(const ForwardSweep &sweep, const StoreInst &store) {
  return is_integer_over_number(sweep.types, store) && computes_with_bits(*store.getFunction());
}

bool has_runtime_activity(const ForwardSweep &sweep) {
  return sweep.request.options.runtime_activity;
}

/// The shadows of the pointers that the adjoint goes through.
SmallVector<const Value *, 2> shadowed_pointers(const ForwardSweep &sweep, const Instruction &instruction) {
  if (const Value *pointer = getLoadStorePointerOperand(&instruction))
    return {pointer};
  const auto &intrinsic = cast<MemIntrinsic>(instruction);
  SmallVector<const Value *, 2> pointers{intrinsic.getArgOperand(0)};
  if (isa<MemTransferInst>(intrinsic) && sweep.activity.has_shadow(*intrinsic.getArgOperand(1)))
    pointers.push_back(intrinsic.getArgOperand(1));
  return pointers;
}

/// Loads and stores of shadow memory; they are what the primal's access says of types.
class ShadowAccess {
public:
  ShadowAccess(ReverseEmitter &emitter, const Instruction &primal, Value *place, Type *type)
      : emitter_(emitter), primal_(primal), place_(place), alignment_(shadow_alignment(primal)) {
    if (!has_runtime_activity(emitter.sweep()))
      return;
    IRBuilder<> &builder = emitter.builder();
    AllocaInst *scratch = scratch_slot(*builder.GetInsertBlock()->getParent(), builder, type);
    scratch->setAlignment(std::max(scratch->getAlign(), alignment_));
    Value *pointer = emitter.lookup_primal(getLoadStorePointerOperand(&primal));
    place_ = unless_own_shadow(emitter.sweep(), builder, place, pointer, scratch, place);
  }

  Value *load(Type *type) const { return note(emitter_.builder().CreateAlignedLoad(type, place_, alignment_)); }
  void store_sum(Value *value) const {
    Instruction *store = note(emitter_.builder().CreateAlignedStore(value, place_, alignment_));
    store->setMetadata(sum_in_memory, MDNode::get(store->getContext(), {}));
  }
  void add(Value *value) const {
    const AdjointAdds &adds = emitter_.sweep().adds;
    if (adds[primal_] == AdjointAdd::plain)
      return store_sum(add_parts(emitter_.builder(), load(value->getType()), value));
    if (const IndexBound bound = adds.bound(primal_); bound.index)
      emitter_.builder().CreateAssumption(
          emitter_.builder().CreateICmpSLT(emitter_.lookup_primal(bound.index), emitter_.lookup_primal(bound.below)));
    const auto accesses =
        add_atomically(emitter_.builder(), place_, value, adds[primal_], adds.lane_addresses(primal_));
    for (const auto &[part, access] : enumerate(accesses)) {
      note(access);
      const auto *load = dyn_cast<LoadInst>(&primal_);
      if (MDNode *group = load ? emitter_.sum_group(*load, unsigned(part)) : nullptr)
        mark_sum_group(*access, *group);
    }
  }
  void zero_floats(Type *type) const { zero_floats(type, place_, alignment_); }
  /// Where addresses and floats stand in turn, an address that came later may be left: it is no adjoint.
  void forget_address(Value *shadow, Type *type) const;

private:
  /// Writes zero to the floating parts of memory of `type`; the rest keeps its shadow pointers and integers.
  void zero_floats(Type *type, Value *place, Align alignment) const;

  Instruction *note(Instruction *access) const {
    access->setMetadata(LLVMContext::MD_tbaa, primal_.getMetadata(LLVMContext::MD_tbaa));
    emitter_.sweep().shadow_accesses.insert(access);
    return access;
  }

  ReverseEmitter &emitter_;
  const Instruction &primal_;
  Value *place_;
  Align alignment_;
};

void ShadowAccess::forget_address(Value *shadow, Type *type) const {
  const std::optional<StaleWords> words = words_read_as_floats(emitter_.sweep().types, primal_, *type);
  if (!words)
    return;
  IRBuilder<> &builder = emitter_.builder();
  Value *length = bytes_of_words(builder, shadow, *words, alignment_);
  if (has_runtime_activity(emitter_.sweep()))
    length =
        unless_own_shadow(emitter_.sweep(), builder, shadow,
                          emitter_.lookup_primal(getLoadStorePointerOperand(&primal_)), builder.getInt64(0), length);
  Module &module = *builder.GetInsertBlock()->getModule();
  builder.CreateCall(library_helper(module, helper_that_forgets_addresses(*type)),
                     {first_of_words(builder, shadow, *words), length});
}

void ShadowAccess::zero_floats(Type *type, Value *place, Align alignment) const {
  IRBuilder<> &builder = emitter_.builder();
  if (type->isFPOrFPVectorTy()) {
    Instruction *clear = note(builder.CreateAlignedStore(Constant::getNullValue(type), place, alignment));
    if (is_device_code(*clear))
      clear->setMetadata(adjoint_clear, MDNode::get(clear->getContext(), {}));
    return;
  }
  if (!has_floating_part(type))
    return;
  const unsigned parts = type->isStructTy() ? type->getStructNumElements() : type->getArrayNumElements();
  const DataLayout &layout = builder.GetInsertBlock()->getModule()->getDataLayout();
  for (unsigned index = 0; index < parts; ++index) {
    Type *part = type->isStructTy() ? type->getStructElementType(index) : type->getArrayElementType();
    Value *element = builder.CreateInBoundsGEP(type, place, {builder.getInt64(0), builder.getInt32(index)});
    zero_floats(part, element, std::min(alignment, layout.getABITypeAlign(part)));
  }
}

Error emit_load(ReverseEmitter &emitter, const LoadInst &load) {
  for (unsigned lane = 0; lane < emitter.width(); ++lane) {
    Expected<Value *> shadow = emitter.lookup_shadow(load.getPointerOperand(), lane, load);
    if (!shadow)
      return shadow.takeError();
    Value *adjoint = emitter.take_adjoint(&load, lane);
    if (!emitter.accumulate(load, lane, adjoint))
      add_to_shadow(emitter, load, *shadow, adjoint);
  }
  return Error::success();
}

/// An integer has no adjoint: the one at its place is cleared.
Error emit_end_of_number(ReverseEmitter &emitter, const StoreInst &store) {
  IRBuilder<> &builder = emitter.builder();
  Module &module = *builder.GetInsertBlock()->getModule();
  const char *clear = uses_only_double(module) ? "assay.words.cleared.adjoint" : "assay.words.cleared.adjoint.float";
  const std::uint64_t size = module.getDataLayout().getTypeStoreSize(store.getValueOperand()->getType());
  for (unsigned lane = 0; lane < emitter.width(); ++lane) {
    Expected<Value *> shadow = emitter.lookup_shadow(store.getPointerOperand(), lane, store);
    if (!shadow)
      return shadow.takeError();
    Value *length = builder.getInt64(size);
    if (has_runtime_activity(emitter.sweep()))
      length = unless_own_shadow(emitter.sweep(), builder, *shadow, emitter.lookup_primal(store.getPointerOperand()),
                                 builder.getInt64(0), length);
    builder.CreateCall(library_helper(module, clear), {*shadow, length});
  }
  return Error::success();
}

Error emit_store(ReverseEmitter &emitter, const StoreInst &store) {
  if (!stores_floats(emitter.sweep(), store))
    return emit_end_of_number(emitter, store);
  const Value *value = store.getValueOperand();
  Type *type = emitter.adjoint_type(value);
  for (unsigned lane = 0; lane < emitter.width(); ++lane) {
    Expected<Value *> shadow = emitter.lookup_shadow(store.getPointerOperand(), lane, store);
    if (!shadow)
      return shadow.takeError();
    const ShadowAccess access(emitter, store, *shadow, type);
    access.forget_address(*shadow, type);
    if (!isa<Constant>(value) && emitter.sweep().activity.carries_derivative(*value))
      emitter.add_adjoint(value, lane, access.load(type));
    access.zero_floats(type);
  }
  return Error::success();
}

/// What functions of the engine take: memory of every address space.
Value *generic_address(IRBuilder<> &builder, Value *address) {
  return builder.CreatePointerBitCastOrAddrSpaceCast(address, builder.getPtrTy());
}

/// Bytes of any number and alignment are copied: where numbers begin among them is not known.
bool copies_loose_words(const MemIntrinsic &intrinsic, const Type *number) {
  const auto *transfer = dyn_cast<MemTransferInst>(&intrinsic);
  if (!transfer || isa<ConstantInt>(transfer->getLength()) || is_device_code(intrinsic) ||
      (number && !number->isFloatTy() && !number->isDoubleTy()))
    return false;
  const std::uint64_t size = number && number->isDoubleTy() ? sizeof(double) : sizeof(float);
  return std::min(transfer->getDestAlign().valueOrOne(), transfer->getSourceAlign().valueOrOne()) < sizeof(float) &&
         !is_multiple(*transfer->getLength(), size);
}

/// `number` is null where what is copied may be doubles or floats.
void emit_loose_words(ReverseEmitter &emitter, const MemIntrinsic &intrinsic, const Type *number, Value *target,
                      Value *source, Value *length) {
  IRBuilder<> &builder = emitter.builder();
  const char *move = !number                ? "assay.words.moved.adjoint.loose.unclear"
                     : number->isDoubleTy() ? "assay.words.moved.adjoint.loose"
                                            : "assay.words.moved.adjoint.loose.float";
  Function *helper = library_helper(*emitter.sweep().function.getParent(), move);
  emit_stop_if_unclear(builder, *builder.CreateCall(helper, {target, source, length}), intrinsic, UnclearCopy::places);
}

/// Parts of numbers, or one whose bytes are in the reversed order.
void emit_bytes(ReverseEmitter &emitter, const MemIntrinsic &intrinsic, Value *target, Value *source, Value *length) {
  IRBuilder<> &builder = emitter.builder();
  Module &module = *emitter.sweep().function.getParent();
  const MemoryKind kind = *memory_kind(intrinsic);
  if (kind.content == MemoryContent::bytes) {
    Function *move = library_helper(module, "assay.words.moved.adjoint.bytes");
    emit_stop_if_unclear(builder, *builder.CreateCall(move, {target, source, length}), intrinsic, UnclearCopy::places);
    return;
  }
  Function *move = library_helper(module, kind.floating->isDoubleTy() ? "assay.words.moved.adjoint.reversed"
                                                                      : "assay.words.moved.adjoint.reversed.float");
  builder.CreateCall(move, {target, source, length});
}

/// The adjoints of the words that are numbers; `source` is null where what is moved has none.
void emit_words(ReverseEmitter &emitter, const MemIntrinsic &intrinsic, Value *target, Value *source, Value *length) {
  Module &module = *emitter.sweep().function.getParent();
  IRBuilder<> &builder = emitter.builder();
  const MemoryKind kind = *memory_kind(intrinsic);
  const Type *number = kind.floating;
  const bool are_doubles = number && number->isDoubleTy();
  if (!source) {
    const char *clear = are_doubles ? "assay.words.cleared.adjoint" : "assay.words.cleared.adjoint.float";
    builder.CreateCall(library_helper(module, clear), {target, length});
    return;
  }
  if (copies_loose_words(intrinsic, number))
    return emit_loose_words(emitter, intrinsic, number, target, source, length);
  if (number) {
    const char *move = are_doubles ? "assay.words.moved.adjoint" : "assay.words.moved.adjoint.float";
    builder.CreateCall(library_helper(module, move), {target, source, length});
    return;
  }
  if (kind.halves_tell) {
    builder.CreateCall(library_helper(module, "assay.words.moved.adjoint.single"), {target, source, length});
    return;
  }
  Value *unclear =
      builder.CreateCall(library_helper(module, "assay.words.moved.adjoint.unclear"), {target, source, length});
  emit_stop_if_unclear(builder, *unclear, intrinsic, UnclearCopy::types);
}

void emit_numbers(ReverseEmitter &emitter, const MemIntrinsic &intrinsic, Value *target, Value *source, Value *length) {
  Module &module = *emitter.sweep().function.getParent();
  IRBuilder<> &builder = emitter.builder();
  Type *number = memory_kind(intrinsic)->floating;
  if (copies_loose_words(intrinsic, number))
    return emit_loose_words(emitter, intrinsic, number, target, source, length);
  const Overlap overlap = isa<MemMoveInst>(intrinsic) ? Overlap::possible : Overlap::none;
  Function *move = move_adjoint_function(module, number, overlap, emitter.sweep().adds[intrinsic]);
  builder.CreateCall(move, {target, source, length});
}

Error emit_transfer(ReverseEmitter &emitter, const MemIntrinsic &intrinsic) {
  IRBuilder<> &builder = emitter.builder();
  const SmallVector<const Value *, 2> pointers = shadowed_pointers(emitter.sweep(), intrinsic);
  Value *bytes = builder.CreateZExtOrTrunc(emitter.lookup_primal(intrinsic.getLength()), builder.getInt64Ty());
  for (unsigned lane = 0; lane < emitter.width(); ++lane) {
    Expected<Value *> target = emitter.lookup_shadow(pointers[0], lane, intrinsic);
    if (!target)
      return target.takeError();
    *target = generic_address(builder, *target);
    const auto unless_own = [&](Value *shadow, const Value *pointer, Value *length) {
      if (!has_runtime_activity(emitter.sweep()))
        return length;
      Value *primal = generic_address(builder, emitter.lookup_primal(pointer));
      return unless_own_shadow(emitter.sweep(), builder, shadow, primal, builder.getInt64(0), length);
    };
    Value *length = unless_own(*target, pointers[0], bytes);
    const MemoryKind kind = *memory_kind(intrinsic);
    const bool are_words = kind.content == MemoryContent::words;
    if (pointers.size() == 1 && are_words) {
      emit_words(emitter, intrinsic, *target, nullptr, length);
      continue;
    }
    if (pointers.size() == 1) {
      builder.CreateMemSet(*target, builder.getInt8(0), length, MaybeAlign());
      continue;
    }
    Expected<Value *> source = emitter.lookup_shadow(pointers[1], lane, intrinsic);
    if (!source)
      return source.takeError();
    *source = generic_address(builder, *source);
    if (are_words) {
      Value *moved = unless_own(*source, pointers[1], length);
      emit_words(emitter, intrinsic, *target, *source, moved);
      continue;
    }
    Value *moved = unless_own(*source, pointers[1], length);
    if (kind.content == MemoryContent::bytes || kind.content == MemoryContent::reversed)
      emit_bytes(emitter, intrinsic, *target, *source, moved);
    else
      emit_numbers(emitter, intrinsic, *target, *source, moved);
    if (has_runtime_activity(emitter.sweep())) // from memory without a derivative: the adjoint ends here
      builder.CreateMemSet(*target, builder.getInt8(0), builder.CreateSub(length, moved), MaybeAlign());
  }
  return Error::success();
}

} // namespace

void add_to_shadow(ReverseEmitter &emitter, const LoadInst &load, Value *shadow, Value *adjoint) {
  const ShadowAccess access(emitter, load, shadow, adjoint->getType());
  access.forget_address(shadow, adjoint->getType());
  access.add(adjoint);
}

bool has_memory_adjoint(const ForwardSweep &sweep, const Instruction &instruction) {
  if (const auto *store = dyn_cast<StoreInst>(&instruction))
    return sweep.activity.has_shadow(*store->getPointerOperand()) &&
           (stores_floats(sweep, *store) || ends_number(sweep, *store));
  const auto &intrinsic = cast<MemIntrinsic>(instruction);
  const std::optional<MemoryKind> kind = memory_kind(intrinsic);
  return kind && kind->content != MemoryContent::none && kind->content != MemoryContent::pointer &&
         sweep.activity.has_shadow(*intrinsic.getArgOperand(0));
}

Error memory_needs(ForwardSweep &sweep, const Instruction &instruction, function_ref<void(Value *)> need) {
  for (const Value *pointer : shadowed_pointers(sweep, instruction)) {
    Expected<Lanes> shadow = shadow_of(sweep, pointer, instruction);
    if (!shadow)
      return shadow.takeError();
    for (Value *lane : *shadow)
      need(lane);
    if (has_runtime_activity(sweep))
      need(sweep.primal(pointer));
  }
  if (const auto *intrinsic = dyn_cast<MemIntrinsic>(&instruction))
    need(sweep.primal(intrinsic->getLength()));
  if (const IndexBound bound = sweep.adds.bound(instruction); bound.index) {
    need(sweep.primal(bound.index));
    need(sweep.primal(bound.below));
  }
  return Error::success();
}

Error emit_memory_adjoint(ReverseEmitter &emitter, const Instruction &instruction) {
  if (const auto *load = dyn_cast<LoadInst>(&instruction))
    return emit_load(emitter, *load);
  if (const auto *store = dyn_cast<StoreInst>(&instruction))
    return emit_store(emitter, *store);
  return emit_transfer(emitter, cast<MemIntrinsic>(instruction));
}

} // namespace assay::engine
