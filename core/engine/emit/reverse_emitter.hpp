#pragma once
// The reverse sweep's writer: reverse blocks, adjoints, and the primal values that adjoint code reads.

#include "core/engine/emit/adjoint_slots.hpp"
#include "core/engine/emit/debug_info.hpp"
#include "core/engine/emit/forward_sweep.hpp"
#include "core/engine/emit/tape.hpp"
#include "core/engine/emit/undo.hpp"
#include "core/engine/plan/control.hpp"
#include "core/engine/plan/plan.hpp"

namespace assay::engine {

class ReverseEmitter {
public:
  /// `request` is that of the reverse sweep's function: Mode::reverse or Mode::split_reverse.
  ReverseEmitter(ForwardSweep &sweep, const Request &request, const ControlRecord &control, const Plan &plan,
                 llvm::ArrayRef<llvm::Instruction *> checks, llvm::LoopInfo &loops, Tape &tape, Undo &undo,
                 llvm::Function &reverse);

  llvm::Error run();
  /// Once the reverse sweep follows on the forward sweep.
  void zero_slots_late() { zero_late(zeros_); }
  llvm::BasicBlock *start_block() const { return start_; }

  // --- for the adjoints of instructions ---
  llvm::IRBuilder<> &builder() { return builder_; }
  ForwardSweep &sweep() { return sweep_; }
  unsigned width() const { return sweep_.width; }
  /// The forward sweep's `value`, at the current place of the reverse sweep.
  llvm::Value *lookup(llvm::Value *value);
  llvm::Value *lookup_primal(const llvm::Value *prepared_value) { return lookup(sweep_.primal(prepared_value)); }
  /// The shadow of a pointer; `user` is named when there is none.
  llvm::Expected<llvm::Value *> lookup_shadow(const llvm::Value *prepared_value, unsigned lane,
                                              const llvm::Instruction &user);
  /// Reads the adjoint of a prepared value and sets it to zero.
  llvm::Value *take_adjoint(const llvm::Value *prepared_value, unsigned lane);
  void add_adjoint(const llvm::Value *prepared_value, unsigned lane, llvm::Value *increment);
  /// For a load whose adjoint is summed up in a register over a loop: adds to the sum, or to `shadow` where the sum
  /// could be wanted in between. False for other loads.
  bool accumulate(const llvm::LoadInst &load, unsigned lane, llvm::Value *increment);
  /// That of the plan to which the sum of a number of a load belongs, as a mark; null for none.
  llvm::MDNode *sum_group(const llvm::LoadInst &load, unsigned part);
  /// Replaces calls of helpers by their bodies; nothing may refer to block structure afterwards.
  void inline_helpers() { rare_calls_.inline_conditions(); }
  /// As adjoint_type_of.
  llvm::Type *adjoint_type(const llvm::Value *prepared_value) const;

private:
  struct Place { // where lookups are emitted, and what names that place in the cache
    llvm::IRBuilder<> &builder;
    const llvm::Loop *loop;
  };
  using PhiAdjoints = llvm::SmallVector<std::pair<const llvm::PHINode *, Lanes>, 4>;

  llvm::Error emit_instructions(const llvm::BasicBlock &prepared_block);
  llvm::Error emit_instruction(const llvm::Instruction &instruction);
  void undo_store(const llvm::Instruction &instruction);
  llvm::Error add_sums(const llvm::Loop &loop);
  llvm::Value *in_last_iterations(llvm::ArrayRef<const llvm::Loop *> loops);
  llvm::Error emit_invoke(const llvm::BasicBlock &prepared_block, llvm::BasicBlock *predecessor);
  llvm::Error leave_block(const llvm::BasicBlock &prepared_block);
  PhiAdjoints take_phis(const llvm::BasicBlock &prepared_block);
  llvm::Error leave_header(const llvm::BasicBlock &prepared_block, const llvm::Loop &loop, const PhiAdjoints &phis);
  llvm::Error leave_join(const llvm::BasicBlock &prepared_block, const JoinRecord &join, const PhiAdjoints &phis);
  llvm::Expected<llvm::BasicBlock *> edge(const llvm::BasicBlock &prepared_block, llvm::BasicBlock *predecessor,
                                          const PhiAdjoints &phis);
  void enter_loops(llvm::IRBuilder<> &builder, llvm::BasicBlock *exit, llvm::BasicBlock *exiting);
  llvm::DebugLoc here(const llvm::DebugLoc &location);
  void start();
  llvm::Error finish(llvm::BasicBlock *last);
  void finish_address_log();
  void release_buried();

  /// The answer of an overlap check of the plan.
  llvm::Value *lookup_check(unsigned check);
  llvm::Value *lookup_at(llvm::Value *value, Place place);
  llvm::Value *materialise(llvm::Instruction &value, Place place);
  llvm::Value *recompute(llvm::Instruction &value, Place place);
  llvm::Value *closed_form(llvm::PHINode &phi, Place place);
  /// Where the loop may be undone from its first iteration on, and is: the condition under which it is not, false
  /// where there is none. Null for other loops.
  llvm::Value *descends_if(const llvm::Loop &loop);
  llvm::Value *next_iteration(const llvm::Loop &loop);
  llvm::Value *last_undone_iteration(const llvm::Loop &loop);
  llvm::Value *iteration_of(llvm::IRBuilder<> &builder, const llvm::Loop &loop);
  llvm::Value *lookup_argument(llvm::Argument &argument) const;
  /// True when all that adds to the adjoint is undone in the same reverse block in which it is taken: it needs no slot.
  bool is_local(const llvm::Value *prepared_value);
  llvm::AllocaInst *adjoint_slot(const llvm::Value *prepared_value, unsigned lane);
  /// Memory on the stack that holds zero when the reverse sweep starts.
  llvm::AllocaInst *zero_slot(llvm::Type *type, const llvm::Twine &name);
  llvm::AllocaInst *iteration_slot(const llvm::Loop &loop);
  /// Holds whether the reverse sweep is in the loop's last iteration, its own first.
  llvm::AllocaInst *last_iteration_slot(const llvm::Loop &loop);

  ForwardSweep &sweep_;
  const Request &request_;
  const ControlRecord &control_;
  const Plan &plan_;
  llvm::ArrayRef<llvm::Instruction *> checks_; ///< Answers of the overlap checks.
  llvm::LoopInfo &loops_;
  llvm::MapVector<const llvm::LoadInst *, const Accumulation *> accumulations_; ///< By prepared load.
  Tape &tape_;
  Undo &undo_;
  llvm::Function &reverse_;
  llvm::IRBuilder<> builder_;
  MovedLocations moved_locations_;
  const llvm::Instruction *missing_ = nullptr; ///< First value that the plan forgot.
  const llvm::Loop *loop_ = nullptr;           ///< The forward loop of the block whose reverse is being written.
  llvm::BasicBlock *start_ = nullptr, *finish_ = nullptr;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BasicBlock *> reverse_blocks_; ///< By block of the sweep.
  llvm::DenseMap<const llvm::Loop *, llvm::Value *> counts_; ///< Of loops in free order, on the edges that enter them.
  llvm::DenseMap<const llvm::Loop *, llvm::BasicBlock *> loop_entries_; ///< Edge that enters the reverse loop.
  llvm::DenseMap<std::pair<const llvm::Value *, unsigned>, llvm::AllocaInst *> adjoints_;
  llvm::DenseMap<std::pair<const llvm::Value *, unsigned>, llvm::Value *> local_adjoints_; ///< Sums so far.
  llvm::SmallVector<llvm::StoreInst *, 32> zeros_; ///< Of the slots, where the reverse sweep starts.
  llvm::DenseMap<const llvm::Value *, bool> locality_;
  llvm::DenseMap<std::pair<const llvm::Value *, unsigned>, llvm::AllocaInst *> sums_; ///< By accumulated load.
  llvm::DenseMap<const SumGroup *, llvm::MDNode *> sum_groups_;
  RareCalls rare_calls_;
  llvm::DenseMap<const llvm::Loop *, llvm::AllocaInst *> iterations_, last_iterations_;
  llvm::DenseMap<std::pair<const llvm::Value *, const llvm::BasicBlock *>, llvm::Value *> looked_up_;
};

/// Sum of two adjoints of the same type, part by part; parts that are not floating are those of `left`.
llvm::Value *add_parts(llvm::IRBuilder<> &builder, llvm::Value *left, llvm::Value *right);

} // namespace assay::engine
