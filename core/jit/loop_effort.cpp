#include "core/jit/loop_effort.hpp"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#include <algorithm>
#include <map>
#include <tuple>

using namespace llvm;

namespace assay::jit {

namespace {

using FormKey = std::tuple<Mode, unsigned, Form, RuntimeActivity>;

FormKey form_of(const Derivative &derivative) {
  return {derivative.mode, derivative.width, derivative.form, derivative.runtime_activity};
}

bool is_plain(const Derivative &derivative) {
  return derivative.width == 1 && derivative.form == Form::combined &&
         derivative.runtime_activity == RuntimeActivity::off &&
         (derivative.mode == Mode::forward || derivative.primal == PrimalResult::wanted);
}

std::size_t active_count(const Derivative &derivative) {
  const auto is_active = [](Activity activity) { return activity != Activity::constant; };
  return static_cast<std::size_t>(std::ranges::count_if(derivative.arguments, is_active)) +
         (is_active(derivative.result) ? 1 : 0) + (derivative.primal == PrimalResult::wanted ? 1 : 0);
}

/// Also through tables of pointers.
void reach(const Constant &constant, SmallPtrSetImpl<const Constant *> &seen, SetVector<const Function *> &reached) {
  if (!seen.insert(&constant).second)
    return;
  if (const auto *function = dyn_cast<Function>(&constant)) {
    reached.insert(function);
    return;
  }
  for (const Use &operand : constant.operands())
    if (const auto *part = dyn_cast<Constant>(&operand))
      reach(*part, seen, reached);
}

SetVector<const Function *> reached_from(const Module &module, function_ref<bool(const Function &)> is_start) {
  SetVector<const Function *> reached;
  SmallPtrSet<const Constant *, 32> seen;
  for (const Function &function : module)
    if (is_start(function))
      reach(function, seen, reached);
  for (std::size_t next = 0; next < reached.size(); ++next)
    for (const Instruction &instruction : instructions(*reached[next]))
      for (const Use &operand : instruction.operands())
        if (const auto *constant = dyn_cast<Constant>(&operand))
          reach(*constant, seen, reached);
  return reached;
}

enum class Effort { none, vectors };

void mark_loops(Function &function, Effort effort) {
  DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  for (Loop *loop : loops.getLoopsInPreorder()) {
    if (effort == Effort::none) {
      addStringMetadataToLoop(loop, "llvm.loop.disable_nonforced", 1);
    } else {
      addStringMetadataToLoop(loop, "llvm.loop.interleave.count", 1);
      addStringMetadataToLoop(loop, "llvm.loop.unroll.disable", 1);
    }
  }
}

} // namespace

std::vector<bool> choose_vectorised(std::span<const Derivative> derivatives) {
  std::vector<bool> chosen;
  std::map<FormKey, std::size_t> fullest;
  for (std::size_t index = 0; index < derivatives.size(); ++index) {
    chosen.push_back(is_plain(derivatives[index]));
    const auto [known, is_new] = fullest.try_emplace(form_of(derivatives[index]), index);
    if (!is_new && active_count(derivatives[index]) > active_count(derivatives[known->second]))
      known->second = index;
  }
  for (const auto &[form, index] : fullest)
    chosen[index] = true;
  return chosen;
}

void limit_loops(Module &module, function_ref<bool(const Function &)> is_vectorised) {
  const SetVector<const Function *> reached = reached_from(module, is_vectorised);
  for (Function &function : module)
    if (!function.isDeclaration())
      mark_loops(function, reached.contains(&function) ? Effort::vectors : Effort::none);
}

} // namespace assay::jit
