#include "cli/mutant_difference.hpp"

#include "testutils/consult.hpp"
#include "testutils/outcome_pairs.hpp"
#include "testutils/run.hpp"
#include "testutils/spread.hpp"

#include <algorithm>
#include <cmath>

namespace assay::cli {

namespace {

using testutils::Comparison;
using testutils::DerivativeOutcome;
using testutils::DerivativeRequest;

bool have_same_primal(const DerivativeOutcome &seen, const DerivativeOutcome &right) {
  const auto are_same = [](const testutils::Values &left, const testutils::Values &other) {
    return testutils::same_bits(left, other);
  };
  const bool have_same_result = !seen.result || !right.result || are_same(*seen.result, *right.result);
  const bool have_same_heap =
      !seen.heap || !right.heap ||
      (seen.heap->blocks_left == right.heap->blocks_left && seen.heap->faults.size() == right.heap->faults.size());
  return have_same_result && have_same_heap && std::ranges::equal(seen.contents, right.contents, are_same);
}

bool is_within_spread(const MutantPair &pair, const DerivativeRequest &request, const DerivativeOutcome &seen,
                      const DerivativeOutcome &right) {
  constexpr double tolerated_part = 1e-9;
  const testutils::Spread of_seen(pair.mutant, request, seen), of_right(pair.right, request, right);
  bool is_within = true;
  testutils::for_each_pair(seen, right, [&](const testutils::Place &place, double number, double wanted) {
    const double apart = std::abs(number - wanted);
    const double spread = of_seen.at(place) + of_right.at(place);
    is_within = is_within &&
                (testutils::same_bits(number, wanted) || apart <= std::min(spread, tolerated_part * std::abs(wanted)));
  });
  return is_within;
}

/// On the branch that the function takes, where the oracle knows the derivative well enough to tell them apart.
bool is_as_close_to_oracle(const MutantPair &pair, const DerivativeRequest &request, const DerivativeOutcome &seen,
                           const DerivativeOutcome &right) {
  testutils::Stage stage(pair.right, request.inputs, pair.options, 0);
  const testutils::Finding of_seen = testutils::check_against_oracle(stage.wide, request, seen, pair.options);
  const testutils::Finding of_right = testutils::check_against_oracle(stage.wide, request, right, pair.options);
  if (of_seen.verdict != testutils::Verdict::pass || of_right.verdict != testutils::Verdict::pass)
    return false;
  return std::ranges::all_of(of_seen.worst, [&](const Comparison &row) {
    const auto same = std::ranges::find(of_right.worst, row.path, &Comparison::path);
    return same != of_right.worst.end() && row.absolute_error <= same->absolute_error;
  });
}

/// At a kink of the library's functions a derivative is that of one side, whichever (testing.md, "Ties"): where the
/// right one passes, so does a mutant whose numbers are all those of a side.
bool is_other_side_of_kink(const MutantPair &pair, const DerivativeRequest &request, const DerivativeOutcome &seen,
                           const DerivativeOutcome &right) {
  testutils::CheckOptions options = pair.options;
  options.oracle = testutils::OracleChoice::finite_differences;
  testutils::Stage stage(pair.right, request.inputs, options, 0);
  static_cast<void>(testutils::check_against_oracle(stage.precise, request, right, options));
  if (!stage.precise.covers() || stage.precise.edges() == 0 || stage.precise.is_at_decisions())
    return false;
  const testutils::Finding of_seen = testutils::consult(stage, request, seen).finding;
  return of_seen.verdict == testutils::Verdict::pass && of_seen.is_one_sided &&
         testutils::consult(stage, request, right).finding.verdict == testutils::Verdict::pass;
}

} // namespace

bool is_same_derivative(const MutantPair &pair, const DerivativeRequest &request, const DerivativeOutcome &seen,
                        const DerivativeOutcome &right) {
  if (!have_same_primal(seen, right))
    return false;
  try {
    return is_within_spread(pair, request, seen, right) || is_as_close_to_oracle(pair, request, seen, right) ||
           is_other_side_of_kink(pair, request, seen, right);
  } catch (const testutils::SubjectError &) { // Nothing is known of the rounding.
    return false;
  }
}

std::optional<std::size_t> first_that_depends_on_calls(const MutantPair &pair,
                                                       const std::vector<DerivativeRequest> &requests) {
  using Memory = testutils::Succession::Memory;
  for (std::size_t number = 1; number < requests.size(); ++number)
    for (const Memory memory : {Memory::same, Memory::other}) {
      testutils::Succession succession;
      succession.memory = memory;
      const auto both = pair.mutant.differentiate_both(requests[number - 1], requests[number], succession);
      if (!both)
        return number;
      bool is_same = true;
      testutils::for_each_pair(both->second, pair.mutant.differentiate(requests[number]),
                               [&](const testutils::Place &, double seen, double alone) {
                                 is_same = is_same && testutils::same_bits(seen, alone);
                               });
      if (!is_same)
        return number;
    }
  return std::nullopt;
}

} // namespace assay::cli
