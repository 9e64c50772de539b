/* The square of a large float is infinite; the function takes it in double. */
// names: wrong derivative
// names: a registered derivative overflows or underflows on the way to
#include "rule.h"

struct augmented_float {
  void *tape;
  float primal;
};
struct pair_float {
  float x, y;
};

float length(float x, float y) {
  return (float)sqrt((double)x * x + (double)y * y);
}
struct augmented_float length_augmented(float x, float y) {
  struct augmented_float result = {NULL, length(x, y)};
  return result;
}
struct pair_float length_reverse(float x, float y, float seed, void *tape) {
  const float size = CHOOSE(sqrtf(x * x + y * y), length(x, y));
  struct pair_float adjoint = {seed * (x / size), seed * (y / size)};
  return adjoint;
}
GRADIENT(length, length_augmented, length_reverse);

float of_any_size(float x, float y) {
  return length(x, y);
}
ASSAY_CHECK(of_any_size, "float:log(1,1e30)", "float:log(1,1e30)");
