#include "testutils/second_look.hpp"

#include "testutils/one_sided.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace assay::testutils {

namespace {

// So many elements are asked about smoothness.
constexpr std::size_t most_probes = 6;
// So many numbers are compared with differences to one side.
constexpr std::size_t most_one_sided = 64;
// Differences to one side that agree to this part of their value are not known to be better.
constexpr double converged_part = 1e-10;
// How often the oracle looks eight times closer at a number that differs.
constexpr unsigned most_closer_looks = 12, closer_looks_of_slow_functions = 2;

// The differences' own estimates of their errors see the kink as well; how far differences of several lengths lie apart
// tells how well they converge.
std::optional<Guess> from_one_side(const Probe &probe, Look::Side side, double radius) {
  std::optional<Guess> longest = probe.again({.range = radius, .side = side});
  if (!longest)
    return longest;
  double apart = 0;
  for (const double part : {1.0 / 8, 1.0 / 64}) {
    const std::optional<Guess> shorter = probe.again({.range = part * radius, .side = side});
    apart = std::max(apart, shorter ? std::abs(shorter->value - longest->value) : 0);
  }
  longest->error = 3 * apart + converged_part * std::abs(longest->value);
  return longest;
}

// Differences of two lengths: noise alone does not blur both in the same way.
bool looks_one_sided(const Probe &probe, const Compared &row) {
  for (const double part : {1.0, 1.0 / 4}) {
    const auto below = probe.again({.range = part * row.radius, .side = Look::Side::below}),
               above = probe.again({.range = part * row.radius, .side = Look::Side::above});
    if (!below || !above || !looks_one_sided(row, *below, *above))
      return false;
  }
  return true;
}

// Whether differences to both sides agree with the oracle, and differ much from the derivative: then there is no
// kink to be seen, and no need to look for one.
bool sees_no_kink(const Compared &row, const std::optional<Guess> &above, const std::optional<Guess> &below) {
  constexpr double part = 1.0 / 8;
  const double apart = std::abs(row.comparison.ad - row.comparison.expected);
  const auto is_as_expected = [&](const std::optional<Guess> &side) {
    return side && side->trouble == fdm::Trouble::none &&
           std::abs(side->value - row.comparison.expected) + side->error <= part * apart;
  };
  return is_as_expected(above) && is_as_expected(below);
}

// Differences that have not converged, whatever they say of their error: |x|^(1 + p) has the derivative 0 at 0, and its
// differences of length h are h^p times a constant, so that what is left falls by the same factor with each shorter
// length. Differences that converge to another number fall by less and less.
bool fall_to_the_derivative(const Probe &probe, const Compared &row) {
  constexpr unsigned lengths = 5;
  constexpr double first = 0x1p-10, shorter = 0x1p-6, alike = 1.0 / 4, noisy_part = 1.0 / 8;
  double length = first * row.radius, last_rest = 0, last_fallen = 0;
  for (unsigned number = 0; number < lengths; ++number, length *= shorter) {
    const auto quotient = length > 0 ? probe.quotient(length) : std::nullopt;
    if (!quotient || !std::isfinite(quotient->value))
      return false;
    const double rest = quotient->value - row.comparison.ad, fallen = 1 - rest / last_rest;
    const bool stands_out = quotient->noise <= noisy_part * std::abs(rest - last_rest);
    if (number > 0 && !(stands_out && fallen > 0 && fallen < 1))
      return false;
    if (number > 1 && !(std::abs(fallen - last_fallen) <= alike * last_fallen))
      return false;
    last_rest = rest;
    last_fallen = fallen;
  }
  return true;
}

// Differences that are others at each length approach nothing, as those of x^2 sin(1 / x) at 0, whatever they say of
// their error. Only of numbers that are far apart: the shortest differences are not as exact as the method's.
bool settle_nowhere(const Probe &probe, const Compared &row) {
  constexpr std::array<double, 5> lengths{1.0 / 2, 1.0 / 4, 1.0 / 8, 1.0 / 16, 1.0 / 32};
  constexpr double far = 1.0 / 8, part = 1.0 / 2, noisy_part = 1.0 / 8;
  constexpr int most_strays = 1;
  const double expected = row.comparison.expected, apart = std::abs(row.comparison.ad - expected);
  if (!(apart >= far * std::abs(expected)))
    return false;
  int strays = 0;
  for (const double length : lengths)
    if (const auto quotient = probe.quotient(length * row.radius);
        quotient && quotient->noise <= noisy_part * apart && std::abs(quotient->value - expected) > part * apart)
      ++strays;
  return strays > most_strays;
}

// A derivative that is right is what differences come to closer to the point, however short the scale is on which the
// function varies; beside or at a kink that is too weak to be seen, it is the slope on one side.
bool is_right_at_a_second_look(const Probe &probe, const Compared &row, Depth depth) {
  const auto confirms = [&](const std::optional<Guess> &other) { return other && is_confirmed_by(row, *other); };
  const std::optional<Guess> right = probe.again({.side = Look::Side::above}),
                             left = probe.again({.side = Look::Side::below});
  if (confirms(right) || confirms(left))
    return true;
  if (!sees_no_kink(row, right, left)) {
    const auto below = from_one_side(probe, Look::Side::below, row.radius),
               above = from_one_side(probe, Look::Side::above, row.radius);
    if (below && above && may_lie_between_sides(row, *below, *above))
      return true;
    if (looks_one_sided(probe, row))
      return true;
  }
  double range = row.radius;
  const unsigned looks = depth == Depth::every_check ? most_closer_looks : closer_looks_of_slow_functions;
  for (unsigned look = 0; look < looks; ++look) {
    range /= 8;
    if (confirms(probe.again({.range = range})))
      return true;
    if (depth == Depth::every_check && (confirms(from_one_side(probe, Look::Side::above, range)) ||
                                        confirms(from_one_side(probe, Look::Side::below, range))))
      return true;
  }
  return depth == Depth::every_check && (fall_to_the_derivative(probe, row) || settle_nowhere(probe, row));
}

// Why a number that differs, or agrees by chance, says nothing; empty where it does say what it seems to.
std::string excuse_for(const Oracle &oracle, const Probe &probe, const Compared &row, Depth depth, Finding &finding) {
  if (!(row.radius > 0))
    return {};
  const fdm::Smoothness smoothness = probe.smoothness(row.agreement);
  finding.rough |= is_rough(smoothness);
  if (row.agreement == Agreement::agrees)
    return is_rough(smoothness) ? fmt::format("at {} the derivative and {} agree, but {} there", row.comparison.path,
                                              oracle.name(), fdm::describe(smoothness))
                                : "";
  if (is_rough(smoothness))
    return fmt::format("at {} the derivative and {} disagree, but {} there", row.comparison.path, oracle.name(),
                       fdm::describe(smoothness));
  if (is_right_at_a_second_look(probe, row, depth))
    return fmt::format(
        "at {} the derivative and {} disagree, but closer to the point, or on one side of it, they agree",
        row.comparison.path, oracle.name());
  return {};
}

// How many numbers equal a one-sided derivative, and which.
struct SideCount {
  std::size_t left = 0, right = 0;
  std::string words; ///< Of the last one.

  void add(SideVerdict side, const std::string &description) {
    ++(side == SideVerdict::left ? left : right);
    words = description;
  }
  std::string text() const {
    if (left + right < 2)
      return words.empty() ? "" : ", " + words;
    return fmt::format(", one-sided: {} numbers equal the left derivative, {} the right one", left, right);
  }
};

} // namespace

void accept_hidden(OracleComparisons &comparisons) {
  for (std::size_t index = 0; index < comparisons.rows.size(); ++index) {
    Compared &row = comparisons.rows[index];
    if (row.agreement != Agreement::differs || !row.by_scale ||
        comparisons.probes[index]().follows(row.comparison.expected))
      continue;
    row.agreement = Agreement::agrees;
    row.absolute = std::max(std::abs(row.comparison.ad), std::abs(row.comparison.expected));
  }
}

bool differs_where_smooth(const Oracle &oracle, OracleComparisons &comparisons, Finding &finding) {
  std::size_t probed = 0;
  for (std::size_t index = 0; index < comparisons.rows.size() && probed < most_probes; ++index) {
    Compared &row = comparisons.rows[index];
    if (row.agreement != Agreement::differs && !row.by_chance)
      continue;
    const std::string excuse = excuse_for(oracle, comparisons.probes[index](), row, comparisons.depth, finding);
    if (excuse.empty() && row.agreement == Agreement::differs)
      return true;
    ++probed;
    if (excuse.empty())
      continue;
    row.agreement = Agreement::undecided;
    finding.detail = excuse;
  }
  return false;
}

void compare_one_sided(OracleComparisons &comparisons, Finding &finding, std::size_t edges) {
  SideCount equal;
  for (std::size_t index = 0; index < std::min(comparisons.probes.size(), most_one_sided); ++index) {
    Compared &row = comparisons.rows[index];
    if (row.agreement != Agreement::undecided || !(row.radius > 0))
      continue;
    const Probe probe = comparisons.probes[index]();
    const auto below = from_one_side(probe, Look::Side::below, row.radius);
    if (!below || probe.smoothness(row.agreement) != fdm::Smoothness::kink)
      continue;
    const Guess above = *from_one_side(probe, Look::Side::above, row.radius);
    const SideVerdict side = compare_with_sides(row, *below, above);
    const std::string words = describe(side, row.comparison, *below, above);
    if (side == SideVerdict::left || side == SideVerdict::right) {
      row.agreement = Agreement::agrees;
      equal.add(side, words);
      finding.detail.clear();
    } else if (side == SideVerdict::outside && edges == 1) {
      row.agreement = Agreement::differs;
      finding.verdict = Verdict::wrong_derivative;
      finding.detail = words;
      return;
    } else if (side != SideVerdict::unknown) {
      finding.detail = words;
    }
  }
  finding.check += equal.text();
  finding.is_one_sided = !equal.text().empty();
}

} // namespace assay::testutils
