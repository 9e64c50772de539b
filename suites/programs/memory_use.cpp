// Programs that use memory in every way that C++ allows.
#include "support/vector_program.hpp"
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <list>
#include <string>
#include <vector>
namespace {
double pointer_walk(const double *x, int n) {
  const double *p = x, *end = x + n;
  double r = 1;
  while (p != end) {
    r = r * *p + 1;
    ++p;
  }
  while (p-- != x)
    r += *p * r * 0.1;
  return r;
}
double early_cleanup(const double *x, int n) {
  double *a = (double *)std::malloc(n * sizeof(double)), *b = nullptr;
  double r = 0;
  for (int i = 0; i < n; ++i)
    a[i] = x[i] * x[i];
  if (a[0] > 4) {
    r = a[1];
    goto out;
  }
  b = (double *)std::calloc(n, sizeof(double));
  for (int i = 0; i < n; ++i) {
    b[i] += a[i] * x[(i + 1) % n];
    if (b[i] > 3) {
      r = b[i] * a[i];
      goto out;
    }
  }
  for (int i = 0; i < n; ++i)
    r += b[i];
out:
  std::free(a);
  std::free(b);
  return r;
}
struct Matrix {
  int n;
  double *d;
  Matrix(int n) : n(n), d(new double[n * n]()) {}
  Matrix(const Matrix &o) : n(o.n), d(new double[o.n * o.n]) {
    for (int i = 0; i < n * n; ++i)
      d[i] = o.d[i];
  }
  Matrix(Matrix &&o) : n(o.n), d(o.d) { o.d = nullptr; }
  Matrix &operator=(Matrix o) {
    std::swap(d, o.d);
    n = o.n;
    return *this;
  }
  ~Matrix() { delete[] d; }
  double &operator()(int i, int j) { return d[i * n + j]; }
  double operator()(int i, int j) const { return d[i * n + j]; }
  friend Matrix operator*(const Matrix &a, const Matrix &b) {
    Matrix r(a.n);
    for (int i = 0; i < a.n; ++i)
      for (int j = 0; j < a.n; ++j)
        for (int k = 0; k < a.n; ++k)
          r(i, j) += a(i, k) * b(k, j);
    return r;
  }
  friend Matrix operator+(const Matrix &a, const Matrix &b) {
    Matrix r(a);
    for (int i = 0; i < a.n * a.n; ++i)
      r.d[i] += b.d[i];
    return r;
  }
};
double matrices(const double *x, int n) {
  Matrix a(2), b(2);
  for (int i = 0; i < 4; ++i) {
    a.d[i] = x[i % n];
    b.d[i] = x[(i + 1) % n] * 0.5;
  }
  Matrix c = a * b + a;
  for (int k = 0; k < 3; ++k)
    c = c * a + b;
  return c(0, 0) * c(1, 1) - c(0, 1);
}
double listed(const double *x, int n) {
  std::list<double> l;
  for (int i = 0; i < n; ++i) {
    l.push_back(x[i] * x[i]);
    l.push_front(x[i]);
  }
  l.erase(std::next(l.begin()));
  double r = 1;
  for (double v : l)
    r = r * v + 1;
  return r;
}
double dequed(const double *x, int n) {
  std::deque<double> l;
  for (int i = 0; i < n; ++i) {
    l.push_back(x[i] * x[i]);
    l.push_front(x[i]);
  }
  double r = 1;
  for (double v : l)
    r = r * v + 1;
  return r;
}
double pointer_to_pointer(const double *x, int n) {
  double a[3] = {x[0], x[1], x[2]};
  double *rows[3] = {&a[2], &a[0], &a[1]};
  double **p = rows;
  for (int k = 0; k < 3; ++k) {
    *p[k] *= *p[(k + 1) % 3];
    double *t = p[0];
    p[0] = p[2];
    p[2] = t;
  }
  return a[0] + 2 * a[1] + 3 * a[2];
}
double local_memo(const double *x, int n) {
  double t[32];
  t[0] = x[0];
  t[1] = x[1];
  for (int k = 2; k < 20; ++k)
    t[k] = 0.6 * t[k - 1] + t[k - 2] * t[k / 2] * 0.5;
  return t[19];
}
double bit_fabs(const double *x, int n) {
  double r = 0;
  for (int i = 0; i < n; ++i) {
    std::uint64_t b;
    std::memcpy(&b, &x[i], 8);
    b &= 0x7fffffffffffffffull;
    double a;
    std::memcpy(&a, &b, 8);
    r += a * x[0];
  }
  return r;
}
double bit_neg(const double *x, int n) {
  double r = 0;
  for (int i = 0; i < n; ++i) {
    std::uint64_t b;
    std::memcpy(&b, &x[i], 8);
    b ^= 0x8000000000000000ull;
    double a;
    std::memcpy(&a, &b, 8);
    r += a * a * a;
  }
  return r;
}
struct Quat {
  double w, x, y, z;
};
Quat mul(Quat a, Quat b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
Quat qpow(Quat q, int n) {
  if (n == 0)
    return {1, 0, 0, 0};
  Quat h = qpow(q, n / 2);
  Quat r = mul(h, h);
  return n % 2 ? mul(r, q) : r;
}
double quaternions(const double *x, int n) {
  Quat q = qpow({x[0], x[1], x[2], x[3]}, 5);
  return q.w + 2 * q.x - q.y * q.z;
}
double vla(const double *x, int n) {
  double r = 0;
  for (int i = 1; i <= n; ++i) {
    double *w = (double *)alloca(i * sizeof(double));
    for (int j = 0; j < i; ++j)
      w[j] = x[j] * x[i - 1] + (j ? w[j - 1] : 0);
    r += w[i - 1] * w[0];
  }
  return r;
}
double volatiles(const double *x, int n) {
  volatile double v = x[0];
  v = v * x[1];
  v = v + v * v;
  return v;
}
typedef double double4 __attribute__((vector_size(32)));
double vectors(const double *x, int n) {
  double4 a = {x[0], x[1], x[2], x[3]}, b = {x[3], x[2], 1, x[0]};
  double4 c = a * b + a;
  c = c / (b * b + 2.0);
  double4 d = __builtin_shufflevector(c, a, 0, 5, 2, 7);
  return d[0] * d[1] + d[2] - d[3] * c[1];
}
double printing(const double *x, int n) {
  char buf[64];
  double r = 0;
  for (int i = 0; i < n; ++i) {
    std::snprintf(buf, sizeof buf, "%g", x[i]);
    r += x[i] * x[i] * (buf[0] == '-' ? 2 : 1);
  }
  return r;
}
double strings(const double *x, int n) {
  std::string s;
  for (int i = 0; i < n; ++i)
    s += char('a' + i);
  double r = 0;
  for (std::size_t i = 0; i < s.size(); ++i)
    r += x[i] * (s[i] - 'a' + 1) * x[0];
  return r;
}
double pool(const double *x, int n) { // bump allocator
  alignas(16) unsigned char arena[1024];
  std::size_t used = 0;
  auto take = [&](std::size_t bytes) {
    void *p = arena + used;
    used += (bytes + 15) & ~std::size_t(15);
    return p;
  };
  double r = 1;
  for (int k = 0; k < 3; ++k) {
    double *a = (double *)take(n * sizeof(double));
    int *idx = (int *)take(n * sizeof(int));
    for (int i = 0; i < n; ++i) {
      idx[i] = (i + k) % n;
      a[i] = x[i] * r;
    }
    for (int i = 0; i < n; ++i)
      r += a[idx[i]] * a[i] * 0.2;
  }
  return r;
}
double heap_struct(const double *x, int n) {
  struct S {
    int n;
    double *p;
    double s;
    S *next;
  };
  S *head = nullptr;
  for (int i = 0; i < n; ++i) {
    S *s = (S *)std::malloc(sizeof(S));
    s->n = i + 1;
    s->p = (double *)std::malloc(sizeof(double) * (i + 1));
    for (int j = 0; j <= i; ++j)
      s->p[j] = x[j] * x[i];
    s->s = x[i];
    s->next = head;
    head = s;
  }
  double r = 0;
  while (head) {
    for (int j = 0; j < head->n; ++j)
      r += head->p[j] * head->s;
    S *d = head;
    head = head->next;
    std::free(d->p);
    std::free(d);
  }
  return r;
}
void rotate_array(double *x, int n) {
  double t = x[0];
  for (int i = 0; i + 1 < n; ++i)
    x[i] = x[i + 1] * t;
  x[n - 1] = t;
}
void in_place_scan(double *x, int n) {
  for (int d = 1; d < n; d *= 2)
    for (int i = n - 1; i >= d; --i)
      x[i] += x[i - d] * x[i];
}
void self_assign(double *x, int n) {
  double *p = &x[1];
  *p = *p;
  x[0] = *p * x[0];
  x[1] = 0;
  x[2] += x[1];
  *p += x[2];
}
void ring_buffer(double *x, int n) {
  double b[4] = {x[0], x[1], x[2], 0};
  int head = 3;
  for (int i = 0; i < 13; ++i) {
    b[head & 3] = b[(head - 1) & 3] * b[(head - 3) & 3] + 0.1 * b[(head - 2) & 3];
    ++head;
  }
  x[0] = b[0];
  x[1] = b[1] * b[2];
  x[2] = b[3];
}
double atomics(const double *x, int n) {
  std::atomic<int> k{0};
  double r = 0;
  for (int i = 0; i < n; ++i) {
    r += x[i] * x[i] * k.load();
    k.fetch_add(2);
  }
  return r;
}
} // namespace
PLUGIN_TEST(Memory, PointersWalkForwardsAndBackwards) {
  CHECK_FUNCTION(pointer_walk, 0.3, 1.2, -0.4);
}
PLUGIN_TEST(Memory, CleanupByGoto) {
  CHECK_FUNCTION(early_cleanup, 0.3, 1.2, -0.4);
  CHECK_FUNCTION(early_cleanup, 2.3, 1.2, -0.4);
  CHECK_FUNCTION(early_cleanup, 0.3, 2.2, 1.4);
}
PLUGIN_TEST(Memory, MatricesThatOwnMemory) {
  CHECK_FUNCTION(matrices, 0.3, 1.2, -0.4, 0.7);
}
PLUGIN_TEST(Memory, List) {
  CHECK_FUNCTION(listed, 0.3, 1.2, -0.4);
}
PLUGIN_TEST(Memory, Deque) {
  CHECK_FUNCTION(dequed, 0.3, 1.2, -0.4);
}
PLUGIN_TEST(Memory, PointersToPointers) {
  CHECK_FUNCTION(pointer_to_pointer, 0.3, 1.2, -0.4);
}
PLUGIN_TEST(Memory, Memoisation) {
  CHECK_FUNCTION(local_memo, 0.3, 1.2);
}
PLUGIN_TEST(Memory, AbsoluteValueByBits) {
  CHECK_FUNCTION(bit_fabs, 0.3, 1.2, -0.4);
}
PLUGIN_TEST(Memory, NegationByBits) {
  CHECK_FUNCTION(bit_neg, 0.3, 1.2, -0.4);
}
PLUGIN_TEST(Memory, QuaternionPowerByRecursion) {
  CHECK_FUNCTION(quaternions, 0.3, 1.2, -0.4, 0.8);
}
PLUGIN_TEST(Memory, StackMemoryOfVariableSize) {
  CHECK_FUNCTION(vla, 0.3, 1.2, -0.4, 0.8);
}
PLUGIN_TEST(Memory, VolatileVariables) {
  CHECK_FUNCTION(volatiles, 0.3, 1.2);
}
PLUGIN_TEST(Memory, VectorExtensions) {
  CHECK_FUNCTION(vectors, 0.3, 1.2, -0.4, 0.8);
}
PLUGIN_TEST(Memory, PrintingInBetween) {
  CHECK_FUNCTION(printing, 0.3, 1.2, -0.4, 0.8);
}
PLUGIN_TEST(Memory, StringsBesideNumbers) {
  CHECK_FUNCTION(strings, 0.3, 1.2, -0.4, 0.8);
}
PLUGIN_TEST(Memory, BumpAllocator) {
  CHECK_FUNCTION(pool, 0.3, 1.2, -0.4, 0.8);
}
PLUGIN_TEST(Memory, ListOfHeapRecords) {
  CHECK_FUNCTION(heap_struct, 0.3, 1.2, -0.4, 0.8);
}
PLUGIN_TEST(Memory, RotatedArray) {
  CHECK_MAP(rotate_array, 0.3, 1.2, -0.4, 0.8);
}
PLUGIN_TEST(Memory, InPlaceScan) {
  CHECK_MAP(in_place_scan, 0.3, 1.2, -0.4, 0.8, 0.5);
}
PLUGIN_TEST(Memory, SelfAssignment) {
  CHECK_MAP(self_assign, 0.3, 1.2, -0.4);
}
PLUGIN_TEST(Memory, RingBuffer) {
  CHECK_MAP(ring_buffer, 0.9, 1.2, -0.4);
}
PLUGIN_TEST(Memory, AtomicCounters) {
  CHECK_FUNCTION(atomics, 0.3, 1.2, -0.4);
}
