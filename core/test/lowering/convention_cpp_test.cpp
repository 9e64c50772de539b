// Programs in C++ to the convention, compiled with the plugin at every level and run.

#include "core/test/support/compile_and_run.hpp"
#include <gtest/gtest.h>

namespace assay::test {
namespace {

class ConventionCpp : public testing::TestWithParam<std::string> {
protected:
  std::string run(const std::string &functions, const std::string &body) const {
    return compile_and_run({.source = R"(
#include <cmath>
#include <cstdio>
#include <complex>
#include <stdexcept>
extern int enzyme_const, enzyme_dup, enzyme_dupnoneed, enzyme_out, enzyme_width, enzyme_primal_return;
)" + functions + "\nint main() {\n" + body +
                                      "\n}\n",
                            .language = Language::cpp,
                            .level = GetParam()})
        .output();
  }
};

INSTANTIATE_TEST_SUITE_P(Levels, ConventionCpp, testing::ValuesIn(optimisation_levels),
                         [](const auto &info) { return info.param.substr(1); });

constexpr const char *by_value = "template <class R, class... A> R __enzyme_autodiff(void *, A...);\n"
                                 "template <class R, class... A> R __enzyme_fwddiff(void *, A...);\n";
constexpr const char *by_reference = "template <class R, class... A> R __enzyme_autodiff(A &&...);\n";

TEST_P(ConventionCpp, templates_that_take_arguments_by_value) {
  EXPECT_EQ(run(std::string(by_value) + "static double f(double *x, double y) { return *x * y; }\n",
                R"(double x = 3, dx = 0;
double dy = __enzyme_autodiff<double>((void *)f, enzyme_dup, &x, &dx, enzyme_out, 5.0);
std::printf("%g %g", dx, dy);)"),
            "5 3");
}

TEST_P(ConventionCpp, templates_that_take_everything_by_forwarding_reference) {
  EXPECT_EQ(run(std::string(by_reference) + "static double f(double *x, double y, int n) { return *x * y * n; }\n",
                R"(double x = 3, dx = 0, y = 5; double *p = &x, *dp = &dx;
double dy = __enzyme_autodiff<double>((void *)f, enzyme_dup, p, dp, enzyme_out, y, enzyme_const, 2);
std::printf("%g %g", dx, dy);)"),
            "10 6");
}

TEST_P(ConventionCpp, typed_function_pointers_and_references) {
  EXPECT_EQ(run(std::string(by_value) +
                    "static double f(const double &x, double &y) { y = x * x; return y; }\n"
                    "template <class R, class F, class... A> R __enzyme_autodiff_typed(F *, A...);\n",
                R"(double x = 3, dx = 0, y = 0, dy = 0;
__enzyme_autodiff_typed<void>(f, &x, &dx, &y, &dy);
std::printf("%g", dx);)"),
            "6");
}

TEST_P(ConventionCpp, lambdas_without_captures) {
  EXPECT_EQ(run(by_value, R"(auto f = [](double x) { return x * x; };
std::printf("%g ", __enzyme_autodiff<double>((void *)static_cast<double (*)(double)>(f), 3.0));
std::printf("%g", __enzyme_autodiff<double>((void *)+[](double x) { return x * x * x; }, 2.0));)"),
            "6 12");
}

TEST_P(ConventionCpp, wrappers_in_templates_with_function_parameters) {
  EXPECT_EQ(
      run(std::string(by_value) + R"(
template <class F> double derivative(F f, double x) { return __enzyme_autodiff<double>((void *)f, x); }
template <double (*f)(double)> double fixed(double x) { return __enzyme_autodiff<double>((void *)f, x); }
struct Differentiator {
  double (*f)(double);
  double operator()(double x) const { return __enzyme_autodiff<double>((void *)f, x); }
};
static double square(double x) { return x * x; }
static double cube(double x) { return x * x * x; }
)",
          R"(std::printf("%g %g %g %g", derivative(square, 3.0), derivative(cube, 3.0), fixed<square>(4.0), Differentiator{cube}(1.0));)"),
      "6 27 8 3");
}

TEST_P(ConventionCpp, wrappers_that_forward_markers_and_values) {
  EXPECT_EQ(run(std::string(by_value) + R"(
static double f(double *x, double y) { return *x * y; }
template <class... A> double gradient(A &&...a) { return __enzyme_autodiff<double>((void *)f, std::forward<A>(a)...); }
template <class F, class... A> double outer(F g, A... a) { return g(a...); }
)",
                R"(double x = 3, dx = 0, y = 5;
double dy = gradient(enzyme_dup, &x, &dx, enzyme_out, y);
outer([](auto... a) { return gradient(a...); }, enzyme_dup, &x, &dx, enzyme_const, 5.0);
std::printf("%g %g", dx, dy);)"),
            "10 3");
}

TEST_P(ConventionCpp, members_and_function_objects) {
  EXPECT_EQ(run(std::string(by_value) + R"(
struct Line {
  double slope, offset;
  double at(double x) const { return slope * x * x + offset; }
  static double call(const Line *line, double x) { return line->at(x); }
};
template <class F> double derivative(const F &f, double x) {
  return __enzyme_autodiff<double>((void *)+[](const F *g, double y) { return (*g)(y); }, enzyme_const, (void *)&f, enzyme_out, x);
}
)",
                R"(Line line{3, 1}, d{0, 0};
double dx = __enzyme_autodiff<double>((void *)Line::call, &line, &d, 2.0);
double k = 4;
std::printf("%g %g %g; %g", dx, d.slope, d.offset, derivative([&](double x) { return k * x * x * x; }, 1.0));)"),
            "12 4 1; 12");
}

TEST_P(ConventionCpp, structs_of_two_registers_are_one_argument) {
  EXPECT_EQ(run(std::string(by_value) + R"(
struct Point { double x, y; };
static double f(Point p, double s) { return p.x * p.y * s; }
static Point g(Point p) { return {p.x * p.y, p.x + p.y}; }
struct Gradient { Point p; double s; };
)",
                R"(Gradient r = __enzyme_autodiff<Gradient>((void *)f, Point{2, 3}, 5.0);
double t = __enzyme_fwddiff<double>((void *)f, Point{2, 3}, Point{1, 10}, enzyme_const, 5.0);
Point u = __enzyme_fwddiff<Point>((void *)g, Point{2, 3}, Point{1, 10});
std::printf("%g %g %g; %g; %g %g", r.p.x, r.p.y, r.s, t, u.x, u.y);)"),
            "15 10 6; 115; 23 11");
}

TEST_P(ConventionCpp, markers_of_every_kind_of_declaration) {
  EXPECT_EQ(run(R"(
namespace mine { inline int enzyme_dup; }
static thread_local int enzyme_dupnoneed_local;
extern thread_local int tls_marker __asm__("enzyme_nofree");
template <class... A> double __enzyme_autodiff(void *, A...);
static double f(double *x, double y) { return *x * y; }
)",
                R"(double x = 3, dx = 0;
__enzyme_autodiff((void *)f, mine::enzyme_dup, &x, &dx, enzyme_const, 5.0);
std::printf("%g", dx);)"),
            "5");
}

TEST_P(ConventionCpp, tables_that_are_filled_at_start_up_and_inline_tables) {
  EXPECT_EQ(run(std::string(by_value) + R"(
__attribute__((noinline)) double f(double x) { return x; }
struct Augmented { void *tape; double value; };
auto augmented = [](double x) { return Augmented{nullptr, x}; };
__attribute__((used)) static void *__enzyme_register_gradient_f[] = {(void *)f, (void *)static_cast<Augmented (*)(double)>(augmented),
                                               (void *)+[](double x, double seed, void *) { return 7 * seed; }};
static double h(double x) { return 1; }
__attribute__((used)) inline void *__enzyme_inactivefn_h = (void *)h;
static double g(double x) { return f(x) + x * h(x); }
)",
                R"(std::printf("%g", __enzyme_autodiff<double>((void *)g, 3.0));)"),
            "8");
}

TEST_P(ConventionCpp, exceptions_of_the_primal_reach_the_caller) {
  EXPECT_EQ(run(std::string(by_value) + R"(
static double f(double x) { if (x < 0) throw std::runtime_error("negative"); return x * x; }
)",
                R"(try {
  std::printf("%g ", __enzyme_autodiff<double>((void *)f, 3.0));
  std::printf("%g ", __enzyme_autodiff<double>((void *)f, -3.0));
} catch (const std::exception &error) { std::printf("%s", error.what()); })"),
            "6 negative");
}

TEST_P(ConventionCpp, output_streams_inside_are_inactive) {
  EXPECT_EQ(compile_and_run({.source = R"(
#include <iostream>
template <class R, class... A> R __enzyme_autodiff(void *, A...);
static double f(double x) { std::cout << "x=" << x << "\n"; return x * x; }
int main() { std::cout << __enzyme_autodiff<double>((void *)f, 3.0); })",
                             .language = Language::cpp,
                             .level = GetParam()})
                .output(),
            "x=3\n6");
}

} // namespace
} // namespace assay::test
