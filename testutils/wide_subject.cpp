#include "testutils/wide_subject.hpp"

#include "testutils/rounding_mode.hpp"

#include <cmath>

namespace assay::testutils {

bool ran_alike(const DerivativeOutcome &plain, const WideOutcome &wide) {
  constexpr double part = 1e-9, roundings = 64;
  const NumbersOfDerivative numbers(plain), again(wide.as_run), right(wide.outcome);
  for (std::size_t index = 0; index < numbers.size(); ++index) {
    const double size = std::max(std::abs(numbers[index]), std::abs(again[index]));
    const double apart = part * size + roundings * std::abs(again[index] - right[index]);
    if (!same_bits(numbers[index], again[index]) && !(std::abs(numbers[index] - again[index]) <= apart))
      return false;
  }
  return true;
}

static std::optional<WideOutcome> differentiate_in_wide(Subject &subject, const DerivativeRequest &request,
                                                        int rounding_mode) {
  try {
    const RoundingMode rounding(rounding_mode);
    std::optional<WideOutcome> wide = subject.differentiate_in_wide(request);
    return wide && wide->not_followed.empty() ? std::move(wide) : std::nullopt;
  } catch (const SubjectError &) {
    return std::nullopt;
  }
}

static bool has_digits(const DerivativeOutcome &plain, const DerivativeOutcome &wide, const DerivativeOutcome &again) {
  constexpr double part = 1e-6;
  const NumbersOfDerivative all(plain), values(wide), others(again);
  for (std::size_t index = 0; index < values.size(); ++index) {
    const double size = std::max(std::abs(values[index]), std::isfinite(all[index]) ? std::abs(all[index]) : 0.0);
    if (!same_bits(values[index], others[index]) && !(std::abs(values[index] - others[index]) <= part * size))
      return false;
  }
  return true;
}

std::optional<WideOutcome> differentiate_in_wide(Subject &subject, const DerivativeRequest &request,
                                                 const DerivativeOutcome &plain) {
  std::optional<WideOutcome> wide = differentiate_in_wide(subject, request, FE_TONEAREST);
  if (!wide)
    return wide;
  const std::optional<WideOutcome> again = differentiate_in_wide(subject, request, FE_UPWARD);
  if (again && !has_digits(plain, wide->outcome, again->outcome))
    throw NoDigits("the derivative has no digits in wide arithmetic");
  return wide;
}

DerivativeOutcome WideSubject::differentiate(const DerivativeRequest &request) {
  const DerivativeOutcome plain = subject.differentiate(request);
  std::optional<WideOutcome> wide = testutils::differentiate_in_wide(subject, request, plain);
  if (!wide)
    throw SubjectError("there is no wide version of the derivative");
  is_usual = is_usual && ran_alike(plain, *wide);
  coarsest = std::max(coarsest, wide->roundoff);
  return std::move(wide->outcome);
}

} // namespace assay::testutils
