#pragma once
// C++ values as the flat vectors of a test, by the traversal of to_vec. A span is flattened as the memory that it
// refers to, of which a test has its own copy between guards.

#include <assay/detail/containers.hpp>
#include <assay/testing/subject.hpp>
#include <assay/to_vec.hpp>

#include <algorithm>
#include <concepts>
#include <string>

namespace assay::detail {

/// A number of its own, passed by value.
template <class T>
inline constexpr bool is_scalar = std::is_arithmetic_v<T>;

/// The values that the check may differentiate: everything with numbers, except a view of a library's matrix and a raw
/// pointer, of which a test cannot have a copy in the form that the function takes.
template <class T>
inline constexpr bool is_differentiable = HasNumbers<T> && !SummaryOf<T>::views && !std::is_pointer_v<T>;

/// A result is stored in memory that is there before the call, so it must not bring its own.
template <class T>
inline constexpr bool is_differentiable_result =
    is_differentiable<T> && !SummaryOf<T>::refers && std::default_initializable<T> && std::is_copy_assignable_v<T>;

/// Integers are flattened too where there are no numbers, so that messages show them.
template <class T>
inline constexpr bool is_flat_integer =
    !is_differentiable<T> && Traversable<T> && SummaryOf<T>::integers && !SummaryOf<T>::refers;
template <class T>
inline constexpr bool is_flat = is_differentiable<T> || is_flat_integer<T> || (is_any_span<T> && Traversable<T>);

/// Something with memory of its own, which is passed by its address.
template <class T>
inline constexpr bool is_in_memory = !is_scalar<T> && (is_differentiable<T> || is_container<T>);

template <class T>
consteval testutils::ElementType element_type_of() {
  using enum testutils::ElementType;
  if constexpr (is_differentiable<T>) {
    if constexpr (std::same_as<number_of<T>, float>)
      return single_precision;
    else
      return std::same_as<number_of<T>, long double> ? long_double : double_precision;
  } else {
    return is_flat_integer<T> || is_any_span<T> ? integer : double_precision;
  }
}

template <class T>
testutils::Values flatten(const T &value) {
  testutils::Values flat;
  if constexpr (is_flat<T>)
    for_each_number<is_differentiable<T> ? Wanted::numbers : Wanted::integers>(
        value, [&](const auto &leaf, const Path &) { flat.push_back(static_cast<double>(leaf)); });
  return flat;
}

/// Writes flat numbers into a value of the right shape; numbers that are missing are zero. Integers keep what they
/// hold.
template <class T>
void unflatten(const testutils::Values &flat, T &value) {
  std::size_t next = 0;
  if constexpr (is_differentiable<T>)
    for_each_number(value, [&]<class Number>(Number &number, const Path &) {
      number = next < flat.size() ? static_cast<Number>(flat[next]) : Number(0);
      ++next;
    });
}

/// A container whose elements are numbers: its elements need no names.
template <class T>
inline constexpr bool is_row = [] {
  if constexpr (is_container<T>)
    return std::is_arithmetic_v<typename T::value_type>;
  else
    return false;
}();

/// The extents of a container of scalars; empty for a scalar.
template <class T>
std::vector<std::size_t> extents_of(const T &value) {
  if constexpr (is_scalar<T>)
    return {};
  else
    return {flatten(value).size()};
}

/// Paths of the elements where they do not follow from name and extents: `x.layers[1].weight[0]`.
template <class T>
std::vector<std::string> paths_of(const T &value, const std::string &name) {
  std::vector<std::string> paths;
  if constexpr (is_flat<T> && !is_scalar<T> && !is_row<T>)
    for_each_number<is_differentiable<T> ? Wanted::numbers : Wanted::integers>(
        value, [&](const auto &, const Path &path) { paths.push_back(path.text()); }, name);
  return paths;
}

/// The element types of the numbers where they are not all of one.
template <class T>
std::vector<testutils::ElementType> element_types_of(const T &value) {
  std::vector<testutils::ElementType> types;
  if constexpr (is_differentiable<T> && !is_scalar<T> && !is_row<T>) {
    for_each_number(value, [&]<class Number>(const Number &, const Path &) {
      types.push_back(element_type_of<std::remove_const_t<Number>>());
    });
    const auto differs = [](testutils::ElementType type) { return type != element_type_of<T>(); };
    if (std::none_of(types.begin(), types.end(), differs))
      types.clear();
  }
  return types;
}

/// A test's copy of a given value, which shares all that the value shares, also with itself. A span goes on
/// referring to the caller's memory; every call copies that.
template <class T>
class Original {
public:
  explicit Original(const T &given) : kept(copied(given)) {}
  const T &get() const { return value_of(kept); }

private:
  static auto copied(const T &given) {
    if constexpr (!is_differentiable<T> || is_any_span<T>)
      return given;
    else
      return duplicate(given);
  }
  decltype(copied(std::declval<const T &>())) kept;
};

/// A test's own copy of a value, in the form in which the function takes it.
template <class T>
class Copy {
public:
  explicit Copy(const T &original) : copy(copied(original)) {}
  T &view() { return value_of(copy); }
  bool guards_intact() const { return true; }
  void poison_guards() {}

private:
  /// An opaque class is copied as its author says.
  static auto copied(const T &original) {
    if constexpr (is_differentiable<T>)
      return duplicate(original);
    else
      return original;
  }
  decltype(copied(std::declval<const T &>())) copy;
};

template <class E, std::size_t N>
  requires std::is_arithmetic_v<E>
class Copy<std::span<E, N>> {
public:
  explicit Copy(std::span<E, N> original)
      : memory(original.size() + 2 * guard_elements, guard), span(memory.data() + guard_elements, original.size()) {
    std::copy(original.begin(), original.end(), memory.begin() + guard_elements);
  }
  Copy(Copy &&) = delete;
  std::span<E, N> &view() { return span; }
  bool guards_intact() const {
    const auto is_guard = [&](Element element) {
      return element == guard || (element != element && guard != guard); // NOLINT(misc-redundant-expression): NaNs.
    };
    return std::all_of(memory.begin(), memory.begin() + guard_elements, is_guard) &&
           std::all_of(memory.end() - guard_elements, memory.end(), is_guard);
  }
  /// Reads of the guards show then.
  void poison_guards() {
    if constexpr (std::floating_point<Element>) {
      guard = std::numeric_limits<Element>::signaling_NaN();
      std::fill(memory.begin(), memory.begin() + guard_elements, guard);
      std::fill(memory.end() - guard_elements, memory.end(), guard);
    }
  }

private:
  using Element = std::remove_const_t<E>;
  static constexpr std::ptrdiff_t guard_elements = 8;
  Element guard = static_cast<Element>(-123457);
  std::vector<Element> memory;
  std::span<E, N> span;
};

/// A span of anything else, without guards.
template <class E, std::size_t N>
  requires(!std::is_arithmetic_v<E>)
class Copy<std::span<E, N>> {
public:
  explicit Copy(std::span<E, N> original) : memory(original.begin(), original.end()), span(memory) {}
  Copy(Copy &&) = delete;
  std::span<E, N> &view() { return span; }
  bool guards_intact() const { return true; }
  void poison_guards() {}

private:
  std::vector<std::remove_const_t<E>> memory;
  std::span<E, N> span;
};

template <class T>
void fill(Copy<T> &copy, const testutils::Values &flat) {
  unflatten(flat, copy.view());
}

} // namespace assay::detail
