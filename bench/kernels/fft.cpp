// The fast Fourier transform in place: bit reversal, then butterflies of radix 2 with twiddles by recurrence.
#include "bench/kernel_of.hpp"

#include <algorithm>
#include <cmath>

namespace assay::bench {

namespace {

constexpr int size = 1024;

/// Numbers are pairs of a real and an imaginary part.
void reverse_bits(double *x, int n) {
  for (int i = 1, j = 0; i < n; ++i) {
    int bit = n / 2;
    for (; j & bit; bit /= 2)
      j ^= bit;
    j ^= bit;
    if (i < j) {
      std::swap(x[2 * i], x[2 * j]);
      std::swap(x[2 * i + 1], x[2 * j + 1]);
    }
  }
}

void transform(double *x, int n) {
  reverse_bits(x, n);
  for (int length = 2; length <= n; length *= 2) {
    const double angle = -2 * M_PI / length, step_real = std::cos(angle), step_imaginary = std::sin(angle);
    for (int start = 0; start < n; start += length) {
      double real = 1, imaginary = 0;
      for (int k = start; k < start + length / 2; ++k) {
        double *even = x + 2 * k, *odd = even + length;
        const double odd_real = odd[0] * real - odd[1] * imaginary, odd_imaginary = odd[0] * imaginary + odd[1] * real;
        odd[0] = even[0] - odd_real;
        odd[1] = even[1] - odd_imaginary;
        even[0] += odd_real;
        even[1] += odd_imaginary;
        const double turned = real * step_real - imaginary * step_imaginary;
        imaginary = real * step_imaginary + imaginary * step_real;
        real = turned;
      }
    }
  }
}

double value(const double *input, double *x, int n, int) {
  for (int i = 0; i < 2 * n; ++i)
    x[i] = input[i];
  transform(x, n);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += (x[2 * i] * x[2 * i] + x[2 * i + 1] * x[2 * i + 1]) * i;
  return sum / n;
}

} // namespace

Kernel fft() {
  return kernel_of<value>({"fft", 2 * size, 2 * size, -1, 1, 0, {size, 0, 0}});
}

} // namespace assay::bench
