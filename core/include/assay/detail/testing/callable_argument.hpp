#pragma once
// A callable that holds numbers (captures of a lambda, members of a function object) is an argument of the function
// that calls it: it is differentiated, mutated and compared as arguments are.

#include <assay/detail/testing/callable.hpp>
#include <assay/testing/options.hpp>

namespace assay::detail {

/// Calls its first argument with the others. It stands for a callable F, whose calls change it or not.
template <class F, bool Changes>
struct CallGiven {
  template <class... X>
    requires std::invocable<F &, X &...>
  [[gnu::always_inline]] decltype(auto) operator()(F &function, X &...arguments) const {
    return function(arguments...);
  }
};
template <class F, bool Changes>
struct ParametersOf<CallGiven<F, Changes>> {
  template <std::size_t I>
  struct At {
    using type = parameter_of<F, I - 1>;
  };
  template <std::size_t I>
    requires(I == 0)
  struct At<I> {
    using type = std::conditional_t<Changes, F &, const F &>;
  };
  template <std::size_t I>
  using at = typename At<I>::type;
};

/// A function object with numbers in it.
template <class F>
inline constexpr bool holds_numbers = std::is_class_v<F> && !std::is_empty_v<F> && is_differentiable<F>;

/// Names of the arguments behind the callable.
inline std::vector<std::string> names_after_callable(const std::vector<std::string> &names, std::size_t count) {
  std::vector<std::string> all = {"captures"};
  for (std::size_t index = 0; index < count; ++index)
    all.push_back(index < names.size() ? names[index] : "x" + std::to_string(index + 1));
  return all;
}

} // namespace assay::detail
