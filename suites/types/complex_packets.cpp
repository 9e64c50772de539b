// Complex numbers in registers of two doubles, as Eigen moves and negates them, in a matrix that has its numbers of
// rows and columns behind them: the numbers have no place of their own in what is known of its types.
#include "support/vector_program.hpp"
#if defined(__x86_64__)
#include <complex>
#include <emmintrin.h>
namespace {

struct Matrix {
  alignas(16) std::complex<double> entries[9];
  long rows, columns;
};

Matrix matrix_of(const double *x, int n) {
  Matrix matrix = {};
  matrix.rows = matrix.columns = 3;
  for (int entry = 0; entry < matrix.rows * matrix.columns; ++entry)
    matrix.entries[entry] = {x[entry % n], x[(2 * entry + 1) % n]};
  return matrix;
}

__m128d load(const std::complex<double> &number) {
  return _mm_loadu_pd(reinterpret_cast<const double *>(&number));
}
void store(std::complex<double> &number, __m128d packet) {
  _mm_storeu_pd(reinterpret_cast<double *>(&number), packet);
}

Matrix negative(const Matrix &matrix) {
  Matrix result = {};
  result.rows = matrix.rows;
  result.columns = matrix.columns;
  const __m128d signs = _mm_set1_pd(-0.0);
  for (long entry = 0; entry < matrix.rows * matrix.columns; ++entry)
    store(result.entries[entry], _mm_xor_pd(load(matrix.entries[entry]), signs));
  return result;
}

__m128d product(__m128d a, __m128d b) {
  const __m128i bits = _mm_castpd_si128(a);
  const __m128d real = _mm_castsi128_pd(_mm_shuffle_epi32(bits, 0x44));
  const __m128d imaginary = _mm_castsi128_pd(_mm_shuffle_epi32(bits, 0xee));
  const __m128d turned = _mm_castsi128_pd(_mm_shuffle_epi32(_mm_castpd_si128(b), 0x4e));
  return _mm_add_pd(_mm_mul_pd(real, b), _mm_xor_pd(_mm_mul_pd(imaginary, turned), _mm_set_pd(0.0, -0.0)));
}

Matrix product(const Matrix &a, const Matrix &b) {
  Matrix result = {};
  result.rows = a.rows;
  result.columns = b.columns;
  for (long column = 0; column < b.columns; ++column)
    for (long row = 0; row < a.rows; ++row) {
      __m128d sum = _mm_setzero_pd();
      for (long inner = 0; inner < a.columns; ++inner)
        sum = _mm_add_pd(sum, product(load(a.entries[row + inner * a.rows]), load(b.entries[inner + column * b.rows])));
      store(result.entries[row + column * a.rows], sum);
    }
  return result;
}

double negated(const double *x, int n) {
  const Matrix matrix = negative(matrix_of(x, n));
  return std::norm(matrix.entries[4]) + matrix.entries[1].real() * matrix.entries[matrix.rows].imag();
}
double negated_product(const double *x, int n) {
  const Matrix matrix = matrix_of(x, n), result = product(negative(matrix), matrix);
  return std::norm(result.entries[result.rows]);
}

/// The parts of what is stored as one packet are read apart.
double parts(const double *x, int n) {
  std::complex<double> numbers[4];
  store(numbers[0], _mm_mul_pd(_mm_loadu_pd(x), _mm_loadu_pd(x + 1)));
  long bits[2];
  std::memcpy(bits, numbers, sizeof bits);
  double real = 0, imaginary = 0;
  std::memcpy(&real, bits, sizeof real);
  std::memcpy(&imaginary, bits + 1, sizeof imaginary);
  return real * imaginary * x[n - 1];
}

} // namespace

PLUGIN_TEST(ComplexPackets, AreNegatedAsIntegers) {
  CHECK_FUNCTION(negated, 1.5, 0.25, -0.75, 2.0);
  CHECK_FUNCTION(negated_product, 1.5, 0.25, -0.75, 2.0);
}
PLUGIN_TEST(ComplexPackets, AreReadInParts) {
  CHECK_FUNCTION(parts, 1.5, 0.25, -0.75, 2.0);
}
#endif
