// Depth first: before a call is lowered, so are the calls in every function that can be reached from the function that
// it differentiates. A function refers to another wherever an operand mentions it, which covers stored function
// pointers.

#include "core/engine/lowering/lowering_order.hpp"
#include "core/engine/lowering/dispatch.hpp"
#include "core/engine/prepare/resolve_calls.hpp"
#include "core/engine/support/constant_resolution.hpp"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include <iterator>
#include <map>
#include <vector>

using namespace llvm;

namespace assay::engine {
namespace {

class Order {
public:
  Order(ArrayRef<ConventionSite> sites, const FunctionInfo &function_info)
      : sites_(sites), function_info_(function_info), visited_(sites.size()) {
    for (auto [index, site] : enumerate(sites))
      by_function_[site.call->getFunction()].push_back(index);
  }

  SmallVector<ConventionSite, 8> take() {
    for (size_t index = 0; index < sites_.size(); ++index)
      visit(index);
    return std::move(ordered_);
  }

private:
  void visit(size_t index) {
    if (std::exchange(visited_[index], true))
      return;
    CallBase &call = *sites_[index].call;
    const bool is_open = !call.arg_empty() && !resolve_function(call);
    if (is_open)
      open_.insert(call.getFunction());
    for (Function *function : reachable_from(call))
      if (const auto inner = by_function_.find(function); inner != by_function_.end())
        for (size_t each : inner->second)
          visit(each);
    if (is_open)
      open_.erase(call.getFunction());
    ordered_.push_back(sites_[index]);
  }

  static void mentioned_functions(Value *value, SmallPtrSetImpl<Value *> &seen, SetVector<Function *> &functions) {
    if (!isa<Constant>(value) || !seen.insert(value).second)
      return;
    if (auto *function = dyn_cast<Function>(value)) {
      functions.insert(function);
      return;
    }
    for (Value *operand : cast<Constant>(value)->operands())
      mentioned_functions(operand, seen, functions);
  }

  /// What is done for a call of a function with a rule is in the rule.
  void rule_functions(const Function &function, SetVector<Function *> &functions) const {
    const UserRule *rule = function_info_.rule(function);
    if (!rule || !rule->rule_template)
      return;
    const RuleTemplate &made = *rule->rule_template;
    for (Function *each : {made.forward, made.augmented, made.reverse})
      if (each)
        functions.insert(each);
  }

  /// Found once: nothing changes while calls are put in order.
  ArrayRef<Function *> address_taken(Module &module) {
    if (!address_taken_)
      address_taken_ = address_taken_functions(module);
    return *address_taken_;
  }

  SetVector<Function *> reachable_from(CallBase &call) {
    SetVector<Function *> functions;
    if (call.arg_empty())
      return functions;
    if (Function *differentiated = resolve_function(call))
      functions.insert(differentiated);
    else
      for (Function *candidate : address_taken(*call.getModule()))
        if (!leads_to_open_call(*candidate))
          functions.insert(candidate);
    for (Value *argument : call.args()) // A trampoline is given the function that it calls.
      if (auto *given = dyn_cast_or_null<Function>(resolve_constant(argument)); given && !given->isDeclaration())
        functions.insert(given);
    add_reachable(functions);
    return functions;
  }

  void add_reachable(SetVector<Function *> &functions) {
    SmallPtrSet<Value *, 16> seen;
    for (size_t next = 0; next < functions.size(); ++next) {
      rule_functions(*functions[next], functions);
      for (Instruction &instruction : instructions(*functions[next])) {
        for (Value *operand : instruction.operands())
          mentioned_functions(operand, seen, functions);
        if (auto *inner = dyn_cast<CallBase>(&instruction); inner && inner->isIndirectCall())
          functions.insert_range(called_by(*inner));
      }
    }
  }

  /// A call whose function is not known is lowered for what needs no lowered copy of the call itself: what leads to one
  /// that is being put in order comes after it.
  bool leads_to_open_call(Function &candidate) {
    const auto [known, is_new] = led_to_.try_emplace(&candidate);
    if (is_new) {
      SetVector<Function *> reached;
      reached.insert(&candidate);
      add_reachable(reached);
      copy_if(reached, std::inserter(known->second, known->second.end()),
              [&](Function *function) { return by_function_.contains(function); });
    }
    return any_of(known->second, [&](Function *function) { return open_.contains(function); });
  }

  /// What the derivative of an indirect call will choose from.
  ArrayRef<Function *> called_by(CallBase &call) {
    const auto [known, is_new] = called_by_.try_emplace(&call);
    if (is_new)
      known->second = possible_callees(call);
    return known->second;
  }

  ArrayRef<ConventionSite> sites_;
  const FunctionInfo &function_info_;
  std::optional<SmallVector<Function *, 8>> address_taken_;
  SmallVector<bool, 8> visited_;
  DenseMap<Function *, SmallVector<size_t, 2>> by_function_;
  SmallPtrSet<const Function *, 8> open_; ///< With calls of unknown functions that are being put in order.
  std::map<const Function *, std::vector<Function *>> led_to_; ///< Of those that have calls.
  DenseMap<const CallBase *, SmallVector<Function *, 4>> called_by_;
  SmallVector<ConventionSite, 8> ordered_;
};

} // namespace

SmallVector<ConventionSite, 8> lowering_order(ArrayRef<ConventionSite> sites, const FunctionInfo &function_info) {
  return Order(sites, function_info).take();
}

} // namespace assay::engine
