#include "against_differences.h"

// Serialization through bytes
static double f(const double *x, int n) {
  unsigned char buf[512];
  size_t o = 0;
  for (int i = 0; i < n; i++) {
    int tag = i;
    memcpy(buf + o, &tag, sizeof tag);
    o += 8;
    double v = x[i] * x[i];
    memcpy(buf + o, &v, sizeof v);
    o += 8;
  }
  double s = 0;
  o = 0;
  for (int i = 0; i < n; i++) {
    int tag;
    double v;
    memcpy(&tag, buf + o, sizeof tag);
    o += 8;
    memcpy(&v, buf + o, sizeof v);
    o += 8;
    s += v * (tag + 1);
  }
  return s;
}
MAIN(f, 5, 0.5, 1e-6)
