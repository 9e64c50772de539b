// Each option of the type analysis shows: in what is accepted, in what is warned of, in a derivative.

#include "core/test/support/compile_and_run.hpp"
#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::HasSubstr;
using testing::Not;

namespace assay::test {
namespace {

/// The compiler inherits the options for as long as this lives.
class Options {
public:
  explicit Options(const char *words) { setenv("ASSAY_OPTIONS", words, 1); }
  ~Options() { unsetenv("ASSAY_OPTIONS"); }
  Options(const Options &) = delete;
  Options &operator=(const Options &) = delete;
};

constexpr const char *bytes_of_unknown_type = R"(
#include <string.h>
double __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;
static double f(void *from, void *to, long bytes, double x) {
  memcpy(to, from, bytes);
  return x * x;
}
double ask(void *a, void *da, void *b, void *db, long n, double x) {
  return __enzyme_autodiff((void *)f, enzyme_dup, a, da, enzyme_dup, b, db, enzyme_const, n, x);
}
float with_another_type(float x) { return 2 * x; }
int main() { return 0; }
)";

ProcessResult compiled(const char *source, const char *options, const char *level) {
  const Options set(options);
  return compile({.source = source, .level = level});
}

TEST(TypeOptions, loose_types_guess_with_a_warning) {
  for (const char *level : {"-O0", "-O2"}) {
    const ProcessResult strict = compiled(bytes_of_unknown_type, "", level);
    EXPECT_EQ(strict.exit_code, 1);
    EXPECT_THAT(strict.err, HasSubstr("the type of the memory that is moved is not known"));
    EXPECT_THAT(strict.err, HasSubstr("-assay-loose-types"));
    const ProcessResult loose = compiled(bytes_of_unknown_type, "-assay-loose-types", level);
    EXPECT_EQ(loose.exit_code, 0) << loose.err;
    EXPECT_THAT(loose.err, HasSubstr("warning: the type of the memory that is moved is not known; it is taken for"));
  }
}

TEST(TypeOptions, warnings_of_guesses_can_be_turned_off) {
  const ProcessResult quiet = compiled(bytes_of_unknown_type, "-assay-loose-types -assay-type-warning=0", "-O1");
  EXPECT_EQ(quiet.exit_code, 0) << quiet.err;
  EXPECT_THAT(quiet.err, Not(HasSubstr("warning")));
}

std::string with_markers(std::string_view markers) {
  std::string source = bytes_of_unknown_type;
  const std::string declared = "extern int enzyme_dup, enzyme_const;", called = "(void *)f, ";
  source.replace(source.find(declared), declared.size(),
                 declared + " extern int enzyme_loose_types, enzyme_no_type_warning;");
  source.insert(source.find(called) + called.size(), markers);
  return source;
}

TEST(TypeOptions, of_one_call_are_markers) {
  for (const char *level : {"-O0", "-O2"}) {
    const ProcessResult loose = compiled(with_markers("enzyme_loose_types, ").c_str(), "", level);
    EXPECT_EQ(loose.exit_code, 0) << loose.err;
    EXPECT_THAT(loose.err, HasSubstr("it is taken for"));
    const ProcessResult quiet =
        compiled(with_markers("enzyme_loose_types, enzyme_no_type_warning, ").c_str(), "", level);
    EXPECT_EQ(quiet.exit_code, 0) << quiet.err;
    EXPECT_THAT(quiet.err, Not(HasSubstr("warning")));
  }
}

/// Only TBAA says what is copied.
constexpr const char *told_by_tags = R"(
void __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_no_strict_aliasing;
struct pair { double a, b; };
static void f(struct pair *from, struct pair *to) { *to = *from; }
void ask(void *a, void *da, void *b, void *db) {
  __enzyme_autodiff((void *)f, MARKER enzyme_dup, a, da, enzyme_dup, b, db);
}
float with_another_type(float x) { return 2 * x; }
int main() { return 0; }
)";

TEST(TypeOptions, the_belief_in_tags_is_one_of_a_call) {
  const auto source = [](const char *marker) {
    std::string text = told_by_tags;
    return text.replace(text.find("MARKER"), 6, marker);
  };
  EXPECT_EQ(compile({.source = source(""), .level = "-O1"}).exit_code, 0);
  const ProcessResult result = compile({.source = source("enzyme_no_strict_aliasing,"), .level = "-O1"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("the type of the memory that is moved is not known"));
}

constexpr const char *nested = R"(
double __enzyme_autodiff(void *, ...);
extern int enzyme_dup;
struct inner { double x, y; };
struct middle { long k; struct inner inner; };
struct outer { long n; struct middle middle; };
struct top { int i; struct outer outer; };
static double f(struct top *p, struct top *q, double x) {
  q->i = p->i;
  *q = *p;
  return x * x * p->i;
}
double ask(struct top *p, struct top *dp, struct top *q, struct top *dq, double x) {
  return __enzyme_autodiff((void *)f, enzyme_dup, p, dp, enzyme_dup, q, dq, x);
}
float with_another_type(float x) { return 2 * x; }
int main() { return 0; }
)";

TEST(TypeOptions, depth_limits_how_far_structures_are_looked_into) {
  EXPECT_EQ(compiled(nested, "", "-O1").exit_code, 0);
  EXPECT_EQ(compiled(nested, "-assay-max-type-depth=4", "-O1").exit_code, 0);
  const ProcessResult shallow = compiled(nested, "-assay-max-type-depth=1", "-O1");
  EXPECT_EQ(shallow.exit_code, 1);
  EXPECT_THAT(shallow.err, HasSubstr("unknown type"));
}

constexpr const char *keeps_bits = R"(
#include <string.h>
double __enzyme_autodiff(void *, ...);
extern int enzyme_dup;
struct box { long v[4]; }; // keeps the bits of doubles
__attribute__((noinline)) static double total(struct box *b) {
  double sum = 0;
  for (int i = 0; i < 4; i++) {
    double value;
    memcpy(&value, &b->v[i], 8);
    sum += value * value;
  }
  return sum;
}
static double f(double *x) {
  struct box b;
  for (int i = 0; i < 4; i++)
    memcpy(&b.v[i], &x[i], 8);
  struct box c = b;
  c.v[0] = b.v[1];
  return total(&c);
}
int main() {
  double x[4] = {1, 2, 3, 4}, dx[4] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx);
  return !(dx[0] == 0 && dx[1] == 8 && dx[2] == 6 && dx[3] == 8);
}
)";

TEST(TypeOptions, bits_of_floats_in_integers_are_followed_with_and_without_belief) {
  for (const char *options : {"", "-assay-strict-aliasing=0"})
    for (const std::string &level : optimisation_levels) {
      const Options set(options);
      const RunResult result = compile_and_run({.source = keeps_bits, .level = level});
      EXPECT_TRUE(result.succeeded()) << options << level << '\n' << result;
    }
}

TEST(TypeOptions, an_unknown_type_is_reported_with_the_uses_of_its_memory) {
  for (const char *level : {"-O0", "-O2"}) {
    const ProcessResult result = compile({.source = bytes_of_unknown_type, .level = level, .flags = {"-g1"}});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err, HasSubstr("no typed access"));
    EXPECT_THAT(result.err, HasSubstr("the memory is argument 2"));
    EXPECT_THAT(result.err, HasSubstr("moved as bytes (line 6)"));
  }
}

} // namespace
} // namespace assay::test
