// Split derivatives of functions that allocate and release: the shadows of what is gone live until the reverse half
// ends.
#include "support/heap_growth.hpp"
#include "support/vector_program.hpp"
#include <cstdlib>

namespace {

struct Buffer {
  double *data;
};
__attribute__((noinline)) void open(Buffer *buffer, int n) {
  buffer->data = static_cast<double *>(std::malloc(n * sizeof(double)));
}
__attribute__((noinline)) void close(Buffer *buffer) {
  std::free(buffer->data);
}

double passes(double *x, int n) {
  Buffer buffer;
  double sum = 0;
  for (int pass = 1; pass <= 3; ++pass) {
    open(&buffer, n);
    for (int i = 0; i < n; ++i)
      buffer.data[i] = x[i] * x[i] * pass;
    for (int i = 0; i < n; ++i)
      sum += buffer.data[i] * buffer.data[0];
    close(&buffer);
  }
  return sum;
}

} // namespace

struct Augmented {
  void *tape;
  double primal;
};

template <class Return, class... Arguments>
Return __enzyme_augmentfwd(void *function, Arguments...);
template <class Return, class... Arguments>
Return __enzyme_reverse(void *function, Arguments...);

PLUGIN_TEST(SplitHeap, BothHalvesTogetherReleaseEverything) {
  EXPECT_NO_GROWTH([] {
    double x[4] = {0.7, 1.1, 1.6, 0.4}, shadow[4] = {};
    const auto forward = __enzyme_augmentfwd<Augmented>((void *)passes, enzyme_dup, x, shadow, enzyme_const, 4);
    const double expected = 14 * 2 * 1.1 * 0.7 * 0.7;
    for (double &element : x)
      element = -77; // the tape keeps what the reverse half reads
    __enzyme_reverse<void>((void *)passes, enzyme_dup, x, shadow, enzyme_const, 4, 1.0, forward.tape);
    EXPECT_CLOSE(shadow[1], expected);
  });
}
