#pragma once
// The shadow of an object such as a std::vector says where the shadows of its numbers are. When a rule's reverse runs,
// the object may have been made anew, moved from or assigned to, as the container is that each turn of a loop makes:
// its shadow then leads elsewhere. So augmented_primal keeps an image of the shadow object, without the numbers that
// lie in the object itself, and reverse finds it in its place for as long as it runs.

#include "assay/detail/rules/function.hpp"
#include "assay/typetree.hpp"
#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>

namespace assay::rules::detail {

template <class T>
inline constexpr bool has_data = requires(const T &object) {
  { object.data() } -> std::convertible_to<const void *>;
  object.size();
};

/// True for a class that leads to its numbers by addresses, as far as its type tells.
template <class T>
consteval bool leads_to_numbers() {
  if constexpr (!std::is_class_v<T>)
    return false;
  else if constexpr (has_data<T>)
    return !std::is_trivially_copyable_v<T>;
  else
    return assay::detail::SummaryOf<T>::known &&
           (!std::is_trivially_copyable_v<T> || assay::detail::SummaryOf<T>::refers);
}

/// For each byte of a T whether it belongs to the image; to none if the library does not know all of them.
template <class T>
std::array<bool, sizeof(T)> image_bytes() {
  std::array<bool, sizeof(T)> image;
  image.fill(true);
  for (const TypeTree::Entry &entry : typetree<T>().entries) {
    const std::size_t size = entry.kind == "float" ? sizeof(float) : entry.kind == "double" ? sizeof(double) : 16;
    if (entry.kind == "other")
      image.fill(false);
    else if (entry.kind == "float" || entry.kind.ends_with("double"))
      std::fill_n(image.begin() + std::ptrdiff_t(entry.offset), size, false);
  }
  return image;
}

/// Whether the numbers of a container lie in itself, as those of a matrix of fixed size do.
template <class T>
bool holds_its_numbers(const T &object) {
  const auto *data = reinterpret_cast<const std::byte *>(object.data());
  const auto *begin = reinterpret_cast<const std::byte *>(&object);
  return std::greater_equal<>()(data, begin) && std::less<>()(data, begin + sizeof(T));
}

/// At once, so that the engine sees addresses where rules are differentiated themselves.
template <std::size_t Most>
void exchange_bytes(void *memory, std::byte *image, std::size_t size = Most) {
  std::array<std::byte, Most> before;
  std::memcpy(before.data(), memory, size);
  std::memcpy(memory, image, size);
  std::memcpy(image, before.data(), size);
}

/// Exchanges the image with what stands in the object.
template <class T>
void exchange_image(T &object, std::byte *image) {
  if constexpr (has_data<T>) {
    if (!holds_its_numbers(object))
      exchange_bytes<sizeof(T)>(&object, image);
  } else {
    const std::array<bool, sizeof(T)> bytes = image_bytes<T>();
    auto *memory = reinterpret_cast<std::byte *>(&object);
    for (std::size_t begin = 0, end = 0; begin < sizeof(T); begin = end + 1) {
      for (end = begin; end < sizeof(T) && bytes[end]; ++end) {
      }
      exchange_bytes<sizeof(T)>(memory + begin, image + begin, end - begin);
    }
  }
}

/// What reverse is given of augmented_primal where a shadow may lead elsewhere by then.
template <class Tape>
struct TapeWithImages {
  Tape tape;
  std::unique_ptr<std::byte[]> images; // NOLINT(modernize-avoid-c-arrays): raw memory, one object after the other
};

} // namespace assay::rules::detail
