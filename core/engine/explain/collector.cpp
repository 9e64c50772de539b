#include "core/engine/explain/collector.hpp"
#include "core/engine/emit/forward_sweep.hpp"
#include "core/engine/explain/explain_plan.hpp"
#include "core/engine/explain/message_chain.hpp"
#include "core/engine/plan/plan.hpp"

using namespace llvm;

namespace assay::engine {

static std::string text_of_plan(const PlannedDerivative &derivative) {
  std::string text;
  raw_string_ostream out(text);
  derivative.sweep.call_plans.print(out);
  derivative.sweep.memory.print(out);
  derivative.sweep.adds.print(out);
  derivative.sweep.atomics.print(out);
  derivative.sweep.noted_extrema.print(out);
  derivative.plan.print(out);
  return text;
}

void ExplanationCollector::analysed(const AnalysedDerivative &derivative) {
  Open open;
  open.explanation = explanations_.size();
  open.prepared = &derivative.prepared;
  open.names = std::make_unique<SourceNames>(derivative.prepared);
  explanations_.push_back(explain_analysis(derivative, *open.names, open.values, detail_));
  open_.push_back(std::move(open));
}

void ExplanationCollector::planned(const PlannedDerivative &derivative) {
  const auto found = std::find_if(open_.rbegin(), open_.rend(), [&](const Open &open) {
    return open.prepared == &derivative.sweep.prepared && !explanations_[open.explanation].is_planned;
  });
  if (found == open_.rend())
    return;
  explain_plan(derivative, *found->names, found->values, explanations_[found->explanation]);
  if (plan_text_ == PlanText::included)
    explanations_[found->explanation].plan = text_of_plan(derivative);
  open_.erase(std::next(found).base());
}

void ExplanationCollector::refused(const Request &request, StringRef message) {
  const std::string key = fingerprint(request);
  const auto found = std::find_if(explanations_.rbegin(), explanations_.rend(),
                                  [&](const Explanation &known) { return known.key == key; });
  Explanation &refused = found != explanations_.rend() ? *found : explanations_.emplace_back(explain_request(request));
  refused.refusal = message.str();
  if (std::vector<ExplainedStep> chain = chain_of_message(message); !chain.empty())
    refused.chain = std::move(chain);
}

std::vector<Explanation> ExplanationCollector::take() {
  for (Explanation &explanation : explanations_)
    if (explanation.refusal.empty() && !explanation.has_runtime_activity)
      explanation.chain.clear(); // Nobody needed the shadow that there is not.
  // Derivatives that differ in what the caller asked for alone, as the halves of a split one may, are told of once.
  std::vector<Explanation> told;
  for (Explanation &explanation : explanations_) {
    explanation.key.clear();
    if (!is_contained(told, explanation))
      told.push_back(std::move(explanation));
  }
  return told;
}

} // namespace assay::engine
