// Numbers that are moved together with strings: the words of a string are integers, pointers and characters in turn,
// and lie where other memory has numbers.
#include "support/vector_program.hpp"
#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

struct Item {
  std::string name;
  double value;
  int rank;
};

std::vector<Item> named_items(const double *x, int n) {
  std::vector<Item> items;
  for (int i = 0; i < 24; ++i)
    items.push_back(
        {"n" + std::to_string(i * 7 % 24) + (i % 3 ? "" : " with a name that is not short"), x[i % n] * i, i});
  return items;
}

double weighted(const std::vector<Item> &items) {
  double result = 0, factor = 0.01;
  for (const Item &item : items) {
    result += factor * item.value * item.value * double(item.name.size());
    factor *= 0.9;
  }
  return result;
}

double sorted(const double *x, int n) {
  auto items = named_items(x, n);
  std::sort(items.begin(), items.end(), [](const Item &a, const Item &b) { return a.name < b.name; });
  return weighted(items);
}

double sorted_stably(const double *x, int n) {
  auto items = named_items(x, n);
  std::stable_sort(items.begin(), items.end(), [](const Item &a, const Item &b) { return a.rank % 5 < b.rank % 5; });
  return weighted(items);
}

double swapped_and_rotated(const double *x, int n) {
  auto items = named_items(x, n);
  std::swap(items[0], items[2]);
  std::rotate(items.begin(), items.begin() + 5, items.end());
  std::reverse(items.begin(), items.end());
  return weighted(items);
}

double tabulated(const double *x, int n) {
  std::unordered_map<std::string, double> values;
  values["a key that is longer than sixteen characters"] = x[0] * x[1];
  for (int i = 0; i < 20; ++i)
    values["k" + std::to_string(i)] += x[i % n] * i;
  values.erase("k3");
  double result = 0;
  for (const auto &[key, value] : values)
    result += value * value * double(key.size());
  return result * values.at("k2");
}

struct Entry {
  double weight;
  std::string text;
  std::vector<double> numbers;
};

double emplaced(const double *x, int) {
  std::map<std::string, Entry> entries;
  entries.try_emplace("one", Entry{x[0], "s", {x[1], x[2]}});
  entries.insert_or_assign("two", Entry{x[1] * x[1], "a longer text than usual", {x[0]}});
  std::unordered_map<int, Entry> copies;
  copies.emplace(5, entries["two"]);
  double result = copies.at(5).weight;
  for (const auto &[key, entry] : entries)
    for (double number : entry.numbers)
      result += entry.weight * number * double(entry.text.size());
  return result;
}

} // namespace

PLUGIN_TEST(StringsBesideNumbers, StructsAreSorted) {
  CHECK_FUNCTION(sorted, 1.1, 2.2, 0.3, 0.7);
}
PLUGIN_TEST(StringsBesideNumbers, StructsAreSortedStably) {
  CHECK_FUNCTION(sorted_stably, 1.1, 2.2, 0.3, 0.7);
}
PLUGIN_TEST(StringsBesideNumbers, StructsAreSwappedAndRotated) {
  CHECK_FUNCTION(swapped_and_rotated, 1.1, 2.2, 0.3, 0.7);
}
PLUGIN_TEST(StringsBesideNumbers, HashTablesAreKeyedByStrings) {
  CHECK_FUNCTION(tabulated, 1.1, 2.2, 0.3);
}
PLUGIN_TEST(StringsBesideNumbers, StructsAreBuiltInMaps) {
  CHECK_FUNCTION(emplaced, 1.1, 2.2, 0.3);
}
