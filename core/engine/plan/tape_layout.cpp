#include "core/engine/plan/tape_layout.hpp"
#include "core/engine/plan/value_text.hpp"
#include "core/engine/support/convention_names.hpp"
#include "core/engine/support/device_target.hpp"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr std::uint64_t fixed_array_limit = 4096;            // bytes of one array on the stack
constexpr std::uint64_t fixed_total_limit = 32768;           // bytes of all of them
constexpr std::uint64_t bounded_limit = 1024;                // bytes of an array that may stay partly unused
constexpr Align alignment_of_blocks = Align::Constant<16>(); // of memory that is allocated

class LayoutBuilder {
public:
  explicit LayoutBuilder(const TapeLayoutInput &input)
      : input_(input), layout_(input.sweep.getDataLayout()), on_device_(is_device_code(*input.sweep.getParent())) {}

  TapeLayout run() {
    for (const KeptValue &kept : input_.kept)
      if (const Loop *loop = input_.loops.getLoopFor(kept.origin->getParent()))
        result_.loops[loop].values.push_back(kept);
      else
        result_.once.push_back(kept);
    for (auto &[loop, tape] : result_.loops)
      lay_out(*loop, tape);
    if (!input_.split)
      return std::move(result_);
    keep_stack_memory();
    if (frame_alignment() <= alignment_of_blocks)
      result_.frame_home = split_home();
    return std::move(result_);
  }

private:
  void lay_out(const Loop &loop, LoopTapeLayout &tape) {
    DenseMap<const Instruction *, std::pair<std::uint64_t, std::size_t>> rank; // large first, else program order
    for (const auto &[position, value] : enumerate(tape.values))
      rank[value.origin] = {~size_of(value.type()), position};
    sort(tape.values, [&](const KeptValue &a, const KeptValue &b) { return rank.at(a.origin) < rank.at(b.origin); });
    find_reused_calls(tape);
    for (const KeptValue &value : tape.values) {
      if (on_device_)
        tape.bytes = alignTo(tape.bytes, alignment_in_words(layout_, value.type()));
      tape.offsets.push_back(tape.bytes);
      tape.bytes += size_of(value.type());
    }
    if (try_fixed(loop, tape))
      return;
    tape.home = split_home();
    if (on_device_)
      tape.bytes = round_to_words(tape.bytes);
    if (!input_.control.loops.at(&loop).count) {
      tape.kind = TapeKind::record;
      if (!on_device_)
        tape.bytes = alignTo(tape.bytes, strictest_alignment(tape.values));
      return;
    }
    tape.kind = TapeKind::segment;
    tape.reservation = find_reservation(loop, input_.control, input_.dominators);
    if (tape.is_reserved_once() && !input_.split && !on_device_)
      tape.home = TapeHome::memory_stack;
  }

  /// The program may release a tape that it holds, or use it in another thread.
  TapeHome split_home() const {
    const bool is_engines = input_.split && input_.caller == Caller::derivative && !on_device_;
    return is_engines ? TapeHome::pool : TapeHome::heap;
  }

  void find_reused_calls(LoopTapeLayout &tape) const {
    for (const KeptValue &value : tape.values)
      for (const KeptValue &other : tape.values) {
        auto *call = dyn_cast<CallInst>(other.origin);
        if (value.kind == KeptValue::Kind::result && other.kind == KeptValue::Kind::result && call &&
            call->getCalledFunction() && call->arg_size() == 1 && call->getArgOperand(0) == value.origin &&
            call->doesNotAccessMemory() && is_made_where_read(*call, *value.origin))
          tape.reused.push_back({value.origin, call});
      }
  }

  /// The call was made wherever the reverse sweep undoes a function of the argument: it may stand in a branch alone.
  bool is_made_where_read(const CallInst &call, const Instruction &argument) const {
    const auto undoes_function = [&](const Instruction &place) {
      return place.isTerminator() || (isa<CallBase>(place) && is_contained(place.operand_values(), &argument));
    };
    return all_of(input_.needed.places.lookup(&argument), [&](const Instruction *place) {
      return !undoes_function(*place) || input_.dominators.dominates(call.getParent(), place->getParent());
    });
  }

  /// All loops around have small constant trip counts: the values fit into arrays. On a device, where other memory is
  /// dear, a small bound of the trip count is as good, as that of a loop which halves a number.
  bool try_fixed(const Loop &loop, LoopTapeLayout &tape) {
    std::uint64_t iterations = 1, limit = fixed_array_limit;
    for (const Loop *around = &loop; around; around = around->getParentLoop()) {
      const LoopRecord &record = input_.control.loops.at(around);
      const std::optional<std::uint64_t> count = on_device_ ? record.most : record.constant_count;
      if (!record.constant_count)
        limit = bounded_limit;
      if (!count || *count >= fixed_array_limit)
        return false;
      iterations *= *count + 1;
      if (iterations * tape.bytes > limit)
        return false;
    }
    if (fixed_bytes_ + iterations * tape.bytes > fixed_total_limit)
      return false;
    fixed_bytes_ += iterations * tape.bytes;
    tape.kind = TapeKind::fixed;
    tape.iterations = iterations;
    return true;
  }

  /// Between the sweeps the stack of the forward sweep's function is gone.
  void keep_stack_memory() {
    for (Instruction &instruction : input_.sweep.getEntryBlock())
      if (auto *memory = dyn_cast<AllocaInst>(&instruction); memory && memory->isStaticAlloca())
        result_.frame_memory.push_back(memory);
  }

  /// Of all that the frame of a split derivative holds.
  Align frame_alignment() const {
    Align alignment = strictest_alignment(result_.once);
    for (const auto &[loop, tape] : result_.loops)
      if (tape.kind == TapeKind::fixed)
        alignment = std::max(alignment, strictest_alignment(tape.values));
    for (const AllocaInst *memory : result_.frame_memory)
      alignment = std::max({alignment, memory->getAlign(), layout_.getABITypeAlign(memory->getAllocatedType())});
    return alignment;
  }

  std::uint64_t size_of(Type *type) const { return layout_.getTypeAllocSize(type); }

  Align strictest_alignment(ArrayRef<KeptValue> values) const {
    Align alignment(1);
    for (const KeptValue &value : values)
      alignment = std::max(alignment, layout_.getABITypeAlign(value.type()));
    return alignment;
  }

  const TapeLayoutInput &input_;
  const DataLayout &layout_;
  const bool on_device_;
  std::uint64_t fixed_bytes_ = 0;
  TapeLayout result_;
};

void print_kept(raw_ostream &out, const KeptValue &kept) {
  switch (kept.kind) {
  case KeptValue::Kind::result:
    out << name_of(*kept.origin);
    break;
  case KeptValue::Kind::overwritten:
    out << "overwritten at " << name_of(*cast<StoreInst>(kept.origin)->getPointerOperand());
    break;
  case KeptValue::Kind::overlap:
    out << "overlap check " << kept.check;
    break;
  }
}

template <class Values>
void print_values(raw_ostream &out, const Values &values) {
  interleave(values, [&](const KeptValue &kept) { print_kept(out, kept); }, [&] { out << ", "; });
}

void print_home(raw_ostream &out, TapeHome home) {
  if (home == TapeHome::memory_stack)
    out << " on the memory stack";
  if (home == TapeHome::pool)
    out << " in the thread's pool";
}

/// Bytes of all executions below one of the loop that they are reserved before.
void print_segment_bytes(raw_ostream &out, const Loop &loop, const LoopTapeLayout &tape) {
  out << tape.bytes;
  for (const Loop *around = &loop; around && tape.reservation.loop->contains(around);
       around = around->getParentLoop()) {
    out << " * iterations of " << name_of(*around->getHeader());
  }
  out << " bytes, reserved before " << name_of(*tape.reservation.loop->getHeader());
  for (const Guard &guard : tape.reservation.guards) {
    out << (guard.expected ? " if " : " if not ") << name_of(*guard.condition);
  }
  print_home(out, tape.home);
}

void print_loop(raw_ostream &out, const Loop &loop, const LoopTapeLayout &tape) {
  switch (tape.kind) {
  case TapeKind::fixed:
    out << "fixed in " << name_of(*loop.getHeader()) << ": " << tape.bytes << " * " << tape.iterations << " bytes";
    break;
  case TapeKind::segment:
    out << "segment of " << name_of(*loop.getHeader()) << ": ";
    print_segment_bytes(out, loop, tape);
    break;
  case TapeKind::record:
    out << "record of " << name_of(*loop.getHeader()) << ": " << tape.bytes << " bytes an iteration";
    print_home(out, tape.home);
    break;
  }
  out << ": ";
  print_values(out, tape.values);
  out << '\n';
  for (const auto &[argument, call] : tape.reused)
    out << "read in place of a call of " << name_of(*call->getCalledFunction()) << " with " << name_of(*argument)
        << ": " << name_of(*call) << '\n';
}

} // namespace

Type *KeptValue::type() const {
  switch (kind) {
  case Kind::result:
    return origin->getType();
  case Kind::overwritten:
    return cast<StoreInst>(origin)->getValueOperand()->getType();
  case Kind::overlap:
    return Type::getInt1Ty(origin->getContext());
  }
  llvm_unreachable("unknown kind of kept value");
}

std::uint64_t round_to_words(std::uint64_t bytes) {
  return bytes < tape_word_bytes ? PowerOf2Ceil(bytes) : alignTo(bytes, tape_word_bytes);
}

Align alignment_in_words(const DataLayout &layout, Type *type) {
  return std::min(Align(tape_word_bytes), layout.getABITypeAlign(type));
}

TapeLayout lay_out_tape(const TapeLayoutInput &input) {
  return LayoutBuilder(input).run();
}

void TapeLayout::print(raw_ostream &out) const {
  if (!once.empty()) {
    out << "slots: ";
    print_values(out, once);
    out << '\n';
  }
  for (const auto &[loop, tape] : loops)
    print_loop(out, *loop, tape);
  if (frame_home == TapeHome::pool && !empty())
    out << "frame in the thread's pool\n";
  for (const AllocaInst *memory : frame_memory) {
    out << "frame: " << name_of(*memory) << ": " << *memory->getAllocationSize(memory->getDataLayout()) << " bytes\n";
  }
}

} // namespace assay::engine
