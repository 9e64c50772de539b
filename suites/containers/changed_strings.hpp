#pragma once
// Structs and maps of strings and numbers whose strings are changed. What changes a string is a part of the program in
// C++20 and in the library before, where only the rest of the class is inline (at -O0 nothing of it): the tests are
// compiled for both.
#include "support/vector_program.hpp"
#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace {

struct Named {
  std::string name;
  double value;
  double weight;
};

inline double amount(const Named &item) {
  return item.value * item.weight * double(item.name.size());
}

inline Named named(const double *x, int n, int i) {
  return {i % 2 != 0 ? "one" : "a longer text than fits in there", x[i % n], x[(i + 1) % n]};
}

inline std::vector<Named> five_named(const double *x, int n) {
  std::vector<Named> items;
  for (int i = 0; i < 5; ++i)
    items.push_back(named(x, n, i));
  return items;
}

inline double total(const std::vector<Named> &items) {
  double sum = 0, factor = 1;
  for (const Named &item : items)
    sum += amount(item) * (factor += 0.1);
  return sum;
}

inline double assigned(const double *x, int n) {
  Named first = named(x, n, 0);
  first.name = "abc";
  Named second = first;
  second.name = "a longer text than fits in there, to which it is changed";
  Named third{"", x[2], x[1]};
  third.name.assign(second.name, 2, 30);
  first.name.assign(40, 'q');
  return amount(first) + amount(second) * x[2] + amount(third);
}

inline double appended(const double *x, int n) {
  std::vector<Named> items = five_named(x, n);
  for (Named &item : items) {
    item.name += "tail that makes it long";
    item.name.append(3, 'x').push_back('y');
  }
  const std::string joined = items[0].name + "abc" + items[1].name;
  items[2].name = joined.substr(3, 20);
  return total(items);
}

inline double edited(const double *x, int n) {
  std::vector<Named> items = five_named(x, n);
  for (Named &item : items) {
    item.name.insert(1, "inserted");
    item.name.replace(0, 2, "something else that is long");
    item.name.replace(2, 2, item.name.c_str(), 5);
    item.name.erase(2, 3);
  }
  return total(items);
}

inline double resized(const double *x, int n) {
  std::vector<Named> items = five_named(x, n);
  for (Named &item : items) {
    item.name.resize(40, 'c');
    item.name.reserve(100);
    item.name.resize(item.value > 0.5 ? 7 : 30);
    item.name.shrink_to_fit();
  }
  return total(items);
}

inline double exchanged(const double *x, int n) {
  std::vector<Named> items = five_named(x, n);
  items[0] = items[1];
  items[2].name = items[3].name;
  std::swap(items[1], items[4]);
  items[1].name.swap(items[0].name);
  items[3].name.swap(items[4].name);
  std::reverse(items.begin(), items.end());
  items.erase(items.begin() + 1);
  return total(items);
}

inline double keyed(const double *x, int n) {
  std::map<std::string, Named> items;
  std::string key;
  for (int i = 0; i < 8; ++i) {
    Named item = named(x, n, i);
    key = i % 2 != 0 ? "k" : "a long key for this map";
    key += char('a' + i % 3);
    item.name += key;
    items[key].value += item.value * i;
    items.emplace(key + "x", std::move(item));
  }
  items.erase(items.begin());
  double sum = 0;
  for (const auto &[name, item] : items)
    sum += item.value * item.value * double(name.size() + item.name.size());
  return sum;
}

inline double read_by_words(const double *x, int /*n*/) {
  std::map<std::string, double> variables;
  std::istringstream program("set a 2 set a_name_that_is_longer_than_most 3 mul a a_name_that_is_longer_than_most");
  std::string operation;
  Named target{"", x[0], x[1]};
  while (program >> operation >> target.name) {
    std::string operand;
    program >> operand;
    if (operation == "set")
      variables[target.name] = (operand.front() - '0') * target.value;
    else
      variables[target.name] *= variables[operand] * target.weight * x[2];
  }
  return variables["a"] * double(target.name.size());
}

inline double read_by_lines(const double *x, int /*n*/) {
  std::vector<Named> items;
  std::istringstream text("line one\nand another line that is longer\n\nx;y;some more text;");
  Named item{"start", x[0], x[2]};
  for (int i = 0; i < 3 && std::getline(text, item.name); ++i) {
    item.value *= x[1];
    items.push_back(item);
  }
  while (std::getline(text, item.name, ';')) {
    item.value += x[2];
    items.push_back(item);
  }
  return total(items) + double(item.name.size()) * item.value;
}

} // namespace

#define CHECK_CHANGED_STRINGS(suite)                                                                                   \
  PLUGIN_TEST(suite, AreAssigned) {                                                                                    \
    CHECK_FUNCTION(assigned, 0.31, 0.83, 0.57);                                                                        \
  }                                                                                                                    \
  PLUGIN_TEST(suite, AreAppendedTo) {                                                                                  \
    CHECK_FUNCTION(appended, 0.31, 0.83, 0.57);                                                                        \
  }                                                                                                                    \
  PLUGIN_TEST(suite, AreEdited) {                                                                                      \
    CHECK_FUNCTION(edited, 0.31, 0.83, 0.57);                                                                          \
  }                                                                                                                    \
  PLUGIN_TEST(suite, AreResized) {                                                                                     \
    CHECK_FUNCTION(resized, 0.31, 0.83, 0.57);                                                                         \
  }                                                                                                                    \
  PLUGIN_TEST(suite, AreExchanged) {                                                                                   \
    CHECK_FUNCTION(exchanged, 0.31, 0.83, 0.57);                                                                       \
  }                                                                                                                    \
  PLUGIN_TEST(suite, AreKeys) {                                                                                        \
    CHECK_FUNCTION(keyed, 0.31, 0.83, 0.57);                                                                           \
  }                                                                                                                    \
  PLUGIN_TEST(suite, AreReadByWords) {                                                                                 \
    CHECK_FUNCTION(read_by_words, 0.31, 0.83, 0.57);                                                                   \
  }                                                                                                                    \
  PLUGIN_TEST(suite, AreReadByLines) {                                                                                 \
    CHECK_FUNCTION(read_by_lines, 0.31, 0.83, 0.57);                                                                   \
  }
