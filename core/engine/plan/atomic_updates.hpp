#pragma once
// How the reverse sweep undoes atomic updates of memory with a shadow; decided on the prepared function.
//
//   sum          old = atomic add(p, v)         v' += *p'           *p' += old'
//   difference   old = atomic subtract(p, v)    v' -= *p'           *p' += old'
//
// Where threads of a device update one place, the order in which they do so is not known, and so the old value may not
// take part in the derivative. In code of a device, further:
//
//   exchange     old = atomic exchange(p, v)    v' += exchange(p', old')
//   choice       a choice of v at p             v' += exchange(p', 0)  where *p == v in the end
//                                                                      (analysis/atomic_choice.hpp)
//
// An exchange goes back through the old value, as it does for one thread; of several at one place the order is not
// known.

#include "core/engine/analysis/activity.hpp"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/raw_ostream.h"

namespace assay::engine {

struct AtomicUpdate {
  enum class Form : std::uint8_t { sum, difference, exchange, choice };
  Form form = Form::sum;
  const llvm::Value *place = nullptr;
  const llvm::Value *number = nullptr; ///< The number that is added, subtracted, stored or chosen.
};
llvm::StringRef name_of(AtomicUpdate::Form form);

class AtomicUpdates {
public:
  /// Null for instructions that update no memory with a shadow.
  const AtomicUpdate *find(const llvm::Instruction &instruction) const {
    const auto *found = updates_.find(&instruction);
    return found == updates_.end() ? nullptr : &found->second;
  }
  /// One line an update.
  void print(llvm::raw_ostream &out) const;

  auto begin() const { return updates_.begin(); }
  auto end() const { return updates_.end(); }

private:
  friend llvm::Expected<AtomicUpdates> plan_atomic_updates(const struct AtomicUpdateInput &input);
  llvm::MapVector<const llvm::Instruction *, AtomicUpdate> updates_;
};

struct AtomicUpdateInput {
  const llvm::Function &prepared;
  const TypeAnalysis &types;
  const ActivityAnalysis &activity;
  bool has_launch_for_each_sweep; ///< All blocks end the forward sweep before one begins the reverse sweep.
};

/// Fails on an update whose adjoint would depend on the order of the threads.
llvm::Expected<AtomicUpdates> plan_atomic_updates(const AtomicUpdateInput &input);

} // namespace assay::engine
