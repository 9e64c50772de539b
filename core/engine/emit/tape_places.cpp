// Where on the tape a value lies.
#include "core/engine/emit/tape.hpp"
#include "core/engine/emit/tape_helpers.hpp"
#include "core/engine/support/convention_names.hpp"

using namespace llvm;

namespace assay::engine {

// --- the current segment or record -----------------------------------------------------------------------------------

PointerType *Tape::place_type() const {
  LLVMContext &context = sweep_.function.getContext();
  return uses_words_ ? global_pointer_type(context) : PointerType::getUnqual(context);
}

/// A record that is less than a word may lie in the middle of one.
bool Tape::begins_with_word(const LoopTape &tape) const {
  return uses_words_ && (tape.layout->kind == TapeKind::segment || tape.layout->bytes % tape_word_bytes == 0);
}

static Value *position_place(IRBuilder<> &builder, Value *state) {
  return builder.CreateStructGEP(tape_state_type(builder.getContext()), state, 2);
}
Value *Tape::position(IRBuilder<> &builder, Value *state) {
  return builder.CreateLoad(builder.getInt64Ty(), position_place(builder, state));
}

Value *Tape::place(IRBuilder<> &builder, const LoopTape &tape, Side side, Value *position) const {
  const bool in_reverse = side == Side::reverse;
  Value *buffer = builder.CreateLoad(builder.getPtrTy(), in_reverse ? tape.reverse_state : tape.forward_state);
  if (!uses_words_)
    return builder.CreateInBoundsPtrAdd(buffer, position);
  const TapeWords words{in_global_memory(builder, buffer), stride(builder, tape, side)};
  return word_address(builder, words, position, begins_with_word(tape) ? tape_word_bytes : tape.layout->bytes);
}

Value *Tape::stride(IRBuilder<> &builder, const LoopTape &tape, Side side) const {
  return builder.CreateLoad(builder.getInt64Ty(), side == Side::reverse ? tape.reverse_stride : tape.forward_stride);
}

/// Addresses of words are not computed from positions, which would be a product in each iteration.
Instruction *Tape::advance(IRBuilder<> &builder, const LoopTape &tape, Value *bytes) const {
  Value *position = Tape::position(builder, tape.forward_state);
  if (begins_with_word(tape)) {
    Value *base = builder.CreateLoad(place_type(), tape.forward_next);
    builder.CreateStore(base, tape.forward_base);
    Value *length = distance_in_words(builder, stride(builder, tape, Side::forward), bytes);
    builder.CreateStore(builder.CreateInBoundsPtrAdd(base, length), tape.forward_next);
  } else {
    builder.CreateStore(place(builder, tape, Side::forward, position), tape.forward_base);
  }
  return builder.CreateStore(builder.CreateAdd(position, bytes, "", true, true),
                             position_place(builder, tape.forward_state));
}

void Tape::go_back(IRBuilder<> &builder, const LoopTape &tape, Value *bytes) const {
  if (begins_with_word(tape)) {
    Value *length = distance_in_words(builder, stride(builder, tape, Side::reverse), bytes);
    Value *end = builder.CreateLoad(place_type(), tape.reverse_base);
    builder.CreateStore(builder.CreateInBoundsPtrAdd(end, builder.CreateNeg(length)), tape.reverse_base);
    return;
  }
  Value *position = builder.CreateSub(Tape::position(builder, tape.reverse_state), bytes, "", true, true);
  builder.CreateStore(position, position_place(builder, tape.reverse_state));
  builder.CreateStore(place(builder, tape, Side::reverse, position), tape.reverse_base);
}

// --- of values -------------------------------------------------------------------------------------------------------

const Tape::LoopTape *Tape::in_words(const Instruction &value) const {
  if (!uses_words_ || once_.contains(&value))
    return nullptr;
  const LoopTape &tape = tapes_.find(loops_.getLoopFor(value.getParent()))->second;
  return tape.layout->kind == TapeKind::fixed ? nullptr : &tape;
}

/// In bytes of one iteration.
std::uint64_t Tape::offset_in(const LoopTape &tape, const Instruction &value) {
  return tape.layout->offsets[find(tape.values, &value) - tape.values.begin()];
}

/// Those of one iteration.
TapeWords Tape::words_of(IRBuilder<> &builder, const Instruction &value, Side side, IterationOf iteration_of) const {
  const Loop *loop = loops_.getLoopFor(value.getParent());
  const LoopTape &tape = tapes_.find(loop)->second;
  const bool in_reverse = side == Side::reverse;
  TapeWords words{builder.CreateLoad(place_type(), in_reverse ? tape.reverse_base : tape.forward_base),
                  builder.CreateLoad(builder.getInt64Ty(), in_reverse ? tape.reverse_stride : tape.forward_stride)};
  if (tape.layout->kind == TapeKind::segment)
    words.first = iteration_address(builder, words, iteration_of(*loop), tape.layout->bytes);
  return words;
}

Value *Tape::fixed_index(IRBuilder<> &builder, const Loop &loop, IterationOf iteration_of) const {
  SmallVector<const Loop *, 4> nest;
  for (const Loop *around = &loop; around; around = around->getParentLoop())
    nest.push_back(around);
  Value *index = nullptr;
  for (const Loop *around : reverse(nest)) {
    Value *iteration = iteration_of(*around);
    if (!index) {
      index = iteration;
      continue;
    }
    Value *length = builder.getInt64(*control_.loops.at(around).most + 1);
    index = builder.CreateAdd(builder.CreateMul(index, length, "", true, true), iteration, "", true, true);
  }
  return index;
}

Value *Tape::address(IRBuilder<> &builder, const Instruction &value, Side side, IterationOf iteration_of) {
  const bool in_reverse = side == Side::reverse;
  if (auto found = once_.find(&value); found != once_.end())
    return in_reverse ? cells_[found->second].reverse : cells_[found->second].forward;
  const Loop *loop = loops_.getLoopFor(value.getParent());
  LoopTape &tape = tapes_.find(loop)->second;
  const unsigned which = find(tape.values, &value) - tape.values.begin();
  if (tape.layout->kind == TapeKind::fixed) {
    const Cell &cell = cells_[tape.cells[which]];
    Value *index = fixed_index(builder, *loop, iteration_of);
    return builder.CreateInBoundsGEP(cell.type, in_reverse ? cell.reverse : cell.forward, {builder.getInt64(0), index});
  }
  Value *base = builder.CreateLoad(builder.getPtrTy(), in_reverse ? tape.reverse_base : tape.forward_base);
  if (tape.layout->kind == TapeKind::record)
    return builder.CreateInBoundsPtrAdd(base, builder.getInt64(tape.layout->offsets[which]));
  Value *length = in_reverse ? builder.CreateLoad(builder.getInt64Ty(), tape.reverse_length) : tape.forward_length;
  if (tape.layout->offsets[which] > 0)
    base = builder.CreateInBoundsPtrAdd(
        base, builder.CreateMul(length, builder.getInt64(tape.layout->offsets[which]), "", true, true));
  return builder.CreateInBoundsGEP(value.getType(), base, iteration_of(*loop));
}

} // namespace assay::engine
