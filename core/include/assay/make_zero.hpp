#pragma once
// Shadows of zeros. Integers are kept, because a shadow has the shape and the indices of its value. Memory that is
// shared in the value is shared in the shadow.

#include "assay/rebuilt.hpp"

namespace assay {

/// Sets every real number in `x` to zero, also behind pointers and spans.
template <class T>
void set_zero(T &x) {
  static_assert(!std::is_const_v<T> || detail::SummaryOf<T>::refers,
                "assay: set_zero writes to its argument, which is constant here");
  detail::for_each_number(x, []<class Number>(Number &number, const detail::Path &) { number = Number(0); });
  detail::zero_constants(x);
}

/// Zeros for a shadow that was made before, whose memory stays: set_zero that gives the shadow back.
template <class T>
T &remake_zero(T &shadow) {
  set_zero(shadow);
  return shadow;
}

/// A deep copy of `x` in which every real number is zero: a fresh shadow. A span gives a vector of its length, a C
/// array a std::array; any other reference to memory of others gives a Rebuilt, which keeps the shadow's memory.
template <class T>
auto make_zero(const T &x) {
  if constexpr (detail::can_be_seen<T, detail::Traversable<T>>()) {
    auto zero = duplicate(x);
    set_zero(detail::value_of(zero));
    return zero;
  }
}

} // namespace assay
