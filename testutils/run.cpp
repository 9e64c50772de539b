// The order is that of certainty: what must hold bit for bit comes first, then finite differences, then the algebra.
// The first failure decides; without one, an oracle that could not tell leaves the combination undecided.

#include "testutils/run.hpp"

#include "testutils/check_run.hpp"
#include "testutils/lasting_caches.hpp"
#include "testutils/numbers.hpp"
#include "testutils/oracle_comparison.hpp"
#include "testutils/outcome_pairs.hpp"
#include "testutils/reassess.hpp"
#include "testutils/rounding_modes_check.hpp"
#include "testutils/thread_checks.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace assay::testutils {

namespace {

/// All checks at a usual point.
struct UsualRun : CheckRun {
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
    if (!(largest > 0))
      return true;
    const auto above_part = [&](double part) {
      const DerivativeRequest low =
          with_incoming_scaled(request, stage.point, part * std::exp2(std::floor(std::log2(largest))));
      return above(low, stage.subject.differentiate(low));
    };
    return (largest >= far_below || above_part(1)) && (!may_assign() || above_part(small_part()));
  }

  /// A rule may take a shadow of small numbers for one that nothing was added to.
  bool may_assign() const {
    return stage.name.sample == 0 && !(stage.subject.knows_rules() && stage.subject.rules(request.combination).empty());
  }

  /// A small part of the derivative, and far above its tolerance.
  double small_part() const {
    const ElementType type = coarsest_element(stage.subject.signature());
    return type == ElementType::half_precision ? 0x1p-3 : is_coarse(type) ? 0x1p-9 : 0x1p-20;
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

  /// Generated code leaves the same behind at all points; a rule may branch. What is kept may be kept behind a branch.
  bool state() {
    const bool may_branch = stage.name.sample == 0 || !stage.subject.rules(request.combination).empty();
    if (const auto effects = may_branch ? stage.subject.side_effects(request) : std::nullopt) {
      if (!take(check_side_effects(stage.subject, request, *effects), request))
        return false;
      note(*effects);
    }
    return take(check_earlier_calls(stage.subject, stage.earlier, request, outcome), request) &&
           take(check_lasting_caches(stage, request), request);
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

  bool threads() {
    if (stage.name.sample != 0 || undecided)
      return true;
    std::string reason;
    Finding finding = check_threads(stage.subject, stage.earlier, request, reason);
    if (!reason.empty())
      record.notes.push_back(std::move(reason));
    return take(std::move(finding), request);
  }

  bool rounding_modes() { return undecided || take(check_rounding_modes(stage, request, outcome), request); }

  /// Those of a kernel.
  bool threads_of_kernel() {
    return stage.name.sample != 0 || stage.subject.thread_orders().empty() ||
           (take(check_thread_accesses(stage.subject, request), request) &&
            take(check_thread_orders(stage.subject, request, outcome), request));
  }

  void all() {
    differentiate();
    (void)(primal() && arithmetic_kept() && single_release() && oracle(request, outcome) && repeatable() &&
           unit_seed() && parts_of_tangent() && small_gradient() && threads_of_kernel() && surroundings() &&
           algebra() && against_forward() && lanes() && poison() && complete_release() && seeds() && state() &&
           threads() && rounding_modes() && second_order());
  }
};

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
  return record_of(stage, combination, &UsualRun::all);
}

} // namespace assay::testutils
