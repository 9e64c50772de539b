#include "testutils/check_run.hpp"

#include "testutils/blame.hpp"
#include "testutils/consult.hpp"
#include "testutils/digits_check.hpp"
#include "testutils/hints.hpp"
#include "testutils/primal_spread.hpp"
#include "testutils/reassess.hpp"
#include "testutils/small_numbers_check.hpp"
#include "testutils/ties.hpp"

#include <algorithm>

namespace assay::testutils {

static fdm::FiniteDifferenceMethod close_by(const Signature &signature, const fdm::FiniteDifferenceMethod &method) {
  fdm::Options options = method.options;
  const double near = is_coarse(coarsest_element(signature)) ? 2e-2 : 1e-4;
  options.max_range = std::min(options.max_range, near);
  return {method.grid, method.derivative, options};
}

static std::string case_name(const Signature &signature, const CheckOptions &options) {
  return options.name.empty() ? signature.function : options.name;
}

Stage::Stage(Subject &subject, const Arguments &inputs, const CheckOptions &options, unsigned sample)
    : subject(subject), options(options),
      name{options.seed, options.suite, case_name(subject.signature(), options), sample},
      point(examine_point(subject, inputs, options.depth,
                          sample == 0 ? WatchThreads::always : WatchThreads::in_every_check)),
      precise(subject, point), wide(subject, point), oracle(subject, point, options.finite_differences),
      closer(subject, point, close_by(subject.signature(), options.finite_differences)),
      earlier(subject, point, options, sample) {}

bool CheckRun::take(Finding finding, const DerivativeRequest &of) {
  record.compared += finding.compared;
  record.nonzero += finding.nonzero;
  const std::vector<std::string> hints = hints_for(stage.subject.signature(), stage.point, of, finding);
  if (finding.lost && (!record.lost || record.lost->digits < finding.lost->digits))
    record.lost = finding.lost;
  if (outcome_of(finding.verdict) == Outcome::passed) {
    if (std::find(record.passed.begin(), record.passed.end(), finding.check) == record.passed.end())
      record.passed.push_back(finding.check);
    if (record.worst.empty() && record.verdict == Verdict::pass)
      keep_worst(finding);
    return true;
  }
  if (undecided && finding.verdict == Verdict::oracle_unreliable)
    return true;
  record.verdict = finding.verdict;
  record.check = finding.check;
  record.detail = finding.detail;
  record.hints = hints;
  keep_worst(finding);
  undecided = finding.verdict == Verdict::oracle_unreliable;
  return undecided;
}

void CheckRun::keep_worst(Finding &finding) {
  if (finding.worst.size() > stage.options.worst_elements)
    finding.worst.resize(stage.options.worst_elements);
  record.worst = std::move(finding.worst);
}

bool CheckRun::primal() {
  const Tolerance &tolerance = stage.options.tolerance;
  const auto findings_with = [&](const PrimalSpread *spread) {
    return check_primal(stage.point, stage.subject.signature(), request, outcome, tolerance, spread);
  };
  std::vector<Finding> findings = findings_with(nullptr);
  const auto fails = [](const Finding &finding) { return finding.verdict != Verdict::pass; };
  if (tolerance.primal_may_round && std::any_of(findings.begin(), findings.end(), fails)) {
    const PrimalSpread spread(stage.subject, stage.point);
    findings = findings_with(&spread);
  }
  return std::all_of(findings.begin(), findings.end(), [&](const Finding &finding) { return take(finding, request); });
}

bool CheckRun::oracle(const DerivativeRequest &of, const DerivativeOutcome &result) {
  Opinion opinion = judge_edges_together(stage, of, reassess(stage, of, result, consult(stage, of, result)));
  if (opinion.finding.verdict != Verdict::wrong_derivative)
    opinion = judge_undefined(stage, of, result, judge_tie(stage, of, result, std::move(opinion)));
  record.oracle = opinion.oracle;
  record.oracle_reasons = std::move(opinion.oracle_reasons);
  record.second_oracle = std::move(opinion.second_oracle);
  const bool is_right = opinion.finding.verdict == Verdict::pass && record.oracle == stage.precise.name();
  return take(std::move(opinion.finding), of) && (!is_right || to_the_digits(of, result));
}

bool CheckRun::to_the_digits(const DerivativeRequest &of, const DerivativeOutcome &result) {
  return take(check_digits(stage, of, result), of) && take(check_small_numbers(stage, of, result), of);
}

bool CheckRun::arithmetic_kept() {
  return take(check_arithmetic_kept(stage.point, outcome), request);
}

DerivativeRequest CheckRun::above_zeros() const {
  return request.combination.mode == Mode::reverse ? without_incoming(request, stage.point) : request;
}

bool CheckRun::tiny_seeds() {
  if (undecided || stage.options.depth != Depth::every_check)
    return true;
  const DerivativeRequest bare = above_zeros();
  const DerivativeOutcome of_bare = stage.subject.differentiate(bare);
  return take(check_tiny_seeds(stage.subject, {stage.point, bare, of_bare}, stage.options), bare);
}

bool CheckRun::second_derivative() {
  if (stage.options.depth != Depth::every_check || lacks_forward_rules)
    return true;
  std::string reason;
  Finding finding = check_second_order(stage.subject, request, stage.options, stage.name.sample, reason);
  if (!reason.empty())
    record.notes.push_back(std::move(reason));
  return take(std::move(finding), request);
}

bool CheckRun::single_release() {
  return take(check_single_release(stage.point, outcome), request);
}

bool CheckRun::complete_release() {
  return take(check_complete_release(stage.subject, stage.point, request, outcome), request);
}

bool CheckRun::release_of_rules() {
  return stage.subject.rules(request.combination).empty() || !outcome.heap || complete_release();
}

bool CheckRun::forward_is_available() const {
  return request.combination.mode == Mode::reverse && request.combination.width == 1 &&
         offered_counterpart(stage.subject, forward_of(request.combination), stage.options.runtime_activity);
}

bool CheckRun::against_forward() {
  if (!forward_is_available())
    return true;
  try {
    const DerivativeRequest bare = without_incoming(request, stage.point); // Small derivatives are lost beside it.
    const auto dot_product = [&](Subject &subject, const DerivativeOutcome &gradient) {
      return check_dot_product(subject, stage.point, bare, gradient, stage.name, stage.options);
    };
    Finding finding = without_rounding(stage, bare, stage.subject.differentiate(bare), dot_product);
    if (finding.verdict != Verdict::wrong_derivative || !forward_alone_is_wrong(bare))
      return take(std::move(finding), bare);
    record.notes.emplace_back("forward mode has not all the rules that reverse mode has: there, the engine's own "
                              "derivative is another one than finite differences and reverse mode give, and so are "
                              "second derivatives");
    lacks_forward_rules = true;
    return true;
  } catch (const SubjectError &) {
    return true; // Forward mode fails on its own account, in its own combinations.
  }
}

bool CheckRun::forward_alone_is_wrong(const DerivativeRequest &bare) {
  const DerivativeRequest tangents = tangents_beside(stage.subject, stage.point, bare, stage.name, stage.options);
  if (stage.subject.rules(tangents.combination).size() >= stage.subject.rules(bare.combination).size())
    return false;
  const auto verdict_of = [&](const DerivativeRequest &of) {
    return check_against_oracle(stage.oracle, of, stage.subject.differentiate(of), stage.options).verdict;
  };
  return verdict_of(bare) == Verdict::pass && verdict_of(tangents) == Verdict::wrong_derivative;
}

void CheckRun::differentiate() {
  outcome = stage.subject.differentiate(request);
  record.heap = cost_of(outcome.heap);
  record.heap_of_function = cost_of(stage.point.primal.heap);
}

std::optional<HeapCost> CheckRun::cost_of(const std::optional<HeapUse> &use) {
  return use ? std::optional(HeapCost{use->allocations, use->most_bytes}) : std::nullopt;
}

Record begin_record(const Stage &stage, const Combination &combination) {
  Record record;
  record.combination = combination;
  record.seed = stage.options.seed;
  record.backend = stage.subject.backend();
  record.sample = stage.name.sample;
  record.inputs = stage.point.inputs;
  record.replay = stage.subject.replay_command(stage.options.seed);
  record.verdict = stage.point.verdict;
  record.detail = stage.point.trouble;
  if (record.verdict != Verdict::pass)
    record.check = "the function itself";
  return record;
}

DerivativeRequest seeds_for(const Stage &stage, const Combination &combination) {
  return random_request(stage.subject.signature(), combination, stage.point.inputs, stage.name,
                        stage.options.output_tangent);
}

void note_crash(Stage &stage, Record &record, const SubjectError &error) {
  record.verdict = Verdict::crash;
  record.check = "running the derivative";
  record.detail = error.what();
  record.rule = used_rules(stage.subject, record.combination);
}

} // namespace assay::testutils
