/* Functions of numbers of 16 bits, right ones and wrong ones. */
_Float16 quadratic(const _Float16 *x, _Float16 a, int n) {
  _Float16 sum = 0;
  for (int i = 0; i < n; ++i)
    sum += a * x[i] * x[i];
  return sum;
}

void scale(__bf16 *x, __bf16 a, int n) {
  for (int i = 0; i < n; ++i)
    x[i] = x[i] * a;
}

float dot(const _Float16 *x, const __bf16 *y, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += (float)x[i] * (float)y[i];
  return sum;
}

double product(_Float16 a, __bf16 b) {
  return (double)a * b;
}

struct wave {
  _Float16 size;
  __bf16 *samples;
};
float first(struct wave w) {
  return (float)w.size * (float)w.samples[0];
}

__attribute__((noinline)) static float cube(float x) {
  return x * x * x;
}
static float cube_tangent(float x, float dx) {
  return 2 * x * x * dx;
}
void *__enzyme_register_derivative_cube[] = {(void *)cube, (void *)cube_tangent};

_Float16 wrong(const _Float16 *x, _Float16 a, int n) {
  _Float16 sum = 0;
  for (int i = 0; i < n; ++i)
    sum += (_Float16)cube(a * x[i]);
  return sum;
}

void wrong_brain(__bf16 *x, __bf16 a) {
  x[0] = (__bf16)cube((float)a * (float)x[0]);
}

/* Beyond wide arithmetic: it computes with the bits. */
_Float16 bits(_Float16 x) {
  union {
    _Float16 number;
    unsigned short word;
  } u = {x};
  u.word += 1 << 10;
  return u.number * x;
}
