#include "testutils/spread.hpp"

#include "testutils/numbers.hpp"
#include "testutils/rounding_mode.hpp"

#include <assay/generators/stream.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace assay::testutils {

namespace {

constexpr unsigned moved_calls = 4;
/// The same, of numbers of 16 bits: between their neighbours a smooth derivative itself moves more than rounding does.
constexpr double margin_of_16_bits = 2;

/// Beside doubles, floats stay as they are: their neighbours are far away. So do halves beside floats.
bool may_move(ElementType type, ElementType finest) {
  return type != ElementType::integer && epsilon_of(type) <= epsilon_of(finest);
}

ElementType finest_element(const Signature &signature) {
  ElementType finest = coarsest_element(signature);
  const auto take = [&](ElementType type) {
    if (type != ElementType::integer && epsilon_of(type) < epsilon_of(finest))
      finest = type;
  };
  for (const Parameter &parameter : signature.parameters)
    for (std::size_t element = 0; element < parameter.size(); ++element)
      take(parameter.element_type(element));
  if (signature.result)
    take(signature.result->element);
  return finest;
}

double neighbour(ElementType type, double value, bool is_above) {
  if (value == 0 || !std::isfinite(value))
    return value;
  return next_number(type, value, is_above);
}

void move(Values &values, const Parameter &parameter, ElementType finest, gen::Stream &stream) {
  for (std::size_t element = 0; element < values.size(); ++element)
    if (may_move(parameter.element_type(element), finest))
      values[element] = neighbour(parameter.element_type(element), values[element], stream.integer(0, 1) == 1);
}

gen::Stream stream_of_moves(unsigned call) {
  return gen::Stream({.seed = 1, .suite = "spread", .name = "moves", .purpose = "move", .index = call});
}

DerivativeRequest moved(DerivativeRequest request, const Signature &signature, unsigned call) {
  gen::Stream stream = stream_of_moves(call);
  const ElementType finest = finest_element(signature);
  for (std::size_t index = 0; index < request.inputs.size(); ++index) {
    move(request.inputs[index], signature.parameters[index], finest, stream);
    for (Arguments &lane : request.shadows)
      move(lane[index], signature.parameters[index], finest, stream);
  }
  if (signature.result)
    for (Values &seeds : request.result_seeds)
      move(seeds, *signature.result, finest, stream);
  return request;
}

void widen_by(Values &spread, const Values &values, const Values &others) {
  spread.resize(values.size());
  for (std::size_t element = 0; element < std::min(values.size(), others.size()); ++element) {
    const double apart = same_bits(values[element], others[element]) ? 0 : std::abs(values[element] - others[element]);
    spread[element] = std::max(spread[element],
                               std::isnan(apart) ? std::numeric_limits<double>::infinity() : margin_of_spread * apart);
  }
}

} // namespace

Arguments moved_to_neighbours(Arguments inputs, const Signature &signature, unsigned call) {
  gen::Stream stream = stream_of_moves(call);
  const ElementType finest = finest_element(signature);
  for (std::size_t index = 0; index < inputs.size(); ++index)
    move(inputs[index], signature.parameters[index], finest, stream);
  return inputs;
}

void Spread::Distances::widen_by(const DerivativeOutcome &outcome, const DerivativeOutcome &other) {
  result_tangents.resize(outcome.result_tangents.size());
  for (std::size_t lane = 0; lane < std::min(result_tangents.size(), other.result_tangents.size()); ++lane)
    testutils::widen_by(result_tangents[lane], outcome.result_tangents[lane], other.result_tangents[lane]);
  shadows.resize(outcome.shadows.size());
  for (std::size_t lane = 0; lane < std::min(shadows.size(), other.shadows.size()); ++lane) {
    shadows[lane].resize(outcome.shadows[lane].size());
    for (std::size_t index = 0; index < shadows[lane].size(); ++index)
      testutils::widen_by(shadows[lane][index], outcome.shadows[lane][index], other.shadows[lane][index]);
  }
}

/// Beside doubles, floats do not move: the arithmetic may be theirs.
static double coarsest_rounding(const Signature &signature) {
  return epsilon_of(coarsest_element(signature));
}

/// A number's own last digits move in any case. What moves by a good part of itself may be what is left of numbers that
/// absorb others in one mode and not in another, as 1 + 1e-35 does: that is no grid.
static void limit(Values &in_modes, const Values &among_neighbours, const Values &values, double rounding) {
  constexpr double most_in_modes = 4096, good_part = 1e-3;
  for (std::size_t element = 0; element < in_modes.size(); ++element) {
    const bool may_be_grid =
        std::isfinite(rounding) && in_modes[element] <= margin_of_spread * good_part * std::abs(values[element]);
    const double most =
        most_in_modes * (among_neighbours[element] + margin_of_spread * rounding * std::abs(values[element]));
    in_modes[element] =
        std::max(among_neighbours[element], may_be_grid ? std::min(in_modes[element], most) : in_modes[element]);
  }
}

void Spread::join_up_to_multiple(const Distances &in_modes, const DerivativeOutcome &outcome, double rounding) {
  Distances limited = in_modes;
  for (std::size_t lane = 0; lane < limited.result_tangents.size(); ++lane)
    limit(limited.result_tangents[lane], distances.result_tangents[lane], outcome.result_tangents[lane], rounding);
  for (std::size_t lane = 0; lane < limited.shadows.size(); ++lane)
    for (std::size_t index = 0; index < limited.shadows[lane].size(); ++index)
      limit(limited.shadows[lane][index], distances.shadows[lane][index], outcome.shadows[lane][index], rounding);
  distances = std::move(limited);
}

Spread::Spread(Subject &subject, const DerivativeRequest &request, const DerivativeOutcome &outcome, Depth depth)
    : part_of_margin(is_of_16_bits(coarsest_element(subject.signature())) ? margin_of_16_bits / margin_of_spread : 1),
      here(outcome) {
  Distances in_modes;
  in_modes.widen_by(outcome, outcome);
  distances.widen_by(outcome, outcome);
  const auto try_call = [&](const DerivativeRequest &with, int mode, Distances &widened) {
    try {
      const RoundingMode rounding(mode);
      beside.push_back(subject.differentiate(with));
      widened.widen_by(outcome, beside.back());
    } catch (const SubjectError &) { // The function does not go there.
    }
  };
  for (const int mode : {FE_UPWARD, FE_DOWNWARD})
    try_call(request, mode, in_modes);
  const bool is_slow = depth == Depth::derivative;
  for (unsigned call = 0; call < (is_slow ? 1 : moved_calls); ++call)
    try_call(moved(request, subject.signature(), call), FE_TONEAREST, distances);
  if (!is_slow)
    try_call(request, FE_TOWARDZERO, in_modes);
  std::optional<DerivativeOutcome> otherwise;
  try {
    if (!is_slow)
      otherwise = subject.differentiate_with_other_rounding(request);
  } catch (const SubjectError &) { // As above.
  }
  // Code that is compiled here rounds to nearest wherever it rounds to a grid.
  constexpr double any = std::numeric_limits<double>::infinity();
  join_up_to_multiple(in_modes, outcome, is_slow || otherwise ? any : coarsest_rounding(subject.signature()));
  if (otherwise)
    distances.widen_by(outcome, *otherwise);
}

static double number_at(const std::vector<Values> &result_tangents, const std::vector<Arguments> &shadows,
                        const Place &place) {
  const Values *values = nullptr;
  if (!place.parameter)
    values = place.lane < result_tangents.size() ? &result_tangents[place.lane] : nullptr;
  else if (place.lane < shadows.size() && *place.parameter < shadows[place.lane].size())
    values = &shadows[place.lane][*place.parameter];
  return values && place.element < values->size() ? (*values)[place.element] : 0;
}

double Spread::at(const Place &place) const {
  return part_of_margin * number_at(distances.result_tangents, distances.shadows, place);
}

bool Spread::is_right_beside(const Comparison &row) const {
  constexpr double part = 1e-9;
  const double number = number_at(here.result_tangents, here.shadows, row.place);
  bool is_other = false;
  for (const DerivativeOutcome &outcome : beside) {
    const double other = number_at(outcome.result_tangents, outcome.shadows, row.place);
    const bool is_same = std::abs(other - number) <= part * std::abs(number);
    if (!is_same && !(std::abs(other - row.expected) <= row.tolerance))
      return false;
    is_other = is_other || !is_same;
  }
  return is_other;
}

double Spread::of_product() const {
  constexpr double largest_tangent = 9;
  double sum = 0;
  const auto take = [&](const Values &values) { sum = std::accumulate(values.begin(), values.end(), sum); };
  std::for_each(distances.result_tangents.begin(), distances.result_tangents.end(), take);
  for (const Arguments &lane : distances.shadows)
    std::for_each(lane.begin(), lane.end(), take);
  return part_of_margin * largest_tangent * sum;
}

} // namespace assay::testutils
