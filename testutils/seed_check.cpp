// A derivative is linear in its seed, and a power of two as a factor rounds nothing. So what it gives for seeds that
// are tiny, huge or subnormal follows from what it gives for usual ones, as long as no operation overflows or
// underflows, which the floating-point exceptions of the call tell. Where they do, the derivative by the engine alone
// may still show that the function itself is not to blame: a rule that leaves the range six hundred powers of two from
// its ends, where the engine does not, does so by its own arithmetic.

#include "testutils/difference.hpp"
#include "testutils/finding.hpp"
#include "testutils/numbers.hpp"
#include "testutils/outcome_pairs.hpp"
#include "testutils/ranged.hpp"
#include "testutils/tolerance.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace assay::testutils {

namespace {

/// A power of two, and how much of a number that it makes can be compared.
struct Size {
  int exponent;
  bool is_subnormal = false;  ///< Compared only where the size before left no range.
  bool is_far_inside = false; ///< Far enough from the ends of the range that only a rule can leave it.
};

/// Those of sums over a batch and of scaled losses come first.
constexpr std::array<Size, 15> sizes_of_double{{{8},
                                                {13},
                                                {18},
                                                {-11},
                                                {-24},
                                                {-33},
                                                {-37},
                                                {-100},
                                                {-600, false, true},
                                                {-1000},
                                                {-1030, true},
                                                {100},
                                                {600, false, true},
                                                {990},
                                                {1010}}};
constexpr std::array<Size, 9> sizes_of_float{
    {{8}, {13}, {-11}, {-30}, {-70, false, true}, {-120}, {-130, true}, {30}, {70, false, true}}};

/// Numbers from 2^-14 to 2^16 leave no room for more.
constexpr std::array<Size, 2> sizes_of_half{{{-4}, {4}}};

std::span<const Size> sizes_for(const Signature &signature) {
  const ElementType coarsest = coarsest_element(signature);
  if (has_halves(signature))
    return sizes_of_half;
  if (is_coarse(coarsest))
    return sizes_of_float;
  return sizes_of_double;
}

/// Where nothing tells that an operation left the range, sizes are compared that leave room for a product or two.
bool has_room(const Size &size, const Signature &signature) {
  const int room = is_coarse(coarsest_element(signature)) ? 30 : 100;
  return std::abs(size.exponent) <= room;
}

/// `2^-600, about 2e-181,`
std::string in_words(int exponent) {
  return fmt::format("2^{}, about 1e{},", exponent, static_cast<int>(std::lround(exponent * std::log10(2.0))));
}

/// Generated code multiplies and adds, which a power of two commutes with. A registered rule may iterate.
enum class Arithmetic { generated, registered };

Arithmetic arithmetic_of(const Subject &subject, const Combination &combination) {
  return subject.knows_rules() && subject.rules(combination).empty() ? Arithmetic::generated : Arithmetic::registered;
}

/// The relative tolerance where the range is not left.
double part_of(const Tolerance &tolerance, ElementType type, Arithmetic arithmetic) {
  constexpr double roundings = 64; // Sums of threads have no order.
  const double usual = relative_tolerance(tolerance, type);
  return arithmetic == Arithmetic::generated ? std::min(usual, roundings * epsilon_of(type)) : usual;
}

/// The derivative at seeds of one size beside the usual ones.
Finding compare_at(const Signature &signature, const UsualSeed &usual, const DerivativeOutcome &seen, const Size &size,
                   Arithmetic arithmetic, const CheckOptions &options) {
  // Beside large numbers small ones are noise. Subnormal ones have few bits, or none where code flushes them to zero:
  // they are to be finite.
  constexpr double part_of_largest = 1e-3;
  // A solver for adjoints stops at so small a rest, whatever the seed.
  constexpr double usual_rest = 1e-12;
  Finding finding{Verdict::pass, "seeds of every size", {}, {}, 0};
  const double largest = largest_of(usual.outcome);
  for_each_pair(seen, usual.outcome, [&](const Place &place, double number, double plain) {
    const double wanted = std::ldexp(plain, size.exponent);
    if (!is_written_by_derivative(signature, usual.request.combination, place) || !std::isfinite(wanted))
      return;
    ++finding.compared;
    const ElementType type = parameter_at(signature, place).element_type(place.element);
    const double part = part_of(tolerance_at(options.tolerance, signature, place), type, arithmetic);
    // Scaled back, so that the tolerance is no subnormal number.
    const double back = std::ldexp(number, -size.exponent);
    const double compared = std::max(std::abs(plain), part_of_largest * largest);
    const bool is_mirrored = std::abs(back + plain) <= part * compared;
    const bool may_be_rest =
        arithmetic == Arithmetic::registered && type == ElementType::double_precision && number != 0 && !is_mirrored;
    const double rest = may_be_rest ? std::ldexp(usual_rest, -size.exponent) : 0;
    const double tolerance = size.is_subnormal ? std::numeric_limits<double>::max() : std::max(part, rest) * compared;
    if (number == wanted || std::abs(back - plain) <= tolerance)
      return;
    fail(finding, Verdict::wrong_derivative,
         fmt::format("with seeds times {} the derivative is not as many times as large{}", in_words(size.exponent),
                     number == 0             ? ": it is zero"
                     : std::isfinite(number) ? ""
                                             : ": it is not finite"),
         row_of(signature, place, number, wanted, std::ldexp(tolerance, size.exponent)));
  });
  return finding;
}

/// Whether the function without one of the rules keeps the range.
bool is_kept_without_a_rule(Subject &subject, const DerivativeRequest &request) {
  const std::vector<Rule> rules = subject.rules(request.combination);
  for (std::size_t index = 0; index < rules.size(); ++index)
    try {
      if (!rules[index].can_be_left_out)
        continue;
      const std::unique_ptr<Subject> without = subject.without_rule(request.combination, index);
      if (without && !differentiate_ranged(*without, request).left_range)
        return true;
    } catch (const SubjectError &) { // There is no derivative without it.
    }
  return false;
}

/// An iteration whose norms leave the range stops before its first step.
bool is_given_up(const Finding &finding) {
  return std::all_of(finding.worst.begin(), finding.worst.end(), [](const Comparison &row) { return row.ad == 0; });
}

Values &seed_of_lane(DerivativeRequest &request, unsigned lane, std::size_t index) {
  return index == 0 ? request.result_seeds[lane] : request.shadows[lane][index - 1];
}

/// `request` with another number in place of the seeds of one lane.
DerivativeRequest with_lane(DerivativeRequest request, const Point &point, unsigned lane, double seed) {
  const bool forward = request.combination.mode == Mode::forward;
  for (std::size_t index = 0; index <= request.shadows[lane].size(); ++index)
    if (index == 0 || forward || point.written[index - 1])
      for (double &number : seed_of_lane(request, lane, index))
        number = seed;
  return request;
}

} // namespace

Finding check_seed_leftovers(Subject &subject, const UsualSeed &usual, const DerivativeRequest &request,
                             const DerivativeOutcome &outcome, std::string_view seed) {
  Finding finding{Verdict::pass, "memory and primal with every seed", {}, {}, 0};
  const auto failed = [&](Verdict verdict, std::string_view detail) {
    finding.verdict = verdict;
    finding.detail = fmt::format("with {}, {}", seed, detail);
    return finding;
  };
  if (!outcome.violations.empty())
    return failed(Verdict::wrong_mutation, outcome.violations.front());
  if (!same_primal(subject, outcome, usual.outcome))
    return failed(Verdict::wrong_primal, "the function's result or the memory that it writes is another one");
  if (const Finding release = check_single_release(usual.point, outcome); release.verdict != Verdict::pass)
    return failed(release.verdict, release.detail);
  const bool leaves_more = !outcome.heap || (outcome.heap->blocks_left != 0 &&
                                             (!usual.outcome.heap || usual.outcome.heap->blocks_left == 0));
  if (!leaves_more)
    return finding;
  const Finding release = check_complete_release(subject, usual.point, request, outcome);
  return release.verdict == Verdict::pass ? finding : failed(release.verdict, release.detail);
}

static Finding check_sizes(Subject &subject, const UsualSeed &usual, std::span<const Size> sizes,
                           const CheckOptions &options) {
  Finding all{Verdict::pass, "seeds of every size", {}, {}, 0};
  if (differentiate_ranged(subject, usual.request).left_range) // Nothing tells then whether the seed is why.
    return all;
  const Arithmetic arithmetic = arithmetic_of(subject, usual.request.combination);
  bool is_in_range = true;
  for (const Size &size : sizes) {
    if ((size.is_subnormal && !is_in_range) || (subject.is_on_device() && !has_room(size, subject.signature())))
      continue;
    const DerivativeRequest request = scaled(usual.request, usual.point, std::ldexp(1.0, size.exponent));
    const DerivativeOutcome outcome = differentiate_ranged(subject, request);
    Finding finding =
        check_seed_leftovers(subject, usual, request, outcome, fmt::format("seeds times {}", in_words(size.exponent)));
    if (finding.verdict != Verdict::pass)
      return finding;
    finding = compare_at(subject.signature(), usual, outcome, size, arithmetic, options);
    all.compared += finding.compared;
    is_in_range = !outcome.left_range;
    if (finding.verdict == Verdict::pass)
      continue;
    if (!outcome.left_range || size.is_subnormal ||
        (size.is_far_inside && !is_given_up(finding) && is_kept_without_a_rule(subject, request)))
      return finding;
  }
  return all;
}

Finding check_seed_sizes(Subject &subject, const UsualSeed &usual, const CheckOptions &options) {
  return check_sizes(subject, usual, sizes_for(subject.signature()), options);
}

Finding check_tiny_seeds(Subject &subject, const UsualSeed &usual, const CheckOptions &options) {
  constexpr Size of_double{-100}, of_float{-30};
  const Signature &signature = subject.signature();
  const Size &size = has_halves(signature)                    ? sizes_of_half.front()
                     : is_coarse(coarsest_element(signature)) ? of_float
                                                              : of_double;
  return check_sizes(subject, usual, {&size, 1}, options);
}

static Finding check_seed_lane(Subject &subject, const UsualSeed &usual, unsigned lane, double seed,
                               const CheckOptions &options) {
  const Signature &signature = subject.signature();
  const DerivativeRequest request = with_lane(usual.request, usual.point, lane, seed);
  const DerivativeOutcome outcome = subject.differentiate(request);
  const std::string words = fmt::format("a seed of {} in lane {}", seed == 0 ? "zero" : "infinity", lane);
  Finding finding = check_seed_leftovers(subject, usual, request, outcome, words);
  if (finding.verdict != Verdict::pass)
    return finding;
  finding.check = "seeds of other lanes";
  for_each_pair(outcome, usual.outcome, [&](const Place &place, double seen, double wanted) {
    if (place.lane == lane || !std::isfinite(wanted))
      return;
    ++finding.compared;
    const ElementType type = parameter_at(signature, place).element_type(place.element);
    const double tolerance =
        relative_tolerance(tolerance_at(options.tolerance, signature, place), type) * std::abs(wanted);
    if (same_bits(seen, wanted) || std::abs(seen - wanted) <= tolerance)
      return;
    fail(finding, Verdict::wrong_derivative, fmt::format("{} changes another lane", words),
         row_of(signature, place, seen, wanted, tolerance));
  });
  return finding;
}

Finding check_seed_lanes(Subject &subject, const UsualSeed &usual, const CheckOptions &options) {
  Finding finding{Verdict::pass, "seeds of other lanes", {}, {}, 0};
  const unsigned last = usual.request.combination.width - 1;
  if (last == 0)
    return finding;
  for (const double seed : {0.0, std::numeric_limits<double>::infinity()})
    for (const unsigned lane : {0U, last}) {
      Finding next = check_seed_lane(subject, usual, lane, seed, options);
      next.compared += finding.compared;
      finding = std::move(next);
      if (finding.verdict != Verdict::pass)
        return finding;
    }
  return finding;
}

} // namespace assay::testutils
