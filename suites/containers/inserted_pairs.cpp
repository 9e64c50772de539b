// Pairs that are made first and then inserted, by a function that gets the key as a number that may be as wide as an
// address.
#include "support/vector_program.hpp"
#include <cstddef>
#include <map>

namespace {

using Map = std::map<std::size_t, double>;

void insert(Map &map, std::size_t key, double number) {
  const Map::value_type pair(key, number);
  map.insert(pair);
}

void replace(Map &map, std::size_t key, double number) {
  map.insert({key, 0.0}).first->second = number;
}

template <void put(Map &, std::size_t, double)>
double of_map(const double *x, int n) {
  Map map;
  for (int i = 0; i < n; ++i)
    put(map, static_cast<std::size_t>(7 * i % 5), x[i]);
  put(map, 11, x[1] * x[0]);
  double result = 0;
  for (const auto &[key, number] : map)
    result += number * number * static_cast<double>(key + 1);
  return result;
}

} // namespace

PLUGIN_TEST(InsertedPairs, Inserted) {
  CHECK_FUNCTION(of_map<insert>, 1.1, 2.2, 0.3);
}
PLUGIN_TEST(InsertedPairs, Replaced) {
  CHECK_FUNCTION(of_map<replace>, 1.1, 2.2, 0.3);
}
