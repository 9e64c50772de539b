#pragma once
// A precise oracle for functions that are templates: the function itself, called with numbers of a hundred digits.
//
//     const auto f = [](const auto &x, const auto &y) { using std::sin; return sin(x) * y; };
//     test_reverse_all(TestOptions{.oracle = wide_numbers}, f, 0.5, 2.0);
//
// Scalars, and vectors, arrays and spans of them, become the same of Boost.Multiprecision's numbers; everything else is
// given as it is. With h = 2^-40 of the point's size, D(h) = (f(x + h v) - f(x - h v)) / 2h is right to about 24
// digits, and |D(2h) - D(h)| tells how far. Where the slopes to both sides differ the point lies on an edge, and finite
// differences decide, as they do for numbers that are not made wide. This header needs Boost.

#include <assay/testing.hpp>

#include <boost/multiprecision/cpp_bin_float.hpp>

namespace assay {
namespace detail {

using WideNumber = boost::multiprecision::number<boost::multiprecision::cpp_bin_float_100::backend_type,
                                                 boost::multiprecision::et_off>;

template <class T>
struct WideOf {
  using type = T;
};
template <std::floating_point T>
struct WideOf<T> {
  using type = WideNumber;
};
template <class T, class A>
struct WideOf<std::vector<T, A>> {
  using type = std::vector<typename WideOf<T>::type>;
};
template <class T, std::size_t N>
struct WideOf<std::array<T, N>> {
  using type = std::array<typename WideOf<T>::type, N>;
};
template <class T, std::size_t N>
struct WideOf<std::span<T, N>> {
  using type = std::vector<typename WideOf<std::remove_const_t<T>>::type>; ///< The memory of the span.
};
template <class T>
inline constexpr bool becomes_wide = !std::is_same_v<T, typename WideOf<T>::type>;

/// Writes numbers into a copy of `given`, one after the other.
template <class T, class Next>
typename WideOf<T>::type made_wide(const T &given, Next &next) {
  if constexpr (std::floating_point<T>) {
    return next();
  } else if constexpr (!becomes_wide<T>) {
    return given;
  } else {
    typename WideOf<T>::type wide{};
    if constexpr (requires { wide.resize(given.size()); })
      wide.resize(given.size());
    std::transform(given.begin(), given.end(), wide.begin(), [&](const auto &element) {
      return made_wide<std::remove_cvref_t<decltype(element)>>(element, next);
    });
    return wide;
  }
}

template <class Use>
void for_each_wide(const WideNumber &number, Use &use) {
  use(number);
}
template <class T, class Use>
void for_each_wide(const T &value, Use &use) {
  if constexpr (std::floating_point<T>)
    use(WideNumber(value));
  else if constexpr (requires { value.begin(); })
    for (const auto &element : value)
      for_each_wide(element, use);
}

/// The function's argument: the value, or a span of it.
template <class T, class Wide>
decltype(auto) as_argument(Wide &wide) {
  if constexpr (is_span<T>) {
    using Element = typename Wide::value_type;
    return std::span<std::conditional_t<std::is_const_v<typename T::element_type>, const Element, Element>>(wide);
  } else {
    return (wide);
  }
}

/// All outputs at a point, one list for the result and one for each argument.
using WideOutputs = std::vector<std::vector<WideNumber>>;

testutils::PreciseDerivative precise_from(const std::function<WideOutputs(const WideNumber &)> &outputs_at,
                                          const testutils::Arguments &inputs, const testutils::Arguments &direction);

template <class F, class... Given>
class WideFunction {
public:
  WideFunction(const F &function, const Given &...given) : function(function), given(given...) {}

  std::optional<testutils::PreciseDerivative> operator()(const testutils::Arguments &inputs,
                                                         const testutils::Arguments &direction) const {
    return differentiate(inputs, direction, std::index_sequence_for<Given...>());
  }

private:
  template <std::size_t... I>
  testutils::PreciseDerivative differentiate(const testutils::Arguments &inputs, const testutils::Arguments &direction,
                                             std::index_sequence<I...>) const {
    testutils::PreciseDerivative derivative;
    const auto moves = [&](std::size_t index) {
      return std::any_of(direction[index].begin(), direction[index].end(), [](double one) { return one != 0; });
    };
    if (((!becomes_wide<Given> && moves(I)) || ...)) {
      derivative.not_followed = {"a type that is not made of wide numbers"};
      return derivative;
    }
    const auto outputs_at = [&](const WideNumber &step) {
      F copy = function;
      std::tuple<typename WideOf<Given>::type...> wide{moved(std::get<I>(given), inputs[I], direction[I], step)...};
      WideOutputs outputs(1 + sizeof...(Given));
      const auto collect = [](std::vector<WideNumber> &into) {
        return [&into](const WideNumber &number) { into.push_back(number); };
      };
      const auto call = [&]() -> decltype(auto) { return copy(as_lvalue(as_argument<Given>(std::get<I>(wide)))...); };
      if constexpr (std::is_void_v<decltype(call())>) {
        call();
      } else {
        auto use = collect(outputs[0]);
        for_each_wide(call(), use);
      }
      const auto collect_argument = [&](const auto &value, std::vector<WideNumber> &into) {
        auto use = collect(into);
        for_each_wide(value, use);
      };
      (collect_argument(std::get<I>(wide), outputs[I + 1]), ...);
      return outputs;
    };
    return precise_from(outputs_at, inputs, direction);
  }

  template <class T>
  static T &as_lvalue(T &&temporary) {
    return temporary;
  }
  template <class T>
  static T &as_lvalue(T &value) {
    return value;
  }

  template <class T>
  static typename WideOf<T>::type moved(const T &given, const testutils::Values &inputs,
                                        const testutils::Values &direction, const WideNumber &step) {
    std::size_t position = 0;
    auto next = [&] {
      const std::size_t index = position++;
      const WideNumber movement = index < direction.size() ? WideNumber(step * direction[index]) : WideNumber(0);
      return WideNumber(inputs[index] + movement);
    };
    return made_wide(given, next);
  }

  F function;
  std::tuple<Given...> given;
};

/// One output from its values at -2h, -h, 0, h and 2h.
inline testutils::PreciseDerivative::Number number_from(const std::array<WideNumber, 5> &at, double step) {
  const WideNumber near = (at[3] - at[1]) / (2 * step), far = (at[4] - at[0]) / (4 * step);
  const WideNumber right = (at[3] - at[2]) / step, left = (at[2] - at[1]) / step;
  testutils::PreciseDerivative::Number number;
  number.value = static_cast<double>(near);
  number.error = static_cast<double>(abs(far - near)) + std::abs(number.value) * 0x1p-53;
  number.step = 2 * step;
  // The slopes to both sides differ by h f'' where the function is smooth.
  const double bend = static_cast<double>(abs(right - left));
  number.known = std::isfinite(number.value) && bend <= 1e-4 * static_cast<double>(abs(right) + abs(left));
  return number;
}

inline testutils::PreciseDerivative precise_from(const std::function<WideOutputs(const WideNumber &)> &outputs_at,
                                                 const testutils::Arguments &inputs,
                                                 const testutils::Arguments &direction) {
  const double size = testutils::size_along(inputs, direction);
  const double step = (size == 0 ? 1 : size) * 0x1p-40;
  std::vector<WideOutputs> runs;
  for (const int multiple : {-2, -1, 0, 1, 2})
    runs.push_back(outputs_at(WideNumber(step) * multiple));
  testutils::PreciseDerivative derivative;
  derivative.contents.resize(inputs.size());
  for (std::size_t list = 0; list < runs.front().size(); ++list) {
    std::vector<testutils::PreciseDerivative::Number> numbers;
    for (std::size_t element = 0; element < runs.front()[list].size(); ++element) {
      std::array<WideNumber, 5> at;
      for (std::size_t run = 0; run < at.size(); ++run)
        at[run] = element < runs[run][list].size() ? runs[run][list][element] : WideNumber(0);
      numbers.push_back(number_from(at, step));
      if (!numbers.back().known && derivative.crossings.empty())
        derivative.crossings = {"a kink or a branch"};
    }
    (list == 0 ? derivative.result : derivative.contents[list - 1]) = std::move(numbers);
  }
  for (std::size_t index = 0; index < inputs.size(); ++index)
    derivative.contents[index].resize(inputs[index].size());
  return derivative;
}

} // namespace detail

/// As `TestOptions::oracle`.
struct WideNumbers {
  template <class F, class... Given>
  static detail::PreciseFunction for_function(const F &function, const Given &...given) {
    return detail::WideFunction<F, Given...>(function, given...);
  }
};
inline constexpr WideNumbers wide_numbers{};

} // namespace assay
