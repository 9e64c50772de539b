#pragma once
// Sets the padding of structs, pairs and tuples to zero. In a shadow, a word that may hold an address or numbers is
// classified by all of its bits, those of the padding behind a float included (docs/convention.md, known faults). The
// harness fills the padding of structs by a visitor at run time (testing/poison.hpp).

#include "assay/detail/traverse/fields.hpp"
#include "assay/detail/traverse/kinds.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <tuple>
#include <utility>

namespace assay::detail {

template <class T>
void clear_between_members(T &value);

struct MemberBytes {
  std::byte *begin, *end;
};

/// Clears nothing where there are no members, or where one lies elsewhere, as a reference does.
template <std::size_t Count>
void clear_between(MemberBytes whole, std::array<MemberBytes, Count> members) {
  std::sort(members.begin(), members.end(), [](const auto &one, const auto &other) { return one.begin < other.begin; });
  if (Count == 0 || members.front().begin < whole.begin || members.back().end > whole.end)
    return;
  std::byte *from = members.front().begin;
  for (const MemberBytes &member : members) {
    if (from < member.begin)
      std::memset(from, 0, static_cast<std::size_t>(member.begin - from));
    from = std::max(from, member.end);
  }
  std::memset(from, 0, static_cast<std::size_t>(whole.end - from));
}

template <class T>
MemberBytes bytes_of_member(T &member) {
  auto *begin = const_cast<std::byte *>(reinterpret_cast<const volatile std::byte *>(std::addressof(member)));
  return {begin, begin + sizeof(T)};
}

template <class T, class... Members>
void clear_beside(T &value, Members &...members) {
  clear_between(bytes_of_member(value), std::array<MemberBytes, sizeof...(Members)>{bytes_of_member(members)...});
  (clear_between_members(members), ...);
}

/// A container that can be gone through, of elements that are no single numbers.
template <class T>
concept HoldsObjects = requires(T &container) {
  { *container.begin() } -> std::same_as<typename T::value_type &>;
} && !std::is_const_v<T> && !std::is_scalar_v<typename T::value_type>;

template <class T>
void clear_between_members(T &value) {
  constexpr Kind kind = kind_of<std::remove_const_t<T>>();
  if constexpr (std::is_array_v<T>) {
    for (auto &element : value)
      clear_between_members(element);
  } else if constexpr (kind == Kind::plain_struct) {
    with_fields(value, [&](auto &...field) { clear_beside(value, field...); });
  } else if constexpr (kind == Kind::tuple) {
    std::apply([&](auto &...member) { clear_beside(value, member...); }, value);
  } else if constexpr (kind == Kind::sequence && HoldsObjects<T>) {
    for (auto &element : value)
      clear_between_members(element);
  } else if constexpr (kind == Kind::optional && !std::is_const_v<T>) {
    if (value)
      clear_between_members(*value);
  }
}

} // namespace assay::detail
