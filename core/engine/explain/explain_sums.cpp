#include "core/engine/explain/explain_sums.hpp"
#include "core/engine/emit/forward_sweep.hpp"
#include "core/engine/explain/loop_formulas.hpp"
#include "core/engine/plan/plan.hpp"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace assay::engine {
namespace {

ExplainedSum explained(const Instruction &instruction, AdjointAdd add, const AdjointAdds &adds,
                       const SourceNames &names) {
  const auto *copy = dyn_cast<MemTransferInst>(&instruction);
  ExplainedSum sum;
  sum.name = copy ? "a copy of " + names.text(*copy->getRawSource()) : names.text(instruction);
  sum.place = source_place(instruction);
  sum.add = name_of(add).str();
  sum.once_for_lanes = adds.lane_addresses(instruction) == LaneAddresses::perhaps_alike;
  return sum;
}

SourcePlace place_of_loop(const PlannedDerivative &derivative, const BasicBlock *header) {
  const auto &loops = derivative.analyses.getResult<LoopAnalysis>(derivative.sweep.function);
  const Loop *loop = header ? loops.getLoopFor(header) : nullptr;
  return loop ? source_place(*loop) : SourcePlace();
}

std::string adjoint_text(AtomicUpdate::Form form) {
  switch (form) {
  case AtomicUpdate::Form::sum:
  case AtomicUpdate::Form::difference:
    return "reads the shadow of its place";
  case AtomicUpdate::Form::exchange:
    return "exchanges with the shadow of its place";
  case AtomicUpdate::Form::choice:
    return "takes the shadow of its place where that holds its number in the end";
  }
  llvm_unreachable("unknown form of an atomic update");
}

} // namespace

ExplainedSums explain_sums(const PlannedDerivative &derivative, const SourceNames &names) {
  ExplainedSums result;
  const AdjointAdds &adds = derivative.sweep.adds;
  SmallPtrSet<const Instruction *, 8> grouped;
  for (const SumGroup &group : derivative.plan.sum_groups.all()) {
    for (const SumGroup::Sum &member : group.sums) {
      grouped.insert(member.load);
      ExplainedSum sum = explained(*member.load, adds[*member.load], adds, names);
      sum.group = result.groups.size();
      sum.offset = member.offset;
      result.sums.push_back(std::move(sum));
    }
    result.groups.push_back({name_of(group.kind).str(), group.unless_local, place_of_loop(derivative, group.loop)});
  }
  for (const auto &[instruction, add] : adds)
    if (!grouped.contains(instruction))
      result.sums.push_back(explained(*instruction, add, adds, names));
  for (const auto &[instruction, update] : derivative.sweep.atomics)
    result.updates.push_back({names.text(*update.number), source_place(*instruction),
                              ("atomic " + name_of(update.form) + " of").str(), adjoint_text(update.form)});
  for (const auto &[instruction, kind] : derivative.sweep.noted_extrema.kinds)
    result.updates.push_back({names.text(*instruction), source_place(*instruction),
                              kind == Extremum::maximum ? "maximum" : "minimum", "reads which operand was taken"});
  return result;
}

} // namespace assay::engine
