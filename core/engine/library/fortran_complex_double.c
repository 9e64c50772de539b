// Complex numbers of two parts of real(8).
#include "core/engine/library/fortran.h"

#define SUM Sum
#define PART double
#define BODY_OF_COMPLEX(name) BODY_OF(name##Complex8)
#define BODY_OF_COMPLEX_MATMUL(name) BODY_OF(name##Complex8Complex8)
#include "core/engine/library/fortran_complex.h"

PART _Complex power_int(PART _Complex base, int exponent) BODY_OF(_FortranAzpowi);
PART _Complex power_int(PART _Complex base, int exponent) {
  return power(base, exponent);
}

PART _Complex power_long(PART _Complex base, long exponent) BODY_OF(_FortranAzpowk);
PART _Complex power_long(PART _Complex base, long exponent) {
  return power(base, exponent);
}
