#include "core/engine/prepare/retype_transfers.hpp"
#include "core/engine/analysis/address_offsets.hpp"
#include "core/engine/analysis/copy_reads.hpp"
#include "core/engine/analysis/memory_classes.hpp"
#include "core/engine/prepare/memory_pieces.hpp"
#include "core/engine/prepare/retype.hpp"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace assay::engine {
namespace {

constexpr std::uint64_t most_unrolled_bytes = 128;
/// Structs of several types are copied piece by piece up to this size even when that is long: there is no other way to
/// say it.
constexpr std::uint64_t most_mixed_bytes = 2048;

using Pieces = llvm::SmallVector<MemoryPiece, 8>;

/// How one intrinsic is rewritten; decided for all before anything changes.
struct Decision {
  enum class Form : std::uint8_t { annotate, unroll, loop, fields };
  llvm::MemIntrinsic *intrinsic;
  Form form;
  MemoryKind kind{};
  Pieces pieces;
  std::uint64_t element_size = 0;
  llvm::SmallVector<RepeatedField, 8> fields{};
};

std::optional<std::uint64_t> constant_length(const llvm::MemIntrinsic &intrinsic) {
  const auto *length = llvm::dyn_cast<llvm::ConstantInt>(intrinsic.getLength());
  return length != nullptr ? std::optional(length->getZExtValue()) : std::nullopt;
}

bool sets_zero(const llvm::MemIntrinsic &intrinsic) {
  const auto *fill = llvm::dyn_cast<llvm::MemSetInst>(&intrinsic);
  const auto *value = fill != nullptr ? llvm::dyn_cast<llvm::Constant>(fill->getValue()) : nullptr;
  return value != nullptr && value->isNullValue();
}

std::optional<Pieces> pieces_of(const llvm::MemIntrinsic &intrinsic, std::uint64_t size, const TypeAnalysis &types,
                                bool loose_types) {
  if (const auto *transfer = llvm::dyn_cast<llvm::MemTransferInst>(&intrinsic))
    return pieces_behind_both(types, *transfer->getRawDest(), *transfer->getRawSource(), size, loose_types);
  return pieces_behind(types, *intrinsic.getRawDest(), size, loose_types);
}

/// What the whole memory holds, when that is one of the three simple cases.
std::optional<MemoryKind> kind_of(const MemorySummary &summary, const llvm::MemIntrinsic &intrinsic) {
  if (summary.conflicting || !summary.anything)
    return std::nullopt;
  if (summary.floating == nullptr)
    return summary.pointers ? MemoryKind{MemoryContent::pointer, nullptr} : MemoryKind{MemoryContent::none, nullptr};
  bool only_floats = !summary.pointers && !summary.integers && !summary.several_floating;
  if (only_floats || llvm::isa<llvm::MemSetInst>(intrinsic))
    return MemoryKind{MemoryContent::floating, summary.floating};
  return std::nullopt;
}

MemorySummary summary_of(const llvm::MemIntrinsic &intrinsic, const TypeAnalysis &types) {
  MemorySummary summary = types.summarize(*intrinsic.getRawDest());
  if (const auto *transfer = llvm::dyn_cast<llvm::MemTransferInst>(&intrinsic))
    summary = summary.merged(types.summarize(*transfer->getRawSource()));
  return summary;
}

std::optional<MemoryKind> kind_of(llvm::ArrayRef<MemoryPiece> pieces, const llvm::MemIntrinsic &intrinsic) {
  MemorySummary summary;
  for (const MemoryPiece &piece : pieces)
    summary.add(piece.type->isFloatingPointTy() ? BasicType{ByteKind::floating, piece.type}
                : piece.type->isPointerTy()     ? BasicType{ByteKind::pointer, nullptr}
                                                : BasicType{ByteKind::integer, nullptr});
  return kind_of(summary, intrinsic);
}

/// Bytes of any number and alignment, in memory that others use too: what is written to single bytes here tells nothing
/// of what the others write there, which may be parts of numbers.
bool may_hold_parts_of_others(const llvm::MemIntrinsic &intrinsic, const TypeAnalysis &types) {
  const auto *transfer = llvm::dyn_cast<llvm::MemTransferInst>(&intrinsic);
  return transfer != nullptr && copies_unaligned_bytes(*transfer) && types.is_open(*transfer->getRawSource()) &&
         types.declares_integers(*transfer->getRawSource(), std::nullopt);
}

/// What the whole memory holds, from what is known of parts of it. Where something is not known, there may be floats
/// among integers and pointers: nobody may move them, but what is filled ends their life, whatever type they had.
std::optional<MemoryKind> kind_of_all(const llvm::MemIntrinsic &intrinsic, const TypeAnalysis &types,
                                      bool loose_types) {
  const MemorySummary summary = summary_of(intrinsic, types);
  const bool is_fill = llvm::isa<llvm::MemSetInst>(intrinsic);
  const MemoryKind floats{MemoryContent::floating, llvm::Type::getDoubleTy(intrinsic.getContext())};
  if (!summary.anything)
    return is_fill ? std::optional(floats) : std::nullopt;
  const std::optional<MemoryKind> kind = kind_of(summary, intrinsic);
  if (kind && kind->content == MemoryContent::none && may_hold_parts_of_others(intrinsic, types))
    return std::nullopt;
  const auto size = constant_length(intrinsic);
  const bool is_partly_known = size && *size > 0 && *size <= most_mixed_bytes && !loose_types &&
                               !pieces_of(intrinsic, *size, types, loose_types);
  if (!kind || kind->content == MemoryContent::floating || !is_partly_known)
    return kind;
  if (is_fill)
    return kind->content == MemoryContent::none ? floats : kind;
  return std::nullopt;
}

std::optional<Decision> decide_constant(llvm::MemIntrinsic &intrinsic, std::uint64_t size, const TypeAnalysis &types,
                                        bool loose_types) {
  bool can_unroll = !intrinsic.isVolatile() && (llvm::isa<llvm::MemTransferInst>(intrinsic) || sets_zero(intrinsic));
  if (size == 0 || size > most_mixed_bytes)
    return std::nullopt;
  auto pieces = pieces_of(intrinsic, size, types, loose_types);
  if (!pieces)
    return std::nullopt;
  auto kind = kind_of(*pieces, intrinsic);
  if (can_unroll && (size <= most_unrolled_bytes || !kind))
    return Decision{&intrinsic, Decision::Form::unroll, {}, std::move(*pieces)};
  if (kind)
    return Decision{&intrinsic, Decision::Form::annotate, *kind, {}};
  return std::nullopt;
}

/// Three bytes, and in functions that compute with no narrower floats than that, hold no number: unless one is seen
/// around them, they are padding that the optimiser moves or fills alone, or a piece of text.
bool is_too_short_for_number(const llvm::MemIntrinsic &intrinsic, std::uint64_t size, const TypeAnalysis &types) {
  constexpr std::uint64_t usual_float = 4;
  const auto is_half = [](const llvm::Instruction &instruction) {
    const llvm::Type *type = instruction.getType()->getScalarType();
    return type->isHalfTy() || type->isBFloatTy();
  };
  const auto has_number = [&](const llvm::Value &pointer) {
    return types.is_within_floating(pointer) ||
           llvm::any_of(types.fields(pointer, size + usual_float), [&](const TypedField &field) {
             return static_cast<std::uint64_t>(field.offset) < size && field.type.kind == ByteKind::floating;
           });
  };
  const auto *transfer = llvm::dyn_cast<llvm::MemTransferInst>(&intrinsic);
  return size < usual_float && !has_number(*intrinsic.getRawDest()) &&
         (transfer == nullptr || !has_number(*transfer->getRawSource())) &&
         llvm::none_of(llvm::instructions(*intrinsic.getFunction()), is_half);
}

/// True when nothing that is known of the first `window` bytes, or of arrays behind them, contradicts that `pieces`
/// repeat every `stride` bytes.
bool repeats(llvm::ArrayRef<MemoryPiece> pieces, std::uint64_t stride, std::uint64_t window, const llvm::Value &pointer,
             const TypeAnalysis &types) {
  const auto fits = [&](const auto &field) {
    if (field.type.kind == ByteKind::unknown || field.type.kind == ByteKind::integer)
      return true;
    const auto *piece = llvm::find_if(pieces, [&](const MemoryPiece &candidate) {
      return candidate.offset == static_cast<std::uint64_t>(field.offset) % stride;
    });
    if (piece == pieces.end())
      return false;
    return field.type.kind == ByteKind::pointer ? piece->type->isPointerTy() : piece->type == field.type.floating;
  };
  const auto fields = types.fields(pointer, window);
  if (!llvm::all_of(fields, fits) ||
      llvm::any_of(fields, [](const TypedField &field) { return field.may_be_floating; }))
    return false;
  const auto layout = types.whole_layout(pointer); // a header may stand before the array
  return !layout || llvm::all_of(*layout, fits);
}

/// What is known of the other words of a short piece repeats, but that says nothing of one of which nothing is known.
bool has_unknown_word(const llvm::MemTransferInst &transfer, const TypeAnalysis &types) {
  const auto size = constant_length(transfer);
  return size && *size <= most_unrolled_bytes &&
         leaves_word_unknown(types, *transfer.getRawDest(), *transfer.getRawSource(), *size);
}

/// True when the pieces from `period` on are those before it once more, up to `stride`.
bool has_period(llvm::ArrayRef<MemoryPiece> pieces, std::uint64_t stride, std::uint64_t period) {
  const auto first = pieces.take_while([&](const MemoryPiece &piece) { return piece.offset < period; });
  if (stride % period != 0 || pieces.size() != first.size() * (stride / period))
    return false;
  return llvm::all_of(llvm::enumerate(pieces), [&](const auto &entry) {
    const MemoryPiece &expected = first[entry.index() % first.size()];
    return entry.value().type == expected.type &&
           entry.value().offset == expected.offset + entry.index() / first.size() * period;
  });
}

/// A stride may be that of every second element: what is copied is not a multiple of it, but of the shortest period.
void shorten_to_period(Decision &decision) {
  const std::uint64_t stride = decision.element_size;
  for (const MemoryPiece &start : llvm::ArrayRef(decision.pieces).drop_front())
    if (has_period(decision.pieces, stride, start.offset)) {
      decision.element_size = start.offset;
      break;
    }
  while (decision.pieces.back().offset >= decision.element_size)
    decision.pieces.pop_back();
}

std::optional<Decision> decide(llvm::MemIntrinsic &intrinsic, const TypeAnalysis &types, bool loose_types) {
  if (auto size = constant_length(intrinsic)) {
    if (auto decision = decide_constant(intrinsic, *size, types, loose_types))
      return decision;
    if (is_too_short_for_number(intrinsic, *size, types))
      return Decision{&intrinsic, Decision::Form::annotate, {MemoryContent::none, nullptr}, {}};
  }
  if (auto kind = kind_of_all(intrinsic, types, loose_types))
    return Decision{&intrinsic, Decision::Form::annotate, *kind, {}};
  auto *transfer = llvm::dyn_cast<llvm::MemTransferInst>(&intrinsic);
  const auto reads = transfer != nullptr && !transfer->isVolatile() && !constant_length(intrinsic)
                         ? reads_of_copy(*transfer->getRawDest(), types.layout())
                         : std::nullopt;
  if (llvm::Type *only = reads ? only_type(*reads) : nullptr)
    return Decision{&intrinsic, Decision::Form::annotate, {MemoryContent::words, only}, {}};
  const std::optional<Decision> by_reads =
      reads ? std::optional(Decision{&intrinsic, Decision::Form::fields, {}, {}, 0, *reads}) : std::nullopt;
  // Several kinds of fields: an array of structs, copied element by element.
  if (transfer == nullptr || transfer->isVolatile() || (!loose_types && has_unknown_word(*transfer, types)) ||
      types.holds_unions(*transfer->getRawDest()) || types.holds_unions(*transfer->getRawSource()))
    return by_reads;
  const auto strides = types.strides(*transfer->getRawDest(), *transfer->getRawSource());
  // An index into a member repeats its type only as far as the member goes: all that is copied is looked at.
  const std::uint64_t longest = strides.empty() ? 0 : *llvm::max_element(strides);
  const std::uint64_t window = std::min(std::max(longest, constant_length(intrinsic).value_or(0)), most_mixed_bytes);
  for (std::uint64_t stride : strides) {
    if (stride > most_mixed_bytes)
      continue;
    auto pieces = pieces_of(intrinsic, stride, types, loose_types);
    if (pieces && repeats(*pieces, stride, window, *transfer->getRawDest(), types) &&
        repeats(*pieces, stride, window, *transfer->getRawSource(), types)) {
      Decision decision{&intrinsic, Decision::Form::loop, {}, std::move(*pieces), stride};
      shorten_to_period(decision);
      return decision;
    }
  }
  if (by_reads)
    return by_reads;
  // Of a short piece all would be known by now; the layout of what it is a part of says nothing of the rest.
  const bool is_short = constant_length(intrinsic).value_or(most_mixed_bytes + 1) <= most_mixed_bytes;
  if (llvm::isa<llvm::MemCpyInst>(transfer) && !is_short && !types.summarize(*transfer->getRawSource()).conflicting)
    if (auto fields = types.whole_layout(*transfer->getRawDest()))
      return Decision{&intrinsic, Decision::Form::fields, {}, {}, 0, std::move(*fields)};
  return std::nullopt;
}

/// All loads come first: source and target of a memmove may overlap.
void copy_pieces(llvm::IRBuilderBase &builder, llvm::Value *target, llvm::Align target_align, llvm::Value *source,
                 llvm::Align source_align, llvm::ArrayRef<MemoryPiece> pieces) {
  const auto values = load_pieces(builder, pieces, source, source_align);
  for (auto [piece, value] : llvm::zip_equal(pieces, values))
    builder.CreateAlignedStore(value, offset_by(builder, target, piece.offset),
                               llvm::commonAlignment(target_align, piece.offset));
}

void unroll(llvm::MemIntrinsic &intrinsic, llvm::ArrayRef<MemoryPiece> pieces) {
  llvm::IRBuilder<> builder(&intrinsic);
  llvm::Align align = intrinsic.getDestAlign().valueOrOne();
  if (auto *transfer = llvm::dyn_cast<llvm::MemTransferInst>(&intrinsic)) {
    copy_pieces(builder, transfer->getRawDest(), align, transfer->getRawSource(),
                transfer->getSourceAlign().valueOrOne(), pieces);
  } else {
    for (const MemoryPiece &piece : pieces)
      builder.CreateAlignedStore(llvm::Constant::getNullValue(piece.type),
                                 offset_by(builder, intrinsic.getRawDest(), piece.offset),
                                 llvm::commonAlignment(align, piece.offset));
  }
  intrinsic.eraseFromParent();
}

/// One transfer that is rewritten as a loop.
struct LoopedCopy {
  llvm::Value *target, *source;
  llvm::Align target_align, source_align;
  llvm::ArrayRef<MemoryPiece> pieces;

  void copy(llvm::IRBuilderBase &builder, llvm::Value *offset, llvm::ArrayRef<MemoryPiece> part) const {
    copy_pieces(builder, builder.CreatePtrAdd(target, offset), target_align, builder.CreatePtrAdd(source, offset),
                source_align, part);
  }
};

enum class Direction : std::uint8_t { up, down };

/// The piece in which the length ends: bytes of it, which carry nothing.
void copy_cut_piece(llvm::Instruction &place, const LoopedCopy &transfer, llvm::Value *offset, llvm::Value *length,
                    const MemoryPiece &piece) {
  llvm::IRBuilder<> builder(&place);
  llvm::Value *start = builder.CreateAdd(offset, builder.getInt64(piece.offset));
  auto *bytes = llvm::cast<llvm::MemIntrinsic>(
      builder.CreateMemMove(builder.CreatePtrAdd(transfer.target, start), llvm::Align(1),
                            builder.CreatePtrAdd(transfer.source, start), llvm::Align(1), length));
  set_memory_kind(*bytes, {MemoryContent::none, nullptr});
}

/// The last element, where the length ends within it: those of its pieces that are inside, one after the other, and
/// what is there of the one in which it ends.
void copy_rest(llvm::Instruction &place, const LoopedCopy &transfer, llvm::Value *offset, llvm::Value *rest,
               llvm::Value *when, Direction direction) {
  llvm::SmallVector<MemoryPiece, 8> order(transfer.pieces);
  if (direction == Direction::down)
    std::reverse(order.begin(), order.end());
  const llvm::DataLayout &layout = place.getDataLayout();
  // Where the length is constant, most of this never happens; lengths of what does not would be nonsense.
  const auto branch_if = [&](llvm::IRBuilder<> &builder, llvm::Value *condition) -> llvm::Instruction * {
    if (const auto *known = llvm::dyn_cast<llvm::ConstantInt>(condition); known != nullptr && known->isZero())
      return nullptr;
    return llvm::SplitBlockAndInsertIfThen(when != nullptr ? builder.CreateAnd(condition, when) : condition,
                                           place.getIterator(), false);
  };
  for (const MemoryPiece &piece : order) {
    llvm::IRBuilder<> builder(&place);
    const std::uint64_t end = piece.offset + layout.getTypeStoreSize(piece.type);
    if (llvm::Instruction *inside = branch_if(builder, builder.CreateICmpUGE(rest, builder.getInt64(end)))) {
      llvm::IRBuilder<> then(inside);
      then.SetCurrentDebugLocation(place.getDebugLoc());
      transfer.copy(then, offset, piece);
    }
    if (end - piece.offset == 1)
      continue;
    builder.SetInsertPoint(&place);
    llvm::Value *in_piece = builder.CreateSub(rest, builder.getInt64(piece.offset));
    llvm::Value *is_cut = builder.CreateICmpULT(builder.CreateSub(in_piece, builder.getInt64(1)),
                                                builder.getInt64(end - piece.offset - 1));
    if (llvm::Instruction *cut = branch_if(builder, is_cut))
      copy_cut_piece(*cut, transfer, offset, in_piece, piece);
  }
}

/// for (i = 0; i < length / size; ++i) copy element i; a memmove to higher addresses runs from the last element down.
void copy_in_loop(llvm::MemTransferInst &transfer, llvm::ArrayRef<MemoryPiece> pieces, std::uint64_t size) {
  const LoopedCopy copy{transfer.getRawDest(), transfer.getRawSource(),
                        llvm::commonAlignment(transfer.getDestAlign().valueOrOne(), size),
                        llvm::commonAlignment(transfer.getSourceAlign().valueOrOne(), size), pieces};
  llvm::IRBuilder<> builder(&transfer);
  llvm::Value *length = builder.CreateZExtOrTrunc(transfer.getLength(), builder.getInt64Ty());
  llvm::Value *count = builder.CreateUDiv(length, builder.getInt64(size), "copy.count");
  llvm::Value *descending =
      llvm::isa<llvm::MemMoveInst>(transfer) ? builder.CreateICmpULT(copy.source, copy.target) : nullptr;
  if (!is_multiple(*transfer.getLength(), size)) {
    llvm::Value *whole = builder.CreateMul(count, builder.getInt64(size));
    llvm::Value *rest = builder.CreateSub(length, whole, "copy.rest");
    llvm::Value *ascending = descending != nullptr ? builder.CreateNot(descending) : nullptr;
    if (descending != nullptr)
      copy_rest(transfer, copy, whole, rest, descending, Direction::down);
    copy_rest(*transfer.getNextNode(), copy, whole, rest, ascending, Direction::up);
  }

  llvm::BasicBlock *before = transfer.getParent();
  llvm::BasicBlock *after = llvm::SplitBlock(before, &transfer);
  auto *loop = llvm::BasicBlock::Create(before->getContext(), "copy.loop", before->getParent(), after);
  builder.SetInsertPoint(before->getTerminator());
  builder.SetCurrentDebugLocation(transfer.getDebugLoc());
  builder.CreateCondBr(builder.CreateICmpEQ(count, builder.getInt64(0)), after, loop);
  before->getTerminator()->eraseFromParent();

  builder.SetInsertPoint(loop);
  auto *step = builder.CreatePHI(builder.getInt64Ty(), 2, "copy.step");
  step->addIncoming(builder.getInt64(0), before);
  llvm::Value *next = builder.CreateNUWAdd(step, builder.getInt64(1), "copy.next");
  llvm::Value *element = step;
  if (descending != nullptr)
    element = builder.CreateSelect(descending, builder.CreateSub(count, next), step, "copy.element");
  copy.copy(builder, builder.CreateMul(element, builder.getInt64(size), "copy.offset"), pieces);
  step->addIncoming(next, loop);
  builder.CreateCondBr(builder.CreateICmpEQ(next, count), after, loop);
  transfer.eraseFromParent();
}

/// for (at = offset; at + size <= length; at += stride) copy what is there; once where there is no stride.
void copy_field(llvm::MemTransferInst &transfer, const RepeatedField &field) {
  llvm::LLVMContext &context = transfer.getContext();
  llvm::Type *type = field.type.kind == ByteKind::pointer ? llvm::PointerType::getUnqual(context) : field.type.floating;
  const std::uint64_t size = transfer.getDataLayout().getTypeStoreSize(type).getFixedValue();
  llvm::BasicBlock *before = transfer.getParent();
  llvm::BasicBlock *after = llvm::SplitBlock(before, transfer.getNextNode());
  auto *loop = llvm::BasicBlock::Create(context, "copy.field", before->getParent(), after);

  llvm::IRBuilder<> builder(before->getTerminator());
  builder.SetCurrentDebugLocation(transfer.getDebugLoc());
  llvm::Value *length = builder.CreateZExtOrTrunc(transfer.getLength(), builder.getInt64Ty());
  const auto fits = [&](llvm::Value *at) {
    return builder.CreateICmpULE(builder.CreateAdd(at, builder.getInt64(size)), length);
  };
  llvm::Value *first = builder.getInt64(field.offset);
  builder.CreateCondBr(fits(first), loop, after);
  before->getTerminator()->eraseFromParent();

  builder.SetInsertPoint(loop);
  auto *at = builder.CreatePHI(builder.getInt64Ty(), 2, "copy.at");
  at->addIncoming(first, before);
  llvm::Value *value =
      builder.CreateAlignedLoad(type, builder.CreatePtrAdd(transfer.getRawSource(), at), llvm::Align(1));
  builder.CreateAlignedStore(value, builder.CreatePtrAdd(transfer.getRawDest(), at), llvm::Align(1));
  if (field.stride == 0) {
    builder.CreateBr(after);
    return;
  }
  llvm::Value *next = builder.CreateAdd(at, builder.getInt64(field.stride), "copy.next");
  at->addIncoming(next, loop);
  builder.CreateCondBr(fits(next), loop, after);
}

/// All bytes are copied as they are, and then all floats and pointers once more as what they are.
void copy_fields(llvm::MemTransferInst &transfer, llvm::ArrayRef<RepeatedField> fields) {
  set_memory_kind(transfer, {MemoryContent::none, nullptr});
  for (const RepeatedField &field : fields)
    if (field.type.kind == ByteKind::pointer || field.type.kind == ByteKind::floating)
      copy_field(transfer, field);
}

} // namespace

void retype_transfers(llvm::Function &function, const TypeAnalysis &types, bool loose_types) {
  std::vector<Decision> decisions;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *intrinsic = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction);
        intrinsic != nullptr && !memory_kind(*intrinsic))
      if (auto decision = decide(*intrinsic, types, loose_types))
        decisions.push_back(std::move(*decision));
  for (const Decision &decision : decisions) {
    switch (decision.form) {
    case Decision::Form::annotate:
      set_memory_kind(*decision.intrinsic, decision.kind);
      break;
    case Decision::Form::unroll:
      unroll(*decision.intrinsic, decision.pieces);
      break;
    case Decision::Form::loop:
      copy_in_loop(llvm::cast<llvm::MemTransferInst>(*decision.intrinsic), decision.pieces, decision.element_size);
      break;
    case Decision::Form::fields:
      copy_fields(llvm::cast<llvm::MemTransferInst>(*decision.intrinsic), decision.fields);
      break;
    }
  }
}

} // namespace assay::engine
