// Stack memory of variable size: arrays of variable length, and alloca wherever it may stand.
#include "support/heap_growth.hpp"
#include "support/vector_program.hpp"
#include <alloca.h>
#include <cstdint>

#pragma clang diagnostic ignored "-Wvla-cxx-extension"

namespace {

double piece_of_each_iteration(const double *x, int n) {
  double sum = 0;
  for (int k = 1; k < n; ++k) {
    auto *piece = static_cast<double *>(alloca(k * sizeof(double)));
    for (int i = 0; i < k; ++i)
      piece[i] = x[i] * x[k];
    for (int i = 0; i < k; ++i)
      sum += piece[i] * piece[k - 1 - i];
  }
  return sum;
}

struct Link {
  Link *next;
  double value;
};

/// Every piece lives until the function returns, and the second loop reads all of them.
double list_on_the_stack(const double *x, int n) {
  Link *head = nullptr;
  for (int i = 0; i < n; ++i) {
    auto *link = static_cast<Link *>(alloca(sizeof(Link)));
    *link = {head, x[i] * x[i]};
    head = link;
  }
  double sum = 0;
  int place = 1;
  for (Link *link = head; link; link = link->next)
    sum += link->value * link->value * place++;
  return sum;
}

double perhaps_on_the_stack(const double *x, int n) {
  double few[4];
  double *copy = few;
  if (n > 4)
    copy = static_cast<double *>(alloca(n * sizeof(double)));
  for (int i = 0; i < n; ++i)
    copy[i] = x[i] * x[n - 1 - i];
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += copy[i] * copy[i];
  return sum;
}

double pairwise(const double *x, int n) {
  if (n == 1)
    return x[0] * x[0];
  double next[n - 1];
  for (int i = 0; i + 1 < n; ++i)
    next[i] = 0.5 * x[i] * x[i + 1] + x[i];
  return pairwise(next, n - 1) * next[0];
}

__attribute__((noinline)) double pieces_below(const double *x, int n, int depth) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    auto *piece = static_cast<double *>(alloca(2 * sizeof(double)));
    piece[0] = x[i];
    piece[1] = piece[0] * x[0];
    sum += piece[1] * piece[0];
  }
  return depth == 0 ? sum : sum + 0.5 * pieces_below(x, n, depth - 1);
}

double pieces_in_recursion(const double *x, int n) {
  return pieces_below(x, n, 2);
}

/// Constant coefficients on the stack take no part in the derivative, and are read by it.
double constant_pieces(const double *x, int n) {
  double sum = 0;
  for (int k = 0; k < n; ++k) {
    auto *factors = static_cast<double *>(alloca((k + 1) * sizeof(double)));
    for (int i = 0; i <= k; ++i)
      factors[i] = 1.0 / (i + k + 1);
    for (int i = 0; i <= k; ++i)
      sum += factors[i] * x[i] * x[i] * x[k];
  }
  return sum;
}

double aligned_array(const double *x, int n) {
  alignas(64) double copy[n];
  for (int i = 0; i < n; ++i)
    copy[i] = x[i] * x[0];
  double sum = reinterpret_cast<std::uintptr_t>(copy) % 64 == 0 ? 0 : 1e10;
  for (int i = 0; i < n; ++i)
    sum += copy[i] * copy[i];
  return sum;
}

} // namespace

PLUGIN_TEST(StackMemory, EachIterationMayTakeAPiece) {
  CHECK_FUNCTION(piece_of_each_iteration, 0.7, 1.1, 1.6, 0.4, 0.9);
  EXPECT_NOTHING_LEFT(piece_of_each_iteration, 0.7, 1.1, 1.6, 0.4, 0.9);
}
PLUGIN_TEST(StackMemory, PiecesMayBeLinkedAndReadLater) {
  CHECK_FUNCTION(list_on_the_stack, 0.7, 1.1, 1.6, 0.4, 0.9);
  EXPECT_NOTHING_LEFT(list_on_the_stack, 0.7, 1.1, 1.6, 0.4, 0.9);
}
PLUGIN_TEST(StackMemory, APieceMayBeTakenOnOneOfTwoWays) {
  CHECK_FUNCTION(perhaps_on_the_stack, 0.7, 1.1, 1.6);
  CHECK_FUNCTION(perhaps_on_the_stack, 0.7, 1.1, 1.6, 0.4, 0.9);
  EXPECT_NOTHING_LEFT(perhaps_on_the_stack, 0.7, 1.1, 1.6, 0.4, 0.9);
}
PLUGIN_TEST(StackMemory, ARecursionMayKeepAnArrayInEachCall) {
  CHECK_FUNCTION(pairwise, 0.7, 1.1, 1.6, 0.4, 0.9);
  EXPECT_NOTHING_LEFT(pairwise, 0.7, 1.1, 1.6, 0.4, 0.9);
}
PLUGIN_TEST(StackMemory, ARecursionMayTakePiecesInALoop) {
  CHECK_FUNCTION(pieces_in_recursion, 0.7, 1.1, 1.6, 0.4, 0.9);
  EXPECT_NOTHING_LEFT(pieces_in_recursion, 0.7, 1.1, 1.6, 0.4, 0.9);
}
PLUGIN_TEST(StackMemory, ConstantPiecesAreReadByTheReverseSweep) {
  CHECK_FUNCTION(constant_pieces, 0.7, 1.1, 1.6, 0.4, 0.9);
  EXPECT_NOTHING_LEFT(constant_pieces, 0.7, 1.1, 1.6, 0.4, 0.9);
}
PLUGIN_TEST(StackMemory, AnArrayKeepsItsAlignment) {
  CHECK_FUNCTION(aligned_array, 0.7, 1.1, 1.6, 0.4, 0.9);
}
