#include "testutils/sign_check.hpp"

#include "testutils/numbers.hpp"
#include "testutils/oracle_comparison.hpp"
#include "testutils/requests.hpp"
#include "testutils/tolerance.hpp"
#include "testutils/wide_subject.hpp"

#include <algorithm>
#include <cmath>

namespace assay::testutils {

namespace {

/// Two numbers that share so many digits do so for a reason.
constexpr double shared_digits = 1e-6;

bool is_asked(const Stage &stage) {
  const Tolerance &given = stage.options.tolerance;
  return stage.options.oracle != OracleChoice::finite_differences && stage.precise.is_offered() && !given.absolute &&
         given.rules.empty();
}

bool is_minus(double seen, double expected) {
  return std::abs(seen + expected) <= shared_digits * std::abs(expected);
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

/// Only of doubles that are computed as such, and have all their digits.
bool is_known_to_digits(const Signature &signature, const Compared &row) {
  const Comparison &number = row.comparison;
  const ElementType type = parameter_at(signature, number.place).element_type(number.place.element);
  return type == ElementType::double_precision && !row.coarse && row.trouble == fdm::Trouble::none &&
         std::isfinite(number.expected) && std::abs(number.expected) > least_number(type) / epsilon_of(type) &&
         number.oracle_error <= shared_digits * std::abs(number.expected);
}

/// Numbers that the tolerance alone lets pass.
bool may_hide_a_sign(const Signature &signature, const Compared &row) {
  return row.agreement == Agreement::agrees && is_known_to_digits(signature, row) &&
         std::abs(row.comparison.expected) <= row.absolute;
}

bool has_other_sign(const Signature &signature, const Compared &row) {
  return is_known_to_digits(signature, row) && is_minus(row.comparison.ad, row.comparison.expected);
}

/// Of the numbers above zeros, that which has the other sign in the derivative and in its code in wide arithmetic.
std::optional<Comparison> find_other_sign(Stage &stage, const DerivativeRequest &bare, const DerivativeOutcome &plain) {
  const Signature &signature = stage.subject.signature();
  const OracleComparisons numbers = compare_all(stage.precise, bare, plain, stage.options);
  const auto found = std::find_if(numbers.rows.begin(), numbers.rows.end(), [&](const Compared &row) {
    return may_hide_a_sign(signature, row) && has_other_sign(signature, row);
  });
  if (found == numbers.rows.end())
    return std::nullopt;
  const Place place = found->comparison.place;
  const std::optional<WideOutcome> wide = differentiate_in_wide(stage.subject, bare, plain);
  if (!wide)
    return std::nullopt;
  const OracleComparisons in_wide = compare_all(stage.wide, bare, wide->outcome, stage.options);
  const bool is_other_there = std::any_of(in_wide.rows.begin(), in_wide.rows.end(), [&](const Compared &row) {
    const Place &there = row.comparison.place;
    return there.parameter == place.parameter && there.element == place.element && there.lane == place.lane &&
           has_other_sign(signature, row);
  });
  if (!is_other_there)
    return std::nullopt;
  Comparison number = found->comparison;
  number.tolerance = shared_digits * std::abs(number.expected);
  return number;
}

} // namespace

Finding check_signs(Stage &stage, const DerivativeRequest &request, const DerivativeOutcome &outcome) {
  Finding finding{Verdict::pass, "signs of small numbers", {}, {}, 0};
  if (!is_asked(stage))
    return finding;
  const OracleComparisons usual = compare_all(stage.precise, request, outcome, stage.options);
  if (std::none_of(usual.rows.begin(), usual.rows.end(),
                   [&](const Compared &row) { return may_hide_a_sign(stage.subject.signature(), row); }))
    return finding;
  const bool is_reverse = request.combination.mode == Mode::reverse;
  try {
    const DerivativeRequest bare = is_reverse ? without_incoming(request, stage.point) : request;
    const DerivativeOutcome plain = is_reverse ? stage.subject.differentiate(bare) : outcome;
    if (std::optional<Comparison> number = find_other_sign(stage, bare, plain)) {
      finding.verdict = Verdict::wrong_derivative;
      finding.detail = "a number that is small beside others of the derivative is minus the one that is expected, in "
                       "wide arithmetic of the derivative's own code as well";
      finding.worst.push_back(std::move(*number));
    }
  } catch (const SubjectError &) { // Above zeros, or in wide arithmetic, it gives no numbers.
  }
  return finding;
}

} // namespace assay::testutils
