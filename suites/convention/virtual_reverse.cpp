// Pairs of derivative passes as shadows of function pointers.
#include "support/plugin_test.hpp"
#include <cmath>

namespace {

double square(double x) {
  return x * x;
}
double cube(double x) {
  return x * x * x;
}
double weighted_sum(const double *x, int n, double weight) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += weight * std::sin(x[i]);
  return sum;
}

using Function = double (*)(double);
struct Object {
  Function function;
  double factor;
};

double apply(Function function, double x) {
  return 2 * function(x);
}
double apply_object(const Object *object, double x) {
  return object->function(x) * object->factor;
}

struct TapedDouble {
  void *tape;
  double value;
};
struct Pair {
  TapedDouble (*augmented)(const double *, double *, int, double);
  double (*reverse)(const double *, double *, int, double, double, void *);
};

volatile bool takes_square = false;

} // namespace

extern "C" {
extern int enzyme_dup;
void *__enzyme_virtualreverse(void *);
double __enzyme_autodiff(void *, ...);
}

PLUGIN_TEST(VirtualReverse, APairIsTheShadowOfAFunctionPointer) {
  EXPECT_CLOSE(__enzyme_autodiff((void *)apply, enzyme_dup, square, __enzyme_virtualreverse((void *)square), 3.0), 12);
  const Function function = takes_square ? square : cube;
  const Object object = {function, 2};
  Object shadow = {(Function)__enzyme_virtualreverse((void *)function), 0};
  EXPECT_CLOSE(__enzyme_autodiff((void *)apply_object, enzyme_dup, &object, &shadow, 3.0), 54);
  EXPECT_CLOSE(shadow.factor, 27);
}
PLUGIN_TEST(VirtualReverse, BothHalvesCanBeCalledByHand) {
  const auto *pair = static_cast<const Pair *>(__enzyme_virtualreverse((void *)weighted_sum));
  const double x[2] = {0.5, 0.7};
  double dx[2] = {};
  const TapedDouble forward = pair->augmented(x, dx, 2, 3.0);
  EXPECT_CLOSE(forward.value, 3 * (std::sin(0.5) + std::sin(0.7)));
  EXPECT_CLOSE(pair->reverse(x, dx, 2, 3.0, 2.0, forward.tape), 2 * (std::sin(0.5) + std::sin(0.7)));
  EXPECT_CLOSE(dx[0], 6 * std::cos(0.5));
  EXPECT_CLOSE(dx[1], 6 * std::cos(0.7));
}
