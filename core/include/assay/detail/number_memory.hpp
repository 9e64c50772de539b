#pragma once
// The memory in which an argument's containers keep their numbers, noted before a call in reverse mode. A function that
// replaces it (push_back beyond the capacity, a matrix of another size) loses the derivatives that are added to the
// shadow of the old one. Memory behind pointers and spans is left alone: it is not the argument's own.

#include "assay/detail/traverse/walk.hpp"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace assay::detail {

/// Where containers of numbers keep them. A visitor that calls `use(address)` for each that is not empty.
template <class Use>
struct MemoryOfNumbers {
  Use &use;

  template <class T>
  void number(T & /*x*/, const Path & /*path*/) {}
  template <class T>
  void integer(T & /*x*/, const Path & /*path*/) {}
  void owned(const void * /*begin*/, std::size_t /*bytes*/) {}
  template <class T>
  void grows(T &container) {
    if constexpr (has_movable_numbers<T, typename Summary<T>::Parts>)
      if (const auto begin = reinterpret_cast<std::uintptr_t>(begin_of(container)); begin != 0)
        use(begin);
  }
  template <class R, class E>
  void reference(R & /*reference*/, const Target<E> & /*target*/, const Path & /*path*/) {}

private:
  template <class T>
  static const void *begin_of(T &container) {
    const void *begin = nullptr;
    if constexpr (kind_of<T>() == Kind::custom)
      Traversal<T>::memory(container, [&](const void *at, std::size_t bytes) { begin = bytes > 0 ? at : nullptr; });
    else if (!container.empty())
      begin = container.data();
    return begin;
  }
};

/// Addresses as integers, of which nothing has a shadow, in order. They are in a vector, of which derivatives of
/// derivatives see no more than its address, as an integer: an array beside the pointers of a call would make these
/// look like one kind of memory.
using Blocks = std::vector<std::uintptr_t>;
using NotedMemory = std::uintptr_t;

/// Zeros behind the elements of a shadow's vectors, where the function may put new ones: nothing is their adjoint yet.
struct ZeroReserve {
  template <class T>
  void number(T & /*x*/, const Path & /*path*/) {}
  template <class T>
  void integer(T & /*x*/, const Path & /*path*/) {}
  void owned(const void * /*begin*/, std::size_t /*bytes*/) {}
  template <class T>
  void grows(T &container) {
    if constexpr (is_instance<T, std::vector>)
      if constexpr (std::is_trivially_copyable_v<typename T::value_type> &&
                    std::default_initializable<typename T::value_type>) {
        const std::size_t size = container.size();
        container.resize(container.capacity());
        container.resize(size);
      }
  }
  template <class R, class E>
  void reference(R & /*reference*/, const Target<E> & /*target*/, const Path & /*path*/) {}
};

// Where derivatives are differentiated, these functions carry none.

template <class T>
[[gnu::noinline, clang::annotate("enzyme_inactive")]] void zero_reserve(T &shadow) {
  ZeroReserve visitor;
  walk(shadow, visitor, Path(""));
}

[[gnu::noinline, clang::annotate("enzyme_inactive")]] inline void forget_number_memory(NotedMemory &noted) {
  delete reinterpret_cast<Blocks *>(noted);
  noted = 0;
}
template <class T>
[[gnu::noinline, clang::annotate("enzyme_inactive")]] void note_number_memory(T &object, NotedMemory &noted) {
  forget_number_memory(noted);
  Blocks blocks;
  const auto note = [&](std::uintptr_t begin) { blocks.push_back(begin); };
  MemoryOfNumbers<decltype(note)> visitor{note};
  walk(object, visitor, Path(""));
  if (blocks.empty())
    return;
  std::sort(blocks.begin(), blocks.end());
  noted = reinterpret_cast<std::uintptr_t>(new Blocks(std::move(blocks)));
}
template <class T>
[[gnu::noinline, clang::annotate("enzyme_inactive")]] bool keeps_number_memory(T &object, const NotedMemory &noted) {
  if (noted == 0)
    return true;
  const Blocks &blocks = *reinterpret_cast<const Blocks *>(noted);
  std::size_t found = 0;
  const auto find = [&](std::uintptr_t begin) {
    found += std::binary_search(blocks.begin(), blocks.end(), begin) ? 1 : 0;
  };
  MemoryOfNumbers<decltype(find)> visitor{find};
  walk(object, visitor, Path(""));
  return found == blocks.size();
}

[[noreturn, gnu::noinline, clang::annotate("enzyme_inactive")]] inline void refuse_moved(std::size_t position,
                                                                                         bool is_vector) {
  throw std::logic_error("assay: argument " + std::to_string(position) + (is_vector ? " is" : " is or holds") +
                         " a vector that the function makes longer than its memory" +
                         (is_vector ? "" : ", or a matrix that it gives other memory") +
                         ", so that its derivative is lost; reserve the memory of value and shadow before the call");
}

/// The addresses noted of one argument of type T.
template <class T>
class NumberMemory {
public:
  NumberMemory() = default;
  NumberMemory(NumberMemory && /*other*/) noexcept {} // Moved before anything is noted.
  NumberMemory &operator=(NumberMemory &&) = delete;
  ~NumberMemory() {
    if (noted_ != 0)
      forget_number_memory(noted_);
  }
  void note(T &object) { note_number_memory(object, noted_); }
  void require_unmoved(T &object, std::size_t position) const {
    if (!keeps_number_memory(object, noted_))
      refuse_moved(position, false);
  }

private:
  NotedMemory noted_ = 0;
};

/// A vector of numbers.
template <class T>
  requires(is_vector<T> && has_movable_numbers<T, typename Summary<T>::Parts> &&
           std::is_arithmetic_v<typename T::value_type>)
class NumberMemory<T> {
public:
  void note(const T &object) { noted_ = object.data(); }
  void require_unmoved(const T &object, std::size_t position) const {
    if (noted_ != nullptr && object.data() != noted_)
      refuse_moved(position, true);
  }

private:
  const void *noted_ = nullptr;
};

} // namespace assay::detail
