#pragma once
// The tape: writes and reads the values that the plan keeps, in the layout that the plan gives (plan/tape_layout.hpp).
// Each loop with such values has one tape for the whole run of the function, so memory is allocated a few times in all,
// never per value. The forward sweep moves up the tape and the reverse sweep down.

#include "core/engine/emit/alias_scopes.hpp"
#include "core/engine/emit/forward_sweep.hpp"
#include "core/engine/emit/kept_calls.hpp"
#include "core/engine/emit/tape_words.hpp"
#include "core/engine/plan/control.hpp"
#include "core/engine/plan/plan.hpp"

namespace assay::engine {

class Tape {
public:
  using IterationOf = llvm::function_ref<llvm::Value *(const llvm::Loop &)>;
  /// The instruction of the forward sweep that computes a kept value.
  using Bind = llvm::function_ref<llvm::Instruction *(const KeptValue &)>;

  Tape(ForwardSweep &sweep, const ControlRecord &control, const Plan &plan, llvm::LoopInfo &loops, Bind bind,
       llvm::Function &reverse);

  /// Adds to the forward sweep everything that fills the tape. `reverse_entry` is where the reverse sweep starts.
  void write_forward();
  /// In the reverse sweep's first block, before anything is read.
  void begin_reverse(llvm::IRBuilder<> &builder);
  /// The kept `value`, for the iterations that the reverse sweep is in.
  llvm::Value *read(llvm::IRBuilder<> &builder, llvm::Instruction &value, IterationOf iteration_of);
  /// The reverse sweep's address of stack memory that moved into the frame, given the forward sweep's; null for other
  /// values.
  llvm::Value *frame_address(const llvm::Instruction &address) const;
  /// The same in the forward sweep: the memory itself where it did not move.
  llvm::Value *forward_address(llvm::AllocaInst &memory) const;
  /// On the way back into a loop from behind, `count` being its number of back edges taken.
  void enter_loop(llvm::IRBuilder<> &builder, const llvm::Loop &loop, llvm::Value *count);
  void previous_iteration(llvm::IRBuilder<> &builder, const llvm::Loop &loop);
  /// At the end of the reverse sweep.
  void release(llvm::IRBuilder<> &builder);
  /// Where an exception leaves the forward sweep.
  void abandon(llvm::IRBuilder<> &builder);
  /// The same for the whole tape, once the forward sweep has returned it as `frame`.
  void release_frame(llvm::IRBuilder<> &builder, llvm::Value *frame);
  /// True when the tape has memory of its own.
  bool is_on_heap() const;
  /// Split mode: the value that the forward sweep returns as tape.
  llvm::Value *frame() const { return forward_frame_; }
  /// Loads and stores of tape memory, which alias nothing else.
  llvm::ArrayRef<llvm::Instruction *> accesses() const { return accesses_; }
  /// Calls of the reverse sweep whose results are on the tape become reads; once the sweep is written.
  void reuse_kept_calls() { kept_calls_.replace_calls(); }
  /// Replaces the calls of tape helpers by their bodies; nothing may refer to block structure afterwards.
  void inline_helpers();

private:
  enum class Side : std::uint8_t { forward, reverse };
  struct Cell { // a slot on the stack or in the frame
    llvm::Type *type = nullptr;
    llvm::Value *forward = nullptr, *reverse = nullptr;
    llvm::Align alignment{};  // beyond that of the type
    std::uint64_t offset = 0; // in the frame
  };
  struct LoopTape {
    const LoopTapeLayout *layout = nullptr;
    llvm::SmallVector<llvm::Instruction *, 4> values; // in the layout's order
    SeparatePieces pieces;                            // one a value
    llvm::SmallVector<unsigned, 4> cells;             // fixed: one a value
    unsigned state_cell = 0;                          // segment, record
    llvm::Value *forward_state = nullptr, *reverse_state = nullptr;
    llvm::Value *forward_base = nullptr, *reverse_base = nullptr;     // slots with the current segment or record
    llvm::Value *forward_stride = nullptr, *reverse_stride = nullptr; // of words: slots with their stride,
    llvm::Value *forward_next = nullptr;                              // and with where the next ones are
    llvm::Value *reverse_length = nullptr;                            // segment: slot with the number of iterations
    llvm::Value *forward_length = nullptr;                            // segment: number of iterations
    llvm::Instruction *prologue_end = nullptr; // record: behind the instructions that each iteration starts with
  };

  void add_loop(const llvm::Loop &loop, const LoopTapeLayout &layout, Bind bind);
  void make_cells();
  void make_split_frame();
  llvm::CallInst *allocate_frame(llvm::IRBuilder<> &builder, std::uint64_t bytes, llvm::Align alignment) const;
  void open_forward(const llvm::Loop &loop, LoopTape &tape);
  void reserve_segments(const llvm::Loop &loop, LoopTape &tape, llvm::Value *bytes_per_execution);
  void store(llvm::Instruction &value);
  llvm::Value *load(llvm::IRBuilder<> &builder, llvm::Instruction &value, IterationOf iteration_of);
  void note_access(llvm::Instruction &access, const llvm::Instruction &value);
  void save_states();
  /// The tape of the loop that keeps `value` in words; null where it lies elsewhere.
  const LoopTape *in_words(const llvm::Instruction &value) const;
  static std::uint64_t offset_in(const LoopTape &tape, const llvm::Instruction &value);
  TapeWords words_of(llvm::IRBuilder<> &builder, const llvm::Instruction &value, Side side,
                     IterationOf iteration_of) const;
  /// Of a place in a loop's tape.
  llvm::PointerType *place_type() const;
  bool begins_with_word(const LoopTape &tape) const;
  static llvm::Value *position(llvm::IRBuilder<> &builder, llvm::Value *state);
  /// The place in the loop's tape at the position `position`.
  llvm::Value *place(llvm::IRBuilder<> &builder, const LoopTape &tape, Side side, llvm::Value *position) const;
  llvm::Value *stride(llvm::IRBuilder<> &builder, const LoopTape &tape, Side side) const;
  void take_over_state(llvm::IRBuilder<> &builder, llvm::IRBuilder<> &slots, LoopTape &tape);
  /// The next `bytes` of the loop's tape become the current segment or record.
  llvm::Instruction *advance(llvm::IRBuilder<> &builder, const LoopTape &tape, llvm::Value *bytes) const;
  /// The last ones that are not read yet become them.
  void go_back(llvm::IRBuilder<> &builder, const LoopTape &tape, llvm::Value *bytes) const;
  llvm::Instruction *take_alone(llvm::IRBuilder<> &builder, const LoopTape &tape, llvm::Value *bytes);
  void take_once(llvm::IRBuilder<> &builder, const LoopTape &tape, llvm::Value *bytes);
  void reserve(llvm::IRBuilder<> &builder, const LoopTape &tape, llvm::Value *bytes);
  llvm::Value *rounded_bytes(llvm::IRBuilder<> &builder, const LoopTape &tape, llvm::Value *length) const;
  llvm::Value *address(llvm::IRBuilder<> &builder, const llvm::Instruction &value, Side side, IterationOf iteration_of);
  llvm::Value *fixed_index(llvm::IRBuilder<> &builder, const llvm::Loop &loop, IterationOf iteration_of) const;
  unsigned add_cell(llvm::Type *type);
  std::uint64_t size_of(llvm::Type *type) const;

  ForwardSweep &sweep_;
  const ControlRecord &control_;
  llvm::LoopInfo &loops_;
  llvm::Function &reverse_;
  llvm::SmallVector<Cell, 16> cells_;
  llvm::DenseMap<const llvm::Instruction *, unsigned> once_;
  llvm::MapVector<const llvm::Loop *, LoopTape> tapes_;
  llvm::MapVector<llvm::AllocaInst *, unsigned> frame_cells_;
  llvm::DenseMap<const llvm::Instruction *, unsigned> frame_addresses_; // allocas and their replacements
  const TapeHome frame_home_;
  const bool uses_words_; // in loops, on a device
  llvm::Value *forward_frame_ = nullptr;
  llvm::SmallVector<llvm::Instruction *, 16> kept_; // in program order
  llvm::SmallVector<llvm::Instruction *, 32> accesses_;
  llvm::SmallVector<llvm::CallInst *, 8> helper_calls_;
  KeptCalls kept_calls_;
};

} // namespace assay::engine
