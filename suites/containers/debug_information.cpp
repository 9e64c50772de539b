// Containers in a file with debug information: a reference to a key is one to a field, and a pointer to a class may be
// one to the base of something larger.
#include "support/vector_program.hpp"
#include <list>
#include <map>
#include <vector>

namespace {

double of_pairs(const double *x, int) {
  std::map<int, double> map;
  // Not constant: such pairs are copied into nodes as they are.
  std::map<int, double>::value_type first(1, x[1]), second(11, x[2] * x[0]);
  map.insert(first);
  map.insert(second);
  double result = 0;
  for (const auto &[key, number] : map)
    result += number;
  return result;
}

struct Counted {
  int count;
  double number;
};

double of_structs(const double *x, int n) {
  std::vector<Counted> numbers;
  for (int i = 0; i < n; ++i)
    numbers.push_back({i, x[i] * x[0]});
  const std::list<Counted> list(numbers.rbegin(), numbers.rend());
  double result = 0;
  for (const Counted &element : list)
    result = result * x[1] + element.number * element.count;
  return result;
}

} // namespace

PLUGIN_TEST(DebugInformation, Pairs) {
  CHECK_FUNCTION(of_pairs, 1.1, 2.2, 0.3);
}
PLUGIN_TEST(DebugInformation, Structs) {
  CHECK_FUNCTION(of_structs, 1.1, 2.2, 0.3);
}
