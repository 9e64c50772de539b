// Copies of a length that ends within an element: text in memory that also holds pointers and numbers.
#include "support/vector_program.hpp"
#include <cstdlib>
#include <map>
#include <string>

namespace {

/// Keys of a few letters live inside the nodes, where longer ones keep a pointer.
double named_values(const double *x, int n) {
  std::map<std::string, double> values;
  values["a"] = x[2];
  values["b"] = x[0] * x[1];
  values["long enough to live on the heap"] = x[n - 1];
  return values["a"] * values["b"] + values["long enough to live on the heap"] * values["a"];
}

struct Record {
  double value;
  char name[12];
  int rank;
};

/// The last record is cut off within its name.
double cut_records(const double *x, int n) {
  Record records[8], copies[8];
  for (int i = 0; i < n; ++i) {
    records[i] = {x[i] * x[i], "name", i};
    copies[i] = {x[i], "none", 7};
  }
  const std::size_t length = (n - 1) * sizeof(Record) + sizeof(double) + 2;
  std::memcpy(copies, records, length);
  double sum = copies[n - 1].name[1] == 'a' && copies[n - 1].name[2] == 'n' ? 0 : 1e6;
  for (int i = 0; i < n; ++i)
    sum += copies[i].value * (copies[i].rank + 1);
  return sum;
}

struct Flexible {
  int count;
  double scale;
  double values[1];
};

/// A header, and behind it as many numbers as there are.
double header_and_numbers(const double *x, int n) {
  const std::size_t size = sizeof(Flexible) + n * sizeof(double);
  auto *first = static_cast<Flexible *>(std::malloc(size)), *second = static_cast<Flexible *>(std::malloc(size));
  first->count = n;
  first->scale = x[0];
  for (int i = 0; i < n; ++i)
    first->values[i] = x[i] * first->scale;
  std::memcpy(second, first, size);
  second->scale *= 2;
  double sum = 0;
  for (int i = 0; i < second->count; ++i)
    sum += first->values[i] * second->values[n - 1 - i] * second->scale;
  std::free(first);
  std::free(second);
  return sum;
}

struct Item {
  int count;
  double values[3];
  float weight[2];
  char tag;
};
struct Bag {
  Item items[4];
  int size;
  double total;
};

void fill(Bag &bag, const double *x, int n) {
  for (int i = 0; i < n; ++i) {
    Item &item = bag.items[i % 4];
    ++item.count;
    item.values[i % 3] += x[i] * x[(i + 1) % n];
    item.weight[i % 2] = 0.5F;
    item.tag = 'a';
    ++bag.size;
  }
}

/// The copied whole is no number of items; what does not fit had a negative length, and compiling took forever.
double zeroed_bags(const double *x, int n) {
  Bag bag = {}, *other = static_cast<Bag *>(std::calloc(1, sizeof(Bag)));
  Item kept[2] = {};
  fill(bag, x, n);
  fill(*other, x, n);
  kept[0] = bag.items[1];
  kept[1] = other->items[2];
  Bag copied = bag;
  copied.items[3] = kept[0];
  *other = copied;
  double sum = 0;
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 3; ++k)
      sum += other->items[i].values[k] * (k + 1) * double(other->items[i].weight[k % 2]) +
             kept[i % 2].values[k] * kept[i % 2].values[k];
  std::free(other);
  return sum;
}

} // namespace

PLUGIN_TEST(CutCopies, KeysOfAMapKeepTheirLetters) {
  CHECK_FUNCTION(named_values, 0.7, 1.1, 1.6, 0.4);
}
PLUGIN_TEST(CutCopies, ACopyMayEndWithinAnElement) {
  CHECK_FUNCTION(cut_records, 0.7, 1.1, 1.6, 0.4);
}
PLUGIN_TEST(CutCopies, AHeaderIsNoElement) {
  CHECK_FUNCTION(header_and_numbers, 0.7, 1.1, 1.6, 0.4);
}
PLUGIN_TEST(CutCopies, of_a_whole_that_begins_with_an_array) {
  CHECK_FUNCTION(zeroed_bags, 0.3, 0.7, -0.4, 1.1, 0.9);
}
