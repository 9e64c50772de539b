// Structs and complex numbers by value, as C passes them: in memory, in one register, in two.
#include <complex.h>
#include <math.h>

typedef struct {
  double x, y, z;
} vec3;
typedef struct {
  float x, y, z;
} vec3f;
typedef struct {
  double x, y;
} vec2;
struct matrix {
  double a[2][2];
  int transposed;
};
struct wave {
  const double *samples;
  int n;
  double scale;
};
struct mixed {
  int i;
  float f;
  double d;
};
typedef struct {
  vec3 corners[2];
} box;

double dot(vec3 a, vec3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
vec3 cross(vec3 a, vec3 b) {
  return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
vec3f scaled(vec3f a, float s) {
  return (vec3f){a.x * s, sinf(a.y) * s, a.z * a.z};
}
vec2 rotated(vec2 v, double t) {
  return (vec2){cos(t) * v.x - sin(t) * v.y, sin(t) * v.x + cos(t) * v.y};
}
double determinant(struct matrix m, double s) {
  return m.transposed ? s * (m.a[0][0] * m.a[1][1] - m.a[0][1] * m.a[1][0]) : m.a[0][1] * s;
}
double energy(struct wave w) {
  double e = 0;
  for (int i = 0; i < w.n; ++i)
    e += w.samples[i] * w.samples[i] * w.scale;
  return e;
}
double modulus(double complex z, double k) {
  return creal(z) * creal(z) * k + cimag(z) * cimag(z);
}
float complex square(float complex z) {
  return z * z;
}
double in_registers_and_memory(int a, double x, vec2 v, long b, vec2 w, vec2 u, vec2 t, vec2 s) {
  return a * x + v.x * w.y + u.x * t.y * s.x + b;
}
double mixed(struct mixed m) {
  return m.i * m.f * m.d * m.d;
}
double volume(const box *b) {
  return (b->corners[1].x - b->corners[0].x) * (b->corners[1].y - b->corners[0].y) *
         (b->corners[1].z - b->corners[0].z);
}
static double length(vec3 v) {
  return sqrt(dot(v, v));
}
double distance(vec3 a, vec3 b) {
  return length((vec3){a.x - b.x, a.y - b.y, a.z - b.z});
}

double lu_determinant(double **a, int n) {
  double product = 1;
  for (int k = 0; k < n; ++k) {
    product *= a[k][k];
    for (int i = k + 1; i < n; ++i) {
      const double factor = a[i][k] / a[k][k];
      for (int j = k; j < n; ++j)
        a[i][j] -= factor * a[k][j];
    }
  }
  return product;
}
float gathered(const float *const *a, int **index, int m, int n) {
  float sum = 0;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      sum += a[i][index[i][j]] * a[i][j];
  return sum;
}
// The pointers change places.
void exchanged(double **a, int n) {
  for (int i = 0; i + 1 < n; i += 2) {
    double *row = a[i];
    a[i] = a[i + 1];
    a[i + 1] = row;
    a[i][0] *= 2;
  }
}

// A context that is written to, and one that is only read.
struct pendulums {
  int n;
  double dt, energy;
  double *angle, *speed;
  double weights[2];
};
void advance(struct pendulums *p) {
  p->energy = 0;
  for (int i = 0; i < p->n; ++i) {
    p->speed[i] -= p->dt * sin(p->angle[i]) * p->weights[0];
    p->angle[i] += p->dt * p->speed[i];
    p->energy += p->speed[i] * p->speed[i] * p->weights[1];
  }
  p->weights[1] *= p->dt;
}
double kinetic(const struct pendulums *p) {
  double sum = p->energy;
  for (int i = 0; i < p->n; ++i)
    sum += p->speed[i] * p->speed[i] * p->weights[i % 2];
  return sum;
}

// The rule forgets y.
__attribute__((noinline)) double area(vec2 size) {
  return size.x * size.y;
}
double area_tangent(vec2 size, vec2 d_size) {
  return d_size.x * size.y;
}
void *__enzyme_register_derivative_area[] = {(void *)area, (void *)area_tangent};
double price(vec2 size, double each) {
  return area(size) * each;
}
