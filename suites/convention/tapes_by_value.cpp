// Registered gradients whose tapes are structs by value: spread over several parameters, or in memory of the caller.
#include "support/plugin_test.hpp"

extern "C" {
extern int enzyme_dup, enzyme_dupv, enzyme_width;
void __enzyme_autodiff_tapes_by_value(void *, ...);
}

namespace tapes_by_value {

template <class Tape>
struct Augmented {
  Tape tape;
  double result;
};

struct Two {
  double first, second;
};
struct Three {
  double first, second, third;
};
struct Mixed {
  int count;
  double square;
};
struct Large {
  double numbers[6];
  int count;
};
struct Nested {
  Two inner;
  double factor;
};

template <class Tape>
Tape kept(double x);
template <>
Two kept(double x) {
  return {x, x * x};
}
template <>
Three kept(double x) {
  return {1, x * x, 1};
}
template <>
Mixed kept(double x) {
  return {1, x * x};
}
template <>
Large kept(double x) {
  return {{0, x * x}, 1};
}
template <>
Nested kept(double x) {
  return {{x, x * x}, 1};
}
static double square(const Two &tape) {
  return tape.second;
}
static double square(const Three &tape) {
  return tape.first * tape.second * tape.third;
}
static double square(const Mixed &tape) {
  return tape.count * tape.square;
}
static double square(const Large &tape) {
  return tape.numbers[1] * tape.count;
}
static double square(const Nested &tape) {
  return tape.inner.second * tape.factor;
}

template <class Tape>
[[gnu::noinline]] double cube(double x) {
  return x * x * x;
}
template <class Tape>
Augmented<Tape> cube_augmented(double x) {
  return {kept<Tape>(x), x * x * x};
}
template <class Tape>
double cube_reverse(double, double seed, Tape tape) {
  return 3 * square(tape) * seed;
}
template <class Tape>
void cubes(const double *x, double *y) {
  for (int i = 0; i < 5; ++i)
    y[i] = cube<Tape>(x[i]);
}

template <class Tape>
[[gnu::always_inline]] static inline void expect_gradients() {
  double x[5] = {-2, -.5, 0, 1, 3}, dx[5] = {}, y[5], dy[5] = {1, 2, 3, 4, 5};
  __enzyme_autodiff_tapes_by_value(reinterpret_cast<void *>(cubes<Tape>), enzyme_dup, x, dx, enzyme_dup, y, dy);
  for (int i = 0; i < 5; ++i)
    EXPECT_CLOSE(dx[i], 3 * x[i] * x[i] * (i + 1));
  double lanes[2][5] = {}, seeds[2][5] = {{1, 1, 1, 1, 1}, {2, 0, 2, 0, 2}};
  __enzyme_autodiff_tapes_by_value(reinterpret_cast<void *>(cubes<Tape>), enzyme_width, 2, enzyme_dupv, sizeof lanes[0],
                                   x, lanes, enzyme_dupv, sizeof seeds[0], y, seeds);
  for (int i = 0; i < 5; ++i) {
    EXPECT_CLOSE(lanes[0][i], 3 * x[i] * x[i]);
    EXPECT_CLOSE(lanes[1][i], 3 * x[i] * x[i] * (i % 2 == 0 ? 2 : 0));
  }
}

} // namespace tapes_by_value

using namespace tapes_by_value;

#define REGISTER(Tape)                                                                                                 \
  extern "C" {                                                                                                         \
  void *__enzyme_register_gradient_cube_##Tape[] = {reinterpret_cast<void *>(cube<Tape>),                              \
                                                    reinterpret_cast<void *>(cube_augmented<Tape>),                    \
                                                    reinterpret_cast<void *>(cube_reverse<Tape>)};                     \
  }                                                                                                                    \
  PLUGIN_TEST(TapesByValue, Tape) {                                                                                    \
    expect_gradients<Tape>();                                                                                          \
  }

REGISTER(Two)
REGISTER(Three)
REGISTER(Mixed)
REGISTER(Large)
REGISTER(Nested)
