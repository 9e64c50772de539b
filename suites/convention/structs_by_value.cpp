// Structs and complex numbers that C passes in several registers: one argument for markers and shadows.
#include "support/plugin_test.hpp"
#include <cmath>

struct Two {
  double x, y;
};
struct Slice {
  double *data;
  long size;
};
struct Pointers {
  double *first, *second;
};

struct Triple {
  double x, y, z;
};
struct TwoTriples {
  Triple first, second;
};
struct ThreeCounts {
  int first, second, third;
};

extern "C" {
extern int enzyme_dup, enzyme_const, enzyme_width, enzyme_vector, enzyme_scalar;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
Two __enzyme_autodiff_two(void *, ...);
Two __enzyme_fwddiff_two(void *, ...);
Two __enzyme_batch_two(void *, ...);
ThreeCounts __enzyme_batch_counts(void *, ...);
TwoTriples __enzyme_batch_triples(void *, ...);
_Complex double __enzyme_fwddiff_complex(void *, ...);

Two rotated(Two v, double angle) {
  return {v.x * std::cos(angle) - v.y * std::sin(angle), v.x * std::sin(angle) + v.y * std::cos(angle)};
}
double squares(Slice slice) {
  double sum = 0;
  for (long i = 0; i < slice.size; ++i)
    sum += slice.data[i] * slice.data[i];
  return sum;
}
double product(Pointers both, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += both.first[i] * both.second[i];
  return sum;
}
_Complex double cube(_Complex double z) {
  return z * z * z;
}
Triple scaled(Triple v, double factor) {
  return {v.x * factor, v.y * factor, v.z * factor};
}
int bits(int number) {
  return __builtin_popcount(number);
}
/// After the fifth struct there are no registers left.
double many(Two a, Two b, Two c, Two d, Two e) {
  return a.x * b.y + c.x * d.y + e.x * e.y;
}
}

namespace {

PLUGIN_TEST(StructsByValue, ATangentIsAStruct) {
  const Two tangent = __enzyme_fwddiff_two((void *)rotated, enzyme_dup, Two{1, 2}, Two{1, 0}, enzyme_const, 0.5);
  EXPECT_CLOSE(tangent.x, std::cos(0.5));
  EXPECT_CLOSE(tangent.y, std::sin(0.5));
}
PLUGIN_TEST(StructsByValue, TangentsInLanes) {
  double data[] = {1, 2}, first[] = {1, 0}, second[] = {0, 1};
  const Two tangent = __enzyme_fwddiff_two((void *)squares, enzyme_width, 2, enzyme_dup, Slice{data, 2},
                                           Slice{first, 2}, Slice{second, 2});
  EXPECT_CLOSE(tangent.x, 2);
  EXPECT_CLOSE(tangent.y, 4);
}
PLUGIN_TEST(StructsByValue, AShadowIsAStruct) {
  double data[] = {1, 2, 3}, shadow[] = {0, 0, 0};
  __enzyme_autodiff((void *)squares, Slice{data, 3}, Slice{shadow, 3});
  EXPECT_CLOSE(shadow[2], 6);
}
PLUGIN_TEST(StructsByValue, PointersFindTheirShadows) {
  double a[] = {1, 2}, b[] = {3, 4}, da[] = {0, 0}, db[] = {0, 0};
  __enzyme_autodiff((void *)product, enzyme_dup, Pointers{a, b}, Pointers{da, db}, enzyme_const, 2);
  EXPECT_CLOSE(da[1], 4);
  EXPECT_CLOSE(db[1], 2);
}
PLUGIN_TEST(StructsByValue, AComplexNumberIsOneArgument) {
  const _Complex double z = {0.3, 0.4}, one = {1, 0};
  const _Complex double tangent = __enzyme_fwddiff_complex((void *)cube, z, one);
  EXPECT_CLOSE(__real__ tangent, 3 * (0.09 - 0.16));
  EXPECT_CLOSE(__imag__ tangent, 3 * 0.24);
}
PLUGIN_TEST(StructsByValue, WhereRegistersEnd) {
  const Two one{1, 2}, zero{0, 0};
  EXPECT_CLOSE(__enzyme_fwddiff((void *)many, one, Two{1, 0}, one, zero, one, zero, one, zero, one, Two{1, 1}),
               2 + 2 + 1);
}
PLUGIN_TEST(StructsByValue, ABatchOfSmallStructs) {
  double data[] = {1, 2, 3};
  const Two results =
      __enzyme_batch_two((void *)squares, enzyme_width, 2, enzyme_vector, Slice{data, 3}, Slice{data + 1, 1});
  EXPECT_CLOSE(results.x, 14);
  EXPECT_CLOSE(results.y, 4);
}
PLUGIN_TEST(StructsByValue, ABatchOfStructsInMemory) {
  const TwoTriples results = __enzyme_batch_triples((void *)scaled, enzyme_width, 2, enzyme_vector, Triple{1, 2, 3},
                                                    Triple{4, 5, 6}, enzyme_scalar, 2.0);
  EXPECT_CLOSE(results.first.z, 6);
  EXPECT_CLOSE(results.second.x, 8);
}
PLUGIN_TEST(StructsByValue, ABatchOfIntegersThatShareARegister) {
  const ThreeCounts results = __enzyme_batch_counts((void *)bits, enzyme_width, 3, enzyme_vector, 1, 3, 7);
  EXPECT_CLOSE(results.first, 1);
  EXPECT_CLOSE(results.second, 2);
  EXPECT_CLOSE(results.third, 3);
}

} // namespace
