#pragma once
// The bytes of a value that nobody may look at: the padding of its structs, and in a shadow its integers, which carry
// no derivative. They become NaNs and numbers that no count or index has.

#include <assay/detail/testing/flatten.hpp>

#include <array>
#include <cstdint>
#include <cstring>
#include <limits>

namespace assay::detail {

template <class>
inline constexpr bool is_fixed_array = false;
template <class E, std::size_t N>
inline constexpr bool is_fixed_array<E[N]> = true;
template <class E, std::size_t N>
inline constexpr bool is_fixed_array<std::array<E, N>> = true;

/// The traversal tells of every byte of a T that means something.
template <class T>
inline constexpr bool is_seen_through = [] {
  constexpr Kind kind = kind_of<std::remove_const_t<T>>();
  if constexpr (std::is_const_v<T> || nothing_inside<T>)
    return false;
  else if constexpr (is_fixed_array<T>)
    return is_seen_through<std::ranges::range_value_t<T>>;
  else
    return kind == Kind::number || kind == Kind::integer || kind == Kind::complex || kind == Kind::plain_struct;
}();

template <class Fields>
inline constexpr bool has_reference = false;
template <class... Field>
inline constexpr bool has_reference<TypeList<Field...>> = (std::is_reference_v<Field> || ...);

/// Finds the bytes of structs that belong to no field.
class PaddingVisitor {
public:
  template <class T>
  void number(T &x, const Path & /*path*/) {
    constexpr bool is_extended = std::same_as<T, long double> && std::numeric_limits<long double>::digits == 64;
    used.push_back(AddressRange::of(&x, is_extended ? 10 : sizeof(T)));
  }
  template <class T>
  void integer(T &x, const Path & /*path*/) {
    used.push_back(AddressRange::of(&x, sizeof(T)));
  }
  void owned(const void * /*begin*/, std::size_t /*bytes*/) {}
  template <class R, class E>
  void reference(R & /*reference*/, const Target<E> &target, const Path &path) {
    if constexpr (kind_of<R>() != Kind::weak && !nothing_inside<E>)
      frontier.follow(target, *this, path);
  }
  template <class T>
  void structure(T &x) {
    objects.push_back(AddressRange::of(&x, sizeof(T)));
    if constexpr (has_reference<fields_of<T>>) // Nobody can say where the reference itself is.
      used.push_back(objects.back());
    else
      with_fields(x, [&]<class... Field>(Field &...field) { (use_field(field), ...); });
  }
  void finish() { frontier.finish(*this); }

  void fill(int byte) {
    const auto itself = [](const AddressRange &range) { return range; };
    keep_outermost(used, itself);
    for (const AddressRange &object : objects) {
      std::uintptr_t next = object.begin;
      for (auto range = first_behind(object.begin); range != used.end() && range->begin < object.end; ++range) {
        if (range->begin > next)
          std::memset(reinterpret_cast<void *>(next), byte, range->begin - next);
        next = std::max(next, range->end);
      }
      if (next < object.end)
        std::memset(reinterpret_cast<void *>(next), byte, object.end - next);
    }
  }

private:
  template <class Field>
  void use_field(Field &field) {
    if constexpr (!is_seen_through<Field>)
      used.push_back(AddressRange::of(&field, sizeof(Field)));
  }

  std::vector<AddressRange>::const_iterator first_behind(std::uintptr_t address) const {
    return std::upper_bound(used.begin(), used.end(), address,
                            [](std::uintptr_t place, const AddressRange &range) { return place < range.end; });
  }

  std::vector<AddressRange> objects, used;
  Frontier frontier;
};

/// Overwrites the padding of all structs in `value`.
template <class T>
void fill_padding(T &value, int byte) {
  if constexpr (is_differentiable<T> && !is_scalar<T> && !is_row<T>) {
    PaddingVisitor visitor;
    walk(value, visitor, Path(""));
    visitor.finish();
    visitor.fill(byte);
  }
}
template <class T>
void poison_padding(T &value) {
  constexpr int nan_of_any_type = 0xFF;
  fill_padding(value, nan_of_any_type);
}
/// The padding of a copy is indeterminate: equal calls of a function that reads it would differ.
template <class T>
void clear_padding(T &value) {
  fill_padding(value, 0);
}

/// In a shadow, overwrites the integers.
template <class T>
void poison_integers(T &shadow) {
  if constexpr (is_differentiable<T> && SummaryOf<T>::integers)
    for_each_number<Wanted::integers>(shadow, []<class Integer>(Integer &integer, const Path &) {
      if constexpr (!std::same_as<Integer, bool>)
        integer = static_cast<Integer>(0x7FF4A55A7FF4A55A);
    });
}

} // namespace assay::detail
