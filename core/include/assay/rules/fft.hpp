#pragma once
// The discrete Fourier transform by FFTW, y_k = sum of x_j exp(-2 pi i j k / n). It is linear: dy is the transform of
// dx; backwards, as its conjugate transpose, dx += sum of dy_k exp(2 pi i j k / n), the transform with the other sign.
// The rule of each calls the other, so that it can be differentiated itself, as often as one likes.
//
// There only where FFTW is: ASSAY_HAS_FFTW tells. Programs link to it (-lfftw3). A program that makes plans of its own
// in other threads calls fftw_make_planner_thread_safe (-lfftw3_threads).

#if __has_include(<fftw3.h>)
#define ASSAY_HAS_FFTW 1

#include <assay/rules.hpp>
#include <complex>
#include <fftw3.h>
#include <mutex>
#include <vector>

namespace assay::rules {

using ComplexVector = std::vector<std::complex<double>>;

/// y_k = sum of x_j exp(-2 pi i j k / n)
inline ComplexVector fft(const ComplexVector &x);
/// x_j = sum of y_k exp(2 pi i j k / n), which is n times the inverse of fft.
inline ComplexVector backward_fft(const ComplexVector &y);

template <auto &Transform, auto &Adjoint>
struct FourierRule {
  static auto forward(const auto &config, auto x) {
    ComplexVector y = Transform(x.value);
    auto tangents =
        config.each_lane([&](int lane) { return x.is_active() ? Transform(x.shadow(lane)) : make_zero(y); });
    return Duplicated<ComplexVector, decltype(tangents)>{std::move(y), std::move(tangents)};
  }
  static auto augmented_primal(const auto & /*config*/, auto x) { return AugmentedReturn{Transform(x.value)}; }
  static void reverse(const auto &config, const auto &dy, None /*tape*/, auto x) {
    for (const int lane : config.lanes()) {
      const ComplexVector dx = x.is_active() ? Adjoint(dy(lane)) : ComplexVector();
      for (std::size_t i = 0; i < dx.size(); ++i)
        x.shadow(lane)[i] += dx[i];
    }
  }
};
struct ForwardFourierRule : FourierRule<fft, backward_fft> {};
struct BackwardFourierRule : FourierRule<backward_fft, fft> {};

namespace detail {
/// FFTW makes and destroys one plan at a time; only execution may run in several threads.
inline std::mutex fftw_planner;

inline ComplexVector transformed(const ComplexVector &x, int sign) {
  ComplexVector y = x;
  if (y.empty())
    return y;
  auto *numbers = reinterpret_cast<fftw_complex *>(y.data());
  std::unique_lock planning(fftw_planner);
  const fftw_plan plan = fftw_plan_dft_1d(static_cast<int>(y.size()), numbers, numbers, sign, FFTW_ESTIMATE);
  planning.unlock();
  fftw_execute(plan);
  planning.lock();
  fftw_destroy_plan(plan);
  return y;
}
} // namespace detail

inline ComplexVector fft(const ComplexVector &x) {
  ASSAY_RULE(ForwardFourierRule, fft);
  return detail::transformed(x, FFTW_FORWARD);
}
inline ComplexVector backward_fft(const ComplexVector &y) {
  ASSAY_RULE(BackwardFourierRule, backward_fft);
  return detail::transformed(y, FFTW_BACKWARD);
}

} // namespace assay::rules

#endif
