// The order is that of certainty: what must hold bit for bit comes first, then finite differences, then the algebra.
// The first failure decides; without one, an oracle that could not tell leaves the combination undecided.

#include "testutils/run.hpp"

#include "testutils/blame.hpp"
#include "testutils/consult.hpp"
#include "testutils/digits_check.hpp"
#include "testutils/hints.hpp"
#include "testutils/magnitudes.hpp"
#include "testutils/numbers.hpp"
#include "testutils/oracle_comparison.hpp"
#include "testutils/outcome_pairs.hpp"
#include "testutils/ranged.hpp"
#include "testutils/reassess.hpp"
#include "testutils/sign_check.hpp"
#include "testutils/thread_checks.hpp"
#include "testutils/ties.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

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
      point(examine_point(subject, inputs, options.depth)), precise(subject, point), wide(subject, point),
      oracle(subject, point, options.finite_differences),
      closer(subject, point, close_by(subject.signature(), options.finite_differences)),
      earlier(subject, point, options, sample) {}

namespace {

/// Of a rule that need not be made for such numbers.
constexpr std::string_view not_judged_note =
    "with registered rules the derivative differs from wide arithmetic at numbers beyond 1024 or below 2^-60, where "
    "rules are judged only within the limits of a domain, as double:(-1e6,1e6)";

// One run through all checks, which keeps what was found.
struct Run {
  Stage &stage;
  Record &record;
  DerivativeRequest request;
  DerivativeOutcome outcome;
  bool undecided = false;

  /// Takes a finding into the record; false once a failure decided.
  bool take(Finding finding, const DerivativeRequest &of) {
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

  void keep_worst(Finding &finding) {
    if (finding.worst.size() > stage.options.worst_elements)
      finding.worst.resize(stage.options.worst_elements);
    record.worst = std::move(finding.worst);
  }

  bool primal() {
    const std::vector<Finding> findings =
        check_primal(stage.point, stage.subject.signature(), request, outcome, stage.options.tolerance);
    return std::all_of(findings.begin(), findings.end(),
                       [&](const Finding &finding) { return take(finding, request); });
  }

  bool oracle(const DerivativeRequest &of, const DerivativeOutcome &result) {
    Opinion opinion = judge_edges_together(stage, of, reassess(stage, of, result, consult(stage, of, result)));
    if (opinion.finding.verdict != Verdict::wrong_derivative)
      opinion = judge_undefined(stage, of, result, judge_tie(stage, of, result, std::move(opinion)));
    record.oracle = opinion.oracle;
    record.oracle_reasons = std::move(opinion.oracle_reasons);
    record.second_oracle = std::move(opinion.second_oracle);
    const bool is_right = opinion.finding.verdict == Verdict::pass && record.oracle == stage.precise.name();
    return take(std::move(opinion.finding), of) && (!is_right || to_the_digits(of, result));
  }

  /// What the tolerance lets pass.
  bool to_the_digits(const DerivativeRequest &of, const DerivativeOutcome &result) {
    return take(check_digits(stage, of, result), of) && take(check_signs(stage, of, result), of);
  }

  bool unit_seed() {
    if (request.result_seeds.front().empty() || !stage.options.output_tangent.empty())
      return true;
    const DerivativeRequest unit = with_unit_seed(request);
    const DerivativeOutcome result = stage.subject.differentiate(unit);
    return oracle(unit, result);
  }

  /// Of many inputs the tangent is one direction: others tell whether a small derivative hides beside large ones.
  bool parts_of_tangent() {
    const Combination &combination = request.combination;
    if (combination.mode != Mode::forward || combination.width != 1 || stage.name.sample != 0 ||
        active_inputs(stage.subject.signature(), combination).size() <= largest_dense_input)
      return true;
    const std::vector<DerivativeRequest> parts = partial_tangents(request, stage.name);
    return std::all_of(parts.begin(), parts.end(),
                       [&](const DerivativeRequest &part) { return oracle(part, stage.subject.differentiate(part)); });
  }

  /// Above what a shadow of floats holds, a small derivative has few digits left, and many elements hide one another.
  bool small_gradient() {
    if (request.combination.mode != Mode::reverse || stage.name.sample != 0)
      return true;
    const DerivativeRequest bare = above_zeros();
    const DerivativeOutcome of_bare = stage.subject.differentiate(bare);
    return !is_small_beside_incoming(stage.subject.signature(), request, of_bare, stage.options.tolerance) ||
           oracle(bare, of_bare);
  }

  bool repeatable() {
    return take(check_repeatability(stage.subject, outcome, stage.subject.differentiate(request)), request);
  }

  bool algebra() {
    const Signature &signature = stage.subject.signature();
    const Combination &combination = request.combination;
    const DerivativeRequest zero = scaled(request, stage.point, 0);
    if (!take(check_zero_seed(signature, zero, stage.subject.differentiate(zero), outcome), zero))
      return false;
    DerivativeRequest bare = without_incoming(request, stage.point);
    bare.primal = PrimalResult::omitted;
    const DerivativeRequest &base = combination.mode == Mode::reverse ? bare : request;
    const DerivativeOutcome plain = stage.subject.differentiate(base);
    if (combination.mode == Mode::reverse && !accumulation(bare, largest_of(plain)))
      return false;
    const double factor = -2;
    const DerivativeRequest twice = scaled(base, stage.point, factor);
    const auto linearity = [&](Subject &subject, const DerivativeOutcome &alone) {
      return check_linearity(signature, alone, subject.differentiate(twice), factor, combination, stage.options);
    };
    return take(without_rounding(stage, base, plain, linearity), twice);
  }

  bool accumulation(const DerivativeRequest &bare, double largest) {
    const auto above = [&](const DerivativeRequest &incoming, const DerivativeOutcome &seen) {
      const auto additivity = [&](Subject &subject, const DerivativeOutcome &total) {
        return check_additivity(stage.point, stage.subject.signature(), incoming, total, subject.differentiate(bare),
                                stage.options);
      };
      return take(without_rounding(stage, incoming, seen, additivity), incoming);
    };
    if (!above(request, outcome))
      return false;
    // Beside a far larger number the derivative is lost in rounding: then above one of its own size as well.
    constexpr double far_below = 0x1p-10;
    if (!(largest > 0 && largest < far_below))
      return true;
    const DerivativeRequest low = with_incoming_scaled(request, stage.point, std::exp2(std::floor(std::log2(largest))));
    return above(low, stage.subject.differentiate(low));
  }

  bool forward_is_available() const {
    return request.combination.mode == Mode::reverse && request.combination.width == 1 &&
           offered_counterpart(stage.subject, forward_of(request.combination), stage.options.runtime_activity);
  }

  bool against_forward() {
    if (!forward_is_available())
      return true;
    try {
      const DerivativeRequest bare = without_incoming(request, stage.point); // Small derivatives are lost beside it.
      const auto dot_product = [&](Subject &subject, const DerivativeOutcome &gradient) {
        return check_dot_product(subject, stage.point, bare, gradient, stage.name, stage.options);
      };
      return take(without_rounding(stage, bare, stage.subject.differentiate(bare), dot_product), bare);
    } catch (const SubjectError &) {
      return true; // Forward mode fails on its own account, in its own combinations.
    }
  }

  bool lanes_are_available() const {
    return request.combination.width != 1 &&
           offered_counterpart(stage.subject, request.combination, stage.options.runtime_activity);
  }

  bool lanes() {
    const auto lanes = [&](Subject &subject, const DerivativeOutcome &batch) {
      return check_lanes(subject, stage.point, request, batch, stage.options);
    };
    return !lanes_are_available() || take(without_rounding(stage, request, outcome, lanes), request);
  }

  bool poison() {
    const auto &unread = stage.point.unread;
    return std::all_of(unread.begin(), unread.end(), [](const auto &elements) { return elements.empty(); }) ||
           take(check_poison(stage.subject, stage.point, request, outcome), request);
  }

  bool surroundings() { return take(check_surroundings(stage.subject, request, outcome), request); }

  bool arithmetic_kept() { return take(check_arithmetic_kept(stage.point, outcome), request); }

  /// Generated code leaves the same behind at all points; a rule may branch. What is kept may be kept behind a branch.
  bool state() {
    const bool may_branch = stage.name.sample == 0 || !stage.subject.rules(request.combination).empty();
    if (const auto effects = may_branch ? stage.subject.side_effects(request) : std::nullopt) {
      if (!take(check_side_effects(stage.subject, request, *effects), request))
        return false;
      note(*effects);
    }
    return take(check_earlier_calls(stage.subject, stage.earlier, request, outcome), request);
  }

  void note(const SideEffects &effects) {
    if (!stage.subject.rules(request.combination).empty())
      for (const std::string &remark : effects.remarks)
        record.notes.push_back(
            fmt::format("the derivative with registered rules {}, which the function does not", remark));
    if (stage.earlier.is_seen_by_function(Succession::Memory::other))
      record.notes.emplace_back(
          "the function itself gives other numbers after earlier calls: its derivatives were not called in a row");
  }

  DerivativeRequest above_zeros() const {
    return request.combination.mode == Mode::reverse ? without_incoming(request, stage.point) : request;
  }

  /// Code behind a branch has its own way with a small seed.
  bool tiny_seeds() {
    if (undecided || stage.options.depth != Depth::every_check)
      return true;
    const DerivativeRequest bare = above_zeros();
    const DerivativeOutcome of_bare = stage.subject.differentiate(bare);
    return take(check_tiny_seeds(stage.subject, {stage.point, bare, of_bare}, stage.options), bare);
  }

  /// Numbers of the seed from one end of the range to the other.
  bool seeds() {
    if (stage.name.sample != 0)
      return tiny_seeds();
    if (undecided)
      return true;
    const DerivativeRequest bare = above_zeros();
    const DerivativeRequest zero = scaled(bare, stage.point, 0);
    const DerivativeOutcome of_bare = stage.subject.differentiate(bare);
    const UsualSeed usual{stage.point, bare, of_bare};
    const auto parts = [&](Subject &subject, const DerivativeOutcome &whole) {
      return check_seed_parts(subject, {stage.point, bare, whole}, stage.name, stage.options);
    };
    return take(check_seed_leftovers(stage.subject, usual, zero, stage.subject.differentiate(zero), "a seed of zero"),
                zero) &&
           take(check_seed_sizes(stage.subject, usual, stage.options), bare) &&
           take(check_single_seeds(stage.subject, usual, stage.options), bare) &&
           take(check_seed_lanes(stage.subject, usual, stage.options), bare) &&
           take(without_rounding(stage, bare, of_bare, parts), bare);
  }

  bool second_order() { return stage.name.sample != 0 || undecided || second_derivative(); }

  bool second_derivative() {
    if (stage.options.depth != Depth::every_check)
      return true;
    std::string reason;
    Finding finding = check_second_order(stage.subject, request, stage.options, stage.name.sample, reason);
    if (!reason.empty())
      record.notes.push_back(std::move(reason));
    return take(std::move(finding), request);
  }

  bool threads() {
    if (stage.name.sample != 0 || undecided)
      return true;
    std::string reason;
    Finding finding = check_threads(stage.subject, stage.earlier, request, reason);
    if (!reason.empty())
      record.notes.push_back(std::move(reason));
    return take(std::move(finding), request);
  }

  /// Those of a kernel.
  bool threads_of_kernel() {
    return stage.name.sample != 0 || stage.subject.thread_orders().empty() ||
           (take(check_thread_accesses(stage.subject, request), request) &&
            take(check_thread_orders(stage.subject, request, outcome), request));
  }

  bool single_release() { return take(check_single_release(stage.point, outcome), request); }

  bool complete_release() {
    return take(check_complete_release(stage.subject, stage.point, request, outcome), request);
  }

  /// Generated code frees alike at all points; a rule may return early.
  bool release_of_rules() {
    return stage.subject.rules(request.combination).empty() || !outcome.heap || complete_release();
  }

  void differentiate() {
    outcome = stage.subject.differentiate(request);
    record.heap = cost_of(outcome.heap);
    record.heap_of_function = cost_of(stage.point.primal.heap);
  }

  static std::optional<HeapCost> cost_of(const std::optional<HeapUse> &use) {
    return use ? std::optional(HeapCost{use->allocations, use->most_bytes}) : std::nullopt;
  }

  bool are_brief_right() {
    differentiate();
    return primal() && arithmetic_kept() && single_release() && oracle(request, outcome) && release_of_rules() &&
           tiny_seeds();
  }

  void brief() { (void)are_brief_right(); }

  /// What a rule leaves behind, what it keeps, and its own derivative, may be others behind a branch.
  void side() { (void)(are_brief_right() && !undecided && effects_of_rules() && call_nearby() && second_derivative()); }

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

  void all() {
    differentiate();
    (void)(primal() && arithmetic_kept() && single_release() && oracle(request, outcome) && unit_seed() &&
           parts_of_tangent() && small_gradient() && repeatable() && threads_of_kernel() && surroundings() &&
           algebra() && against_forward() && lanes() && poison() && complete_release() && seeds() && state() &&
           threads() && second_order());
  }
};

Record run(Stage &stage, const Combination &combination, void (Run::*checks)()) {
  Record record;
  record.combination = combination;
  record.seed = stage.options.seed;
  record.backend = stage.subject.backend();
  record.sample = stage.name.sample;
  record.inputs = stage.point.inputs;
  record.replay = stage.subject.replay_command(stage.options.seed);
  record.verdict = stage.point.verdict;
  record.detail = stage.point.trouble;
  if (record.verdict != Verdict::pass) {
    record.check = "the function itself";
    return record;
  }
  const Signature &signature = stage.subject.signature();
  Run run{stage,
          record,
          random_request(signature, combination, stage.point.inputs, stage.name, stage.options.output_tangent),
          {}};
  try {
    (run.*checks)();
  } catch (const SubjectError &error) {
    record.verdict = Verdict::crash;
    record.check = "running the derivative";
    record.detail = error.what();
    record.rule = used_rules(stage.subject, combination);
  }
  return record;
}

} // namespace

std::vector<NeededDerivative> derivatives_needed(const std::vector<Combination> &combinations,
                                                 RuntimeActivity runtime_activity) {
  std::vector<NeededDerivative> needed;
  for (const Combination &combination : combinations) {
    needed.push_back({combination, PrimalResult::wanted});
    if (combination.width != 1)
      needed.push_back({in_plain_form(combination, runtime_activity), PrimalResult::wanted});
    if (combination.mode != Mode::reverse)
      continue;
    needed.push_back({combination, PrimalResult::omitted});
    if (combination.width == 1)
      needed.push_back({in_plain_form(forward_of(combination), runtime_activity), PrimalResult::wanted});
  }
  return needed;
}

Record run_checks(Stage &stage, const Combination &combination) {
  return run(stage, combination, &Run::all);
}

Record run_edge_checks(Stage &stage, const Combination &combination) {
  return run(stage, combination, &Run::edge);
}

Record run_threshold_checks(Stage &stage, const Combination &combination) {
  return run(stage, combination, &Run::threshold);
}

Record run_range_checks(Stage &stage, const Combination &combination) {
  return run(stage, combination, &Run::range);
}

Record run_brief_checks(Stage &stage, const Combination &combination) {
  return run(stage, combination, &Run::brief);
}

Record run_side_checks(Stage &stage, const Combination &combination) {
  return run(stage, combination, &Run::side);
}

} // namespace assay::testutils
