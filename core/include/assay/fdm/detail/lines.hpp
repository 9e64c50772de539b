// Restrictions of functions of vectors to lines.
//
// Along a coordinate the line is walked in that coordinate itself, so its points are exact. Along a direction v it is x
// + t v, with v scaled by a power of two to a largest entry near 1, so that the usual length scales fit t.
#pragma once

#include <assay/fdm/vector.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace assay::fdm {

namespace detail {

template <class T>
double largest_magnitude(std::span<const T> values) {
  double largest = 0;
  for (const T &value : values)
    largest = std::max(largest, static_cast<double>(magnitude(value)));
  return largest;
}

/// f along x + t v.
template <class T>
class Line {
public:
  Line(VectorFunction<T> function, std::span<const T> from, std::span<const T> along)
      : f(function), start(from), direction(along), point(from.size()) {}

  void operator()(T t, std::span<T> outputs) {
    for (std::size_t i = 0; i < point.size(); ++i)
      point[i] = start[i] + t * direction[i];
    f(point, outputs);
  }

private:
  VectorFunction<T> f;
  std::span<const T> start, direction;
  std::vector<T> point;
};

/// f with one variable free.
template <class T>
class CoordinateLine {
public:
  CoordinateLine(VectorFunction<T> function, std::span<const T> from, std::size_t coordinate)
      : f(function), variable(coordinate), point(from.begin(), from.end()) {}

  void operator()(T value, std::span<T> outputs) {
    point[variable] = value;
    f(point, outputs);
  }

private:
  VectorFunction<T> f;
  std::size_t variable;
  std::vector<T> point;
};

template <class T>
Place<T> place_on_axis(const T &x, const Domain &domain) {
  const auto at = static_cast<double>(x);
  return {x, std::fabs(at), {std::max(0.0, at - domain.lower), std::max(0.0, domain.upper - at)}};
}

template <class T>
Estimates<T> partial(const FiniteDifferenceMethod &method, VectorFunction<T> f, std::span<const T> x,
                     std::size_t variable, std::size_t outputs, std::span<const Domain> domains) {
  Estimates<T> estimates(outputs);
  CoordinateLine<T> line(f, x, variable);
  const Domain domain = domains.empty() ? Domain{} : domains[variable];
  differentiate_curve<T>(method, line, place_on_axis(x[variable], domain), estimates);
  return estimates;
}

} // namespace detail

template <class T>
Reach line_reach(std::span<const T> x, std::span<const T> direction, std::span<const Domain> domains) {
  // Rounding of x + t v must not step over the edge.
  const double inside = 1 - 8 * std::max(detail::epsilon_of<T>(), detail::epsilon_of<double>());
  Reach reach;
  for (std::size_t i = 0; i < domains.size(); ++i) {
    const auto slope = static_cast<double>(direction[i]);
    if (slope == 0)
      continue;
    const double down = std::max(0.0, static_cast<double>(x[i]) - domains[i].lower) / std::fabs(slope) * inside;
    const double up = std::max(0.0, domains[i].upper - static_cast<double>(x[i])) / std::fabs(slope) * inside;
    reach.above = std::min(reach.above, slope > 0 ? up : down);
    reach.below = std::min(reach.below, slope > 0 ? down : up);
  }
  return reach;
}

template <class T>
Estimates<T> jvp(const FiniteDifferenceMethod &method, std::type_identity_t<VectorFunction<T>> f, std::span<const T> x,
                 std::span<const T> direction, std::size_t outputs, std::span<const Domain> domains) {
  assert(direction.size() == x.size() && "a direction has one entry for each variable");
  Estimates<T> estimates(outputs);
  const double size = detail::largest_magnitude(direction);
  if (size == 0) {
    std::fill(estimates.begin(), estimates.end(), Estimate<T>{T(0), T(0), T(0), T(0), Trouble::none});
    return estimates;
  }
  const auto scale = static_cast<T>(std::exp2(std::ceil(std::log2(size))));
  std::vector<T> scaled(direction.begin(), direction.end());
  for (T &entry : scaled)
    entry /= scale;
  detail::Line<T> line(f, x, scaled);
  const detail::Place<T> place{T(0), detail::largest_magnitude(x), line_reach<T>(x, scaled, domains)};
  detail::differentiate_curve<T>(method, line, place, estimates);
  const T factor = detail::power(scale, method.derivative);
  for (Estimate<T> &estimate : estimates) {
    estimate.value *= factor;
    estimate.error *= factor;
    estimate.step /= scale;
    estimate.radius /= scale;
  }
  return estimates;
}

template <class T>
Estimate<T> directional(const FiniteDifferenceMethod &method, std::type_identity_t<ScalarFunction<T>> f,
                        std::span<const T> x, std::span<const T> direction, std::span<const Domain> domains) {
  const auto vector = [f](std::span<const T> point, std::span<T> outputs) { outputs[0] = f(point); };
  return jvp<T>(method, vector, x, direction, 1, domains).front();
}

template <class T>
Estimates<T> grad(const FiniteDifferenceMethod &method, std::type_identity_t<ScalarFunction<T>> f, std::span<const T> x,
                  std::span<const Domain> domains) {
  const auto vector = [f](std::span<const T> point, std::span<T> outputs) { outputs[0] = f(point); };
  return jacobian<T>(method, vector, x, 1, domains).elements;
}

template <class T>
Jacobian<T> jacobian(const FiniteDifferenceMethod &method, std::type_identity_t<VectorFunction<T>> f,
                     std::span<const T> x, std::size_t outputs, std::span<const Domain> domains) {
  Jacobian<T> result{outputs, x.size(), Estimates<T>(outputs * x.size())};
  for (std::size_t variable = 0; variable < x.size(); ++variable) {
    const auto column = detail::partial<T>(method, f, x, variable, outputs, domains);
    for (std::size_t output = 0; output < outputs; ++output)
      result.elements[output * x.size() + variable] = column[output];
  }
  return result;
}

template <class T>
Estimates<T> j_transpose_vp(const FiniteDifferenceMethod &method, std::type_identity_t<VectorFunction<T>> f,
                            std::span<const T> x, std::span<const T> cotangent, std::span<const Domain> domains) {
  const auto matrix = jacobian<T>(method, f, x, cotangent.size(), domains);
  Estimates<T> result(x.size(), Estimate<T>{T(0), T(0), T(0), T(0), Trouble::none});
  for (std::size_t variable = 0; variable < x.size(); ++variable) {
    Estimate<T> &sum = result[variable];
    for (std::size_t output = 0; output < cotangent.size(); ++output) {
      if (cotangent[output] == 0)
        continue;
      const Estimate<T> &element = matrix(output, variable);
      sum.value += cotangent[output] * element.value;
      sum.error += detail::magnitude(cotangent[output]) * element.error;
      sum.step = std::max(sum.step, element.step);
      sum.radius = std::max(sum.radius, element.radius);
      if (sum.trouble == Trouble::none)
        sum.trouble = element.trouble;
    }
  }
  return result;
}

} // namespace assay::fdm
