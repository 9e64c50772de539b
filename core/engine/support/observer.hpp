#pragma once
// Observes each derivative while it is made: the results of the analyses, and the plan. `assay explain` and the
// compiler's remarks are made from it (core/engine/explain). An observer changes nothing.

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

namespace assay::engine {

class ActivityAnalysis;
class ReloadAnalysis;
class TypeAnalysis;
struct ControlRecord;
struct ForwardSweep;
struct Needs;
struct Plan;
struct Request;

/// A derivative whose function is prepared and analysed.
struct AnalysedDerivative {
  const Request &request; ///< Of the user's function.
  llvm::Function &prepared;
  const TypeAnalysis &types;
  const ActivityAnalysis &activity;
};

/// A derivative of reverse mode whose forward sweep is written and whose plan is made.
struct PlannedDerivative {
  const ForwardSweep &sweep;
  const Needs &needed;
  const ControlRecord &control;
  const Plan &plan;
  llvm::FunctionAnalysisManager &analyses;
  ReloadAnalysis &reloads;
  llvm::function_ref<bool(const llvm::Instruction &)> is_expensive;
};

class Observer {
public:
  virtual ~Observer() = default;
  /// Once for each derivative, of any mode. Its callees come behind it.
  virtual void analysed(const AnalysedDerivative &derivative) = 0;
  /// The same for its plan, behind the plans of its callees.
  virtual void planned(const PlannedDerivative &derivative) = 0;
  /// There is no such derivative: `message` is the diagnostic.
  virtual void refused(const Request &request, llvm::StringRef message) = 0;
};

} // namespace assay::engine
