// Whole containers are copied, moved, swapped and assigned: their nodes are linked with a head that keeps pointers and
// counts where the nodes have numbers.
#include "support/vector_program.hpp"
#include <map>
#include <set>
#include <unordered_map>

namespace {

using Map = std::map<int, double>;
using HashTable = std::unordered_map<int, double>;

template <class Table>
double weighted(const Table &table) {
  double result = 0;
  for (const auto &[key, value] : table)
    result += value * value * key;
  return result;
}

template <class Table>
double copied(const double *x, int n) {
  Table first{{1, x[0]}, {2, x[1]}, {5, x[2] * x[0]}};
  for (int i = 6; i < 12; ++i)
    first[i] = x[i % n] * 0.1;
  Table copy = first;
  copy[2] *= x[2];
  Table moved = std::move(first);
  first = copy;
  std::swap(copy, moved);
  copy = moved;
  moved.clear();
  moved[7] = x[0];
  moved = std::move(first);
  first.clear();
  first[3] = x[1];
  return weighted(copy) * weighted(moved) + weighted(first);
}

double copied_sets(const double *x, int n) {
  std::set<double> numbers(x, x + n);
  std::set<double> copy = numbers;
  copy.insert(x[0] * x[1]);
  std::set<double> moved = std::move(numbers);
  numbers = copy;
  double result = 0, factor = 1;
  for (const auto *set : {&numbers, &moved})
    for (double number : *set) {
      result += factor * number * number;
      factor *= 0.7;
    }
  return result;
}

} // namespace

PLUGIN_TEST(CopiedContainers, Maps) {
  CHECK_FUNCTION(copied<Map>, 1.1, 2.2, 0.3);
}
PLUGIN_TEST(CopiedContainers, HashTables) {
  CHECK_FUNCTION(copied<HashTable>, 1.1, 2.2, 0.3);
}
PLUGIN_TEST(CopiedContainers, Sets) {
  CHECK_FUNCTION(copied_sets, 1.1, 2.2, 0.3, 0.7);
}
