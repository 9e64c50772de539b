// The verdict on a derivative beside an oracle.

#include "testutils/second_look.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace assay::testutils {

namespace {

std::string undecided_reason(const Oracle &oracle, const Compared &row) {
  if (const std::string excuse = oracle.excuse(); !excuse.empty())
    return fmt::format("at {}: {}", row.comparison.path, excuse);
  if (row.trouble != fdm::Trouble::none)
    return fmt::format("at {} {} cannot be trusted: {}", row.comparison.path, oracle.name(),
                       fdm::describe(row.trouble));
  return fmt::format("at {} the error of {}, {:.1e}, is too large to decide", row.comparison.path, oracle.name(),
                     row.comparison.oracle_error);
}

} // namespace

Finding check_against_oracle(Oracle &oracle, const DerivativeRequest &request, const DerivativeOutcome &outcome,
                             const CheckOptions &options, std::size_t edges) {
  OracleComparisons comparisons;
  comparisons.depth = options.depth;
  for (unsigned lane = 0; lane < request.combination.width; ++lane)
    if (request.combination.mode == Mode::forward)
      compare_tangents(oracle, request, outcome, lane, options.tolerance, comparisons);
    else
      compare_adjoints(oracle, request, outcome, lane, options, comparisons);
  settle(comparisons.rows);
  accept_hidden(comparisons);

  Finding finding{Verdict::pass,
                  fmt::format("derivative against {}", oracle.name()),
                  {},
                  {},
                  comparisons.rows.size() + comparisons.unlisted,
                  count_nonzero(comparisons.rows)};
  if (differs_where_smooth(oracle, comparisons, finding)) {
    finding.verdict = Verdict::wrong_derivative;
    finding.detail =
        fmt::format("the derivative differs from {} by more than the tolerance and their own error", oracle.name());
  }
  compare_one_sided(comparisons, finding, edges);
  finding.worst = sorted_by_badness(comparisons.rows);
  finding.coarse = std::all_of(comparisons.rows.begin(), comparisons.rows.end(),
                               [](const Compared &row) { return row.agreement != Agreement::differs || row.coarse; });
  if (finding.verdict == Verdict::wrong_derivative)
    return finding;
  for (const Compared &row : comparisons.rows) {
    if (row.agreement == Agreement::agrees)
      continue;
    finding.verdict = Verdict::oracle_unreliable;
    if (finding.detail.empty())
      finding.detail = undecided_reason(oracle, row);
  }
  return finding;
}

} // namespace assay::testutils
