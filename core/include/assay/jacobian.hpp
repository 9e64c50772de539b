#pragma once
// Jacobians: element (i, j) is the derivative of number i of the result along number j of the argument.
//
//   jacobian<Forward>(f, x)                            a forward run for each number of x
//   jacobian<Forward, Chunk<4>>(f, x)                  four numbers of x in a run
//   jacobian<Reverse>(f, x)                            a reverse run for each number of the result
//   jacobian<Reverse, Outputs<2>, Chunk<2>>(f, x)      both in one run; the result must have two numbers
//   jacobian<Forward>(f, y, x...)                      of void f(y, x...), which writes y
//
// Numbers are counted as the traversal of <assay/to_vec.hpp> counts them; a complex number is two.

#include "assay/gradient.hpp"
#include "assay/matrix.hpp"
#include "assay/to_vec.hpp"

#include <stdexcept>
#include <string>

namespace assay::detail {

template <class A, class B>
using ChunkOf = std::conditional_t<is_chunk<A>, A, std::conditional_t<is_chunk<B>, B, Chunk<1>>>;
template <class A, class B>
using OutputsOf = std::conditional_t<is_outputs<A>, A, std::conditional_t<is_outputs<B>, B, None>>;

template <class O>
void require_outputs(std::size_t numbers) {
  if constexpr (is_outputs<O>)
    if (numbers != O::count)
      throw std::invalid_argument("assay: the result has " + std::to_string(numbers) +
                                  " numbers, but jacobian was "
                                  "told Outputs<" +
                                  std::to_string(O::count) + ">");
}

/// The numbers of a result. Throws where they are not as many as Outputs<N> says.
template <class O, class R>
std::size_t count_outputs(const R &result) {
  const std::size_t numbers = count_numbers(result);
  require_outputs<O>(numbers);
  return numbers;
}

/// The readable error for a result whose size the compiler knows.
template <class O, class R>
consteval bool fits_outputs() {
  if constexpr (is_outputs<O> && is_std_array<R>) {
    if constexpr (std::floating_point<typename R::value_type>)
      static_assert(std::tuple_size_v<R> == O::count,
                    "assay: Outputs<N> names another number than the elements of the std::array that the function "
                    "returns");
  } else if constexpr (is_outputs<O> && std::floating_point<R>) {
    static_assert(O::count == 1, "assay: a function that returns one number has Outputs<1>");
  }
  return true;
}

template <class R, class X>
using JacobianNumber = typename JoinNumbers<number_of<R>, number_of<X>>::type;

template <class Number, class Derivative>
void set_column(Matrix<Number> &matrix, std::size_t column, const Derivative &derivative) {
  const auto numbers = numbers_of(derivative);
  for (std::size_t row = 0; row != numbers.size(); ++row)
    matrix(row, column) = static_cast<Number>(numbers[row]);
}
template <class Number, class Adjoint>
void set_row(Matrix<Number> &matrix, std::size_t row, const Adjoint &adjoint) {
  const auto numbers = numbers_of(adjoint);
  for (std::size_t column = 0; column != numbers.size(); ++column)
    matrix(row, column) = static_cast<Number>(numbers[column]);
}

// ---- Functions that return their result ----

template <class M, class C, class O, std::size_t Varied, class F, class... X>
[[gnu::always_inline]] inline auto forward_jacobian(F &function, X &...x) {
  auto &varied = std::get<Varied>(std::tie(x...));
  using R = std::remove_cvref_t<std::invoke_result_t<F &, X &...>>;
  Matrix<JacobianNumber<R, std::remove_cvref_t<decltype(varied)>>> matrix;
  const std::size_t columns = count_numbers(varied);
  if (columns == 0)
    return decltype(matrix)(count_outputs<O>(function(x...)), 0); // no run tells how many rows there are
  for_each_partial<M, C::lanes, Varied>(
      function,
      [&](std::size_t column, const auto &derivative) {
        if (column == 0) {
          matrix = decltype(matrix)(count_outputs<O>(derivative), columns);
        }
        set_column(matrix, column, derivative);
      },
      std::index_sequence_for<X...>(), x...);
  return matrix;
}

/// The seed of a result, as a call takes it.
template <class R, unsigned N>
auto seeds_of_lanes(OwnShadows<R, N> &seeds) {
  return [&]<std::size_t... L>(std::index_sequence<L...>) {
    if constexpr (N == 1)
      return clone(std::as_const(seeds.get(0)));
    else
      return std::array<R, N>{clone(std::as_const(seeds.get(L)))...};
  }(std::make_index_sequence<N>());
}

template <class M, class C, class O, std::size_t Varied, class F, class... X, std::size_t... I>
[[gnu::always_inline]] inline auto reverse_jacobian(F &function, std::index_sequence<I...> /*arguments*/, X &...x) {
  constexpr unsigned lanes = C::lanes;
  auto &varied = std::get<Varied>(std::tie(x...));
  using T = std::remove_cvref_t<decltype(varied)>;
  using R = std::remove_cvref_t<std::invoke_result_t<F &, X &...>>;
  const R shape = function(x...);
  OwnShadows<R, lanes> seeds(shape);
  OwnShadows<T, lanes> shadows(varied);
  const std::size_t rows = count_outputs<O>(shape);
  Matrix<JacobianNumber<R, T>> matrix(rows, count_numbers(varied));
  for (Directions<R, lanes> directions(seeds); directions.next();) {
    differentiate_values_seeded<M>(function, seeds_of_lanes(seeds), annotate_varied<I, Varied>(shadows, x)...);
    for (unsigned lane = 0; lane != directions.lanes(); ++lane)
      set_row(matrix, directions.first() + lane, shadows.get(lane));
    shadows.clear();
  }
  return matrix;
}

// ---- Functions that write their result ----

/// Puts the numbers of the output back before each run: the function may read them.
template <class Y>
class OutputReset {
public:
  explicit OutputReset(Y &y) : output(y), numbers(numbers_of(y)) {}
  void operator()() const { set_numbers(output, numbers); }

private:
  Y &output;
  std::vector<number_type<Y>> numbers;
};

template <class M, class C, class O, std::size_t Varied, class F, class Y, class... X, std::size_t... I>
[[gnu::always_inline]] inline auto forward_jacobian_in_place(F &function, const OutputReset<Y> &reset,
                                                             std::index_sequence<I...> /*arguments*/, Y &y, X &...x) {
  constexpr unsigned lanes = C::lanes;
  auto &varied = std::get<Varied>(std::tie(x...));
  using T = std::remove_cvref_t<decltype(varied)>;
  OwnShadows<Y, lanes> results(y);
  OwnShadows<T, lanes> tangents(varied);
  Matrix<JacobianNumber<Y, T>> matrix(count_numbers(y), count_numbers(varied));
  for (Directions<T, lanes> directions(tangents); directions.next();) {
    reset();
    results.clear();
    differentiate_values<M, ReturnActivity::constant>(function, results.annotate(y),
                                                      annotate_varied<I, Varied>(tangents, x)...);
    for (unsigned lane = 0; lane != directions.lanes(); ++lane)
      set_column(matrix, directions.first() + lane, results.get(lane));
  }
  return matrix;
}

template <class M, class C, class O, std::size_t Varied, class F, class Y, class... X, std::size_t... I>
[[gnu::always_inline]] inline auto reverse_jacobian_in_place(F &function, const OutputReset<Y> &reset,
                                                             std::index_sequence<I...> /*arguments*/, Y &y, X &...x) {
  constexpr unsigned lanes = C::lanes;
  auto &varied = std::get<Varied>(std::tie(x...));
  using T = std::remove_cvref_t<decltype(varied)>;
  OwnShadows<Y, lanes> seeds(y);
  OwnShadows<T, lanes> shadows(varied);
  Matrix<JacobianNumber<Y, T>> matrix(count_numbers(y), count_numbers(varied));
  for (Directions<Y, lanes> directions(seeds); directions.next();) {
    reset();
    differentiate_values<M, ReturnActivity::constant>(function, seeds.annotate(y),
                                                      annotate_varied<I, Varied>(shadows, x)...);
    for (unsigned lane = 0; lane != directions.lanes(); ++lane)
      set_row(matrix, directions.first() + lane, shadows.get(lane));
    shadows.clear();
    seeds.clear(); // Numbers that the function does not overwrite keep their adjoints.
  }
  return matrix;
}

template <class M, class C, class O, class F, class Y, class... X, std::size_t... I>
[[gnu::always_inline]] inline auto jacobians_in_place(F &function, std::index_sequence<I...> positions, Y &y, X &...x) {
  const OutputReset<Y> reset(y);
  count_outputs<O>(y);
  if ((is_forward<M> ? (count_numbers(x) + ... + 0) : count_numbers(y)) == 0)
    function(y, x...); // there will be no run, and the output is as the function leaves it
  if constexpr (is_forward<M>)
    return single_or_tuple(
        std::make_tuple(forward_jacobian_in_place<M, C, O, I>(function, reset, positions, y, x...)...));
  else
    return single_or_tuple(
        std::make_tuple(reverse_jacobian_in_place<M, C, O, I>(function, reset, positions, y, x...)...));
}

template <class M, class C, class O, class F, class... X, std::size_t... I>
[[gnu::always_inline]] inline auto jacobians(F &function, std::index_sequence<I...> positions, X &...x) {
  if constexpr (is_forward<M>)
    return single_or_tuple(std::make_tuple(forward_jacobian<M, C, O, I>(function, x...)...));
  else
    return single_or_tuple(std::make_tuple(reverse_jacobian<M, C, O, I>(function, positions, x...)...));
}

} // namespace assay::detail

namespace assay {

/// The Jacobian at `x` as a Matrix; of several arguments a tuple of them. A function that returns nothing writes its
/// result to its first argument, which is left as the function leaves it.
///
/// A and B are Chunk<N>, lanes of a run, and Outputs<N>, how many numbers the result has. Throws std::invalid_argument
/// where it has another number.
template <auto M, class A = None, class B = None, class F, class... X>
  requires(DifferentiationMode<decltype(M)>)
[[gnu::always_inline]] inline auto jacobian(F &&function, X &&...x) {
  using ModeType = std::remove_cv_t<decltype(M)>;
  using C = detail::ChunkOf<A, B>;
  using O = detail::OutputsOf<A, B>;
  static_assert(!detail::is_split<ModeType> && !detail::keeps_primal<ModeType>,
                "assay: the modes of jacobian are Forward and Reverse");
  static_assert((detail::is_chunk<A> || detail::is_outputs<A> || std::same_as<A, None>) &&
                    (detail::is_chunk<B> || detail::is_outputs<B> || std::same_as<B, None>),
                "assay: the parameters of jacobian are a mode, Chunk<N> and Outputs<N>");
  static_assert(!(detail::is_chunk<A> && detail::is_chunk<B>) && !(detail::is_outputs<A> && detail::is_outputs<B>),
                "assay: jacobian takes one Chunk<N> and one Outputs<N>");
  static_assert(std::invocable<F &, X &...>, "assay: the function of jacobian cannot be called with these arguments");
  if constexpr (std::invocable<F &, X &...> && (detail::shows_its_numbers<X>() && ...)) {
    using R = std::remove_cvref_t<std::invoke_result_t<F &, X &...>>;
    if constexpr (std::is_void_v<R>) {
      static_assert(sizeof...(X) >= 2, "assay: a function that returns nothing is given to jacobian with the output "
                                       "that it writes and its arguments: jacobian<Forward>(f, y, x)");
      if constexpr (sizeof...(X) >= 2)
        return detail::jacobians_in_place<ModeType, C, O>(function, std::make_index_sequence<sizeof...(X) - 1>(), x...);
    } else {
      static_assert(detail::HasNumbers<R>, "assay: the function of jacobian returns nothing that has a derivative");
      static_assert(detail::fits_outputs<O, R>());
      return detail::jacobians<ModeType, C, O>(function, std::index_sequence_for<X...>(), x...);
    }
  }
}

} // namespace assay
