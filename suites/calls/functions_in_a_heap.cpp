// Closures that heap algorithms move past each other, on several ways at once: each of their words is joined from more
// than one place before it is stored.
#include "support/convention.hpp"
#include "support/plugin_test.hpp"
#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace {

using Entry = std::pair<double, std::function<double(double)>>;

double sum_of(const std::vector<Entry> &entries) {
  double sum = 0;
  for (const auto &[key, function] : entries)
    sum += key * function(2);
  return sum;
}

std::vector<Entry> three_lines(double x) {
  std::vector<Entry> entries;
  for (int i = 0; i < 3; ++i)
    entries.emplace_back(i + 1, [a = x, b = x * i](double y) { return a * y + b; });
  return entries;
}

bool is_greater(const Entry &one, const Entry &other) {
  return one.first > other.first;
}

/// Each sum is x times 1 * 2 + 2 * 3 + 3 * 4.
double taken_from_a_heap(double x) {
  std::vector<Entry> entries = three_lines(x);
  double sum = sum_of(entries);
  std::pop_heap(entries.begin(), entries.end(), is_greater);
  std::pop_heap(entries.begin(), entries.end() - 1, is_greater);
  return sum * sum_of(entries);
}

double partly_sorted(double x) {
  std::vector<Entry> entries = three_lines(x);
  double sum = sum_of(entries);
  std::partial_sort(entries.begin(), entries.begin() + 2, entries.end(), is_greater);
  return sum * sum_of(entries);
}

} // namespace

PLUGIN_TEST(FunctionsInAHeap, KeepWhatTheyCaptured) {
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)taken_from_a_heap, 0.5), 400);
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)taken_from_a_heap, 0.5, 1.0), 400);
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)partly_sorted, 0.5), 400);
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)partly_sorted, 0.5, 1.0), 400);
}
