// Programs that mix globals, records, pointers and loops with several exits.
#include "support/vector_program.hpp"
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>
namespace {
#define NI __attribute__((noinline))
double state[4]; // active global state
NI void push_state(int i, double v) {
  state[i & 3] = state[(i + 1) & 3] * 0.5 + v;
}
double global_state(const double *x, int n) {
  for (double &s : state)
    s = 0;
  for (int i = 0; i < n; ++i)
    push_state(i, x[i] * x[i]);
  return state[0] * state[1] + state[2];
}
double global_accumulator;
NI void tally(double v) {
  global_accumulator += v * v;
}
double global_sum(const double *x, int n) {
  global_accumulator = 1;
  for (int i = 0; i < n; ++i)
    tally(x[i] * global_accumulator);
  return global_accumulator;
}
double *global_pointer;
double through_global_pointer(const double *x, int n) {
  double local[4] = {x[0], x[1], 1, 2};
  global_pointer = local;
  for (int i = 1; i < 4; ++i)
    global_pointer[i] += global_pointer[i - 1] * x[i % n];
  return global_pointer[3];
}
struct Grid {
  int nx, ny;
  std::vector<double> cells;
  double &at(int i, int j) { return cells[i * ny + j]; }
};
double heat(const double *x, int n) {
  Grid g{4, 4, std::vector<double>(16)};
  for (int i = 0; i < 16; ++i)
    g.cells[i] = x[i % n] * (i + 1) * 0.1;
  for (int t = 0; t < 5; ++t) {
    Grid next = g;
    for (int i = 1; i < 3; ++i)
      for (int j = 1; j < 3; ++j)
        next.at(i, j) =
            g.at(i, j) +
            0.1 * (g.at(i - 1, j) + g.at(i + 1, j) + g.at(i, j - 1) + g.at(i, j + 1) - 4 * g.at(i, j)) * (1 + x[0]);
    g = next;
  }
  double r = 0;
  for (double v : g.cells)
    r += v * v;
  return r;
}
double swap_rows_ptr(const double *x, int n) {
  std::vector<double> a(n), b(n);
  for (int i = 0; i < n; ++i)
    a[i] = x[i];
  for (int k = 0; k < 7; ++k) {
    for (int i = 0; i < n; ++i)
      b[i] = a[i] * a[(i + 1) % n] + 0.1;
    std::swap(a, b);
  }
  return a[0] + b[1];
}
double erase_insert(const double *x, int n) {
  std::vector<double> v(x, x + n);
  v.erase(v.begin() + 1);
  v.insert(v.begin(), x[0] * x[1]);
  v.resize(n + 2, 0.5);
  v.pop_back();
  std::reverse(v.begin(), v.end());
  double r = 1;
  for (double y : v)
    r = r * y + 1;
  return r;
}
double copied_struct_vector(const double *x, int n) {
  struct P {
    double m;
    int id;
    double v[2];
  };
  std::vector<P> ps;
  for (int i = 0; i < n; ++i)
    ps.push_back({x[i], i, {x[i] * x[0], 1}});
  std::vector<P> qs = ps;
  for (P &q : qs)
    q.v[1] *= q.m;
  double r = 0;
  for (int i = 0; i < n; ++i)
    r += qs[i].v[1] * ps[i].v[0] * (qs[i].id + 1);
  return r;
}
NI double mix(const double *a, const float *b, int n) {
  double r = 0;
  for (int i = 0; i < n; ++i)
    r += a[i] * b[i];
  return r;
}
double mixed(const double *x, int n) {
  float w[4] = {0.5f, 1.5f, -2.f, 0.25f};
  double y[4];
  for (int i = 0; i < 4; ++i)
    y[i] = x[i % n] * x[i % n];
  return mix(y, w, 4);
}
double ternary_pointers(const double *x, int n) {
  double a[2] = {x[0], x[1]}, b[2] = {x[1] * x[0], 2};
  double *p = x[0] > 0 ? a : b;
  double *q = n > 1 ? &p[1] : &b[0];
  *q *= 3;
  p[0] += *q * *q;
  return a[0] * a[1] + b[0] * b[1];
}
double while_break_heap(const double *x, int n) {
  double *p = new double(x[0]);
  int k = 0;
  while (true) {
    double *q = new double(*p * x[1] + 0.3);
    delete p;
    p = q;
    if (*p > 3 || ++k > 20)
      break;
  }
  double r = *p;
  delete p;
  return r * x[0];
}
double triple_loop_break(const double *x, int n) {
  double r = 1;
  for (int i = 0; i < n; ++i) {
    int j = 0;
    do {
      double s = r;
      for (int k = 0; k < 3; ++k) {
        s = s * x[k % n] * 0.5 + 0.2;
        if (s > 2)
          goto next;
      }
      r += s;
    } while (++j < i);
  next:
    r *= 0.9;
  }
  return r;
}
double induction(const double *x, int n) {
  double r = 0;
  for (std::int64_t i = 10; i > -10; i -= 3)
    for (unsigned j = 0; j < 3u; ++j)
      r += x[(unsigned long)(i * i + j) % n] * double(i + (int)j) * x[0];
  return r;
}
double exp_chain(const double *x, int n) {
  double t = 1, s = 1;
  for (int k = 1; k < 20; ++k) {
    t *= x[0] / k;
    s += t;
    if (std::fabs(t) < 1e-12)
      break;
  }
  return s * x[1];
}
double cumulative_max(const double *x, int n) {
  double m = -1e300, r = 0;
  for (int i = 0; i < n; ++i) {
    m = std::max(m, x[i]);
    r += m * (i + 1);
  }
  return r * m;
}
double mod_arith(const double *x, int n) {
  double r = 0;
  for (int i = 0; i < n; ++i)
    r += std::fmod(x[i], 0.7) * x[i] + std::hypot(x[i], x[0]);
  return r;
}
double fused(const double *x, int n) {
  double r = 0;
  for (int i = 0; i < n; ++i)
    r = std::fma(x[i], r, x[0]) + std::cbrt(x[i]) + std::pow(std::fabs(x[i]), 1.3) + std::pow(x[i], 3);
  return r;
}
double early_exit_nested(const double *x, int n) {
  for (int i = 0; i < n; ++i) {
    double s = 0;
    for (int j = 0; j <= i; ++j) {
      s += x[j] * x[i];
      if (s > 1.5)
        return s * x[0];
    }
    if (s < -5)
      return s;
  }
  return x[n - 1];
}
double char_flags(const double *x, int n) {
  unsigned char flag[8];
  bool ok[8];
  for (int i = 0; i < n; ++i) {
    flag[i] = x[i] > 0.5 ? 3 : 1;
    ok[i] = x[i] > 0;
  }
  double r = 1;
  for (int i = 0; i < n; ++i)
    if (ok[i])
      r *= x[i] * flag[i];
    else
      r += flag[i] * x[i];
  return r;
}
double overlapping_struct_copy(const double *x, int n) {
  struct A {
    double a, b;
    float c;
    int d;
  } s[3] = {{x[0], x[1], 1.5f, 1}, {1, 2, 2.5f, 2}, {x[1], x[0], 0, 3}};
  for (int i = 0; i < 2; ++i) {
    A t = s[i];
    s[i] = s[i + 1];
    s[i + 1] = t;
    s[i].a *= s[i + 1].b;
  }
  double r = 0;
  for (auto &e : s)
    r += e.a * e.b * e.d + e.c * e.a;
  return r;
}
double reload(const double *x, int n) {
  double a[4];
  for (int i = 0; i < 4; ++i)
    a[i] = x[i % n];
  double r = 0;
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < 4; ++i)
      r += std::sin(a[i]) * a[(i + 1) & 3];
    a[k] = r;
  }
  return r;
}
double tape_sizes(const double *x, int n) {
  double r = x[0];
  for (int i = 0; i < 300; ++i) {
    r = std::sin(r) + x[1] * 0.01;
    if (i % 7 == 3)
      for (int j = 0; j < i % 5; ++j)
        r = r * r * 0.3 + std::cos(r);
  }
  return r;
}
double unlucky_alias(const double *x, int n) {
  double a[6] = {x[0], x[1], x[2], 1, 2, 3};
  double *p = a, *q = a + 1;
  for (int i = 0; i < 5; ++i) {
    *q = *q * *p + 1;
    std::swap(p, q);
    q = a + (i + 2) % 6;
  }
  double r = 0;
  for (double v : a)
    r = r * 0.5 + v;
  return r;
}
double pair_return_chain(const double *x, int n) {
  auto f = [](double a, double b) { return std::array<double, 3>{a * b, a + b, a / (1 + b * b)}; };
  auto s = f(x[0], x[1]);
  for (int i = 0; i < 4; ++i) {
    auto t = f(s[0], s[2]);
    s = f(t[1], s[1] * 0.1);
  }
  return s[0] * s[1] + s[2];
}
NI void recursive_fill(double *a, int lo, int hi, double v) {
  if (hi - lo <= 1) {
    if (lo < hi)
      a[lo] = v * v;
    return;
  }
  int mid = (lo + hi) / 2;
  recursive_fill(a, lo, mid, v * 0.9);
  recursive_fill(a, mid, hi, v + a[lo]);
}
double recursive_memory(const double *x, int n) {
  double a[8] = {};
  recursive_fill(a, 0, 8, x[0]);
  double r = 0;
  for (int i = 0; i < 8; ++i)
    r += a[i] * x[1] * (i + 1);
  return r;
}
NI double *allocate_row(double v, int n) {
  double *p = (double *)std::malloc(n * sizeof(double));
  for (int i = 0; i < n; ++i)
    p[i] = v * (i + 1);
  return p;
}
NI double consume(double *p, int n) {
  double r = 0;
  for (int i = 0; i < n; ++i) {
    r += p[i] * p[i];
    p[i] = r;
  }
  r += p[n - 1];
  std::free(p);
  return r;
}
double producer_consumer(const double *x, int n) {
  double r = 0;
  for (int i = 0; i < n; ++i)
    r += consume(allocate_row(x[i] * (1 + 0.1 * r), i + 1), i + 1) * 0.3;
  return r;
}
struct Expr {
  char op;
  double v;
  std::unique_ptr<Expr> l, r;
  double eval() const {
    switch (op) {
    case '+':
      return l->eval() + r->eval();
    case '*':
      return l->eval() * r->eval();
    case 's':
      return std::sin(l->eval());
    default:
      return v;
    }
  }
};
std::unique_ptr<Expr> leaf(double v) {
  return std::make_unique<Expr>(Expr{'v', v, nullptr, nullptr});
}
std::unique_ptr<Expr> node(char op, std::unique_ptr<Expr> a, std::unique_ptr<Expr> b = nullptr) {
  return std::make_unique<Expr>(Expr{op, 0, std::move(a), std::move(b)});
}
double expression_tree(const double *x, int n) {
  auto e = node('*', node('+', leaf(x[0]), node('s', leaf(x[1]))), node('*', leaf(x[0]), leaf(x[1])));
  return e->eval() * e->l->eval();
}
} // namespace
PLUGIN_TEST(Mixtures, GlobalState) {
  CHECK_FUNCTION(global_state, 0.3, 1.2, -0.4);
}
PLUGIN_TEST(Mixtures, GlobalAccumulator) {
  CHECK_FUNCTION(global_sum, 0.3, 0.2, -0.4);
}
PLUGIN_TEST(Mixtures, GlobalPointer) {
  CHECK_FUNCTION(through_global_pointer, 0.3, 1.2);
}
PLUGIN_TEST(Mixtures, HeatEquationOnCopiedGrids) {
  CHECK_FUNCTION(heat, 0.3, 1.2, -0.4);
}
PLUGIN_TEST(Mixtures, SwappedVectors) {
  CHECK_FUNCTION(swap_rows_ptr, 0.3, 1.2, -0.4);
}
PLUGIN_TEST(Mixtures, ElementsErasedAndInserted) {
  CHECK_FUNCTION(erase_insert, 0.3, 1.2, -0.4);
}
PLUGIN_TEST(Mixtures, VectorOfRecordsCopied) {
  CHECK_FUNCTION(copied_struct_vector, 0.3, 1.2, -0.4);
}
PLUGIN_TEST(Mixtures, TwoPrecisions) {
  CHECK_FUNCTION(mixed, 0.3, 1.2, -0.4);
}
PLUGIN_TEST(Mixtures, PointersChosenByCondition) {
  CHECK_FUNCTION(ternary_pointers, 0.3, 1.2);
  CHECK_FUNCTION(ternary_pointers, -0.3, 1.2);
}
PLUGIN_TEST(Mixtures, HeapValueReplacedInALoop) {
  CHECK_FUNCTION(while_break_heap, 0.3, 1.25);
}
PLUGIN_TEST(Mixtures, JumpOutOfThreeLoops) {
  CHECK_FUNCTION(triple_loop_break, 0.3, 1.2, 0.9);
}
PLUGIN_TEST(Mixtures, OddInductionVariables) {
  CHECK_FUNCTION(induction, 0.3, 1.2, 0.9);
}
PLUGIN_TEST(Mixtures, SeriesUntilConvergence) {
  CHECK_FUNCTION(exp_chain, 0.3, 1.2);
}
PLUGIN_TEST(Mixtures, RunningMaximum) {
  CHECK_FUNCTION(cumulative_max, 0.3, 1.2, 0.9, 2.1);
}
PLUGIN_TEST(Mixtures, RemaindersAndHypotenuses) {
  CHECK_FUNCTION(mod_arith, 0.3, 1.2, 0.9);
}
PLUGIN_TEST(Mixtures, FusedMultiplyAddAndPowers) {
  CHECK_FUNCTION(fused, 0.3, 1.2, 0.9);
}
PLUGIN_TEST(Mixtures, EarlyExitOfNestedLoops) {
  CHECK_FUNCTION(early_exit_nested, 0.3, 1.2, 0.9);
  CHECK_FUNCTION(early_exit_nested, 0.3, 0.2, -0.9);
}
PLUGIN_TEST(Mixtures, FlagsInBytes) {
  CHECK_FUNCTION(char_flags, 0.3, 1.2, -0.9);
}
PLUGIN_TEST(Mixtures, RecordsSwapped) {
  CHECK_FUNCTION(overlapping_struct_copy, 0.3, 1.2);
}
PLUGIN_TEST(Mixtures, ValuesOverwrittenAfterUse) {
  CHECK_FUNCTION(reload, 0.3, 1.2);
}
PLUGIN_TEST(Mixtures, LongLoopWithRareInnerLoops) {
  CHECK_FUNCTION(tape_sizes, 0.3, 1.2);
}
PLUGIN_TEST(Mixtures, PointersThatMeet) {
  CHECK_FUNCTION(unlucky_alias, 0.3, 1.2, 0.7);
}
PLUGIN_TEST(Mixtures, ArraysReturnedByLambdas) {
  CHECK_FUNCTION(pair_return_chain, 0.3, 1.2);
}
PLUGIN_TEST(Mixtures, RecursiveFill) {
  CHECK_FUNCTION(recursive_memory, 0.3, 1.2);
}
PLUGIN_TEST(Mixtures, AllocatedHereReleasedThere) {
  CHECK_FUNCTION(producer_consumer, 0.3, 1.2, -0.4);
}
PLUGIN_TEST(Mixtures, ExpressionTree) {
  CHECK_FUNCTION(expression_tree, 0.3, 1.2);
}
