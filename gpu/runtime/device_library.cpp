#include "gpu/runtime/device_library.hpp"

#include "gpu/runtime/symbols.hpp"

#include <bit>
#include <boost/math/special_functions/erf.hpp>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <numbers>
#include <strings.h>

namespace {

__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UnsignedWide;

/// The compiler does not see through it.
template <class T>
T opaque(T x) {
  volatile T hidden = x;
  return hidden;
}

/// In another rounding mode.
template <class F, class... T>
auto rounded(int mode, F operation, T... operands) {
  std::fesetround(mode);
  const auto result = opaque(operation(opaque(operands)...));
  std::fesetround(FE_TONEAREST);
  return result;
}

/// Out of range becomes the nearest, and NaN zero, as on a device.
template <class Integer, class T>
Integer to_integer(T x) {
  using Limits = std::numeric_limits<Integer>;
  if (std::isnan(x))
    return sizeof(Integer) == 8 ? Limits::min() : 0;
  if (x <= static_cast<T>(Limits::min()))
    return Limits::min();
  if (x >= static_cast<T>(Limits::max()))
    return Limits::max();
  return static_cast<Integer>(x);
}

template <class T>
T norm(int count, const T *numbers) {
  T scale = 0, sum = 0;
  for (int index = 0; index < count; ++index)
    scale = std::fmax(scale, std::fabs(numbers[index]));
  if (scale == 0 || !std::isfinite(scale))
    return scale;
  for (int index = 0; index < count; ++index)
    sum += numbers[index] / scale * (numbers[index] / scale);
  return scale * std::sqrt(sum);
}

/// sin(pi x), exact where x is a multiple of one half.
template <class T>
T sine_of_half_turns(T x) {
  if (!std::isfinite(x))
    return std::numeric_limits<T>::quiet_NaN();
  const T part = std::remainder(x, T(2)); // From -1 to 1.
  const T folded = std::fabs(part) > T(0.5) ? std::copysign(T(1), part) - part : part;
  return folded == 0 ? std::copysign(T(0), x) : std::sin(std::numbers::pi_v<T> * folded);
}
template <class T>
T cosine_of_half_turns(T x) {
  if (!std::isfinite(x))
    return std::numeric_limits<T>::quiet_NaN();
  const T part = std::fabs(std::remainder(x, T(2)));
  return part == T(0.5) ? T(0) : std::cos(std::numbers::pi_v<T> * part);
}

double inverse_erf(double x) {
  if (!(std::fabs(x) <= 1))
    return std::numeric_limits<double>::quiet_NaN();
  if (std::fabs(x) == 1)
    return std::copysign(std::numeric_limits<double>::infinity(), x);
  return boost::math::erf_inv(x);
}
double inverse_erfc(double x) {
  if (!(x >= 0 && x <= 2))
    return std::numeric_limits<double>::quiet_NaN();
  if (x == 0 || x == 2)
    return std::copysign(std::numeric_limits<double>::infinity(), 1 - x);
  return boost::math::erfc_inv(x);
}

/// exp(x * x) * erfc(x); for large x by its continued fraction, from the end.
double scaled_erfc(double x) {
  if (x < 10)
    return std::exp(x * x) * std::erfc(x);
  double fraction = x;
  for (int k = 30; k > 0; --k)
    fraction = x + k / 2.0 / fraction;
  return std::numbers::inv_sqrtpi / fraction;
}

int permuted_bytes(int x, int y, int selector) {
  const std::uint64_t bytes =
      static_cast<std::uint64_t>(static_cast<std::uint32_t>(y)) << 32U | static_cast<std::uint32_t>(x);
  std::uint32_t result = 0;
  for (unsigned index = 0; index < 4; ++index)
    result |= static_cast<std::uint32_t>(bytes >> (static_cast<unsigned>(selector) >> 4 * index & 7U) * 8 & 0xffU)
              << 8 * index;
  return static_cast<int>(result);
}

} // namespace

extern "C" {
#define ASSAY_DEFINE(result, name, parameters, value)                                                                  \
  result __nv_##name parameters {                                                                                      \
    return value;                                                                                                      \
  }
ASSAY_DEVICE_LIBRARY(ASSAY_DEFINE)
#undef ASSAY_DEFINE
}

extern "C" __bf16 __truncsfbf2(float number), __truncdfbf2(double number); // brain_float.cpp

namespace assay::gpu {

std::vector<Symbol> conversions_to_halves() {
  return {{"__truncsfbf2", reinterpret_cast<void *>(__truncsfbf2)},
          {"__truncdfbf2", reinterpret_cast<void *>(__truncdfbf2)}};
}

std::vector<Symbol> device_library() {
  std::vector<Symbol> symbols = conversions_to_halves();
#define ASSAY_SYMBOL(result, name, parameters, value)                                                                  \
  symbols.push_back({"__nv_" #name, reinterpret_cast<void *>(__nv_##name)});
  ASSAY_DEVICE_LIBRARY(ASSAY_SYMBOL)
#undef ASSAY_SYMBOL
  return symbols;
}

} // namespace assay::gpu
