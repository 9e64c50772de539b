#pragma once
// A subject whose derivatives are those of another, computed in wide arithmetic: what the checks of algebra find there
// is not rounding.

#include "testutils/numbers.hpp"

#include <algorithm>

namespace assay::testutils {

/// Every number of the derivative, in one order for all outcomes of a combination.
class NumbersOfDerivative {
public:
  explicit NumbersOfDerivative(const DerivativeOutcome &outcome) {
    for (const Values &tangents : outcome.result_tangents)
      append(tangents);
    for (const Arguments &lane : outcome.shadows)
      std::for_each(lane.begin(), lane.end(), [&](const Values &shadow) { append(shadow); });
  }
  std::size_t size() const { return numbers.size(); }
  double operator[](std::size_t index) const { return index < numbers.size() ? numbers[index] : 0; }

private:
  void append(const Values &values) { numbers.insert(numbers.end(), values.begin(), values.end()); }

  Values numbers;
};

/// Whether the derivative gave, beside its computation in wide arithmetic, what it gives without, to its own rounding:
/// sums may have another order.
bool ran_alike(Subject &subject, const DerivativeRequest &request, const DerivativeOutcome &plain,
               const WideOutcome &wide);

/// Noise was divided by noise: two runs in wide arithmetic that round differently give different numbers.
struct NoDigits : SubjectError {
  using SubjectError::SubjectError;
};

/// What `plain` is in wide arithmetic; nothing where the subject cannot tell. Throws NoDigits.
std::optional<WideOutcome> differentiate_in_wide(Subject &subject, const DerivativeRequest &request,
                                                 const DerivativeOutcome &plain);

class WideSubject : public Subject {
public:
  explicit WideSubject(Subject &subject) : subject(subject) {}

  const Signature &signature() const override { return subject.signature(); }
  PrimalOutcome evaluate(const Arguments &inputs) override { return subject.evaluate(inputs); }
  /// Throws SubjectError as well where the derivative cannot be computed so.
  DerivativeOutcome differentiate(const DerivativeRequest &request) override;
  bool supports(const Combination &combination) const override { return subject.supports(combination); }

  /// All derivatives so far gave, beside that, what they give without wide arithmetic.
  bool ran_as_usual() const { return is_usual; }
  /// The unit roundoff of the coarsest numbers so far.
  double roundoff() const { return coarsest; }

private:
  Subject &subject;
  bool is_usual = true;
  double coarsest = 0x1p-53;
};

} // namespace assay::testutils
