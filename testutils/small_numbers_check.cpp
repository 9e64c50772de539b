#include "testutils/small_numbers_check.hpp"

#include "testutils/numbers.hpp"
#include "testutils/oracle_comparison.hpp"
#include "testutils/requests.hpp"
#include "testutils/tolerance.hpp"
#include "testutils/wide_subject.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace assay::testutils {

namespace {

/// Two numbers that share so many digits do so for a reason.
constexpr double shared_digits = 1e-6;
/// In parts of the absolute tolerance, which is 1e-9 of the largest number: the square of its rounding is larger.
constexpr double far_below = 0x1p-75;
/// A rule may approximate such a number, or leave it out.
constexpr double approximation = 1.0 / 8, least_part = 1.0 / 1024;
/// So many inputs are moved one by one.
constexpr std::size_t most_single_inputs = 6;

bool is_asked(const Stage &stage) {
  const Tolerance &given = stage.options.tolerance;
  return stage.options.oracle != OracleChoice::finite_differences && stage.precise.is_offered() && !given.absolute &&
         given.rules.empty();
}

OracleComparisons compare_all(Oracle &oracle, const DerivativeRequest &request, const DerivativeOutcome &outcome,
                              const CheckOptions &options) {
  OracleComparisons comparisons;
  for (unsigned lane = 0; lane < request.combination.width; ++lane)
    if (request.combination.mode == Mode::forward)
      compare_tangents(oracle, request, outcome, lane, options.tolerance, comparisons);
    else
      compare_adjoints(oracle, request, outcome, lane, options, comparisons);
  return comparisons;
}

bool is_alike(double seen, double other) {
  return std::abs(seen - other) <= shared_digits * std::abs(other);
}

/// Only of doubles that are computed as such, and have all their digits.
bool is_known_to_digits(const Signature &signature, const Compared &row) {
  const Comparison &number = row.comparison;
  const ElementType type = parameter_at(signature, number.place).element_type(number.place.element);
  return type == ElementType::double_precision && !row.coarse && row.trouble == fdm::Trouble::none &&
         std::isfinite(number.expected) && std::abs(number.expected) > least_number(type) / epsilon_of(type) &&
         number.oracle_error <= shared_digits * std::abs(number.expected);
}

/// Numbers that the tolerance alone lets pass.
bool may_be_hidden(const Signature &signature, const Compared &row) {
  return row.agreement == Agreement::agrees && is_known_to_digits(signature, row) &&
         std::abs(row.comparison.expected) <= row.absolute;
}

/// The expected number with the other sign, or with a factor that people forget or write twice; empty for others.
std::string factor_between(double seen, double expected) {
  struct Factor {
    double value;
    const char *name;
  };
  static constexpr std::array<Factor, 6> factors{
      {{1, ""}, {2, "twice"}, {1.0 / 2, "half of"}, {3, "three times"}, {1.0 / 3, "a third of"}, {4, "four times"}}};
  for (const double sign : {-1.0, 1.0})
    for (const Factor &factor : factors)
      if (sign * factor.value != 1 && is_alike(seen, sign * factor.value * expected))
        return fmt::format("{}{}{}", sign < 0 ? "minus " : "", factor.name, *factor.name ? " " : "");
  return {};
}

bool is_far_below_rounding(const Compared &row) {
  return std::abs(row.comparison.expected) <= far_below * row.absolute;
}

/// Another number of about the same size.
bool differs_on_its_scale(double seen, double expected) {
  return std::abs(seen) >= least_part * std::abs(expected) && std::abs(expected) >= least_part * std::abs(seen) &&
         std::abs(seen - expected) > approximation * std::abs(expected);
}

bool is_another(const Signature &signature, const Compared &row) {
  const double seen = row.comparison.ad, expected = row.comparison.expected;
  return is_known_to_digits(signature, row) && (!factor_between(seen, expected).empty() ||
                                                (is_far_below_rounding(row) && differs_on_its_scale(seen, expected)));
}

bool is_same_place(const Place &one, const Place &other) {
  return one.parameter == other.parameter && one.element == other.element && one.lane == other.lane;
}

/// Of the numbers above zeros, one that is another than the expected one, and the same in wide arithmetic of the
/// derivative's code.
std::optional<Comparison> find_other(Stage &stage, const DerivativeRequest &bare, const DerivativeOutcome &plain) {
  const Signature &signature = stage.subject.signature();
  const OracleComparisons numbers = compare_all(stage.precise, bare, plain, stage.options);
  const auto found = std::find_if(numbers.rows.begin(), numbers.rows.end(), [&](const Compared &row) {
    return may_be_hidden(signature, row) && is_another(signature, row);
  });
  if (found == numbers.rows.end())
    return std::nullopt;
  const std::optional<WideOutcome> wide = differentiate_in_wide(stage.subject, bare, plain);
  if (!wide)
    return std::nullopt;
  const OracleComparisons in_wide = compare_all(stage.wide, bare, wide->outcome, stage.options);
  const bool is_other_there = std::any_of(in_wide.rows.begin(), in_wide.rows.end(), [&](const Compared &row) {
    return is_same_place(row.comparison.place, found->comparison.place) && is_another(signature, row) &&
           is_alike(row.comparison.ad, found->comparison.ad);
  });
  if (!is_other_there)
    return std::nullopt;
  Comparison number = found->comparison;
  number.tolerance = shared_digits * std::abs(number.expected);
  return number;
}

/// Forward: the tangents that are zero but for one input whose part of an output is hidden by those of others.
std::vector<DerivativeRequest> single_tangents(Stage &stage, const DerivativeRequest &request) {
  std::vector<DerivativeRequest> requests;
  const std::vector<Place> inputs = active_inputs(stage.subject.signature(), request.combination);
  if (request.combination.mode != Mode::forward || request.combination.width != 1 || inputs.size() < 2 ||
      inputs.size() > largest_dense_input)
    return requests;
  const auto is_small = [&](const Place &input) {
    const std::vector<Guess> &column = stage.precise.column(*input.parameter, input.element);
    const ElementType type = parameter_at(stage.subject.signature(), input).element_type(input.element);
    return std::any_of(column.begin(), column.end(), [&](const Guess &guess) {
      return guess.value != 0 && std::abs(guess.value) <= absolute_tolerance(stage.options.tolerance, type);
    });
  };
  for (const Place &input : inputs)
    if (requests.size() < most_single_inputs && is_small(input)) {
      DerivativeRequest single = scaled(request, stage.point, 0);
      single.shadows[0][*input.parameter][input.element] = request.shadows[0][*input.parameter][input.element];
      requests.push_back(std::move(single));
    }
  return requests;
}

Finding failure(Finding finding, Comparison number) {
  const std::string factor = factor_between(number.ad, number.expected);
  finding.verdict = Verdict::wrong_derivative;
  finding.detail = fmt::format("a number that is small beside others of the derivative is {}, in wide arithmetic of "
                               "the derivative's own code as well",
                               factor.empty() ? "another than the one that is expected on its own scale"
                                              : factor + "the one that is expected");
  finding.worst.push_back(std::move(number));
  return finding;
}

/// Whether a number of the derivative is below the tolerance.
bool has_hidden(Stage &stage, const DerivativeRequest &request, const DerivativeOutcome &outcome) {
  const OracleComparisons usual = compare_all(stage.precise, request, outcome, stage.options);
  return std::any_of(usual.rows.begin(), usual.rows.end(),
                     [&](const Compared &row) { return may_be_hidden(stage.subject.signature(), row); });
}

} // namespace

Finding check_small_numbers(Stage &stage, const DerivativeRequest &request, const DerivativeOutcome &outcome) {
  Finding finding{Verdict::pass, "small numbers beside large ones", {}, {}, 0};
  if (!is_asked(stage))
    return finding;
  try {
    if (has_hidden(stage, request, outcome)) {
      const bool is_reverse = request.combination.mode == Mode::reverse;
      const DerivativeRequest bare = is_reverse ? without_incoming(request, stage.point) : request;
      const DerivativeOutcome plain = is_reverse ? stage.subject.differentiate(bare) : outcome;
      if (std::optional<Comparison> number = find_other(stage, bare, plain))
        return failure(std::move(finding), *std::move(number));
    }
    for (const DerivativeRequest &single : single_tangents(stage, request))
      if (std::optional<Comparison> number = find_other(stage, single, stage.subject.differentiate(single)))
        return failure(std::move(finding), *std::move(number));
  } catch (const SubjectError &) { // Above zeros, or in wide arithmetic, it gives no numbers.
  }
  return finding;
}

} // namespace assay::testutils
