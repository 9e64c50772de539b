// A seed of many numbers is the sum of two that are zero where the other one is not. A rule that looks at one number of
// the seed to know whether there is anything to do shows itself where that one is zero, and one that looks at their sum
// where they add up to zero.

#include "testutils/finding.hpp"
#include "testutils/outcome_pairs.hpp"
#include "testutils/tolerance.hpp"

#include <assay/generators/stream.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

namespace assay::testutils {

namespace {

constexpr double part_of_largest = 1e-3;
constexpr std::string_view check_name = "seeds that are zero in part";

/// Calls `visit(numbers, place)` for every array of numbers that the derivative is linear in; `place` is its first one.
template <class Visit>
void for_each_seed_array(const Point &point, DerivativeRequest &request, Visit visit) {
  const bool forward = request.combination.mode == Mode::forward;
  for (unsigned lane = 0; lane < request.combination.width; ++lane) {
    visit(request.result_seeds[lane], Place{std::nullopt, 0, lane});
    for (std::size_t index = 0; index < request.shadows[lane].size(); ++index)
      if (forward || point.written[index])
        visit(request.shadows[lane][index], Place{index, 0, lane});
  }
}

/// Calls `visit(number, path)` for every one of these numbers.
template <class Visit>
void for_each_seed(const Signature &signature, const Point &point, DerivativeRequest &request, Visit visit) {
  for_each_seed_array(point, request, [&](Values &numbers, Place place) {
    for (double &number : numbers) {
      visit(number, path_of(signature, place, request.combination.width));
      ++place.element;
    }
  });
}

/// What of a seed is in the first part.
struct Part {
  std::string place; ///< `x[3]`
  std::function<bool(std::size_t)> has;
};

/// Each number with the probability 1 / `of`.
Part drawn_part(gen::Stream &stream, std::size_t count, std::int64_t of) {
  std::vector<bool> is_in_part(count);
  for (std::size_t index = 0; index < count; ++index)
    is_in_part[index] = stream.integer(1, of) == 1;
  return {
      fmt::format("{} of {} numbers that were drawn", std::count(is_in_part.begin(), is_in_part.end(), true), count),
      [is_in_part](std::size_t index) { return is_in_part[index]; }};
}

/// Other ones for each combination.
std::vector<Part> parts_of(const std::vector<std::string> &paths, const CaseName &name,
                           const std::string &combination) {
  constexpr std::int64_t half = 2, few = 8;
  constexpr std::size_t least_drawn = 4; // Below, the others are all that there are.
  gen::Stream stream({.seed = name.seed,
                      .suite = name.suite,
                      .name = name.name,
                      .purpose = "seed part of " + combination,
                      .index = name.sample});
  const std::size_t last = paths.size() - 1;
  const auto any = static_cast<std::size_t>(stream.integer(0, static_cast<std::int64_t>(last)));
  const auto alone = [&](std::size_t wanted) {
    return Part{paths[wanted], [wanted](std::size_t index) { return index == wanted; }};
  };
  std::vector<Part> parts{alone(0), alone(last), alone(any),
                          Part{"every other number", [](std::size_t index) { return index % 2 == 0; }}};
  if (paths.size() >= least_drawn)
    for (const std::int64_t of : {half, few})
      parts.push_back(drawn_part(stream, paths.size(), of));
  return parts;
}

std::vector<std::string> paths_of_seeds(const Signature &signature, const UsualSeed &usual) {
  DerivativeRequest request = usual.request;
  std::vector<std::string> paths;
  for_each_seed(signature, usual.point, request, [&](double &, std::string path) { paths.push_back(std::move(path)); });
  return paths;
}

/// The seed where `part` has it, or where it has not.
DerivativeRequest only(const Signature &signature, const UsualSeed &usual, const Part &part, bool in_part) {
  DerivativeRequest request = usual.request;
  std::size_t index = 0;
  for_each_seed(signature, usual.point, request, [&](double &seed, const std::string &) {
    if (part.has(index++) != in_part)
      seed = 0;
  });
  return request;
}

DerivativeOutcome sum_of(DerivativeOutcome sum, const DerivativeOutcome &other) {
  const auto add = [](Values &to, const Values &from) {
    for (std::size_t element = 0; element < std::min(to.size(), from.size()); ++element)
      to[element] += from[element];
  };
  for (std::size_t lane = 0; lane < sum.result_tangents.size(); ++lane)
    add(sum.result_tangents[lane], other.result_tangents[lane]);
  for (std::size_t lane = 0; lane < sum.shadows.size(); ++lane)
    for (std::size_t index = 0; index < sum.shadows[lane].size(); ++index)
      add(sum.shadows[lane][index], other.shadows[lane][index]);
  return sum;
}

/// `whole` is expected to be the sum; numbers are judged on a scale of at least `least`.
Finding compare_with_whole(const Signature &signature, const UsualSeed &usual, const DerivativeOutcome &sum,
                           const DerivativeOutcome &whole, double least, std::string_view detail,
                           const CheckOptions &options) {
  Finding finding{Verdict::pass, std::string(check_name), {}, {}, 0};
  for_each_pair(sum, whole, [&](const Place &place, double seen, double wanted) {
    if (!is_written_by_derivative(signature, usual.request.combination, place) || !std::isfinite(wanted))
      return;
    ++finding.compared;
    const ElementType type = parameter_at(signature, place).element_type(place.element);
    const double tolerance =
        relative_tolerance(tolerance_at(options.tolerance, signature, place), type) * std::max(std::abs(wanted), least);
    if (!(std::abs(seen - wanted) <= tolerance))
      fail(finding, Verdict::wrong_derivative, std::string(detail), row_of(signature, place, seen, wanted, tolerance));
  });
  return finding;
}

enum class Sign : std::uint8_t { positive, negative };

/// One of the real numbers of an array of a lane.
struct SeedNumber {
  std::size_t index, count; ///< In the array.
  std::size_t array;        ///< Of those in the lane that have real numbers.
};

/// The usual seed with other numbers in each array, `number(SeedNumber)`.
template <class Number>
DerivativeRequest with_seeds(const Signature &signature, const UsualSeed &usual, Number number) {
  DerivativeRequest request = usual.request;
  std::size_t arrays = 0;
  unsigned lane = 0;
  for_each_seed_array(usual.point, request, [&](Values &numbers, Place place) {
    arrays = place.lane == lane ? arrays : 0;
    lane = place.lane;
    std::vector<double *> reals;
    for (; place.element < numbers.size(); ++place.element)
      if (parameter_at(signature, place).element_type(place.element) != ElementType::integer)
        reals.push_back(&numbers[place.element]);
    for (std::size_t index = 0; index < reals.size(); ++index)
      *reals[index] = number(SeedNumber{index, reals.size(), arrays});
    arrays += reals.empty() ? 0 : 1;
  });
  return request;
}

/// 1, -1, 1, -1, ... in each array, and 1, -2, 1 at the end of an odd number of them; or the numbers of one sign alone.
DerivativeRequest with_seeds_that_cancel(const Signature &signature, const UsualSeed &usual,
                                         std::optional<Sign> only = std::nullopt) {
  return with_seeds(signature, usual, [&](const SeedNumber &seed) -> double {
    const Sign sign = seed.index % 2 == 0 ? Sign::positive : Sign::negative;
    const double size = seed.index + 2 == seed.count && seed.count % 2 == 1 ? 2 : 1;
    return only && *only != sign ? 0 : sign == Sign::positive ? size : -size;
  });
}

/// One whose numbers add up to zero, and those of either sign. What they give may cancel: the rounding of both is left.
Finding check_seeds_that_cancel(Subject &subject, const UsualSeed &usual, const CheckOptions &options) {
  const Signature &signature = subject.signature();
  const DerivativeRequest cancelling = with_seeds_that_cancel(signature, usual);
  const DerivativeOutcome whole = subject.differentiate(cancelling);
  Finding finding = check_seed_leftovers(subject, usual, cancelling, whole, "a seed that adds up to zero");
  if (finding.verdict != Verdict::pass)
    return finding;
  const DerivativeOutcome positive = subject.differentiate(with_seeds_that_cancel(signature, usual, Sign::positive)),
                          negative = subject.differentiate(with_seeds_that_cancel(signature, usual, Sign::negative));
  return compare_with_whole(signature, usual, sum_of(positive, negative), whole,
                            std::max(largest_of(positive), largest_of(negative)),
                            "the derivative with a seed whose numbers add up to zero (1, -1, ...) is not the sum of "
                            "those with its positive and with its negative numbers",
                            options);
}

/// One whose numbers are all equal, as that of a sum, and every other number of it.
Finding check_equal_seeds(Subject &subject, const UsualSeed &usual, const CheckOptions &options) {
  const Signature &signature = subject.signature();
  const auto every_other = [&](std::size_t rest) {
    return subject.differentiate(
        with_seeds(signature, usual, [=](const SeedNumber &seed) { return seed.index % 2 == rest ? 1.0 : 0.0; }));
  };
  const DerivativeOutcome even = every_other(0), odd = every_other(1);
  const DerivativeOutcome whole =
      subject.differentiate(with_seeds(signature, usual, [](const SeedNumber &) { return 1.0; }));
  return compare_with_whole(signature, usual, sum_of(even, odd), whole, std::max(largest_of(even), largest_of(odd)),
                            "the derivative with a seed whose numbers are all equal is not the sum of those with every "
                            "other one of them",
                            options);
}

/// Ones in one array and minus ones in the next, as the adjoints of two numbers that are compared.
Finding check_opposite_arrays(Subject &subject, const UsualSeed &usual, const CheckOptions &options) {
  const Signature &signature = subject.signature();
  const auto with_arrays = [&](double even, double odd) {
    return subject.differentiate(
        with_seeds(signature, usual, [=](const SeedNumber &seed) { return seed.array % 2 == 0 ? even : odd; }));
  };
  const DerivativeOutcome even = with_arrays(1, 0), odd = with_arrays(0, -1);
  return compare_with_whole(signature, usual, sum_of(even, odd), with_arrays(1, -1),
                            std::max(largest_of(even), largest_of(odd)),
                            "the derivative with seeds that are ones in one array and minus ones in the next is not "
                            "the sum of those with either",
                            options);
}

} // namespace

Finding check_single_seeds(Subject &subject, const UsualSeed &usual, const CheckOptions &options) {
  constexpr std::size_t most = 16;
  Finding all{Verdict::pass, "seeds of every size", {}, {}, 0};
  const std::vector<std::string> paths = paths_of_seeds(subject.signature(), usual);
  const std::size_t count = paths.size() < 2 ? 0 : std::min(paths.size(), most);
  for (std::size_t number = 0; number < count; ++number) {
    const std::size_t wanted = number * paths.size() / count; // Every so often one.
    const Part part{paths[wanted], [wanted](std::size_t index) { return index == wanted; }};
    const DerivativeRequest one = only(subject.signature(), usual, part, true);
    const DerivativeOutcome of_one = subject.differentiate(one);
    Finding finding = check_tiny_seeds(subject, {usual.point, one, of_one}, options);
    if (finding.verdict != Verdict::pass) {
      finding.detail += fmt::format(", where the seed is zero but in {}", part.place);
      return finding;
    }
    all.compared += finding.compared;
  }
  return all;
}

Finding check_seed_parts(Subject &subject, const UsualSeed &usual, const CaseName &name, const CheckOptions &options) {
  Finding all{Verdict::pass, std::string(check_name), {}, {}, 0};
  const Signature &signature = subject.signature();
  const std::vector<std::string> paths = paths_of_seeds(signature, usual);
  if (paths.size() < 2)
    return all;
  for (const Part &part : parts_of(paths, name, describe(signature, usual.request.combination))) {
    const DerivativeRequest one = only(signature, usual, part, true), rest = only(signature, usual, part, false);
    const DerivativeOutcome of_one = subject.differentiate(one), of_rest = subject.differentiate(rest);
    Finding finding = check_seed_leftovers(subject, usual, one, of_one,
                                           fmt::format("a seed that is zero everywhere but in {}", part.place));
    if (finding.verdict == Verdict::pass)
      finding =
          check_seed_leftovers(subject, usual, rest, of_rest, fmt::format("a seed that is zero in {}", part.place));
    if (finding.verdict == Verdict::pass)
      finding = compare_with_whole(
          signature, usual, sum_of(of_one, of_rest), usual.outcome, part_of_largest * largest_of(usual.outcome),
          fmt::format("the derivatives with a seed that is zero everywhere but in {}, and with one that is zero there, "
                      "do not add up to that with the whole seed",
                      part.place),
          options);
    all.compared += finding.compared;
    if (finding.verdict != Verdict::pass)
      return finding;
  }
  if (subject.knows_rules() && subject.rules(usual.request.combination).empty())
    return all; // Generated code adds no seeds up to see whether there is anything to do.
  Finding cancelling = check_seeds_that_cancel(subject, usual, options);
  cancelling.compared += all.compared;
  if (cancelling.verdict != Verdict::pass)
    return cancelling;
  Finding equal = check_equal_seeds(subject, usual, options);
  equal.compared += cancelling.compared;
  if (equal.verdict != Verdict::pass)
    return equal;
  Finding opposite = check_opposite_arrays(subject, usual, options);
  opposite.compared += equal.compared;
  return opposite;
}

} // namespace assay::testutils
