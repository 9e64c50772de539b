// The library's algorithms with the user's comparators: what they move takes its derivative along.
#include "support/second_order.hpp"
#include <algorithm>
#include <cstdlib>

namespace {

struct Item {
  double key;
  int number;
  double weight;
};

int ascending(const void *left, const void *right) {
  const double a = *static_cast<const double *>(left), b = *static_cast<const double *>(right);
  return a < b ? -1 : a > b;
}

double weighted_by_rank(double *x, int n) {
  std::qsort(x, n, sizeof(double), ascending);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += (i + 1) * x[i] * x[i];
  return sum;
}

double items_by_qsort(const double *x, int n) {
  Item items[4];
  for (int i = 0; i < n; ++i)
    items[i] = {x[i], i, x[i] * x[i]};
  std::qsort(items, n, sizeof(Item), ascending);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += (i + 1) * (items[i].number + 1) * items[i].weight;
  return sum;
}

/// The comparator is given the numbers that it compares by, and which way.
struct Order {
  const double *keys;
  int sign;
};
int by_keys(const void *left, const void *right, void *context) {
  const auto *order = static_cast<const Order *>(context);
  const double a = order->keys[*static_cast<const int *>(left)], b = order->keys[*static_cast<const int *>(right)];
  return order->sign * (a < b ? -1 : a > b);
}
int in_direction(const void *left, const void *right, void *sign) {
  return *static_cast<const int *>(sign) * ascending(left, right);
}
double sorted_with_context(const double *x, int n) {
  int places[4];
  double squares[4];
  for (int i = 0; i < n; ++i) {
    places[i] = i;
    squares[i] = x[i] * x[i];
  }
  Order order{x, -1};
  qsort_r(places, n, sizeof(int), by_keys, &order);
  qsort_r(squares, n, sizeof(double), in_direction, &order.sign);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += (i + 1) * x[places[i]] * squares[i];
  return sum;
}

/// The array is longer than what is sorted, and its length is only known when the program runs.
double items_by_sort(const double *x, int n) {
  Item items[4];
  for (int i = 0; i < n; ++i)
    items[i] = {x[i], i, x[i] * x[i]};
  std::sort(items, items + n, [](const Item &left, const Item &right) { return left.key < right.key; });
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += (i + 1) * (items[i].number + 1) * items[i].weight;
  return sum;
}

struct Weighed {
  int key;
  double weight;
  float factor;
};
int by_key(const void *left, const void *right) {
  return static_cast<const Weighed *>(left)->key - static_cast<const Weighed *>(right)->key;
}
/// What is found may be missing: the address of its member is then one of no memory.
double weighed_by_bsearch(const double *x, int n) {
  Weighed items[3], wanted = {2, 0, 0};
  for (int i = 0; i < n; ++i)
    items[i] = {i * 5 % 3, x[i] * x[i], float(i)};
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += items[i].weight * i * (1 + items[i].factor);
  std::qsort(items, n, sizeof(Weighed), by_key);
  auto *found = static_cast<Weighed *>(std::bsearch(&wanted, items, n, sizeof(Weighed), by_key));
  found->weight *= 2;
  return sum + found->weight * found->weight;
}

double found_by_bsearch(double *x, int n) {
  const double key = 3;
  auto *found = static_cast<double *>(std::bsearch(&key, x, n, sizeof(double), ascending));
  const double missing = 3.5;
  return found && !std::bsearch(&missing, x, n, sizeof(double), ascending) ? found[0] * found[1] : 0;
}

const double points[3] = {3, 1, 2}; // ranks 3, 1, 2

template <class Function>
void gradient(Function *function, const double *x, double *dx, int n) {
  double copy[4];
  std::copy(x, x + n, copy);
  std::fill(dx, dx + n, 0.0);
  __enzyme_autodiff<void>((void *)function, enzyme_dup, copy, dx, enzyme_const, n);
}

template <class Function>
double tangent(Function *function, const double *x, int direction, int n) {
  double copy[4], dx[4] = {};
  std::copy(x, x + n, copy);
  dx[direction] = 1;
  return __enzyme_fwddiff<double>((void *)function, enzyme_dup, copy, dx, enzyme_const, n);
}

} // namespace

PLUGIN_TEST(Callbacks, QsortMovesDerivativesWithTheNumbers) {
  const double expected[3] = {18, 2, 8};
  double dx[3];
  gradient(weighted_by_rank, points, dx, 3);
  for (int i = 0; i < 3; ++i) {
    EXPECT_CLOSE(dx[i], expected[i]);
    EXPECT_CLOSE(tangent(weighted_by_rank, points, i, 3), expected[i]);
  }
}
PLUGIN_TEST(Callbacks, SortedStructsKeepTheirFieldsTogether) {
  const double expected[3] = {18, 4, 24}; // 2 x rank (number + 1)
  double by_qsort[3], by_sort[3];
  gradient(items_by_qsort, points, by_qsort, 3);
  gradient(items_by_sort, points, by_sort, 3);
  for (int i = 0; i < 3; ++i) {
    EXPECT_CLOSE(by_qsort[i], expected[i]);
    EXPECT_CLOSE(by_sort[i], expected[i]);
    EXPECT_CLOSE(tangent(items_by_qsort, points, i, 3), expected[i]);
    EXPECT_CLOSE(tangent(items_by_sort, points, i, 3), expected[i]);
  }
}
PLUGIN_TEST(Callbacks, QsortGivesTheComparatorItsContext) {
  CHECK_FUNCTION(sorted_with_context, 0.6, 1.2, 0.8);
  CHECK_SECOND_ORDER(sorted_with_context, 0.6, 1.2, 0.8);
}
PLUGIN_TEST(Callbacks, BsearchFindsAnElementAsAWhole) {
  CHECK_FUNCTION(weighed_by_bsearch, 0.6, 1.2, 0.8);
  CHECK_SECOND_ORDER(weighed_by_bsearch, 0.6, 1.2, 0.8);
}
PLUGIN_TEST(Callbacks, BsearchPointsIntoTheShadowToo) {
  const double x[3] = {1, 3, 5};
  double dx[3];
  gradient(found_by_bsearch, x, dx, 3);
  EXPECT_CLOSE(dx[0], 0);
  EXPECT_CLOSE(dx[1], 5);
  EXPECT_CLOSE(dx[2], 3);
}
