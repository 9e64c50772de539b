#include "against_differences.h"

// Integers of all kinds beside floats; array of long copied; bit fields; enum
enum K { ADD, MUL, SQ };
typedef struct {
  enum K op : 4;
  unsigned idx : 12;
  short lag;
} Code;
typedef struct {
  Code c;
  float w;
  double v;
  long id;
} Ins;
__attribute__((noinline)) static double run(const Ins *p, int n, double x) {
  double a = x;
  for (int i = 0; i < n; i++)
    switch (p[i].c.op) {
    case ADD:
      a += p[i].v * p[i].w;
      break;
    case MUL:
      a *= p[i].v;
      break;
    case SQ:
      a = a * a + p[p[i].c.idx].v * p[i].c.lag;
      break;
    }
  return a;
}
static double f(const double *x, int n) {
  Ins prog[16];
  long ids[16], ids2[16];
  for (int i = 0; i < n; i++) {
    prog[i].c.op = (enum K)(i % 3);
    prog[i].c.idx = (unsigned)((i + 2) % n);
    prog[i].c.lag = (short)(i - 1);
    prog[i].w = 0.5f;
    prog[i].v = x[i];
    prog[i].id = ids[i] = 100 + i;
  }
  memcpy(ids2, ids, n * sizeof(long));
  Ins copy[16];
  memcpy(copy, prog, n * sizeof(Ins));
  long s = 0;
  for (int i = 0; i < n; i++)
    s += ids2[i] - copy[i].id;
  return run(copy, n, 0.3) + (double)s;
}
MAIN(f, 6, 0.5, 1e-5)
