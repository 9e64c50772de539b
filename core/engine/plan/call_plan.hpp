#pragma once
// How the forward sweep makes each active call, what the reverse sweep calls for it, and what is passed and kept for
// that; decided on the prepared function, with the callees' derivatives, before anything is written.

#include "core/engine/analysis/activity.hpp"
#include "core/engine/plan/derivative_source.hpp"
#include "core/engine/prepare/rule_instance.hpp"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/raw_ostream.h"

namespace assay::engine {

struct CallPlan {
  enum class Form : std::uint8_t {
    rule,          ///< The augmented half of the user's rule.
    rule_template, ///< That of a rule of <assay/rules.hpp>.
    engine,        ///< The split derivative that the engine writes.
    stop,          ///< A candidate of an indirect call that has no derivative: the program stops when it gets there.
  };
  Form form = Form::engine;
  const UserRule *rule = nullptr; ///< Form::rule.

  // Form::rule_template:
  RuleUse use{};
  RuleInstance augmented_instance{}, reverse_instance{};

  // Form::engine:
  Request request{}; ///< Of the augmented half.
  llvm::Function *augmented = nullptr, *reverse = nullptr;
  /// Arguments that are their own shadows: the callee tests for that while it runs.
  llvm::SmallVector<unsigned, 2> own_shadows{};

  /// The values kept for the reverse half: Form::engine, by its parameters before seeds and tape, of recursion all,
  /// since it is not known yet; Form::rule_template, by all its parameters.
  llvm::SmallBitVector kept_arguments{};

  // Form::engine:
  bool keeps_tape = true;
  bool passes_list = true; ///< The callee adds to the list of memory to release.
};

struct CallPlans {
  llvm::MapVector<const llvm::CallBase *, CallPlan> calls; ///< By prepared call.

  /// One line a call.
  void print(llvm::raw_ostream &out) const;
};

struct CallPlanInput {
  DerivativeSource &derivatives;
  const Request &request; ///< Of the function that makes the calls, in reverse mode.
  llvm::Function &prepared;
  const ActivityAnalysis &activity;
};

/// Fails where an active call cannot be differentiated.
llvm::Expected<CallPlans> plan_calls(const CallPlanInput &input);

/// True when the registered rule serves reverse mode: it has both halves.
bool reverse_rule_applies(const UserRule *rule);

} // namespace assay::engine
