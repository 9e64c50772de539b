// Pointers to functions that were cast to a type with another integer as result, as C programs do.

#include "support/convention.hpp"
#include "support/plugin_test.hpp"

namespace {

struct Node {
  double key;
  double value;
  Node *next;
};

using Equal = bool (*)(const void *, const void *);
using Rank = int (*)(const Node *);

struct List {
  Equal equal;
  Rank rank;
  Node *first;
};

int has_key(const double *key, const Node *node) {
  return *key == node->key ? 1 : 0;
}
bool is_same(const void *one, const void *other) {
  return one == other;
}
int scaled(const double *key, const Node *node) {
  return node->value > 0 && *key < node->key ? 0x101 : 0;
}
short short_rank(const Node *node) {
  return node->value > 1 ? -2 : 3;
}
long long_rank(const Node *node) {
  return node->value > 1 ? 5 : 7;
}
int own_rank(const Node *) {
  return 1;
}

__attribute__((noinline)) Node *find(const List &list, const void *key) {
  Node *node = list.first;
  while (node && !list.equal(key, node))
    node = node->next;
  return node;
}

template <class To, class From>
To cast_to(From *function) {
  return reinterpret_cast<To>(reinterpret_cast<void *>(function));
}

Equal equalities[] = {is_same, cast_to<Equal>(has_key), cast_to<Equal>(scaled)};
Rank ranks[] = {own_rank, cast_to<Rank>(short_rank), cast_to<Rank>(long_rank)};

double looked_up(const double *x, int equal, int rank) {
  List list{equalities[equal], ranks[rank], nullptr};
  for (int i = 0; i < 3; ++i)
    list.first = new Node{double(i), x[i] * x[i], list.first};
  const double key = 1;
  const Node *node = find(list, equal == 0 ? static_cast<const void *>(list.first) : &key);
  const double result = node->value * x[2] + list.rank(node) * x[0];
  while (Node *first = list.first) {
    list.first = first->next;
    delete first;
  }
  return result;
}

void expect_gradient(int equal, int rank, const double (&expected)[3]) {
  const double x[] = {0.5, 1.5, 2};
  double gradient[3] = {};
  __enzyme_autodiff<void>(reinterpret_cast<void *>(looked_up), enzyme_dup, x, gradient, enzyme_const, equal,
                          enzyme_const, rank);
  for (int i = 0; i < 3; ++i)
    EXPECT_CLOSE(gradient[i], expected[i]);
  const double along[] = {1, 1, 1};
  EXPECT_CLOSE(__enzyme_fwddiff<double>(reinterpret_cast<void *>(looked_up), enzyme_dup, x, along, enzyme_const, equal,
                                        enzyme_const, rank),
               expected[0] + expected[1] + expected[2]);
}

} // namespace

PLUGIN_TEST(CastCallbacks, ReturnAnotherInteger) {
  expect_gradient(1, 1, {-2, 6, 2.25});
  expect_gradient(1, 2, {5, 6, 2.25});
}

PLUGIN_TEST(CastCallbacks, StandBesideThoseOfTheirType) {
  expect_gradient(0, 0, {1, 0, 12});
  expect_gradient(2, 0, {1, 0, 12});
}
