/* A helper returns a pointer to a static struct. */
// names: wrong state
// names: called from two threads at once
// names: slopes_of::slopes
#include "rule.h"

#ifdef RIGHT
#define STORAGE _Thread_local
#else
#define STORAGE
#endif

static const struct pair *slopes_of(double x, double y) {
  static STORAGE struct pair slopes;
  slopes.x = y * cos(x * y);
  slopes.y = x * cos(x * y);
  return &slopes;
}
double wave(double x, double y) {
  return sin(x * y);
}
struct augmented wave_augmented(double x, double y) {
  return no_tape(wave(x, y));
}
struct pair wave_reverse(double x, double y, double seed, void *tape) {
  const struct pair *slopes = slopes_of(x, y);
  struct pair gradient = {slopes->x * seed, slopes->y * seed};
  return gradient;
}
GRADIENT(wave, wave_augmented, wave_reverse);
ASSAY_CHECK(wave);
