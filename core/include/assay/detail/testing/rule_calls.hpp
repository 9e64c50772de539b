#pragma once
// The surroundings in which a rule is checked. Each is a function object that calls the function with the rule: what
// comes before and after the call decides which configuration the rule is given.

#include <assay/detail/rules/function.hpp>
#include <assay/detail/testing/callable_argument.hpp>
#include <assay/detail/testing/rule_derivatives.hpp>

#include <concepts>
#include <span>
#include <type_traits>

namespace assay::detail {

template <class F>
struct RuleSignature {
  using type = void;
};
template <class F>
  requires rules::detail::has_signature<F>
struct RuleSignature<F> {
  using type = F;
};
template <class F>
  requires requires { &F::operator(); }
struct RuleSignature<F> {
  using type = decltype(&F::operator());
};

/// A reference to const becomes one through which the surroundings may write.
template <class P>
struct Writable {
  using type = P;
};
template <class T>
struct Writable<const T &> {
  using type = std::conditional_t<std::is_copy_assignable_v<T>, T &, const T &>;
};

/// The numbers that a container stores; of a sparse matrix those of its entries.
template <class T>
auto stored_numbers(T &x) {
  if constexpr (requires { std::span(x.valuePtr(), std::size_t(x.nonZeros())); })
    return std::span(x.valuePtr(), std::size_t(x.nonZeros()));
  else if constexpr (requires { std::span(x.data(), std::size_t(x.size())); })
    return std::span(x.data(), std::size_t(x.size()));
  else
    return std::span<const char>();
}

/// Numbers in memory become others, which still depend on them.
template <class T>
void overwrite(T &x) {
  if constexpr (!std::is_const_v<T>) {
    const auto numbers = stored_numbers(x);
    using Element = typename decltype(numbers)::element_type;
    if constexpr (std::floating_point<Element>)
      for (Element &each : numbers)
        each = each * Element(0.5) + Element(0.25);
  }
}

template <class F, class Signature>
struct RuleCalls;

#define ASSAY_RULE_CALLS(POINTER)                                                                                      \
  template <class F, class R, class... P>                                                                              \
  struct RuleCalls<F, POINTER> : RuleCallsOf<F, R, P...> {};

template <class F, class R, class... P>
struct RuleCallsOf {
  static constexpr bool returns_number = std::is_floating_point_v<R>;
  static constexpr bool can_surround = (returns_number || std::is_void_v<R>) && (!std::is_rvalue_reference_v<P> && ...);

  /// Memory behind the arguments changes after the call.
  struct Overwriting {
    F f;
    R operator()(typename Writable<P>::type... x) const {
      if constexpr (std::is_void_v<R>) {
        f(x...);
        (overwrite(x), ...);
      } else {
        const R y = f(x...);
        (overwrite(x), ...);
        return y;
      }
    }
  };

  /// Tapes of several calls are alive at once, the number of calls is not known when compiling, and the value is read.
  struct Repeated {
    F f;
    int count = 2;
    R operator()(P... x) const {
      if constexpr (std::is_void_v<R>) {
        for (int call = 0; call < count; ++call)
          f(x...);
      } else {
        R sum = 0;
        for (int call = 0; call < count; ++call) {
          const R y = f(x...);
          sum += y * y * R(call + 1);
        }
        return sum;
      }
    }
  };

  /// The function calls itself around a call of the function with the rule.
  struct Recursive {
    F f;
    int depth = 2;
    R operator()(P... x) const { return at(f, depth, x...); }

  private:
    [[gnu::noinline]] static R at(const F &f, int depth, P... x) {
      if constexpr (std::is_void_v<R>) {
        f(x...);
        if (depth > 0)
          at(f, depth - 1, x...);
      } else {
        const R y = f(x...);
        return depth > 0 ? y * at(f, depth - 1, x...) + y : y;
      }
    }
  };

  using Derivatives = DerivativesOf<F, R, P...>;
  /// `use` with the arguments and with the content of their shadows.
  template <class Use, class... A>
  static auto with_tangents(const Use &use, const A &...arguments) {
    return use(arguments..., shadow_argument<P>(arguments)...);
  }
  template <class Use, class... A>
  static auto with_adjoints(const Use &use, const A &...arguments) {
    if constexpr (std::is_void_v<R>)
      return use(arguments..., shadow_argument<P>(arguments)...);
    else
      return use(arguments..., shadow_argument<P>(arguments)..., R(0.75));
  }
};

ASSAY_RULE_CALLS(R (*)(P...))
ASSAY_RULE_CALLS(R (*)(P...) noexcept)
template <class F, class R, class C, class... P>
struct RuleCalls<F, R (C::*)(P...) const> : RuleCallsOf<F, R, P...> {};
template <class F, class R, class C, class... P>
struct RuleCalls<F, R (C::*)(P...)> : RuleCallsOf<F, R, P...> {};
#undef ASSAY_RULE_CALLS

template <class F>
struct RuleCalls<F, void> {
  static constexpr bool can_surround = false;
};

// NOLINTBEGIN(bugprone-reserved-identifier): the plugin gives it a body.
/// The code of a function, as one without a rule; null where its code is not in this file or it has no rule. Its types
/// may be those of an unnamed namespace, so it is not a template.
void *__assay_without_rule(const void *function);
// NOLINTEND(bugprone-reserved-identifier)

} // namespace assay::detail
