// Finite differences of functions of C++ values: structs, containers, complex numbers, matrices, several at once.
//
//     auto g = grad(central_fdm(5, 1), loss, network);        // g.value and g.error have the shape of network
//     auto [gx, gy] = grad(central_fdm(5, 1), f, x, y).value; // a tuple for several arguments
//     auto J = jacobian(central_fdm(5, 1), f, x);             // J(row, column): numbers of f(x) by numbers of x
//     auto dy = jvp(central_fdm(5, 1), f, std::pair{x, dx});  // of the shape of f(x)
//     auto dx = j_prime_vp(central_fdm(5, 1), f, dy, x);      // of the shape of x
//
// Values become vectors by to_vec and are rebuilt for every call, so memory that they share is one variable, and
// integers and constant members stay. A complex number is two real ones: the gradient by z is df/dRe z + i df/dIm z.
#pragma once

#include <assay/fdm/vector.hpp>
#include <assay/to_vec.hpp>

#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

namespace assay::fdm {

/// An answer in the shape of a value, as Estimate is for a number.
template <class Value>
struct Approximation {
  Value value;
  Value error; ///< Of each number of `value`.
  Trouble trouble = Trouble::none;

  bool reliable() const { return trouble == Trouble::none; }
};

namespace detail {

template <class... X>
using NumbersOf = number_type<std::tuple<std::remove_cvref_t<X>...>>;

/// A function of several values as one of a vector, and the point where it is looked at.
template <class F, class... X>
class FlatFunction {
public:
  using T = NumbersOf<X...>;
  static_assert(Real<T>, "assay: the arguments have no numbers that finite differences can be taken of");

  FlatFunction(F &of, const X &...arguments)
      : function(of), start(numbers_of(std::tie(arguments...))), values(duplicate(std::tuple<X...>(arguments...))) {}

  /// The function's result at a point.
  decltype(auto) at(std::span<const T> point) {
    set_numbers(assay::detail::value_of(values), point);
    return std::apply(function, std::as_const(assay::detail::value_of(values)));
  }
  decltype(auto) at_start() { return at(start); }
  std::span<const T> point() const { return start; }

  /// As a vector function with `outputs` numbers.
  auto as_vector_function() {
    return [this](std::span<const T> x, std::span<T> y) {
      const auto numbers = numbers_of(at(x));
      if (numbers.size() != y.size())
        throw std::invalid_argument("assay: a function gave results of different sizes near one point");
      for (std::size_t i = 0; i < y.size(); ++i)
        y[i] = static_cast<T>(numbers[i]);
    };
  }

private:
  F &function;
  std::vector<T> start;
  decltype(duplicate(std::declval<const std::tuple<X...> &>())) values;
};

template <class T>
Trouble worst_trouble(const Estimates<T> &estimates) {
  for (const Estimate<T> &estimate : estimates)
    if (!estimate.reliable())
      return estimate.trouble;
  return Trouble::none;
}

/// Estimates in the shape of a value.
template <class T, class Like>
auto shaped(const Estimates<T> &estimates, const Like &like) {
  std::vector<T> values, errors;
  for (const Estimate<T> &estimate : estimates) {
    values.push_back(estimate.value);
    errors.push_back(estimate.error);
  }
  auto value = from_vec(values, like);
  return Approximation<decltype(value)>{value, from_vec(errors, like), worst_trouble(estimates)};
}

/// One argument's shape is its own, several are a tuple.
template <class T, class... X>
auto shaped_like_arguments(const Estimates<T> &estimates, const X &...x) {
  if constexpr (sizeof...(X) == 1)
    return shaped(estimates, x...);
  else
    return shaped(estimates, std::tuple<X...>(x...));
}

template <class T>
Jacobian<T> columns_of(const Jacobian<T> &whole, std::size_t first, std::size_t count) {
  Jacobian<T> part{whole.rows, count, {}};
  for (std::size_t row = 0; row < whole.rows; ++row)
    for (std::size_t column = first; column < first + count; ++column)
      part.elements.push_back(whole(row, column));
  return part;
}

} // namespace detail

/// The gradient of a function with a real result.
template <class F, class... X>
  requires(std::invocable<F &, const X &...> && sizeof...(X) > 0)
auto grad(const FiniteDifferenceMethod &method, F &&f, const X &...x) {
  using Flat = detail::FlatFunction<std::remove_reference_t<F>, X...>;
  using T = typename Flat::T;
  static_assert(Real<std::remove_cvref_t<std::invoke_result_t<F &, const X &...>>>,
                "assay: grad is for functions with a real result; there are jacobian, jvp and j_prime_vp");
  Flat flat(f, x...);
  const auto scalar = [&](std::span<const T> point) { return static_cast<T>(flat.at(point)); };
  return detail::shaped_like_arguments(grad<T>(method, scalar, flat.point()), x...);
}

/// Numbers of the result by numbers of the argument; a tuple of such matrices for several arguments.
template <class F, class... X>
  requires(std::invocable<F &, const X &...> && sizeof...(X) > 0)
auto jacobian(const FiniteDifferenceMethod &method, F &&f, const X &...x) {
  using Flat = detail::FlatFunction<std::remove_reference_t<F>, X...>;
  using T = typename Flat::T;
  Flat flat(f, x...);
  const auto vector = flat.as_vector_function();
  const Jacobian<T> whole = jacobian<T>(method, vector, flat.point(), count_numbers(flat.at_start()));
  if constexpr (sizeof...(X) == 1) {
    return whole;
  } else {
    std::size_t next = 0; // Numbers that an argument shares with one before it are counted there.
    const auto part = [&](std::size_t up_to) {
      const std::size_t first = std::exchange(next, up_to);
      return detail::columns_of(whole, first, up_to - first);
    };
    const auto all = std::tie(x...);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      const auto numbers_up_to = [&]<std::size_t... J>(std::index_sequence<J...>) {
        return count_numbers(std::tie(std::get<J>(all)...));
      };
      return std::tuple{part(numbers_up_to(std::make_index_sequence<I + 1>()))...};
    }(std::index_sequence_for<X...>());
  }
}

/// The derivative along a direction: each argument with its tangent, as pairs.
template <class F, class... X, class... D>
  requires(std::invocable<F &, const X &...> && sizeof...(X) > 0)
auto jvp(const FiniteDifferenceMethod &method, F &&f, const std::pair<X, D> &...along) {
  using Flat = detail::FlatFunction<std::remove_reference_t<F>, X...>;
  using T = typename Flat::T;
  Flat flat(f, along.first...);
  const auto tangent = numbers_of(std::tie(along.second...));
  if (tangent.size() != flat.point().size())
    throw std::invalid_argument("assay: a tangent has not the shape of its argument");
  const std::vector<T> direction(tangent.begin(), tangent.end());
  auto result = flat.at_start();
  const auto vector = flat.as_vector_function();
  return detail::shaped(jvp<T>(method, vector, flat.point(), std::span<const T>(direction), count_numbers(result)),
                        result);
}

/// The gradient of <cotangent, f(x)>, where the cotangent has the shape of f(x).
template <class F, class Y, class... X>
  requires(std::invocable<F &, const X &...> && sizeof...(X) > 0)
auto j_prime_vp(const FiniteDifferenceMethod &method, F &&f, const Y &cotangent, const X &...x) {
  using Flat = detail::FlatFunction<std::remove_reference_t<F>, X...>;
  using T = typename Flat::T;
  Flat flat(f, x...);
  const auto seed = numbers_of(cotangent);
  if (seed.size() != count_numbers(flat.at_start()))
    throw std::invalid_argument("assay: a cotangent has not the shape of the function's result");
  const std::vector<T> weights(seed.begin(), seed.end());
  const auto vector = flat.as_vector_function();
  return detail::shaped_like_arguments(j_transpose_vp<T>(method, vector, flat.point(), std::span<const T>(weights)),
                                       x...);
}

} // namespace assay::fdm
