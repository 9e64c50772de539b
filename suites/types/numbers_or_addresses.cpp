// Tagged unions of a number and an address, in arrays: the compiler loads the word once, as an integer, and casts it in
// the branches.
#include "support/vector_program.hpp"
#include <cstdint>

namespace {

enum class Tag : std::uint8_t { number, integer, address };
struct Value {
  Tag tag;
  union {
    double number;
    long integer;
    const double *address;
  };
};

double read(Value value) {
  switch (value.tag) {
  case Tag::number:
    return value.number;
  case Tag::integer:
    return double(value.integer);
  case Tag::address:
    return value.address[0];
  }
  return 0;
}

/// The number's derivative was lost.
double numbers_among_addresses(const double *x, int n) {
  Value values[4];
  values[0] = {Tag::number, {.number = x[0]}};
  values[1] = {Tag::integer, {.integer = 3}};
  values[2] = {Tag::address, {.address = x + 1}};
  values[3] = {Tag::number, {.number = x[2] * x[0]}};
  double sum = 0;
  for (int i = 0; i < 4 * n; ++i) {
    const Value value = values[i % 4];
    sum += read(value) * read(values[(i + 1) % 4]);
  }
  return sum;
}

/// The memory changes between the load and the use.
double number_read_before_it_is_replaced(const double *x, int n) {
  Value values[2];
  values[0] = {Tag::number, {.number = x[0]}};
  values[1] = {Tag::address, {.address = x + 1}};
  double sum = 0;
  for (int i = 0; i < 2 * n; ++i) {
    const Value value = values[i % 2];
    values[0] = {Tag::number, {.number = x[2] * (i + 1)}};
    sum += read(value) * read(values[0]) * (i + 1);
  }
  return sum;
}

} // namespace

PLUGIN_TEST(NumbersOrAddresses, in_an_array) {
  CHECK_FUNCTION(numbers_among_addresses, 0.3, 0.7, -0.4);
}
PLUGIN_TEST(NumbersOrAddresses, read_before_the_memory_changes) {
  CHECK_FUNCTION(number_read_before_it_is_replaced, 0.3, 0.7, -0.4);
}
