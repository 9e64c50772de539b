#pragma once
// Random small C functions, each with a point. Most are smooth wherever they can be called; others have one feature
// that finite differences cannot see through, at the point or close to it. Function N of a seed is the same on every
// machine.
//
//   double f(double x0, double x1, const double *v) {
//     double t0 = sin(x1) + v[0] * x0;
//     double t1 = t0 / (x0 * x0 + 1.);
//     for (int i = 0; i < 3; ++i)
//       t1 = atan(t1 * v[i]);
//     return t1 - t0;
//   }

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::gen::functions {

/// The behaviour of a function around its point.
enum class Terrain : std::uint8_t {
  smooth,
  kink,      ///< The derivative jumps at the point.
  near_kink, ///< ... close to it, where it is smooth itself.
  jump,      ///< The function jumps at the point.
  near_jump,
  pole, ///< The function or its derivative is infinite at the point.
  near_pole,
  steep, ///< Smooth, but on a scale that is very short.
  // Smooth as well, and ill-conditioned: rounding takes digits of the derivative.
  cancelling, ///< Differences of nearly equal numbers.
  singular,   ///< Solutions of nearly singular equations.
  amplifying, ///< A recurrence in which rounding errors grow.
  deep,       ///< A composition of many functions.
  mixed,      ///< Numbers rounded to float within double, or double within float.
  tiny,       ///< Subnormal numbers.
  huge        ///< Numbers near overflow.
};

inline constexpr std::array all_terrains{Terrain::smooth,     Terrain::kink,     Terrain::near_kink,  Terrain::jump,
                                         Terrain::near_jump,  Terrain::pole,     Terrain::near_pole,  Terrain::steep,
                                         Terrain::cancelling, Terrain::singular, Terrain::amplifying, Terrain::deep,
                                         Terrain::mixed,      Terrain::tiny,     Terrain::huge};

/// Whether it is smooth, and rounding takes digits of its derivative.
bool is_ill_conditioned(Terrain terrain);

/// `smooth`, `near-kink`, ...
std::string_view name_of(Terrain terrain);
std::optional<Terrain> terrain_named(std::string_view name);

enum class Precision : std::uint8_t { real32, real64 };

/// `float`, `double`.
std::string_view name_of(Precision precision);

struct Parameter {
  std::size_t elements = 0; ///< Of the array that a pointer points to; 0: a number by value.
  bool written = false;
  std::vector<double> point; ///< One number, or as many as there are elements.
};

struct RandomFunction {
  std::string name;
  std::string source; ///< C, after `#include <math.h>`.
  std::vector<Parameter> parameters;
};

struct FunctionName {
  std::uint64_t seed = 0;
  Terrain terrain = Terrain::smooth;
  Precision precision = Precision::real64;
  std::uint32_t number = 0;
};

RandomFunction draw_function(const FunctionName &name);

} // namespace assay::gen::functions
