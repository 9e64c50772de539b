// Reductions of real(8).
#include "core/engine/library/fortran.h"

#define SUM Sum
#define NUMBER double
#define NAME Real8
#define LARGEST __DBL_MAX__
#include "core/engine/library/fortran_reductions.h"

NUMBER norm(const Descriptor *array, const char *file, int line, int dimension) BODY_OF(_FortranANorm2_8);
NUMBER norm(const Descriptor *array, const char *file, int line, int dimension) {
  (void)file, (void)line, (void)dimension;
  return norm_of(array);
}
