#pragma once
// Arrays as flang's run-time library takes them: a descriptor with an address, and an extent and a stride in bytes for
// each dimension (ISO_Fortran_binding.h).
#include "core/engine/library/node.h"

typedef unsigned long Size;
typedef long Index;

typedef struct Dimension {
  Index lower, extent, stride;
} Dimension;

typedef struct Descriptor {
  char *base;
  Size size; ///< Of an element, in bytes.
  int version;
  unsigned char rank;
  signed char type;
  unsigned char attribute, extra;
  Dimension dimensions[]; ///< As many as the rank says; behind them the type of derived types.
} Descriptor;

enum { most_dimensions = 15 };
enum { is_pointer_array = 1, is_allocatable = 2 };
enum { type_integer4 = 9, type_integer8 = 10, type_character = 40, type_derived = 42 };

/// Tells what there is no derivative of, and ends the program: what is unknown at compile time is never passed over.
__attribute__((noreturn, cold)) void stop_unsupported(const char *what) BODY_OF(assay_fortran_unsupported);

static inline Index elements_of(const Descriptor *array) {
  Index elements = 1;
  for (int dimension = 0; dimension < array->rank; ++dimension)
    elements *= array->dimensions[dimension].extent;
  return elements;
}

/// The element at a place in the order of memory, column after column.
static inline char *element(const Descriptor *array, Index place) {
  if (array->rank == 1)
    return array->base + place * array->dimensions[0].stride;
  char *address = array->base;
  for (int dimension = 0; dimension < array->rank; ++dimension) {
    const Index extent = array->dimensions[dimension].extent;
    address += place % extent * array->dimensions[dimension].stride;
    place /= extent;
  }
  return address;
}

static inline int is_contiguous(const Descriptor *array) {
  Index stride = (Index)array->size;
  for (int dimension = 0; dimension < array->rank; ++dimension) {
    if (array->dimensions[dimension].extent > 1 && array->dimensions[dimension].stride != stride)
      return 0;
    stride *= array->dimensions[dimension].extent;
  }
  return 1;
}

/// One that keeps its type; constant sizes are copied as numbers are.
static inline void copy_element(char *target, const char *source, Size size) {
  switch (size) {
  case 4:
    __builtin_memcpy(target, source, 4);
    break;
  case 8:
    __builtin_memcpy(target, source, 8);
    break;
  case 16:
    __builtin_memcpy(target, source, 16);
    break;
  default:
    __builtin_memcpy(target, source, size);
  }
}

/// Fresh memory for the extents that the descriptor has.
static inline void allocate(Descriptor *array) {
  Index bytes = (Index)array->size;
  for (int dimension = 0; dimension < array->rank; ++dimension) {
    array->dimensions[dimension].stride = bytes;
    bytes *= array->dimensions[dimension].extent;
  }
  array->base = __builtin_malloc(bytes > 0 ? (Size)bytes : 1);
}

/// The descriptor of a result that the caller releases.
static inline void begin_result(Descriptor *result, const Descriptor *like, int rank) {
  result->size = like->size;
  result->version = like->version;
  result->rank = (unsigned char)rank;
  result->type = like->type;
  result->attribute = is_allocatable;
}

static inline void set_extent(Descriptor *array, int dimension, Index extent) {
  array->dimensions[dimension].lower = 1;
  array->dimensions[dimension].extent = extent < 0 ? 0 : extent;
}

/// Bounds are made, not moved: words that are moved as they are may be addresses for all that the engine knows.
static inline void take_bounds(Descriptor *to, const Descriptor *from) {
  const Index least = -(1L << 62);
  for (int dimension = 0; dimension < from->rank; ++dimension) {
    const Index lower = from->dimensions[dimension].lower;
    set_extent(to, dimension, from->dimensions[dimension].extent);
    to->dimensions[dimension].lower = lower < least ? least : lower;
  }
}

static inline int is_true(const Descriptor *mask, Index place) {
  const char *value = element(mask, mask->rank == 0 ? 0 : place);
  switch (mask->size) {
  case 1:
    return *value != 0;
  case 2:
    return *(const short *)value != 0;
  case 4:
    return *(const int *)value != 0;
  default:
    return *(const long *)value != 0;
  }
}

/// A sum and what rounding has taken from it, in the precision of its numbers, as the library adds up.
#define SUM_OF(TYPE, NAME, function)                                                                                   \
  typedef struct NAME {                                                                                                \
    TYPE value, correction;                                                                                            \
  } NAME;                                                                                                              \
  static inline void function(NAME *sum, TYPE number) {                                                                \
    const TYPE next = number - sum->correction, before = sum->value;                                                   \
    sum->value += next;                                                                                                \
    sum->correction = (sum->value - before) - next;                                                                    \
  }
SUM_OF(float, FloatSum, add_float)
SUM_OF(double, Sum, add_double)
#define add(sum, number) _Generic((sum), FloatSum *: add_float, Sum *: add_double)(sum, number)
