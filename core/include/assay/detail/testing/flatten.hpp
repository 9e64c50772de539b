#pragma once
// C++ values as flat vectors and back: scalars, and containers of anything that can be flattened. A span is flattened
// as the memory that it refers to, of which a test has its own copy between guards.

#include <assay/detail/containers.hpp>
#include <assay/testing/subject.hpp>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <string>

namespace assay::detail {

/// The scalar that a value is made of; void where it cannot be flattened.
template <class T>
struct LeafOf {
  using type = void;
};
template <std::floating_point T>
struct LeafOf<T> {
  using type = T;
};
template <std::integral T>
struct LeafOf<T> {
  using type = T;
};
template <class T>
  requires is_container<T> && (!std::same_as<T, std::vector<bool>>)
struct LeafOf<T> : LeafOf<std::remove_cv_t<typename T::value_type>> {};

template <class T>
using leaf_of = typename LeafOf<std::remove_cvref_t<T>>::type;
template <class T>
inline constexpr bool is_flat = !std::is_void_v<leaf_of<T>>;
template <class T>
inline constexpr bool is_differentiable = std::floating_point<leaf_of<T>>;

template <class T>
consteval testutils::ElementType element_type_of() {
  using enum testutils::ElementType;
  using Leaf = leaf_of<T>;
  if constexpr (std::same_as<Leaf, float>)
    return single_precision;
  else if constexpr (std::same_as<Leaf, long double>)
    return long_double;
  else
    return std::floating_point<Leaf> ? double_precision : integer;
}

/// Visits all scalars in memory order.
template <class T, class Visit>
void for_each_leaf(T &value, Visit &&visit) {
  if constexpr (is_container<std::remove_cv_t<T>>)
    for (auto &element : value)
      for_each_leaf(element, visit);
  else
    visit(value);
}

template <class T>
testutils::Values flatten(const T &value) {
  testutils::Values flat;
  if constexpr (is_flat<T>)
    for_each_leaf(value, [&](const auto &leaf) { flat.push_back(static_cast<double>(leaf)); });
  return flat;
}

/// Writes flat numbers into a value of the right shape; numbers that are missing are zero. Integers keep what they
/// hold.
template <class T>
void unflatten(const testutils::Values &flat, T &value) {
  std::size_t next = 0;
  if constexpr (is_differentiable<T>)
    for_each_leaf(value, [&]<class Leaf>(Leaf &leaf) {
      leaf = next < flat.size() ? static_cast<Leaf>(flat[next]) : Leaf{};
      ++next;
    });
}

/// The extents of a container of scalars; empty for a scalar and for what is nested.
template <class T>
std::vector<std::size_t> extents_of(const T &value) {
  if constexpr (is_container<T>)
    return {flatten(value).size()};
  else if constexpr (is_flat<T>)
    return {};
  else
    return {0};
}

template <class T>
void append_paths(const T &value, const std::string &path, std::vector<std::string> &paths) {
  if constexpr (is_container<T>)
    for (std::size_t index = 0; index < value.size(); ++index)
      append_paths(value[index], path + "[" + std::to_string(index) + "]", paths);
  else
    paths.push_back(path);
}

/// Paths of the elements where they do not follow from name and extents: `x[1][0]`.
template <class T>
std::vector<std::string> paths_of(const T &value, const std::string &name) {
  std::vector<std::string> paths;
  if constexpr (is_container<T> && is_flat<T>)
    if constexpr (is_container<std::remove_cv_t<typename T::value_type>>)
      append_paths(value, name, paths);
  return paths;
}

/// A test's own copy of a value, in the form in which the function takes it.
template <class T>
class Copy {
public:
  explicit Copy(const T &original) : value(original) {}
  T &view() { return value; }
  bool guards_intact() const { return true; }

private:
  T value;
};

template <class E, std::size_t N>
class Copy<std::span<E, N>> {
public:
  explicit Copy(std::span<E, N> original)
      : memory(original.size() + 2 * guard_elements, static_cast<Element>(guard)),
        span(memory.data() + guard_elements, original.size()) {
    std::copy(original.begin(), original.end(), memory.begin() + guard_elements);
  }
  Copy(Copy &&) = delete;
  std::span<E, N> &view() { return span; }
  /// The elements themselves, also of a span of const.
  std::span<std::remove_const_t<E>> elements() {
    return {memory.data() + guard_elements, memory.size() - 2 * guard_elements};
  }
  bool guards_intact() const {
    const auto is_guard = [](Element element) { return element == static_cast<Element>(guard); };
    return std::all_of(memory.begin(), memory.begin() + guard_elements, is_guard) &&
           std::all_of(memory.end() - guard_elements, memory.end(), is_guard);
  }

private:
  using Element = std::remove_const_t<E>;
  static constexpr std::ptrdiff_t guard_elements = 8;
  static constexpr double guard = -123457;
  std::vector<Element> memory;
  std::span<E, N> span;
};

template <class T>
void fill(Copy<T> &copy, const testutils::Values &flat) {
  unflatten(flat, copy.view());
}
template <class E, std::size_t N>
void fill(Copy<std::span<E, N>> &copy, const testutils::Values &flat) {
  auto elements = copy.elements();
  unflatten(flat, elements);
}

} // namespace assay::detail
