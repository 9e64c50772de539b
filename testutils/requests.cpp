#include "testutils/requests.hpp"

#include <assay/generators/stream.hpp>

#include <cmath>

namespace assay::testutils {

static Values random_values(const Parameter &parameter, gen::Stream &stream) {
  Values values(parameter.size());
  for (std::size_t element = 0; element < values.size(); ++element)
    values[element] = rounded_to(parameter.element_type(element), stream.tangent());
  return values;
}

// Active arguments have no shadow; in forward mode there are none.
static bool has_shadow(Activity activity) {
  return activity == Activity::duplicated || activity == Activity::duplicated_no_need;
}

DerivativeRequest random_request(const Signature &signature, const Combination &combination, const Arguments &inputs,
                                 const CaseName &name, const Values &output_tangent) {
  gen::Stream stream(
      {.seed = name.seed, .suite = name.suite, .name = name.name, .purpose = "tangent", .index = name.sample});
  DerivativeRequest request{combination, inputs, {}, {}, PrimalResult::wanted};
  for (unsigned lane = 0; lane < combination.width; ++lane) {
    Arguments shadows;
    // Numbers are drawn for every parameter, so that they are the same in every combination.
    for (std::size_t index = 0; index < signature.parameters.size(); ++index) {
      Values values = random_values(signature.parameters[index], stream);
      shadows.push_back(has_shadow(combination.arguments[index]) ? std::move(values) : Values{});
    }
    request.shadows.push_back(std::move(shadows));
    Values seeds;
    if (combination.mode == Mode::reverse && combination.result != Activity::constant && signature.result)
      seeds = output_tangent.empty() ? random_values(*signature.result, stream) : output_tangent;
    request.result_seeds.push_back(std::move(seeds));
  }
  return request;
}

DerivativeRequest without_incoming(DerivativeRequest request, const Point &point) {
  return with_incoming_scaled(std::move(request), point, 0);
}

DerivativeRequest with_incoming_scaled(DerivativeRequest request, const Point &point, double factor) {
  for (Arguments &lane : request.shadows)
    for (std::size_t index = 0; index < lane.size(); ++index)
      if (!point.written[index])
        for (double &value : lane[index])
          value = factor == 0 ? 0 : factor * value;
  return request;
}

DerivativeRequest scaled(DerivativeRequest request, const Point &point, double factor) {
  const bool forward = request.combination.mode == Mode::forward;
  for (Arguments &lane : request.shadows)
    for (std::size_t index = 0; index < lane.size(); ++index)
      if (forward || point.written[index])
        for (double &value : lane[index])
          value *= factor;
  for (Values &seeds : request.result_seeds)
    for (double &seed : seeds)
      seed *= factor;
  return request;
}

DerivativeRequest with_unit_seed(DerivativeRequest request) {
  for (Values &seeds : request.result_seeds)
    seeds.assign(seeds.size(), 1);
  return request;
}

static DerivativeRequest on_random_half(DerivativeRequest request, gen::Stream &stream) {
  constexpr int largest_exponent = 6;
  for (Values &values : request.shadows.front())
    for (double &value : values) {
      const auto exponent = static_cast<int>(stream.integer(-largest_exponent, largest_exponent));
      value = stream.integer(0, 1) == 0 ? 0 : std::ldexp(value, exponent);
    }
  return request;
}

static DerivativeRequest on_single_element(DerivativeRequest request, std::size_t parameter, std::size_t element) {
  Arguments &shadows = request.shadows.front();
  const double value = shadows[parameter][element];
  for (Values &values : shadows)
    values.assign(values.size(), 0);
  shadows[parameter][element] = value;
  return request;
}

std::vector<DerivativeRequest> partial_tangents(const DerivativeRequest &request, const CaseName &name) {
  constexpr std::size_t most_single = 4, halves = 2;
  gen::Stream stream(
      {.seed = name.seed, .suite = name.suite, .name = name.name, .purpose = "partial tangents", .index = name.sample});
  std::vector<DerivativeRequest> parts;
  for (std::size_t index = 0; index < request.shadows.front().size() && parts.size() < most_single; ++index)
    if (const auto size = static_cast<std::int64_t>(request.shadows.front()[index].size()); size != 0)
      parts.push_back(on_single_element(request, index, static_cast<std::size_t>(stream.integer(0, size - 1))));
  for (std::size_t count = 0; count < halves; ++count)
    parts.push_back(on_random_half(request, stream));
  return parts;
}

Combination in_plain_form(Combination combination, RuntimeActivity runtime_activity) {
  combination.width = 1;
  combination.form = Form::combined;
  combination.runtime_activity = runtime_activity;
  return combination;
}

std::optional<Combination> offered_counterpart(const Subject &subject, const Combination &combination,
                                               RuntimeActivity runtime_activity) {
  Combination same_form = combination;
  same_form.width = 1;
  for (const Combination &candidate :
       {in_plain_form(combination, runtime_activity), in_plain_form(combination, RuntimeActivity::off), same_form})
    if (subject.supports(candidate))
      return candidate;
  return std::nullopt;
}

DerivativeRequest single_lane(const DerivativeRequest &request, unsigned lane, const Combination &combination) {
  return {combination, request.inputs, {request.shadows[lane]}, {request.result_seeds[lane]}, request.primal};
}

Values output_weights(const Point &point, const DerivativeRequest &request, unsigned lane) {
  Values weights;
  for (const Place &place : point.outputs) {
    const Values &from = place.parameter ? request.shadows[lane][*place.parameter] : request.result_seeds[lane];
    weights.push_back(place.element < from.size() ? from[place.element] : 0);
  }
  return weights;
}

Values flat_tangents(const DerivativeOutcome &outcome, unsigned lane, const std::vector<Place> &outputs) {
  Values tangents;
  for (const Place &place : outputs)
    tangents.push_back(place.parameter ? outcome.shadows[lane][*place.parameter].empty()
                                             ? 0
                                             : outcome.shadows[lane][*place.parameter][place.element]
                       : lane < outcome.result_tangents.size() && place.element < outcome.result_tangents[lane].size()
                           ? outcome.result_tangents[lane][place.element]
                           : 0);
  return tangents;
}

} // namespace assay::testutils
