// Reductions of real(4).
#include "core/engine/library/fortran.h"

#define SUM FloatSum
#define NUMBER float
#define NAME Real4
#define LARGEST __FLT_MAX__
#include "core/engine/library/fortran_reductions.h"

NUMBER norm(const Descriptor *array, const char *file, int line, int dimension) BODY_OF(_FortranANorm2_4);
NUMBER norm(const Descriptor *array, const char *file, int line, int dimension) {
  (void)file, (void)line, (void)dimension;
  return norm_of(array);
}
