// Second derivatives of programs that forget types: std::any, lists of functions, the stack of a small machine whose
// slots are unions. Each in forward over reverse mode, against differences of the gradient, at every level.
#include "support/second_order.hpp"
#include <any>
#include <functional>
#include <list>
#include <vector>

namespace {

double in_an_any(const double *x, int n) {
  std::any sum = x[0] * x[0];
  for (int i = 0; i < n; ++i)
    sum = std::any_cast<double>(sum) * x[i] + std::sin(x[i]);
  const std::any copy = sum;
  sum.reset();
  return std::any_cast<double>(copy) * x[1];
}

struct Large {
  double a, b, c;
  int index;
};

double in_many_any(const double *x, int n) {
  std::vector<std::any> values;
  for (int i = 0; i < n; ++i)
    if (i % 2 == 0)
      values.emplace_back(Large{x[i], x[0] * x[i], 2, i});
    else
      values.emplace_back(x[i] * x[0]);
  double sum = 0;
  for (auto &value : values)
    if (const auto *number = std::any_cast<double>(&value)) {
      sum += *number * x[1];
    } else {
      const auto large = std::any_cast<Large>(value);
      sum += large.a * large.b * sum + large.c;
    }
  return sum;
}

double in_a_list_of_functions(const double *x, int n) {
  std::list<std::function<double(double)>> functions;
  for (int i = 0; i < n; ++i) {
    const double a = x[i], b = x[0] * a, c = b * b;
    functions.emplace_back([a, b, c](double y) { return a * y + b * y * y + c; });
  }
  functions.emplace_front([](double y) { return y * y; });
  double result = x[0];
  for (const auto &function : functions)
    result = function(result) * 0.5;
  functions.pop_front();
  functions.reverse();
  for (const auto &function : functions)
    result += function(result) * 0.25;
  return result;
}

union Slot {
  double number;
  int index;
};

enum class Operation { load, multiply, add_sine, push_index, multiply_indexed };
struct Instruction {
  Operation operation;
  int operand;
};

double by_a_machine(const double *x, int) {
  using enum Operation;
  const Instruction code[] = {{load, 0},     {load, 1},       {multiply, 0},         {load, 2},
                              {add_sine, 0}, {push_index, 2}, {multiply_indexed, 0}, {multiply, 0},
                              {load, 0},     {add_sine, 0}};
  Slot stack[16];
  int top = 0;
  for (const Instruction &instruction : code)
    switch (instruction.operation) {
    case load:
      stack[top++].number = x[instruction.operand];
      break;
    case multiply:
      stack[top - 2].number *= stack[top - 1].number;
      --top;
      break;
    case add_sine:
      stack[top - 2].number += std::sin(stack[top - 1].number);
      --top;
      break;
    case push_index:
      stack[top++].index = instruction.operand;
      break;
    case multiply_indexed:
      const int index = stack[top - 1].index;
      stack[top - 1].number = x[index] * stack[top - 2].number;
      break;
    }
  return stack[0].number * stack[0].number;
}

} // namespace

PLUGIN_TEST(SecondDerivativesOfErasedTypes, in_an_any) {
  CHECK_SECOND_ORDER(in_an_any, 0.7, 1.1, 0.4);
}
PLUGIN_TEST(SecondDerivativesOfErasedTypes, in_many_any) {
  CHECK_SECOND_ORDER(in_many_any, 0.7, 1.1, 0.4);
}
PLUGIN_TEST(SecondDerivativesOfErasedTypes, in_a_list_of_functions) {
  CHECK_SECOND_ORDER(in_a_list_of_functions, 0.7, 1.1, 0.4);
}
PLUGIN_TEST(SecondDerivativesOfErasedTypes, by_a_machine_whose_stack_has_unions) {
  CHECK_SECOND_ORDER(by_a_machine, 0.7, 1.1, 0.4);
}
