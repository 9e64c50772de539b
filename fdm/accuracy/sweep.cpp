#include "fdm/accuracy/sweep.hpp"

#include "fdm/accuracy/functions.hpp"

#include <assay/fdm.hpp>
#include <assay/fdm/multiprecision.hpp>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/cpp_dec_float.hpp>

#include <algorithm>
#include <limits>

namespace assay::fdm::accuracy {

namespace {

using boost::multiprecision::cpp_bin_float_100;
using boost::multiprecision::cpp_bin_float_quad;
using boost::multiprecision::cpp_dec_float_50;

template <class T>
const char *const name_of_precision = "";
template <>
const char *const name_of_precision<float> = "float";
template <>
const char *const name_of_precision<double> = "double";
template <>
const char *const name_of_precision<long double> = "long double";
template <>
const char *const name_of_precision<cpp_bin_float_quad> = "quad";
template <>
const char *const name_of_precision<cpp_dec_float_50> = "50 digits";

/// A number as it is, in more digits than any precision of the sweep.
template <class T>
cpp_bin_float_100 widened(const T &x) {
  if constexpr (std::is_same_v<T, cpp_dec_float_50>)
    return cpp_bin_float_100(x.str(std::numeric_limits<T>::max_digits10, std::ios::scientific));
  else
    return cpp_bin_float_100(x);
}

template <class Function, class T>
Measurement measured(const FiniteDifferenceMethod &method, const T &x, const Estimate<T> &estimate) {
  const cpp_bin_float_100 truth = Function::derivative(widened(x), method.derivative);
  const cpp_bin_float_100 error = fabs(cpp_bin_float_100(widened(estimate.value) - truth)) / fabs(truth);
  const cpp_bin_float_100 claimed = widened(estimate.error) / fabs(truth);
  return {Function::name,
          name_of_precision<T>,
          static_cast<double>(x),
          method.order(),
          method.derivative,
          static_cast<double>(estimate.step),
          static_cast<double>(error),
          static_cast<double>(claimed)};
}

template <class T>
void sweep_steps(const FiniteDifferenceMethod &method, std::vector<Measurement> &into) {
  constexpr int steps_in_a_decade = 4;
  const T x = 1;
  const int decades = std::min(24, std::numeric_limits<T>::digits10);
  for (int i = 0; i <= steps_in_a_decade * decades; ++i) {
    const auto step = static_cast<T>(std::pow(10.0, -static_cast<double>(i) / steps_in_a_decade));
    into.push_back(measured<Sine>(method, x, method.at_step([](const T &at) { return Sine::value(at); }, x, step)));
  }
}

template <class Function, class T>
void sweep_function(const FiniteDifferenceMethod &method, std::vector<Measurement> &into) {
  for (const double point : Function::points) {
    const auto x = static_cast<T>(point);
    into.push_back(measured<Function>(method, x, method([](const T &at) { return Function::value(at); }, x)));
  }
}

template <class T>
void sweep_methods(const std::vector<FiniteDifferenceMethod> &methods, std::vector<Measurement> &into) {
  for (const FiniteDifferenceMethod &method : methods) {
    sweep_function<Exponential, T>(method, into);
    sweep_function<Sine, T>(method, into);
    sweep_function<Logarithm, T>(method, into);
    sweep_function<Reciprocal, T>(method, into);
    sweep_function<SquareRoot, T>(method, into);
    sweep_function<Gaussian, T>(method, into);
    sweep_function<Power, T>(method, into);
  }
}

std::vector<FiniteDifferenceMethod> methods_of_sweep() {
  std::vector<FiniteDifferenceMethod> methods;
  for (int derivative = 1; derivative <= 4; ++derivative)
    for (int order = derivative + 1; order <= 11; ++order)
      methods.push_back(central_fdm(order, derivative));
  return methods;
}

} // namespace

std::vector<std::string> precisions() {
  return {name_of_precision<float>, name_of_precision<double>, name_of_precision<long double>,
          name_of_precision<cpp_bin_float_quad>, name_of_precision<cpp_dec_float_50>};
}

Sweep run_sweep() {
  Sweep sweep;
  for (int order = 3; order <= 9; order += 2)
    sweep_steps<double>(central_fdm(order, 1), sweep.steps);
  const FiniteDifferenceMethod five = central_fdm(5, 1);
  sweep_steps<float>(five, sweep.steps);
  sweep_steps<long double>(five, sweep.steps);
  sweep_steps<cpp_bin_float_quad>(five, sweep.steps);
  sweep_steps<cpp_dec_float_50>(five, sweep.steps);

  const auto methods = methods_of_sweep();
  sweep_methods<float>(methods, sweep.adapted);
  sweep_methods<double>(methods, sweep.adapted);
  sweep_methods<long double>(methods, sweep.adapted);
  sweep_methods<cpp_bin_float_quad>(methods, sweep.adapted);
  sweep_methods<cpp_dec_float_50>(methods, sweep.adapted);
  return sweep;
}

} // namespace assay::fdm::accuracy
