#include "testutils/wide_subject.hpp"

#include "testutils/rounding_mode.hpp"
#include "testutils/spread.hpp"

#include <cmath>

namespace assay::testutils {

/// Calls `visit(place, number, again, right)` for every number of the derivative.
template <class Visit>
static void for_each_number(const DerivativeOutcome &plain, const WideOutcome &wide, Visit visit) {
  const auto walk = [&](std::optional<std::size_t> parameter, std::size_t lane, const Values &numbers,
                        const Values &again, const Values &right) {
    for (std::size_t element = 0; element < numbers.size(); ++element)
      visit(Place{parameter, element, static_cast<unsigned>(lane)}, numbers[element], again.at(element),
            right.at(element));
  };
  for (std::size_t lane = 0; lane < plain.result_tangents.size(); ++lane)
    walk(std::nullopt, lane, plain.result_tangents[lane], wide.as_run.result_tangents.at(lane),
         wide.outcome.result_tangents.at(lane));
  for (std::size_t lane = 0; lane < plain.shadows.size(); ++lane)
    for (std::size_t index = 0; index < plain.shadows[lane].size(); ++index)
      walk(index, lane, plain.shadows[lane][index], wide.as_run.shadows.at(lane).at(index),
           wide.outcome.shadows.at(lane).at(index));
}

bool ran_alike(Subject &subject, const DerivativeRequest &request, const DerivativeOutcome &plain,
               const WideOutcome &wide) {
  constexpr double part = 1e-9, roundings = 64;
  std::optional<Spread> spread; // Few numbers need it.
  bool alike = true;
  for_each_number(plain, wide, [&](const Place &place, double number, double again, double right) {
    const double size = std::max(std::abs(number), std::abs(again));
    const double apart = std::abs(number - again);
    if (!alike || same_bits(number, again) || apart <= part * size + roundings * std::abs(again - right))
      return;
    if (!spread)
      spread.emplace(subject, request, plain);
    alike = apart <= spread->at(place);
  });
  return alike;
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

/// What two runs that round differently do not agree on must be noise, or matter to no comparison: less than the part
/// of the largest number that tolerances are.
static bool has_digits(const DerivativeOutcome &plain, const DerivativeOutcome &wide, const DerivativeOutcome &again) {
  constexpr double part = 1e-6, part_of_largest = 1e-12;
  const NumbersOfDerivative all(plain), values(wide), others(again);
  double largest = 0;
  for (std::size_t index = 0; index < values.size(); ++index)
    if (std::isfinite(values[index]))
      largest = std::max(largest, std::abs(values[index]));
  for (std::size_t index = 0; index < values.size(); ++index) {
    const double size = std::max(std::abs(values[index]), std::isfinite(all[index]) ? std::abs(all[index]) : 0.0);
    const double noise = std::max(part * size, part_of_largest * largest);
    const bool same =
        same_bits(values[index], others[index]) || (std::isnan(values[index]) && std::isnan(others[index]));
    if (!same && !(std::abs(values[index] - others[index]) <= noise))
      return false;
  }
  return true;
}

namespace {

/// The same call with two roundings; the second is missing where it could not be computed.
struct TwoRuns {
  WideOutcome nearest;
  std::optional<WideOutcome> upward;
};

/// Throws NoDigits.
std::optional<TwoRuns> two_runs(Subject &subject, const DerivativeRequest &request, const DerivativeOutcome &plain) {
  std::optional<WideOutcome> nearest = differentiate_in_wide(subject, request, FE_TONEAREST);
  if (!nearest)
    return std::nullopt;
  std::optional<WideOutcome> upward = differentiate_in_wide(subject, request, FE_UPWARD);
  if (upward && !has_digits(plain, nearest->outcome, upward->outcome))
    throw NoDigits("the derivative has no digits in wide arithmetic");
  return TwoRuns{std::move(*nearest), std::move(upward)};
}

/// Zero in place of each number in which the two runs differ by more than a part of it: the rounding error of terms
/// that cancel in wide arithmetic too, which need not be the same in two right derivatives.
DerivativeOutcome without_noise(const TwoRuns &runs) {
  constexpr double part = 1e-12;
  DerivativeOutcome outcome = runs.nearest.outcome;
  const auto clear_noise = [](Values &numbers, const Values &others) {
    for (std::size_t element = 0; element < numbers.size(); ++element)
      if (std::abs(numbers[element] - others.at(element)) > part * std::abs(numbers[element]))
        numbers[element] = 0;
  };
  for (std::size_t lane = 0; lane < outcome.result_tangents.size(); ++lane)
    clear_noise(outcome.result_tangents[lane], runs.upward->outcome.result_tangents.at(lane));
  for (std::size_t lane = 0; lane < outcome.shadows.size(); ++lane)
    for (std::size_t index = 0; index < outcome.shadows[lane].size(); ++index)
      clear_noise(outcome.shadows[lane][index], runs.upward->outcome.shadows.at(lane).at(index));
  return outcome;
}

} // namespace

std::optional<WideOutcome> differentiate_in_wide(Subject &subject, const DerivativeRequest &request,
                                                 const DerivativeOutcome &plain) {
  std::optional<TwoRuns> runs = two_runs(subject, request, plain);
  return runs ? std::optional(std::move(runs->nearest)) : std::nullopt;
}

DerivativeOutcome WideSubject::differentiate(const DerivativeRequest &request) {
  const DerivativeOutcome plain = subject.differentiate(request);
  const std::optional<TwoRuns> runs = two_runs(subject, request, plain);
  if (!runs)
    throw SubjectError("there is no wide version of the derivative");
  is_usual = is_usual && ran_alike(subject, request, plain, runs->nearest);
  coarsest = std::max(coarsest, runs->nearest.roundoff);
  return runs->upward ? without_noise(*runs) : runs->nearest.outcome;
}

} // namespace assay::testutils
