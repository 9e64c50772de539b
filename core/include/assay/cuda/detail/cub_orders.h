#pragma once
// Orders of numbers as CUB's sorts have them: which number comes first is found by integers and comparisons, and the
// numbers are moved then, so that tangents and adjoints are moved alike.

#include "cub_on_host.h"
#include <algorithm>
#include <numeric>
#include <vector>

namespace assay::cub_on_host {

/// The places of `count` numbers in their order.
template <class Before>
std::vector<size_t> order_of(size_t count, Before before) {
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), size_t(0));
  std::stable_sort(order.begin(), order.end(), before);
  return order;
}

/// to[i] = from[order[i]], where both may be the same.
template <class From, class To>
void move_in_order(const std::vector<size_t> &order, From from, To to) {
  std::vector<ValueIn<From>> moved(order.size());
  for (size_t i = 0; i < order.size(); ++i)
    moved[i] = from[order[i]];
  for (size_t i = 0; i < order.size(); ++i)
    to[i] = moved[i];
}

template <size_t Bytes>
struct UnsignedOf;
template <>
struct UnsignedOf<1> {
  using type = unsigned char;
};
template <>
struct UnsignedOf<2> {
  using type = unsigned short;
};
template <>
struct UnsignedOf<4> {
  using type = unsigned;
};
template <>
struct UnsignedOf<8> {
  using type = unsigned long long;
};

/// Bits that are ordered as the numbers are. Both zeros have the same.
template <class Key>
auto ordered_bits(const Key &key) {
  using Bits = typename UnsignedOf<sizeof(Key)>::type;
  constexpr Bits sign = Bits(1) << (8 * sizeof(Key) - 1);
  Bits bits;
  __builtin_memcpy(&bits, &key, sizeof bits);
  if constexpr (std::is_floating_point_v<Key>)
    return bits == sign ? sign : Bits(bits & sign ? ~bits : bits | sign);
  else if constexpr (std::is_signed_v<Key>)
    return Bits(bits ^ sign);
  else
    return bits;
}

/// The order by bits `first_bit` to `end_bit` of the keys.
template <class Key>
std::vector<size_t> radix_order(const Key *keys, size_t count, bool descending, int first_bit, int end_bit) {
  using Bits = decltype(ordered_bits(*keys));
  static_assert(std::is_arithmetic_v<Key>, "emulated, CUB's radix sort takes keys that are numbers of C++");
  constexpr int all = 8 * sizeof(Key);
  std::vector<Bits> digits(count);
  const int number = end_bit - first_bit;
  const Bits mask = number >= all ? Bits(~Bits(0)) : Bits((Bits(1) << number) - 1);
  for (size_t i = 0; i < count; ++i)
    digits[i] = first_bit >= all ? Bits(0) : Bits(Bits(ordered_bits(keys[i]) >> first_bit) & mask);
  return order_of(count,
                  [&](size_t a, size_t b) { return descending ? digits[b] < digits[a] : digits[a] < digits[b]; });
}

} // namespace assay::cub_on_host
