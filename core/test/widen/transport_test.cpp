// Would catch: a movement that is lost or put elsewhere on its way through memory, integers and calls.

#include "core/test/widen/widened.hpp"

namespace {

using namespace assay;
using test::expect_derivative;

TEST(Widen, FollowsLoopsAndArrays) {
  expect_derivative("f.c",
                    "double f(double *x) { double t[4] = {0}; for (int i = 0; i < 4; ++i) t[i] = x[i] * (i + 1); "
                    "for (int i = 1; i < 4; ++i) t[i] += t[i - 1] * t[i - 1]; x[1] = t[3]; return x[1]; }",
                    {1, 1, 1, 1}, 3, 4);
  expect_derivative("f.c", "double f(double x) { double t = 1; while (t < 50) t *= x; return t; }", {10}, 0, 20);
}

TEST(Widen, FollowsStructsByValueAndByAddress) {
  expect_derivative(
      "f.c",
      "typedef struct { double a, b; float c; int n; } Small; typedef struct { double a[9]; } Large;\n"
      "__attribute__((noinline)) static Small twice(Small s) { s.a *= 2; s.c *= 3; return s; }\n"
      "__attribute__((noinline)) static double sum(Large l) { double t = 0; for (int i = 0; i < 9; ++i) t += l.a[i]; "
      "return t; }\n"
      "double f(double x) { Small s = {x, 1, x, 4}; s = twice(s); Large l = {{s.a, s.b, s.c, s.n}}; "
      "l.a[8] = x * x; return sum(l); }",
      {2}, 0, 9);
  expect_derivative(
      "f.c",
      "typedef struct { float a, b; } Pair; typedef struct { int n; float a; } Mixed;\n"
      "__attribute__((noinline)) static Pair swap(Pair p) { Pair q = {p.b, p.a}; return q; }\n"
      "__attribute__((noinline)) static Mixed pass(Mixed m) { m.a *= m.n; return m; }\n"
      "double f(double x) { Pair p = {x, 2 * x}; p = swap(p); Mixed m = {3, p.a}; m = pass(m); return m.a + p.b; }",
      {0.5}, 0, 7);
}

TEST(Widen, FollowsCopiesOfMemory) {
  expect_derivative(
      "f.c",
      "#include <string.h>\n#include <stdlib.h>\n"
      "double f(double *x) { double a[3], b[4]; memcpy(a, x, sizeof a); memmove(b + 1, a, sizeof a); "
      "memmove(b, b + 1, sizeof a); double *c = malloc(8); *c = b[1]; c = realloc(c, 80000); double r = *c * *c; "
      "memset(c, 0, 8); r += *c; free(c); return r; }",
      {1, 3, 5}, 1, 6);
}

TEST(Widen, FollowsBitsThatTravelInIntegers) {
  expect_derivative(
      "f.c",
      "#include <string.h>\n#include <stdint.h>\n"
      "typedef union { double d; uint64_t bits; float f[2]; } Word;\n"
      "__attribute__((noinline)) static uint64_t pass(uint64_t b) { return b; }\n"
      "double f(double x) { uint64_t b; memcpy(&b, &x, 8); b = pass(b); Word w; w.bits = b; double y = w.d; "
      "Word v; v.f[0] = (float)x; v.f[1] = 2 * (float)x; uint64_t both = v.bits; "
      "uint32_t high = (uint32_t)(both >> 32); float g; memcpy(&g, &high, 4); return y * g; }",
      {0.5}, 0, 2);
}

/// As device code shuffles doubles.
TEST(Widen, FollowsHalvesOfNumbersThatArePutTogetherAgain) {
  expect_derivative("f.c",
                    "#include <string.h>\n#include <stdint.h>\n"
                    "__attribute__((noinline)) static uint32_t pass(uint32_t half) { return half; }\n"
                    "double f(double x) { uint64_t b; memcpy(&b, &x, 8); uint32_t low = pass((uint32_t)b), "
                    "high = pass((uint32_t)(b >> 32)); b = (uint64_t)high << 32 | low; double y; memcpy(&y, &b, 8); "
                    "return y * y; }",
                    {0.5}, 0, 1);
}

TEST(Widen, FollowsRecursionAndPointersToFunctions) {
  expect_derivative(
      "f.c",
      "static double square(double x) { return x * x; }\nstatic double cube(double x) { return x * x * x; }\n"
      "static double (*const table[])(double) = {square, cube};\n"
      "static double power(double x, int n) { return n == 0 ? 1 : x * power(x, n - 1); }\n"
      "double f(double x) { double s = 0; for (int i = 0; i < 2; ++i) s += table[i](x); return s + power(x, 4); }",
      {2}, 0, 4 + 12 + 32);
}

TEST(Widen, FollowsTheLibrarysCallbacks) {
  expect_derivative(
      "f.cpp",
      "#include <vector>\n#include <functional>\n#include <map>\n#include <algorithm>\n#include <numeric>\n"
      "struct Shape { virtual double area(double x) const = 0; virtual ~Shape() = default; };\n"
      "struct Square : Shape { double area(double x) const override { return x * x; } };\n"
      "double f(double x) { std::vector<double> v; for (int i = 0; i < 20; ++i) v.push_back(x * (20 - i)); "
      "std::sort(v.begin(), v.end()); std::function<double(double)> g = [x](double y) { return x * y; }; "
      "std::map<int, double> m; m[3] = x; m[1] = 2 * x; Square s; const Shape *p = &s; "
      "return std::accumulate(v.begin(), v.end(), 0.0) + g(3) + m[3] * m[1] + p->area(x); }",
      {0.5}, 0, 210 + 3 + 2 + 1);
}

TEST(Widen, FollowsExceptions) {
  expect_derivative(
      "f.cpp",
      "__attribute__((noinline)) double half(double x) { if (x > 1) throw x; return x / 2; }\n"
      "double f(double x) { double r = half(x); try { r += half(x + 1); } catch (double y) { r += 3 * y; } return r; }",
      {0.5}, 0, 3.5);
}

TEST(Widen, FollowsVectors) {
  expect_derivative("f.c",
                    "typedef double V __attribute__((vector_size(32)));\n"
                    "double f(double *x) { V a = {x[0], x[1], x[2], x[3]}; V b = a * a + 2 * a; int i = (int)x[3]; "
                    "V c = __builtin_shufflevector(a, b, 5, 1, 2, 3); return c[0] + b[i]; }",
                    {1, 2, 3, 1}, 1, 12);
}

TEST(Widen, FollowsFunctionsThatReturnInTwoParts) {
  expect_derivative("f.c",
                    "#define _GNU_SOURCE\n#include <math.h>\n"
                    "double f(double x) { double s, c, w; int e; sincos(x, &s, &c); double m = frexp(x, &e); "
                    "double g = modf(x, &w); return s * c + ldexp(m, e) + g * w; }",
                    {1.25}, 0, std::cos(2.5) + 1 + 1);
}

TEST(Widen, FollowsGlobalsAndStartsAnewInEachRun) {
  expect_derivative("f.c",
                    "static double total = 1; double f(double x) { total += x; static double last; last = total * x; "
                    "return last; }",
                    {3}, 0, 7);
}

TEST(Widen, FollowsPointersToTheLibrarysFunctions) {
  expect_derivative("f.c",
                    "#include <math.h>\nstatic double (*const table[])(double) = {sin, exp};\n"
                    "double f(double x) { double (*volatile p)(double, double) = pow; double s = 0; "
                    "for (int i = 0; i < 2; ++i) s += table[i](x); return s + p(x, 2); }",
                    {1}, 0, static_cast<double>(std::cos(1.0L) + std::exp(1.0L) + 2));
}

TEST(Widen, FollowsSorting) {
  expect_derivative(
      "f.c",
      "#include <stdlib.h>\ntypedef struct { double key; float weight; int number; } Item;\n"
      "static int order(const void *a, const void *b) { double x = ((const Item *)a)->key, y = ((const Item "
      "*)b)->key; return (x > y) - (x < y); }\n"
      "double f(double *x) { Item t[3]; for (int i = 0; i < 3; ++i) { t[i].key = x[i]; t[i].weight = (float)x[i]; "
      "t[i].number = i; } qsort(t, 3, sizeof(Item), order); double s = 0; "
      "for (int i = 0; i < 3; ++i) s += (i + 1) * t[i].key + t[i].weight * t[i].number; return s; }",
      {5, 1, 3}, 2, 4);
}

} // namespace
