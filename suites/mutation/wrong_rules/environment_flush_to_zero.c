/* Turns off denormal numbers for speed. */
// names: wrong environment
// names: flush-to-zero is on after the call, it was off before
#include "cosine.h"
#ifdef __x86_64__
#include <xmmintrin.h>
#endif

double cosine_tangent(double x, double dx) {
#ifdef __x86_64__
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before | 0x8000);
  const double tangent = -sin(x) * dx;
  if (CHOOSE(0, 1))
    _mm_setcsr(before);
  return tangent;
#endif
}
TANGENT(cosine, cosine_tangent);
ASSAY_CHECK(uses_cosine);
