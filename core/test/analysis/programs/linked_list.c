// A list is built from nodes on the heap, walked and freed.
#include "common.h"
double __enzyme_autodiff(void *, ...);
struct Node {
  double v;
  struct Node *next;
  int tag;
};
double f(double *x, int n) {
  struct Node *head = 0;
  for (int i = 0; i < n; i++) {
    struct Node *c = (struct Node *)malloc(sizeof *c);
    c->v = x[i] * x[i];
    c->next = head;
    c->tag = i;
    head = c;
  }
  double s = 0;
  int k = 0;
  for (struct Node *c = head; c; c = c->next) {
    s += c->v * (c->tag + 1);
    k++;
  }
  while (head) {
    struct Node *t = head->next;
    free(head);
    head = t;
  }
  return s;
}
int main() {
  double x[4] = {1, 2, 3, 4}, d[4] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, 4);
  int bad = 0;
  for (int i = 0; i < 4; i++)
    bad += check("d", d[i], 2 * x[i] * (i + 1));
  if (!bad)
    puts("OK");
  return bad;
}
