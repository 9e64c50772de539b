// Registered rules whose functions take or return structs: in one register, in several, or in memory. The derivatives
// are deliberately not the true ones, so that it shows which was used.
#include "support/plugin_test.hpp"
#include <cstdlib>

#define NOINLINE __attribute__((noinline))

struct Two {
  double x, y;
};
struct Three {
  double x, y, z;
};
struct Floats {
  float x, y;
};
struct Slice {
  double *data;
  long size;
};
struct ThreeAndFactor {
  Three vector;
  double factor;
};
struct TwoTangents {
  Two primal, tangent;
};
struct ThreeTangents {
  Three primal, tangent;
};
struct TapedDouble {
  void *tape;
  double value;
};
struct TapedTwo {
  void *tape;
  Two value;
};
struct TapedFloats {
  void *tape;
  Floats value;
};
struct TapedThree {
  void *tape;
  Three value;
};
struct TapedBlock {
  void *tape;
  double *block, *shadow;
};
struct Blocks {
  double *block, *shadow;
};

extern "C" {
extern int enzyme_dup, enzyme_width;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
float __enzyme_fwddiff_float(void *, ...);
void __enzyme_autodiff_arrays(void *, ...);
Two __enzyme_autodiff_two(void *, ...);
Three __enzyme_autodiff_three(void *, ...);
Floats __enzyme_autodiff_floats(void *, ...);
Two __enzyme_fwddiff_lanes(void *, ...);
TapedDouble __enzyme_augmentfwd(void *, ...);
double __enzyme_reverse(void *, ...);

// Three gradients come back through a hidden pointer.
NOINLINE double volume(double a, double b, double c) {
  return a * b * c;
}
TapedDouble volume_augmented(double a, double b, double c) {
  return {nullptr, a * b * c};
}
Three volume_reverse(double a, double b, double c, double seed, void *) {
  return {seed * b * c, 2 * seed * a * c, 3 * seed * a * b};
}
void *__enzyme_register_gradient_volume[] = {(void *)volume, (void *)volume_augmented, (void *)volume_reverse};

// A struct in two registers, as argument and as result.
NOINLINE Two turned(Two v) {
  return {-v.y, v.x};
}
TapedTwo turned_augmented(Two v) {
  return {nullptr, turned(v)};
}
Two turned_reverse(Two, Two seed, void *) {
  return {10 * seed.y, -10 * seed.x};
}
TwoTangents turned_forward(Two v, Two dv) {
  return {turned(v), {-20 * dv.y, 20 * dv.x}};
}
void *__enzyme_register_gradient_turned[] = {(void *)turned, (void *)turned_augmented, (void *)turned_reverse};
void *__enzyme_register_derivative_turned[] = {(void *)turned, (void *)turned_forward};

// Two floats share a register.
NOINLINE Floats exchanged(Floats v) {
  return {v.y, v.x};
}
TapedFloats exchanged_augmented(Floats v) {
  return {nullptr, exchanged(v)};
}
Floats exchanged_reverse(Floats, Floats seed, void *) {
  return {5 * seed.y, 6 * seed.x};
}
Floats exchanged_forward(Floats, Floats dv) {
  return {7 * dv.y, 8 * dv.x};
}
void *__enzyme_register_gradient_exchanged[] = {(void *)exchanged, (void *)exchanged_augmented,
                                                (void *)exchanged_reverse};
void *__enzyme_register_derivative_exchanged[] = {(void *)exchanged, (void *)exchanged_forward};

// A struct in memory, as argument, result and seed.
NOINLINE Three scaled(Three v, double factor) {
  return {factor * v.x, factor * v.y, factor * v.z};
}
TapedThree scaled_augmented(Three v, double factor) {
  auto *tape = static_cast<ThreeAndFactor *>(std::malloc(sizeof(ThreeAndFactor)));
  *tape = {v, factor};
  return {tape, scaled(v, factor)};
}
ThreeAndFactor scaled_reverse(Three, double, Three seed, void *tape) {
  const ThreeAndFactor kept = *static_cast<ThreeAndFactor *>(tape);
  std::free(tape);
  return {scaled(seed, 10 * kept.factor), seed.x * kept.vector.x + seed.y * kept.vector.y + seed.z * kept.vector.z};
}
ThreeTangents scaled_forward(Three v, Three dv, double factor, double dfactor) {
  const Three whole = scaled(dv, 20 * factor);
  return {scaled(v, factor), {whole.x + dfactor * v.x, whole.y + dfactor * v.y, whole.z + dfactor * v.z}};
}
void *__enzyme_register_gradient_scaled[] = {(void *)scaled, (void *)scaled_augmented, (void *)scaled_reverse};
void *__enzyme_register_derivative_scaled[] = {(void *)scaled, (void *)scaled_forward};

// A pointer with its length: the shadow is a whole struct, too.
NOINLINE double sum(Slice numbers) {
  double total = 0;
  for (long i = 0; i < numbers.size; ++i)
    total += numbers.data[i];
  return total;
}
TapedDouble sum_augmented(Slice numbers, Slice) {
  return {nullptr, sum(numbers)};
}
void sum_reverse(Slice numbers, Slice shadow, double seed, void *) {
  for (long i = 0; i < numbers.size; ++i)
    shadow.data[i] += 9 * seed;
}
double sum_forward(Slice, Slice tangent) {
  return 11 * sum(tangent);
}
void *__enzyme_register_gradient_sum[] = {(void *)sum, (void *)sum_augmented, (void *)sum_reverse};
void *__enzyme_register_derivative_sum[] = {(void *)sum, (void *)sum_forward};

// A rule that allocates returns the tape, the block and its shadow.
NOINLINE double *multiples(double x, int n) {
  auto *block = static_cast<double *>(std::malloc(n * sizeof(double)));
  for (int i = 0; i < n; ++i)
    block[i] = x * (i + 1);
  return block;
}
TapedBlock multiples_augmented(double x, int n) {
  auto *shadow = static_cast<double *>(std::calloc(n, sizeof(double)));
  return {shadow, multiples(x, n), shadow};
}
double multiples_reverse(double, int n, void *tape) {
  double gradient = 0;
  for (int i = 0; i < n; ++i)
    gradient += 10 * static_cast<double *>(tape)[i] * (i + 1);
  return gradient;
}
Blocks multiples_forward(double x, double dx, int n) {
  return {multiples(x, n), multiples(3 * dx, n)};
}
void *__enzyme_register_gradient_multiples[] = {(void *)multiples, (void *)multiples_augmented,
                                                (void *)multiples_reverse};
void *__enzyme_register_derivative_multiples[] = {(void *)multiples, (void *)multiples_forward};
}

namespace {

double twice_volume(double a, double b, double c) {
  return 2 * volume(a, b, c);
}
double turned_and_weighted(double a, double b) {
  const Two v = turned({a, b});
  return 2 * v.x + 3 * v.y;
}
float exchanged_and_weighted(float a, float b) {
  const Floats v = exchanged({a, b});
  return 2 * v.x + 3 * v.y;
}
double scaled_and_weighted(double a, double factor) {
  const Three v = scaled({a, a * a, 1}, factor);
  return v.x + 2 * v.y + 3 * v.z;
}
double products(const Three *vectors, double factor) {
  double total = 0;
  for (int i = 0; i < 3; ++i) {
    const Three v = scaled(vectors[i], factor);
    total += v.x * v.y * v.z;
  }
  return total;
}
double through_a_pointer(double a, double b) {
  Two (*volatile function)(Two) = turned;
  const Two v = function({a, b});
  return v.x;
}
double twice_sum(double *data, int n) {
  return 2 * sum({data, n});
}
double product_of_multiples(double x) {
  double *block = multiples(x, 3);
  const double product = block[0] + block[1] * block[2];
  std::free(block);
  return product;
}

PLUGIN_TEST(RulesOfStructs, ThreeGradientsComeBackInMemory) {
  const Three gradient = __enzyme_autodiff_three((void *)twice_volume, 2.0, 3.0, 4.0);
  EXPECT_CLOSE(gradient.x, 24);
  EXPECT_CLOSE(gradient.y, 32);
  EXPECT_CLOSE(gradient.z, 36);
}
PLUGIN_TEST(RulesOfStructs, AStructInTwoRegisters) {
  const Two gradient = __enzyme_autodiff_two((void *)turned_and_weighted, 3.0, 4.0);
  EXPECT_CLOSE(gradient.x, 30);
  EXPECT_CLOSE(gradient.y, -20);
  EXPECT_CLOSE(__enzyme_fwddiff((void *)turned_and_weighted, 3.0, 1.0, 4.0, 0.0), 60);
}
PLUGIN_TEST(RulesOfStructs, AStructInAVector) {
  const Floats gradient = __enzyme_autodiff_floats((void *)exchanged_and_weighted, 3.0F, 4.0F);
  EXPECT_CLOSE(gradient.x, 15);
  EXPECT_CLOSE(gradient.y, 12);
  EXPECT_CLOSE(__enzyme_fwddiff_float((void *)exchanged_and_weighted, 3.0F, 1.0F, 4.0F, 0.0F), 24);
}
PLUGIN_TEST(RulesOfStructs, AStructInMemory) {
  const Two gradient = __enzyme_autodiff_two((void *)scaled_and_weighted, 3.0, 2.0);
  EXPECT_CLOSE(gradient.x, 20 + 2 * 20 * 6);
  EXPECT_CLOSE(gradient.y, 3 + 18 + 3);
  const Two lanes = __enzyme_fwddiff_lanes((void *)scaled_and_weighted, enzyme_width, 2, 3.0, 1.0, 0.0, 2.0, 0.0, 1.0);
  EXPECT_CLOSE(lanes.x, 40 + 2 * 40 * 6);
  EXPECT_CLOSE(lanes.y, 24);
}
PLUGIN_TEST(RulesOfStructs, InALoopInTwoHalves) {
  Three vectors[] = {{1, 2, 3}, {1, 1, 2}, {2, 0, 1}}, gradient[3] = {};
  const auto forward = __enzyme_augmentfwd((void *)products, vectors, gradient, 2.0);
  EXPECT_CLOSE(forward.value, 64);
  vectors[0].x = 99;
  EXPECT_CLOSE(__enzyme_reverse((void *)products, vectors, gradient, 2.0, 1.0, forward.tape), 96);
  EXPECT_CLOSE(gradient[0].x, 480);
  EXPECT_CLOSE(gradient[2].y, 160);
}
PLUGIN_TEST(RulesOfStructs, ThroughAPointer) {
  const Two gradient = __enzyme_autodiff_two((void *)through_a_pointer, 3.0, 4.0);
  EXPECT_CLOSE(gradient.x, 0);
  EXPECT_CLOSE(gradient.y, -10);
}
PLUGIN_TEST(RulesOfStructs, APointerWithItsLength) {
  double data[] = {1, 2}, shadow[] = {0, 0};
  __enzyme_autodiff_arrays((void *)twice_sum, data, shadow, 2);
  EXPECT_CLOSE(shadow[0], 18);
  EXPECT_CLOSE(shadow[1], 18);
  EXPECT_CLOSE(__enzyme_fwddiff((void *)twice_sum, data, shadow, 2), 22 * 36);
}
PLUGIN_TEST(RulesOfStructs, ABlockWithItsShadow) {
  EXPECT_CLOSE(__enzyme_autodiff((void *)product_of_multiples, 2.0), 10 * (1 + 2 * 6 + 3 * 4));
  EXPECT_CLOSE(__enzyme_fwddiff((void *)product_of_multiples, 2.0, 1.0), 3 * (1 + 24));
}

} // namespace
