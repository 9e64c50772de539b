// Sums, products, extrema and norms of arrays.
#include "core/engine/library/fortran_numbers.h"

#define REDUCTION(name)                                                                                                \
  NUMBER JOINED(name, NAME)(const Descriptor *array, const char *file, int line, int dimension,                        \
                            const Descriptor *mask) BODY_OF_REDUCTION(_FortranA##name);                                \
  NUMBER JOINED(name, NAME)(const Descriptor *array, const char *file, int line, int dimension, const Descriptor *mask)

REDUCTION(Sum) {
  (void)file, (void)line, (void)dimension;
  SUM sum = {0, 0};
  const Index elements = elements_of(array);
  for (Index place = 0; place < elements; ++place)
    if (!mask || is_true(mask, place))
      add(&sum, number_at(array, place));
  return (NUMBER)sum.value;
}

REDUCTION(Product) {
  (void)file, (void)line, (void)dimension;
  NUMBER product = 1;
  const Index elements = elements_of(array);
  for (Index place = 0; place < elements; ++place)
    if (!mask || is_true(mask, place))
      product *= number_at(array, place);
  return product;
}

REDUCTION(Maxval) {
  (void)file, (void)line, (void)dimension;
  NUMBER greatest = -LARGEST;
  const Index elements = elements_of(array);
  for (Index place = 0; place < elements; ++place)
    if ((!mask || is_true(mask, place)) && !(number_at(array, place) <= greatest))
      greatest = number_at(array, place);
  return greatest;
}

REDUCTION(Minval) {
  (void)file, (void)line, (void)dimension;
  NUMBER least = LARGEST;
  const Index elements = elements_of(array);
  for (Index place = 0; place < elements; ++place)
    if ((!mask || is_true(mask, place)) && !(number_at(array, place) >= least))
      least = number_at(array, place);
  return least;
}

/// The place of an extremum as an array of subscripts, or zeros; `sign` is 1 for the greatest, -1 for the least.
static inline void locate(Descriptor *result, const Descriptor *array, int kind, const Descriptor *mask, _Bool back,
                          NUMBER sign) {
  const Index elements = elements_of(array);
  Index found = -1;
  for (Index place = 0; place < elements; ++place) {
    if (mask && !is_true(mask, place))
      continue;
    const NUMBER number = sign * number_at(array, place);
    if (found < 0 || number > sign * number_at(array, found) || (back && number == sign * number_at(array, found)))
      found = place;
  }
  result->size = (Size)kind;
  result->version = array->version;
  result->rank = 1;
  result->type = kind == 8 ? type_integer8 : type_integer4;
  result->attribute = is_allocatable;
  set_extent(result, 0, array->rank);
  allocate(result);
  Index rest = found;
  for (int dimension = 0; dimension < array->rank; ++dimension) {
    const Index extent = array->dimensions[dimension].extent, subscript = found < 0 ? 0 : rest % extent + 1;
    if (kind == 8)
      ((long *)result->base)[dimension] = subscript;
    else
      ((int *)result->base)[dimension] = (int)subscript;
    rest = found < 0 ? 0 : rest / extent;
  }
}

#define LOCATION(name, sign)                                                                                           \
  void JOINED(name, NAME)(Descriptor * result, const Descriptor *array, int kind, const char *file, int line,          \
                          const Descriptor *mask, _Bool back) BODY_OF_REDUCTION(_FortranA##name);                      \
  void JOINED(name, NAME)(Descriptor * result, const Descriptor *array, int kind, const char *file, int line,          \
                          const Descriptor *mask, _Bool back) {                                                        \
    (void)file, (void)line;                                                                                            \
    locate(result, array, kind, mask, back, sign);                                                                     \
  }
LOCATION(Maxloc, 1)
LOCATION(Minloc, -1)

/// The greatest magnitude, and the sum of the other numbers' squares in units of its own, as the library has them.
static inline NUMBER norm_of(const Descriptor *array) {
  double greatest = 0, sum = 0;
  const Index elements = elements_of(array);
  for (Index place = 0; place < elements; ++place) {
    const double magnitude = __builtin_fabs((double)number_at(array, place));
    if (greatest == 0) {
      greatest = magnitude;
    } else if (magnitude > greatest) {
      const double ratio = greatest / magnitude, square = ratio * ratio;
      sum *= square;
      sum += square;
      greatest = magnitude;
    } else {
      const double ratio = magnitude / greatest;
      sum += ratio * ratio;
    }
  }
  return (NUMBER)(greatest * __builtin_sqrt(1 + sum));
}
