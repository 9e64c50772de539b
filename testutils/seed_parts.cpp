// A seed of many numbers is the sum of two that are zero where the other one is not. A rule that looks at one number of
// the seed to know whether there is anything to do shows itself where that one is zero.

#include "testutils/finding.hpp"
#include "testutils/outcome_pairs.hpp"
#include "testutils/tolerance.hpp"

#include <assay/generators/stream.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include <fmt/format.h>

namespace assay::testutils {

namespace {

constexpr std::string_view check_name = "seeds that are zero in part";

/// Calls `visit(number, path)` for every number that the derivative is linear in.
template <class Visit>
void for_each_seed(const Signature &signature, const Point &point, DerivativeRequest &request, Visit visit) {
  const bool forward = request.combination.mode == Mode::forward;
  const unsigned width = request.combination.width;
  for (unsigned lane = 0; lane < width; ++lane) {
    for (std::size_t element = 0; element < request.result_seeds[lane].size(); ++element)
      visit(request.result_seeds[lane][element], path_of(signature, {std::nullopt, element, lane}, width));
    for (std::size_t index = 0; index < request.shadows[lane].size(); ++index)
      if (forward || point.written[index])
        for (std::size_t element = 0; element < request.shadows[lane][index].size(); ++element)
          visit(request.shadows[lane][index][element], path_of(signature, {index, element, lane}, width));
  }
}

/// What of a seed is in the first part.
struct Part {
  std::string place; ///< `x[3]`
  std::function<bool(std::size_t)> has;
};

std::array<Part, 4> parts_of(const std::vector<std::string> &paths, const CaseName &name) {
  gen::Stream stream(
      {.seed = name.seed, .suite = name.suite, .name = name.name, .purpose = "seed part", .index = name.sample});
  const std::size_t last = paths.size() - 1;
  const auto any = static_cast<std::size_t>(stream.integer(0, static_cast<std::int64_t>(last)));
  const auto alone = [&](std::size_t wanted) {
    return Part{paths[wanted], [wanted](std::size_t index) { return index == wanted; }};
  };
  return {alone(0), alone(last), alone(any),
          Part{"every other number", [](std::size_t index) { return index % 2 == 0; }}};
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

Finding compare_with_whole(const Signature &signature, const UsualSeed &usual, const DerivativeOutcome &sum,
                           const Part &part, const CheckOptions &options) {
  constexpr double part_of_largest = 1e-3;
  Finding finding{Verdict::pass, std::string(check_name), {}, {}, 0};
  const double largest = largest_of(usual.outcome);
  for_each_pair(sum, usual.outcome, [&](const Place &place, double seen, double wanted) {
    if (!is_written_by_derivative(signature, usual.request.combination, place) || !std::isfinite(wanted))
      return;
    ++finding.compared;
    const ElementType type = parameter_at(signature, place).element_type(place.element);
    const double tolerance = relative_tolerance(tolerance_at(options.tolerance, signature, place), type) *
                             std::max(std::abs(wanted), part_of_largest * largest);
    if (std::abs(seen - wanted) <= tolerance)
      return;
    fail(finding, Verdict::wrong_derivative,
         fmt::format("the derivatives with a seed that is zero everywhere but in {}, and with one that is zero there, "
                     "do not add up to that with the whole seed",
                     part.place),
         row_of(signature, place, seen, wanted, tolerance));
  });
  return finding;
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
  for (const Part &part : parts_of(paths, name)) {
    const DerivativeRequest one = only(signature, usual, part, true), rest = only(signature, usual, part, false);
    const DerivativeOutcome of_one = subject.differentiate(one), of_rest = subject.differentiate(rest);
    Finding finding = check_seed_leftovers(subject, usual, one, of_one,
                                           fmt::format("a seed that is zero everywhere but in {}", part.place));
    if (finding.verdict == Verdict::pass)
      finding =
          check_seed_leftovers(subject, usual, rest, of_rest, fmt::format("a seed that is zero in {}", part.place));
    if (finding.verdict == Verdict::pass)
      finding = compare_with_whole(signature, usual, sum_of(of_one, of_rest), part, options);
    all.compared += finding.compared;
    if (finding.verdict != Verdict::pass)
      return finding;
  }
  return all;
}

} // namespace assay::testutils
