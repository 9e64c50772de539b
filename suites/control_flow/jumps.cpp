// Control flow beyond branches and loops: labels as values, coroutines, barriers of inline assembly.
#include "support/convention.hpp"
#include "support/plugin_test.hpp"
#include <cmath>
#include <coroutine>

enum Code : unsigned char { add, multiply, sine, stop };

namespace {

double interpreter(double x, const Code *program) {
  static const void *const labels[] = {&&add_x, &&multiply_x, &&take_sine, &&done};
  double a = x;
  goto *labels[*program++];
add_x:
  a += x;
  goto *labels[*program++];
multiply_x:
  a *= x;
  goto *labels[*program++];
take_sine:
  a = std::sin(a);
  goto *labels[*program++];
done:
  return a;
}

struct Numbers {
  struct promise_type {
    double value;
    Numbers get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(double number) {
      value = number;
      return {};
    }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
};

Numbers powers(double x, int n) {
  double power = 1;
  for (int i = 0; i < n; ++i)
    co_yield power *= x;
}

double sum_of_powers(double x, int n) {
  Numbers numbers = powers(x, n);
  double sum = 0;
  for (numbers.handle.resume(); !numbers.handle.done(); numbers.handle.resume())
    sum += numbers.handle.promise().value;
  numbers.handle.destroy();
  return sum;
}

double with_barriers(double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += x[i] * x[i];
    __asm__ volatile("" ::: "memory");
    __asm__ volatile("" : "+r"(n));
    x[i] = sum;
  }
  void *place = x;
  __asm__ volatile("" : : "r"(place) : "memory");
  __asm__ volatile("" : "+x"(sum));
  return sum * sum;
}

} // namespace

PLUGIN_TEST(Jumps, LabelsAreValues) {
  const Code program[] = {add, multiply, sine, multiply, stop}; // x sin(2 x^2)
  const double x = 0.7, expected = std::sin(2 * x * x) + x * std::cos(2 * x * x) * 4 * x;
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)interpreter, x, enzyme_const, program), expected);
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)interpreter, x, 1.0, enzyme_const, program), expected);
}
PLUGIN_TEST(Jumps, CoroutinesCarryDerivatives) {
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)sum_of_powers, 0.5, 4), 1 + 2 * 0.5 + 3 * 0.25 + 4 * 0.125);
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)sum_of_powers, 0.5, 1.0, 4), 1 + 2 * 0.5 + 3 * 0.25 + 4 * 0.125);
}
PLUGIN_TEST(Jumps, EmptyAssemblyIsABarrierOnly) {
  double x[2] = {1, 2}, dx[2] = {};
  __enzyme_autodiff<void>((void *)with_barriers, enzyme_dup, x, dx, enzyme_const, 2);
  EXPECT_CLOSE(dx[0], 2 * 5 * 2);
  EXPECT_CLOSE(dx[1], 2 * 5 * 4);
}
