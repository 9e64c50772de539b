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

/// True for a class that leads to its numbers by addresses, or may: the library does not know what is in every class.
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

// ---- what the bytes of an object are

/// Unclear bytes, as those of private members, are told by their bits.
enum class ByteKind : std::uint8_t { unclear, number, structure };

/// What is known of the bytes of an object.
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
      return; // a field that is a reference may refer to what is gone
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

/// Of the words in memory and in the image. What the bits tell carries no derivative, and says nothing of types.
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

/// Exchanges the image with what stands in the object itself.
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

// ---- objects in objects and behind them: the vectors of a vector of vectors, the matrix that a field refers to

template <class T>
consteval bool is_range_of_objects() {
  if constexpr (requires(T &object) {
                  object.begin() == object.end();
                  requires std::is_lvalue_reference_v<decltype(*object.begin())>;
                })
    return leads_to_numbers<std::remove_cvref_t<decltype(*std::declval<T &>().begin())>>();
  return false;
}

struct NoObject;

/// Objects may refer to each other in a circle: so many links are followed from an argument.
constexpr int most_links = 3;

/// The object that a field of the declared type `Declared` refers to, where that leads to numbers; else null. A raw
/// pointer is taken to point at one object.
template <class Declared, class Field>
auto *linked_object(Field &field) {
  using Plain = std::remove_cv_t<Field>;
  if constexpr (std::is_reference_v<Declared>) {
    if constexpr (leads_to_numbers<Plain>())
      return const_cast<Plain *>(std::addressof(field));
    else
      return static_cast<NoObject *>(nullptr);
  } else if constexpr (std::is_pointer_v<Plain>) {
    if constexpr (leads_to_numbers<std::remove_cv_t<std::remove_pointer_t<Plain>>>())
      return const_cast<std::remove_cv_t<std::remove_pointer_t<Plain>> *>(field);
    else
      return static_cast<NoObject *>(nullptr);
  } else if constexpr (assay::detail::kind_of<Plain>() == assay::detail::Kind::wrapper) {
    using Object = std::remove_cv_t<typename Plain::type>;
    if constexpr (leads_to_numbers<Object>())
      return const_cast<Object *>(std::addressof(field.get()));
    else
      return static_cast<NoObject *>(nullptr);
  } else {
    return static_cast<NoObject *>(nullptr);
  }
}

template <class T>
void each_inner_object(T &object, T &primal, const auto &use, const auto &follow);

template <class Declared, class Field>
void visit_field(Field &field, Field &of_primal, const auto &use, const auto &follow) {
  auto *linked = linked_object<Declared>(field);
  if constexpr (!std::is_same_v<decltype(linked), NoObject *>)
    follow(linked, linked_object<Declared>(of_primal));
  else if constexpr (!std::is_reference_v<Declared>)
    each_inner_object(field, of_primal, use, follow);
}

/// Calls `use(inner, inner of primal)` for the objects that a container in `object` owns and that lead to numbers
/// themselves, and `follow` with the addresses of those that a field refers to.
template <class T>
void each_inner_object(T &object, T &primal, const auto &use, const auto &follow) {
  if constexpr (is_range_of_objects<T>()) {
    auto of_primal = primal.begin();
    for (auto &element : object)
      use(element, of_primal == primal.end() ? element : *of_primal++);
  } else if constexpr (assay::detail::PlainStruct<T>) {
    const auto visit = [&]<class... Declared>(assay::detail::TypeList<Declared...> /*declared*/) {
      assay::detail::with_fields(object, [&](auto &...field) {
        assay::detail::with_fields(
            primal, [&](auto &...of_primal) { (visit_field<Declared>(field, of_primal, use, follow), ...); });
      });
    };
    visit(assay::detail::fields_of<T>());
  }
}

/// The images of an object, of those in it and of those that it refers to stand one after the other, in this order. In
/// front of one that a field refers to stands its address: null where it has no image, as where it has no shadow and
/// the primal's stands for it, or has one already.
template <int Links = 0, class T>
std::size_t image_size(T &object) {
  std::size_t size = sizeof(T);
  each_inner_object(
      object, object, [&](auto &inner, auto & /*primal*/) { size += image_size<Links>(inner); },
      [&](auto *linked, auto * /*primal*/) {
        size += sizeof(void *);
        if constexpr (Links < most_links)
          if (linked)
            size += image_size<Links + 1>(*linked);
      });
  return size;
}

/// Addresses of at most `Most` objects.
template <std::size_t Most>
class VisitedObjects {
public:
  /// Whether it is new, and there is room for it.
  bool add(const void *object) {
    const auto end = objects_.begin() + std::ptrdiff_t(count_);
    if (count_ == objects_.size() || std::find(objects_.begin(), end, object) != end)
      return false;
    objects_[count_++] = object;
    return true;
  }

private:
  std::array<const void *, Most> objects_{};
  std::size_t count_ = 0;
};
/// Objects that have an image, arguments and linked objects. Where it is full, no further link is followed.
using ImagedObjects = VisitedObjects<64>;

/// The primal object; where it is unknown, the shadow itself: each link then equals its primal's, and none is followed.
template <class T>
T &primal_or_self(T &object, std::nullptr_t /*primal*/) {
  return object;
}
template <class T, class Primal>
T &primal_or_self(T & /*object*/, const Primal *primal) {
  return const_cast<T &>(*primal);
}

/// Copies the objects to their images; returns the end of these.
template <int Links = 0, class T>
std::byte *keep_image(T &object, T &primal, ImagedObjects &imaged, std::byte *image) {
  std::memcpy(image, static_cast<const void *>(&object), sizeof(T));
  image += sizeof(T);
  each_inner_object(
      object, primal, [&](auto &inner, auto &of_primal) { image = keep_image<Links>(inner, of_primal, imaged, image); },
      [&](auto *linked, auto *of_primal) {
        if (Links == most_links || linked == of_primal || !linked || !imaged.add(linked))
          linked = nullptr;
        std::memcpy(image, &linked, sizeof(linked));
        image += sizeof(linked);
        if constexpr (Links < most_links)
          if (linked)
            image = keep_image<Links + 1>(*linked, of_primal ? *of_primal : *linked, imaged, image);
      });
  return image;
}

/// The linked object whose address stands in front of its image; null where it has no image.
template <class T>
T *followed_object(const T * /*linked*/, std::byte *&image) {
  T *followed = nullptr;
  std::memcpy(&followed, image, sizeof(followed));
  image += sizeof(followed);
  return followed;
}

/// Puts the images in place of what stands in the objects; an object leads to those in it once its own image is there.
template <int Links = 0, class T>
std::byte *enter_image(T &object, std::byte *image) {
  exchange_own_image(object, image);
  image += sizeof(T);
  each_inner_object(
      object, object, [&](auto &inner, auto & /*primal*/) { image = enter_image<Links>(inner, image); },
      [&](auto *linked, auto * /*primal*/) {
        linked = followed_object(linked, image);
        if constexpr (Links < most_links)
          if (linked)
            image = enter_image<Links + 1>(*linked, image);
      });
  return image;
}

/// The opposite, in the opposite order.
template <int Links = 0, class T>
std::byte *leave_image(T &object, std::byte *image) {
  std::byte *end = image + sizeof(T);
  each_inner_object(
      object, object, [&](auto &inner, auto & /*primal*/) { end = leave_image<Links>(inner, end); },
      [&](auto *linked, auto * /*primal*/) {
        linked = followed_object(linked, end);
        if constexpr (Links < most_links)
          if (linked)
            end = leave_image<Links + 1>(*linked, end);
      });
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
