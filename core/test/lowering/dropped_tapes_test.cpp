// A tape that no reverse pass is run with, in C: with debug information, and with a second one that is used.

#include "core/test/support/compile_and_run.hpp"
#include <gtest/gtest.h>

namespace assay::test {
namespace {

constexpr const char *program = R"(
#include <malloc.h>
#include <math.h>
#include <stdio.h>
extern int enzyme_dup, enzyme_const, enzyme_drop_list;
void *__enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);
void __enzyme_drop_tape(void *);
__attribute__((noinline)) static double step(const double *x, int n) {
  double product = 1;
  for (int i = 0; i < n; i++)
    product *= sin(x[i] * product);
  return product;
}
static double f(const double *x, int n) {
  double sum = 0;
  for (int i = 1; i <= n; i++)
    sum += step(x, i) * step(x, n);
  return sum;
}
static void *forward(const double *x, double *dx, void **list) {
  return __enzyme_augmentfwd((void *)f, enzyme_drop_list, list, enzyme_dup, x, dx, enzyme_const, 3);
}
int main() {
  const double x[3] = {1, 2, 3};
  double dx[3] = {0, 0, 0}, first = 0;
  size_t in_use = 0;
  for (int i = 0; i < 100; i++) {
    void *dropped[6] = {0}, *used[6] = {0};
    forward(x, dx, dropped);
    void *tape = forward(x, dx, used);
    __enzyme_drop_tape(dropped);
    __enzyme_drop_tape(dropped); // there is nothing left
    __enzyme_reverse((void *)f, enzyme_drop_list, used, enzyme_dup, x, dx, enzyme_const, 3, 1.0, tape);
    __enzyme_drop_tape(used);
    if (i == 0)
      first = dx[1];
    if (i == 9)
      in_use = mallinfo2().uordblks;
  }
  printf("%d %d", mallinfo2().uordblks == in_use, fabs(dx[1] - 100 * first) < 1e-9 && first != 0);
}
)";

TEST(DroppedTapes, leave_nothing_on_the_heap) {
  for (const char *level : {"-O0", "-O2"})
    EXPECT_EQ(compile_and_run({.source = program, .level = level, .flags = {"-g", "-w"}}).output(), "1 1") << level;
}

} // namespace
} // namespace assay::test
