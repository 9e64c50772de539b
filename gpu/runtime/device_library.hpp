#pragma once
// The functions of NVIDIA's device library, by the mathematical library of the host: results may differ in the last
// places. F(result, name, (parameters), value) for each `__nv_name`; not here: those on two or four numbers in one
// word.

// clang-format off
#define ASSAY_DEVICE_LIBRARY(F) \
  F(double, acos, (double x), ::acos(x)) \
  F(float, acosf, (float x), ::acosf(x)) \
  F(double, acosh, (double x), ::acosh(x)) \
  F(float, acoshf, (float x), ::acoshf(x)) \
  F(double, asin, (double x), ::asin(x)) \
  F(float, asinf, (float x), ::asinf(x)) \
  F(double, asinh, (double x), ::asinh(x)) \
  F(float, asinhf, (float x), ::asinhf(x)) \
  F(double, atan, (double x), ::atan(x)) \
  F(float, atanf, (float x), ::atanf(x)) \
  F(double, atanh, (double x), ::atanh(x)) \
  F(float, atanhf, (float x), ::atanhf(x)) \
  F(double, cbrt, (double x), ::cbrt(x)) \
  F(float, cbrtf, (float x), ::cbrtf(x)) \
  F(double, ceil, (double x), ::ceil(x)) \
  F(float, ceilf, (float x), ::ceilf(x)) \
  F(double, cos, (double x), ::cos(x)) \
  F(float, cosf, (float x), ::cosf(x)) \
  F(double, cosh, (double x), ::cosh(x)) \
  F(float, coshf, (float x), ::coshf(x)) \
  F(double, erf, (double x), ::erf(x)) \
  F(float, erff, (float x), ::erff(x)) \
  F(double, erfc, (double x), ::erfc(x)) \
  F(float, erfcf, (float x), ::erfcf(x)) \
  F(double, exp, (double x), ::exp(x)) \
  F(float, expf, (float x), ::expf(x)) \
  F(double, exp10, (double x), ::exp10(x)) \
  F(float, exp10f, (float x), ::exp10f(x)) \
  F(double, exp2, (double x), ::exp2(x)) \
  F(float, exp2f, (float x), ::exp2f(x)) \
  F(double, expm1, (double x), ::expm1(x)) \
  F(float, expm1f, (float x), ::expm1f(x)) \
  F(double, fabs, (double x), ::fabs(x)) \
  F(float, fabsf, (float x), ::fabsf(x)) \
  F(double, floor, (double x), ::floor(x)) \
  F(float, floorf, (float x), ::floorf(x)) \
  F(double, j0, (double x), ::j0(x)) \
  F(float, j0f, (float x), ::j0f(x)) \
  F(double, j1, (double x), ::j1(x)) \
  F(float, j1f, (float x), ::j1f(x)) \
  F(double, lgamma, (double x), ::lgamma(x)) \
  F(float, lgammaf, (float x), ::lgammaf(x)) \
  F(double, log, (double x), ::log(x)) \
  F(float, logf, (float x), ::logf(x)) \
  F(double, log10, (double x), ::log10(x)) \
  F(float, log10f, (float x), ::log10f(x)) \
  F(double, log1p, (double x), ::log1p(x)) \
  F(float, log1pf, (float x), ::log1pf(x)) \
  F(double, log2, (double x), ::log2(x)) \
  F(float, log2f, (float x), ::log2f(x)) \
  F(double, logb, (double x), ::logb(x)) \
  F(float, logbf, (float x), ::logbf(x)) \
  F(double, nearbyint, (double x), ::nearbyint(x)) \
  F(float, nearbyintf, (float x), ::nearbyintf(x)) \
  F(double, rint, (double x), ::rint(x)) \
  F(float, rintf, (float x), ::rintf(x)) \
  F(double, round, (double x), ::round(x)) \
  F(float, roundf, (float x), ::roundf(x)) \
  F(double, sin, (double x), ::sin(x)) \
  F(float, sinf, (float x), ::sinf(x)) \
  F(double, sinh, (double x), ::sinh(x)) \
  F(float, sinhf, (float x), ::sinhf(x)) \
  F(double, sqrt, (double x), ::sqrt(x)) \
  F(float, sqrtf, (float x), ::sqrtf(x)) \
  F(double, tan, (double x), ::tan(x)) \
  F(float, tanf, (float x), ::tanf(x)) \
  F(double, tanh, (double x), ::tanh(x)) \
  F(float, tanhf, (float x), ::tanhf(x)) \
  F(double, tgamma, (double x), ::tgamma(x)) \
  F(float, tgammaf, (float x), ::tgammaf(x)) \
  F(double, trunc, (double x), ::trunc(x)) \
  F(float, truncf, (float x), ::truncf(x)) \
  F(double, y0, (double x), ::y0(x)) \
  F(float, y0f, (float x), ::y0f(x)) \
  F(double, y1, (double x), ::y1(x)) \
  F(float, y1f, (float x), ::y1f(x)) \
  F(double, atan2, (double x, double y), ::atan2(x, y)) \
  F(float, atan2f, (float x, float y), ::atan2f(x, y)) \
  F(double, copysign, (double x, double y), ::copysign(x, y)) \
  F(float, copysignf, (float x, float y), ::copysignf(x, y)) \
  F(double, fdim, (double x, double y), ::fdim(x, y)) \
  F(float, fdimf, (float x, float y), ::fdimf(x, y)) \
  F(double, fmax, (double x, double y), ::fmax(x, y)) \
  F(float, fmaxf, (float x, float y), ::fmaxf(x, y)) \
  F(double, fmin, (double x, double y), ::fmin(x, y)) \
  F(float, fminf, (float x, float y), ::fminf(x, y)) \
  F(double, fmod, (double x, double y), ::fmod(x, y)) \
  F(float, fmodf, (float x, float y), ::fmodf(x, y)) \
  F(double, hypot, (double x, double y), ::hypot(x, y)) \
  F(float, hypotf, (float x, float y), ::hypotf(x, y)) \
  F(double, nextafter, (double x, double y), ::nextafter(x, y)) \
  F(float, nextafterf, (float x, float y), ::nextafterf(x, y)) \
  F(double, pow, (double x, double y), ::pow(x, y)) \
  F(float, powf, (float x, float y), ::powf(x, y)) \
  F(double, remainder, (double x, double y), ::remainder(x, y)) \
  F(float, remainderf, (float x, float y), ::remainderf(x, y)) \
  F(double, fma, (double x, double y, double z), ::fma(x, y, z)) \
  F(double, frexp, (double x, int *y), ::frexp(x, y)) \
  F(double, modf, (double x, double *y), ::modf(x, y)) \
  F(double, ldexp, (double x, int y), ::ldexp(x, y)) \
  F(double, scalbn, (double x, int y), ::scalbn(x, y)) \
  F(double, powi, (double x, int y), static_cast<double>(::pow(x, static_cast<double>(y)))) \
  F(double, remquo, (double x, double y, int *z), ::remquo(x, y, z)) \
  F(double, jn, (int x, double y), ::jn(x, y)) \
  F(double, yn, (int x, double y), ::yn(x, y)) \
  F(int, ilogb, (double x), ::ilogb(x)) \
  F(long long, llrint, (double x), ::llrint(x)) \
  F(long long, llround, (double x), ::llround(x)) \
  F(void, sincos, (double x, double *y, double *z), ::sincos(x, y, z)) \
  F(double, rsqrt, (double x), 1 / ::sqrt(x)) \
  F(double, rcbrt, (double x), 1 / ::cbrt(x)) \
  F(double, rhypot, (double x, double y), 1 / ::hypot(x, y)) \
  F(double, norm3d, (double x, double y, double z), std::hypot(x, y, z)) \
  F(double, rnorm3d, (double x, double y, double z), 1 / std::hypot(x, y, z)) \
  F(double, norm4d, (double x, double y, double z, double w), ::hypot(std::hypot(x, y, z), w)) \
  F(double, rnorm4d, (double x, double y, double z, double w), 1 / ::hypot(std::hypot(x, y, z), w)) \
  F(double, norm, (int x, const double *y), norm(x, y)) \
  F(double, rnorm, (int x, const double *y), 1 / norm(x, y)) \
  F(double, sinpi, (double x), sine_of_half_turns(x)) \
  F(double, cospi, (double x), cosine_of_half_turns(x)) \
  F(void, sincospi, (double x, double *y, double *z), (*y = sine_of_half_turns(x), void(*z = cosine_of_half_turns(x)))) \
  F(double, normcdf, (double x), static_cast<double>(0.5 * ::erfc(-x / std::numbers::sqrt2))) \
  F(double, normcdfinv, (double x), static_cast<double>(-std::numbers::sqrt2 * inverse_erfc(2.0 * x))) \
  F(double, erfinv, (double x), static_cast<double>(inverse_erf(x))) \
  F(double, erfcinv, (double x), static_cast<double>(inverse_erfc(x))) \
  F(double, erfcx, (double x), static_cast<double>(scaled_erfc(x))) \
  F(double, cyl_bessel_i0, (double x), static_cast<double>(std::cyl_bessel_i(0.0, std::fabs(x)))) \
  F(double, cyl_bessel_i1, (double x), static_cast<double>(std::copysign(std::cyl_bessel_i(1.0, std::fabs(x)), x))) \
  F(int, isinfd, (double x), std::isinf(x)) \
  F(int, isnand, (double x), std::isnan(x)) \
  F(int, signbitd, (double x), std::signbit(x)) \
  F(float, fmaf, (float x, float y, float z), ::fmaf(x, y, z)) \
  F(float, frexpf, (float x, int *y), ::frexpf(x, y)) \
  F(float, modff, (float x, float *y), ::modff(x, y)) \
  F(float, ldexpf, (float x, int y), ::ldexpf(x, y)) \
  F(float, scalbnf, (float x, int y), ::scalbnf(x, y)) \
  F(float, powif, (float x, int y), static_cast<float>(::powf(x, static_cast<float>(y)))) \
  F(float, remquof, (float x, float y, int *z), ::remquof(x, y, z)) \
  F(float, jnf, (int x, float y), ::jnf(x, y)) \
  F(float, ynf, (int x, float y), ::ynf(x, y)) \
  F(int, ilogbf, (float x), ::ilogbf(x)) \
  F(long long, llrintf, (float x), ::llrintf(x)) \
  F(long long, llroundf, (float x), ::llroundf(x)) \
  F(void, sincosf, (float x, float *y, float *z), ::sincosf(x, y, z)) \
  F(float, rsqrtf, (float x), 1 / ::sqrtf(x)) \
  F(float, rcbrtf, (float x), 1 / ::cbrtf(x)) \
  F(float, rhypotf, (float x, float y), 1 / ::hypotf(x, y)) \
  F(float, norm3df, (float x, float y, float z), std::hypot(x, y, z)) \
  F(float, rnorm3df, (float x, float y, float z), 1 / std::hypot(x, y, z)) \
  F(float, norm4df, (float x, float y, float z, float w), ::hypotf(std::hypot(x, y, z), w)) \
  F(float, rnorm4df, (float x, float y, float z, float w), 1 / ::hypotf(std::hypot(x, y, z), w)) \
  F(float, normf, (int x, const float *y), norm(x, y)) \
  F(float, rnormf, (int x, const float *y), 1 / norm(x, y)) \
  F(float, sinpif, (float x), sine_of_half_turns(x)) \
  F(float, cospif, (float x), cosine_of_half_turns(x)) \
  F(void, sincospif, (float x, float *y, float *z), (*y = sine_of_half_turns(x), void(*z = cosine_of_half_turns(x)))) \
  F(float, normcdff, (float x), static_cast<float>(0.5 * ::erfc(-x / std::numbers::sqrt2))) \
  F(float, normcdfinvf, (float x), static_cast<float>(-std::numbers::sqrt2 * inverse_erfc(2.0 * x))) \
  F(float, erfinvf, (float x), static_cast<float>(inverse_erf(x))) \
  F(float, erfcinvf, (float x), static_cast<float>(inverse_erfc(x))) \
  F(float, erfcxf, (float x), static_cast<float>(scaled_erfc(x))) \
  F(float, cyl_bessel_i0f, (float x), static_cast<float>(std::cyl_bessel_i(0.0, std::fabs(x)))) \
  F(float, cyl_bessel_i1f, (float x), static_cast<float>(std::copysign(std::cyl_bessel_i(1.0, std::fabs(x)), x))) \
  F(int, isinff, (float x), std::isinf(x)) \
  F(int, isnanf, (float x), std::isnan(x)) \
  F(int, signbitf, (float x), std::signbit(x)) \
  F(int, isfinited, (double x), std::isfinite(x)) \
  F(int, finitef, (float x), std::isfinite(x)) \
  F(double, nan, (const signed char *), std::nan("")) \
  F(float, nanf, (const signed char *), std::nanf("")) \
  F(float, fast_sinf, (float x), ::sinf(x)) \
  F(float, fast_cosf, (float x), ::cosf(x)) \
  F(float, fast_tanf, (float x), ::tanf(x)) \
  F(float, fast_expf, (float x), ::expf(x)) \
  F(float, fast_exp10f, (float x), ::exp10f(x)) \
  F(float, fast_logf, (float x), ::logf(x)) \
  F(float, fast_log2f, (float x), ::log2f(x)) \
  F(float, fast_log10f, (float x), ::log10f(x)) \
  F(float, fast_powf, (float x, float y), ::powf(x, y)) \
  F(float, fast_fdividef, (float x, float y), x / y) \
  F(void, fast_sincosf, (float x, float *y, float *z), ::sincosf(x, y, z)) \
  F(float, saturatef, (float x), !(x > 0) ? 0 : x < 1 ? x : 1) \
  F(double, dadd_rn, (double x, double y), x + y) \
  F(double, dsub_rn, (double x, double y), x - y) \
  F(double, dmul_rn, (double x, double y), x * y) \
  F(double, ddiv_rn, (double x, double y), x / y) \
  F(double, drcp_rn, (double x), 1 / x) \
  F(double, dsqrt_rn, (double x), ::sqrt(x)) \
  F(double, fma_rn, (double x, double y, double z), ::fma(x, y, z)) \
  F(int, double2int_rn, (double x), to_integer<int>(std::rint(x))) \
  F(double, int2double_rn, (int x), static_cast<double>(x)) \
  F(unsigned int, double2uint_rn, (double x), to_integer<unsigned int>(std::rint(x))) \
  F(double, uint2double_rn, (unsigned int x), static_cast<double>(x)) \
  F(long long, double2ll_rn, (double x), to_integer<long long>(std::rint(x))) \
  F(double, ll2double_rn, (long long x), static_cast<double>(x)) \
  F(unsigned long long, double2ull_rn, (double x), to_integer<unsigned long long>(std::rint(x))) \
  F(double, ull2double_rn, (unsigned long long x), static_cast<double>(x)) \
  F(float, fadd_rn, (float x, float y), x + y) \
  F(float, fsub_rn, (float x, float y), x - y) \
  F(float, fmul_rn, (float x, float y), x * y) \
  F(float, fdiv_rn, (float x, float y), x / y) \
  F(float, frcp_rn, (float x), 1 / x) \
  F(float, fsqrt_rn, (float x), ::sqrtf(x)) \
  F(float, fmaf_rn, (float x, float y, float z), ::fmaf(x, y, z)) \
  F(float, fmaf_ieee_rn, (float x, float y, float z), ::fmaf(x, y, z)) \
  F(int, float2int_rn, (float x), to_integer<int>(std::rint(x))) \
  F(float, int2float_rn, (int x), static_cast<float>(x)) \
  F(unsigned int, float2uint_rn, (float x), to_integer<unsigned int>(std::rint(x))) \
  F(float, uint2float_rn, (unsigned int x), static_cast<float>(x)) \
  F(long long, float2ll_rn, (float x), to_integer<long long>(std::rint(x))) \
  F(float, ll2float_rn, (long long x), static_cast<float>(x)) \
  F(unsigned long long, float2ull_rn, (float x), to_integer<unsigned long long>(std::rint(x))) \
  F(float, ull2float_rn, (unsigned long long x), static_cast<float>(x)) \
  F(float, double2float_rn, (double x), static_cast<float>(x)) \
  F(double, dadd_rd, (double x, double y), rounded(FE_DOWNWARD, [](double a, double b) { return a + b; }, x, y)) \
  F(double, dsub_rd, (double x, double y), rounded(FE_DOWNWARD, [](double a, double b) { return a - b; }, x, y)) \
  F(double, dmul_rd, (double x, double y), rounded(FE_DOWNWARD, [](double a, double b) { return a * b; }, x, y)) \
  F(double, ddiv_rd, (double x, double y), rounded(FE_DOWNWARD, [](double a, double b) { return a / b; }, x, y)) \
  F(double, drcp_rd, (double x), rounded(FE_DOWNWARD, [](double a) { return 1 / a; }, x)) \
  F(double, dsqrt_rd, (double x), rounded(FE_DOWNWARD, [](double a) { return ::sqrt(a); }, x)) \
  F(double, fma_rd, (double x, double y, double z), rounded(FE_DOWNWARD, [](double a, double b, double c) { return ::fma(a, b, c); }, x, y, z)) \
  F(int, double2int_rd, (double x), to_integer<int>(std::floor(x))) \
  F(unsigned int, double2uint_rd, (double x), to_integer<unsigned int>(std::floor(x))) \
  F(long long, double2ll_rd, (double x), to_integer<long long>(std::floor(x))) \
  F(double, ll2double_rd, (long long x), rounded(FE_DOWNWARD, [](long long a) { return static_cast<double>(a); }, x)) \
  F(unsigned long long, double2ull_rd, (double x), to_integer<unsigned long long>(std::floor(x))) \
  F(double, ull2double_rd, (unsigned long long x), rounded(FE_DOWNWARD, [](unsigned long long a) { return static_cast<double>(a); }, x)) \
  F(float, fadd_rd, (float x, float y), rounded(FE_DOWNWARD, [](float a, float b) { return a + b; }, x, y)) \
  F(float, fsub_rd, (float x, float y), rounded(FE_DOWNWARD, [](float a, float b) { return a - b; }, x, y)) \
  F(float, fmul_rd, (float x, float y), rounded(FE_DOWNWARD, [](float a, float b) { return a * b; }, x, y)) \
  F(float, fdiv_rd, (float x, float y), rounded(FE_DOWNWARD, [](float a, float b) { return a / b; }, x, y)) \
  F(float, frcp_rd, (float x), rounded(FE_DOWNWARD, [](float a) { return 1 / a; }, x)) \
  F(float, fsqrt_rd, (float x), rounded(FE_DOWNWARD, [](float a) { return ::sqrtf(a); }, x)) \
  F(float, fmaf_rd, (float x, float y, float z), rounded(FE_DOWNWARD, [](float a, float b, float c) { return ::fmaf(a, b, c); }, x, y, z)) \
  F(float, fmaf_ieee_rd, (float x, float y, float z), rounded(FE_DOWNWARD, [](float a, float b, float c) { return ::fmaf(a, b, c); }, x, y, z)) \
  F(int, float2int_rd, (float x), to_integer<int>(std::floor(x))) \
  F(float, int2float_rd, (int x), rounded(FE_DOWNWARD, [](int a) { return static_cast<float>(a); }, x)) \
  F(unsigned int, float2uint_rd, (float x), to_integer<unsigned int>(std::floor(x))) \
  F(float, uint2float_rd, (unsigned int x), rounded(FE_DOWNWARD, [](unsigned int a) { return static_cast<float>(a); }, x)) \
  F(long long, float2ll_rd, (float x), to_integer<long long>(std::floor(x))) \
  F(float, ll2float_rd, (long long x), rounded(FE_DOWNWARD, [](long long a) { return static_cast<float>(a); }, x)) \
  F(unsigned long long, float2ull_rd, (float x), to_integer<unsigned long long>(std::floor(x))) \
  F(float, ull2float_rd, (unsigned long long x), rounded(FE_DOWNWARD, [](unsigned long long a) { return static_cast<float>(a); }, x)) \
  F(float, double2float_rd, (double x), rounded(FE_DOWNWARD, [](double a) { return static_cast<float>(a); }, x)) \
  F(double, dadd_ru, (double x, double y), rounded(FE_UPWARD, [](double a, double b) { return a + b; }, x, y)) \
  F(double, dsub_ru, (double x, double y), rounded(FE_UPWARD, [](double a, double b) { return a - b; }, x, y)) \
  F(double, dmul_ru, (double x, double y), rounded(FE_UPWARD, [](double a, double b) { return a * b; }, x, y)) \
  F(double, ddiv_ru, (double x, double y), rounded(FE_UPWARD, [](double a, double b) { return a / b; }, x, y)) \
  F(double, drcp_ru, (double x), rounded(FE_UPWARD, [](double a) { return 1 / a; }, x)) \
  F(double, dsqrt_ru, (double x), rounded(FE_UPWARD, [](double a) { return ::sqrt(a); }, x)) \
  F(double, fma_ru, (double x, double y, double z), rounded(FE_UPWARD, [](double a, double b, double c) { return ::fma(a, b, c); }, x, y, z)) \
  F(int, double2int_ru, (double x), to_integer<int>(std::ceil(x))) \
  F(unsigned int, double2uint_ru, (double x), to_integer<unsigned int>(std::ceil(x))) \
  F(long long, double2ll_ru, (double x), to_integer<long long>(std::ceil(x))) \
  F(double, ll2double_ru, (long long x), rounded(FE_UPWARD, [](long long a) { return static_cast<double>(a); }, x)) \
  F(unsigned long long, double2ull_ru, (double x), to_integer<unsigned long long>(std::ceil(x))) \
  F(double, ull2double_ru, (unsigned long long x), rounded(FE_UPWARD, [](unsigned long long a) { return static_cast<double>(a); }, x)) \
  F(float, fadd_ru, (float x, float y), rounded(FE_UPWARD, [](float a, float b) { return a + b; }, x, y)) \
  F(float, fsub_ru, (float x, float y), rounded(FE_UPWARD, [](float a, float b) { return a - b; }, x, y)) \
  F(float, fmul_ru, (float x, float y), rounded(FE_UPWARD, [](float a, float b) { return a * b; }, x, y)) \
  F(float, fdiv_ru, (float x, float y), rounded(FE_UPWARD, [](float a, float b) { return a / b; }, x, y)) \
  F(float, frcp_ru, (float x), rounded(FE_UPWARD, [](float a) { return 1 / a; }, x)) \
  F(float, fsqrt_ru, (float x), rounded(FE_UPWARD, [](float a) { return ::sqrtf(a); }, x)) \
  F(float, fmaf_ru, (float x, float y, float z), rounded(FE_UPWARD, [](float a, float b, float c) { return ::fmaf(a, b, c); }, x, y, z)) \
  F(float, fmaf_ieee_ru, (float x, float y, float z), rounded(FE_UPWARD, [](float a, float b, float c) { return ::fmaf(a, b, c); }, x, y, z)) \
  F(int, float2int_ru, (float x), to_integer<int>(std::ceil(x))) \
  F(float, int2float_ru, (int x), rounded(FE_UPWARD, [](int a) { return static_cast<float>(a); }, x)) \
  F(unsigned int, float2uint_ru, (float x), to_integer<unsigned int>(std::ceil(x))) \
  F(float, uint2float_ru, (unsigned int x), rounded(FE_UPWARD, [](unsigned int a) { return static_cast<float>(a); }, x)) \
  F(long long, float2ll_ru, (float x), to_integer<long long>(std::ceil(x))) \
  F(float, ll2float_ru, (long long x), rounded(FE_UPWARD, [](long long a) { return static_cast<float>(a); }, x)) \
  F(unsigned long long, float2ull_ru, (float x), to_integer<unsigned long long>(std::ceil(x))) \
  F(float, ull2float_ru, (unsigned long long x), rounded(FE_UPWARD, [](unsigned long long a) { return static_cast<float>(a); }, x)) \
  F(float, double2float_ru, (double x), rounded(FE_UPWARD, [](double a) { return static_cast<float>(a); }, x)) \
  F(double, dadd_rz, (double x, double y), rounded(FE_TOWARDZERO, [](double a, double b) { return a + b; }, x, y)) \
  F(double, dsub_rz, (double x, double y), rounded(FE_TOWARDZERO, [](double a, double b) { return a - b; }, x, y)) \
  F(double, dmul_rz, (double x, double y), rounded(FE_TOWARDZERO, [](double a, double b) { return a * b; }, x, y)) \
  F(double, ddiv_rz, (double x, double y), rounded(FE_TOWARDZERO, [](double a, double b) { return a / b; }, x, y)) \
  F(double, drcp_rz, (double x), rounded(FE_TOWARDZERO, [](double a) { return 1 / a; }, x)) \
  F(double, dsqrt_rz, (double x), rounded(FE_TOWARDZERO, [](double a) { return ::sqrt(a); }, x)) \
  F(double, fma_rz, (double x, double y, double z), rounded(FE_TOWARDZERO, [](double a, double b, double c) { return ::fma(a, b, c); }, x, y, z)) \
  F(int, double2int_rz, (double x), to_integer<int>(std::trunc(x))) \
  F(unsigned int, double2uint_rz, (double x), to_integer<unsigned int>(std::trunc(x))) \
  F(long long, double2ll_rz, (double x), to_integer<long long>(std::trunc(x))) \
  F(double, ll2double_rz, (long long x), rounded(FE_TOWARDZERO, [](long long a) { return static_cast<double>(a); }, x)) \
  F(unsigned long long, double2ull_rz, (double x), to_integer<unsigned long long>(std::trunc(x))) \
  F(double, ull2double_rz, (unsigned long long x), rounded(FE_TOWARDZERO, [](unsigned long long a) { return static_cast<double>(a); }, x)) \
  F(float, fadd_rz, (float x, float y), rounded(FE_TOWARDZERO, [](float a, float b) { return a + b; }, x, y)) \
  F(float, fsub_rz, (float x, float y), rounded(FE_TOWARDZERO, [](float a, float b) { return a - b; }, x, y)) \
  F(float, fmul_rz, (float x, float y), rounded(FE_TOWARDZERO, [](float a, float b) { return a * b; }, x, y)) \
  F(float, fdiv_rz, (float x, float y), rounded(FE_TOWARDZERO, [](float a, float b) { return a / b; }, x, y)) \
  F(float, frcp_rz, (float x), rounded(FE_TOWARDZERO, [](float a) { return 1 / a; }, x)) \
  F(float, fsqrt_rz, (float x), rounded(FE_TOWARDZERO, [](float a) { return ::sqrtf(a); }, x)) \
  F(float, fmaf_rz, (float x, float y, float z), rounded(FE_TOWARDZERO, [](float a, float b, float c) { return ::fmaf(a, b, c); }, x, y, z)) \
  F(float, fmaf_ieee_rz, (float x, float y, float z), rounded(FE_TOWARDZERO, [](float a, float b, float c) { return ::fmaf(a, b, c); }, x, y, z)) \
  F(int, float2int_rz, (float x), to_integer<int>(std::trunc(x))) \
  F(float, int2float_rz, (int x), rounded(FE_TOWARDZERO, [](int a) { return static_cast<float>(a); }, x)) \
  F(unsigned int, float2uint_rz, (float x), to_integer<unsigned int>(std::trunc(x))) \
  F(float, uint2float_rz, (unsigned int x), rounded(FE_TOWARDZERO, [](unsigned int a) { return static_cast<float>(a); }, x)) \
  F(long long, float2ll_rz, (float x), to_integer<long long>(std::trunc(x))) \
  F(float, ll2float_rz, (long long x), rounded(FE_TOWARDZERO, [](long long a) { return static_cast<float>(a); }, x)) \
  F(unsigned long long, float2ull_rz, (float x), to_integer<unsigned long long>(std::trunc(x))) \
  F(float, ull2float_rz, (unsigned long long x), rounded(FE_TOWARDZERO, [](unsigned long long a) { return static_cast<float>(a); }, x)) \
  F(float, double2float_rz, (double x), rounded(FE_TOWARDZERO, [](double a) { return static_cast<float>(a); }, x)) \
  F(float, frsqrt_rn, (float x), 1 / ::sqrtf(x)) \
  F(int, double2hiint, (double x), static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 32U)) \
  F(int, double2loint, (double x), static_cast<int>(std::bit_cast<std::uint64_t>(x))) \
  F(double, hiloint2double, (int x, int y), std::bit_cast<double>(static_cast<std::uint64_t>(static_cast<std::uint32_t>(x)) << 32U | static_cast<std::uint32_t>(y))) \
  F(long long, double_as_longlong, (double x), std::bit_cast<long long>(x)) \
  F(double, longlong_as_double, (long long x), std::bit_cast<double>(x)) \
  F(int, float_as_int, (float x), std::bit_cast<int>(x)) \
  F(unsigned int, float_as_uint, (float x), std::bit_cast<unsigned int>(x)) \
  F(float, int_as_float, (int x), std::bit_cast<float>(x)) \
  F(float, uint_as_float, (unsigned int x), std::bit_cast<float>(x)) \
  F(unsigned short, float2half_rn, (float x), std::bit_cast<unsigned short>(static_cast<_Float16>(x))) \
  F(float, half2float, (unsigned short x), static_cast<float>(std::bit_cast<_Float16>(x))) \
  F(int, abs, (int x), x < 0 ? static_cast<int>(-static_cast<unsigned int>(x)) : x) \
  F(long long, llabs, (long long x), x < 0 ? static_cast<long long>(-static_cast<unsigned long long>(x)) : x) \
  F(int, max, (int x, int y), x < y ? y : x) \
  F(int, min, (int x, int y), y < x ? y : x) \
  F(unsigned int, umax, (unsigned int x, unsigned int y), x < y ? y : x) \
  F(unsigned int, umin, (unsigned int x, unsigned int y), y < x ? y : x) \
  F(long long, llmax, (long long x, long long y), x < y ? y : x) \
  F(long long, llmin, (long long x, long long y), y < x ? y : x) \
  F(unsigned long long, ullmax, (unsigned long long x, unsigned long long y), x < y ? y : x) \
  F(unsigned long long, ullmin, (unsigned long long x, unsigned long long y), y < x ? y : x) \
  F(int, brev, (int x), static_cast<int>(__builtin_bitreverse32(static_cast<unsigned int>(x)))) \
  F(long long, brevll, (long long x), static_cast<long long>(__builtin_bitreverse64(static_cast<unsigned long long>(x)))) \
  F(int, clz, (int x), std::countl_zero(static_cast<unsigned int>(x))) \
  F(int, clzll, (long long x), std::countl_zero(static_cast<unsigned long long>(x))) \
  F(int, ffs, (int x), ::ffs(x)) \
  F(int, ffsll, (long long x), ::ffsll(x)) \
  F(int, popc, (unsigned int x), std::popcount(x)) \
  F(int, popcll, (unsigned long long x), std::popcount(x)) \
  F(int, mul24, (int x, int y), static_cast<int>(static_cast<unsigned int>(x << 8 >> 8) * static_cast<unsigned int>(y << 8 >> 8))) \
  F(unsigned int, umul24, (unsigned int x, unsigned int y), (x & 0xffffffU) * (y & 0xffffffU)) \
  F(int, mulhi, (int x, int y), static_cast<int>(static_cast<long long>(x) * y >> 32)) \
  F(unsigned int, umulhi, (unsigned int x, unsigned int y), static_cast<unsigned int>(static_cast<unsigned long long>(x) * y >> 32U)) \
  F(long long, mul64hi, (long long x, long long y), static_cast<long long>(static_cast<Wide>(x) * y >> 64)) \
  F(unsigned long long, umul64hi, (unsigned long long x, unsigned long long y), static_cast<unsigned long long>(static_cast<UnsignedWide>(x) * y >> 64)) \
  F(int, hadd, (int x, int y), static_cast<int>((static_cast<long long>(x) + y) >> 1)) \
  F(int, rhadd, (int x, int y), static_cast<int>((static_cast<long long>(x) + y + 1) >> 1)) \
  F(unsigned int, uhadd, (unsigned int x, unsigned int y), static_cast<unsigned int>((static_cast<unsigned long long>(x) + y) >> 1U)) \
  F(unsigned int, urhadd, (unsigned int x, unsigned int y), static_cast<unsigned int>((static_cast<unsigned long long>(x) + y + 1) >> 1U)) \
  F(unsigned int, sad, (int x, int y, unsigned int z), static_cast<unsigned int>(std::abs(static_cast<long long>(x) - y)) + z) \
  F(unsigned int, usad, (unsigned int x, unsigned int y, unsigned int z), (x < y ? y - x : x - y) + z) \
  F(int, byte_perm, (int x, int y, int z), permuted_bytes(x, y, z))
// clang-format on
