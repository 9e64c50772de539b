// Generators of numbers and of collections of them, for inputs of differentiated functions.
//
// Reals are drawn uniformly and shrink toward the numbers a person would try by hand: 0, 1, -1, other small integers,
// then decimals with few digits, always within the domain. All give the same values for the same stream on every
// machine.
#pragma once

#include <rapidcheck/Gen.h>
#include <rapidcheck/gen/Arbitrary.h>
#include <rapidcheck/gen/Container.h>
#include <rapidcheck/gen/Numeric.h>
#include <rapidcheck/gen/Tuple.h>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace assay::gen {

/// Uniform in [lower, upper].
template <std::floating_point T = double>
rc::Gen<T> real(std::type_identity_t<T> lower, std::type_identity_t<T> upper);

/// Uniform in magnitude's logarithm, from 1/16 to 16: far enough from zero and infinity to be friendly to logs and
/// quotients.
template <std::floating_point T = double>
rc::Gen<T> positive();

/// positive() with a random sign.
template <std::floating_point T = double>
rc::Gen<T> nonzero();

/// Uniform in the open interval (0, 1): between 2^-20 and 1 - 2^-20.
template <std::floating_point T = double>
rc::Gen<T> unit();

/// A nonzero decimal with two digits in [-9, 9], the shape of a tangent; does not shrink.
template <std::floating_point T = double>
rc::Gen<T> tangent();

/// Uniform in [lower, upper], both included; shrinks toward 0 or the end nearest to it.
template <std::integral T = int>
rc::Gen<T> integer(std::type_identity_t<T> lower, std::type_identity_t<T> upper);

/// `count` elements; shrinks element by element, and keeps its length.
template <class T>
rc::Gen<std::vector<T>> vector(const rc::Gen<T> &element, std::size_t count);

/// A vector whose length is drawn from [least, most] and shrinks too.
template <class T>
rc::Gen<std::vector<T>> vector(const rc::Gen<T> &element, std::size_t least, std::size_t most);

template <std::size_t N, class T>
rc::Gen<std::array<T, N>> array(const rc::Gen<T> &element);

/// One value of each generator; shrinks each in turn.
template <class... Ts>
rc::Gen<std::tuple<Ts...>> tuple(const rc::Gen<Ts> &...elements) {
  return rc::gen::tuple(elements...);
}

/// Always this value.
template <class T>
rc::Gen<T> fixed(T value);

} // namespace assay::gen

#include <assay/generators/numbers_impl.hpp>
