#pragma once
// How often the loops of a forward sweep run, as formulas of the source's variables, and what a number of bytes in each
// iteration comes to in the whole run.
//
// The trip counts are those that the plan recorded, read as scalar evolutions. Casts are dropped: a count that does not
// fit its type would have failed before. A count that hangs on the iteration of a loop around it names that loop's
// counter, and becomes a series; one that cannot be written in the source's words is named after its loop.

#include "core/engine/explain/explanation.hpp"
#include "core/engine/plan/control.hpp"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ScalarEvolution.h"

namespace assay::engine {

class LoopFormulas {
public:
  LoopFormulas(const ControlRecord &control, llvm::ScalarEvolution &evolution,
               llvm::function_ref<std::string(const llvm::Value &)> name_of);

  /// Of one execution; nothing where it is not known on entry, or not in words.
  std::optional<Formula> iterations(const llvm::Loop &loop) const;
  /// `bytes` in each iteration of `loop`.
  Formula total(std::uint64_t bytes, const llvm::Loop *loop) const;
  std::string counter(const llvm::Loop &loop) const;
  static std::string iterations_text(const llvm::Loop &loop);

private:
  std::optional<Formula> formula(const llvm::SCEV *evolution) const;
  std::optional<std::vector<Formula>> formulas(llvm::ArrayRef<const llvm::SCEV *> evolutions) const;

  const ControlRecord &control_;
  llvm::ScalarEvolution &evolution_;
  llvm::function_ref<std::string(const llvm::Value &)> name_of_;
};

/// Where the loop begins.
SourcePlace source_place(const llvm::Loop &loop);

} // namespace assay::engine
