#pragma once
// C++ values as flat vectors of their real numbers, and back.
//
//     auto [numbers, from_vec] = to_vec(network);        // std::vector<double>
//     auto moved = from_vec(numbers + h * direction);    // a network of its own, of the same shape
//
// Numbers are taken in the order of declaration, from scalars, complex numbers, arrays, containers, tuples, optionals,
// variants, smart pointers, pointers to objects, plain structs and, with <assay/eigen.hpp>, Eigen's matrices; nested as
// one likes. A buffer that is reached twice is taken once, and the value that is rebuilt shares it in the same way;
// cycles end. Integers, strings and constant members are left as they are.

#include "assay/rebuilt.hpp"

#include <algorithm>
#include <concepts>
#include <memory>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace assay {

/// The type of the numbers of a T, the widest if there are several.
template <class T>
using number_type = std::conditional_t<std::is_void_v<detail::number_of<T>>, double, detail::number_of<T>>;

template <class T>
std::size_t count_numbers(const T &x) {
  std::size_t count = 0;
  detail::for_each_number(x, [&](const auto &, const detail::Path &) { ++count; });
  return count;
}

/// The numbers of `x`.
template <class T>
std::vector<number_type<T>> numbers_of(const T &x) {
  std::vector<number_type<T>> numbers;
  detail::for_each_number(
      x, [&](const auto &number, const detail::Path &) { numbers.push_back(static_cast<number_type<T>>(number)); });
  return numbers;
}

/// Writes numbers into `x`, in place. Throws std::invalid_argument unless there are as many as `x` has.
template <class T, std::ranges::random_access_range Numbers>
void set_numbers(T &x, const Numbers &numbers) {
  const auto given = static_cast<std::size_t>(std::ranges::size(numbers)), needed = count_numbers(x);
  if (given != needed)
    throw std::invalid_argument("assay: a value of " + std::to_string(needed) + " numbers cannot be made from " +
                                std::to_string(given));
  auto next = std::ranges::begin(numbers);
  detail::for_each_number(
      x, [&]<class Number>(Number &number, const detail::Path &) { number = static_cast<Number>(*next++); });
}

/// The paths of the numbers of `x` in their order: `x.layers[1].weight(2, 0)`.
template <class T>
std::vector<std::string> number_paths(const T &x, std::string_view name = "x") {
  std::vector<std::string> paths;
  detail::for_each_number(x, [&](const auto &, const detail::Path &path) { paths.push_back(path.text()); }, name);
  return paths;
}

/// A value like `like`, made of other numbers.
template <std::ranges::random_access_range Numbers, class T>
auto from_vec(const Numbers &numbers, const T &like) {
  auto made = duplicate(like);
  set_numbers(detail::value_of(made), numbers);
  return made;
}

/// Makes values of the shape that to_vec saw; it has a copy of its own.
template <class T>
class FromVec {
public:
  explicit FromVec(const T &x) : like(std::make_shared<Kept>(duplicate(x))) {}

  auto operator()(std::span<const number_type<T>> numbers) const {
    return from_vec(numbers, static_cast<const Value &>(detail::value_of(*like)));
  }

private:
  using Kept = decltype(duplicate(std::declval<const T &>()));
  using Value = std::remove_reference_t<decltype(detail::value_of(std::declval<Kept &>()))>;
  std::shared_ptr<Kept> like;
};

template <class T>
struct Flattened {
  std::vector<number_type<T>> numbers;
  FromVec<T> from_vec;
};

template <class T>
Flattened<T> to_vec(const T &x) {
  return {numbers_of(x), FromVec<T>(x)};
}

} // namespace assay
