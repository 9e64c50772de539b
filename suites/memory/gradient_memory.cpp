// The memory of a gradient itself: what the forward sweep keeps is given back by the reverse sweep, in the opposite
// order, in any number, size and nesting, and repeated gradients touch no fresh pages.
#include "support/heap_growth.hpp"
#include "support/vector_program.hpp"
#include <cstdlib>
#include <functional>
#include <memory>
#include <sys/resource.h>
#include <vector>

namespace {

using namespace assay::suites;

/// Blocks of all sizes from nothing to several pages, some only on some ways, some in inner loops.
double blocks_of_all_sizes(const double *x, int n) {
  double sum = 0;
  for (int round = 0; round < 40; ++round) {
    const int size = (round * 37) % 700;
    double *outer = static_cast<double *>(std::malloc(size * sizeof(double)));
    for (int i = 0; i < size; ++i)
      outer[i] = x[(round + i) % n] * x[i % n];
    if (round % 3 == 0) {
      std::vector<double> sometimes(size / 2 + 1, x[round % n]);
      for (double &value : sometimes)
        value *= value * x[0];
      for (double value : sometimes)
        sum += value * value * 1e-3;
    }
    for (int inner = 0; inner < 3; ++inner) {
      double *block = static_cast<double *>(std::calloc(inner * 100 + 1, sizeof(double)));
      block[inner * 100] = x[inner] * x[round % n];
      sum += block[inner * 100] * block[inner * 100] * 1e-2;
      std::free(block);
    }
    for (int i = 0; i < size; ++i)
      sum += outer[i] * outer[i] * 1e-3;
    std::free(outer);
  }
  return sum;
}

/// Each step keeps its vectors, and there are many.
double many_steps(const double *x, int n) {
  std::vector<double> state(x, x + n);
  for (int step = 0; step < 60; ++step) {
    std::vector<double> change(n), next(n);
    for (int i = 0; i < n; ++i)
      change[i] = state[(i + 1) % n] * state[i] - state[i];
    for (int i = 0; i < n; ++i)
      next[i] = state[i] + 1e-3 * change[i] * state[i];
    state = next;
  }
  double sum = 0;
  for (double value : state)
    sum += value * value;
  return sum;
}

double square_of_kept(const double *x, int n) {
  double *kept = static_cast<double *>(std::malloc(n * sizeof(double)));
  for (int i = 0; i < n; ++i)
    kept[i] = x[i] * x[i];
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += kept[i] * kept[(i + 1) % n];
  std::free(kept);
  return sum;
}

double gradient_of_kept(const double *x, int n) {
  double gradient[3] = {};
  __enzyme_autodiff<void>((void *)square_of_kept, enzyme_dup, x, gradient, enzyme_const, n);
  return gradient[0] * x[1] + gradient[1] * gradient[2];
}

/// A graph of small nodes that know how adjoints go through them, as that of a library for gradients: no tape of it is
/// large, but all of its blocks together are.
struct Node {
  double value, adjoint = 0;
  std::function<void()> backward = [] {};
  std::vector<std::shared_ptr<Node>> from{};
  bool is_seen = false;
  explicit Node(double value) : value(value) {}
};
using Shared = std::shared_ptr<Node>;
Shared node(double value) {
  return std::make_shared<Node>(value);
}
Shared operator+(Shared a, Shared b) {
  Shared sum = node(a->value + b->value);
  sum->from = {a, b};
  sum->backward = [a, b, to = sum.get()] {
    a->adjoint += to->adjoint;
    b->adjoint += to->adjoint;
  };
  return sum;
}
Shared operator*(Shared a, Shared b) {
  Shared product = node(a->value * b->value);
  product->from = {a, b};
  product->backward = [a, b, to = product.get()] {
    a->adjoint += b->value * to->adjoint;
    b->adjoint += a->value * to->adjoint;
  };
  return product;
}
Shared bent(Shared a) {
  Shared result = node(std::tanh(a->value));
  result->from = {a};
  result->backward = [a, to = result.get()] { a->adjoint += (1 - to->value * to->value) * to->adjoint; };
  return result;
}
void sort(const Shared &node, std::vector<Shared> &order) {
  if (node->is_seen)
    return;
  node->is_seen = true;
  for (const Shared &source : node->from)
    sort(source, order);
  order.push_back(node);
}
double graph_of_nodes(const double *x, int n) {
  std::vector<Shared> weights;
  for (int i = 0; i < n; ++i)
    weights.push_back(node(x[i]));
  Shared loss = node(0);
  for (int sample = 0; sample < 3; ++sample) {
    Shared hidden[2];
    for (int j = 0; j < 2; ++j)
      hidden[j] =
          bent(weights[3 * j] * node(0.5 + sample) + weights[3 * j + 1] * node(1 - 0.3 * sample) + weights[3 * j + 2]);
    const Shared error = bent(hidden[0] * weights[6] + hidden[1] * weights[7] + weights[8]) + node(-0.2 * sample);
    loss = loss + error * error;
  }
  std::vector<Shared> order;
  sort(loss, order);
  loss->adjoint = 1;
  for (auto place = order.rbegin(); place != order.rend(); ++place)
    (*place)->backward();
  double sum = loss->value;
  for (const Shared &weight : weights)
    sum += weight->adjoint * weight->adjoint;
  return sum;
}

template <class Run>
long page_faults(Run run) {
  rusage before{}, after{};
  getrusage(RUSAGE_SELF, &before);
  run();
  getrusage(RUSAGE_SELF, &after);
  return after.ru_minflt - before.ru_minflt;
}

} // namespace

PLUGIN_TEST(GradientMemory, HoldsBlocksOfAllSizes) {
  CHECK_FUNCTION(blocks_of_all_sizes, 0.9, 1.1, -0.7);
}

PLUGIN_TEST(GradientMemory, IsThatOfTheOuterGradientInHigherOrders) {
  CHECK_FUNCTION(gradient_of_kept, 0.9, 1.1, -0.7);
}

PLUGIN_TEST(GradientMemory, IsGivenBack) {
  std::vector<double> x(500, 0.9), shadow(500);
  expect_no_growth(
      [&] { __enzyme_autodiff<void>((void *)many_steps, enzyme_dup, x.data(), shadow.data(), enzyme_const, 500); },
      __FILE__, __LINE__);
}

/// The C library gives the top of its heap back where many small blocks are released.
PLUGIN_TEST(GradientMemory, IsNotFaultedInAgainByTheNextGradient) {
  std::vector<double> x(500, 0.9), shadow(500);
  const auto run = [&] {
    __enzyme_autodiff<void>((void *)many_steps, enzyme_dup, x.data(), shadow.data(), enzyme_const, 500);
  };
  for (int warm_up = 0; warm_up < 3; ++warm_up)
    run();
  const long faults = page_faults([&] {
    for (int repeat = 0; repeat < 20; ++repeat)
      run();
  });
  expect_true(faults < 200, "the pages are still there", __FILE__, __LINE__);
}
/// What the C library has learned shows where it takes a large block from.
PLUGIN_TEST(GradientMemory, OfSmallBlocksStaysOnTheHeap) {
  std::vector<double> x(12, 0.9), shadow(12);
  __enzyme_autodiff<void>((void *)graph_of_nodes, enzyme_dup, x.data(), shadow.data(), enzyme_const, 12);
  const std::size_t mapped = mallinfo2().hblkhd;
  void *block = std::malloc(std::size_t(1) << 20);
  hide(block);
  expect_true(mallinfo2().hblkhd == mapped, "a large block is taken from the heap", __FILE__, __LINE__);
  std::free(block);
}
PLUGIN_TEST(GradientMemory, HoldsGraphsOfNodes) {
  CHECK_FUNCTION(graph_of_nodes, 0.9, 1.1, -0.7, 0.3, 0.2, -0.4, 0.8, -0.6, 0.1);
}
