// The bits of doubles in an array of integers, moved as integers and read as doubles elsewhere: what an array is used
// as says more than the name of one element's type.
#include "support/vector_program.hpp"
#include <cstring>

namespace {

struct Box {
  long words[4];
};

__attribute__((noinline)) double total(const Box &box) {
  double sum = 0;
  for (const long &word : box.words) {
    double value;
    std::memcpy(&value, &word, sizeof value);
    sum += value * value;
  }
  return sum;
}

double boxed(const double *x, int) {
  Box box;
  for (int i = 0; i < 4; ++i)
    std::memcpy(&box.words[i], &x[i], sizeof(double));
  Box changed = box;
  changed.words[0] = box.words[1];
  return total(changed);
}

} // namespace

PLUGIN_TEST(BitsKeptInIntegers, AreDoublesWhereTheyAreReadAsDoubles) {
  CHECK_FUNCTION(boxed, 0.7, -1.2, 0.4, 1.1);
}
