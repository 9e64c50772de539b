#pragma once
// The observer that explains: one Explanation for each derivative that the engine makes, or refuses, in the order in
// which they are asked for.

#include "core/engine/explain/explain_analysis.hpp"
#include "core/engine/support/observer.hpp"
#include "llvm/ADT/DenseMap.h"
#include <memory>

namespace assay::engine {

/// Whether explanations hold their plans as text.
enum class PlanText : std::uint8_t { omitted, included };

class ExplanationCollector : public Observer {
public:
  explicit ExplanationCollector(Detail detail = Detail::full, PlanText plan_text = PlanText::omitted)
      : detail_(detail), plan_text_(plan_text) {}

  void analysed(const AnalysedDerivative &derivative) override;
  void planned(const PlannedDerivative &derivative) override;
  void refused(const Request &request, llvm::StringRef message) override;

  /// All that was seen.
  std::vector<Explanation> take();

private:
  /// An explanation whose plan is not there yet.
  struct Open {
    std::size_t explanation = 0;
    const llvm::Function *prepared = nullptr;
    std::unique_ptr<SourceNames> names;
    llvm::DenseMap<const llvm::Value *, std::size_t> values; ///< Of the explanation.
  };

  Detail detail_;
  PlanText plan_text_;
  std::vector<Explanation> explanations_;
  std::vector<Open> open_;
};

} // namespace assay::engine
