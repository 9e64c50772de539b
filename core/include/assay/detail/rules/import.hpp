#pragma once
// Rules from pairs, as ChainRules has them:
//
//   rrule(x...)          returns {value, pullback}; pullback(dy) the tuple of the arguments' cotangents
//   frule(tangents, x...) returns {value, tangent}; `tangents` is the tuple of the arguments' tangents
//
// A cotangent is None where there is none, a number, or an object of the argument's shape, whose numbers are added to
// the shadow. Nothing is said of arguments that the function writes to, so such functions are refused.

#include "assay/detail/rules/results.hpp"
#include "assay/detail/rules/sentence.hpp"

namespace assay::rules {

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

/// The readable error for a pair that is not for the function.
template <auto Function, class... Given>
consteval bool takes() {
  constexpr bool takes = std::is_invocable_v<decltype(Function), Given...>;
  ASSAY_STATIC_ASSERT_SENTENCE(
      takes,
      sentence("assay: the function of an imported rule takes what the function takes: rrule(x...), "
               "frule(tangents, x...); this one takes ",
               parameters_of<decltype(Function)>(), ", and is given ", Parameters<std::remove_cvref_t<Given>...>()));
  return takes;
}

/// The readable error for an object that is no pullback.
template <class Pullback, class Adjoint>
consteval bool is_pullback() {
  constexpr bool is_pullback = std::is_invocable_v<const Pullback &, Adjoint>;
  constexpr bool is_function = std::is_class_v<Pullback> || has_signature<Pullback>;
  ASSAY_STATIC_ASSERT_SENTENCE(
      is_pullback,
      sentence("assay: the second of the pair of import_rrule is the pullback, a function of the adjoint of "
               "the result, which is a ",
               TypeName<std::remove_cvref_t<Adjoint>>(), is_function ? "; this one takes " : "; this is a ",
               parameters_of<Pullback>()));
  return is_pullback;
}

/// The readable errors for the results of a pullback.
template <class Cotangents, class... A>
consteval bool are_cotangents() {
  constexpr bool has_all = number_of_elements<Cotangents> == int(sizeof...(A));
  ASSAY_STATIC_ASSERT_SENTENCE(
      has_all, sentence("assay: the pullback returns a tuple with one cotangent for each argument, None where there is "
                        "none; the arguments are ",
                        Parameters<tangent_type<A>...>(), ", and this one returns ", TypeName<Cotangents>()));
  if constexpr (has_all)
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (is_derivative_of<A, std::tuple_element_t<I, Cotangents>>() && ...);
    }(std::index_sequence_for<A...>());
  return false;
}

} // namespace detail

/// A rule for reverse mode from a function that returns {value, pullback}: `ASSAY_RULE(import_rrule<pair>, f);`
template <auto RRule>
struct import_rrule : detail::Imported {
  static auto augmented_primal(const auto & /*config*/, auto... x) {
    if constexpr (!detail::takes<RRule, decltype(x.value)...>())
      return AugmentedReturn<detail::Refused>{};
    else if constexpr (!detail::is_pair<decltype(RRule(x.value...))>())
      return AugmentedReturn<detail::Refused>{};
    else {
      auto [value, pullback] = RRule(x.value...);
      return AugmentedReturn{std::move(value), None{}, std::move(pullback)};
    }
  }
  static void reverse(const auto &config, const auto &dy, const auto &pullback, auto... x) {
    if constexpr (!std::is_same_v<std::remove_cvref_t<decltype(pullback)>, None>)
      for (const int lane : config.lanes())
        if constexpr (detail::is_pullback<std::remove_cvref_t<decltype(pullback)>, decltype(dy(lane))>())
          add_cotangents(pullback, dy(lane), lane, x...);
  }

private:
  static void add_cotangents(const auto &pullback, auto &&dy, int lane, auto... x) {
    using Cotangents = std::remove_cvref_t<decltype(pullback(dy))>;
    if constexpr (detail::are_cotangents<Cotangents, decltype(x)...>()) {
      const Cotangents &cotangents = pullback(dy);
      std::apply([&](const auto &...cotangent) { (detail::add_derivative(x, lane, cotangent), ...); }, cotangents);
    }
  }
};

/// A rule for forward mode from a function that returns {value, tangent}: `ASSAY_RULE(import_frule<pair>, f);`
template <auto FRule>
struct import_frule : detail::Imported {
  /// One tangent: asked for once for each lane.
  static auto forward(const auto & /*config*/, auto... x) {
    using Tangents = std::tuple<decltype(detail::tangent_of(x, 0))...>;
    if constexpr (!detail::takes<FRule, Tangents, decltype(x.value)...>()) {
      return detail::Refused{};
    } else if constexpr (!detail::is_pair<decltype(FRule(std::declval<Tangents>(), x.value...))>()) {
      return detail::Refused{};
    } else {
      auto [value, tangent] = FRule(Tangents(detail::tangent_of(x, 0)...), x.value...);
      return Duplicated<decltype(value), decltype(tangent)>{std::move(value), std::move(tangent)};
    }
  }
};

} // namespace assay::rules
