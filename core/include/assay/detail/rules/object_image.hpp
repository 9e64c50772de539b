#pragma once
// The shadow of an object such as a std::vector says where the shadows of its numbers are. When a rule's reverse runs,
// the object may have been made anew, moved from or assigned to, as the container is that each turn of a loop makes:
// its shadow then leads elsewhere. So augmented_primal keeps an image of the shadow object, without the numbers that
// lie in the object itself, and reverse finds it in its place for as long as it runs. So it is with the objects that a
// container owns.

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

/// Exchanges the image with what stands in the object itself.
template <class T>
void exchange_own_image(T &object, std::byte *image) {
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

// ---- objects in objects: the vectors of a vector of vectors

template <class T>
consteval bool is_range_of_objects() {
  if constexpr (requires(T &object) {
                  object.begin() == object.end();
                  requires std::is_lvalue_reference_v<decltype(*object.begin())>;
                })
    return leads_to_numbers<std::remove_cvref_t<decltype(*std::declval<T &>().begin())>>();
  return false;
}

/// Calls `use(inner)` for the objects that a container in `object` owns and that lead to numbers themselves.
template <class T>
void each_inner_object(T &object, const auto &use) {
  if constexpr (is_range_of_objects<T>())
    for (auto &element : object)
      use(element);
  else if constexpr (assay::detail::PlainStruct<T>)
    assay::detail::with_fields(object, [&](auto &...field) { (each_inner_object(field, use), ...); });
}

/// The images of an object and of those in it stand one after the other, in this order.
template <class T>
std::size_t image_size(T &object) {
  std::size_t size = sizeof(T);
  each_inner_object(object, [&](auto &inner) { size += image_size(inner); });
  return size;
}

/// Copies the objects to their images; returns the end of these.
template <class T>
std::byte *keep_image(T &object, std::byte *image) {
  std::memcpy(image, static_cast<const void *>(&object), sizeof(T));
  image += sizeof(T);
  each_inner_object(object, [&](auto &inner) { image = keep_image(inner, image); });
  return image;
}

/// Puts the images in place of what stands in the objects; an object leads to those in it once its own image is there.
template <class T>
std::byte *enter_image(T &object, std::byte *image) {
  exchange_own_image(object, image);
  image += sizeof(T);
  each_inner_object(object, [&](auto &inner) { image = enter_image(inner, image); });
  return image;
}

/// The opposite, in the opposite order.
template <class T>
std::byte *leave_image(T &object, std::byte *image) {
  std::byte *end = image + sizeof(T);
  each_inner_object(object, [&](auto &inner) { end = leave_image(inner, end); });
  exchange_own_image(object, image);
  return end;
}

/// What reverse is given of augmented_primal where a shadow may lead elsewhere by then.
template <class Tape>
struct TapeWithImages {
  Tape tape;
  std::unique_ptr<std::byte[]> images; // NOLINT(modernize-avoid-c-arrays): raw memory, one object after the other
};

} // namespace assay::rules::detail
