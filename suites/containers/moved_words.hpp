#pragma once
// Second derivatives where a gradient moves words that may be numbers or addresses: the tangents of both move along,
// those of numbers also where the adjoint itself is zero. In programs that compute with floats as well, a word may be
// two of them: the tests are compiled for both.
#include "support/second_order.hpp"
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

namespace {

/// The vectors grow, and move the addresses of numbers, in nodes that keep numbers of the tree as well.
inline double owned_in_growing_vectors(const double *x, int n) {
  std::map<int, std::vector<std::unique_ptr<double>>> groups;
  for (int i = 0; i < 6; ++i)
    groups[i % 2].push_back(std::make_unique<double>(x[i % n] * i));
  double sum = 0;
  for (const auto &[index, group] : groups)
    for (std::size_t i = 0; i < group.size(); ++i)
      sum += *group[i] * *group[i] * double(i + 1);
  return sum;
}

struct Entry {
  std::string name;
  std::function<double(double)> function;
};

inline double functions_in_a_vector(const double *x, int) {
  std::vector<Entry> entries(2);
  const double a = x[0], b = x[1], c = x[2];
  entries[0] = {"name", [a](double y) { return a * y * a; }};
  entries[1] = {"a name that is kept on the heap", [a, b, c](double y) { return a * y + b * c; }};
  return entries[0].function(x[2]) + entries[1].function(x[3]);
}

inline double functions_in_a_map(const double *x, int) {
  std::map<int, std::function<double(double)>> functions;
  const double a = x[0], b = x[1], c = x[2];
  functions[1] = [a, b](double y) { return a * y + b * a; };
  functions[2] = [a, b, c](double y) { return a * y + b * c; };
  return functions[1](x[2]) + functions[2](x[3]);
}

struct Configuration {
  double weight;
  std::function<double(double)> function;
  std::string name;
};

inline double from_an_initialiser_list(const double *x, int) {
  const std::vector<Configuration> all{{2., [x](double y) { return y * x[1]; }, "first"},
                                       {x[2], [x](double y) { return y * x[3]; }, "second"}};
  double sum = 0;
  for (const Configuration &one : all)
    sum += one.weight * one.function(x[0]);
  return sum;
}

using Shape = std::variant<double, std::vector<double>>;

inline double area(const Shape &shape) {
  if (const double *radius = std::get_if<double>(&shape))
    return *radius * *radius;
  double sum = 0;
  for (double side : std::get<std::vector<double>>(shape))
    sum += side * side * side;
  return sum;
}

inline Shape scaled(Shape shape, double factor) {
  if (double *radius = std::get_if<double>(&shape))
    *radius *= factor;
  else
    for (double &side : std::get<std::vector<double>>(shape))
      side *= factor;
  return shape;
}

inline double copied_shapes(const double *x, int) {
  std::vector<Shape> shapes{x[0], std::vector<double>{x[1], x[2]}, x[3]};
  double sum = 0;
  for (const Shape &shape : shapes)
    sum += area(scaled(shape, x[2]));
  shapes[2] = shapes[1];
  shapes.push_back(scaled(shapes[0], x[1]));
  for (const Shape &shape : shapes)
    sum += area(shape);
  return sum;
}

inline double numbers_in_a_tree(const double *x, int n) {
  std::map<int, double> numbers;
  for (int i = 0; i < n; ++i)
    numbers[i] += x[i] * x[(i + 1) % n];
  double sum = 0;
  for (const auto &[key, number] : numbers)
    sum += number * number * number;
  return sum;
}

inline double rows_in_a_table(const double *x, int n) {
  std::unordered_map<int, std::vector<double>> rows;
  for (int i = 0; i < 2 * n; ++i)
    rows[i % 3].push_back(x[i % n] * x[(i + 1) % n]);
  double sum = 0;
  for (const auto &[key, row] : rows)
    sum += row.front() * row.back() * (key + 1);
  return sum;
}

/// Behind the numbers are an index and an address.
struct Machine {
  double stack[4];
  int size;
  const int *next;
};

/// Multiplies, adds, copies and keeps numbers, as the codes say.
inline double on_a_stack(const double *x, int) {
  enum { keep, copy, multiply, add, stop };
  static const int codes[] = {keep, 0, copy, multiply, keep, 1, multiply, copy,
                              keep, 2, add,  multiply, keep, 3, add,      stop};
  Machine machine{{}, 0, codes};
  double *top = machine.stack;
  while (*machine.next != stop) {
    switch (*machine.next++) {
    case keep:
      machine.stack[machine.size++] = x[*machine.next++];
      break;
    case copy:
      machine.stack[machine.size] = machine.stack[machine.size - 1];
      ++machine.size;
      break;
    case multiply:
      --machine.size;
      machine.stack[machine.size - 1] *= machine.stack[machine.size];
      break;
    default:
      --machine.size;
      machine.stack[machine.size - 1] += machine.stack[machine.size];
    }
  }
  return *top;
}

} // namespace

/// Forward and reverse mode over reverse mode.
#define CHECK_BOTH_OVER_REVERSE(program, ...)                                                                          \
  CHECK_SECOND_ORDER(program, __VA_ARGS__);                                                                            \
  CHECK_REVERSE_OVER_REVERSE(program, __VA_ARGS__)

#define CHECK_MOVED_WORDS(Suite)                                                                                       \
  PLUGIN_TEST(Suite, owned_in_growing_vectors) {                                                                       \
    CHECK_BOTH_OVER_REVERSE(owned_in_growing_vectors, 0.31, 0.93, 0.52, 1.57);                                         \
  }                                                                                                                    \
  PLUGIN_TEST(Suite, functions_in_a_vector) {                                                                          \
    CHECK_BOTH_OVER_REVERSE(functions_in_a_vector, 0.3, 0.7, 1.1, 0.4);                                                \
  }                                                                                                                    \
  PLUGIN_TEST(Suite, functions_in_a_map) {                                                                             \
    CHECK_SECOND_ORDER(functions_in_a_map, 0.3, 0.7, 1.1, 0.4);                                                        \
  }                                                                                                                    \
  PLUGIN_TEST(Suite, from_an_initialiser_list) {                                                                       \
    CHECK_BOTH_OVER_REVERSE(from_an_initialiser_list, 0.3, 0.7, 1.1, 0.4);                                             \
  }                                                                                                                    \
  PLUGIN_TEST(Suite, copied_shapes) {                                                                                  \
    CHECK_BOTH_OVER_REVERSE(copied_shapes, 0.3, 0.7, 1.1, 0.4);                                                        \
  }                                                                                                                    \
  PLUGIN_TEST(Suite, of_shapes_whose_adjoint_is_zero) {                                                                \
    CHECK_BOTH_OVER_REVERSE(copied_shapes, 0.0, 0.7, 1.1, 0.0);                                                        \
  }                                                                                                                    \
  PLUGIN_TEST(Suite, numbers_in_a_tree) {                                                                              \
    CHECK_BOTH_OVER_REVERSE(numbers_in_a_tree, 0.31, 0.93, 0.52, 1.57);                                                \
  }                                                                                                                    \
  PLUGIN_TEST(Suite, rows_in_a_table) {                                                                                \
    CHECK_BOTH_OVER_REVERSE(rows_in_a_table, 0.31, 0.93, 0.52, 1.57);                                                  \
  }                                                                                                                    \
  PLUGIN_TEST(Suite, on_a_stack) {                                                                                     \
    CHECK_BOTH_OVER_REVERSE(on_a_stack, 0.3, 0.7, 1.1, 0.4);                                                           \
  }
