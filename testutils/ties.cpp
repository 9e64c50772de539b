#include "testutils/ties.hpp"

#include "testutils/wide_subject.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace assay::testutils {

namespace {

/// Where finite differences cannot confirm the derivative, because there is one for each side.
bool is_open(const Finding &finding) {
  return finding.verdict == Verdict::oracle_unreliable || finding.verdict == Verdict::wrong_derivative ||
         (finding.verdict == Verdict::pass && finding.is_one_sided);
}

/// Not finite, where the oracle knows a number.
bool is_undefined(const Comparison &row) {
  constexpr double part = 1e-6, least = 1e-12;
  return !std::isfinite(row.ad) && row.oracle_error <= part * std::abs(row.expected) + least;
}

/// Whether the rule's code is wrong without rounding, too; without such code nobody can say that it is not.
bool is_wrong_in_wide(Stage &stage, const DerivativeRequest &request, const DerivativeOutcome &plain) {
  const std::optional<WideOutcome> wide = differentiate_in_wide(stage.subject, request, plain);
  return !wide ||
         check_against_oracle(stage.wide, request, wide->outcome, stage.options).verdict == Verdict::wrong_derivative;
}

} // namespace

Opinion judge_tie(Stage &stage, const DerivativeRequest &request, const DerivativeOutcome &outcome, Opinion opinion) {
  if (!is_open(opinion.finding) || opinion.oracle == stage.precise.name() ||
      stage.options.oracle == OracleChoice::finite_differences || !stage.precise.covers() ||
      !stage.precise.is_at_decisions() || stage.subject.rules(request.combination).empty())
    return opinion;
  // Remembered results have no derivative in wide arithmetic.
  if (stage.subject.keeps_objects() || !stage.subject.variables_changed_by(request).empty())
    return opinion;
  const bool is_reverse = request.combination.mode == Mode::reverse;
  const DerivativeRequest bare = is_reverse ? without_incoming(request, stage.point) : request;
  const DerivativeOutcome plain = is_reverse ? stage.subject.differentiate(bare) : outcome;
  Finding of_side = check_against_oracle(stage.wide, bare, plain, stage.options);
  try {
    if (of_side.verdict != Verdict::wrong_derivative || !is_wrong_in_wide(stage, bare, plain))
      return opinion;
  } catch (const NoDigits &) {
    return opinion;
  }
  of_side.detail = fmt::format("the point is a tie of {}, and the derivative is not that of the side which the "
                               "function takes",
                               stage.precise.first_crossing());
  return {std::move(of_side), std::string(stage.precise.name()), std::move(opinion.oracle_reasons)};
}

Opinion judge_undefined(Stage &stage, const DerivativeRequest &request, const DerivativeOutcome &outcome,
                        Opinion opinion) {
  if (opinion.finding.verdict != Verdict::oracle_unreliable || stage.subject.keeps_objects() ||
      stage.options.oracle == OracleChoice::finite_differences || !stage.precise.covers() ||
      stage.precise.edges() == 0 || !stage.precise.singularity().empty() ||
      std::none_of(opinion.finding.worst.begin(), opinion.finding.worst.end(),
                   [](const Comparison &row) { return !std::isfinite(row.ad); }))
    return opinion;
  Finding of_branch = check_against_oracle(stage.wide, request, outcome, stage.options);
  if (of_branch.verdict != Verdict::wrong_derivative ||
      std::none_of(of_branch.worst.begin(), of_branch.worst.end(), is_undefined))
    return opinion;
  of_branch.detail = fmt::format("the derivative is not finite; {}, and that of the branch which the function "
                                 "takes is finite",
                                 stage.precise.excuse());
  return {std::move(of_branch), std::string(stage.precise.name()), std::move(opinion.oracle_reasons)};
}

Opinion judge_edges_together(Stage &stage, const DerivativeRequest &request, Opinion opinion) {
  if (opinion.finding.verdict != Verdict::wrong_derivative || !stage.precise.covers() ||
      stage.precise.edges_together() < 2 || !stage.subject.rules(request.combination).empty() ||
      std::any_of(opinion.finding.worst.begin(), opinion.finding.worst.end(),
                  [](const Comparison &row) { return !std::isfinite(row.ad); }))
    return opinion;
  opinion.finding.verdict = Verdict::oracle_unreliable;
  opinion.finding.detail = fmt::format("the point lies on several edges at once, of {}: derivatives of the sides that "
                                       "are taken there need not make up that of the function",
                                       fmt::join(stage.precise.met(), " and "));
  return opinion;
}

} // namespace assay::testutils
