#include <assay/generators/matrices.hpp>
#include <assay/generators/reals.hpp>

#include "random_numbers.hpp"

#include <rapidcheck/gen/Tuple.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace assay::gen {

namespace {

template <class T>
Matrix<T> identity(std::size_t n) {
  Matrix<T> result{n, n, std::vector<T>(n * n)};
  for (std::size_t i = 0; i < n; ++i)
    result(i, i) = 1;
  return result;
}

/// rows of `matrix` from `first` on: M -= 2 v (v^T M) / (v^T v).
template <class T>
void reflect(Matrix<T> &matrix, std::size_t first, const std::vector<T> &v) {
  T square = 0;
  for (const T element : v)
    square += element * element;
  if (square == 0)
    return;
  for (std::size_t column = 0; column < matrix.columns; ++column) {
    T product = 0;
    for (std::size_t i = 0; i < v.size(); ++i)
      product += v[i] * matrix(first + i, column);
    const T factor = 2 * product / square;
    for (std::size_t i = 0; i < v.size(); ++i)
      matrix(first + i, column) -= factor * v[i];
  }
}

/// The r > 0 with r^power = value, by bisection: the standard library's pow is not the same everywhere.
template <class T>
T root(T value, std::size_t power) {
  T low = std::min<T>(value, 1), high = std::max<T>(value, 1);
  while (true) {
    const T middle = low + (high - low) / 2;
    if (middle <= low || middle >= high)
      return low;
    T product = 1;
    for (std::size_t i = 0; i < power; ++i)
      product *= middle;
    (product < value ? low : high) = middle;
  }
}

/// 1, r, r^2, ..., 1 / condition.
template <class T>
std::vector<T> spread(std::size_t count, T condition) {
  std::vector<T> values(count, T(1));
  if (count < 2)
    return values;
  const T ratio = root(1 / condition, count - 1);
  for (std::size_t i = 1; i < count; ++i)
    values[i] = values[i - 1] * ratio;
  values.back() = 1 / condition;
  return values;
}

template <class T>
void check_condition(T condition) {
  if (!(condition >= 1) || !std::isfinite(condition))
    throw std::invalid_argument("a condition number is finite and at least 1");
}

/// left diag(middle) right^T
template <class T>
Matrix<T> product(const Matrix<T> &left, const std::vector<T> &middle, const Matrix<T> &right) {
  Matrix<T> result{left.rows, right.rows, std::vector<T>(left.rows * right.rows)};
  for (std::size_t i = 0; i < left.rows; ++i)
    for (std::size_t j = 0; j < right.rows; ++j)
      for (std::size_t k = 0; k < middle.size(); ++k)
        result(i, j) += left(i, k) * middle[k] * right(j, k);
  return result;
}

template <class T>
rc::Gen<std::vector<T>> reflection_numbers(std::size_t n) {
  return vector(normal<T>(), detail::numbers_of_reflections(n));
}

} // namespace

template <std::floating_point T>
Matrix<T> detail::reflections(std::size_t n, const std::vector<T> &normals) {
  Matrix<T> result = identity<T>(n);
  auto next = normals.end();
  for (std::size_t length = 1; length <= n; ++length) { // The shortest first: each acts on the rows below.
    next -= static_cast<std::ptrdiff_t>(length);
    std::vector<T> v(next, next + static_cast<std::ptrdiff_t>(length));
    T square = 0;
    for (const T element : v)
      square += element * element;
    const bool negative = v[0] < 0;
    v[0] += negative ? -std::sqrt(square) : std::sqrt(square);
    reflect(result, n - length, v);
    if (square != 0 && !negative) // So that x goes to +|x| e1 or -|x| e1 equally often.
      for (std::size_t column = 0; column < n; ++column)
        result(n - length, column) = -result(n - length, column);
  }
  return result;
}

template <std::floating_point T>
rc::Gen<T> detail::pivot() {
  return [](rc::Random random, int) {
    const bool negative = coin(random);
    const T size = std::ldexp(static_cast<T>(1 + uniform(random)), coin(random) ? 0 : -1);
    constexpr T half = T(1) / 2;
    return negative ? shrinkable_real<T>(-size, -2, -half) : shrinkable_real<T>(size, half, 2);
  };
}

template <std::floating_point T>
rc::Gen<Matrix<T>> orthogonal(std::size_t n) {
  return rc::gen::map(reflection_numbers<T>(n),
                      [n](const std::vector<T> &normals) { return detail::reflections(n, normals); });
}

template <std::floating_point T>
rc::Gen<Matrix<T>> positive_definite(std::size_t n, std::type_identity_t<T> condition) {
  check_condition(condition);
  return rc::gen::map(reflection_numbers<T>(n), [=](const std::vector<T> &normals) {
    const Matrix<T> q = detail::reflections(n, normals);
    Matrix<T> result = product(q, spread(n, condition), q);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < i; ++j)
        result(i, j) = result(j, i);
    return result;
  });
}

template <std::floating_point T>
rc::Gen<Matrix<T>> with_condition(std::size_t rows, std::size_t columns, std::type_identity_t<T> condition) {
  check_condition(condition);
  return rc::gen::map(
      rc::gen::tuple(reflection_numbers<T>(rows), reflection_numbers<T>(columns)), [=](const auto &normals) {
        return product(detail::reflections(rows, std::get<0>(normals)), spread(std::min(rows, columns), condition),
                       detail::reflections(columns, std::get<1>(normals)));
      });
}

template <std::floating_point T>
rc::Gen<Matrix<T>> permutation(std::size_t n) {
  // Element i says with which of the places from i on row i changes: 0 is itself, so zeros are the identity.
  std::vector<rc::Gen<std::int64_t>> exchanges;
  for (std::size_t i = 0; i < n; ++i)
    exchanges.push_back(detail::integer64(0, static_cast<std::int64_t>(n - 1 - i)));
  const auto choices = [exchanges](rc::Random random, int size) {
    std::vector<std::int64_t> chosen;
    for (const auto &exchange : exchanges)
      chosen.push_back(exchange(random.split(), size).value());
    return rc::shrinkable::shrinkRecur(chosen, [](const std::vector<std::int64_t> &current) {
      std::vector<std::vector<std::int64_t>> simpler;
      for (std::size_t i = 0; i < current.size(); ++i)
        if (current[i] != 0) {
          simpler.push_back(current);
          simpler.back()[i] = 0;
        }
      return rc::seq::fromContainer(std::move(simpler));
    });
  };
  return rc::gen::map(rc::Gen<std::vector<std::int64_t>>(choices), [n](const std::vector<std::int64_t> &chosen) {
    Matrix<T> result = identity<T>(n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t column = 0; column < n; ++column)
        std::swap(result(i, column), result(i + static_cast<std::size_t>(chosen[i]), column));
    return result;
  });
}

#define ASSAY_GENERATORS_INSTANTIATE(T)                                                                                \
  template rc::Gen<T> detail::pivot<T>();                                                                              \
  template Matrix<T> detail::reflections<T>(std::size_t, const std::vector<T> &);                                      \
  template rc::Gen<Matrix<T>> orthogonal<T>(std::size_t);                                                              \
  template rc::Gen<Matrix<T>> positive_definite<T>(std::size_t, T);                                                    \
  template rc::Gen<Matrix<T>> with_condition<T>(std::size_t, std::size_t, T);                                          \
  template rc::Gen<Matrix<T>> permutation<T>(std::size_t);
ASSAY_GENERATORS_INSTANTIATE(float)
ASSAY_GENERATORS_INSTANTIATE(double)
ASSAY_GENERATORS_INSTANTIATE(long double)
#undef ASSAY_GENERATORS_INSTANTIATE

} // namespace assay::gen
