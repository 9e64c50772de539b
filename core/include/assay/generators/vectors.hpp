// Vectors of a known kind: sorted, of length 1, with the sum 1, and matrices whose rows are such.
//
// Made by correctly rounded operations, so the same stream gives the same bits on every machine. They shrink as vectors
// of their kind.
#pragma once

#include <assay/generators/matrices.hpp>
#include <assay/generators/reals.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace assay::gen {

namespace detail {
template <class T>
std::vector<T> divided(std::vector<T> values, T divisor) {
  for (T &value : values)
    value /= divisor;
  return values;
}

template <class T>
std::vector<T> over_sum(const std::vector<T> &values) {
  T sum = 0;
  for (const T value : values)
    sum += value;
  return divided(values, sum);
}

/// The first unit vector where there is no direction.
template <class T>
std::vector<T> over_length(std::vector<T> values) {
  T square = 0;
  for (const T value : values)
    square += value * value;
  if (square == 0 && !values.empty())
    values.front() = square = 1;
  return divided(values, std::sqrt(square));
}
} // namespace detail

/// n positive numbers with the sum 1 to rounding; the smallest is at least a 256 n-th.
template <std::floating_point T = double>
rc::Gen<std::vector<T>> simplex(std::size_t n) {
  return rc::gen::map(vector(positive<T>(), n), [](const std::vector<T> &values) { return detail::over_sum(values); });
}

/// rows x columns, each row a simplex: the transition probabilities of a Markov chain.
template <std::floating_point T = double>
rc::Gen<Matrix<T>> stochastic(std::size_t rows, std::size_t columns) {
  return rc::gen::map(vector(simplex<T>(columns), rows), [=](const std::vector<std::vector<T>> &all) {
    Matrix<T> result{rows, columns, {}};
    for (const std::vector<T> &row : all)
      result.values.insert(result.values.end(), row.begin(), row.end());
    return result;
  });
}

/// n numbers of length 1 in the Euclidean norm to rounding, every direction equally likely.
template <std::floating_point T = double>
rc::Gen<std::vector<T>> unit_vector(std::size_t n) {
  return rc::gen::map(vector(normal<T>(), n), [](const std::vector<T> &values) { return detail::over_length(values); });
}

/// `count` elements in ascending order.
template <class T>
rc::Gen<std::vector<T>> sorted(const rc::Gen<T> &element, std::size_t count) {
  return rc::gen::map(vector(element, count), [](std::vector<T> values) {
    std::sort(values.begin(), values.end());
    return values;
  });
}

/// Multiples of `step` in [lower, upper], each equally likely. Throws std::invalid_argument where there is none.
template <std::floating_point T = double>
rc::Gen<T> quantised(std::type_identity_t<T> step, std::type_identity_t<T> lower, std::type_identity_t<T> upper) {
  const T first = std::ceil(lower / step), last = std::floor(upper / step);
  if (!(step > 0) || !(first <= last))
    throw std::invalid_argument("quantised: no multiple of the step lies between the bounds");
  return rc::gen::map(integer<std::int64_t>(static_cast<std::int64_t>(first), static_cast<std::int64_t>(last)),
                      [step](std::int64_t multiple) { return static_cast<T>(multiple) * step; });
}

} // namespace assay::gen
