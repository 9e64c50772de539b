#include "core/engine/explain/loop_formulas.hpp"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"

using namespace llvm;

namespace assay::engine {

SourcePlace source_place(const Loop &loop) {
  if (SourcePlace start = source_place(loop.getStartLoc()); start.line > 0)
    return start;
  return source_place(*loop.getHeader()->begin());
}

LoopFormulas::LoopFormulas(const ControlRecord &control, ScalarEvolution &evolution,
                           function_ref<std::string(const Value &)> name_of)
    : control_(control), evolution_(evolution), name_of_(name_of) {}

std::string LoopFormulas::iterations_text(const Loop &loop) {
  const SourcePlace place = source_place(loop);
  return place.line > 0 ? "(iterations of the loop at " + place_text(place) + ")" : "(iterations of a loop)";
}

/// The variable that counts from 0; where there is none, a letter that no variable is likely to have.
std::string LoopFormulas::counter(const Loop &loop) const {
  for (PHINode &phi : loop.getHeader()->phis()) {
    if (!phi.getType()->isIntegerTy())
      continue;
    const auto *recurrence = dyn_cast<SCEVAddRecExpr>(evolution_.getSCEV(&phi));
    if (!recurrence || !recurrence->isAffine() || !recurrence->getStart()->isZero() ||
        !recurrence->getStepRecurrence(evolution_)->isOne())
      continue;
    if (std::string name = name_of_(phi); !name.empty())
      return name;
  }
  const SourcePlace place = source_place(loop);
  return "k" + (place.line > 0 ? std::to_string(place.line) : std::string());
}

std::optional<Formula> LoopFormulas::iterations(const Loop &loop) const {
  const auto found = control_.loops.find(&loop);
  if (found == control_.loops.end())
    return std::nullopt;
  if (found->second.constant_count)
    return Formula(static_cast<std::int64_t>(*found->second.constant_count)) + Formula(1);
  if (!found->second.count)
    return std::nullopt;
  std::optional<Formula> count = formula(evolution_.getSCEV(found->second.count));
  return count ? std::optional(*count + Formula(1)) : std::nullopt;
}

Formula LoopFormulas::total(std::uint64_t bytes, const Loop *loop) const {
  Formula result(static_cast<std::int64_t>(bytes));
  for (; loop; loop = loop->getParentLoop()) {
    const std::optional<Formula> often = iterations(*loop);
    if (!often) // Its name stands for all its iterations in the whole run.
      return result * Formula::symbol(iterations_text(*loop));
    result = Formula::series(result, counter(*loop), *often);
  }
  return result;
}

std::optional<std::vector<Formula>> LoopFormulas::formulas(ArrayRef<const SCEV *> evolutions) const {
  std::vector<Formula> result;
  for (const SCEV *part : evolutions) {
    std::optional<Formula> one = formula(part);
    if (!one)
      return std::nullopt;
    result.push_back(std::move(*one));
  }
  return result;
}

std::optional<Formula> LoopFormulas::formula(const SCEV *evolution) const {
  if (const auto *constant = dyn_cast<SCEVConstant>(evolution))
    return constant->getAPInt().getSignificantBits() <= 64 ? std::optional(Formula(constant->getAPInt().getSExtValue()))
                                                           : std::nullopt;
  if (const auto *cast = dyn_cast<SCEVCastExpr>(evolution))
    return formula(cast->getOperand());
  if (const auto *unknown = dyn_cast<SCEVUnknown>(evolution)) {
    const auto *instruction = dyn_cast<Instruction>(unknown->getValue());
    if (instruction && any_of(control_.loops, [&](const auto &entry) { return entry.first->contains(instruction); }))
      return std::nullopt; // Another one in each iteration.
    if (std::string name = name_of_(*unknown->getValue()); !name.empty())
      return Formula::symbol(std::move(name));
    return std::nullopt;
  }
  if (const auto *recurrence = dyn_cast<SCEVAddRecExpr>(evolution)) {
    if (!recurrence->isAffine())
      return std::nullopt;
    const std::optional<Formula> start = formula(recurrence->getStart()),
                                 step = formula(recurrence->getStepRecurrence(evolution_));
    if (!start || !step)
      return std::nullopt;
    return *start + *step * Formula::symbol(counter(*recurrence->getLoop()));
  }
  if (const auto *division = dyn_cast<SCEVUDivExpr>(evolution)) {
    const std::optional<Formula> dividend = formula(division->getLHS()), divisor = formula(division->getRHS());
    return dividend && divisor ? std::optional(Formula::quotient(*dividend, *divisor)) : std::nullopt;
  }
  const auto *several = dyn_cast<SCEVNAryExpr>(evolution);
  const auto parts = several ? formulas(several->operands()) : std::nullopt;
  if (!parts)
    return std::nullopt;
  switch (evolution->getSCEVType()) {
  case scAddExpr: {
    Formula sum;
    for (const Formula &part : *parts)
      sum = sum + part;
    return sum;
  }
  case scMulExpr: {
    Formula product(1);
    for (const Formula &part : *parts)
      product = product * part;
    return product;
  }
  case scUMaxExpr:
  case scSMaxExpr:
    return Formula::largest(*parts);
  case scUMinExpr:
  case scSMinExpr:
  case scSequentialUMinExpr:
    return Formula::smallest(*parts);
  default:
    return std::nullopt;
  }
}

} // namespace assay::engine
