#include "generators/functions/operations.hpp"

#include <cmath>
#include <fmt/format.h>

namespace assay::gen::functions {

std::string Writer::literal(double value) const {
  return fmt::format("{:#}{}", value, precision == Precision::real32 ? "f" : "");
}

std::string Writer::exact(double value) const {
  return fmt::format("{:a}{}", value, precision == Precision::real32 ? "f" : "");
}

std::string Writer::call(std::string_view function, std::string_view x) const {
  return fmt::format("{}{}({})", function, precision == Precision::real32 ? "f" : "", x);
}

std::string Writer::call(std::string_view function, std::string_view x, std::string_view y) const {
  return call(function, fmt::format("{}, {}", x, y));
}

double Writer::rounded(double value) const {
  return precision == Precision::real32 ? static_cast<double>(static_cast<float>(value)) : value;
}

namespace {

using Text = const std::string &;

/// x * x + c
std::string above_zero(const Writer &writer, Text x, double least) {
  return fmt::format("{} * {} + {}", x, x, writer.literal(least));
}

std::string add(const Writer &, Text x, Text y) {
  return fmt::format("{} + {}", x, y);
}
std::string subtract(const Writer &, Text x, Text y) {
  return fmt::format("{} - {}", x, y);
}
std::string multiply(const Writer &, Text x, Text y) {
  return fmt::format("{} * {}", x, y);
}
std::string divide(const Writer &writer, Text x, Text y) {
  return fmt::format("{} / ({})", x, above_zero(writer, y, 1));
}
template <const char *name>
std::string function(const Writer &writer, Text x, Text) {
  return writer.call(name, x);
}
/// The function of a quarter: it grows slowly.
template <const char *name>
std::string slow_function(const Writer &writer, Text x, Text) {
  return writer.call(name, fmt::format("{} * {}", x, writer.literal(0.25)));
}
std::string logarithm(const Writer &writer, Text x, Text) {
  return writer.call("log", above_zero(writer, x, 1));
}
std::string logarithm_near_one(const Writer &writer, Text x, Text) {
  return writer.call("log1p", fmt::format("{} * {}", x, x));
}
std::string root(const Writer &writer, Text x, Text) {
  return writer.call("sqrt", above_zero(writer, x, 0.125));
}
std::string cubic_root(const Writer &writer, Text x, Text) {
  return writer.call("cbrt", above_zero(writer, x, 0.25));
}
std::string power(const Writer &writer, Text x, Text y) {
  return writer.call("pow", above_zero(writer, x, 0.5), writer.call("tanh", y));
}
std::string length(const Writer &writer, Text x, Text) {
  return writer.call("hypot", x, writer.literal(0.5));
}
std::string angle(const Writer &writer, Text x, Text y) {
  return writer.call("atan2", x, above_zero(writer, y, 0.5));
}

double of_sum(double x, double y) {
  return x + y;
}
double of_product(double x, double y) {
  return x * y;
}
double of_first(double x, double) {
  return x;
}
double within_a_turn(double, double) {
  return 4;
}
/// Of exp, and of what grows no faster.
double of_exponential(double x, double) {
  return std::exp(0.25 * x);
}
double of_logarithm(double x, double) {
  return 1 + std::log1p(x * x);
}
double of_root(double x, double) {
  return 1 + x;
}
/// (x x + 1/2)^t with |t| <= 1
double of_power(double x, double) {
  return x * x + 2;
}

constexpr char sine[] = "sin", cosine[] = "cos", hyperbolic_tangent[] = "tanh", arc[] = "atan", error[] = "erf",
               area[] = "asinh";
constexpr char exponential[] = "exp", near_zero[] = "expm1", hyperbolic_sine[] = "sinh", power_of_two[] = "exp2";

constexpr Operation all[] = {{add, of_sum},
                             {subtract, of_sum},
                             {multiply, of_product},
                             {multiply, of_product},
                             {divide, of_first},
                             {function<sine>, within_a_turn},
                             {function<cosine>, within_a_turn},
                             {function<hyperbolic_tangent>, within_a_turn},
                             {function<arc>, within_a_turn},
                             {function<error>, within_a_turn},
                             {function<area>, of_first},
                             {slow_function<exponential>, of_exponential},
                             {slow_function<near_zero>, of_exponential},
                             {slow_function<hyperbolic_sine>, of_exponential},
                             {slow_function<power_of_two>, of_exponential},
                             {logarithm, of_logarithm},
                             {logarithm_near_one, of_logarithm},
                             {root, of_root},
                             {cubic_root, of_root},
                             {power, of_power},
                             {length, of_root},
                             {angle, within_a_turn}};

} // namespace

std::span<const Operation> operations() {
  return all;
}

} // namespace assay::gen::functions
