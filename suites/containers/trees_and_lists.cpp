// std::map, std::set and std::list: their links are changed by functions of the C++ library that a program only sees
// declared, and the shadows' links must follow.
#include "support/vector_program.hpp"
#include <list>
#include <map>
#include <set>

namespace {

double counted_in_a_map(const double *x, int n) {
  std::map<int, double> sums;
  for (int i = 0; i < n; ++i)
    sums[i * 7 % 5] += x[i] * x[i];
  double result = 0;
  for (const auto &[key, value] : sums)
    result += key * value + value * value;
  return result;
}

/// Enough keys that every case of the tree's balancing comes up.
double inserted_and_erased(const double *x, int n) {
  std::map<int, double> numbers;
  unsigned random = 12345;
  for (int i = 0; i < 200; ++i) {
    random = random * 1103515245 + 12345;
    numbers[random >> 16 & 63] += x[i % n] * i;
    if (i % 3 == 0)
      numbers.erase(random >> 22 & 63);
  }
  double result = 0;
  for (auto i = numbers.rbegin(); i != numbers.rend(); ++i)
    result = result * 0.9 + i->second * i->second * 1e-4 + i->first;
  return result + numbers.size();
}

double keyed_by_active_numbers(const double *x, int n) {
  std::map<double, double> ordered;
  for (int i = 0; i < n; ++i)
    ordered[x[i]] = x[i] * i + x[0];
  double result = 0, factor = 1;
  for (auto i = ordered.cbegin(); i != ordered.cend(); ++i, factor *= 0.7)
    result += factor * i->first * i->second;
  return result;
}

double ranges_of_a_multimap(const double *x, int n) {
  std::multimap<int, double> numbers;
  for (int i = 0; i < n; ++i)
    numbers.insert({i % 2, x[i] * x[(i + 1) % n]});
  double result = numbers.begin()->second;
  for (auto [i, end] = numbers.equal_range(1); i != end; ++i)
    result += i->second * i->second;
  return result;
}

double ordered_by_a_set(const double *x, int n) {
  std::set<double> numbers(x, x + n);
  double result = 0, factor = 1;
  for (double number : numbers) {
    result += factor * number * number;
    factor *= 0.5;
  }
  return result + *numbers.begin() * *numbers.rbegin();
}

double changed_list(const double *x, int n) {
  std::list<double> numbers, others;
  for (int i = 0; i < n; ++i) {
    numbers.push_back(x[i] * x[i]);
    others.push_front(x[i] * x[0]);
  }
  numbers.sort();
  others.reverse();
  numbers.splice(std::next(numbers.begin()), others, std::next(others.begin()), others.end());
  numbers.erase(std::next(numbers.begin()));
  double result = numbers.front(), factor = 1;
  for (double number : numbers) {
    result += factor * number;
    factor *= 0.9 * number;
  }
  return result;
}

} // namespace

PLUGIN_TEST(TreesAndLists, MapsSumByKey) {
  CHECK_FUNCTION(counted_in_a_map, 1.1, 2.2, 0.3, 0.7, 1.4);
}
PLUGIN_TEST(TreesAndLists, MapsAreBalancedAndRunBackwards) {
  CHECK_FUNCTION(inserted_and_erased, 1.1, 2.2, 0.3, 0.7);
}
PLUGIN_TEST(TreesAndLists, MapsMayHaveActiveKeys) {
  CHECK_FUNCTION(keyed_by_active_numbers, 1.1, 2.2, 0.3, 0.7);
}
PLUGIN_TEST(TreesAndLists, MultimapsHaveRanges) {
  CHECK_FUNCTION(ranges_of_a_multimap, 1.1, 2.2, 0.3, 0.7);
}
PLUGIN_TEST(TreesAndLists, SetsOrderActiveNumbers) {
  CHECK_FUNCTION(ordered_by_a_set, 1.1, 2.2, 0.3, 0.7);
}
PLUGIN_TEST(TreesAndLists, ListsAreSortedReversedAndSpliced) {
  CHECK_FUNCTION(changed_list, 1.1, 2.2, 0.3, 0.7);
}
