/* Programs in C as users of Enzyme's documentation write them. */
#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Defined here and not extern, as many programs do. */
int enzyme_dup;
int enzyme_out;
int enzyme_const;
extern int enzyme_dupnoneed, enzyme_width, enzyme_dupv, enzyme_primal_return, enzyme_allocated, enzyme_tape,
    enzyme_nofree, enzyme_const_return, enzyme_vector;

extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

/* 1: typed declarations, without a cast and without markers */
typedef struct {
  double dx, dy;
} Gradients;
extern Gradients __enzyme_autodiff_typed(double (*)(double, double), double, double);
static double norm2(double x, double y) {
  return sqrt(x * x + y * y);
}
Gradients c_gradients(double x, double y) {
  return __enzyme_autodiff_typed(norm2, x, y);
}

/* 2: a struct by value that is returned through memory, forward, with its primal */
typedef struct {
  double value[3];
  int count;
} Powers;
typedef struct {
  Powers primal, tangent;
} PowersPair;
extern PowersPair __enzyme_fwddiff_powers(void *, ...);
static Powers powers(double x) {
  Powers p = {{x, x * x, x * x * x}, 3};
  return p;
}
double c_struct_return(double x, double dx) {
  const PowersPair r = __enzyme_fwddiff_powers((void *)powers, enzyme_primal_return, enzyme_dup, x, dx);
  return r.tangent.value[2] + 100 * r.primal.value[1] + 10000 * r.primal.count;
}

/* 3: vector forward mode, shadows one by one and in one buffer */
typedef struct {
  double v[4];
} Four;
extern Four __enzyme_fwddiff_four(void *, ...);
extern void __enzyme_fwddiff_void(void *, ...);
static double weighted(const double *x, int64_t n) {
  double s = 0;
  for (int64_t i = 0; i < n; i++)
    s += (i + 1) * x[i] * x[i];
  return s;
}
static void square_all(const double *in, double *out, int n) {
  for (int i = 0; i < n; i++)
    out[i] = in[i] * in[i];
}
double c_vector_forward(const double *x) {
  double identity[4][4] = {{0}};
  for (int i = 0; i < 4; i++)
    identity[i][i] = 1;
  const Four one = __enzyme_fwddiff_four((void *)weighted, enzyme_width, 4, enzyme_dup, x, identity[0], identity[1],
                                         identity[2], identity[3], enzyme_const, (int64_t)4);
  const Four all = __enzyme_fwddiff_four((void *)weighted, enzyme_width, 4, enzyme_dupv, sizeof(double) * 4, x,
                                         identity, enzyme_const, (int64_t)4);
  double out[4], douts[4][4];
  __enzyme_fwddiff_void((void *)square_all, enzyme_width, 4, enzyme_dupv, 4 * sizeof(double), x, identity, enzyme_dupv,
                        4 * sizeof(double), out, douts, 4);
  double sum = 0;
  for (int i = 0; i < 4; i++)
    sum += one.v[i] - all.v[i] + all.v[i] * pow(10, i) + douts[i][i] * 1e-3;
  return sum;
}

/* 4: split mode with a tape of the caller's, read twice */
extern void *__enzyme_augmentfwd(void *, ...);
extern void __enzyme_reverse(void *, ...);
extern size_t __enzyme_augmentsize(void *, ...);
static void exponentials(double *x, int n) {
  for (int i = 0; i < n; i++)
    x[i] = exp(x[i]) * x[i];
}
void c_split(double *x, double *dx, int n, double *twice) {
  const size_t size = __enzyme_augmentsize((void *)exponentials, enzyme_dup, enzyme_const);
  void *tape = malloc(size);
  __enzyme_augmentfwd((void *)exponentials, enzyme_allocated, size, enzyme_tape, tape, enzyme_dup, x, dx, enzyme_const,
                      n);
  double saved[8];
  memcpy(saved, dx, n * sizeof *dx);
  __enzyme_reverse((void *)exponentials, enzyme_allocated, size, enzyme_tape, tape, enzyme_nofree, enzyme_dup, x, dx,
                   enzyme_const, n);
  __enzyme_reverse((void *)exponentials, enzyme_allocated, size, enzyme_tape, tape, enzyme_dup, x, saved, enzyme_const,
                   n);
  for (int i = 0; i < n; i++)
    twice[i] = saved[i];
  free(tape);
}

/* 5: function pointers in a struct, in both modes */
typedef struct {
  double (*f)(double);
  double scale;
} Layer;
static double relu(double x) {
  return x > 0 ? x : 0.01 * x;
}
static double softplus(double x) {
  return log1p(exp(x));
}
static double network(const Layer *layers, int n, double x) {
  for (int i = 0; i < n; i++)
    x = layers[i].f(layers[i].scale * x);
  return x;
}
double c_function_pointers_in_structs(double x, double *dscale) {
  Layer layers[3] = {{softplus, 0.5}, {relu, -2}, {softplus, 3}}, shadow[3];
  memcpy(shadow, layers, sizeof layers);
  for (int i = 0; i < 3; i++)
    shadow[i].scale = 0;
  const double dx = __enzyme_autodiff((void *)network, enzyme_dup, layers, shadow, enzyme_const, 3, enzyme_out, x);
  for (int i = 0; i < 3; i++)
    dscale[i] = shadow[i].scale;
  return dx;
}
double c_network(double x, const double *scale) {
  const Layer layers[3] = {{softplus, scale[0]}, {relu, scale[1]}, {softplus, scale[2]}};
  return network(layers, 3, x);
}

/* 6: a rule for a function of arrays, with a tape */
__attribute__((noinline)) static void square(const double *src, double *dest) {
  *dest = *src * *src;
}
static int augmented_calls = 0, gradient_calls = 0;
static void *augment_square(const double *src, const double *d_src, double *dest, double *d_dest) {
  (void)d_src;
  (void)d_dest;
  augmented_calls++;
  *dest = *src * *src;
  double *tape = (double *)malloc(sizeof *tape);
  *tape = *src;
  return tape;
}
static void gradient_square(const double *src, double *d_src, const double *dest, double *d_dest, void *tape) {
  (void)src;
  (void)dest;
  gradient_calls++;
  *d_src += 1000 * 2 * *(double *)tape * *d_dest;
  *d_dest = 0;
  free(tape);
}
void *__enzyme_register_gradient_square[3] = {(void *)square, (void *)augment_square, (void *)gradient_square};
static double square_of_square(double x) {
  double y, z;
  square(&x, &y);
  square(&y, &z);
  return z;
}
double c_registered_gradient(double x, int *calls) {
  augmented_calls = gradient_calls = 0;
  const double dx = __enzyme_autodiff((void *)square_of_square, x);
  *calls = augmented_calls * 10 + gradient_calls;
  return dx;
}

/* 7: an allocator of one's own */
static double arena[1024];
static size_t used = 0, released = 0;
__attribute__((noinline)) static double *take(int tag, size_t bytes) {
  (void)tag;
  double *p = arena + used;
  used += bytes / sizeof(double);
  return p;
}
__attribute__((noinline)) static void put_back(double *p, int tag) {
  (void)p;
  released += tag;
}
void *__enzyme_allocation_like_arena[4] = {(void *)take, (void *)1, (void *)"-1,0", (void *)put_back};
static double with_arena(double x) {
  double *t = take(1, 4 * sizeof(double));
  t[0] = x;
  for (int i = 1; i < 4; i++)
    t[i] = t[i - 1] * x;
  const double r = t[3];
  put_back(t, 1);
  return r;
}
double c_allocator(double x, int *taken, int *given) {
  used = released = 0;
  memset(arena, 0xff, sizeof arena);
  const double dx = __enzyme_autodiff((void *)with_arena, x);
  *taken = (int)(used / 4);
  *given = (int)released;
  return dx;
}

/* 8: complex numbers, arrays of arrays, qsort */
static double modulus(double complex z) {
  return creal(z * conj(z) * z);
}
typedef struct {
  double re, im;
} Complex;
extern Complex __enzyme_autodiff_complex(void *, ...);
Complex c_complex(double re, double im) {
  return __enzyme_autodiff_complex((void *)modulus, re + im * I);
}
static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}
static double median(const double *x, int n) {
  double *copy = (double *)malloc(n * sizeof *copy);
  memcpy(copy, x, n * sizeof *copy);
  qsort(copy, n, sizeof *copy, ascending);
  const double m = n % 2 ? copy[n / 2] : 0.5 * (copy[n / 2 - 1] + copy[n / 2]);
  free(copy);
  return m * m;
}
void c_median(const double *x, double *dx, int n) {
  __enzyme_autodiff((void *)median, enzyme_dup, x, dx, enzyme_const, n);
}
static void matrix_vector(int n, const double a[n][n], const double x[n], double y[n]) {
  for (int i = 0; i < n; i++) {
    y[i] = 0;
    for (int j = 0; j < n; j++)
      y[i] += a[i][j] * x[j];
  }
}
void c_matrix_vector(const double *a, double *da, const double *x, double *dx, double *y, double *dy, int n) {
  __enzyme_autodiff((void *)matrix_vector, enzyme_const, n, enzyme_dup, a, da, enzyme_dup, x, dx, enzyme_dupnoneed, y,
                    dy);
}

/* 9: a forward rule and a function that is like a library function */
__attribute__((noinline)) static double cubic(double x) {
  return x * x * x;
}
static double cubic_forward(double x, double dx) {
  return 30 * x * x * dx;
}
void *__enzyme_register_derivative_cubic[2] = {(void *)cubic, (void *)cubic_forward};
double my_log1p(double x);
static double log1p_inner(double x) {
  return my_log1p(x);
}
void *__enzyme_function_like_my_log1p[2] = {(void *)my_log1p, (void *)"log1p"};
__attribute__((noinline)) double my_log1p(double x) {
  return log(1 + x);
}
static double twice_cubic(double x) {
  return 2 * cubic(x);
}
double c_forward_rule(double x) {
  return __enzyme_fwddiff((void *)twice_cubic, x, 1.0);
}
double c_like_library(double x) {
  return __enzyme_autodiff((void *)log1p_inner, x);
}

/* 10: second derivatives, forward over reverse and reverse over forward */
static double wave(double x) {
  return sin(x) * x * x;
}
static double wave_slope(double x) {
  return __enzyme_autodiff((void *)wave, x);
}
static double wave_slope_forward(double x) {
  return __enzyme_fwddiff((void *)wave, x, 1.0);
}
double c_second(double x) {
  return __enzyme_fwddiff((void *)wave_slope, x, 1.0);
}
double c_second_reverse(double x) {
  return __enzyme_autodiff((void *)wave_slope_forward, x);
}

/* 11: linked lists and reallocation */
struct node {
  double value;
  struct node *next;
};
static double list_product(double x, int n) {
  struct node *head = NULL;
  for (int i = 0; i < n; i++) {
    struct node *fresh = (struct node *)malloc(sizeof *fresh);
    fresh->value = x + i;
    fresh->next = head;
    head = fresh;
  }
  double product = 1;
  while (head) {
    struct node *next = head->next;
    product *= head->value;
    free(head);
    head = next;
  }
  return product;
}
double c_list(double x, int n) {
  return __enzyme_autodiff((void *)list_product, enzyme_out, x, enzyme_const, n);
}
static double grows(double x, int n) {
  double *data = NULL;
  for (int i = 0; i < n; i++) {
    data = (double *)realloc(data, (i + 1) * sizeof *data);
    data[i] = i ? data[i - 1] * x : x;
  }
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += data[i];
  free(data);
  return sum;
}
double c_grows(double x, int n) {
  return __enzyme_autodiff((void *)grows, x, n);
}

/* 12: a result that is not wanted, and one that is constant */
static double accumulates(const double *x, double *y) {
  *y += *x * *x;
  return *x * 1000;
}
void c_constant_return(const double *x, double *dx, double *y, double *dy) {
  __enzyme_autodiff((void *)accumulates, enzyme_const_return, enzyme_dup, x, dx, enzyme_dup, y, dy);
}
