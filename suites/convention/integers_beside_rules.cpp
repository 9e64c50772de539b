// Functions with registered rules that write integers through a pointer that is constant: a counter, a status, a
// permutation, the state of a generator. With run-time activity they were refused, as if the integers carried a
// derivative, in the mode that has no rule, too.
#include "support/plugin_test.hpp"

extern "C" {
extern int enzyme_dup, enzyme_const, enzyme_runtime_activity;
void __enzyme_fwddiff_beside_integers(void *, ...);
void __enzyme_autodiff_beside_integers(void *, ...);
}

namespace integers_beside_rules {

struct State {
  unsigned long long word;
  int draws;
};

__attribute__((noinline)) static void twice(const double *x, int *count, char *text, State *state, double *y) {
  ++*count;
  text[0] = *x > 0 ? '+' : '-';
  state->word = state->word * 6364136223846793005ULL + 1442695040888963407ULL;
  state->draws += static_cast<int>(state->word >> 63);
  *y = 2 * *x;
}
static void *twice_augmented(const double *x, double *, int *count, int *, char *text, char *, State *state, State *,
                             double *y, double *) {
  twice(x, count, text, state, y);
  return nullptr;
}
static void twice_reverse(const double *, double *dx, int *, int *, char *, char *, State *, State *, double *,
                          double *dy, void *) {
  *dx += 2 * *dy;
  *dy = 0;
}
extern "C" {
void *__enzyme_register_gradient_twice_beside_integers[] = {reinterpret_cast<void *>(twice),
                                                            reinterpret_cast<void *>(twice_augmented),
                                                            reinterpret_cast<void *>(twice_reverse)};
}

static void square_of_twice(const double *x, int *count, char *text, State *state, double *y) {
  twice(x, count, text, state, y);
  *y *= *y;
}

template <class... Marker>
[[gnu::always_inline]] static inline void expect_both_modes(Marker... marker) {
  double x = 3, dx = 1, y = 0, dy = 0;
  int count = 0;
  char text[2] = {};
  State state{1, 0};
  __enzyme_fwddiff_beside_integers(reinterpret_cast<void *>(square_of_twice), marker..., enzyme_dup, &x, &dx,
                                   enzyme_const, &count, enzyme_const, text, enzyme_const, &state, enzyme_dup, &y, &dy);
  EXPECT_SAME(dy, 24);
  EXPECT_SAME(count, 1);
  EXPECT_HOLDS(text[0] == '+');
  dx = 0, dy = 1;
  __enzyme_autodiff_beside_integers(reinterpret_cast<void *>(square_of_twice), marker..., enzyme_dup, &x, &dx,
                                    enzyme_const, &count, enzyme_const, text, enzyme_const, &state, enzyme_dup, &y,
                                    &dy);
  EXPECT_SAME(dx, 24);
  EXPECT_SAME(count, 2);
}

PLUGIN_TEST(IntegersBesideRules, AreWrittenWithAndWithoutRunTimeActivity) {
  expect_both_modes();
  expect_both_modes(enzyme_runtime_activity);
}

} // namespace integers_beside_rules
