// Fields that are declared as integers, in which the caller keeps the bits of floats, and which the function only
// copies: what the caller does with them tells what they are.
#include "support/convention.hpp"
#include "support/plugin_test.hpp"
#include "support/vector_program.hpp"
#include <bit>
#include <cstdint>
#include <vector>

namespace kept_bits {

std::uint64_t bits_of(double number) {
  return std::bit_cast<std::uint64_t>(number);
}
double number_of(std::uint64_t bits) {
  return std::bit_cast<double>(bits);
}

/// Not known when compiling.
double some_number(int index) {
  volatile double base = 0.7;
  return base + 0.3 * index;
}

struct Box {
  std::uint64_t bits;
  int kind;
};

void move_fields(Box *out, const Box *in, int n) {
  for (int i = 0; i < n; ++i) {
    out[i].bits = in[n - 1 - i].bits;
    out[i].kind = in[i].kind;
  }
}

/// First with integers, then with numbers.
void reverse_fields(Box *out, const Box *in, int n) {
  for (int i = 0; i < n; ++i)
    out[i].bits = in[n - 1 - i].bits;
}

void move_structs(Box *out, const Box *in, int n) {
  for (int i = 0; i < n; ++i)
    out[i] = in[n - 1 - i];
}

void move_in_vectors(std::vector<Box> &out, const std::vector<Box> &in) {
  for (std::size_t i = 0; i < in.size(); ++i)
    out[i].bits = in[in.size() - 1 - i].bits;
}

/// Compares the bits as well.
int keep_others_than_zero(Box *out, const Box *in, int n) {
  int kept = 0;
  for (int i = 0; i < n; ++i)
    if (in[i].bits != 0)
      out[kept++].bits = in[i].bits;
  return kept;
}

struct Cell {
  std::int64_t bits;
  Cell *next;
};

void rotate_list(Cell *first) {
  const std::int64_t bits = first->bits;
  Cell *cell = first;
  for (; cell->next; cell = cell->next)
    cell->bits = cell->next->bits;
  cell->bits = bits;
}

struct Halves {
  std::uint32_t low, high;
};

void swap_halves(Halves *out, const Halves *in, int n) {
  for (int i = 0; i < n; ++i) {
    out[i].low = in[i].high;
    out[i].high = in[i].low;
  }
}

struct Tagged {
  std::int64_t word;
  bool is_number;
};

/// Some words are numbers and some are not.
void shift_tagged(Tagged *values, int n) {
  const Tagged first = values[0];
  for (int i = 1; i < n; ++i)
    values[i - 1] = values[i];
  values[n - 1] = first;
}

constexpr int n = 3;

struct Boxes {
  Box in[n] = {}, out[n] = {}, in_shadow[n] = {}, out_shadow[n] = {};
  Boxes() {
    for (int i = 0; i < n; ++i) {
      in[i] = {bits_of(some_number(i)), i};
      out_shadow[i].bits = bits_of(some_number(i) + 5);
    }
  }
};

} // namespace kept_bits

using namespace kept_bits;

PLUGIN_TEST(KeptBits, of_fields) {
  Boxes boxes;
  __enzyme_autodiff<void>((void *)move_fields, enzyme_dup, boxes.out, boxes.out_shadow, enzyme_dup, boxes.in,
                          boxes.in_shadow, enzyme_const, n);
  for (int i = 0; i < n; ++i)
    EXPECT_SAME(number_of(boxes.in_shadow[i].bits), some_number(n - 1 - i) + 5);
}

PLUGIN_TEST(KeptBits, of_fields_in_forward_mode) {
  Boxes boxes;
  for (int i = 0; i < n; ++i)
    boxes.in_shadow[i].bits = bits_of(some_number(i) + 2);
  __enzyme_fwddiff<void>((void *)move_fields, enzyme_dup, boxes.out, boxes.out_shadow, enzyme_dup, boxes.in,
                         boxes.in_shadow, enzyme_const, n);
  for (int i = 0; i < n; ++i)
    EXPECT_SAME(number_of(boxes.out_shadow[i].bits), some_number(n - 1 - i) + 2);
}

PLUGIN_TEST(KeptBits, of_fields_that_hold_integers_elsewhere) {
  Box integers[n] = {{1, 2}, {3, 4}, {5, 6}}, reversed[n] = {}, no_shadow[n] = {}, nor_here[n] = {};
  __enzyme_autodiff<void>((void *)reverse_fields, enzyme_dup, reversed, no_shadow, enzyme_dup, integers, nor_here,
                          enzyme_const, n);
  EXPECT_HOLDS(reversed[0].bits == 5);
  Boxes boxes;
  __enzyme_autodiff<void>((void *)reverse_fields, enzyme_dup, boxes.out, boxes.out_shadow, enzyme_dup, boxes.in,
                          boxes.in_shadow, enzyme_const, n);
  for (int i = 0; i < n; ++i)
    EXPECT_SAME(number_of(boxes.in_shadow[i].bits), some_number(n - 1 - i) + 5);
}

namespace {

/// Integers in one function, numbers in another, moved by the same loop.
void fill_and_move(Box *out, const double *x, bool are_numbers) {
  Box in[n];
  for (int i = 0; i < n; ++i)
    in[i] = {are_numbers ? bits_of(x[i] * x[i]) : std::uint64_t(i) + 1, i};
  move_fields(out, in, n);
}
double factors_in_fields(const double *x, int) {
  Box out[n];
  fill_and_move(out, x, false);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x[i] * x[i] * double(out[i].bits);
  return sum;
}
double numbers_in_fields(const double *x, int) {
  Box out[n];
  fill_and_move(out, x, true);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += (i + 1) * number_of(out[i].bits);
  return sum;
}

} // namespace

PLUGIN_TEST(KeptBits, of_one_function_and_integers_of_another) {
  CHECK_FUNCTION(factors_in_fields, 0.3, 0.7, 1.1);
  CHECK_FUNCTION(numbers_in_fields, 0.3, 0.7, 1.1);
}

PLUGIN_TEST(KeptBits, of_whole_structs) {
  Boxes boxes;
  __enzyme_autodiff<void>((void *)move_structs, enzyme_dup, boxes.out, boxes.out_shadow, enzyme_dup, boxes.in,
                          boxes.in_shadow, enzyme_const, n);
  for (int i = 0; i < n; ++i)
    EXPECT_SAME(number_of(boxes.in_shadow[i].bits), some_number(n - 1 - i) + 5);
}

PLUGIN_TEST(KeptBits, behind_vectors) {
  std::vector<Box> in(n), out(n), in_shadow(n), out_shadow(n);
  for (int i = 0; i < n; ++i) {
    in[i].bits = bits_of(some_number(i));
    out_shadow[i].bits = bits_of(some_number(i) + 5);
  }
  __enzyme_autodiff<void>((void *)move_in_vectors, enzyme_dup, &out, &out_shadow, enzyme_dup, &in, &in_shadow);
  for (int i = 0; i < n; ++i)
    EXPECT_SAME(number_of(in_shadow[i].bits), some_number(n - 1 - i) + 5);
}

PLUGIN_TEST(KeptBits, that_are_compared_as_integers) {
  Boxes boxes;
  boxes.in[1].bits = 0;
  __enzyme_autodiff<void>((void *)keep_others_than_zero, enzyme_dup, boxes.out, boxes.out_shadow, enzyme_dup, boxes.in,
                          boxes.in_shadow, enzyme_const, n);
  EXPECT_SAME(number_of(boxes.in_shadow[0].bits), some_number(0) + 5);
  EXPECT_SAME(number_of(boxes.in_shadow[2].bits), some_number(1) + 5);
}

PLUGIN_TEST(KeptBits, beside_pointers) {
  Cell cells[n], shadows[n];
  for (int i = 0; i < n; ++i) {
    cells[i] = {std::bit_cast<std::int64_t>(some_number(i)), i + 1 < n ? &cells[i + 1] : nullptr};
    shadows[i] = {std::bit_cast<std::int64_t>(some_number(i) + 5), i + 1 < n ? &shadows[i + 1] : nullptr};
  }
  __enzyme_autodiff<void>((void *)rotate_list, enzyme_dup, cells, shadows);
  for (int i = 0; i < n; ++i)
    EXPECT_SAME(std::bit_cast<double>(shadows[(i + 1) % n].bits), some_number(i) + 5);
}

PLUGIN_TEST(KeptBits, of_floats_in_half_words) {
  Halves in[n], out[n], in_shadow[n] = {}, out_shadow[n];
  for (int i = 0; i < n; ++i) {
    in[i] = {std::bit_cast<std::uint32_t>(float(some_number(i))), std::bit_cast<std::uint32_t>(2.0F)};
    out_shadow[i] = {std::bit_cast<std::uint32_t>(float(some_number(i))),
                     std::bit_cast<std::uint32_t>(float(some_number(i) + 5))};
  }
  __enzyme_autodiff<void>((void *)swap_halves, enzyme_dup, out, out_shadow, enzyme_dup, in, in_shadow, enzyme_const, n);
  for (int i = 0; i < n; ++i) {
    EXPECT_SAME(std::bit_cast<float>(in_shadow[i].high), float(some_number(i)));
    EXPECT_SAME(std::bit_cast<float>(in_shadow[i].low), float(some_number(i) + 5));
  }
}

PLUGIN_TEST(KeptBits, of_some_and_integers_in_others) {
  constexpr std::int64_t count = 77;
  Tagged values[n], shadows[n] = {};
  for (int i = 0; i < n; ++i) {
    const bool is_number = i != 1;
    values[i] = {is_number ? std::bit_cast<std::int64_t>(some_number(i)) : count, is_number};
    shadows[i].word = i == 0 ? 0 : std::bit_cast<std::int64_t>(some_number(i) + 5);
  }
  __enzyme_autodiff<void>((void *)shift_tagged, enzyme_dup, values, shadows, enzyme_const, n);
  EXPECT_HOLDS(values[0].word == count);
  EXPECT_SAME(std::bit_cast<double>(shadows[0].word), some_number(2) + 5);
  EXPECT_SAME(std::bit_cast<double>(shadows[2].word), some_number(1) + 5);
}
