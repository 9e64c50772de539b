// Structs that are inserted into the middle of vectors and deques. std::vector keeps the new element in a union whose
// first member is a character, so the optimiser takes it apart at the first byte, within the number or the address that
// begins there.
#include "support/vector_program.hpp"
#include <algorithm>
#include <deque>
#include <vector>

namespace {

struct NumberFirst {
  double value;
  int count;
  double weight;
  static NumberFirst made(const double *x, int n, int i) { return {x[i % n], i, x[(i + 1) % n] * x[0]}; }
  double amount() const { return value * weight + count * value; }
};

struct ThreeNumbers {
  double one, two, three;
  static ThreeNumbers made(const double *x, int n, int i) { return {x[i % n], x[(i + 1) % n] * x[0], x[0] * i}; }
  double amount() const { return one * two + three; }
};

struct AddressFirst {
  const double *value;
  double weight;
  static AddressFirst made(const double *x, int n, int i) { return {x + i % n, x[(i + 1) % n] * x[0]}; }
  double amount() const { return *value * weight; }
};

struct CountFirst {
  int count;
  double value;
  static CountFirst made(const double *x, int n, int i) { return {i, x[i % n] * x[0]}; }
  double amount() const { return count * value + value * value; }
};

struct NumberAndFlag {
  double value;
  bool is_squared;
  static NumberAndFlag made(const double *x, int n, int i) { return {x[i % n] * x[0], i % 2 == 0}; }
  double amount() const { return is_squared ? value * value : value; }
};

struct NumbersOfTwoSizes {
  char letter;
  double value;
  short count;
  float weight;
  static NumbersOfTwoSizes made(const double *x, int n, int i) {
    return {static_cast<char>(i), x[i % n], static_cast<short>(2 * i), static_cast<float>(x[0])};
  }
  double amount() const { return letter * value + count * double(weight); }
};

template <class Items>
double total(const Items &items) {
  double sum = 0, factor = 1;
  for (const auto &item : items)
    sum += item.amount() * (factor += 0.1);
  return sum;
}

template <class Item>
std::vector<Item> five(const double *x, int n) {
  std::vector<Item> items;
  items.reserve(16);
  for (int i = 0; i < 5; ++i)
    items.push_back(Item::made(x, n, i));
  return items;
}

template <class Item>
double inserted_one_by_one(const double *x, int n) {
  std::vector<Item> items = five<Item>(x, n);
  items.insert(items.begin() + 1, Item::made(x, n, 7));
  const Item last = Item::made(x, n, 8);
  items.insert(items.begin() + n - 2, last);
  items.insert(items.begin() + 3, items[1]);
  return total(items);
}

template <class Item>
double inserted_several_times(const double *x, int n) {
  std::vector<Item> items = five<Item>(x, n);
  items.insert(items.begin() + 1, 3, Item::made(x, n, 7));
  const std::vector<Item> others(items.begin(), items.begin() + 2);
  items.insert(items.begin() + 2, others.begin(), others.end());
  items.insert(items.end(), 2, items[0]);
  return total(items);
}

template <class Item>
double emplaced(const double *x, int n) {
  std::vector<Item> items;
  for (int i = 0; i < 5; ++i)
    items.emplace(items.begin() + i / 2, Item::made(x, n, i));
  items.erase(items.begin() + 1);
  return total(items);
}

template <class Item>
double inserted_in_order(const double *x, int n) {
  std::vector<Item> items;
  items.reserve(20);
  for (int i = 0; i < 9; ++i) {
    const Item item = Item::made(x, n, i * 4 % 9);
    const auto is_less = [](const Item &one, const Item &other) { return one.amount() < other.amount(); };
    items.insert(std::upper_bound(items.begin(), items.end(), item, is_less), item);
  }
  return total(items);
}

template <class Item>
double inserted_into_deque(const double *x, int n) {
  std::deque<Item> items;
  for (int i = 0; i < 5; ++i)
    items.insert(items.begin() + i / 2, Item::made(x, n, i));
  items.insert(items.begin() + 2, 2, items[1]);
  return total(items);
}

/// Numbers in single precision have tangents and adjoints of that precision.
constexpr double single_precision = 1e-5, double_precision = assay::suites::central_tolerance;

} // namespace

#define CHECK_INSERTION(program, tolerance)                                                                            \
  assay::suites::check_function<program>(std::array{0.31, 0.83, 0.57}, __FILE__, __LINE__, tolerance)
#define CHECK_INSERTIONS(Item, precision)                                                                              \
  PLUGIN_TEST(InsertedStructs, Item##OneByOne) {                                                                       \
    CHECK_INSERTION(inserted_one_by_one<Item>, precision);                                                             \
  }                                                                                                                    \
  PLUGIN_TEST(InsertedStructs, Item##SeveralTimes) {                                                                   \
    CHECK_INSERTION(inserted_several_times<Item>, precision);                                                          \
  }                                                                                                                    \
  PLUGIN_TEST(InsertedStructs, Item##Emplaced) {                                                                       \
    CHECK_INSERTION(emplaced<Item>, precision);                                                                        \
  }                                                                                                                    \
  PLUGIN_TEST(InsertedStructs, Item##InOrder) {                                                                        \
    CHECK_INSERTION(inserted_in_order<Item>, precision);                                                               \
  }                                                                                                                    \
  PLUGIN_TEST(InsertedStructs, Item##IntoDeque) {                                                                      \
    CHECK_INSERTION(inserted_into_deque<Item>, precision);                                                             \
  }

CHECK_INSERTIONS(NumberFirst, double_precision)
CHECK_INSERTIONS(ThreeNumbers, double_precision)
CHECK_INSERTIONS(AddressFirst, double_precision)
CHECK_INSERTIONS(CountFirst, double_precision)
CHECK_INSERTIONS(NumberAndFlag, double_precision)
CHECK_INSERTIONS(NumbersOfTwoSizes, single_precision)
