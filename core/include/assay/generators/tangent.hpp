// Random tangents of C++ values: of the value's shape, every number a decimal that reads well (Stream::tangent).
#pragma once

#include <assay/generators/stream.hpp>
#include <assay/rebuilt.hpp>

namespace assay::gen {

/// Replaces every number of `x` by a random one, and those in constant members by zero. Integers stay, shared memory is
/// drawn once.
template <class T>
void randomise(T &x, Stream &stream) {
  assay::detail::for_each_number(x, [&]<class Number>(Number &number, const assay::detail::Path &) {
    number = static_cast<Number>(stream.tangent());
  });
  assay::detail::zero_constants(x);
}

/// A tangent (or cotangent) for `x`: a deep copy with other numbers, of the type that make_zero(x) has.
template <class T>
auto random_tangent(const T &x, Stream &stream) {
  auto tangent = duplicate(x);
  randomise(assay::detail::value_of(tangent), stream);
  return tangent;
}

} // namespace assay::gen
