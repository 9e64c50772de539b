#include "core/jit/effort.hpp"

#include "llvm/ADT/Any.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#include <algorithm>
#include <compare>
#include <map>

using namespace llvm;

namespace assay::jit {

namespace {

constexpr const char *left_as_it_is = "assay-left-as-it-is";

/// What sets a derivative apart from the plain form, one property at a time.
struct Property {
  Mode mode;
  bool is_batch = false;
  Form form = Form::combined;
  RuntimeActivity runtime_activity = RuntimeActivity::off;
  friend auto operator<=>(const Property &, const Property &) = default;
};

std::vector<Property> properties_of(const Derivative &derivative) {
  const Mode mode = derivative.mode;
  std::vector<Property> properties{{.mode = mode, .is_batch = derivative.width != 1}};
  if (derivative.form != Form::combined)
    properties.push_back({.mode = mode, .form = derivative.form});
  if (derivative.runtime_activity != RuntimeActivity::off)
    properties.push_back({.mode = mode, .runtime_activity = derivative.runtime_activity});
  return properties;
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

/// A width for each loop would be more than a limit: LLVM then adds up in another order.
void vectorise_only(Function &function) {
  function.addFnAttr("prefer-vector-width", "128");
  DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  for (Loop *loop : loops.getLoopsInPreorder()) {
    addStringMetadataToLoop(loop, "llvm.loop.interleave.count", 1);
    addStringMetadataToLoop(loop, "llvm.loop.unroll.disable", 1);
  }
}

/// What a pass is about to run on; null where that is more than one function.
const Function *function_of(const Any &unit) {
  if (const auto *function = any_cast<const Function *>(&unit))
    return *function;
  if (const auto *loop = any_cast<const Loop *>(&unit))
    return (*loop)->getHeader()->getParent();
  return nullptr;
}

} // namespace

std::vector<bool> choose_optimised(std::span<const Derivative> derivatives) {
  std::vector<bool> chosen;
  std::map<Property, std::size_t> fullest;
  for (std::size_t index = 0; index < derivatives.size(); ++index) {
    chosen.push_back(is_plain(derivatives[index]));
    for (const Property &property : properties_of(derivatives[index])) {
      const auto [known, is_new] = fullest.try_emplace(property, index);
      if (!is_new && active_count(derivatives[index]) > active_count(derivatives[known->second]))
        known->second = index;
    }
  }
  for (const auto &[property, index] : fullest)
    chosen[index] = true;
  return chosen;
}

void limit_effort(Module &module, function_ref<bool(const Function &)> is_optimised) {
  const SetVector<const Function *> reached = reached_from(module, is_optimised);
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    if (reached.contains(&function))
      vectorise_only(function);
    else
      leave_as_it_is(function);
  }
}

void leave_as_it_is(Function &function) {
  function.addFnAttr(left_as_it_is);
}

void leave_as_it_is(Module &module) {
  for (Function &function : module)
    if (!function.isDeclaration())
      leave_as_it_is(function);
}

void skip_passes_on_what_is_left(PassInstrumentationCallbacks &callbacks) {
  callbacks.registerShouldRunOptionalPassCallback([](StringRef, const Any &unit) {
    const Function *function = function_of(unit);
    return !function || !function->hasFnAttribute(left_as_it_is);
  });
}

} // namespace assay::jit
