// A tape that a reverse pass leaves alive is read again: what functions allocated and released themselves is still
// there.
#include "support/plugin_test.hpp"
#include <cmath>
#include <cstdlib>
#include <memory>

namespace tapes_read_again {

struct Node {
  double number;
  std::unique_ptr<Node> left, right;
};

static std::unique_ptr<Node> tree(const double *x, int depth) {
  auto node = std::make_unique<Node>();
  node->number = x[depth] * x[depth];
  if (depth > 0) {
    node->left = tree(x, depth - 1);
    node->right = tree(x, depth - 1);
  }
  return node;
}

static double sum(const Node *node) {
  return node == nullptr ? 0.1
                         : std::sin(node->number) + node->number * sum(node->left.get()) * 2 + sum(node->right.get());
}

static double of_tree(const double *x, int n) {
  return sum(tree(x, n - 1).get());
}

static double of_growing_buffer(const double *x, int n) {
  double *numbers = nullptr;
  for (int i = 0; i < 20; ++i) {
    numbers = static_cast<double *>(std::realloc(numbers, (i + 1) * sizeof(double)));
    numbers[i] = x[i % n] * (i > 0 ? numbers[i - 1] : 1);
  }
  double result = 0;
  for (int i = 0; i < 20; ++i)
    result += numbers[i] * numbers[i];
  std::free(numbers);
  return result;
}

struct Augmented {
  void *tape;
  double value;
};

} // namespace tapes_read_again

using namespace tapes_read_again;

extern int enzyme_dup, enzyme_const, enzyme_nofree;
template <class Result, class... Arguments>
Result __enzyme_augmentfwd(void *, Arguments...);
template <class... Arguments>
void __enzyme_autodiff(void *, Arguments...);
template <class... Arguments>
void __enzyme_reverse(void *, Arguments...);

template <double f(const double *, int)>
static void check() {
  constexpr int n = 4;
  double x[n] = {0.9, 1.1, 0.8, 1.05}, gradient[n] = {};
  __enzyme_autodiff((void *)f, enzyme_dup, x, gradient, enzyme_const, n);
  double first[n] = {}, second[n] = {}, last[n] = {};
  const auto forward = __enzyme_augmentfwd<Augmented>((void *)f, enzyme_dup, x, first, enzyme_const, n);
  __enzyme_reverse((void *)f, enzyme_nofree, enzyme_dup, x, first, enzyme_const, n, 1.0, forward.tape);
  __enzyme_reverse((void *)f, enzyme_nofree, enzyme_dup, x, second, enzyme_const, n, 2.0, forward.tape);
  __enzyme_reverse((void *)f, enzyme_dup, x, last, enzyme_const, n, 3.0, forward.tape);
  for (int i = 0; i < n; ++i) {
    EXPECT_CLOSE(first[i], gradient[i]);
    EXPECT_CLOSE(second[i], 2 * gradient[i]);
    EXPECT_CLOSE(last[i], 3 * gradient[i]);
  }
}

PLUGIN_TEST(TapesReadAgain, OfARecursiveFunction) {
  check<of_tree>();
}
PLUGIN_TEST(TapesReadAgain, OfABufferThatGrows) {
  check<of_growing_buffer>();
}
