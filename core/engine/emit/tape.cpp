#include "core/engine/emit/tape.hpp"
#include "core/engine/emit/deferred_frees.hpp"
#include "core/engine/emit/releases.hpp"
#include "core/engine/emit/tape_helpers.hpp"
#include "core/engine/emit/tape_home.hpp"
#include "core/engine/emit/tape_memory.hpp"
#include "core/engine/support/convention_names.hpp"
#include "core/engine/support/device_target.hpp"
#include "core/engine/support/memory_calls.hpp"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr std::uint64_t tape_alignment = 16;

Value *round_up(IRBuilder<> &builder, Value *bytes, std::uint64_t unit) {
  Value *padded = builder.CreateAdd(bytes, builder.getInt64(unit - 1), "", true, true);
  return builder.CreateAnd(padded, builder.getInt64(-unit));
}

/// Wide vectors lie in the tape's memory as they come.
Align kept_alignment(const Instruction &value) {
  return std::min(Align(tape_alignment), value.getDataLayout().getABITypeAlign(value.getType()));
}

} // namespace

Tape::Tape(ForwardSweep &sweep, const ControlRecord &control, const Plan &plan, LoopInfo &loops, Bind bind,
           Function &reverse)
    : sweep_(sweep), control_(control), loops_(loops), reverse_(reverse), frame_home_(plan.tape.frame_home),
      uses_words_(is_device_code(*sweep.function.getParent())) {
  for (const KeptValue &value : plan.kept)
    kept_.push_back(bind(value));
  for (const KeptValue &value : plan.tape.once)
    once_[bind(value)] = add_cell(value.type());
  for (const auto &[loop, layout] : plan.tape.loops)
    add_loop(*loop, layout, bind);
  for (AllocaInst *memory : plan.tape.frame_memory) {
    frame_cells_[memory] = add_cell(memory->getAllocatedType());
    cells_.back().alignment = memory->getAlign();
  }
}

void Tape::add_loop(const Loop &loop, const LoopTapeLayout &layout, Bind bind) {
  LoopTape &tape = tapes_[&loop];
  tape.layout = &layout;
  for (const KeptValue &value : layout.values) {
    tape.values.push_back(bind(value));
    if (layout.kind == TapeKind::fixed)
      tape.cells.push_back(add_cell(ArrayType::get(value.type(), layout.iterations)));
  }
  if (layout.kind == TapeKind::fixed)
    return;
  if (layout.kind == TapeKind::segment)
    tape.pieces = SeparatePieces(sweep_.function.getContext(), unsigned(tape.values.size()));
  tape.state_cell = add_cell(tape_state_type(sweep_.function.getContext()));
}

std::uint64_t Tape::size_of(Type *type) const {
  return sweep_.function.getParent()->getDataLayout().getTypeAllocSize(type);
}

unsigned Tape::add_cell(Type *type) {
  cells_.push_back({type});
  return cells_.size() - 1;
}

// --- the forward sweep -----------------------------------------------------------------------------------------------

void Tape::write_forward() {
  make_cells();
  for (auto &[loop, tape] : tapes_)
    if (tape.layout->kind != TapeKind::fixed)
      open_forward(*loop, tape);
  for (Instruction *value : kept_)
    store(*value);
  if (sweep_.split)
    save_states();
}

void Tape::make_cells() {
  BasicBlock &entry = sweep_.function.getEntryBlock();
  IRBuilder<> builder(&entry, entry.getFirstInsertionPt());
  if (sweep_.split) {
    make_split_frame();
  } else {
    for (Cell &cell : cells_)
      cell.forward = cell.reverse = builder.CreateAlloca(cell.type, nullptr, "tape");
  }
  BasicBlock::iterator after_allocas = entry.getFirstNonPHIOrDbgOrAlloca();
  for (auto &[loop, tape] : tapes_) {
    if (tape.layout->kind == TapeKind::fixed)
      continue;
    builder.SetInsertPoint(&entry, entry.getFirstInsertionPt());
    tape.forward_base = builder.CreateAlloca(place_type(), nullptr, "tape.base");
    if (uses_words_) {
      tape.forward_next = builder.CreateAlloca(place_type(), nullptr, "tape.next");
      tape.forward_stride = builder.CreateAlloca(builder.getInt64Ty(), nullptr, "tape.stride");
    }
    tape.forward_state = sweep_.split ? builder.CreateAlloca(cells_[tape.state_cell].type, nullptr, "tape.state")
                                      : cells_[tape.state_cell].forward;
    builder.SetInsertPoint(&entry, after_allocas);
    builder.CreateStore(Constant::getNullValue(cells_[tape.state_cell].type), tape.forward_state);
    if (uses_words_) {
      builder.CreateStore(Constant::getNullValue(place_type()), tape.forward_next);
      builder.CreateStore(builder.getInt64(tape_word_bytes), tape.forward_stride);
    }
    if (sweep_.split)
      continue;
    tape.reverse_state = tape.forward_state;
    tape.reverse_stride = tape.forward_stride;
  }
}

/// malloc serves alignments up to that of the largest scalar; stricter stack memory (SIMD types, alignas) asks for its
/// own.
CallInst *Tape::allocate_frame(IRBuilder<> &builder, std::uint64_t bytes, Align alignment) const {
  Module &module = *sweep_.function.getParent();
  if (alignment.value() <= tape_alignment)
    return builder.CreateCall(take_function(module, frame_home_), {builder.getInt64(bytes)}, "tape");
  return builder.CreateCall(aligned_alloc_function(module),
                            {builder.getInt64(alignment.value()), builder.getInt64(bytes)}, "tape");
}

/// One heap block holds every slot, the stack memory that the reverse sweep still reads, and the states of the loops'
/// tapes.
void Tape::make_split_frame() {
  BasicBlock &entry = sweep_.function.getEntryBlock();
  IRBuilder<> builder(&entry, entry.begin());
  if (cells_.empty()) {
    forward_frame_ = ConstantPointerNull::get(builder.getPtrTy());
    return;
  }
  std::uint64_t bytes = 0;
  Align strictest(tape_alignment);
  for (Cell &cell : cells_) {
    const Align alignment = std::max(cell.alignment, sweep_.function.getDataLayout().getABITypeAlign(cell.type));
    strictest = std::max(strictest, alignment);
    cell.offset = alignTo(bytes, alignment);
    bytes = cell.offset + size_of(cell.type);
  }
  CallInst *frame = allocate_frame(builder, alignTo(bytes, strictest), strictest);
  forward_frame_ = frame;
  for (Cell &cell : cells_)
    cell.forward = builder.CreateInBoundsPtrAdd(frame, builder.getInt64(cell.offset));
  for (auto [memory, cell] : frame_cells_) {
    frame_addresses_[memory] = frame_addresses_[cast<Instruction>(cells_[cell].forward)] = cell;
    memory->replaceAllUsesWith(cells_[cell].forward);
  }
}

void Tape::open_forward(const Loop &loop, LoopTape &tape) {
  if (tape.layout->kind == TapeKind::record) {
    BasicBlock *header = loop.getHeader();
    IRBuilder<> builder(header, header->getFirstInsertionPt());
    tape.prologue_end = take_alone(builder, tape, builder.getInt64(tape.layout->bytes));
    return;
  }
  IRBuilder<> builder(loop.getLoopPreheader()->getTerminator());
  Value *count = control_.loops.at(&loop).count;
  tape.forward_length = builder.CreateAdd(count, builder.getInt64(1), "length", true, true);
  reserve_segments(loop, tape, rounded_bytes(builder, tape, tape.forward_length));
}

/// A segment's.
Value *Tape::rounded_bytes(IRBuilder<> &builder, const LoopTape &tape, Value *length) const {
  Value *bytes = builder.CreateMul(length, builder.getInt64(tape.layout->bytes), "", true, true);
  return round_up(builder, bytes, uses_words_ ? tape_word_bytes : tape_alignment);
}

/// Makes room for `bytes` and takes it; the last instruction.
Instruction *Tape::take_alone(IRBuilder<> &builder, const LoopTape &tape, Value *bytes) {
  if (uses_words_) {
    reserve(builder, tape, bytes);
    return advance(builder, tape, bytes);
  }
  CallInst *taken = builder.CreateCall(tape_push_function(*sweep_.function.getParent(), tape.layout->home),
                                       {tape.forward_state, bytes});
  helper_calls_.push_back(taken);
  return builder.CreateStore(taken, tape.forward_base);
}

void Tape::reserve(IRBuilder<> &builder, const LoopTape &tape, Value *bytes) {
  Module &module = *sweep_.function.getParent();
  helper_calls_.push_back(
      uses_words_ ? builder.CreateCall(tape_reserve_words_function(module),
                                       {tape.forward_state, bytes, tape.forward_stride, tape.forward_next})
                  : builder.CreateCall(tape_reserve_function(module, tape.layout->home), {tape.forward_state, bytes}));
}

/// Of memory that is taken once: a plain allocation, which the vectorisers know to alias nothing.
void Tape::take_once(IRBuilder<> &builder, const LoopTape &tape, Value *bytes) {
  Module &module = *sweep_.function.getParent();
  const FunctionCallee take = uses_words_ ? tape_take_words_function(module) : take_function(module, tape.layout->home);
  Value *buffer = builder.CreateCall(take, {bytes}, "tape");
  builder.CreateStore(buffer, tape.forward_state);
  if (!uses_words_)
    return;
  builder.CreateStore(emit_tape_stride(builder, buffer), tape.forward_stride);
  builder.CreateStore(in_global_memory(builder, buffer), tape.forward_next);
}

void Tape::reserve_segments(const Loop &loop, LoopTape &tape, Value *bytes) {
  const Reservation &reservation = tape.layout->reservation;
  const Loop *outermost = reservation.loop;
  IRBuilder<> builder(loop.getLoopPreheader()->getTerminator());
  if (tape.layout->is_reserved_alone(loop)) {
    take_alone(builder, tape, bytes);
    return;
  }
  // All executions of the loop below one execution of `outermost` are reserved together.
  IRBuilder<> early(outermost->getLoopPreheader()->getTerminator());
  Value *length = early.CreateAdd(control_.loops.at(&loop).count, early.getInt64(1), "", true, true);
  Value *total = rounded_bytes(early, tape, length);
  for (const Loop *outer = loop.getParentLoop(); outer && outermost->contains(outer); outer = outer->getParentLoop())
    total = early.CreateMul(total, early.CreateAdd(control_.loops.at(outer).count, early.getInt64(1), "", true, true));
  for (const Guard &guard : reservation.guards)
    total = guard.expected ? early.CreateSelect(guard.condition, total, early.getInt64(0))
                           : early.CreateSelect(guard.condition, early.getInt64(0), total);
  if (tape.layout->is_reserved_once())
    take_once(early, tape, total);
  else
    reserve(early, tape, total);
  advance(builder, tape, bytes);
}

void Tape::store(Instruction &value) {
  std::optional<BasicBlock::iterator> place = value.getInsertionPointAfterDef();
  if (const Loop *loop = loops_.getLoopFor(value.getParent()); loop && isa<PHINode>(value)) {
    const LoopTape &tape = tapes_.find(loop)->second;
    if (tape.layout->kind == TapeKind::record && value.getParent() == loop->getHeader())
      place = std::next(tape.prologue_end->getIterator());
  }
  // Behind the values that addresses are computed from: allocas of the entry, counters of the header.
  IRBuilder<> builder((*place)->getParent(), *place);
  const auto iteration_of = [&](const Loop &loop) -> Value * { return control_.loops.at(&loop).iteration; };
  if (const LoopTape *tape = in_words(value))
    return store_in_words(builder, &value, words_of(builder, value, Side::forward, iteration_of),
                          offset_in(*tape, value), [&](Instruction &access) { note_access(access, value); });
  Value *target = address(builder, value, Side::forward, iteration_of);
  note_access(*builder.CreateAlignedStore(&value, target, kept_alignment(value)), value);
}

/// An access of the place where `value` is kept.
void Tape::note_access(Instruction &access, const Instruction &value) {
  accesses_.push_back(&access);
  auto found = once_.contains(&value) ? tapes_.end() : tapes_.find(loops_.getLoopFor(value.getParent()));
  if (found == tapes_.end())
    return;
  const LoopTape &tape = found->second;
  if (auto place = llvm::find(tape.values, &value); place != tape.values.end())
    tape.pieces.mark(access, unsigned(place - tape.values.begin()));
}

/// The frame takes over the positions that the loops' tapes have reached.
void Tape::save_states() {
  ReturnInst *exit = sweep_.exit();
  if (!exit)
    return;
  IRBuilder<> builder(exit);
  for (auto &[loop, tape] : tapes_)
    if (tape.layout->kind != TapeKind::fixed)
      accesses_.push_back(builder.CreateStore(builder.CreateLoad(cells_[tape.state_cell].type, tape.forward_state),
                                              cells_[tape.state_cell].forward));
}

// --- the reverse sweep -----------------------------------------------------------------------------------------------

void Tape::begin_reverse(IRBuilder<> &builder) {
  BasicBlock &entry = reverse_.getEntryBlock();
  IRBuilder<> slots(&entry, entry.getFirstInsertionPt());
  Value *frame = sweep_.split ? reverse_.getArg(reverse_.arg_size() - 1) : nullptr;
  if (frame)
    for (Cell &cell : cells_)
      cell.reverse = builder.CreateInBoundsPtrAdd(frame, builder.getInt64(cell.offset));
  for (auto &[loop, tape] : tapes_) {
    if (tape.layout->kind == TapeKind::fixed)
      continue;
    tape.reverse_base = slots.CreateAlloca(place_type(), nullptr, "tape.base");
    if (tape.layout->kind == TapeKind::segment)
      tape.reverse_length = slots.CreateAlloca(builder.getInt64Ty(), nullptr, "tape.length");
    if (sweep_.split)
      take_over_state(builder, slots, tape);
    if (begins_with_word(tape))
      builder.CreateStore(place(builder, tape, Side::reverse, position(builder, tape.reverse_state)),
                          tape.reverse_base);
  }
}

/// From the frame.
void Tape::take_over_state(IRBuilder<> &builder, IRBuilder<> &slots, LoopTape &tape) {
  Type *type = cells_[tape.state_cell].type;
  tape.reverse_state = slots.CreateAlloca(type, nullptr, "tape.state");
  auto *state = builder.CreateLoad(type, cells_[tape.state_cell].reverse);
  accesses_.push_back(state);
  builder.CreateStore(state, tape.reverse_state);
  if (!uses_words_)
    return;
  tape.reverse_stride = slots.CreateAlloca(builder.getInt64Ty(), nullptr, "tape.stride");
  builder.CreateStore(emit_tape_stride(builder, builder.CreateExtractValue(state, 0)), tape.reverse_stride);
}

Value *Tape::load(IRBuilder<> &builder, Instruction &value, IterationOf iteration_of) {
  if (const LoopTape *tape = in_words(value))
    return load_from_words(builder, value.getType(), words_of(builder, value, Side::reverse, iteration_of),
                           offset_in(*tape, value), [&](Instruction &access) { note_access(access, value); });
  Value *place = address(builder, value, Side::reverse, iteration_of);
  LoadInst *load = builder.CreateAlignedLoad(value.getType(), place, kept_alignment(value), value.getName());
  note_access(*load, value);
  return load;
}

Value *Tape::read(IRBuilder<> &builder, Instruction &value, IterationOf iteration_of) {
  Value *read = load(builder, value, iteration_of);
  if (auto found = tapes_.find(loops_.getLoopFor(value.getParent())); found != tapes_.end())
    for (const auto &[argument, call] : found->second.layout->reused)
      if (argument == &value)
        kept_calls_.note(*read, *load(builder, *call, iteration_of), *call->getCalledFunction());
  return read;
}

Value *Tape::frame_address(const Instruction &address) const {
  auto found = frame_addresses_.find(&address);
  return found == frame_addresses_.end() ? nullptr : cells_[found->second].reverse;
}

Value *Tape::forward_address(AllocaInst &memory) const {
  auto found = frame_addresses_.find(&memory);
  return found == frame_addresses_.end() ? &memory : cells_[found->second].forward;
}

void Tape::enter_loop(IRBuilder<> &builder, const Loop &loop, Value *count) {
  auto found = tapes_.find(&loop);
  if (found == tapes_.end() || found->second.layout->kind == TapeKind::fixed)
    return;
  LoopTape &tape = found->second;
  if (tape.layout->kind == TapeKind::record)
    return previous_iteration(builder, loop);
  Value *length = builder.CreateAdd(count, builder.getInt64(1), "length", true, true);
  builder.CreateStore(length, tape.reverse_length);
  go_back(builder, tape, rounded_bytes(builder, tape, length));
}

void Tape::previous_iteration(IRBuilder<> &builder, const Loop &loop) {
  auto found = tapes_.find(&loop);
  if (found == tapes_.end() || found->second.layout->kind != TapeKind::record)
    return;
  go_back(builder, found->second, builder.getInt64(found->second.layout->bytes));
}

void Tape::release(IRBuilder<> &builder) {
  Module &module = *sweep_.function.getParent();
  if ((sweep_.split && !sweep_.request.options.free_tape) || sweep_.buries_tape())
    return;
  for (auto &[loop, tape] : tapes_)
    if (tape.layout->kind != TapeKind::fixed)
      builder.CreateCall(leave_function(module, tape.layout->home),
                         {builder.CreateLoad(builder.getPtrTy(), tape.reverse_state)});
  if (sweep_.split && !cells_.empty())
    builder.CreateCall(leave_function(module, frame_home_), {reverse_.getArg(reverse_.arg_size() - 1)});
}

void Tape::abandon(IRBuilder<> &builder) {
  Module &module = *sweep_.function.getParent();
  for (auto &[loop, tape] : tapes_)
    if (tape.layout->kind != TapeKind::fixed)
      builder.CreateCall(leave_function(module, tape.layout->home),
                         {builder.CreateLoad(builder.getPtrTy(), tape.forward_state)});
  if (!sweep_.split || cells_.empty())
    return;
  if (sweep_.buries_tape())
    builder.CreateCall(bury_function(module),
                       {sweep_.deferred_frees_list, forward_frame_,
                        release_thunk(module, {leave_function(module, frame_home_)}), builder.getInt64(0)});
  else
    builder.CreateCall(leave_function(module, frame_home_), {forward_frame_});
}

void Tape::release_frame(IRBuilder<> &builder, Value *frame) {
  Module &module = *sweep_.function.getParent();
  for (auto &[loop, tape] : tapes_)
    if (tape.layout->kind != TapeKind::fixed) {
      Value *state = builder.CreateInBoundsPtrAdd(frame, builder.getInt64(cells_[tape.state_cell].offset));
      builder.CreateCall(leave_function(module, tape.layout->home), {builder.CreateLoad(builder.getPtrTy(), state)});
    }
  builder.CreateCall(leave_function(module, frame_home_), {frame});
}

bool Tape::is_on_heap() const {
  return (sweep_.split && !cells_.empty()) ||
         any_of(tapes_, [](const auto &entry) { return entry.second.layout->kind != TapeKind::fixed; });
}

void Tape::inline_helpers() {
  for (CallInst *call : helper_calls_) {
    InlineFunctionInfo info;
    InlineFunction(*call, info, /*MergeAttributes=*/false, nullptr, /*InsertLifetime=*/false);
  }
  helper_calls_.clear();
}

} // namespace assay::engine
