#pragma once
// Arguments of a kernel as a test gives them: containers for pointers, everything else by value.

#include <assay/detail/testing/callable.hpp>
#include <assay/testing/kernel_subject.hpp>

#include <cstring>
#include <memory>
#include <ranges>
#include <string>
#include <vector>

namespace assay::detail::gpu {

/// Its numbers are within its own bytes.
template <class T>
inline constexpr bool has_numbers_in_it = [] {
  if constexpr (std::is_arithmetic_v<T>)
    return true;
  else if constexpr (Traversable<T>)
    return !SummaryOf<T>::refers && (is_differentiable<T> || is_flat_integer<T>);
  else
    return false;
}();

template <class T>
concept Buffer = std::ranges::contiguous_range<const T> && std::ranges::sized_range<const T>;

/// How the check sees an argument of type T for a parameter P.
template <class P, class T, Differentiated D>
struct KernelModel {
  using Declared = P;
  using Held = std::remove_cv_t<std::remove_pointer_t<P>>;
  static constexpr bool is_pointer = std::is_pointer_v<P>;
  static_assert(!is_pointer || Buffer<T>,
                "assay: for a pointer of the kernel give a std::vector, std::span, std::array or array of the host; "
                "the test copies it to the device and back");
  static_assert(is_pointer || std::is_convertible_v<T, P>, "assay: the argument does not convert to the parameter");
  static_assert(std::is_trivially_copyable_v<Held>, "assay: what a kernel gets is trivially copyable");
  static constexpr bool in_memory = is_pointer || std::is_class_v<P>;
  static constexpr bool writable = is_pointer && !std::is_const_v<std::remove_pointer_t<P>>;
  static constexpr bool differentiable = [] {
    if constexpr (has_numbers_in_it<Held>)
      return is_differentiable<Held> && D == Differentiated::perhaps;
    else
      return false;
  }();
  /// Active numbers flow into memory that may be written, so that it has no derivative as Const.
  static constexpr bool is_output = writable && differentiable;
};

/// The objects whose bytes the device gets.
template <class Model, class T>
std::vector<typename Model::Held> objects_of(const T &given) {
  if constexpr (Model::is_pointer) {
    using Element = std::remove_cvref_t<std::ranges::range_reference_t<const T>>;
    static_assert(std::is_same_v<Element, typename Model::Held>,
                  "assay: the elements of the argument are not what the kernel's pointer points to");
    return {std::ranges::begin(given), std::ranges::end(given)};
  } else {
    return {static_cast<typename Model::Held>(given)};
  }
}

template <class Number>
testutils::KernelNumber number_at(const Number &number, const std::byte *begin) {
  testutils::KernelNumber found;
  found.offset = static_cast<std::size_t>(reinterpret_cast<const std::byte *>(&number) - begin);
  found.size = sizeof(Number);
  if constexpr (std::is_floating_point_v<Number>) {
    static_assert(sizeof(Number) <= 8, "assay: a device has no long double");
    found.type = element_type_of<Number>();
  } else {
    found.type = testutils::ElementType::integer;
    found.is_signed = std::is_signed_v<Number>;
  }
  return found;
}

/// As it flattens.
template <class Model>
std::vector<testutils::KernelNumber> numbers_of(const std::vector<typename Model::Held> &objects) {
  using Held = typename Model::Held;
  std::vector<testutils::KernelNumber> numbers;
  if constexpr (has_numbers_in_it<Held>) {
    const auto *begin = reinterpret_cast<const std::byte *>(objects.data());
    for_each_number<is_differentiable<Held> ? Wanted::numbers : Wanted::integers>(
        objects, [&](const auto &number, const Path &) { numbers.push_back(number_at(number, begin)); });
  }
  return numbers;
}

template <class Model>
testutils::Parameter parameter_of(const std::string &name, const std::vector<typename Model::Held> &objects,
                                  std::size_t numbers) {
  using Held = typename Model::Held;
  testutils::Parameter parameter;
  parameter.name = name;
  parameter.passing = Model::in_memory ? testutils::Passing::buffer : testutils::Passing::value;
  parameter.constant_only = !Model::differentiable;
  parameter.element = testutils::ElementType::integer;
  if constexpr (has_numbers_in_it<Held>) {
    if constexpr (Model::is_pointer) {
      parameter.element = element_type_of<std::vector<Held>>();
      parameter.element_paths = paths_of(objects, name);
      parameter.element_types = element_types_of(objects);
    } else {
      parameter.element = element_type_of<Held>();
      parameter.element_paths = paths_of(objects.front(), name);
      parameter.element_types = element_types_of(objects.front());
    }
  }
  if (Model::in_memory || !has_numbers_in_it<Held>)
    parameter.extents = {numbers};
  return parameter;
}

template <class Model, class T>
testutils::KernelArgument kernel_argument(const std::vector<std::string> &names, std::size_t index, const T &given) {
  const auto objects = objects_of<Model>(given);
  testutils::KernelArgument argument;
  argument.is_pointer = Model::is_pointer;
  argument.bytes.resize(objects.size() * sizeof(typename Model::Held));
  if (!objects.empty())
    std::memcpy(argument.bytes.data(), objects.data(), argument.bytes.size());
  argument.numbers = numbers_of<Model>(objects);
  argument.parameter = parameter_of<Model>(index < names.size() ? names[index] : "x" + std::to_string(index + 1),
                                           objects, argument.numbers.size());
  return argument;
}

} // namespace assay::detail::gpu
