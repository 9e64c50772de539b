#pragma once
// Adds a derivative that a rule returns to the shadow of its argument, number by number.

#include "assay/make_zero.hpp"
#include "assay/to_vec.hpp"
#include <cstddef>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace assay::rules {

template <class Sum, class Increment>
void add_numbers(Sum &sum, const Increment &increment);

namespace detail {

/// Of two tuples, pairs or plain structs of one type, part by part.
template <class T>
void add_parts(T &sum, const T &increment) {
  const auto add = [](auto &&sums, auto &&increments) {
    [&]<std::size_t... I>(std::index_sequence<I...> /*parts*/) {
      (add_numbers(std::get<I>(sums), std::get<I>(increments)), ...);
    }(std::make_index_sequence<std::tuple_size_v<std::remove_cvref_t<decltype(sums)>>>());
  };
  if constexpr (assay::detail::kind_of<T>() == assay::detail::Kind::tuple)
    add(sum, increment);
  else
    assay::detail::with_fields(sum, [&](auto &...sums) {
      assay::detail::with_fields(const_cast<T &>(increment),
                                 [&](auto &...increments) { add(std::tie(sums...), std::tie(increments...)); });
    });
}

[[noreturn]] inline void refuse_derivative(std::size_t numbers, std::size_t places) {
  throw std::invalid_argument("assay: a rule returned a derivative with " + std::to_string(numbers) +
                              " numbers for an argument with " + std::to_string(places));
}

/// Two matrices, whose class adds them without a look at their sizes.
template <class Sum, class Increment>
void require_same_extents(const Sum &sum, const Increment &increment) {
  if constexpr (requires { sum.rows() * sum.cols(), increment.rows() * increment.cols(); })
    if (sum.rows() != increment.rows() || sum.cols() != increment.cols())
      refuse_derivative(static_cast<std::size_t>(increment.rows() * increment.cols()),
                        static_cast<std::size_t>(sum.rows() * sum.cols()));
}

/// As the traversal meets them.
template <class Sum, class Increment>
void add_in_order(Sum &sum, const Increment &increment) {
  std::vector<long double> numbers;
  assay::detail::for_each_number(
      const_cast<Increment &>(increment),
      [&]<class Number>(Number &number, const assay::detail::Path &) { numbers.push_back(number); });
  std::size_t next = 0, places = 0;
  assay::detail::for_each_number(sum, [&](auto &, const assay::detail::Path &) { ++places; });
  if (places != numbers.size())
    refuse_derivative(numbers.size(), places);
  assay::detail::for_each_number(sum, [&]<class Number>(Number &number, const assay::detail::Path &) {
    number += static_cast<Number>(numbers[next++]);
  });
}

} // namespace detail

/// Adds the numbers of `increment` to those of `sum`, which has the same shape.
template <class Sum, class Increment>
void add_numbers(Sum &sum, const Increment &increment) {
  if constexpr (std::is_floating_point_v<Sum>) {
    sum += static_cast<Sum>(increment);
  } else if constexpr (!assay::detail::HasNumbers<Sum> || std::is_const_v<Sum>) {
    return;
  } else if constexpr (requires { sum += increment; }) {
    detail::require_same_extents(sum, increment);
    sum += increment;
  } else if constexpr (requires {
                         sum.data();
                         sum.size();
                         increment.data();
                         increment.size();
                       }) {
    if (static_cast<std::size_t>(sum.size()) != static_cast<std::size_t>(increment.size()))
      detail::refuse_derivative(static_cast<std::size_t>(increment.size()), static_cast<std::size_t>(sum.size()));
    for (std::size_t index = 0; index < static_cast<std::size_t>(sum.size()); ++index)
      add_numbers(sum.data()[index], increment.data()[index]);
  } else if constexpr (std::is_same_v<Sum, Increment> && (assay::detail::kind_of<Sum>() == assay::detail::Kind::tuple ||
                                                          assay::detail::PlainStruct<Sum>)) {
    detail::add_parts(sum, increment);
  } else {
    detail::add_in_order(sum, increment);
  }
}

} // namespace assay::rules
