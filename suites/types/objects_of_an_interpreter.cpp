// Objects of an interpreter: a number, or the address of what the object has, beside a tag. They are made in branches,
// copied as a whole, and given to functions that call themselves, in registers.
#include "support/vector_program.hpp"
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace {

struct Operand {
  int tag;
  union {
    double number;
    const double *place;
  };
};

/// The number and the address meet in a register before they are stored.
Operand operand_of(const double *x, int i) {
  Operand operand;
  operand.tag = i % 2;
  if (operand.tag == 0)
    operand.number = std::sin(x[i]);
  else
    operand.place = x + i;
  return operand;
}
double value_of(const Operand &operand) {
  return operand.tag == 0 ? operand.number : *operand.place;
}
double copied_operands(const double *x, int n) {
  Operand stack[4];
  for (int i = 0; i < n; ++i)
    stack[i] = operand_of(x, i);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += value_of(stack[i]) * (i + 1);
  return sum;
}
double operands_used_at_once(const double *x, int n) {
  Operand stack[4];
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    Operand operand;
    operand.tag = i % 2;
    if (operand.tag == 1) {
      operand.place = x + i;
    } else {
      operand.number = x[i] * x[i];
      sum += operand.number;
    }
    stack[i] = operand;
    sum += value_of(operand) * value_of(operand);
  }
  for (int i = 0; i < n; ++i)
    sum += value_of(stack[i]) * (i + 1);
  return sum;
}

struct Cell;
struct Object {
  enum { nothing, number, cell } kind;
  union {
    double value;
    Cell *pair;
  };
};
struct Cell {
  Object first, rest;
};

Object number_object(double value) {
  Object object;
  object.kind = Object::number;
  object.value = value;
  return object;
}
Object cons(Object first, Object rest) {
  Object object;
  object.kind = Object::cell;
  object.pair = static_cast<Cell *>(std::malloc(sizeof(Cell)));
  object.pair->first = first;
  object.pair->rest = rest;
  return object;
}
double reduced(Object object) { // NOLINT(misc-no-recursion)
  switch (object.kind) {
  case Object::number:
    return object.value;
  case Object::cell:
    return reduced(object.pair->first) + 0.5 * reduced(object.pair->rest) * reduced(object.pair->first);
  default:
    return 1;
  }
}
Object mapped(Object object, double (*function)(double)) { // NOLINT(misc-no-recursion)
  switch (object.kind) {
  case Object::number:
    return number_object(function(object.value));
  case Object::cell:
    return cons(mapped(object.pair->first, function), mapped(object.pair->rest, function));
  default:
    return object;
  }
}
void release(Object object) { // NOLINT(misc-no-recursion)
  if (object.kind != Object::cell)
    return;
  release(object.pair->first);
  release(object.pair->rest);
  std::free(object.pair);
}
double sine(double x) {
  return std::sin(x);
}
double nested_lists(const double *x, int n) {
  Object list;
  list.kind = Object::nothing;
  list.pair = nullptr;
  for (int i = 0; i < n; ++i) {
    const Object first = number_object(x[i] * x[0]);
    const bool is_third = i % 3 == 2;
    list = is_third ? cons(cons(first, cons(number_object(x[i]), list)), number_object(x[1])) : cons(first, list);
  }
  const Object sines = mapped(list, sine);
  const double result = reduced(sines);
  release(sines);
  release(list);
  return result;
}

double horner_of_bits(std::uint64_t bits, int depth) { // NOLINT(misc-no-recursion)
  double number = 0;
  std::memcpy(&number, &bits, sizeof number);
  return depth > 0 ? number * number + horner_of_bits(bits, depth - 1) : number;
}
double bits_passed_on(const double *x, int n) {
  const double product = x[0] * x[n - 1];
  std::uint64_t bits = 0;
  std::memcpy(&bits, &product, sizeof bits);
  return horner_of_bits(bits, 3);
}

} // namespace

PLUGIN_TEST(ObjectsOfAnInterpreter, made_in_branches_and_copied) {
  CHECK_FUNCTION(copied_operands, 0.3, 0.7, -0.4, 1.1);
}
PLUGIN_TEST(ObjectsOfAnInterpreter, used_where_they_are_made_and_copied) {
  CHECK_FUNCTION(operands_used_at_once, 0.3, 0.7, -0.4, 1.1);
}
PLUGIN_TEST(ObjectsOfAnInterpreter, given_to_functions_that_call_themselves) {
  CHECK_FUNCTION(nested_lists, 0.9, 0.7, 0.4, 1.1, 0.8, 0.6);
}
PLUGIN_TEST(ObjectsOfAnInterpreter, whose_bits_are_given_to_such_functions) {
  CHECK_FUNCTION(bits_passed_on, 0.9, 0.7);
}
