// Numbers, and the bounds of allocatables and pointers.
#include "core/engine/library/fortran.h"

#define REMAINDERS(TYPE, KIND, FMOD)                                                                                   \
  TYPE mod##KIND(TYPE number, TYPE divisor, const char *file, int line) BODY_OF(_FortranAModReal##KIND);               \
  TYPE mod##KIND(TYPE number, TYPE divisor, const char *file, int line) {                                              \
    (void)file, (void)line;                                                                                            \
    return FMOD(number, divisor);                                                                                      \
  }                                                                                                                    \
  TYPE modulo##KIND(TYPE number, TYPE divisor, const char *file, int line) BODY_OF(_FortranAModuloReal##KIND);         \
  TYPE modulo##KIND(TYPE number, TYPE divisor, const char *file, int line) {                                           \
    (void)file, (void)line;                                                                                            \
    const TYPE rest = FMOD(number, divisor);                                                                           \
    return rest != 0 && (rest < 0) != (divisor < 0) ? rest + divisor : rest;                                           \
  }
REMAINDERS(double, 8, __builtin_fmod)
REMAINDERS(float, 4, __builtin_fmodf)

double scale(double number, long exponent) BODY_OF(_FortranAScale8);
double scale(double number, long exponent) {
  const long most = 5000;
  return __builtin_ldexp(number, (int)(exponent > most ? most : exponent < -most ? -most : exponent));
}

void set_bounds(Descriptor *array, int dimension, long lower, long upper) BODY_OF(_FortranAAllocatableSetBounds);
void set_bounds(Descriptor *array, int dimension, long lower, long upper) {
  set_extent(array, dimension, upper - lower + 1);
  array->dimensions[dimension].lower = lower;
}

void set_pointer_bounds(Descriptor *array, int dimension, long lower, long upper) BODY_OF(_FortranAPointerSetBounds);
void set_pointer_bounds(Descriptor *array, int dimension, long lower, long upper) {
  set_extent(array, dimension, upper - lower + 1);
  array->dimensions[dimension].lower = lower;
}

_Bool is_associated(const Descriptor *pointer) BODY_OF(_FortranAPointerIsAssociated);
_Bool is_associated(const Descriptor *pointer) {
  return pointer->base != 0;
}
