#pragma once
// Rules from pairs, as ChainRules has them:
//
//   rrule(x...)          returns {value, pullback}; pullback(dy) the tuple of the arguments' cotangents
//   frule(tangents, x...) returns {value, tangent}; `tangents` is the tuple of the arguments' tangents
//
// A cotangent is None where there is none, a number, or an object of the argument's shape, whose numbers are added to
// the shadow. Nothing is said of arguments that the function writes to, so such functions are refused.

#include "assay/detail/rules/results.hpp"
#include <stdexcept>

namespace assay::rules {

/// Adds the numbers of `increment` to those of `sum`, which has the same shape.
template <class Sum, class Increment>
void add_numbers(Sum &sum, const Increment &increment) {
  if constexpr (std::is_arithmetic_v<Sum>) {
    sum += increment;
  } else if constexpr (requires { sum += increment; }) {
    sum += increment;
  } else if constexpr (requires {
                         sum.data();
                         sum.size();
                         increment.data();
                         increment.size();
                       }) {
    if (static_cast<std::size_t>(sum.size()) != static_cast<std::size_t>(increment.size()))
      throw std::invalid_argument("assay: a pullback returned a cotangent of another length than its argument");
    for (std::size_t index = 0; index < static_cast<std::size_t>(sum.size()); ++index)
      add_numbers(sum.data()[index], increment.data()[index]);
  } else {
    std::vector<long double> numbers;
    assay::detail::for_each_number(
        const_cast<Increment &>(increment),
        [&]<class Number>(Number &number, const assay::detail::Path &) { numbers.push_back(number); });
    std::size_t next = 0;
    assay::detail::for_each_number(sum, [&]<class Number>(Number &number, const assay::detail::Path &) {
      if (next == numbers.size())
        throw std::invalid_argument("assay: a pullback returned a cotangent with fewer numbers than its argument");
      number += static_cast<Number>(numbers[next++]);
    });
  }
}

namespace detail {

template <class A>
using tangent_type = std::remove_cvref_t<typename A::Value>;

/// The tangent of an argument; zeros of its shape where it is constant.
template <class A>
tangent_type<A> tangent_of(const A &argument, int lane) {
  if constexpr (A::is_number) {
    return argument.shadow(lane);
  } else if constexpr (std::is_integral_v<tangent_type<A>> || std::is_enum_v<tangent_type<A>>) {
    return tangent_type<A>{};
  } else {
    if (argument.is_active())
      return argument.shadow(lane);
    return make_zero(argument.value);
  }
}

template <class Pair>
consteval bool is_pair() {
  constexpr bool is_pair = number_of_elements<std::remove_cvref_t<Pair>> == 2;
  static_assert(is_pair, "assay: the function of an imported rule returns a pair: {value, pullback} for import_rrule, "
                         "{value, tangent} for import_frule");
  return is_pair;
}

template <class A, class Cotangent>
void add_cotangent(const A &argument, int lane, const Cotangent &cotangent) {
  if constexpr (!std::is_same_v<Cotangent, None> && !std::is_integral_v<tangent_type<A>>) {
    if (A::is_number || argument.is_active())
      add_numbers(argument.shadow(lane), cotangent);
  }
}

} // namespace detail

/// A rule for reverse mode from a function that returns {value, pullback}: `ASSAY_RULE(import_rrule<pair>, f);`
template <auto RRule>
struct import_rrule : detail::Imported {
  static auto augmented_primal(const auto & /*config*/, auto... x) {
    if constexpr (detail::is_pair<decltype(RRule(x.value...))>()) {
      auto [value, pullback] = RRule(x.value...);
      return AugmentedReturn{std::move(value), None{}, std::move(pullback)};
    }
  }
  static void reverse(const auto &config, const auto &dy, const auto &pullback, auto... x) {
    if constexpr (!std::is_same_v<std::remove_cvref_t<decltype(pullback)>, None>)
      for (const int lane : config.lanes()) {
        const auto cotangents = pullback(dy(lane));
        static_assert(
            detail::number_of_elements<std::remove_cvref_t<decltype(cotangents)>> == int(sizeof...(x)),
            "assay: the pullback returns a tuple with one cotangent for each argument, None where there is none");
        std::apply([&](const auto &...cotangent) { (detail::add_cotangent(x, lane, cotangent), ...); }, cotangents);
      }
  }
};

/// A rule for forward mode from a function that returns {value, tangent}: `ASSAY_RULE(import_frule<pair>, f);`
template <auto FRule>
struct import_frule : detail::Imported {
  /// One tangent: asked for once for each lane.
  static auto forward(const auto & /*config*/, auto... x) {
    using Pair = decltype(FRule(std::tuple{detail::tangent_of(x, 0)...}, x.value...));
    if constexpr (detail::is_pair<Pair>()) {
      auto [value, tangent] = FRule(std::tuple{detail::tangent_of(x, 0)...}, x.value...);
      return Duplicated<decltype(value), decltype(tangent)>{std::move(value), std::move(tangent)};
    }
  }
};

} // namespace assay::rules
