// Reductions along one dimension of an array, whose type its descriptor tells.
#include "core/engine/library/fortran.h"

enum { type_float = 27, type_double = 28 };

/// Elements before a step along the dimension, the steps, and what lies behind.
typedef struct Rows {
  Index inner, extent, outer;
} Rows;

/// The shape of the result as well.
static inline Rows shaped_rows(Descriptor *result, const Descriptor *array, int dimension) {
  Rows rows = {1, array->dimensions[dimension - 1].extent, 1};
  begin_result(result, array, array->rank - 1);
  for (int each = 0; each < array->rank; ++each)
    if (each != dimension - 1) {
      set_extent(result, each < dimension - 1 ? each : each - 1, array->dimensions[each].extent);
      if (each < dimension - 1)
        rows.inner *= array->dimensions[each].extent;
      else
        rows.outer *= array->dimensions[each].extent;
    }
  return rows;
}

static inline Rows rows_of(Descriptor *result, const Descriptor *array, int dimension) {
  const Rows rows = shaped_rows(result, array, dimension);
  allocate(result);
  return rows;
}

#define ALONG(TYPE, KEPT, FIRST, STEP, RESULT)                                                                         \
  for (Index outer = 0; outer < rows.outer; ++outer)                                                                   \
    for (Index inner = 0; inner < rows.inner; ++inner) {                                                               \
      KEPT value = FIRST;                                                                                              \
      for (Index at = 0; at < rows.extent; ++at) {                                                                     \
        const Index place = (outer * rows.extent + at) * rows.inner + inner;                                           \
        if (mask && !is_true(mask, place))                                                                             \
          continue;                                                                                                    \
        const TYPE number = *(const TYPE *)element(array, place);                                                      \
        STEP;                                                                                                          \
      }                                                                                                                \
      ((TYPE *)result->base)[outer * rows.inner + inner] = (TYPE)(RESULT);                                             \
    }

#define PARTIAL(function, name, KEPT_FLOAT, KEPT_DOUBLE, FIRST_FLOAT, FIRST_DOUBLE, STEP, RESULT)                      \
  void function(Descriptor *result, const Descriptor *array, int dimension, const char *file, int line,                \
                const Descriptor *mask) BODY_OF(name);                                                                 \
  void function(Descriptor *result, const Descriptor *array, int dimension, const char *file, int line,                \
                const Descriptor *mask) {                                                                              \
    (void)file, (void)line;                                                                                            \
    const Rows rows = rows_of(result, array, dimension);                                                               \
    if (array->type == type_double) {                                                                                  \
      ALONG(double, KEPT_DOUBLE, FIRST_DOUBLE, STEP, RESULT)                                                           \
    } else if (array->type == type_float) {                                                                            \
      ALONG(float, KEPT_FLOAT, FIRST_FLOAT, STEP, RESULT)                                                              \
    } else {                                                                                                           \
      stop_unsupported("a reduction along a dimension of numbers other than real(4) and real(8)");                     \
    }                                                                                                                  \
  }
