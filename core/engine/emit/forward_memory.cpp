// Memory in forward mode: whatever the primal does to memory that has a shadow is done to the shadow too, with the
// lanes of what is stored. Shadow memory that the derivative makes starts as zeros.
//
// With runtime activity a shadow may be the primal itself, which means "constant": its loads give zero tangents, and
// what is stored or copied there is once more the primal's.
#include "core/engine/analysis/atomic_choice.hpp"
#include "core/engine/analysis/uses_only_double.hpp"
#include "core/engine/emit/debug_info.hpp"
#include "core/engine/emit/device_choices.hpp"
#include "core/engine/emit/forward_emitter.hpp"
#include "core/engine/emit/measured_memory.hpp"
#include "core/engine/emit/shadow_alignment.hpp"
#include "core/engine/plan/integers_over_numbers.hpp"
#include "core/engine/prepare/retype.hpp"
#include "core/engine/prepare/stack_memory.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "core/engine/support/heap_shadows.hpp"
#include "core/engine/support/library_bodies.hpp"
#include "core/engine/support/memory_calls.hpp"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace assay::engine {

void ForwardEmitter::emit_load(LoadInst &original) {
  Value &pointer = *original.getPointerOperand();
  if (!is_shadowed(pointer))
    return;
  if (interleaved_.contains(pointer)) {
    load_interleaved(original);
    return;
  }
  Lanes values = mirror(original);
  if (request_.options.runtime_activity && original.getType()->isFPOrFPVectorTy()) {
    const Lanes shadows = lanes(pointer);
    for (unsigned lane = 0; lane < request_.width; ++lane) {
      Value *constant = builder_.CreateICmpEQ(shadows[lane], primal(pointer));
      values[lane] = builder_.CreateSelect(constant, Constant::getNullValue(original.getType()), values[lane]);
    }
  }
  set_lanes(original, values);
}

namespace {

/// True of bits that are a number of `exponent` bits' exponent as it is computed with: neither zero nor a small
/// integer, an address, or a negative one.
Value *looks_like_number(IRBuilderBase &builder, Value &bits, std::uint64_t exponent) {
  Type *type = bits.getType();
  Value *found = builder.CreateAnd(&bits, ConstantInt::get(type, exponent));
  return builder.CreateAnd(builder.CreateICmpNE(found, ConstantInt::get(type, 0)),
                           builder.CreateICmpNE(found, ConstantInt::get(type, exponent)));
}

/// An integer's shadow has its bits, unless they would be a tangent to whoever takes them for a number.
Value *bits_without_tangent(IRBuilderBase &builder, Value &integer, bool may_be_floats) {
  constexpr std::uint64_t of_float = 0x7F800000, of_double = 0x7FF0000000000000;
  const bool is_word = integer.getType()->getScalarType()->isIntegerTy(64);
  Value *is_number = looks_like_number(builder, integer, is_word ? of_double : of_float);
  if (is_word && may_be_floats)
    for (const std::uint64_t half : {of_float, of_float << 32})
      is_number = builder.CreateOr(is_number, looks_like_number(builder, integer, half));
  return builder.CreateSelect(is_number, Constant::getNullValue(integer.getType()), &integer);
}

} // namespace

void ForwardEmitter::emit_store(StoreInst &original) {
  Value &pointer = *original.getPointerOperand();
  Value &stored = *original.getValueOperand();
  if (!is_shadowed(pointer))
    return;
  set_position_after(original);
  if (interleaved_.contains(pointer)) {
    store_interleaved(original);
    return;
  }
  const Lanes shadows = lanes(pointer);
  Lanes values = lanes(stored);
  if (isa<ConstantInt>(stored) && stored.getType()->getIntegerBitWidth() == 8 && types_.is_within_floating(pointer))
    values.assign(request_.width, Constant::getNullValue(stored.getType())); // a piece of a constant number
  else if (is_integer_over_number(types_, original))
    for (Value *&value : values)
      if (value == primal(stored)) // else the shadow of an address
        value = bits_without_tangent(builder_, *value, !uses_only_double(*derivative_.getParent()));
  for (unsigned lane = 0; lane < request_.width; ++lane) {
    if (request_.options.runtime_activity)
      values[lane] =
          builder_.CreateSelect(builder_.CreateICmpEQ(shadows[lane], primal(pointer)), primal(stored), values[lane]);
    auto *copy = cast<StoreInst>(copy_for_shadow(*cast<Instruction>(primal(original))));
    copy->setOperand(0, values[lane]);
    copy->setOperand(1, shadows[lane]);
    copy->dropUnknownNonDebugMetadata({LLVMContext::MD_tbaa});
    if (scopes_)
      scopes_->mark_lane(*copy, original, lane);
    builder_.Insert(copy);
    relax_alignment(*copy);
  }
}

void ForwardEmitter::emit_alloca(AllocaInst &original) {
  const DataLayout &layout = derivative_.getDataLayout();
  Value *count = builder_.CreateZExtOrTrunc(primal(*original.getArraySize()), builder_.getInt64Ty());
  Value *size = builder_.CreateMul(
      count, builder_.CreateTypeSize(builder_.getInt64Ty(), layout.getTypeAllocSize(original.getAllocatedType())));
  if (interleaved_.contains(original)) {
    allocate_interleaved(original, size);
    return;
  }
  Lanes values = mirror(original);
  for (Value *shadow : values)
    builder_.CreateMemSet(shadow, builder_.getInt8(0), size, original.getAlign());
  set_lanes(original, values);
}

Error ForwardEmitter::emit_atomic_update(AtomicRMWInst &original) {
  Value &pointer = *original.getPointerOperand();
  if (!is_shadowed(pointer))
    return Error::success();
  switch (original.getOperation()) {
  case AtomicRMWInst::FAdd:
  case AtomicRMWInst::FSub:
  case AtomicRMWInst::Xchg:
    set_position_after(original);
    if (Lanes values = mirror(original); needs_lanes(original))
      set_lanes(original, values);
    return Error::success();
  default:
    if (chosen_number(original) && updates_numbers(original))
      return emit_choice(original, pointer);
    if (original.isFloatingPointOperation() || needs_lanes(original))
      return unsupported(original, "forward mode has no derivative for this atomic update",
                         "use an atomic addition, or register a derivative for the function");
    return Error::success(); // an integer among differentiated memory
  }
}

Error ForwardEmitter::emit_compare_exchange(AtomicCmpXchgInst &original) {
  Value &stored = *original.getNewValOperand();
  if (!is_shadowed(*original.getPointerOperand()) || !(is_shadowed(stored) || needs_lanes(original)))
    return Error::success();
  if (chosen_number(original) && updates_numbers(original))
    return emit_choice(original, *original.getPointerOperand());
  return unsupported(original, "forward mode has no derivative for a compare-and-exchange of differentiated values",
                     "use an atomic addition, or register a derivative for the function");
}

/// True where the bits that the update takes, or finds, are those of floats.
bool ForwardEmitter::updates_numbers(const Instruction &update) const {
  const Value &number = *chosen_number(update);
  const auto *exchange = dyn_cast<AtomicCmpXchgInst>(&update);
  const Value &stored = exchange ? *exchange->getNewValOperand() : *cast<AtomicRMWInst>(update).getValOperand();
  return stored.getType()->isFloatingPointTy() || types_.of(stored).kind == ByteKind::floating ||
         activity_.carries_derivative(number);
}

/// The tangent of the place becomes that of the number that it holds.
Error ForwardEmitter::emit_choice(Instruction &update, Value &place) {
  if (const Instruction *user =
          active_user_of_found(update, [&](const Instruction &value) { return needs_lanes(value); }))
    return unsupported(*user,
                       "the old value of an atomic update takes part in the derivative: it depends on the order of "
                       "the threads",
                       "use the value that all threads find behind a barrier");
  auto &number = const_cast<Value &>(*chosen_number(update)); // an operand of the same function
  set_position_after(update);
  const Lanes shadows = lanes(place), tangents = lanes(number);
  for (auto [shadow, tangent] : zip_equal(shadows, tangents))
    settle_if_chosen(builder_, primal(place), shadow, primal(number), tangent);
  if (needs_lanes(update))
    set_lanes(update, Lanes(shadows.size(), Constant::getNullValue(update.getType())));
  return Error::success();
}

Error ForwardEmitter::emit_memory_call(CallBase &original, const MemoryCall &memory) {
  using enum MemoryAction;
  switch (memory.action) {
  case allocate:
  case allocate_zeroed:
    if (activity_.has_shadow(original))
      emit_allocation(original, memory);
    return Error::success();
  case allocate_into:
    if (is_shadowed(*original.getArgOperand(memory.pointer)))
      emit_allocation_into(original, memory);
    return Error::success();
  case reallocate:
    if (activity_.has_shadow(original))
      emit_reallocation(original, memory);
    return Error::success();
  case release:
    if (interleaved_.contains(*original.getArgOperand(memory.pointer)))
      release_interleaved(original, memory);
    else if (is_shadowed(*original.getArgOperand(memory.pointer)))
      emit_release(original, memory);
    return Error::success();
  case copy:
    if (!is_shadowed(*original.getArgOperand(memory.pointer)))
      return Error::success();
    if (interleaved_.contains(*original.getArgOperand(memory.pointer)) ||
        interleaved_.contains(*original.getArgOperand(memory.source)))
      copy_interleaved(cast<MemTransferInst>(original));
    else
      return emit_copy(original, memory);
    return Error::success();
  case fill:
    if (interleaved_.contains(*original.getArgOperand(memory.pointer)))
      fill_interleaved(cast<MemSetInst>(original));
    else if (is_shadowed(*original.getArgOperand(memory.pointer)))
      emit_fill(original, memory);
    return Error::success();
  case measure:
    if (Value &pointer = *original.getArgOperand(memory.pointer); is_shadowed(pointer) && !isa<Constant>(pointer))
      measure_shadows_too(*cast<CallBase>(primal(original)), lanes(pointer));
    return Error::success();
  case none:
    break;
  }
  return Error::success();
}

Value *ForwardEmitter::byte_count(CallBase &original, const MemoryCall &memory) {
  Value *count = nullptr;
  for (unsigned operand : memory.size) {
    Value *factor = builder_.CreateZExtOrTrunc(primal(*original.getArgOperand(operand)), builder_.getInt64Ty());
    count = count ? builder_.CreateMul(count, factor) : factor;
  }
  return count;
}

void ForwardEmitter::emit_allocation(CallBase &original, const MemoryCall &memory) {
  set_position_after(original);
  if (interleaved_.contains(original)) {
    allocate_interleaved(original, byte_count(original, memory));
    return;
  }
  SmallVector<Value *, 4> arguments;
  for (Value *argument : original.args())
    arguments.push_back(primal(*argument));
  Lanes values;
  for (unsigned lane = 0; lane < request_.width; ++lane) {
    const bool is_zeroed = memory.action == MemoryAction::allocate_zeroed;
    if (CallInst *zeroed =
            is_zeroed || is_stack_memory(original) ? nullptr : zeroed_shadow(builder_, original, arguments.front())) {
      values.push_back(zeroed);
      continue;
    }
    CallInst *call = builder_.CreateCall(original.getFunctionType(), original.getCalledOperand(), arguments);
    call->setAttributes(original.getAttributes());
    call->setCallingConv(original.getCallingConv());
    if (!is_zeroed)
      builder_.CreateMemSet(call, builder_.getInt8(0), byte_count(original, memory), original.getRetAlign());
    mark_shadow_allocation(*call);
    values.push_back(call);
  }
  set_lanes(original, values);
}

/// posix_memalign(&p, ...): the shadow of p gets memory of its own.
void ForwardEmitter::emit_allocation_into(CallBase &original, const MemoryCall &memory) {
  set_position_after(original);
  const Lanes places = lanes(*original.getArgOperand(memory.pointer));
  for (unsigned lane = 0; lane < request_.width; ++lane) {
    mirror_lane(original, lane);
    Value *fresh = builder_.CreateLoad(builder_.getPtrTy(), places[lane]);
    builder_.CreateMemSet(fresh, builder_.getInt8(0), byte_count(original, memory), MaybeAlign());
  }
}

/// Null where the shadow is the primal itself (constant memory), which must not be given back twice, or no address: a
/// vector of Rust that is empty has its alignment for one, and the shadow of one that code without derivative has
/// filled still does.
static Value *shadow_to_release(IRBuilder<> &builder, Value &shadow, Value &primal) {
  constexpr std::uint64_t first_page = 4096;
  Value *is_primal = builder.CreateICmpEQ(&shadow, &primal);
  Value *word = builder.CreatePtrToInt(&shadow, builder.getInt64Ty());
  Value *is_no_address = builder.CreateICmpULT(word, builder.getInt64(first_page));
  Value *null = ConstantPointerNull::get(cast<PointerType>(shadow.getType()));
  return builder.CreateSelect(builder.CreateOr(is_primal, is_no_address), null, &shadow);
}

/// Fresh, zeroed memory takes the place of a shadow that is not given back.
void ForwardEmitter::emit_reallocation(CallBase &original, const MemoryCall &memory) {
  Value &pointer = *original.getArgOperand(memory.pointer);
  builder_.SetInsertPoint(cast<Instruction>(primal(original)));
  Value *null = ConstantPointerNull::get(cast<PointerType>(pointer.getType()));
  Lanes released;
  for (Value *shadow : lanes(pointer))
    released.push_back(shadow_to_release(builder_, *shadow, *primal(pointer)));
  set_position_after(original);
  Lanes values;
  for (Value *old : released) {
    SmallVector<Value *, 4> arguments;
    for (Value *argument : original.args())
      arguments.push_back(argument == &pointer ? old : primal(*argument));
    CallInst *call = builder_.CreateCall(original.getFunctionType(), original.getCalledOperand(), arguments);
    call->setCallingConv(original.getCallingConv());
    Value *fresh = builder_.CreateICmpEQ(old, null);
    Value *zeroed = builder_.CreateSelect(fresh, byte_count(original, memory), builder_.getInt64(0));
    builder_.CreateMemSet(call, builder_.getInt8(0), zeroed, MaybeAlign());
    mark_shadow_release(*call);
    mark_shadow_allocation(*call);
    values.push_back(call);
  }
  set_lanes(original, values);
}

/// Before the primal's, so that the addresses compared are alive; releasing null does nothing.
void ForwardEmitter::emit_release(CallBase &original, const MemoryCall &memory) {
  Value &pointer = *original.getArgOperand(memory.pointer);
  builder_.SetInsertPoint(cast<Instruction>(primal(original)));
  for (Value *shadow : lanes(pointer)) {
    Value *released = shadow_to_release(builder_, *shadow, *primal(pointer));
    SmallVector<Value *, 4> arguments;
    for (Value *argument : original.args())
      arguments.push_back(argument == &pointer ? released : primal(*argument));
    CallInst *call = builder_.CreateCall(original.getFunctionType(), original.getCalledOperand(), arguments);
    call->setCallingConv(original.getCallingConv());
    mark_shadow_release(*call);
  }
}

Error ForwardEmitter::emit_copy(CallBase &original, const MemoryCall &memory) {
  Value &source = *original.getArgOperand(memory.source);
  if (!is_shadowed(source))
    return copy_from_constant(original, memory);
  set_position_after(original);
  const Value *count = original.getArgOperand(memory.size.front());
  Lanes values;
  for (unsigned lane = 0; lane < request_.width; ++lane) {
    Instruction *call = mirror_lane(original, lane);
    values.push_back(call);
    if (!request_.options.runtime_activity)
      continue;
    Value &destination = *original.getArgOperand(memory.pointer);
    builder_.SetInsertPoint(call);
    Value *constant_source = builder_.CreateICmpEQ(lanes(source)[lane], primal(source));
    Value *constant_destination = builder_.CreateICmpEQ(lanes(destination)[lane], primal(destination));
    Value *zero = Constant::getNullValue(count->getType());
    Value *bytes = primal(*original.getArgOperand(memory.size.front()));
    const bool floats = types_.uniform(destination).kind == ByteKind::floating;
    Value *skipped = floats ? builder_.CreateOr(constant_source, constant_destination) : constant_destination;
    call->setOperand(memory.size.front(), builder_.CreateSelect(skipped, zero, bytes));
    if (floats) {
      Value *cleared = builder_.CreateAnd(constant_source, builder_.CreateNot(constant_destination));
      builder_.CreateMemSet(lanes(destination)[lane], builder_.getInt8(0), builder_.CreateSelect(cleared, bytes, zero),
                            MaybeAlign());
    }
    builder_.SetInsertPoint(call->getParent(), std::next(call->getIterator()));
  }
  if (needs_lanes(original))
    set_lanes(original, values);
  return Error::success();
}

/// Memory without a shadow is copied to memory with one: floats become zero there, all else is as in the primal.
Error ForwardEmitter::copy_from_constant(CallBase &original, const MemoryCall &memory) {
  set_position_after(original);
  Value &destination = *original.getArgOperand(memory.pointer);
  Value *bytes = byte_count(original, memory);
  auto *constant_size = dyn_cast<ConstantInt>(original.getArgOperand(memory.size.front()));
  const auto fields =
      constant_size ? types_.fields(destination, constant_size->getZExtValue()) : SmallVector<TypedField, 8>{};
  const auto *intrinsic = dyn_cast<MemIntrinsic>(&original);
  const std::optional<MemoryKind> kind = intrinsic ? memory_kind(*intrinsic) : std::nullopt;
  const BasicType uniform = types_.uniform(destination);
  const bool only_floats = kind ? kind->content == MemoryContent::floating || kind->content == MemoryContent::bytes ||
                                      kind->content == MemoryContent::reversed
                                : uniform.kind == ByteKind::floating;
  const bool no_floats = kind ? kind->content == MemoryContent::none || kind->content == MemoryContent::pointer
                              : uniform.kind == ByteKind::pointer || uniform.kind == ByteKind::integer;
  if (kind && kind->content == MemoryContent::words)
    return copy_constant_words(original, *bytes);
  if (!only_floats && !no_floats && fields.empty())
    return unsupported(original,
                       "constant memory of unknown type is copied to differentiated memory (" +
                           types_.explain(destination) + ")",
                       "copy the members one by one, or give the source a shadow");
  Lanes shadows = lanes(destination);
  for (Value *shadow : shadows) {
    if (only_floats) {
      builder_.CreateMemSet(shadow, builder_.getInt8(0), bytes, MaybeAlign());
      continue;
    }
    builder_.CreateMemMove(shadow, MaybeAlign(), primal(*original.getArgOperand(memory.source)), MaybeAlign(), bytes);
    for (const TypedField &field : fields)
      if (field.type.kind == ByteKind::floating) {
        Value *place = builder_.CreatePtrAdd(shadow, builder_.getInt64(field.offset));
        builder_.CreateAlignedStore(Constant::getNullValue(field.type.floating), place, Align(1));
      }
  }
  if (needs_lanes(original))
    set_lanes(original, shadows);
  return Error::success();
}

/// What are numbers is told by their bits.
Error ForwardEmitter::copy_constant_words(CallBase &original, Value &bytes) {
  const Type *number = memory_kind(cast<MemIntrinsic>(original))->floating;
  const bool are_doubles = number && number->isDoubleTy();
  Function *copy =
      library_helper(*original.getModule(), are_doubles ? "assay.words.constant" : "assay.words.constant.float");
  for (Value *shadow : lanes(*original.getArgOperand(0)))
    builder_.CreateCall(copy, {shadow, primal(*original.getArgOperand(1)), &bytes});
  return Error::success();
}

/// A byte pattern has no tangent: floats become zero. Pointers and integers are filled as in the primal.
void ForwardEmitter::emit_fill(CallBase &original, const MemoryCall &memory) {
  set_position_after(original);
  Value &destination = *original.getArgOperand(memory.pointer);
  const ByteKind kind = types_.uniform(destination).kind;
  const bool as_primal = kind == ByteKind::integer || kind == ByteKind::pointer;
  Lanes shadows;
  for (unsigned lane = 0; lane < request_.width; ++lane) {
    auto *call = cast<CallBase>(mirror_lane(original, lane));
    if (!as_primal)
      call->setArgOperand(memory.value, Constant::getNullValue(call->getArgOperand(memory.value)->getType()));
    shadows.push_back(lanes(destination)[lane]);
  }
  if (needs_lanes(original))
    set_lanes(original, shadows);
}

} // namespace assay::engine
