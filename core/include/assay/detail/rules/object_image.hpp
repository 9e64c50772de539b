#pragma once
// The shadow of an object such as a std::vector says where the shadows of its numbers are. When a rule's reverse runs,
// the object may have been made anew, moved from or assigned to, as the container is that each turn of a loop makes:
// its shadow then leads elsewhere. So augmented_primal keeps an image of the shadow object, without the numbers that
// lie in the object itself, and reverse finds it in its place for as long as it runs. So it is with the objects that a
// container owns.

#include "assay/detail/rules/function.hpp"
#include "assay/detail/traverse/kinds.hpp"
#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <utility>

namespace assay::rules::detail {

template <class T>
inline constexpr bool has_data = requires(const T &object) {
  { object.data() } -> std::convertible_to<const void *>;
  object.size();
};

/// True for a class that leads to its numbers by addresses, or may: the library does not know the members of every
/// class.
template <class T>
consteval bool leads_to_numbers() {
  if constexpr (!std::is_class_v<T> || !requires { sizeof(T); })
    return false;
  else if constexpr (std::is_empty_v<T>)
    return false;
  else if constexpr (has_data<T>)
    return !std::is_trivially_copyable_v<T>;
  else
    return !assay::detail::SummaryOf<T>::known || !std::is_trivially_copyable_v<T> ||
           assay::detail::SummaryOf<T>::refers;
}

/// Whether the numbers of a container lie in itself, as those of a matrix of fixed size do.
template <class T>
bool holds_its_numbers(const T &object) {
  const auto *data = reinterpret_cast<const std::byte *>(object.data());
  const auto *begin = reinterpret_cast<const std::byte *>(&object);
  return std::greater_equal<>()(data, begin) && std::less<>()(data, begin + sizeof(T));
}

/// True for a class that leads to the shadows of objects which it does not own, or may: by a reference, a pointer, what
/// a closure captured, a type-erased function, private members. The engine shows these shadows as augmented_primal saw
/// them.
template <class T>
consteval bool leads_to_others();

/// Of a part with the declared type: a reference or a pointer leads to another object.
template <class Declared>
consteval bool part_leads_to_others() {
  using Plain = std::remove_cvref_t<Declared>;
  if constexpr (std::is_pointer_v<Plain>)
    return leads_to_numbers<std::remove_cv_t<std::remove_pointer_t<Plain>>>();
  else if constexpr (std::is_reference_v<Declared> || assay::detail::kind_of<Plain>() == assay::detail::Kind::wrapper)
    return leads_to_numbers<Plain>();
  else
    return leads_to_others<Plain>();
}

template <class T>
consteval bool leads_to_others() {
  if constexpr (!leads_to_numbers<T>())
    return false;
  else if constexpr (has_data<T>)
    return part_leads_to_others<std::remove_pointer_t<decltype(std::declval<T &>().data())>>();
  else if constexpr (assay::detail::PlainStruct<T>)
    return []<class... Declared>(assay::detail::TypeList<Declared...> /*fields*/) {
      return (part_leads_to_others<Declared>() || ...);
    }(assay::detail::fields_of<T>());
  else
    return !assay::detail::SummaryOf<T>::known || assay::detail::SummaryOf<T>::refers;
}

// ---- the bytes of an object

/// Unclear bytes, as those of private members, are told by their bits.
enum class ByteKind : std::uint8_t { unclear, number, structure };

/// The known types of an object's bytes.
template <class T>
class ByteKinds {
public:
  explicit ByteKinds(T &object) : begin_(reinterpret_cast<std::byte *>(&object)) {
    kinds_.fill(ByteKind::unclear);
    note(object);
  }
  ByteKind operator[](std::size_t byte) const { return kinds_[byte]; }
  bool are_unclear(std::size_t begin, std::size_t count) const {
    return std::all_of(kinds_.begin() + std::ptrdiff_t(begin), kinds_.begin() + std::ptrdiff_t(begin + count),
                       [](ByteKind kind) { return kind == ByteKind::unclear; });
  }

private:
  template <class Part>
  std::ptrdiff_t offset_of(const Part &part) const {
    return reinterpret_cast<const std::byte *>(std::addressof(part)) - begin_;
  }
  template <class Part>
  void set(const Part &part, ByteKind kind) {
    std::fill_n(kinds_.begin() + offset_of(part), sizeof(Part), kind);
  }
  template <class Part>
  void note(Part &part) {
    using assay::detail::Kind;
    constexpr Kind kind = assay::detail::kind_of<std::remove_cv_t<Part>>();
    if (offset_of(part) < 0 || offset_of(part) >= std::ptrdiff_t(sizeof(T)))
      return; // a field that is a reference may refer to an object that is gone
    if constexpr (has_data<Part>) {
      set(part, holds_its_numbers(part) ? ByteKind::number : ByteKind::structure);
    } else if constexpr (kind == Kind::number || kind == Kind::complex) {
      set(part, ByteKind::number);
    } else if constexpr (kind == Kind::integer || std::is_pointer_v<Part> || std::is_enum_v<Part> ||
                         kind == Kind::unique || kind == Kind::shared || kind == Kind::weak) {
      set(part, ByteKind::structure);
    } else if constexpr (std::is_bounded_array_v<Part>) {
      for (auto &element : part)
        note(element);
    } else if constexpr (kind == Kind::tuple) {
      std::apply([&](auto &...element) { (note(element), ...); }, part);
    } else if constexpr (kind == Kind::plain_struct) {
      assay::detail::with_fields(part, [&](auto &...field) { (note(field), ...); });
    }
  }

  std::byte *begin_;
  std::array<ByteKind, sizeof(T)> kinds_;
};

/// At once, so that the engine sees addresses where rules are differentiated themselves.
template <std::size_t Most>
void exchange_bytes(void *memory, std::byte *image, std::size_t size = Most) {
  std::array<std::byte, Most> before;
  std::memcpy(before.data(), memory, size);
  std::memcpy(memory, image, size);
  std::memcpy(image, before.data(), size);
}

/// Read as a double, an address or an integer would be smaller than any normal number, or a NaN that no operation
/// makes. In a class that may hold floats only what is too large for one of them in the lower half is an address.
template <class T>
bool is_structure_by_bits(std::uintptr_t word) {
  constexpr std::uintptr_t first_normal = std::uintptr_t(1) << 52, first_negative = std::uintptr_t(0xFFFF) << 48;
  if constexpr (std::is_same_v<assay::detail::number_of<T>, double>)
    return (word != 0 && word < first_normal) || word >= first_negative;
  else
    return word >> 32 != 0 && word >> 47 == 0;
}

/// Of the words in memory and in the image. A decision by the bits carries no derivative, and is no evidence of types.
template <class T>
[[gnu::noinline, clang::annotate("enzyme_inactive")]] bool is_structure(const std::byte *memory,
                                                                        const std::byte *image) {
  std::uintptr_t now = 0, before = 0;
  std::memcpy(&now, memory, sizeof(now));
  std::memcpy(&before, image, sizeof(before));
  return is_structure_by_bits<T>(now) || is_structure_by_bits<T>(before);
}

template <class T>
[[gnu::always_inline]] inline void exchange_unclear_word(const ByteKinds<T> &kinds, std::byte *memory, std::byte *image,
                                                         std::size_t at) {
  if (kinds.are_unclear(at, sizeof(void *)) && is_structure<T>(memory + at, image + at))
    exchange_bytes<sizeof(void *)>(memory + at, image + at);
}

constexpr std::size_t most_unrolled_words = 256;

/// Word by word at constant offsets, so that the engine sees which are numbers where a rule is differentiated itself.
template <class T, std::size_t... Word>
void exchange_unclear_words(const ByteKinds<T> &kinds, std::byte *memory, std::byte *image,
                            std::index_sequence<Word...> /*words*/) {
  (exchange_unclear_word(kinds, memory, image, Word * sizeof(void *)), ...);
}

/// Exchanges the image with the object's own bytes.
template <class T>
void exchange_own_image(T &object, std::byte *image) {
  if constexpr (has_data<T>) {
    if (!holds_its_numbers(object))
      exchange_bytes<sizeof(T)>(&object, image);
  } else {
    const ByteKinds<T> kinds(object);
    auto *memory = reinterpret_cast<std::byte *>(&object);
    for (std::size_t begin = 0, end = 0; begin < sizeof(T); begin = end) {
      for (end = begin + 1; end < sizeof(T) && kinds[end] == kinds[begin]; ++end) {
      }
      if (kinds[begin] == ByteKind::structure)
        exchange_bytes<sizeof(T)>(memory + begin, image + begin, end - begin);
    }
    constexpr std::size_t words = sizeof(T) / sizeof(void *);
    if constexpr (words <= most_unrolled_words)
      exchange_unclear_words(kinds, memory, image, std::make_index_sequence<words>());
    else
      for (std::size_t at = 0; at < words * sizeof(void *); at += sizeof(void *))
        exchange_unclear_word(kinds, memory, image, at);
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

template <class T>
void each_inner_object(T &object, const auto &use);

template <class Declared, class Field>
void visit_field(Field &field, const auto &use) {
  if constexpr (!std::is_reference_v<Declared>)
    each_inner_object(field, use);
}

/// Calls `use(inner)` for the objects that a container in `object` owns and that lead to numbers themselves.
template <class T>
void each_inner_object(T &object, const auto &use) {
  if constexpr (is_range_of_objects<T>()) {
    for (auto &element : object)
      use(element);
  } else if constexpr (assay::detail::PlainStruct<T>) {
    [&]<class... Declared>(assay::detail::TypeList<Declared...> /*fields*/) {
      assay::detail::with_fields(object, [&](auto &...field) { (visit_field<Declared>(field, use), ...); });
    }(assay::detail::fields_of<T>());
  }
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

/// Puts the images in place of the objects' bytes; an object leads to those in it once its own image is there.
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

/// The words of augmented_primal for reverse where a shadow may lead elsewhere by then.
template <class Tape>
struct TapeWithImages {
  Tape tape;
  std::unique_ptr<std::byte[]> images; // NOLINT(modernize-avoid-c-arrays): raw memory, one object after the other
};

} // namespace assay::rules::detail
