#pragma once
// The freedom of a caller between the two functions of the split form: all memory that it passed holds something else.
// Numbers become signalling NaNs; integers become 0, or 1 where they were 0, so that a count or an index that was not
// kept gives a wrong derivative rather than a crash.

#include <assay/detail/testing/flatten.hpp>

#include <cmath>
#include <limits>

namespace assay::detail {

template <class T>
class Scrambled {
public:
  /// Overwrites the numbers and integers of `value`, which must outlive this.
  explicit Scrambled(T &value) : scrambled(value) {
    if constexpr (is_differentiable<T>)
      for_each_number(scrambled, []<class Number>(Number &number, const Path &) {
        number = std::numeric_limits<Number>::signaling_NaN();
      });
    if constexpr (is_flat<T>)
      for_each_number<Wanted::integers>(scrambled, [&]<class Integer>(Integer &integer, const Path &) {
        kept.push_back(static_cast<long long>(integer));
        integer = other_than(integer);
      });
  }
  Scrambled(const Scrambled &) = delete;

  /// Whether that is still there; integers get back their values.
  bool restore() {
    bool intact = true;
    if constexpr (is_differentiable<T>)
      for_each_number(scrambled, [&](const auto &number, const Path &) { intact = intact && std::isnan(number); });
    if constexpr (is_flat<T>) {
      auto next = kept.begin();
      for_each_number<Wanted::integers>(scrambled, [&]<class Integer>(Integer &integer, const Path &) {
        const auto old = static_cast<Integer>(*next++);
        intact = intact && integer == other_than(old);
        integer = old;
      });
    }
    return intact;
  }

private:
  template <class Integer>
  static Integer other_than(Integer integer) {
    return static_cast<Integer>(integer == Integer(0) ? 1 : 0);
  }

  T &scrambled;
  std::vector<long long> kept;
};

} // namespace assay::detail
