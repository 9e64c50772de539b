// Reductions and products of complex numbers: PART is the type of a part, NAME what flang calls them: Complex8.
typedef struct Complex {
  PART real, imaginary;
} Complex;

static inline const Complex *complex_at(const Descriptor *array, Index place) {
  return (const Complex *)element(array, place);
}

static inline Complex product_of(Complex left, Complex right) {
  return (Complex){left.real * right.real - left.imaginary * right.imaginary,
                   left.real * right.imaginary + left.imaginary * right.real};
}

static inline void add_product(Complex *sum, Complex left, Complex right) {
  const Complex product = product_of(left, right);
  sum->real += product.real;
  sum->imaginary += product.imaginary;
}

void complex_sum(Complex *result, const Descriptor *array, const char *file, int line, int dimension,
                 const Descriptor *mask) BODY_OF_COMPLEX(_FortranACppSum);
void complex_sum(Complex *result, const Descriptor *array, const char *file, int line, int dimension,
                 const Descriptor *mask) {
  (void)file, (void)line, (void)dimension;
  SUM real = {0, 0}, imaginary = {0, 0};
  const Index elements = elements_of(array);
  for (Index place = 0; place < elements; ++place)
    if (!mask || is_true(mask, place)) {
      add(&real, complex_at(array, place)->real);
      add(&imaginary, complex_at(array, place)->imaginary);
    }
  *result = (Complex){(PART)real.value, (PART)imaginary.value};
}

void complex_product(Complex *result, const Descriptor *array, const char *file, int line, int dimension,
                     const Descriptor *mask) BODY_OF_COMPLEX(_FortranACppProduct);
void complex_product(Complex *result, const Descriptor *array, const char *file, int line, int dimension,
                     const Descriptor *mask) {
  (void)file, (void)line, (void)dimension;
  Complex product = {1, 0};
  const Index elements = elements_of(array);
  for (Index place = 0; place < elements; ++place)
    if (!mask || is_true(mask, place))
      product = product_of(product, *complex_at(array, place));
  *result = product;
}

/// The left numbers are conjugated.
void complex_dot(Complex *result, const Descriptor *left, const Descriptor *right, const char *file, int line)
    BODY_OF_COMPLEX(_FortranACppDotProduct);
void complex_dot(Complex *result, const Descriptor *left, const Descriptor *right, const char *file, int line) {
  (void)file, (void)line;
  Complex sum = {0, 0};
  const Index elements = left->dimensions[0].extent;
  for (Index place = 0; place < elements; ++place) {
    const Complex other = *complex_at(left, place);
    add_product(&sum, (Complex){other.real, -other.imaginary}, *complex_at(right, place));
  }
  *result = sum;
}

#define ELEMENT Complex
#define ADD_PRODUCT(sum, left, right) add_product(&(sum), left, right)
#include "core/engine/library/fortran_matmul.h"

void complex_matmul(Descriptor *result, const Descriptor *left, const Descriptor *right, const char *file, int line)
    BODY_OF_COMPLEX_MATMUL(_FortranAMatmul);
void complex_matmul(Descriptor *result, const Descriptor *left, const Descriptor *right, const char *file, int line) {
  (void)file, (void)line;
  multiply_into_new(result, left, right);
}

void complex_matmul_direct(Descriptor *result, const Descriptor *left, const Descriptor *right, const char *file,
                           int line) BODY_OF_COMPLEX_MATMUL(_FortranAMatmulDirect);
void complex_matmul_direct(Descriptor *result, const Descriptor *left, const Descriptor *right, const char *file,
                           int line) {
  (void)file, (void)line;
  multiply(result, left, right);
}

/// By repeated squares.
static inline Complex power_of(Complex base, long exponent) {
  unsigned long left = exponent < 0 ? -(unsigned long)exponent : (unsigned long)exponent;
  Complex power = {1, 0};
  while (left != 0) {
    if (left & 1)
      power = product_of(power, base);
    base = product_of(base, base);
    left >>= 1;
  }
  if (exponent >= 0)
    return power;
  const PART magnitude = power.real * power.real + power.imaginary * power.imaginary;
  return (Complex){power.real / magnitude, -power.imaginary / magnitude};
}

static inline PART _Complex power(PART _Complex base, long exponent) {
  const Complex result = power_of((Complex){__real__ base, __imag__ base}, exponent);
  PART _Complex value;
  __real__ value = result.real;
  __imag__ value = result.imaginary;
  return value;
}
