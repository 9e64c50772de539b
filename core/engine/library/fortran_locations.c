// Places of extrema along one dimension.
#include "core/engine/library/fortran_partial.h"

static inline void put_subscript(const Descriptor *result, Index place, Index subscript) {
  if (result->size == 8)
    ((long *)result->base)[place] = subscript;
  else
    ((int *)result->base)[place] = (int)subscript;
}

/// `sign` is 1 for the greatest, -1 for the least.
#define LOCATE_ALONG(TYPE)                                                                                             \
  for (Index outer = 0; outer < rows.outer; ++outer)                                                                   \
    for (Index inner = 0; inner < rows.inner; ++inner) {                                                               \
      TYPE extremum = 0;                                                                                               \
      Index found = 0;                                                                                                 \
      for (Index at = 0; at < rows.extent; ++at) {                                                                     \
        const Index place = (outer * rows.extent + at) * rows.inner + inner;                                           \
        if (mask && !is_true(mask, place))                                                                             \
          continue;                                                                                                    \
        const TYPE number = *(const TYPE *)element(array, place);                                                      \
        if (found == 0 || (sign > 0 ? number > extremum : number < extremum) || (back && number == extremum)) {        \
          extremum = number;                                                                                           \
          found = at + 1;                                                                                              \
        }                                                                                                              \
      }                                                                                                                \
      put_subscript(result, outer * rows.inner + inner, found);                                                        \
    }

static __attribute__((noinline)) void locate_along(Descriptor *result, const Descriptor *array, int kind, int dimension,
                                                   const Descriptor *mask, _Bool back, int sign) {
  const Rows rows = shaped_rows(result, array, dimension);
  result->size = (Size)kind;
  result->type = kind == 8 ? type_integer8 : type_integer4;
  allocate(result);
  if (array->type == type_double) {
    LOCATE_ALONG(double)
  } else if (array->type == type_float) {
    LOCATE_ALONG(float)
  } else if (array->type == type_integer4) {
    LOCATE_ALONG(int)
  } else if (array->type == type_integer8) {
    LOCATE_ALONG(long)
  } else {
    stop_unsupported("places of extrema of other numbers than integer(4), integer(8), real(4) and real(8)");
  }
}

#define LOCATIONS(function, name, sign)                                                                                \
  void function(Descriptor *result, const Descriptor *array, int kind, int dimension, const char *file, int line,      \
                const Descriptor *mask, _Bool back) BODY_OF(name);                                                     \
  void function(Descriptor *result, const Descriptor *array, int kind, int dimension, const char *file, int line,      \
                const Descriptor *mask, _Bool back) {                                                                  \
    (void)file, (void)line;                                                                                            \
    locate_along(result, array, kind, dimension, mask, back, sign);                                                    \
  }
LOCATIONS(maxloc_along, _FortranAMaxlocDim, 1)
LOCATIONS(minloc_along, _FortranAMinlocDim, -1)
