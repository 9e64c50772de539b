#pragma once
// The containers that the interface knows: which they are, whether a shadow fits its value, and how to fill one with
// zeros.

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace assay::detail {

template <class>
inline constexpr bool is_std_array = false;
template <class T, std::size_t N>
inline constexpr bool is_std_array<std::array<T, N>> = true;
template <class>
inline constexpr bool is_vector = false;
template <class T, class A>
inline constexpr bool is_vector<std::vector<T, A>> = true;
template <class>
inline constexpr bool is_span = false;
template <class T, std::size_t N>
inline constexpr bool is_span<std::span<T, N>> = true;

template <class T>
inline constexpr bool is_container = is_std_array<T> || is_vector<T> || is_span<T>;

/// A container for one value of type D for each element of C: an array where C is one, else a vector.
template <class C, class D>
struct ForEachElement {
  using type = std::vector<D>;
};
template <class E, std::size_t N, class D>
struct ForEachElement<std::array<E, N>, D> {
  using type = std::array<D, N>;
};

/// `T` without the words that only say who may write: `const`, also of a pointer's target and of a span's element.
template <class T>
struct WithoutConst {
  using type = T;
};
template <class T>
struct WithoutConst<const T> : WithoutConst<T> {};
template <class T>
struct WithoutConst<T *> {
  using type = std::remove_const_t<T> *;
};
template <class T, std::size_t N>
struct WithoutConst<std::span<T, N>> {
  using type = std::span<std::remove_const_t<T>, N>;
};
template <class T>
using without_const = typename WithoutConst<std::remove_cvref_t<T>>::type;

/// A fixed array of floating-point numbers: small enough to return its adjoint by value.
template <class T>
concept ArrayOfReals = is_std_array<T> && std::floating_point<typename T::value_type>;

[[noreturn, gnu::noinline]] inline void refuse_seed(long elements, long seed_elements) {
  throw std::invalid_argument("assay: a result with " + std::to_string(elements) + " elements has a seed with " +
                              std::to_string(seed_elements));
}

[[noreturn, gnu::noinline]] inline void refuse_seed_of_extents(long rows, long columns, long seed_rows,
                                                               long seed_columns) {
  throw std::invalid_argument("assay: a result of " + std::to_string(rows) + " by " + std::to_string(columns) +
                              " has a seed of " + std::to_string(seed_rows) + " by " + std::to_string(seed_columns));
}

[[noreturn, gnu::noinline]] inline void refuse_other_alternative() {
  throw std::invalid_argument("assay: a std::variant in the result holds another alternative than in the seed");
}

/// Throws std::invalid_argument where a seed has another shape than the result. It is part of the differentiated code.
template <class R>
[[gnu::always_inline]] inline void require_seed_shape(const R &result, const R &seed) {
  if constexpr (requires { seed.rows() * seed.cols(); }) {
    if (result.rows() * result.cols() != seed.rows() * seed.cols())
      refuse_seed(long(result.rows() * result.cols()), long(seed.rows() * seed.cols()));
    if (result.rows() != seed.rows())
      refuse_seed_of_extents(long(result.rows()), long(result.cols()), long(seed.rows()), long(seed.cols()));
  } else if constexpr (requires { seed.size(); }) {
    if (result.size() != seed.size())
      refuse_seed(long(result.size()), long(seed.size()));
  } else if constexpr (requires { seed.has_value(); }) {
    if (result.has_value() != seed.has_value())
      refuse_seed(result.has_value() ? 1 : 0, seed.has_value() ? 1 : 0);
  }
}

} // namespace assay::detail
