// What the arguments of BLAS say of a matrix, and where its elements are then.
#pragma once
#include <stdbool.h>

enum {
  row_major = 101,
  column_major = 102,
  no_transpose = 111,
  upper_triangle = 121,
  unit_diagonal = 132,
  left_side = 141
};

static inline int other(int transpose) {
  return transpose == no_transpose ? no_transpose + 1 : no_transpose;
}

// The options of Fortran as those of C.
static inline bool is_letter(const char *option, char letter) {
  return (*option | 0x20) == letter;
}
static inline int transpose_of(const char *option) {
  return is_letter(option, 'n') ? no_transpose : no_transpose + 1;
}
static inline int triangle_of(const char *option) {
  return is_letter(option, 'u') ? upper_triangle : upper_triangle + 1;
}
static inline int diagonal_of(const char *option) {
  return is_letter(option, 'u') ? unit_diagonal : unit_diagonal - 1;
}
static inline int side_of(const char *option) {
  return is_letter(option, 'l') ? left_side : left_side + 1;
}

static inline long down(int order, int transpose, long leading) {
  return (order == row_major) == (transpose == no_transpose) ? leading : 1;
}
static inline long right(int order, int transpose, long leading) {
  return (order == row_major) == (transpose == no_transpose) ? 1 : leading;
}

/// The triangle that op(A) has, as it is seen from above.
static inline bool is_upper(int triangle, int transpose) {
  return (triangle == upper_triangle) == (transpose == no_transpose);
}
