// The heap may give one of two blocks of the same size some bytes more: what grows is copied as far as both go. Beyond
// the end of a shadow stand the heap's own numbers, which are no multiples of normal doubles; where these are flushed
// to zero, as -ffast-math has it, adding nothing to them destroys them.
#include "support/convention.hpp"
#include "support/plugin_test.hpp"

#include <array>
#include <cstdlib>
#include <malloc.h>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace {

/// Where denormal numbers are zero.
class FlushToZero {
public:
#if defined(__SSE__)
  FlushToZero() : before_(_mm_getcsr()) { _mm_setcsr(before_ | 0x8040U); }
  ~FlushToZero() { _mm_setcsr(before_); }

private:
  unsigned before_;
#endif
};

/// A heap in which blocks come and go.
class UsedHeap {
public:
  ~UsedHeap() {
    for (void *block : blocks_)
      std::free(block);
  }
  void change() {
    for (int i = 0; i < 8; ++i) {
      state_ = state_ * 1664525U + 1013904223U;
      void *&block = blocks_[(state_ >> 10) % blocks_.size()];
      std::free(block);
      block = std::malloc(8 + (state_ >> 20) % 60);
      sizes_[(state_ >> 10) % blocks_.size()] = malloc_usable_size(block);
    }
  }
  bool is_whole() const {
    for (std::size_t i = 0; i < blocks_.size(); ++i)
      if (malloc_usable_size(blocks_[i]) != sizes_[i])
        return false;
    return true;
  }

private:
  std::array<void *, 64> blocks_{};
  std::array<std::size_t, 64> sizes_{};
  unsigned state_ = 1;
};

double sum_in_growing_memory(const double *x, int n) {
  double *sums = nullptr;
  for (int i = 0; i < n; ++i) {
    sums = static_cast<double *>(std::realloc(sums, std::size_t(i + 1) * sizeof(double)));
    sums[i] = x[i] * x[i];
    if (i > 0)
      sums[i] += sums[i - 1];
  }
  const double sum = sums[n - 1];
  std::free(sums);
  return sum;
}

} // namespace

PLUGIN_TEST(BlocksOfOneSize, GrowWithinTheirBounds) {
  const FlushToZero mode;
  UsedHeap heap;
  const std::array<double, 9> x{0.5, 1, 2, 3, 4, 5, 6, 7, 8}, direction{1};
  for (int round = 0; round < 2000; ++round) {
    heap.change();
    std::array<double, 9> shadow{};
    __enzyme_autodiff<void>((void *)sum_in_growing_memory, enzyme_dup, x.data(), shadow.data(), enzyme_const, 9);
    EXPECT_CLOSE(shadow[0], 1);
    EXPECT_CLOSE(shadow[8], 16);
    EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)sum_in_growing_memory, enzyme_dup, x.data(), direction.data(),
                                          enzyme_const, 9),
                 1);
    EXPECT_HOLDS(heap.is_whole());
  }
}
