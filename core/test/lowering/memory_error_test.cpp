// Derivatives that have nowhere to go are errors, not zeros.

#include "core/test/support/compile_and_run.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::HasSubstr;

namespace assay::test {
namespace {

class MemoryError : public testing::TestWithParam<std::string> {
protected:
  std::string errors(const std::string &source, Language language = Language::c) const {
    const ProcessResult result =
        compile({.source = source, .language = language, .level = GetParam(), .flags = {"-w"}});
    EXPECT_EQ(result.exit_code, 1);
    return result.err;
  }
};

INSTANTIATE_TEST_SUITE_P(Levels, MemoryError, testing::Values("-O0", "-O2"),
                         [](const auto &info) { return info.param.substr(1); });

constexpr const char *temporary = R"(
void __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const, enzyme_runtime_activity;
double f(double *x, double *temporary, int n) {
  for (int i = 0; i < n; i++)
    temporary[i] = x[i] * x[i];
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += temporary[i];
  return sum;
}
int main() {
  double x[3] = {1, 2, 3}, dx[3] = {0}, t[3];
)";

TEST_P(MemoryError, temporary_memory_that_is_declared_constant) {
  EXPECT_THAT(errors(std::string(temporary) +
                     "__enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, t, enzyme_const, 3); }"),
              HasSubstr("memory that is declared constant is used where a derivative may be stored"));
}

TEST_P(MemoryError, run_time_activity_cannot_find_a_shadow_either) {
  EXPECT_THAT(errors(std::string(temporary) + "__enzyme_autodiff((void *)f, enzyme_runtime_activity, enzyme_dup, x, "
                                              "dx, enzyme_const, t, enzyme_const, 3); }"),
              HasSubstr("memory declared constant keeps values that carry a derivative (argument 2)"));
}

// Constant memory that is only read beside active memory needs no option: suites/memory/constant_beside_active.cpp.
TEST_P(MemoryError, a_pointer_to_active_or_constant_memory_that_is_written) {
  EXPECT_THAT(errors(R"(
double __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;
__attribute__((noinline)) void put(double *to, double value) { *to = value; }
double f(double *x, double *y, int n) {
  put(n > 2 ? x : y, x[1] * x[1]);
  return x[0] * y[0];
}
int main() {
  double x[2] = {1, 2}, dx[2] = {0}, y[2] = {3, 4};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, y, enzyme_const, 3);
})"),
              HasSubstr("memory that is declared constant is used where a derivative may be stored"));
}

// Without its address, a shadow cannot be left out of a rule.
constexpr const char *keeping_rule = R"(
void __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;
double *kept;
__attribute__((noinline)) double product(const double *x, const double *y) { return x[0] * y[0]; }
struct taped { void *tape; double value; } product_augmented(const double *x, double *dx, const double *y, double *dy) {
  kept = dy;
  return (struct taped){0, x[0] * y[0]};
}
void product_reverse(const double *x, double *dx, const double *y, double *dy, double seed, void *tape) {
  dx[0] += seed * y[0];
  kept[0] += seed * x[0];
}
void *__enzyme_register_gradient_product[] = {(void *)product, (void *)product_augmented, (void *)product_reverse};
double f(const double *x, const double *y) { return product(x, y); }
int main() {
  double x = 1, y = 2, dx = 0;
)";

TEST_P(MemoryError, a_rule_that_keeps_the_shadow_of_constant_memory) {
  EXPECT_THAT(
      errors(std::string(keeping_rule) + "__enzyme_autodiff((void *)f, enzyme_dup, &x, &dx, enzyme_const, &y); }"),
      HasSubstr("memory that is declared constant is used where a derivative may be stored"));
}

TEST_P(MemoryError, a_rule_without_the_shadow_of_an_array_of_integers) {
  EXPECT_THAT(
      errors(R"(
void __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;
__attribute__((noinline)) double at(const double *x, const int *index) { return x[*index]; }
struct taped { void *tape; double value; } at_augmented(const double *x, double *dx, const int *index) {
  return (struct taped){0, x[*index]};
}
void at_reverse(const double *x, double *dx, const int *index, double seed, void *tape) { dx[*index] += seed; }
void *__enzyme_register_gradient_at[] = {(void *)at, (void *)at_augmented, (void *)at_reverse};
double f(const double *x, const int *index) { return at(x, index); }
int main() {
  double x[2] = {1, 2}, dx[2] = {0};
  int index = 1;
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, &index);
})"),
      HasSubstr("'at_augmented' does not fit: it takes 3 parameters, expected 4: each pointer is followed by its "
                "shadow"));
}

TEST_P(MemoryError, an_array_of_another_file_without_its_size) {
  EXPECT_THAT(errors(R"(
void __enzyme_autodiff(void *, ...);
extern int enzyme_dup;
extern double kept[];
double f(double *x) {
  kept[0] = x[0] * x[0];
  return kept[0] * x[1];
}
int main() {
  double x[2] = {1, 2}, dx[2] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx);
})"),
              HasSubstr("'kept' keeps values with a derivative, but is declared without its size; declare it with"));
}

TEST_P(MemoryError, a_number_with_a_derivative_that_is_thrown_again) {
  EXPECT_THAT(errors(R"(
double __enzyme_autodiff(void *, double);
double f(double x) {
  try {
    try {
      if (x > 1)
        throw x * x;
    } catch (double) {
      throw;
    }
  } catch (double caught) {
    return caught * x;
  }
  return x;
}
int main() { return __enzyme_autodiff((void *)f, 2.0) > 0; }
)",
                     Language::cpp),
              HasSubstr("an exception carries a value with a derivative to this handler"));
}

TEST_P(MemoryError, a_thrown_pointer_to_a_number_with_a_derivative) {
  EXPECT_THAT(errors(R"(
double __enzyme_autodiff(void *, double);
double f(double x) {
  double y = x * x;
  try {
    if (x > 1)
      throw &y;
  } catch (double *caught) {
    return *caught * x;
  }
  return x;
}
int main() { return __enzyme_autodiff((void *)f, 2.0) > 0; }
)",
                     Language::cpp),
              HasSubstr("an exception carries a value with a derivative to this handler"));
}

// Numbers that are stored as bytes under a mask, once in each mode.
constexpr const char *masked_bytes = R"(
#include <emmintrin.h>
extern int enzyme_dup;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
double f(const double *x) {
  double r[2] = {0, 0};
  __m128d v = _mm_mul_pd(_mm_loadu_pd(x), _mm_loadu_pd(x));
  _mm_maskmoveu_si128(_mm_castpd_si128(v), _mm_set1_epi8(-1), (char *)r);
  return r[0] + 2 * r[1];
}
double g(const double *x, double *dx) { return CALL((void *)f, enzyme_dup, x, dx); }
)";

TEST_P(MemoryError, an_instruction_of_the_processor_that_stores_in_another_way) {
  const std::string source = masked_bytes;
  EXPECT_THAT(errors("#define CALL __enzyme_autodiff\n" + source),
              HasSubstr("the instruction 'llvm.x86.sse2.maskmov.dqu' has no derivative"));
  EXPECT_THAT(errors("#define CALL __enzyme_fwddiff\n" + source),
              HasSubstr("forward mode has no derivative for this intrinsic"));
}

/// A list whose links are the exclusive or of both neighbours: right, or refused.
TEST(MemoryErrorOfLinks, links_of_two_addresses_are_never_followed_wrongly) {
  const RunResult result = compile_and_run({.source = R"(
#include <stdint.h>
double __enzyme_fwddiff(void *, ...);
extern int enzyme_dup;
struct node { double value; uintptr_t link; };
static double f(const double *x) {
  struct node nodes[3];
  for (int i = 0; i < 3; ++i) {
    nodes[i].value = x[i] * (i + 1);
    nodes[i].link = (uintptr_t)(i ? &nodes[i - 1] : 0) ^ (uintptr_t)(i < 2 ? &nodes[i + 1] : 0);
  }
  double sum = 0;
  for (uintptr_t before = 0, at = (uintptr_t)nodes; at;) {
    const struct node *node = (const struct node *)at;
    const uintptr_t next = before ^ node->link;
    sum += node->value;
    before = at;
    at = next;
  }
  return sum;
}
int main() {
  double x[3] = {1, 2, 3}, dx[3] = {0, 1, 0};
  return __enzyme_fwddiff((void *)f, enzyme_dup, x, dx) != 2; })",
                                            .level = "-O2"});
  EXPECT_TRUE(result.succeeded() || !result.compiled()) << result;
  if (!result.compiled()) {
    EXPECT_THAT(result.compiler.err, HasSubstr("an address is computed as the exclusive or of another one"));
    EXPECT_THAT(result.compiler.err, HasSubstr("keep both addresses as pointers"));
  }
}

} // namespace
} // namespace assay::test
