// What vector libraries and the optimiser do to floats: rounding by a large constant, signs of some lanes, blends by
// masks, moves of lanes as bytes, lanes that an integer chooses, and numbers that are loaded together with the pointer
// behind them.
#include "support/vector_program.hpp"
#include <cstdlib>
namespace {
using Pair = double __attribute__((vector_size(16)));
using Bits = long long __attribute__((vector_size(16)));
using Bytes = unsigned char __attribute__((vector_size(16)));
double rounding_by_sums(const double *x, int n) {
  const double shifter = 0x1.8p52, units = 0x1p52;
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const double turns = (x[i] * 1.3 + shifter) - shifter;
    const double rest = x[i] - turns * 0.7;
    const double whole = (std::fabs(3 * x[i]) + units) - units;
    sum += rest * rest + whole * x[i];
  }
  return sum;
}
double signs_of_lanes(const double *x, int n) {
  const Bits second = {0, (long long)(1ull << 63)}, first_off = {(long long)(~0ull >> 1), -1};
  double sum = 0;
  for (int i = 0; i + 1 < n; i += 2) {
    const Pair p = {x[i], x[i + 1]};
    const Pair turned = (Pair)((Bits)p ^ second), positive = (Pair)((Bits)p & first_off);
    const Pair q = turned * p + positive * 3.0;
    sum += q[0] + 2 * q[1];
  }
  return sum;
}
Pair chosen(Bits mask, Pair one, Pair other) {
  return (Pair)((mask & (Bits)one) | (~mask & (Bits)other));
}
double blends(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i + 1 < n; i += 2) {
    const Pair p = {x[i], x[i + 1]}, half = {0.5, 0.5};
    const Pair q = chosen(p > half, p * p, 3.0 * p);
    sum += q[0] - 2 * q[1];
  }
  return sum;
}
double moves_of_bytes(const double *x, int n) {
  const Pair p = {x[0], x[1]}, q = {x[2], x[3]};
  const Bytes a = (Bytes)p, b = (Bytes)(q * q);
  const Pair r = (Pair)__builtin_shufflevector(a, b, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23);
  return r[0] * r[1] * r[1];
}
struct Node {
  double value;
  Node *next;
};
/// The number in both lanes: the optimiser loads a whole node as two doubles, and the pointer from their bits.
void a_node_at_once(double *x, int) {
  using AnyPair = double __attribute__((vector_size(16), aligned(8), may_alias));
  Node *list = nullptr;
  for (int i = 0; i < 4; ++i) {
    auto *first = static_cast<Node *>(std::calloc(1, sizeof(Node)));
    first->value = x[i];
    first->next = list;
    list = first;
  }
  *reinterpret_cast<AnyPair *>(x) = AnyPair{} + list->value;
  (list->next ? list->next : list)->value = x[2] * x[3];
  while (list) {
    Node *next = list->next;
    x[2] += list->value * list->value;
    std::free(list);
    list = next;
  }
}
using Floats = float __attribute__((vector_size(16)));
struct Chosen {
  double numbers[3];
  int lane;
};
/// The lane's place could hold a float as well, for all that an index into the numbers tells.
void at_lane(const Chosen *place, Floats *p, unsigned i) {
  (*p)[0] = (*p)[place->lane & 3];
  (*p)[1] = static_cast<float>(place->numbers[i % 3]);
}
__attribute__((noinline)) void gradient_at_lane(Chosen *place, Chosen *shadow, Floats *p, Floats *p_shadow,
                                                unsigned i) {
  __enzyme_autodiff<void>((void *)at_lane, enzyme_dup, (void *)place, (void *)shadow, enzyme_dup, (void *)p,
                          (void *)p_shadow, enzyme_const, i);
}
} // namespace
PLUGIN_TEST(VectorIdioms, AChosenLane) {
  Chosen chosen = {{0.3, 1.2, -0.4}, 2}, shadow = {};
  Floats p = {0.5F, 0.25F, 2, 3}, p_shadow = {10, 20, 30, 40};
  gradient_at_lane(&chosen, &shadow, &p, &p_shadow, 5);
  EXPECT_CLOSE(p_shadow[0], 0.0);
  EXPECT_CLOSE(p_shadow[1], 0.0);
  EXPECT_CLOSE(p_shadow[2], 40.0);
  EXPECT_CLOSE(shadow.numbers[2], 20.0);
}
PLUGIN_TEST(VectorIdioms, ANodeAtOnce) {
  CHECK_MAP(a_node_at_once, 0.3, 1.2, -0.4, 0.9);
}
PLUGIN_TEST(VectorIdioms, RoundingBySums) {
  CHECK_FUNCTION(rounding_by_sums, 0.31, 1.27, -0.42, 2.13);
}
PLUGIN_TEST(VectorIdioms, SignsOfLanes) {
  CHECK_FUNCTION(signs_of_lanes, 0.3, 1.2, -0.4, -0.9);
}
PLUGIN_TEST(VectorIdioms, BlendsByMasks) {
  CHECK_FUNCTION(blends, 0.3, 1.2, -0.4, 0.9);
}
PLUGIN_TEST(VectorIdioms, LanesMovedAsBytes) {
  CHECK_FUNCTION(moves_of_bytes, 0.3, 1.2, -0.4, 0.9);
}
