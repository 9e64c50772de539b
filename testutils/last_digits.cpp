#include "testutils/last_digits.hpp"

#include "testutils/outcome_pairs.hpp"
#include "testutils/requests.hpp"
#include "testutils/spread.hpp"
#include "testutils/wide_subject.hpp"

#include <algorithm>
#include <cmath>

namespace assay::testutils {

namespace {

/// Constants of the code are doubles: those that a compiler has computed are off by a rounding.
constexpr double part = 1e-14, part_of_largest = 1e-16, rounding_of_double = 0x1p-53;

/// What rounding does to the code's own numbers is no fault of its, in wide arithmetic either.
void leave_out_rounding(Stage &stage, const DerivativeRequest &request, const DerivativeOutcome &outcome,
                        Finding &finding) {
  const Spread spread(stage.subject, request, outcome, stage.options.depth);
  std::erase_if(finding.worst,
                [&](const Comparison &row) { return row.absolute_error <= row.tolerance + spread.at(row.place); });
  if (finding.worst.empty())
    finding.verdict = Verdict::pass;
}

} // namespace

Finding check_last_digits(Stage &stage, const DerivativeRequest &request, const DerivativeOutcome &outcome) {
  const Finding pass{Verdict::pass, "last digits against wide arithmetic", {}, {}, 0};
  const bool is_reverse = request.combination.mode == Mode::reverse;
  const DerivativeRequest bare = is_reverse ? without_incoming(request, stage.point) : request;
  const DerivativeOutcome plain = is_reverse ? stage.subject.differentiate(bare) : outcome;
  try {
    const std::optional<WideOutcome> wide = differentiate_in_wide(stage.subject, bare, plain);
    if (!wide || wide->roundoff > rounding_of_double || stage.wide.roundoff_of_function() > rounding_of_double ||
        !ran_alike(stage.subject, bare, plain, *wide))
      return pass;
    CheckOptions exact = stage.options;
    exact.tolerance = {part_of_largest * largest_of(plain), part};
    Finding finding = check_against_oracle(stage.wide, bare, wide->outcome, exact);
    if (finding.verdict != Verdict::wrong_derivative)
      return pass;
    leave_out_rounding(stage, bare, plain, finding);
    if (finding.verdict == Verdict::pass)
      return pass;
    finding.check = pass.check;
    finding.detail = "in wide arithmetic the derivative's code gives something else than the function's derivative";
    return finding;
  } catch (const NoDigits &) {
    return pass;
  } catch (const SubjectError &) {
    return pass;
  }
}

} // namespace assay::testutils
