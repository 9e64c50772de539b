// Memory that neither a function nor its callers say anything of, compiled with -assay-loose-types: it is taken for
// floats of the kind that the function computes with.
#include "support/convention.hpp"
#include "support/plugin_test.hpp"
#include <cstddef>
#include <cstring>

namespace {

float copy_and_square(void *from, void *to, std::size_t bytes, float x) {
  std::memcpy(to, from, bytes);
  return x * x;
}

} // namespace

/// Visible from outside, so that nothing is known of what it is given.
[[gnu::noinline]] float gradient_of_copy(void *from, void *from_shadow, void *to, void *to_shadow, std::size_t bytes) {
  return __enzyme_autodiff<float>((void *)copy_and_square, enzyme_dup, from, from_shadow, enzyme_dup, to, to_shadow,
                                  enzyme_const, bytes, enzyme_out, 3.0F);
}

PLUGIN_TEST(Guessed, FloatsOfTheKindThatTheFunctionComputesWith) {
  float from[3] = {1, 2, 3}, to[3] = {}, from_shadow[3] = {10, 0, 0}, to_shadow[3] = {5, 6, 7};
  EXPECT_SAME(gradient_of_copy(from, from_shadow, to, to_shadow, sizeof from), 6);
  EXPECT_SAME(from_shadow[0], 15);
  EXPECT_SAME(from_shadow[2], 7);
  EXPECT_SAME(to_shadow[1], 0);
}
