// Structs that hold several containers and a function, copied as a whole and kept in a vector: to the analysis all
// their memory is one, because any function may be called with the closure.
#include "support/vector_program.hpp"
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace {

struct Item {
  std::string name;
  std::map<int, double> table;
  std::vector<double> values;
  std::function<double(double)> line;
};

struct Nameless {
  std::map<int, double> table;
  std::vector<double> values;
  std::function<double(double)> line;
};

template <class Kind>
double total(const std::vector<Kind> &items) {
  double sum = 0;
  for (const Kind &item : items) {
    for (const auto &[key, value] : item.table)
      sum += key * value;
    for (double value : item.values)
      sum += item.line(value);
    sum += item.line(2);
  }
  return sum;
}

double kept_in_a_vector(const double *x, int) {
  std::vector<Item> items;
  for (int i = 0; i < 3; ++i) {
    Item item;
    item.name = "item number " + std::to_string(i) + " with a long name";
    item.table[i] = x[i] * x[0];
    item.table[i + 7] = x[1];
    item.values = {x[0], x[i], x[2] * x[2]};
    item.line = [a = x[i]](double y) { return a * y; };
    const Item copy = item;
    items.push_back(copy);
  }
  return total(items);
}

double without_values(const double *x, int) {
  std::vector<Item> items;
  Item item;
  item.name = "a name that is long enough for the heap";
  item.table[2] = x[2] * x[0];
  item.line = [a = x[1]](double y) { return a * y; };
  items.push_back(item);
  return total(items);
}

double without_name(const double *x, int) {
  std::vector<Nameless> items;
  Nameless item;
  item.values = {x[0], x[1], x[2] * x[2]};
  item.table[1] = x[0];
  item.line = [a = x[1]](double y) { return a * y * y; };
  items.push_back(item);
  return total(items);
}

} // namespace

PLUGIN_TEST(StructsOfContainers, KeptInAVector) {
  CHECK_FUNCTION(kept_in_a_vector, 1.1, 0.3, -0.4);
}
PLUGIN_TEST(StructsOfContainers, OfWhichOneIsEmpty) {
  CHECK_FUNCTION(without_values, 1.1, 0.3, -0.4);
}
PLUGIN_TEST(StructsOfContainers, WithoutAName) {
  CHECK_FUNCTION(without_name, 1.1, 0.3, -0.4);
}
