// Structs and the numbers they describe in one block of memory, one behind the other: the nodes of a graph, of which
// each is computed by the function that a table has for its operation. The graph is built by a function that several
// others call, so that it sees neither where the block comes from nor what is computed with the numbers in it.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

extern int enzyme_dup;
void __enzyme_autodiff_tensors(void *, ...);

enum operation { NONE, ADD, PRODUCT, NORM, SCALE, VIEW, SUM };
typedef struct tensor {
  enum operation op;
  int n_dims;
  int64_t ne[4];
  size_t nb[4];
  struct tensor *src[2];
  void *data;
  char op_params[16];
} tensor;
typedef struct {
  size_t used;
  char *mem;
} arena;
typedef struct {
  int n_nodes;
  tensor *nodes[64];
} graph;
static void *take(arena *c, size_t n) {
  n = (n + 15) & ~(size_t)15;
  void *p = c->mem + c->used;
  c->used += n;
  return p;
}
static tensor *tensor_of(arena *c, int nd, const int64_t *ne, void *data) {
  size_t sz = sizeof(double);
  for (int i = 0; i < nd; i++)
    sz *= ne[i];
  tensor *t = take(c, sizeof(tensor) + (data ? 0 : sz));
  *t = (tensor){.op = NONE, .n_dims = nd, .ne = {1, 1, 1, 1}, .data = data ? data : (void *)(t + 1)};
  for (int i = 0; i < nd; i++)
    t->ne[i] = ne[i];
  t->nb[0] = sizeof(double);
  for (int i = 1; i < 4; i++)
    t->nb[i] = t->nb[i - 1] * t->ne[i - 1];
  return t;
}
static tensor *matrix(arena *c, int64_t a, int64_t b) {
  int64_t ne[2] = {a, b};
  return tensor_of(c, 2, ne, NULL);
}
static tensor *combined(arena *c, enum operation o, tensor *a, tensor *b) {
  tensor *r = tensor_of(c, a->n_dims, a->ne, NULL);
  r->op = o;
  r->src[0] = a;
  r->src[1] = b;
  return r;
}
static tensor *make_product(arena *c, tensor *a, tensor *b) {
  tensor *r = matrix(c, a->ne[1], b->ne[1]);
  r->op = PRODUCT;
  r->src[0] = a;
  r->src[1] = b;
  return r;
}
static tensor *changed(arena *c, enum operation o, tensor *a) {
  return combined(c, o, a, NULL);
}
static tensor *make_scale(arena *c, tensor *a, float s) {
  tensor *r = changed(c, SCALE, a);
  memcpy(r->op_params, &s, sizeof s);
  return r;
}
static tensor *make_view(arena *c, tensor *a, int64_t n0, int64_t n1, size_t off) {
  int64_t ne[2] = {n0, n1};
  tensor *r = tensor_of(c, 2, ne, (char *)a->data + off);
  r->op = VIEW;
  r->src[0] = a;
  r->nb[1] = a->nb[1];
  return r;
}
static tensor *make_sum(arena *c, tensor *a) {
  int64_t one = 1;
  tensor *r = tensor_of(c, 1, &one, NULL);
  r->op = SUM;
  r->src[0] = a;
  return r;
}
#define AT(t, i, j) (*(double *)((char *)(t)->data + (i) * (t)->nb[0] + (j) * (t)->nb[1]))
typedef void (*compute_t)(tensor *);
static void nothing(tensor *t) {
  (void)t;
}
static void add(tensor *t) {
  for (int64_t j = 0; j < t->ne[1]; j++)
    for (int64_t i = 0; i < t->ne[0]; i++)
      AT(t, i, j) = AT(t->src[0], i, j) + AT(t->src[1], i % t->src[1]->ne[0], j % t->src[1]->ne[1]);
}
static void vec_dot(int n, double *s, const double *x, size_t xs, const double *y, size_t ys) {
  double acc = 0;
  for (int i = 0; i < n; i++)
    acc += *(const double *)((const char *)x + i * xs) * *(const double *)((const char *)y + i * ys);
  *s = acc;
}
static void product(tensor *t) {
  tensor *a = t->src[0], *b = t->src[1];
  for (int64_t j = 0; j < t->ne[1]; j++)
    for (int64_t i = 0; i < t->ne[0]; i++)
      vec_dot(a->ne[0], &AT(t, i, j), &AT(a, 0, i), a->nb[0], &AT(b, 0, j), b->nb[0]);
}
static void norm(tensor *t) {
  for (int64_t j = 0; j < t->ne[1]; j++) {
    double m = 0, v = 0;
    int n = t->ne[0];
    for (int i = 0; i < n; i++)
      m += AT(t->src[0], i, j);
    m /= n;
    for (int i = 0; i < n; i++) {
      double d = AT(t->src[0], i, j) - m;
      AT(t, i, j) = d;
      v += d * d;
    }
    double s = 1 / sqrt(v / n + 1e-5);
    for (int i = 0; i < n; i++)
      AT(t, i, j) *= s;
  }
}
static void sum(tensor *t) {
  double s = 0;
  tensor *a = t->src[0];
  for (int64_t j = 0; j < a->ne[1]; j++)
    for (int64_t i = 0; i < a->ne[0]; i++)
      s += AT(a, i, j);
  *(double *)t->data = s;
}
static void scale(tensor *t) {
  float s;
  memcpy(&s, t->op_params, sizeof s);
  for (int64_t j = 0; j < t->ne[1]; j++)
    for (int64_t i = 0; i < t->ne[0]; i++)
      AT(t, i, j) = AT(t->src[0], i, j) * s;
}
static const compute_t table[] = {nothing, add, product, norm, scale, nothing, sum};
static void visit(graph *g, tensor *t) {
  for (int i = 0; i < g->n_nodes; i++)
    if (g->nodes[i] == t)
      return;
  for (int i = 0; i < 2; i++)
    if (t->src[i])
      visit(g, t->src[i]);
  g->nodes[g->n_nodes++] = t;
}
static void compute(graph *g) {
  for (int i = 0; i < g->n_nodes; i++)
    table[g->nodes[i]->op](g->nodes[i]);
}
__attribute__((noinline)) static tensor *build(arena *c, double *x, double *w) {
  tensor *X = matrix(c, 4, 3), *Wq = matrix(c, 4, 4), *Wk = matrix(c, 4, 4);
  memcpy(X->data, x, 12 * 8);
  memcpy(Wq->data, w, 16 * 8);
  memcpy(Wk->data, w + 16, 16 * 8);
  tensor *n = changed(c, NORM, X);
  tensor *q = make_product(c, Wq, n), *k = make_product(c, Wk, n);
  tensor *acc = NULL;
  for (int h = 0; h < 2; h++) {
    tensor *qh = make_view(c, q, 2, 3, h * 16), *kh = make_view(c, k, 2, 3, h * 16);
    tensor *kq = make_scale(c, make_product(c, kh, qh), 0.70710678f);
    tensor *o = kq;
    acc = acc ? combined(c, ADD, acc, o) : o;
  }
  return make_sum(c, acc);
}
double c_tensors_in_a_block(double *x) {
  arena c = {.mem = malloc(1 << 14)};
  graph g = {0};
  tensor *last = build(&c, x, x + 12);
  visit(&g, last);
  compute(&g);
  const double result = *(double *)last->data;
  free(c.mem);
  return result;
}
static char buffer[1 << 14] __attribute__((aligned(16)));
double c_tensors_in_a_buffer(double *x) {
  arena c = {.mem = buffer};
  graph g = {0};
  tensor *last = build(&c, x, x + 12);
  visit(&g, last);
  compute(&g);
  return *(double *)last->data;
}
void c_tensors_in_a_block_gradient(double *x, double *dx) {
  __enzyme_autodiff_tensors((void *)c_tensors_in_a_block, enzyme_dup, x, dx);
}
void c_tensors_in_a_buffer_gradient(double *x, double *dx) {
  __enzyme_autodiff_tensors((void *)c_tensors_in_a_buffer, enzyme_dup, x, dx);
}
