// What the user reads when a call cannot be lowered: one error at the right line, exit code 1, never a crash.

#include "core/test/support/compile_and_run.hpp"
#include <gtest/gtest.h>

namespace assay::test {
namespace {

class ConventionError : public testing::TestWithParam<std::string> {
protected:
  ProcessResult errors(const std::string &source, std::vector<std::string> flags = {}) const {
    flags.push_back("-w");
    return compile({.source = "double __enzyme_autodiff(void *, ...);\ndouble __enzyme_fwddiff(void *, ...);\n"
                              "extern int enzyme_dup, enzyme_out, enzyme_const, enzyme_width;\n" +
                              source,
                    .level = GetParam(),
                    .flags = std::move(flags)});
  }
  void expect_error(const ProcessResult &result, const std::string &text) const {
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_NE(result.err.find("error: "), std::string::npos) << result.err;
    EXPECT_NE(result.err.find(text), std::string::npos) << result.err;
    EXPECT_EQ(result.err.find("Stack dump"), std::string::npos) << result.err;
  }
};

INSTANTIATE_TEST_SUITE_P(Levels, ConventionError, testing::Values("-O0", "-O2"),
                         [](const auto &info) { return info.param.substr(1); });

TEST_P(ConventionError, a_missing_shadow) {
  expect_error(errors("static double f(double *x) { return *x; }\n"
                      "int main() { double x; __enzyme_autodiff((void *)f, &x); }"),
               "'f' takes 1 argument, but the values given to __enzyme_autodiff end before argument 1 is complete");
}

TEST_P(ConventionError, too_many_arguments) {
  expect_error(errors("static double f(double x) { return x; }\n"
                      "int main() { return __enzyme_autodiff((void *)f, 1.0, 2.0); }"),
               "'f' takes 1 argument, but more are given to __enzyme_autodiff");
}

TEST_P(ConventionError, a_pointer_where_a_number_is_expected) {
  expect_error(errors("static double f(double x) { return x; }\n"
                      "int main(int n, char **a) { return __enzyme_autodiff((void *)f, &n); }"),
               "the value of argument 1 of 'f' has type ptr, which cannot be converted to double");
}

TEST_P(ConventionError, two_markers_before_one_argument) {
  expect_error(errors("static double f(double *x) { return *x; }\n"
                      "int main() { double x; return __enzyme_autodiff((void *)f, enzyme_dup, enzyme_const, &x); }"),
               "two markers, enzyme_dup and enzyme_const, stand before one argument");
}

TEST_P(ConventionError, a_marker_that_does_not_exist) {
  expect_error(errors("extern int enzyme_duplicate;\nstatic double f(double *x) { return *x; }\n"
                      "int main() { double x, d; return __enzyme_autodiff((void *)f, enzyme_duplicate, &x, &d); }"),
               "there is no marker 'enzyme_duplicate'");
}

TEST_P(ConventionError, a_promise_that_only_one_half_is_given) {
  expect_error(errors("void *__enzyme_augmentfwd(void *, ...);\nvoid __enzyme_reverse(void *, ...);\n"
                      "extern int enzyme_not_overwritten;\nstatic double f(double *x) { return *x * *x; }\n"
                      "void g(double *x, double *dx) {\n"
                      "  void *tape = __enzyme_augmentfwd((void *)f, enzyme_not_overwritten, enzyme_dup, x, dx);\n"
                      "  __enzyme_reverse((void *)f, enzyme_dup, x, dx, 1.0, tape);\n}"),
               "enzyme_not_overwritten stands at one of the two calls that differentiate 'f' and not at the other");
}

/// A pointer of __enzyme_todense in `main`, `pointer`, whose functions `load` and `store` take no further arguments.
class DensePointerError : public ConventionError {
protected:
  ProcessResult errors_of(const std::string &use, const std::string &declarations = "",
                          const std::string &store = "store") const {
    return errors("double *__enzyme_todense(void *, void *, ...);\n"
                  "static double load(long offset) { return offset == 0; }\n"
                  "static void store(double value, long offset) {}\n"
                  "static void store_float(float value, long offset) {}\n" +
                  declarations +
                  "\nint main(int count, char **words) {\n"
                  "  double x[2] = {1, 2}, *pointer = __enzyme_todense((void *)load, (void *)" +
                  store + ");\n  " + use + "\n}");
  }
};

INSTANTIATE_TEST_SUITE_P(Levels, DensePointerError, testing::Values("-O0", "-O2"),
                         [](const auto &info) { return info.param.substr(1); });

TEST_P(DensePointerError, a_function_that_stores_another_type) {
  expect_error(errors_of("return *pointer;", "", "store_float"),
               "'store_float' cannot write for a pointer of __enzyme_todense with 0 arguments");
}
TEST_P(DensePointerError, a_function_that_takes_more_than_is_given) {
  expect_error(errors_of("return *__enzyme_todense((void *)load_at, (void *)store);",
                         "static double load_at(long offset, int place) { return offset == place; }"),
               "'load_at' cannot read for a pointer of __enzyme_todense with 0 arguments");
}
TEST_P(DensePointerError, a_pointer_that_is_kept_in_memory) {
  expect_error(errors_of("kept = pointer;", "double *kept;"), "a pointer of __enzyme_todense is kept in memory");
}
TEST_P(DensePointerError, a_pointer_that_another_file_is_given) {
  expect_error(errors_of("other(pointer);", "void other(double *);"),
               "a pointer of __enzyme_todense is passed to 'other', whose body is not in this file");
}
TEST_P(DensePointerError, a_pointer_beside_others) {
  expect_error(errors_of("double *either = count > 1 ? x : pointer; return *either;"),
               "a pointer of __enzyme_todense is one of several pointers here");
}
TEST_P(DensePointerError, elements_of_another_size) {
  expect_error(errors_of("return *(float *)pointer;"),
               "4 bytes are accessed through a pointer of __enzyme_todense, whose elements have 8");
}

TEST_P(ConventionError, a_list_of_what_to_drop_where_there_is_no_tape) {
  expect_error(errors("extern int enzyme_drop_list;\nstatic double f(double x) { return x * x; }\n"
                      "double g(void **list) { return __enzyme_autodiff((void *)f, enzyme_drop_list, list, 1.0); }"),
               "enzyme_drop_list has no meaning for __enzyme_autodiff");
}

TEST_P(ConventionError, a_call_that_does_not_exist) {
  expect_error(errors("double __enzyme_gradient(void *, ...);\nstatic double f(double x) { return x; }\n"
                      "int main() { return __enzyme_gradient((void *)f, 1.0); }"),
               "there is no function '__enzyme_gradient' in the convention");
}

TEST_P(ConventionError, a_registered_derivative_that_leaves_out_a_tangent) {
  expect_error(errors("double f(double x) { return x * x; }\ndouble forward(double x) { return 2 * x; }\n"
                      "void *__enzyme_register_derivative_f[] = {(void *)f, (void *)forward};\n"
                      "double g(double x) { return f(x); }\n"
                      "int main() { return __enzyme_fwddiff((void *)g, 1.0, 1.0); }"),
               "the registered derivative 'forward' takes no tangent of argument 1, which carries a derivative");
}

constexpr const char *scaled_boxes = "extern int enzyme_const, enzyme_dup;\n"
                                     "struct Box { double factor; const double *x; };\n"
                                     "__attribute__((noinline)) double scaled(const struct Box *b) {\n"
                                     "  return b->factor * b->x[0];\n}\n"
                                     "double g(const double *x, double factor) {\n"
                                     "  struct Box b = {factor, x};\n  return scaled(&b);\n}\n";

TEST_P(ConventionError, a_registered_derivative_that_finds_constants_in_the_shadow_of_a_struct) {
  expect_error(
      errors(std::string(scaled_boxes) +
             "double forward(const struct Box *b, const struct Box *d) {\n"
             "  return d->factor * b->x[0] + b->factor * d->x[0];\n}\n"
             "void *__enzyme_register_derivative_f[] = {(void *)scaled, (void *)forward};\n"
             "double h(double *x) { return __enzyme_fwddiff((void *)g, enzyme_const, x, 2.0, 1.0); }"),
      "the registered derivative 'forward' reads numbers behind a pointer in the shadow of argument 1 that carry "
      "no derivative here");
}

TEST_P(ConventionError, a_registered_gradient_that_finds_constants_in_the_shadow_of_a_struct) {
  expect_error(
      errors(std::string(scaled_boxes) +
             "struct Taped { double *tape; double value; };\n"
             "struct Taped augmented(const struct Box *b, struct Box *d) {\n"
             "  return (struct Taped){0, b->factor * b->x[0]};\n}\n"
             "void reverse(const struct Box *b, struct Box *d, double seed, double *tape) {\n"
             "  d->factor += seed * b->x[0];\n  ((double *)d->x)[0] += seed * b->factor;\n}\n"
             "void *__enzyme_register_gradient_f[] = {(void *)scaled, (void *)augmented, (void *)reverse};\n"
             "double h(double *x) { return __enzyme_autodiff((void *)g, enzyme_const, x, 2.0); }"),
      "the registered derivative 'reverse' reads numbers behind a pointer in the shadow of argument 1 that carry "
      "no derivative here");
}

constexpr const char *two_arrays = "extern int enzyme_interleave;\nvoid __enzyme_autodiff_void(void *, ...);\n"
                                   "static double f(double *x, double *y) { return *x * *y; }\n";

TEST_P(ConventionError, interleaved_shadows_before_the_last_value) {
  expect_error(errors(std::string(two_arrays) + "int main() { double x, y, d, e; __enzyme_autodiff_void((void *)f, "
                                                "enzyme_dup, &x, enzyme_interleave, &d, enzyme_dup, &y, &e); }"),
               "enzyme_interleave stands before the value of argument 2 of 'f'");
  expect_error(errors(std::string(two_arrays) + "int main() { double x, y, d, e; __enzyme_autodiff_void((void *)f, &x, "
                                                "&y, enzyme_interleave, &d, enzyme_interleave, &e); }"),
               "a marker stands where the shadow of argument 2 of 'f' is expected");
}

TEST_P(ConventionError, an_interleaved_shadow_is_missing) {
  expect_error(errors(std::string(two_arrays) + "int main() { double x, y, d; __enzyme_autodiff_void((void *)f, "
                                                "enzyme_dup, &x, &y, enzyme_interleave, &d); }"),
               "the values given to __enzyme_autodiff end before argument 2 is complete");
}

TEST_P(ConventionError, a_batch_with_a_marker_of_derivatives) {
  expect_error(errors("typedef struct { double a, b; } Pair;\nPair __enzyme_batch(void *, ...);\n"
                      "static double f(double x) { return x; }\n"
                      "int main() { return __enzyme_batch((void *)f, enzyme_width, 2, enzyme_out, 1.0, 2.0).a; }"),
               "enzyme_out has no meaning for __enzyme_batch");
}

TEST_P(ConventionError, a_batch_with_one_value_for_two_lanes) {
  expect_error(errors("typedef struct { double a, b; } Pair;\nPair __enzyme_batch(void *, ...);\n"
                      "static double f(double x) { return x; }\n"
                      "int main() { return __enzyme_batch((void *)f, enzyme_width, 2, 1.0).a; }"),
               "the values given to __enzyme_batch end before argument 1 is complete");
}

TEST_P(ConventionError, a_trip_count_that_is_no_integer) {
  expect_error(errors("double __enzyme_iter(double, int);\n"
                      "static double f(double x) { return x * __enzyme_iter(3.0, 1); }\n"
                      "int main() { return __enzyme_autodiff((void *)f, 1.0); }"),
               "__enzyme_iter takes two integers and gives one");
}

TEST_P(ConventionError, a_rule_without_tape_that_writes_what_the_function_writes) {
  expect_error(errors("double f(double *x) { *x *= 2; return *x; }\n"
                      "void augmented(double *x, double *dx) { *x *= 2; }\n"
                      "void reverse(double *x, double *dx, double seed) { *dx = 2 * (*dx + seed); }\n"
                      "void *__enzyme_register_gradient_f[] = {(void *)f, (void *)augmented, (void *)reverse};\n"
                      "double g(double *x) { return f(x); }\n"
                      "int main() { double x, d; __enzyme_autodiff((void *)g, &x, &d); }"),
               "'augmented' returns nothing, so that the function itself is called for its result, and both write");
}

TEST_P(ConventionError, a_virtual_table_of_another_file) {
  expect_error(compile({.source = "extern \"C\" void *__enzyme_virtualreverse(void *);\n"
                                  "struct Shape { virtual double area(double) const; };\n"
                                  "int main() { Shape shape; return !__enzyme_virtualreverse(*(void **)&shape); }",
                        .language = Language::cpp,
                        .level = "-O2"}),
               "the virtual table given to __enzyme_virtualreverse is of another file");
}

TEST_P(ConventionError, out_in_forward_mode) {
  expect_error(errors("static double f(double x) { return x; }\n"
                      "int main() { return __enzyme_fwddiff((void *)f, enzyme_out, 1.0); }"),
               "marked enzyme_out, which has no meaning in forward mode");
}

TEST_P(ConventionError, an_unknown_function) {
  expect_error(
      errors("double grad(double (*f)(double), double x) { return __enzyme_autodiff((void *)f, x); }\nint main() {}"),
      "the function given to __enzyme_autodiff is not known when compiling");
}

TEST_P(ConventionError, no_function_at_all) {
  expect_error(errors("int main() { return __enzyme_autodiff((void *)0, 1.0); }"),
               "the function given to __enzyme_autodiff is not known when compiling");
  expect_error(
      errors("double __enzyme_autodiff_none();\nint main() { return __enzyme_autodiff_none(); }", {"-std=c17"}),
      "no function is given to __enzyme_autodiff");
}

TEST_P(ConventionError, the_same_reason_is_given_once) {
  const ProcessResult result =
      errors("double outside(double);\nstatic double f(double x) { return outside(x) * x; }\n"
             "double one(double x) { return __enzyme_autodiff((void *)f, x); }\n"
             "double two(double x) { return 2 * __enzyme_autodiff((void *)f, enzyme_out, x); }\n"
             "int main() { return one(1) + two(2) + __enzyme_autodiff((void *)f, 1.0); }",
             {"-c"});
  expect_error(result, "outside");
  EXPECT_EQ(result.err.find("error: ", result.err.find("error: ") + 1), std::string::npos) << result.err;
}

TEST_P(ConventionError, a_function_without_a_body_is_named_with_its_line) {
  const ProcessResult result = errors("double outside(double);\nstatic double f(double x) {\n  return outside(x); }\n"
                                      "int main() { return __enzyme_autodiff((void *)f, 1.0); }",
                                      {"-g"});
  expect_error(result, "in function 'f'");
  EXPECT_NE(result.err.find("program.c:6:"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("@outside"), std::string::npos) << result.err;
}

TEST_P(ConventionError, every_wrong_call_is_reported) {
  const ProcessResult result = errors("static double f(double x) { return x; }\nint main() {\n"
                                      "  __enzyme_autodiff((void *)f, 1.0, 2.0);\n  __enzyme_autodiff((void *)f);\n}",
                                      {"-g"});
  expect_error(result, "more are given");
  expect_error(result, "end before argument 1");
  EXPECT_NE(result.err.find("program.c:6:3: error"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("program.c:7:3: error"), std::string::npos) << result.err;
}

TEST_P(ConventionError, a_malformed_registration_table) {
  expect_error(errors("double f(double x) { return x; }\nvoid *__enzyme_register_gradient_f[] = {(void *)f};\n"
                      "int main() { return __enzyme_autodiff((void *)f, 1.0); }"),
               "registration table '__enzyme_register_gradient_f': it has 1 entry, but needs 3");
}

TEST_P(ConventionError, memory_for_tapes_of_threads_in_code_of_the_host) {
  expect_error(
      errors("extern int enzyme_tape_memory;\nstatic double f(double x) { return x * x; }\n"
             "double g(void *memory) { return __enzyme_autodiff((void *)f, enzyme_tape_memory, memory, 1.0); }"),
      "enzyme_tape_memory stands in code of the host");
}

TEST_P(ConventionError, a_result_of_the_wrong_shape) {
  expect_error(errors("static double f(double x, double y) { return x * y; }\n"
                      "int main() { return __enzyme_autodiff((void *)f, 1.0, 2.0); }"),
               "the derivative returns 2 values (double, double), but the call is declared to return double");
}

TEST(ConventionInOpt, an_error_makes_opt_fail) {
  const ProcessResult result =
      run_opt("declare double @__enzyme_autodiff(...)\ndefine double @f(double %x) { ret double %x }\n"
              "define double @g() {\n  %r = call double (...) @__enzyme_autodiff(ptr @f)\n  ret double %r\n}",
              "assay");
  EXPECT_NE(result.exit_code, 0);
  EXPECT_NE(result.err.find("end before argument 1"), std::string::npos) << result.err;
}

TEST(ConventionInOpt, a_call_is_lowered) {
  const ProcessResult result =
      run_opt("declare double @__enzyme_autodiff(...)\ndefine double @f(double %x) {\n  %y = fmul double %x, "
              "%x\n  ret double %y\n}\ndefine double @g() {\n  %r = call double (...) "
              "@__enzyme_autodiff(ptr @f, double 3.0)\n  ret double %r\n}",
              "assay");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out.find("__enzyme"), std::string::npos) << result.out;
}

} // namespace
} // namespace assay::test
