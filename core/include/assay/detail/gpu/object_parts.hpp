#pragma once
// The numbers and pointers in an object that a launch takes by value.

#include "assay/detail/gpu/allocations.hpp"
#include "assay/detail/rules/function.hpp"
#include "assay/detail/traverse/fields.hpp"
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <type_traits>

namespace assay::rules::gpu {

template <class T>
inline constexpr bool is_complex = false;
template <class T>
inline constexpr bool is_complex<std::complex<T>> = true;

template <class T>
consteval bool leads_to_pointers();
template <class... Field>
consteval bool lead_to_pointers(assay::detail::TypeList<Field...> /*fields*/) {
  return (leads_to_pointers<std::remove_cv_t<std::remove_reference_t<Field>>>() || ...);
}

/// True where a pointer, or one in an object, may lead to memory that holds pointers.
template <class T>
consteval bool leads_to_pointers() {
  if constexpr (std::is_pointer_v<T>)
    return !rules::detail::is_without_pointers<std::remove_cv_t<std::remove_pointer_t<T>>>();
  else if constexpr (std::is_array_v<T>)
    return leads_to_pointers<std::remove_cv_t<std::remove_all_extents_t<T>>>();
  else if constexpr (!std::is_class_v<T> || rules::detail::is_without_pointers<T>())
    return false;
  else if constexpr (assay::detail::PlainStruct<T>)
    return lead_to_pointers(assay::detail::fields_of<T>());
  else
    return true;
}

/// Eight bytes of an object whose fields cannot be seen: an address, where they are that of memory that is allocated.
struct HiddenWord {
  std::uintptr_t bits;
  const void *address() const { return reinterpret_cast<const void *>(bits); }
  bool is_address() const { return is_allocated(address()); }
};

/// Calls `visit` on each number and pointer in the object, in the order of declaration; where its fields cannot be
/// seen, on its words. Its constant members are not for the copies that are made here.
template <class T, class Visit>
void visit_parts(T &object, const Visit &visit) {
  using Part = std::remove_cv_t<T>;
  if constexpr (std::is_scalar_v<Part>)
    visit(const_cast<Part &>(object));
  else if constexpr (std::is_array_v<Part>)
    for (auto &element : object)
      gpu::visit_parts(element, visit);
  else if constexpr (is_complex<Part>)
    for (auto &number : reinterpret_cast<typename Part::value_type(&)[2]>(const_cast<Part &>(object)))
      visit(number);
  else if constexpr (assay::detail::PlainStruct<Part>)
    assay::detail::with_fields(const_cast<Part &>(object),
                               [&](auto &...field) { (gpu::visit_parts(field, visit), ...); });
  else if constexpr (!std::is_empty_v<Part>)
    for (std::size_t offset = 0; offset + sizeof(HiddenWord) <= sizeof(Part); offset += sizeof(HiddenWord))
      visit(*reinterpret_cast<HiddenWord *>(reinterpret_cast<char *>(const_cast<Part *>(&object)) + offset));
}

/// The part of `other`, another T, that lies where `part` does in `object`.
template <class Part, class T, class Other>
auto &counterpart(const Part &part, const T &object, Other &other) {
  using Wanted = std::conditional_t<std::is_const_v<Other>, const Part, Part>;
  using Byte = std::conditional_t<std::is_const_v<Other>, const std::byte, std::byte>;
  const auto offset = reinterpret_cast<const std::byte *>(&part) - reinterpret_cast<const std::byte *>(&object);
  return *reinterpret_cast<Wanted *>(reinterpret_cast<Byte *>(&other) + offset);
}

template <class T>
T with_numbers_of_zero(T object) {
  gpu::visit_parts(object, []<class Part>(Part &part) {
    if constexpr (std::is_floating_point_v<Part>)
      part = 0;
    else if constexpr (std::is_same_v<Part, HiddenWord>)
      part.bits = part.is_address() ? part.bits : 0;
  });
  return object;
}

/// `shadow`, with the pointers of `kept` in place of those that it shares with `value`: inactive memory is its own
/// shadow.
template <class T>
T pointing_to_copies(T shadow, const T &value, const T &kept) {
  gpu::visit_parts(shadow, [&]<class Part>(Part &part) {
    if constexpr (std::is_pointer_v<Part>) {
      if (part == counterpart(part, shadow, value))
        part = counterpart(part, shadow, kept);
    } else if constexpr (std::is_same_v<Part, HiddenWord>) {
      if (part.bits == counterpart(part, shadow, value).bits)
        part = counterpart(part, shadow, kept);
    }
  });
  return shadow;
}

/// Which of the words that are no addresses are numbers, and of what kind, cannot be seen.
[[noreturn]] inline void stop_for_hidden_number() {
  std::fputs(
      "assay: a kernel takes an object with a number that has a derivative, and whose fields cannot be seen: give "
      "it public fields and no constructor, or pass the number as a parameter of its own\n",
      stderr);
  std::abort();
}

template <class T>
void add_numbers_of(const T &increment, T &sum) {
  gpu::visit_parts(increment, [&]<class Part>(Part &part) {
    if constexpr (std::is_floating_point_v<Part>) {
      counterpart(part, increment, sum) += part;
    } else if constexpr (std::is_same_v<Part, HiddenWord>) {
      if (part.bits != 0 && !part.is_address())
        stop_for_hidden_number();
    }
  });
}

} // namespace assay::rules::gpu
