// Checks at points beside the usual ones: many with few checks each, and those where functions do not behave as they
// usually do.

#include "testutils/run.hpp"

#include "testutils/blame.hpp"
#include "testutils/check_run.hpp"
#include "testutils/consult.hpp"
#include "testutils/magnitudes.hpp"
#include "testutils/oracle_comparison.hpp"
#include "testutils/outcome_pairs.hpp"
#include "testutils/ranged.hpp"
#include "testutils/reassess.hpp"
#include "testutils/ties.hpp"

#include <algorithm>
#include <cmath>

namespace assay::testutils {

namespace {

/// Of a rule that need not be made for such numbers.
constexpr std::string_view not_judged_note =
    "with registered rules the derivative differs from wide arithmetic at numbers beyond 1024 or below 2^-60, where "
    "rules are judged only within the limits of a domain, as double:(-1e6,1e6)";

struct SpecialRun : CheckRun {
  bool are_brief_right() {
    differentiate();
    return primal() && arithmetic_kept() && single_release() && oracle(request, outcome) && release_of_rules() &&
           tiny_seeds();
  }

  void brief() { (void)are_brief_right(); }

  /// What a rule leaves behind, what it keeps, and its own derivative, may be others behind a branch. Beside a place
  /// that a rule leaves out, as a node where it would divide by zero, the oracles may not tell, but forward mode does.
  void side() {
    if (!are_brief_right())
      return;
    if (undecided)
      (void)against_forward();
    else
      (void)(effects_of_rules() && call_nearby() && second_derivative());
  }

  bool call_nearby() {
    return stage.options.depth != Depth::every_check ||
           take(check_call_nearby(stage.subject, stage.earlier, request, outcome), request);
  }

  bool effects_of_rules() {
    if (stage.options.depth != Depth::every_check || stage.subject.rules(request.combination).empty())
      return true;
    const std::optional<SideEffects> effects = stage.subject.side_effects(request);
    return !effects || take(check_side_effects(stage.subject, request, *effects), request);
  }

  /// Not a number, or infinite, where the function is smooth and its differences are finite: no choice of a branch.
  static bool is_undefined(const std::vector<Comparison> &rows) {
    return std::any_of(rows.begin(), rows.end(), [](const Comparison &row) {
      return !std::isfinite(row.ad) && std::isfinite(row.expected) && !(row.absolute_error <= row.tolerance);
    });
  }

  static bool is_finite(const DerivativeOutcome &derivative) {
    bool finite = true;
    for_each_pair(derivative, derivative, [&](const Place &, double value, double) { finite &= std::isfinite(value); });
    return finite;
  }

  /// False where the request's derivative fails.
  bool edge_of(const DerivativeRequest &request, const DerivativeOutcome &outcome) {
    if (stage.options.oracle != OracleChoice::finite_differences) {
      const Verdict quick = check_against_oracle(stage.precise, request, outcome, stage.options).verdict;
      const bool may_be_wrong = !stage.subject.rules(request.combination).empty() || !is_finite(outcome);
      if (quick == Verdict::pass)
        return to_the_digits(request, outcome);
      if (quick != Verdict::wrong_derivative && !may_be_wrong)
        return true;
    }
    Opinion opinion =
        judge_edges_together(stage, request, reassess(stage, request, outcome, consult(stage, request, outcome)));
    opinion = judge_tie(stage, request, outcome, std::move(opinion));
    opinion = judge_undefined(stage, request, outcome, std::move(opinion));
    record.oracle = opinion.oracle;
    return opinion.finding.verdict != Verdict::wrong_derivative ||
           !(opinion.oracle == stage.precise.name() || is_undefined(opinion.finding.worst)) ||
           take(std::move(opinion.finding), request);
  }

  /// Above shadows that hold something, and above zeros, where the derivative's small numbers show.
  void edge() {
    outcome = stage.subject.differentiate(request);
    if (!primal() || !edge_of(request, outcome) || request.combination.mode == Mode::forward)
      return;
    const DerivativeRequest bare = without_incoming(request, stage.point);
    edge_of(bare, stage.subject.differentiate(bare));
  }

  bool function_leaves_range() { return evaluate_ranged(stage.subject, stage.point.inputs).left_range; }

  /// Where a function itself overflows or underflows, so may its adjoints, computed in another order, before it does.
  bool is_wrong_beyond_usual_numbers() {
    if (is_undefined(record.worst))
      return (!stage.subject.rules(request.combination).empty() &&
              !has_far_magnitudes(stage.subject.signature(), stage.point.inputs)) ||
             !function_leaves_range();
    return differentiate_ranged(stage.subject, request).left_range && !function_leaves_range() &&
           rule_that_leaves_range(stage.subject, request);
  }

  void range() {
    edge();
    if (outcome_of(record.verdict) != Outcome::failed || is_wrong_beyond_usual_numbers())
      return;
    if (record.verdict == Verdict::wrong_derivative && !stage.subject.rules(request.combination).empty() &&
        !has_far_magnitudes(stage.subject.signature(), stage.point.inputs))
      record.notes.emplace_back(not_judged_note);
    record.verdict = Verdict::pass;
    record.detail.clear();
    record.worst.clear();
  }

  void threshold() {
    outcome = stage.subject.differentiate(request);
    if (primal() && arithmetic_kept() && single_release() && release_of_rules())
      edge();
  }
};

} // namespace

Record run_edge_checks(Stage &stage, const Combination &combination) {
  return record_of(stage, combination, &SpecialRun::edge);
}

Record run_threshold_checks(Stage &stage, const Combination &combination) {
  return record_of(stage, combination, &SpecialRun::threshold);
}

Record run_range_checks(Stage &stage, const Combination &combination) {
  return record_of(stage, combination, &SpecialRun::range);
}

Record run_brief_checks(Stage &stage, const Combination &combination) {
  return record_of(stage, combination, &SpecialRun::brief);
}

Record run_side_checks(Stage &stage, const Combination &combination) {
  return record_of(stage, combination, &SpecialRun::side);
}

} // namespace assay::testutils
