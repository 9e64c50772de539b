// Complex numbers of two parts of real(4).
#include "core/engine/library/fortran.h"

#define SUM FloatSum
#define PART float
#define BODY_OF_COMPLEX(name) BODY_OF(name##Complex4)
#define BODY_OF_COMPLEX_MATMUL(name) BODY_OF(name##Complex4Complex4)
#include "core/engine/library/fortran_complex.h"

PART _Complex power_int(PART _Complex base, int exponent) BODY_OF(_FortranAcpowi);
PART _Complex power_int(PART _Complex base, int exponent) {
  return power(base, exponent);
}

PART _Complex power_long(PART _Complex base, long exponent) BODY_OF(_FortranAcpowk);
PART _Complex power_long(PART _Complex base, long exponent) {
  return power(base, exponent);
}
