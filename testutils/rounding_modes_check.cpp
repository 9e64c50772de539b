#include "testutils/rounding_modes_check.hpp"

#include "testutils/numbers.hpp"
#include "testutils/outcome_pairs.hpp"
#include "testutils/rounding_mode.hpp"
#include "testutils/spread.hpp"

#include <array>
#include <cfenv>
#include <cmath>

#include <fmt/format.h>

namespace assay::testutils {

namespace {

/// Of the number, and of the largest one: far more than rounding makes of a derivative that is well conditioned.
constexpr double clear_part = 1e-3;
/// What a mode, or a neighbouring number, may move where it is.
constexpr double little = 1e-6;

struct NamedMode {
  int mode;
  const char *name;
};
constexpr std::array<NamedMode, 3> modes{
    {{FE_UPWARD, "upward"}, {FE_DOWNWARD, "downward"}, {FE_TOWARDZERO, "toward zero"}}};

bool are_close(const Values &values, const Values &others) {
  bool close = values.size() == others.size();
  for (std::size_t element = 0; close && element < values.size(); ++element)
    close = same_bits(values[element], others[element]) ||
            std::abs(values[element] - others[element]) <= little * std::abs(values[element]);
  return close;
}

bool function_stays(Stage &stage, int mode) {
  const RoundingMode rounding(mode);
  const PrimalOutcome seen = stage.subject.evaluate(stage.point.inputs);
  const Point &point = stage.point;
  return are_close(flat_outputs(point.primal, point.outputs), flat_outputs(seen, point.outputs));
}

DerivativeOutcome in_mode(Subject &subject, const DerivativeRequest &request, int mode) {
  const RoundingMode rounding(mode);
  return subject.differentiate(request);
}

double largest_in(const Values &values) {
  double largest = 0;
  for (const double value : values)
    largest = std::isfinite(value) ? std::max(largest, std::abs(value)) : largest;
  return largest;
}

/// The rounding error left where all of a derivative cancels, as that of an iteration that has converged: of the size
/// of the function over that of its inputs.
double rounding_left(const Stage &stage) {
  const Point &point = stage.point;
  const Signature &signature = stage.subject.signature();
  double inputs = 0;
  for (std::size_t index = 0; index < point.inputs.size(); ++index)
    if (signature.parameters[index].differentiable())
      inputs = std::max(inputs, largest_in(point.inputs[index]));
  const double outputs = largest_in(flat_outputs(point.primal, point.outputs));
  return rounding_of_sum(coarsest_element(signature)) * outputs / (inputs == 0 ? 1 : inputs);
}

/// Numbers that this mode moves, and not their neighbours.
std::vector<Comparison> moved_rows(Stage &stage, const DerivativeRequest &request, const DerivativeOutcome &outcome,
                                   const DerivativeOutcome &seen) {
  const double largest = largest_of(outcome), left = rounding_left(stage);
  std::vector<Comparison> rows;
  for_each_pair(seen, outcome, [&](const Place &place, double number, double usual) {
    const double size = std::max(std::abs(usual), std::isfinite(number) ? std::abs(number) : 0);
    const double tolerance = std::max(clear_part * std::max(size, largest), left);
    if (std::isfinite(usual) && !(std::abs(number - usual) <= tolerance))
      rows.push_back(row_of(stage.subject.signature(), place, number, usual, tolerance));
  });
  if (rows.empty())
    return rows;
  constexpr unsigned moves = 2;
  for (unsigned move = 0; move < moves; ++move) {
    DerivativeRequest beside = request;
    beside.inputs = moved_to_neighbours(request.inputs, stage.subject.signature(), move);
    const DerivativeOutcome there = stage.subject.differentiate(beside);
    double apart = 0;
    for_each_pair(there, outcome, [&](const Place &, double number, double usual) {
      apart = std::max(apart, std::abs(number - usual));
    });
    if (!(apart <= little * largest))
      return {};
  }
  return rows;
}

} // namespace

Finding check_rounding_modes(Stage &stage, const DerivativeRequest &request, const DerivativeOutcome &outcome) {
  Finding finding{Verdict::pass, "other rounding modes", {}, {}, 0};
  const Signature &signature = stage.subject.signature();
  if (stage.name.sample != 0 || stage.subject.is_on_device() || !is_plainest(signature, request.combination) ||
      stage.subject.rules(request.combination).empty())
    return finding;
  for (const NamedMode &other : modes)
    try {
      if (!function_stays(stage, other.mode))
        continue;
      const DerivativeOutcome seen = in_mode(stage.subject, request, other.mode);
      std::vector<Comparison> rows = moved_rows(stage, request, outcome, seen);
      if (rows.empty())
        continue;
      finding.verdict = Verdict::wrong_derivative;
      finding.detail =
          fmt::format("in the rounding mode {} the derivative is another one than to nearest, by more than "
                      "rounding, where the function is the same",
                      other.name);
      finding.worst = std::move(rows);
      return finding;
    } catch (const SubjectError &) { // The function does not go there.
    }
  return finding;
}

} // namespace assay::testutils
