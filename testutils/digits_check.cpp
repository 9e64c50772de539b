#include "testutils/digits_check.hpp"

#include "testutils/finding.hpp"
#include "testutils/requests.hpp"
#include "testutils/rounding_rows.hpp"
#include "testutils/spread.hpp"
#include "testutils/wide_subject.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace assay::testutils {

namespace {

CheckOptions to_the_digits(CheckOptions options) {
  constexpr double of_double = 1e-12, of_float = 1e-5, of_half = 0x1p-7, of_brain_float = 0x1p-4;
  options.tolerance.unfitting = Tolerance::Unfitting::ignored;
  options.tolerance.rules = {{"double", of_double, of_double},
                             {"long double", of_double, of_double},
                             {"float", of_float, of_float},
                             {"half", of_half, of_half},
                             {"bfloat16", of_brain_float, of_brain_float}};
  return options;
}

bool is_asked(const Stage &stage, const Combination &combination) {
  const Tolerance &given = stage.options.tolerance;
  return stage.options.oracle != OracleChoice::finite_differences && stage.precise.is_offered() && !given.absolute &&
         !given.relative && given.rules.empty() && stage.subject.rules(combination).empty();
}

/// Of the rows that fail, in wide arithmetic as well. Constants that a compiler folded have their rounding there too.
bool is_wrong_in_wide(const Finding &of_wide, const Spread &spread) {
  return of_wide.verdict == Verdict::wrong_derivative && !may_be_rounding(of_wide.worst, spread) &&
         std::none_of(of_wide.worst.begin(), of_wide.worst.end(),
                      [&](const Comparison &row) { return fails(row) && spread.is_right_beside(row); });
}

/// What is wrong, or empty.
std::string fault_of(Stage &stage, const DerivativeRequest &request, const DerivativeOutcome &outcome,
                     const CheckOptions &options) {
  const DerivativeRequest bare =
      request.combination.mode == Mode::reverse ? without_incoming(request, stage.point) : request;
  const DerivativeOutcome plain =
      request.combination.mode == Mode::reverse ? stage.subject.differentiate(bare) : outcome;
  const std::optional<WideOutcome> wide = differentiate_in_wide(stage.subject, bare, plain);
  if (!wide)
    return "";
  const double roundoff = stage.wide.roundoff_of_function();
  if (wide->roundoff > roundoff)
    return fmt::format("the derivative computes with numbers of {:.0f} bits, the function with {:.0f}",
                       -std::log2(wide->roundoff), -std::log2(roundoff));
  const Finding of_wide = check_against_oracle(stage.wide, bare, wide->outcome, options);
  if (of_wide.verdict != Verdict::wrong_derivative)
    return "";
  const Spread spread(stage.subject, bare, plain, stage.options.depth);
  return is_wrong_in_wide(of_wide, spread) ? "the derivative's code is not right in wide arithmetic, though it differs "
                                             "by less than the usual tolerance"
                                           : "";
}

} // namespace

Finding check_digits(Stage &stage, const DerivativeRequest &request, const DerivativeOutcome &outcome) {
  const Finding passed{Verdict::pass, "digits of the derivative", {}, {}, 0};
  if (!is_asked(stage, request.combination))
    return passed;
  const CheckOptions options = to_the_digits(stage.options);
  Finding finding = check_against_oracle(stage.precise, request, outcome, options);
  if (finding.verdict != Verdict::wrong_derivative)
    return passed;
  try {
    finding.detail = fault_of(stage, request, outcome, options);
  } catch (const SubjectError &) { // There are no digits.
    return passed;
  }
  return finding.detail.empty() ? passed : finding;
}

} // namespace assay::testutils
