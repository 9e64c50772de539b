#pragma once
// Activity analysis: which values can carry a derivative from an active input to an active output.
//
// Forward "varied" propagation from active arguments and backward "useful" propagation from active outputs, over SSA
// values and over memory classes (see memory_classes.hpp), interprocedural by summaries of the called functions,
// conservative where nothing is known.

#include "core/engine/analysis/types.hpp"
#include "core/engine/support/function_info.hpp"
#include "core/engine/support/request.hpp"
#include "llvm/IR/InstrTypes.h"
#include <memory>

namespace assay::engine {

class ActivityAnalysis {
public:
  /// `request.function` is the prepared function that is analysed, its activities are those asked for.
  ActivityAnalysis(const Request &request, const FunctionInfo &function_info, const TypeAnalysis &types);
  ~ActivityAnalysis();
  ActivityAnalysis(ActivityAnalysis &&) noexcept;

  /// True for a floating-point value (or an integer or aggregate that carries one) with a nonzero derivative to
  /// propagate: it has a tangent in forward mode, an adjoint in reverse mode.
  bool carries_derivative(const llvm::Value &value) const;
  /// True for a pointer (or aggregate, or integer, that carries one) to memory that has a shadow: the value has a
  /// shadow.
  bool has_shadow(const llvm::Value &value) const;
  /// True when the call must be replaced by its derivative: it takes or returns something of the two kinds above and
  /// can propagate a derivative. False: the primal call alone is enough.
  bool is_active_call(const llvm::CallBase &call) const;
  /// The activities with which the function behind an active call is to be differentiated, one for each argument, and
  /// of its result. By-value floats are `active` in reverse modes and `duplicated` in forward mode.
  llvm::SmallVector<Activity, 4> call_arguments(const llvm::CallBase &call) const;
  Activity call_result(const llvm::CallBase &call) const;
  /// True when the callee can reach numbers of constant memory through memory with a shadow: what it takes for their
  /// shadow is the memory itself, so it has to ask while it runs.
  bool passes_constant_numbers(const llvm::CallBase &call) const;
  /// Pointers without a shadow to what the callee finds, or puts, behind another of its pointers, which has one. All of
  /// the calls together show that nothing there carries a derivative; the callee alone may not tell.
  /// Variables whose pointers lead to memory with a shadow, in the order of their names.
  llvm::SmallVector<const llvm::GlobalVariable *, 2> active_behind_variables() const;
  llvm::SmallVector<unsigned, 2> beside_shadowed(const llvm::CallBase &call) const;

  /// Whether memory reached through an argument of the call may be written after it, in the function itself.
  bool may_change_after(const llvm::CallBase &call, unsigned argument) const;
  /// Set for a value whose shadow is needed but cannot exist, because memory that was declared constant is mixed with
  /// active memory (a pointer to either, a constant buffer that keeps active data for later): says why, in words for a
  /// user. Emitters ask it for every pointer that they need the shadow of and raise a diagnostic.
  std::optional<std::string> contradiction(const llvm::Value &value) const;
  /// The first such value of the prepared function, in order: arguments, then instructions.
  const llvm::Value *first_contradiction() const;

  /// True where the function needs a shadow for such memory, and nothing writes to it: run-time activity, by which it
  /// is its own shadow, is right there.
  bool reads_constant_beside_active(const Request &request) const;

  /// A pointer to memory of which all was declared constant and which yet keeps values on their way to the result: not
  /// even run-time activity finds a shadow for them.
  const llvm::Value *kept_in_constant() const;
  /// A global of another file that must have a shadow, which this file cannot make: it is declared without its size
  /// (`extern double table[];`), or keeps pointers that are not known (`extern double *const table;`).
  const llvm::GlobalVariable *without_known_shadow() const;
  /// A variable in the memory of a device that would need a shadow, which no thread could clear for all of them.
  const llvm::GlobalVariable *device_variable_without_shadow(const Request &request,
                                                             const FunctionInfo &function_info) const;
  /// Set when a handler of the function goes on with a number that was thrown and carries a derivative: exceptions keep
  /// no shadows, so this is an error.
  const llvm::CallBase *caught_derivative() const;

  struct Implementation;
  const Implementation &implementation() const;

private:
  std::unique_ptr<Implementation> implementation_;
};

} // namespace assay::engine
