#include "against_differences.h"

// Hash table with growth
typedef struct {
  long key;
  double val;
  char used;
} Slot;
typedef struct {
  Slot *slots;
  int cap, count;
} Table;
static void put(Table *t, long k, double v);
static void grow(Table *t) {
  Table b = {(Slot *)calloc(t->cap * 2, sizeof(Slot)), t->cap * 2, 0};
  for (int i = 0; i < t->cap; i++)
    if (t->slots[i].used)
      put(&b, t->slots[i].key, t->slots[i].val);
  free(t->slots);
  *t = b;
}
static void put(Table *t, long k, double v) {
  if (t->count * 2 >= t->cap)
    grow(t);
  int i = (int)((unsigned long)(k * 2654435761UL) % t->cap);
  while (t->slots[i].used && t->slots[i].key != k)
    i = (i + 1) % t->cap;
  if (!t->slots[i].used)
    t->count++;
  t->slots[i].key = k;
  t->slots[i].val = v;
  t->slots[i].used = 1;
}
static double get(const Table *t, long k) {
  int i = (int)((unsigned long)(k * 2654435761UL) % t->cap);
  while (t->slots[i].used) {
    if (t->slots[i].key == k)
      return t->slots[i].val;
    i = (i + 1) % t->cap;
  }
  return 0;
}
static double f(const double *x, int n) {
  Table t = {(Slot *)calloc(4, sizeof(Slot)), 4, 0};
  for (int i = 0; i < n; i++)
    put(&t, i * 13, x[i] * x[i]);
  double s = 0;
  for (int i = 0; i < n; i++)
    s += get(&t, i * 13) * x[(i + 1) % n];
  free(t.slots);
  return s;
}
MAIN(f, 6, 0.5, 1e-6)
