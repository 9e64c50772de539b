#include "against_differences.h"

// Tree built at run time, recursion with struct by value, node pool inside one malloc
typedef struct N {
  struct N *kid[2];
  double w[2];
  int leaf;
} N;
typedef struct {
  N *pool;
  int used;
} Pool;
typedef struct {
  double s;
  int depth;
} R;
static N *build(Pool *p, const double *x, int n, int lo, int hi) {
  N *t = &p->pool[p->used++];
  t->leaf = hi - lo <= 1;
  t->w[0] = x[lo % n];
  t->w[1] = x[(hi - 1) % n];
  t->kid[0] = t->kid[1] = 0;
  if (!t->leaf) {
    int m = (lo + hi) / 2;
    t->kid[0] = build(p, x, n, lo, m);
    t->kid[1] = build(p, x, n, m, hi);
  }
  return t;
}
static R walk(const N *t, double a) {
  R r = {t->w[0] * a + t->w[1], 1};
  if (t->leaf)
    return r;
  for (int k = 0; k < 2; k++) {
    R q = walk(t->kid[k], a * t->w[k]);
    r.s += q.s * 0.5;
    if (q.depth + 1 > r.depth)
      r.depth = q.depth + 1;
  }
  return r;
}
static double f(const double *x, int n) {
  Pool p = {(N *)malloc(64 * sizeof(N)), 0};
  N *root = build(&p, x, n, 0, 5);
  R r = walk(root, 1.1);
  free(p.pool);
  return r.s * r.depth;
}
MAIN(f, 5, 0.5, 1e-5)
