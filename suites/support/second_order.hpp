#pragma once
// Forward and reverse mode over reverse mode of a program in the first form of vector_program.hpp: the Hessian times a
// direction, against central differences of the gradient.

#include "support/vector_program.hpp"

namespace assay::suites {

inline constexpr double second_order_tolerance = 1e-7;

template <double (*program)(const double *, int)>
void add_gradient(const double *x, double *shadow, int n) {
  __enzyme_autodiff<void>((void *)program, enzyme_dup, x, shadow, enzyme_const, n);
}

template <std::size_t N>
Numbers<N> directions() {
  Numbers<N> tangent;
  for (std::size_t i = 0; i < N; ++i)
    tangent[i] = direction(i);
  return tangent;
}

template <double (*program)(const double *, int), std::size_t N>
void check_hessian_times_direction(const Numbers<N> &x, const Numbers<N> &product, const char *file, int line) {
  const Numbers<N> tangent = directions<N>();
  for (std::size_t i = 0; i < N; ++i) {
    const double expected = central_difference([&](double change) {
      Numbers<N> moved = x, moved_gradient{};
      for (std::size_t k = 0; k < N; ++k)
        moved[k] += change * tangent[k];
      add_gradient<program>(moved.data(), moved_gradient.data(), int(N));
      return moved_gradient[i];
    });
    expect_near_element(product[i], expected, second_order_tolerance, "Hessian times a direction", i, file, line);
  }
}

template <double (*program)(const double *, int), std::size_t N>
void check_second_order(const Numbers<N> &x, const char *file, int line) {
  const Numbers<N> tangent = directions<N>();
  Numbers<N> gradient{}, product{};
  __enzyme_fwddiff<void>((void *)add_gradient<program>, enzyme_dup, x.data(), tangent.data(), enzyme_dup,
                         gradient.data(), product.data(), enzyme_const, int(N));
  check_hessian_times_direction<program>(x, product, file, line);
}

template <double (*program)(const double *, int), std::size_t N>
void check_reverse_over_reverse(const Numbers<N> &x, const char *file, int line) {
  Numbers<N> seeds = directions<N>(), gradient{}, product{};
  __enzyme_autodiff<void>((void *)add_gradient<program>, enzyme_dup, x.data(), product.data(), enzyme_dup,
                          gradient.data(), seeds.data(), enzyme_const, int(N));
  check_hessian_times_direction<program>(x, product, file, line);
}

} // namespace assay::suites

/// CHECK_SECOND_ORDER(program, 1.0, 2.0, ...): forward over reverse mode at that point.
#define CHECK_SECOND_ORDER(program, ...)                                                                               \
  assay::suites::check_second_order<program>(std::array{__VA_ARGS__}, __FILE__, __LINE__)
#define CHECK_REVERSE_OVER_REVERSE(program, ...)                                                                       \
  assay::suites::check_reverse_over_reverse<program>(std::array{__VA_ARGS__}, __FILE__, __LINE__)
