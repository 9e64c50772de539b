// Structs with an integer, a number and a vector that are sorted stably, by functions of the library that call
// themselves: their reverse halves pass on what only their forward halves use.
#include "support/second_order.hpp"
#include "support/vector_program.hpp"
#include <algorithm>
#include <vector>

namespace {

struct Record {
  int index;
  double key;
  std::vector<double> payload;
};

std::vector<Record> records(const double *x, int n) {
  std::vector<Record> all;
  for (int i = 0; i < n; ++i)
    all.push_back({i, x[i], std::vector<double>(i + 1, x[i] * i)});
  return all;
}

double weighted(const std::vector<Record> &all) {
  double sum = 0, weight = 1;
  for (const Record &record : all) {
    sum += record.key * record.key * weight++;
    for (double number : record.payload)
      sum += number * number * weight * record.key;
  }
  return sum;
}

bool has_smaller_key(const Record &one, const Record &other) {
  return one.key < other.key;
}

double stably_sorted(const double *x, int n) {
  std::vector<Record> all = records(x, n);
  std::stable_sort(all.begin(), all.end(), has_smaller_key);
  return weighted(all);
}

double merged_in_place(const double *x, int n) {
  std::vector<Record> all = records(x, n);
  std::inplace_merge(all.begin(), all.begin() + 2, all.end(), has_smaller_key);
  return weighted(all);
}

} // namespace

PLUGIN_TEST(SecondDerivativesOfSortedStructs, stably_sorted) {
  CHECK_FUNCTION(stably_sorted, 0.3, 0.9, 0.5, 1.5, 0.7);
  CHECK_SECOND_ORDER(stably_sorted, 0.3, 0.9, 0.5, 1.5, 0.7);
}
PLUGIN_TEST(SecondDerivativesOfSortedStructs, merged_in_place) {
  CHECK_FUNCTION(merged_in_place, 0.3, 0.9, 0.5);
  CHECK_SECOND_ORDER(merged_in_place, 0.3, 0.9, 0.5);
}
