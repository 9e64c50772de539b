// Labels as values: tables of labels, threaded code, and addresses that travel through variables.
#include "support/vector_program.hpp"

#pragma clang diagnostic ignored "-Wgnu-label-as-value"
#pragma clang diagnostic ignored "-Wgnu-pointer-arith"

namespace {

/// An interpreter whose table of labels is a constant of the function.
double threaded_code(const double *x, int n) {
  static void *const table[] = {&&add, &&multiply, &&sine, &&halt};
  static const int program[] = {0, 1, 2, 0, 1, 1, 0, 2, 3};
  double value = 1;
  int next = 0;
  goto *table[program[next]];
add:
  value += x[next % n];
  goto *table[program[++next]];
multiply:
  value *= x[next % n];
  goto *table[program[++next]];
sine:
  value = std::sin(value) + value;
  goto *table[program[++next]];
halt:
  return value;
}

/// The address is chosen by the data and kept in a variable.
double chosen_label(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    void *where = x[i] > 1.0 ? &&large : &&small;
    goto *where;
  large:
    sum += x[i] * x[i];
    continue;
  small:
    sum += 3 * x[i] * x[0];
  }
  return sum;
}

/// Offsets between labels, as position-independent interpreters keep them.
double label_offsets(const double *x, int n) {
  static const int offsets[] = {(int)((char *) && twice - (char *) && twice),
                                (int)((char *) && square - (char *) && twice),
                                (int)((char *) && done - (char *) && twice)};
  static const int program[] = {1, 0, 1, 2};
  double value = x[0];
  int next = 0;
  goto *((char *) && twice + offsets[program[next]]);
twice:
  value = 2 * value + x[next % n];
  goto *((char *) && twice + offsets[program[++next]]);
square:
  value = value * value;
  goto *((char *) && twice + offsets[program[++next]]);
done:
  return value;
}

} // namespace

PLUGIN_TEST(ComputedGoto, ATableOfLabelsIsFollowed) {
  CHECK_FUNCTION(threaded_code, 0.7, 1.1, 1.6, 0.4);
}
PLUGIN_TEST(ComputedGoto, ALabelMayBeChosenByTheData) {
  CHECK_FUNCTION(chosen_label, 0.7, 1.1, 1.6, 0.4);
}
PLUGIN_TEST(ComputedGoto, OffsetsOfLabelsAreFollowed) {
  CHECK_FUNCTION(label_offsets, 0.7, 1.1, 1.6, 0.4);
}
