#pragma once
// The forward sweep of reverse mode: a clone of the prepared function in which every pointer to active memory has its
// shadow computed beside it, allocations of active memory have shadow allocations, and active calls are replaced by
// their augmented forms. Everything that the reverse sweep may ever read is an instruction of it.

#include "core/engine/analysis/activity.hpp"
#include "core/engine/emit/lanes.hpp"
#include "core/engine/emit/releases.hpp"
#include "core/engine/plan/adjoint_adds.hpp"
#include "core/engine/plan/atomic_updates.hpp"
#include "core/engine/plan/call_plan.hpp"
#include "core/engine/plan/derivative_source.hpp"
#include "core/engine/plan/memory_plan.hpp"
#include "core/engine/plan/noted_extrema.hpp"
#include "core/engine/support/derivative_abi.hpp"
#include "llvm/ADT/SetVector.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace assay::engine {

/// The arguments of a user's reverse rule for one lane.
struct RuleLane {
  llvm::SmallVector<llvm::Value *, 8> arguments; ///< Before the seed and the tape.
  llvm::Value *tape = nullptr;
};

/// A place in the log of addresses (address_log.hpp).
struct LogPosition {
  llvm::Value *list = nullptr; ///< Null where no log is kept.
  llvm::Value *changes = nullptr;
};

/// An active call of the primal, as the forward sweep makes it and the reverse sweep undoes it.
struct AugmentedCall {
  llvm::CallBase *call = nullptr;    ///< In the forward sweep; null when nothing of it had to stay.
  llvm::Function *reverse = nullptr; ///< Called in the reverse sweep.
  llvm::Value *tape = nullptr;       ///< The tape of `reverse`; null where it takes none.
  /// Arguments of `reverse` before seeds and tape; null where the callee does not read them.
  llvm::SmallVector<llvm::Value *, 8> reverse_arguments;
  llvm::SmallVector<Activity, 4> activities; ///< One for each argument of the primal call.
  llvm::SmallVector<RuleLane, 1> rule_lanes; ///< For a user's rule: one for each lane; `reverse_arguments` is empty.
  llvm::Function *keeping_reverse = nullptr; ///< Called for all lanes but the last, where lanes share a tape.
  bool by_user_rule = false;
  std::optional<RuleUse> rule_use{}; ///< For a rule of <assay/rules.hpp>; `reverse_arguments` has the tape's parts.
  bool takes_seed = false;
  LogPosition log_position{}; ///< Of such a rule: the shadows that it is to see are those of this position.
};

/// Memory that the primal released here, and its reverse sweep releases in its place (unwind_cleanup.hpp).
struct UnwindCleanup {
  Release release;
  llvm::Instruction *place = nullptr;
  llvm::SmallVector<llvm::Value *, 2> memory;
};

struct ForwardSweep {
  DerivativeSource &engine;
  const Request &request; ///< Of the user's function.
  llvm::Function &prepared;
  llvm::Function &function; ///< Holds the sweep.
  const TypeAnalysis &types;
  const ActivityAnalysis &activity;
  const RowTables &tables; ///< Of the prepared function.
  const MemoryPlan &memory;
  const CallPlans &call_plans;
  unsigned width = 1;
  bool split = false; ///< The reverse sweep is a function of its own.
  AdjointAdds adds{};
  AtomicUpdates atomics{};
  NotedExtrema noted_extrema{};

  llvm::ValueToValueMapTy map{};                                 ///< From prepared to sweep.
  llvm::DenseMap<const llvm::Value *, Lanes> shadows{};          ///< By prepared value.
  llvm::DenseMap<const llvm::CallBase *, AugmentedCall> calls{}; ///< By prepared call.
  /// Allocations whose release was moved to the reverse sweep, because they and their shadows are still read there.
  llvm::DenseMap<const llvm::CallBase *, Release> deferred{};
  llvm::SetVector<llvm::Instruction *> shadow_accesses{}; ///< Loads and stores of shadow memory, in both sweeps.
  /// Loads of shadow addresses from places that hold numbers at other times: an adjoint may come to stand there.
  llvm::SmallPtrSet<const llvm::Instruction *, 8> passing_addresses{};
  /// The list of shadows to release, once something needs it: the whole gradient's own, or that of a split half which a
  /// program calls itself.
  llvm::AllocaInst *own_deferred_frees = nullptr;
  llvm::Value *deferred_frees_list = nullptr;               ///< That, or the list that the caller hands in.
  llvm::SmallVector<UnwindCleanup, 4> unwind_cleanups{};    ///< In the order of the prepared function.
  llvm::Value *unwind_cleanups_before = nullptr;            ///< How many there were when the sweep began.
  llvm::SmallVector<llvm::AllocaInst *, 8> shadow_memory{}; ///< Shadows on the stack, to be zeroed on entry.

  /// Records of the kinds of moved words, by prepared call, one for each lane (tagged_moves.hpp).
  llvm::DenseMap<const llvm::CallBase *, Lanes> kinds_of_moved_words{};
  /// Whether a noted maximum or minimum took its first operand, by prepared instruction (extremum_choice.hpp).
  llvm::DenseMap<const llvm::Instruction *, llvm::Value *> extremum_choices{};

  llvm::Value *primal(const llvm::Value *value) const;
  llvm::BasicBlock *block(const llvm::BasicBlock *prepared_block) const;
  /// The list of shadows to release at the end of the whole gradient.
  llvm::Value *deferred_frees();
  llvm::ReturnInst *exit() const; ///< The only return of the sweep, or null when it never returns.
  /// True where the tape lasts until the whole gradient ends, since the log of addresses may lead into it.
  bool buries_tape() const;
};

/// Clones and augments; fails on instructions that cannot be differentiated.
llvm::Error build_forward_sweep(ForwardSweep &sweep);

/// With runtime activity, memory that carries no derivative is its own shadow: `when_own` in that case, else
/// `otherwise`. Without it, `otherwise`.
llvm::Value *unless_own_shadow(const ForwardSweep &sweep, llvm::IRBuilderBase &builder, llvm::Value *shadow,
                               llvm::Value *primal, llvm::Value *when_own, llvm::Value *otherwise);
/// The place of a store's shadow: `shadow`, or a scratch slot where that is the primal's own place.
llvm::Value *place_unless_own(const ForwardSweep &sweep, llvm::StoreInst &primal, llvm::Value *shadow);
/// A zeroed stack slot that accesses to such memory are sent to.
llvm::AllocaInst *scratch_slot(llvm::Function &function, llvm::IRBuilderBase &builder, llvm::Type *type);

/// The shadow of the function's result; that result's shadow must have been asked for.
llvm::Expected<Lanes> returned_shadow(ForwardSweep &sweep);

/// The shadow of a value at any place of the sweep: constants, arguments, instructions.
llvm::Expected<Lanes> shadow_of(ForwardSweep &sweep, const llvm::Value *prepared_value, const llvm::Instruction &user);

} // namespace assay::engine
