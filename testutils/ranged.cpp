#include "testutils/ranged.hpp"

#include <cfenv>

namespace assay::testutils {

template <class Call>
static auto ranged(const Call &call) {
  std::fenv_t before;
  std::feholdexcept(&before);
  auto outcome = call();
  outcome.left_range = outcome.left_range || std::fetestexcept(FE_OVERFLOW | FE_UNDERFLOW) != 0;
  std::fesetenv(&before);
  return outcome;
}

DerivativeOutcome differentiate_ranged(Subject &subject, const DerivativeRequest &request) {
  return ranged([&] { return subject.differentiate(request); });
}

PrimalOutcome evaluate_ranged(Subject &subject, const Arguments &inputs) {
  return ranged([&] { return subject.evaluate(inputs); });
}

} // namespace assay::testutils
