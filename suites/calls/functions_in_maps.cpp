// Functions with captured numbers that are assigned to members of structs in maps: the numbers lie where the closures
// of others keep addresses, among strings that keep characters or the address of some.
#include "support/vector_program.hpp"
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace {

struct Entry {
  std::string name;
  std::function<double(double)> function;
};

double one_number(const double *x, int) {
  std::map<std::string, Entry> entries;
  const double factor = x[0];
  entries["k"] = {"name", [factor](double y) { return factor * y; }};
  return entries["k"].function(x[1]);
}
double numbers_in_place_and_on_the_heap(const double *x, int) {
  std::map<std::string, Entry> entries;
  const double a = x[0], b = x[1];
  entries["line"] = {"a line", [a, b](double y) { return a * y + b; }};
  entries["parabola"] = {"a parabola, with a name that is kept on the heap", [b](double y) { return b * y * y; }};
  return entries["line"].function(x[2]) + entries["parabola"].function(x[3]);
}
double in_a_vector(const double *x, int) {
  std::vector<Entry> entries(2);
  const double a = x[0], b = x[1];
  entries[0] = {"line", [a, b](double y) { return a * y + b; }};
  entries[1] = {"product", [a](double y) { return a * y; }};
  return entries[0].function(x[2]) + entries[1].function(x[3]);
}

} // namespace

PLUGIN_TEST(FunctionsInMaps, one_number) {
  CHECK_FUNCTION(one_number, 0.3, 0.7);
}
PLUGIN_TEST(FunctionsInMaps, numbers_in_place_and_on_the_heap) {
  CHECK_FUNCTION(numbers_in_place_and_on_the_heap, 0.3, 0.7, 1.1, 0.4);
}
PLUGIN_TEST(FunctionsInMaps, in_a_vector) {
  CHECK_FUNCTION(in_a_vector, 0.3, 0.7, 1.1, 0.4);
}
