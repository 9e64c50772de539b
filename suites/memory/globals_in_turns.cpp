// Forward mode, reverse mode and second derivatives of every kind take turns with the same globals: none takes the
// shadows of another for its own.
#include "support/second_order.hpp"

namespace {

using namespace assay::suites;

double buckets[4];

double into_buckets(const double *x, int n) {
  for (int i = 0; i < n; ++i)
    buckets[i] = x[i] * x[i];
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += buckets[i] * buckets[(i + 1) % n];
  return sum;
}

double factors[4] = {1, 2, 3, 4};

/// Never cleared: the adjoints of the factors add up.
double with_factors(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += factors[i] * x[i] * x[i] * x[i];
  return sum;
}

void change_factors() {
  for (double &factor : factors)
    factor *= 1.5;
}

double pair[2];

__attribute__((noinline)) void mix(int i, double value) {
  pair[i % 2] = value * pair[(i + 1) % 2] + value;
}

double through_a_call(const double *x, int n) {
  pair[0] = x[0] * x[0];
  pair[1] = x[1];
  for (int i = 0; i < n; ++i)
    mix(i, x[i]);
  return pair[0] * pair[1];
}

thread_local double state[2];

double in_a_thread(const double *x, int n) {
  state[0] = x[0];
  state[1] = x[1] * x[2];
  for (int i = 0; i < n; ++i)
    state[i % 2] *= 1 + x[i] * state[(i + 1) % 2];
  return state[0] + 2 * state[1];
}

const double table[3] = {0.5, 1.5, 2.5};
const double *current = table;
double own[3];

/// The pointer meets a constant table and active memory: reverse mode adds to the shadows of both.
double points_to_a_table(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += current[i] * x[i] * x[i];
  own[0] = x[0];
  own[1] = x[1] * x[2];
  own[2] = sum;
  current = own;
  for (int i = 0; i < n; ++i)
    sum += current[i] * std::sin(x[i]);
  current = table;
  return sum;
}

template <double (*program)(const double *, int)>
double slope(const double *x, const double *along, int n) {
  return __enzyme_fwddiff<double>((void *)program, enzyme_dup, x, along, enzyme_const, n);
}

/// Each second derivative asks for another direction than the first: where tangents of one are taken for those of the
/// other, they differ.
template <double (*program)(const double *, int), std::size_t N>
void check_other_second_orders(const Numbers<N> &x, const char *file, int line) {
  for (std::size_t row = 0; row < N; ++row) {
    Numbers<N> along{}, other{}, of_slope{}, of_gradient{}, gradient{}, seed{};
    along[row] = seed[row] = 1;
    for (std::size_t i = 0; i < N; ++i)
      other[i] = direction(i);
    const auto gradient_entry = [&](std::size_t i) {
      return central_difference([&](double change) {
        Numbers<N> moved = x, moved_gradient{};
        moved[i] += change;
        add_gradient<program>(moved.data(), moved_gradient.data(), int(N));
        return moved_gradient[row];
      });
    };
    double expected = 0;
    __enzyme_autodiff<void>((void *)slope<program>, enzyme_dup, x.data(), of_slope.data(), enzyme_const, along.data(),
                            enzyme_const, int(N));
    __enzyme_autodiff<void>((void *)add_gradient<program>, enzyme_dup, x.data(), of_gradient.data(), enzyme_dup,
                            gradient.data(), seed.data(), enzyme_const, int(N));
    for (std::size_t i = 0; i < N; ++i) {
      const double entry = gradient_entry(i);
      expected += entry * other[i];
      expect_near_element(of_slope[i], entry, second_order_tolerance, "reverse over forward", i, file, line);
      expect_near_element(of_gradient[i], entry, second_order_tolerance, "reverse over reverse", i, file, line);
    }
    const double both = __enzyme_fwddiff<double>((void *)slope<program>, enzyme_dup, x.data(), other.data(),
                                                 enzyme_const, along.data(), enzyme_const, int(N));
    expect_near(both, expected, second_order_tolerance, "forward over forward", file, line);
  }
}

} // namespace

#define CHECK_TURNS(program)                                                                                           \
  for (int turn = 0; turn < 3; ++turn) {                                                                               \
    CHECK_FUNCTION(program, 0.7, 1.1, 0.4);                                                                            \
    CHECK_SECOND_ORDER(program, 0.7, 1.1, 0.4);                                                                        \
    check_other_second_orders<program>(Numbers<3>{0.7, 1.1, 0.4}, __FILE__, __LINE__);                                 \
  }

PLUGIN_TEST(GlobalsInTurns, of_an_array_that_is_not_cleared) {
  CHECK_TURNS(into_buckets);
}
PLUGIN_TEST(GlobalsInTurns, of_factors_that_other_code_changes) {
  CHECK_TURNS(with_factors);
  change_factors();
  CHECK_TURNS(with_factors);
}
PLUGIN_TEST(GlobalsInTurns, of_what_a_called_function_changes) {
  CHECK_TURNS(through_a_call);
}
PLUGIN_TEST(GlobalsInTurns, of_a_thread) {
  CHECK_TURNS(in_a_thread);
}
PLUGIN_TEST(GlobalsInTurns, of_a_pointer_to_a_constant_table) {
  CHECK_TURNS(points_to_a_table);
}
