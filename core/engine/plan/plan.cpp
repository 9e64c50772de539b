#include "core/engine/plan/plan.hpp"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// A check whose place does not lie on every way to the end is answered there, and read later.
void keep_answers(Plan &plan, const PlanInput &input) {
  const auto exit =
      find_if(input.sweep, [](const BasicBlock &block) { return isa<ReturnInst>(block.getTerminator()); });
  for (auto [index, check] : enumerate(plan.overlap_checks)) {
    check.is_kept = exit == input.sweep.end() || !input.dominators.dominates(check.place->getParent(), &*exit);
    if (check.is_kept)
      plan.kept.push_back({check.place, KeptValue::Kind::overlap, unsigned(index)});
  }
}

/// The tape keeps the overwritten values of the stores that are restored from it.
void keep_overwritten(Plan &plan, Function &sweep) {
  for (const RestoredStore &restored : plan.restored)
    if (!restored.is_kept_on_stack())
      plan.kept.push_back({restored.store, KeptValue::Kind::overwritten});
  DenseMap<const Instruction *, unsigned> order;
  for (const Instruction &instruction : instructions(sweep))
    order[&instruction] = order.size();
  sort(plan.kept, [&](const KeptValue &a, const KeptValue &b) { return order.at(a.origin) < order.at(b.origin); });
}

} // namespace

Plan make_plan(const PlanInput &input) {
  Plan plan{plan_storage(input)};
  if (!input.runtime_activity) {
    plan.order_independent_loops = find_order_independent_loops(
        OrderIndependenceInput{plan.kept, plan.restored, input.control, input.loops, input.reloads, input.independence,
                               input.has_adjoint, input.is_scalar});
    plan.accumulations = find_accumulations(AccumulationInput{input.sweep, plan.restored, input.control, input.loops,
                                                              input.dominators, input.reloads, input.has_adjoint});
  }
  keep_answers(plan, input);
  keep_overwritten(plan, input.sweep);
  plan.tape = lay_out_tape(
      {input.sweep, plan.kept, input.needed, input.control, input.loops, input.dominators, input.split, input.caller});
  return plan;
}

} // namespace assay::engine
