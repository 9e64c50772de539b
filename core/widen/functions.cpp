// The wide versions are glibc's functions for _Float128, which clang's headers do not declare.

#include "core/widen/functions.hpp"

#include "core/widen/device_functions.hpp"
#include "core/widen/reactions.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <numbers>

extern "C" {
using assay::widen::Wide;
Wide acosf128(Wide), asinf128(Wide), atanf128(Wide), acoshf128(Wide), asinhf128(Wide), atanhf128(Wide);
Wide cosf128(Wide), sinf128(Wide), tanf128(Wide), coshf128(Wide), sinhf128(Wide), tanhf128(Wide);
Wide expf128(Wide), exp2f128(Wide), exp10f128(Wide), expm1f128(Wide);
Wide logf128(Wide), log2f128(Wide), log10f128(Wide), log1pf128(Wide), logbf128(Wide);
Wide erff128(Wide), erfcf128(Wide), tgammaf128(Wide), lgammaf128(Wide), sqrtf128(Wide), cbrtf128(Wide), fabsf128(Wide);
Wide j0f128(Wide), j1f128(Wide), y0f128(Wide), y1f128(Wide);
Wide floorf128(Wide), ceilf128(Wide), truncf128(Wide), rintf128(Wide), nearbyintf128(Wide), roundf128(Wide);
Wide roundevenf128(Wide);
Wide powf128(Wide, Wide), atan2f128(Wide, Wide), hypotf128(Wide, Wide), fmodf128(Wide, Wide), remainderf128(Wide, Wide);
Wide fminf128(Wide, Wide), fmaxf128(Wide, Wide), fdimf128(Wide, Wide), copysignf128(Wide, Wide);
Wide fmaxmagf128(Wide, Wide), fminmagf128(Wide, Wide);
using assay::widen::ComplexWide;
ComplexWide cexpf128(ComplexWide), clogf128(ComplexWide), csqrtf128(ComplexWide), csinf128(ComplexWide),
    ccosf128(ComplexWide), ctanf128(ComplexWide), csinhf128(ComplexWide), ccoshf128(ComplexWide),
    ctanhf128(ComplexWide), casinf128(ComplexWide), cacosf128(ComplexWide), catanf128(ComplexWide),
    casinhf128(ComplexWide), cacoshf128(ComplexWide), catanhf128(ComplexWide);
}

namespace assay::widen {

namespace {

Singularity singularity_of(std::string_view name) {
  if (name == "sqrt" || name == "cbrt" || name == "__nv_rsqrt" || name == "__nv_rcbrt" || name == "log" ||
      name == "log2" || name == "log10")
    return Singularity::at_zero;
  if (name == "asin" || name == "acos" || name == "atanh")
    return Singularity::at_both_ones;
  if (name == "acosh")
    return Singularity::at_one;
  return name == "log1p" ? Singularity::at_minus_one : Singularity::nowhere;
}

double period_of(std::string_view name) {
  if (name == "sin" || name == "cos")
    return 2 * std::numbers::pi;
  if (name == "tan")
    return std::numbers::pi;
  return name == "__nv_sinpi" || name == "__nv_cospi" ? 2 : 0;
}

template <class Table>
Table with_local_behaviour(Table table) {
  for (UnaryFunction &function : table) {
    function.reaction = unary_reaction(function.name);
    function.singularity = singularity_of(function.name);
    function.period = period_of(function.name);
  }
  return table;
}

const std::array unary_functions = with_local_behaviour(std::array{
    UnaryFunction{"acos", acosf128, Shape::smooth},
    UnaryFunction{"asin", asinf128, Shape::smooth},
    UnaryFunction{"atan", atanf128, Shape::smooth},
    UnaryFunction{"acosh", acoshf128, Shape::smooth},
    UnaryFunction{"asinh", asinhf128, Shape::smooth},
    UnaryFunction{"atanh", atanhf128, Shape::smooth},
    UnaryFunction{"cos", cosf128, Shape::smooth},
    UnaryFunction{"sin", sinf128, Shape::smooth},
    UnaryFunction{"tan", tanf128, Shape::smooth},
    UnaryFunction{"cosh", coshf128, Shape::smooth},
    UnaryFunction{"sinh", sinhf128, Shape::smooth},
    UnaryFunction{"tanh", tanhf128, Shape::smooth},
    UnaryFunction{"exp", expf128, Shape::smooth},
    UnaryFunction{"exp2", exp2f128, Shape::smooth},
    UnaryFunction{"exp10", exp10f128, Shape::smooth},
    UnaryFunction{"expm1", expm1f128, Shape::smooth},
    UnaryFunction{"log", logf128, Shape::smooth},
    UnaryFunction{"log2", log2f128, Shape::smooth},
    UnaryFunction{"log10", log10f128, Shape::smooth},
    UnaryFunction{"log1p", log1pf128, Shape::smooth},
    UnaryFunction{"erf", erff128, Shape::smooth},
    UnaryFunction{"erfc", erfcf128, Shape::smooth},
    UnaryFunction{"tgamma", tgammaf128, Shape::smooth},
    UnaryFunction{"lgamma", lgammaf128, Shape::smooth},
    UnaryFunction{"cbrt", cbrtf128, Shape::smooth},
    UnaryFunction{"j0", j0f128, Shape::smooth},
    UnaryFunction{"j1", j1f128, Shape::smooth},
    UnaryFunction{"y0", y0f128, Shape::smooth},
    UnaryFunction{"y1", y1f128, Shape::smooth},
    UnaryFunction{"sqrt", sqrtf128, Shape::root},
    UnaryFunction{"fabs", fabsf128, Shape::size},
    UnaryFunction{"floor", floorf128, Shape::step},
    UnaryFunction{"ceil", ceilf128, Shape::step},
    UnaryFunction{"trunc", truncf128, Shape::step},
    UnaryFunction{"rint", rintf128, Shape::step},
    UnaryFunction{"nearbyint", nearbyintf128, Shape::step},
    UnaryFunction{"round", roundf128, Shape::step},
    UnaryFunction{"roundeven", roundevenf128, Shape::step},
    UnaryFunction{"logb", logbf128, Shape::step},
    UnaryFunction{"__nv_rsqrt", reciprocal_root, Shape::smooth},
    UnaryFunction{"__nv_rcbrt", reciprocal_cube_root, Shape::smooth},
    UnaryFunction{"__nv_normcdf", normal_distribution, Shape::smooth},
    UnaryFunction{"__nv_normcdfinv", inverse_normal_distribution, Shape::smooth},
    UnaryFunction{"__nv_erfinv", inverse_erf, Shape::smooth},
    UnaryFunction{"__nv_erfcinv", inverse_erfc, Shape::smooth},
    UnaryFunction{"__nv_erfcx", scaled_erfc, Shape::smooth},
    UnaryFunction{"__nv_sinpi", sine_of_half_turns, Shape::smooth},
    UnaryFunction{"__nv_cospi", cosine_of_half_turns, Shape::smooth},
    UnaryFunction{"__nv_cyl_bessel_i0", modified_bessel_0, Shape::smooth},
    UnaryFunction{"__nv_cyl_bessel_i1", modified_bessel_1, Shape::smooth},
});

constexpr std::array binary_functions = {
    BinaryFunction{"pow", powf128, Selection::none},
    BinaryFunction{"atan2", atan2f128, Selection::none},
    BinaryFunction{"hypot", hypotf128, Selection::none},
    BinaryFunction{"__nv_rhypot", reciprocal_length, Selection::none},
    BinaryFunction{"fmod", fmodf128, Selection::none},
    BinaryFunction{"remainder", remainderf128, Selection::none},
    BinaryFunction{"drem", remainderf128, Selection::none},
    BinaryFunction{"fmaxmag", fmaxmagf128, Selection::none},
    BinaryFunction{"fminmag", fminmagf128, Selection::none},
    BinaryFunction{"fmin", fminf128, Selection::smaller},
    BinaryFunction{"fmax", fmaxf128, Selection::larger},
    BinaryFunction{"fdim", fdimf128, Selection::excess},
    BinaryFunction{"copysign", copysignf128, Selection::sign},
};

constexpr std::array complex_functions = {
    ComplexFunction{"cexp", cexpf128},     ComplexFunction{"clog", clogf128},     ComplexFunction{"csqrt", csqrtf128},
    ComplexFunction{"csin", csinf128},     ComplexFunction{"ccos", ccosf128},     ComplexFunction{"ctan", ctanf128},
    ComplexFunction{"csinh", csinhf128},   ComplexFunction{"ccosh", ccoshf128},   ComplexFunction{"ctanh", ctanhf128},
    ComplexFunction{"casin", casinf128},   ComplexFunction{"cacos", cacosf128},   ComplexFunction{"catan", catanf128},
    ComplexFunction{"casinh", casinhf128}, ComplexFunction{"cacosh", cacoshf128}, ComplexFunction{"catanh", catanhf128},
};

template <class Table>
std::optional<unsigned> position_of(const Table &table, std::string_view name) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const auto &entry) { return entry.name == name; });
  if (found == table.end())
    return std::nullopt;
  return static_cast<unsigned>(std::distance(table.begin(), found));
}

} // namespace

std::optional<unsigned> unary_function(std::string_view name) {
  return position_of(unary_functions, name);
}
std::optional<unsigned> binary_function(std::string_view name) {
  return position_of(binary_functions, name);
}
std::optional<unsigned> complex_function(std::string_view name) {
  return position_of(complex_functions, name);
}
const ComplexFunction &complex_function_at(unsigned position) {
  return complex_functions.at(position);
}
const UnaryFunction &unary_function_at(unsigned position) {
  return unary_functions.at(position);
}
const BinaryFunction &binary_function_at(unsigned position) {
  return binary_functions.at(position);
}

Wide complex_quotient(unsigned part, Wide a, Wide b, Wide c, Wide d) {
  return (part == 0 ? a * c + b * d : b * c - a * d) / (c * c + d * d);
}

Wide complex_value(unsigned function, unsigned part, Wide a, Wide b) {
  ComplexWide number = 0;
  __real__ number = a;
  __imag__ number = b;
  const ComplexWide value = complex_function_at(function).wide(number);
  return part == 0 ? __real__ value : __imag__ value;
}

} // namespace assay::widen
