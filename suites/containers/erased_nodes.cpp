// Links that are changed, and pointers that are moved, by functions that see no number behind them: the caller knows
// that there are some.
#include "support/vector_program.hpp"
#include <algorithm>
#include <map>
#include <memory>
#include <vector>

namespace {

double erased_by_key_and_place(const double *x, int n) {
  std::map<int, double> values;
  for (int i = 0; i < 2 * n; ++i)
    values.emplace(i * 7 % 11, x[i % n] * x[i % n] * (1 + i));
  values.erase(7);
  values.erase(values.begin());
  double result = values.find(3)->second;
  for (auto value = values.rbegin(); value != values.rend(); ++value)
    result = result * 0.5 + value->second * value->first;
  return result;
}

struct Item {
  int rank;
  double value;
};

/// The order depends on integers alone.
double pointers_sorted_by_rank(const double *x, int n) {
  std::vector<std::unique_ptr<Item>> items;
  std::vector<Item *> order;
  for (int i = 0; i < 30; ++i) {
    items.push_back(std::make_unique<Item>(Item{i * 7 % 13, x[i % n] * i}));
    order.push_back(items.back().get());
  }
  std::sort(order.begin(), order.end(), [](const Item *a, const Item *b) { return a->rank < b->rank; });
  double result = 0, factor = 0.01;
  for (const Item *item : order) {
    result += factor * item->value * item->value;
    factor *= 0.9;
  }
  return result;
}

} // namespace

PLUGIN_TEST(ErasedNodes, MapsAreSearchedAfterwards) {
  CHECK_FUNCTION(erased_by_key_and_place, 1.1, 2.2, 0.3, 0.7, 1.4, 0.9);
}
PLUGIN_TEST(ErasedNodes, PointersAreSortedByIntegers) {
  CHECK_FUNCTION(pointers_sorted_by_rank, 1.1, 2.2, 0.3, 0.7);
}
