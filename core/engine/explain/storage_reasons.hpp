#pragma once
// Why the plan has a value kept, put back or computed again, and for which derivative the reverse sweep reads it. The
// plan says how; the reasons are found again from the instruction, its memory and the values that hang on it.

#include "core/engine/emit/forward_sweep.hpp"
#include "core/engine/explain/explanation.hpp"
#include "core/engine/plan/plan.hpp"
#include "core/engine/support/observer.hpp"

namespace assay::engine {

/// Values of the sweep in the words of the source.
class SweepNames {
public:
  SweepNames(const PlannedDerivative &derivative, const SourceNames &prepared_names);

  std::string text(const llvm::Value &value) const;
  /// The expression, even where a variable holds the value.
  std::string definition(const llvm::Value &value) const;
  /// As a formula may name it; empty where there is no such name.
  std::string symbol(const llvm::Value &value) const;
  /// The prepared value that it copies; null for what reverse mode added.
  const llvm::Value *prepared(const llvm::Value &value) const { return prepared_.lookup(&value); }
  /// The call whose derivative keeps a tape behind this value; null for other values.
  const llvm::CallBase *tape_of(const llvm::Value &value) const { return tapes_.lookup(&value); }
  /// Control flow that was recorded as a value.
  bool is_control(const llvm::Value &value) const { return control_.contains(&value); }

private:
  void note_copies(const ForwardSweep &sweep, const llvm::Value &value);
  void note_control(const PlannedDerivative &derivative);

  const SourceNames &names_;
  SourceNames own_;
  llvm::DenseMap<const llvm::Value *, const llvm::Value *> prepared_;
  llvm::DenseMap<const llvm::Value *, const llvm::CallBase *> tapes_;
  llvm::DenseMap<const llvm::Value *, std::string> control_, shadows_;
};

class StorageReasons {
public:
  StorageReasons(const PlannedDerivative &derivative, const SweepNames &names);

  std::string reason(const llvm::Instruction &value, Storage storage) const;
  /// Of a restored store.
  std::string reason(const RestoredStore &store) const;
  std::vector<ExplainedStep> needed_for(const llvm::Value &value) const;

private:
  std::string why_taped(const llvm::Instruction &value) const;
  std::string why_phi_is_taped(const llvm::PHINode &phi) const;
  std::string why_load_is_taped(const llvm::LoadInst &load) const;
  std::string why_call_is_taped(const llvm::CallBase &call) const;
  const llvm::Instruction *writer_after(const llvm::LoadInst &load) const;
  std::string writer_text(const llvm::Instruction &writer) const;

  const PlannedDerivative &derivative_;
  const SweepNames &names_;
  const llvm::LoopInfo &loops_;
};

} // namespace assay::engine
