// Patterns that wrong derivatives leave. Each is tried on all rows that differ; it is a hint only if it explains all of
// them.

#include "testutils/hints.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include <fmt/format.h>

namespace assay::testutils {

namespace {

using Rows = std::vector<Comparison>;

bool differs(const Comparison &row) {
  return !(row.absolute_error <= row.tolerance);
}

Rows differing(const Rows &rows) {
  Rows some;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(some), differs);
  return some;
}

bool near(double left, double right, const Comparison &row) {
  return std::isfinite(left) && std::isfinite(right) &&
         std::abs(left - right) <= row.tolerance + 1e-5 * std::max(std::abs(left), std::abs(right));
}

bool all(const Rows &rows, const std::function<bool(const Comparison &)> &holds) {
  return !rows.empty() && std::all_of(rows.begin(), rows.end(), holds);
}

// ---- the shadow ----

double entry_shadow(const DerivativeRequest &request, const Place &place) {
  const Values &shadow = request.shadows[place.lane][*place.parameter];
  return place.element < shadow.size() ? shadow[place.element] : 0;
}

void hint_at_shadow(const Rows &rows, const Point &point, const DerivativeRequest &request,
                    std::vector<std::string> &hints) {
  if (request.combination.mode != Mode::reverse)
    return;
  const auto has_incoming = [](const Comparison &row) { return row.incoming != 0; };
  if (all(rows, has_incoming)) {
    // Of random numbers one may by chance be minus another.
    if (all(rows, [](const Comparison &row) { return near(row.ad, 0, row); }))
      hints.push_back("the shadow equals the incoming shadow: nothing was added to it");
    else if (all(rows, [](const Comparison &row) { return near(row.ad, -row.incoming, row); }))
      hints.push_back("the shadow is zero: it was cleared, and the derivative is missing");
    else if (all(rows, [](const Comparison &row) { return near(row.ad + row.incoming, row.expected, row); }))
      hints.push_back("the incoming shadow is lost: the derivative is assigned (=) where it has to be added (+=)");
    else if (all(rows, [](const Comparison &row) { return near(row.ad - row.incoming, row.expected, row); }))
      hints.push_back("the incoming shadow is counted twice");
  }
  if (all(rows, [&](const Comparison &row) {
        return row.place.parameter && point.written[*row.place.parameter] && entry_shadow(request, row.place) != 0 &&
               near(row.ad - row.expected, entry_shadow(request, row.place), row);
      }))
    hints.push_back("the shadow of the overwritten memory still holds its seed: it was not set to zero");
}

// ---- size and sign ----

/// With as many digits as tell it from one.
std::string factor_text(double ratio) {
  const double apart = std::abs(ratio - 1);
  const int digits = apart > 0 && apart < 1 ? static_cast<int>(std::ceil(-std::log10(apart))) + 1 : 6;
  return fmt::format("{:.{}g}", ratio, std::clamp(digits, 6, 17));
}

void hint_at_ratio(const Rows &rows, std::vector<std::string> &hints) {
  if (!all(rows, [](const Comparison &row) { return std::isfinite(row.ad) && row.expected != 0; }))
    return;
  if (all(rows, [](const Comparison &row) { return near(row.ad, 0, row); })) {
    hints.push_back(
        "the derivative is zero where the function does depend on it: something active was taken for constant");
    return;
  }
  const double ratio = rows.front().ad / rows.front().expected;
  if (!all(rows, [&](const Comparison &row) { return near(row.ad, ratio * row.expected, row); }))
    return;
  const auto is = [&](double value) { return std::abs(ratio - value) < 1e-4 * std::abs(value); };
  if (is(-1))
    hints.push_back("the sign is wrong: each wrong value is minus the expected one");
  else if (is(2))
    hints.push_back("a factor of 2: a contribution is counted twice");
  else if (is(0.5))
    hints.push_back("a factor of 1/2: one of two equal contributions is missing");
  else if (is(-2) || is(-0.5))
    hints.push_back("the sign is wrong, and a factor of 2");
  else if (rows.size() > 1)
    hints.push_back(fmt::format("each wrong value is {} times the expected one", factor_text(ratio)));
}

// Reverse: the result's seed stands where it should not, or does not stand where it should.
void hint_at_seed(const Rows &rows, const DerivativeRequest &request, std::vector<std::string> &hints) {
  if (request.combination.mode != Mode::reverse)
    return;
  const auto seed_of = [&](const Comparison &row) {
    const Values &seeds = request.result_seeds[row.place.lane];
    return seeds.size() == 1 ? seeds.front() : 1;
  };
  if (!all(rows, [&](const Comparison &row) { return row.expected != 0 && seed_of(row) != 0 && seed_of(row) != 1; }))
    return;
  if (all(rows, [&](const Comparison &row) { return near(row.ad * seed_of(row), row.expected, row); }))
    hints.push_back("the seed is not used: the derivative is right for a seed of one");
  if (all(rows, [&](const Comparison &row) { return near(row.ad, row.expected * seed_of(row), row); }))
    hints.push_back("the derivative is multiplied by the seed twice");
}

void hint_at_digits(const Rows &rows, std::vector<std::string> &hints) {
  double worst = 0;
  for (const Comparison &row : rows)
    worst = std::isnan(row.relative_error) ? 1 : std::max(worst, row.relative_error);
  if (worst > 0 && worst < 1e-4)
    hints.push_back(fmt::format("right to {:.0f} digits: single precision, or a finite difference, on the way",
                                std::floor(-std::log10(worst))));
}

void hint_at_nan(const Rows &rows, const DerivativeRequest &request, std::vector<std::string> &hints) {
  if (std::none_of(rows.begin(), rows.end(), [](const Comparison &row) { return std::isnan(row.ad); }))
    return;
  if (request.combination.form == Form::split)
    hints.push_back(
        "a NaN in the split form: the reverse sweep reads memory that its caller may have overwritten since "
        "the augmented primal returned, and which has to be kept");
  else
    hints.push_back("a NaN: zero times an infinite partial derivative, or memory that was never written or is freed");
}

// ---- position ----

// Expected value by element of one parameter and lane.
std::map<std::size_t, Comparison> by_element(const Rows &rows, const Place &like) {
  std::map<std::size_t, Comparison> found;
  for (const Comparison &row : rows)
    if (row.place.parameter == like.parameter && row.place.lane == like.lane)
      found.emplace(row.place.element, row);
  return found;
}

// Whether each element holds what another one, `source(element)`, should.
bool holds_value_of(const Rows &differing, const Rows &all_rows,
                    const std::function<std::optional<std::size_t>(std::size_t)> &source) {
  std::size_t telling = 0;
  for (const Comparison &row : differing) {
    const auto elements = by_element(all_rows, row.place);
    const std::optional<std::size_t> other = source(row.place.element);
    if (!other || !elements.contains(*other) || !near(row.ad, elements.at(*other).expected, row))
      return false;
    telling += row.ad != 0;
  }
  return telling > 1;
}

void hint_at_position(const Signature &signature, const Rows &rows, const Rows &all_rows,
                      std::vector<std::string> &hints) {
  const Place &first = rows.front().place;
  if (!all(rows, [&](const Comparison &row) { return row.place.parameter == first.parameter; }))
    return;
  const Parameter &parameter = parameter_at(signature, first);
  if (parameter.extents.size() == 2) {
    const std::size_t height = parameter.extents[0], width = parameter.extents[1];
    // The memory of the transpose, read with the parameter's own extents.
    if (holds_value_of(rows, all_rows, [&](std::size_t element) -> std::optional<std::size_t> {
          return (element % height) * width + element / height;
        }))
      hints.push_back(
          fmt::format("transposed: elements of {} hold the numbers of the transposed position", parameter.name));
  }
  // Real and imaginary parts in turn.
  const auto of_parameter =
      std::ranges::count_if(all_rows, [&](const Comparison &row) { return row.place.parameter == first.parameter; });
  const auto has_other_sign = [](const Comparison &row) {
    return row.place.element % 2 == 1 && row.expected != 0 && near(row.ad, -row.expected, row);
  };
  if (parameter.size() % 2 == 0 && of_parameter == 2 * std::ssize(rows) && all(rows, has_other_sign))
    hints.push_back(fmt::format("conjugate: the imaginary parts of {} have the other sign", parameter.name));
  const auto shift = [&](std::ptrdiff_t by) {
    return holds_value_of(rows, all_rows, [&](std::size_t element) -> std::optional<std::size_t> {
      const auto moved = static_cast<std::ptrdiff_t>(element) + by;
      return moved < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(moved));
    });
  };
  if (shift(1) || shift(-1))
    hints.push_back(fmt::format("off by one: elements of {} hold the numbers of their neighbours", parameter.name));
  const bool single = rows.size() == 1 && parameter.size() > 2;
  if (single && (first.element == 0 || first.element + 1 == parameter.size()))
    hints.push_back(fmt::format("only the {} element of {} is wrong: a loop bound or an index may be off by one",
                                first.element == 0 ? "first" : "last", parameter.name));
}

} // namespace

std::vector<std::string> hints_for(const Signature &signature, const Point &point, const DerivativeRequest &request,
                                   const Finding &finding) {
  std::vector<std::string> hints;
  const Rows rows = differing(finding.worst);
  if (finding.rough)
    hints.push_back("the function looks non-differentiable at this point");
  if (finding.verdict != Verdict::wrong_derivative || rows.empty())
    return hints;
  hint_at_nan(rows, request, hints);
  hint_at_shadow(rows, point, request, hints);
  hint_at_ratio(rows, hints);
  hint_at_seed(rows, request, hints);
  hint_at_digits(rows, hints);
  hint_at_position(signature, rows, finding.worst, hints);
  return hints;
}

} // namespace assay::testutils
