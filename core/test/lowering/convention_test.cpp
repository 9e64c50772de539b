// Programs in C to the convention, compiled with the plugin at every level and run.

#include "core/test/support/compile_and_run.hpp"
#include <gtest/gtest.h>

namespace assay::test {
namespace {

class Convention : public testing::TestWithParam<std::string> {
protected:
  /// What a C program prints; `body` is that of main.
  std::string run(const std::string &functions, const std::string &body) const {
    return compile_and_run({.source = R"(
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern int enzyme_const, enzyme_dup, enzyme_dupnoneed, enzyme_out, enzyme_width, enzyme_dupv, enzyme_primal_return;
extern int enzyme_tape, enzyme_allocated, enzyme_nofree, enzyme_noret, enzyme_const_return, enzyme_runtime_activity;
extern int enzyme_vector, enzyme_scalar;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
)" + functions + "\nint main() {\n" + body +
                                      "\n}\n",
                            .level = GetParam()})
        .output();
  }
};

std::vector<std::string> levels_and_size() {
  std::vector<std::string> levels = optimisation_levels;
  levels.push_back("-Os");
  return levels;
}
INSTANTIATE_TEST_SUITE_P(Levels, Convention, testing::ValuesIn(levels_and_size()),
                         [](const auto &info) { return info.param.substr(1); });

constexpr const char *square = "static double square(double x) { return x * x; }\n";
constexpr const char *product = "static double product(double x, double y) { return x * y; }\n";

TEST_P(Convention, the_derivative_of_a_scalar_function_in_both_modes) {
  EXPECT_EQ(
      run(square,
          R"(printf("%g %g", __enzyme_autodiff((void *)square, 3.0), __enzyme_fwddiff((void *)square, 3.0, 2.0));)"),
      "6 12");
}

TEST_P(Convention, suffixed_and_typed_declarations_count) {
  EXPECT_EQ(
      run(std::string(square) + R"(
double __enzyme_autodiff_typed(double (*)(double), double);
float square_float(float x) { return x * x; }
float __enzyme_autodiff_float(void *, ...);
double __enzyme_fwddiff1(double (*)(double), double, double);
)",
          R"(printf("%g %g %g", __enzyme_autodiff_typed(square, 3.0), __enzyme_autodiff_float((void *)square_float, 4.0f),
                          __enzyme_fwddiff1(square, 5.0, 1.0));)"),
      "6 8 10");
}

TEST_P(Convention, unprototyped_declarations_count) {
  EXPECT_EQ(
      compile_and_run(
          {.source =
               "#include <stdio.h>\ndouble __enzyme_autodiff();\nfloat __enzyme_autodiff_f();\n"
               "double square(double x) { return x * x; }\nfloat half(float x) { return x / 2; }\n"
               "int main() { printf(\"%g %g\", __enzyme_autodiff(square, 3.0), __enzyme_autodiff_f(half, 3.0f)); }",
           .level = GetParam(),
           .flags = {"-std=c17", "-w"}})
          .output(),
      "6 0.5");
}

TEST_P(Convention, several_gradients_come_as_a_struct) {
  EXPECT_EQ(run(std::string(product) + R"(
typedef struct { double dx, dy; } Gradient;
Gradient __enzyme_autodiff_pair(void *, ...);
typedef struct { double value, dx, dy; } ValueAndGradient;
ValueAndGradient __enzyme_autodiff_value(void *, ...);
static float product_float(float x, float y, float z) { return x * y * z; }
typedef struct { float dx, dy, dz; } FloatGradient;
FloatGradient __enzyme_autodiff_floats(void *, ...);
typedef struct { float dx, dy; } FloatPair;
FloatPair __enzyme_autodiff_float_pair(void *, ...);
)",
                R"(
Gradient g = __enzyme_autodiff_pair((void *)product, 3.0, 5.0);
ValueAndGradient v = __enzyme_autodiff_value((void *)product, enzyme_primal_return, 3.0, 5.0);
FloatGradient f = __enzyme_autodiff_floats((void *)product_float, 2.0f, 3.0f, 5.0f);
FloatPair p = __enzyme_autodiff_float_pair((void *)product_float, 2.0f, enzyme_const, 3.0f, 5.0f);
printf("%g %g; %g %g %g; %g %g %g; %g %g", g.dx, g.dy, v.value, v.dx, v.dy, f.dx, f.dy, f.dz, p.dx, p.dy);)"),
            "5 3; 15 5 3; 15 10 6; 15 6");
}

TEST_P(Convention, a_constant_argument_has_no_derivative) {
  EXPECT_EQ(run(product, R"(printf("%g %g", __enzyme_autodiff((void *)product, enzyme_const, 3.0, enzyme_out, 5.0),
                                   __enzyme_fwddiff((void *)product, enzyme_dup, 3.0, 1.0, enzyme_const, 5.0));)"),
            "3 5");
}

constexpr const char *dot = R"(
static double dot(const double *x, const double *y, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x[i] * y[i];
  return sum;
}
)";

TEST_P(Convention, pointers_take_shadows_and_gradients_are_added) {
  EXPECT_EQ(run(dot, R"(
double x[3] = {1, 2, 3}, y[3] = {4, 5, 6}, dx[3] = {100, 0, 0}, dy[3] = {0};
__enzyme_autodiff((void *)dot, x, dx, y, dy, 3);
__enzyme_autodiff((void *)dot, enzyme_dup, x, dx, enzyme_const, y, enzyme_const, 3);
printf("%g %g %g %g %g %g", dx[0], dx[1], dx[2], dy[0], dy[1], dy[2]);)"),
            "108 10 12 1 2 3");
}

TEST_P(Convention, forward_mode_returns_primal_and_tangent_on_request) {
  EXPECT_EQ(run(std::string(square) +
                    "typedef struct { double value, tangent; } Pair;\nPair __enzyme_fwddiff_pair(void *, ...);\n",
                R"(Pair p = __enzyme_fwddiff_pair((void *)square, enzyme_primal_return, enzyme_dup, 3.0, 1.0);
printf("%g %g", p.value, p.tangent);)"),
            "9 6");
}

TEST_P(Convention, width_gives_one_tangent_for_each_lane) {
  EXPECT_EQ(
      run(std::string(product) +
              "typedef struct { double lane[3]; } Lanes;\nLanes __enzyme_fwddiff_lanes(void *, ...);\n",
          R"(Lanes t = __enzyme_fwddiff_lanes((void *)product, enzyme_width, 3, enzyme_dup, 3.0, 1.0, 0.0, 2.0, enzyme_dup,
                                                    5.0, 0.0, 1.0, 3.0);
printf("%g %g %g", t.lane[0], t.lane[1], t.lane[2]);)"),
      "5 3 19");
}

TEST_P(Convention, strided_shadows_lie_in_one_buffer) {
  EXPECT_EQ(
      run(std::string(dot) + "typedef struct { double lane[2]; } Lanes;\nLanes __enzyme_fwddiff_lanes(void *, ...);\n",
          R"(double x[3] = {1, 2, 3}, y[3] = {4, 5, 6}, dx[6] = {1, 0, 0, 0, 1, 0};
Lanes t = __enzyme_fwddiff_lanes((void *)dot, enzyme_width, 2, enzyme_dupv, sizeof(double) * 3, x, dx, enzyme_const, y, 3);
printf("%g %g", t.lane[0], t.lane[1]);)"),
      "4 5");
}

TEST_P(Convention, a_marker_in_a_variable_and_one_that_is_defined_are_markers) {
  EXPECT_EQ(compile_and_run({.source = R"(
#include <stdio.h>
int enzyme_const;
const int enzyme_dup = 1;
static int enzyme_out = 2;
double __enzyme_autodiff(void *, ...);
static double f(double *x, double y, double z) { return *x * y * z; }
int main() {
  double x = 2, dx = 0;
  int kind = enzyme_dup;
  double dz = __enzyme_autodiff((void *)f, kind, &x, &dx, enzyme_const, 3.0, enzyme_out, 5.0);
  printf("%g %g", dx, dz);
})",
                             .level = GetParam()})
                .output(),
            "15 6");
}

TEST_P(Convention, the_function_may_come_through_a_variable_or_a_wrapper) {
  EXPECT_EQ(run(std::string(square) + R"(
static double cube(double x) { return x * x * x; }
static double derivative(double (*f)(double), double x) { return __enzyme_autodiff((void *)f, x); }
static double twice_wrapped(double (*f)(double), double x) { return derivative(f, x); }
)",
                R"(double (*f)(double) = square;
void *p = (void *)f;
printf("%g %g %g", __enzyme_autodiff(p, 3.0), derivative(cube, 2.0), twice_wrapped(square, 5.0));)"),
            "6 12 10");
}

constexpr const char *choice = R"(
static double cube(double x) { return x * x * x; }
double (*choose(int n))(double);
__attribute__((noinline)) double (*choose(int n))(double) { return n == 1 ? square : n == 2 ? cube : (double (*)(double))&abs; }
)";

TEST_P(Convention, a_function_that_is_only_known_at_run_time_is_found_by_its_address) {
  EXPECT_EQ(run(square + std::string(choice), R"(
printf("%g", __enzyme_autodiff((void *)choose(1), 3.0));
printf(" %g", __enzyme_autodiff((void *)choose(2), 3.0));)"),
            "6 27");
}

TEST_P(Convention, a_function_that_asks_for_the_derivative_is_not_differentiated_itself) {
  EXPECT_EQ(run(R"(
static void (*volatile hook)(double *);
__attribute__((noinline)) double f(double *x) { double y = *x * *x; if (y > 100) hook(&y); return y; }
void program(double *x) { double dx = 0; __enzyme_autodiff((void *)f, enzyme_dup, x, &dx); printf("%g", dx); }
)",
                "double x = 3;\nhook = program;\nprogram(&x);"),
            "6");
}

TEST_P(Convention, a_function_that_no_derivative_was_made_for_ends_the_program_with_a_message) {
  EXPECT_NE(
      run(square + std::string(choice), R"(printf("%g", __enzyme_autodiff((void *)choose(3), 3.0));)").find("assay: "),
      std::string::npos);
}

TEST_P(Convention, structs_by_value_are_out_by_default_and_return_their_gradient) {
  EXPECT_EQ(run(R"(
typedef struct { double a, b, c; } Big;
typedef struct { double a, b; } Small;
static double big(Big p) { return p.a * p.b + p.c; }
static double small(Small p) { return p.a * p.b; }
Big __enzyme_autodiff_big(void *, ...);
Small __enzyme_autodiff_small(void *, ...);
)",
                R"(Big p = {2, 3, 5}; Small q = {2, 3};
Big dp = __enzyme_autodiff_big((void *)big, p);
Small dq = __enzyme_autodiff_small((void *)small, q);
printf("%g %g %g; %g %g", dp.a, dp.b, dp.c, dq.a, dq.b);)"),
            "3 2 1; 3 2");
}

TEST_P(Convention, structs_by_value_are_followed_by_their_shadow_however_registers_carry_them) {
  EXPECT_EQ(run(R"(
typedef struct { double a, b; } Small;
typedef struct { double a, b, c; } Big;
typedef struct { double *data; long size; } View;
static double small(Small s, double k) { return s.a * s.b * k; }
static double both(Big b, Small s) { return b.a * b.b * b.c * s.a; }
static double view(View v) { double sum = 0; for (long i = 0; i < v.size; ++i) sum += v.data[i] * v.data[i]; return sum; }
static double complex_product(double _Complex z) { return __real__ z * __imag__ z; }
)",
                R"(Small s = {2, 3}, ds = {1, 10}; Big b = {2, 3, 4}, db = {1, 0, 0};
double data[2] = {1, 2}, shadow[2] = {0, 0}; View v = {data, 2}, dv = {shadow, 2};
double _Complex z = 2.0 + 3.0 * 1.0i, dz = 1.0 + 10.0 * 1.0i;
printf("%g ", __enzyme_fwddiff((void *)small, s, ds, enzyme_const, 5.0));
printf("%g ", __enzyme_fwddiff((void *)both, b, db, s, ds));
printf("%g ", __enzyme_fwddiff((void *)complex_product, z, dz));
__enzyme_autodiff((void *)view, v, dv);
printf("%g %g", shadow[0], shadow[1]);)"),
            "115 48 23 2 4");
}

TEST_P(Convention, returned_structs_have_tangents) {
  EXPECT_EQ(run(R"(
typedef struct { double a, b, c; } Big;
typedef struct { double a, b; } Small;
static Big big(double x) { Big r = {x, x * x, x * x * x}; return r; }
static Small small(double x) { Small r = {x * x, 3 * x}; return r; }
Big __enzyme_fwddiff_big(void *, ...);
Small __enzyme_fwddiff_small(void *, ...);
)",
                R"(Big b = __enzyme_fwddiff_big((void *)big, 2.0, 1.0);
Small s = __enzyme_fwddiff_small((void *)small, 2.0, 1.0);
printf("%g %g %g; %g %g", b.a, b.b, b.c, s.a, s.b);)"),
            "1 4 12; 4 3");
}

TEST_P(Convention, every_lane_of_a_reverse_pass_has_its_own_gradient) {
  EXPECT_EQ(run(R"(
typedef struct { double a, b, c; } Big;
typedef struct { Big lane[2]; } Lanes;
Lanes __enzyme_autodiff_lanes(void *, ...);
static double volume(Big b) { return b.a * b.b * b.c; }
static double scaled(double *x, double s) { return x[0] * x[1] * s; }
)",
                R"(Lanes r = __enzyme_autodiff_lanes((void *)volume, enzyme_width, 2, (Big){2, 3, 4});
double x[2] = {3, 4}, d1[2] = {0}, d2[2] = {10, 20}, strided[4] = {0};
__enzyme_autodiff((void *)scaled, enzyme_width, 2, enzyme_dup, x, d1, d2, enzyme_const, 2.0);
__enzyme_autodiff((void *)scaled, enzyme_width, 2, enzyme_dupv, sizeof x, x, strided, enzyme_const, 2.0);
printf("%g %g %g; %g %g %g %g; %g %g %g %g", r.lane[1].a, r.lane[1].b, r.lane[1].c, d1[0], d1[1], d2[0], d2[1], strided[0],
       strided[1], strided[2], strided[3]);)"),
            "12 8 6; 8 6 18 26; 8 6 8 6");
}

TEST_P(Convention, a_large_returned_struct_has_primal_lanes_and_unit_seeds) {
  EXPECT_EQ(run(R"(
typedef struct { double a, b, c; } Big;
typedef struct { Big primal, tangent; } Both;
typedef struct { Big lane[2]; } Lanes;
Both __enzyme_fwddiff_both(void *, ...);
Lanes __enzyme_fwddiff_lanes(void *, ...);
static Big powers(double x) { Big b = {x, x * x, x * x * x}; return b; }
)",
                R"(Both both = __enzyme_fwddiff_both((void *)powers, enzyme_primal_return, 2.0, 1.0);
Lanes lanes = __enzyme_fwddiff_lanes((void *)powers, enzyme_width, 2, 2.0, 1.0, 2.0);
printf("%g %g; %g %g; %g", both.primal.c, both.tangent.c, lanes.lane[0].b, lanes.lane[1].b, __enzyme_autodiff((void *)powers, 2.0));)"),
            "8 12; 4 8; 17");
}

TEST_P(Convention, branches_with_different_functions_and_markers_are_not_merged) {
  EXPECT_EQ(run(std::string(square) + product + R"(
static double cube(double x) { return x * x * x; }
__attribute__((noinline)) double either(int first, double x) {
  if (first)
    return __enzyme_autodiff((void *)square, x);
  return __enzyme_autodiff((void *)cube, x);
}
__attribute__((noinline)) double side(int first, double x) {
  if (first)
    return __enzyme_autodiff((void *)product, enzyme_const, x, enzyme_out, 2.0);
  return __enzyme_autodiff((void *)product, enzyme_out, x, enzyme_const, 2.0);
}
)",
                R"(printf("%g %g %g %g", either(1, 3.0), either(0, 3.0), side(1, 3.0), side(0, 3.0));)"),
            "6 27 3 2");
}

TEST_P(Convention, split_mode_hands_a_tape_from_the_augmented_to_the_reverse_pass) {
  EXPECT_EQ(run(std::string(dot) + R"(
typedef struct { void *tape; double value; } Augmented;
Augmented __enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);
)",
                R"(double x[3] = {1, 2, 3}, y[3] = {4, 5, 6}, dx[3] = {0}, dy[3] = {0};
Augmented a = __enzyme_augmentfwd((void *)dot, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, 3);
__enzyme_reverse((void *)dot, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, 3, 2.0, a.tape);
printf("%g %g %g", a.value, dx[1], dy[2]);)"),
            "32 10 6");
}

TEST_P(Convention, the_caller_may_own_the_tape) {
  EXPECT_EQ(run(R"(
static double f(double *x) { double y = sin(*x); *x = y; return y * y; }
double __enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);
size_t __enzyme_augmentsize(void *, ...);
)",
                R"(double x = 0.5, dx = 0;
size_t size = __enzyme_augmentsize((void *)f, enzyme_dup);
void *tape = malloc(size);
__enzyme_augmentfwd((void *)f, enzyme_allocated, size, enzyme_tape, tape, &x, &dx);
__enzyme_reverse((void *)f, enzyme_allocated, size, enzyme_tape, tape, &x, &dx, 1.0);
printf("%.6f %.6f", dx, 2 * sin(0.5) * cos(0.5));
free(tape);)"),
            "0.841471 0.841471");
}

TEST_P(Convention, derivatives_of_derivatives) {
  EXPECT_EQ(run(R"(
static double cube(double x) { return x * x * x; }
static double slope(double x) { return __enzyme_autodiff((void *)cube, x); }
static double slope_forward(double x) { return __enzyme_fwddiff((void *)cube, x, 1.0); }
)",
                R"(printf("%g %g %g", __enzyme_fwddiff((void *)slope, 2.0, 1.0), __enzyme_autodiff((void *)slope, 2.0),
                          __enzyme_autodiff((void *)slope_forward, 2.0));)"),
            "12 12 12");
}

TEST_P(Convention, library_functions_can_be_differentiated_directly) {
  EXPECT_EQ(
      run("",
          R"(printf("%.4f %.4f", __enzyme_autodiff((void *)(double (*)(double))sin, 0.0), __enzyme_fwddiff((void *)(double (*)(double, double))pow, 3.0, 1.0, enzyme_const, 2.0));)"),
      "1.0000 6.0000");
}

TEST_P(Convention, registered_derivatives_are_used_instead_of_the_body) {
  EXPECT_EQ(
      run(R"(
double f(double x) { return x * x; }
typedef struct { void *tape; double value; } Augmented;
Augmented augmented(double x) { return (Augmented){NULL, x * x}; }
double reverse(double x, double seed, void *tape) { return seed * 100; }
double forward(double x, double dx) { return dx * 1000; }
void *__enzyme_register_gradient_f[] = {(void *)f, (void *)augmented, (void *)reverse};
void *__enzyme_register_derivative_f[] = {(void *)f, (void *)forward};
double g(double x) { return 3 * f(x); }
)",
          R"(printf("%g %g %g", __enzyme_autodiff((void *)g, 2.0), __enzyme_fwddiff((void *)g, 2.0, 1.0), __enzyme_autodiff((void *)f, 2.0));)"),
      "300 3000 100");
}

TEST_P(Convention, inactive_functions_and_functions_like_others) {
  EXPECT_EQ(run(R"c(
static double scale(double x) { return 2 * x; }
static double my_log(double x) { return 5; }
void *__enzyme_inactivefn_scale[] = {(void *)scale};
void *__enzyme_function_like_log[] = {(void *)my_log, (void *)"log1p"};
static double f(double x) {
    return x * scale(x) + my_log(x); }
)c",
                R"(printf("%g", __enzyme_autodiff((void *)f, 3.0));)"),
            "6.25");
}

TEST_P(Convention, attributes_and_unused_static_tables_need_no_other_flag) {
  EXPECT_EQ(run(R"c(
__attribute__((enzyme_inactive)) static double scale(double x) { return 2 * x; }
__attribute__((enzyme_function_like("log1p"))) static double my_log(double x) { return 5; }
__attribute__((enzyme_inactive)) static double state = 3;
double g(double x) { return x; }
typedef struct { void *tape; double value; } Augmented;
static Augmented augmented(double x) { return (Augmented){NULL, x}; }
static double reverse(double x, double seed, void *tape) { return 100 * seed; }
static void *__enzyme_register_gradient_g[] = {(void *)g, (void *)augmented, (void *)reverse};
static double f(double x) { return x * scale(x) + my_log(x) + g(x) * state; }
)c",
                R"(printf("%g", __enzyme_autodiff((void *)f, 3.0));)"),
            "306.25");
}

TEST_P(Convention, ignored_derivatives_and_hints) {
  EXPECT_EQ(run(R"(
double __enzyme_ignore_derivatives(double);
void __enzyme_double(void *, size_t);
static double f(double *x) { __enzyme_double(x, 8); return x[0] * __enzyme_ignore_derivatives(x[0]); }
)",
                R"(double x = 3, dx = 0; __enzyme_autodiff((void *)f, &x, &dx); printf("%g %g", dx, f(&x));)"),
            "3 9");
}

TEST_P(Convention, a_batch_calls_the_function_for_each_lane) {
  EXPECT_EQ(
      run(std::string(product) + "typedef struct { double a, b; } Pair;\nPair __enzyme_batch(void *, ...);\n",
          R"(Pair p = __enzyme_batch((void *)product, enzyme_width, 2, enzyme_vector, 2.0, 3.0, enzyme_scalar, 5.0);
printf("%g %g", p.a, p.b);)"),
      "10 15");
}

} // namespace
} // namespace assay::test
