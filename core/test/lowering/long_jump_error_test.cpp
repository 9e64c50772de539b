// longjmp leaves differentiated code without a reverse sweep: refused wherever it can be reached.

#include "core/test/support/compile_and_run.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::HasSubstr;

namespace assay::test {
namespace {

class LongJump : public testing::TestWithParam<std::string> {
protected:
  ProcessResult compiled(const std::string &attributes, const std::string &tables) const {
    return compile({.source = R"(
#include <setjmp.h>
double __enzyme_autodiff(void *, ...);
jmp_buf environment;
)" + attributes + R"( int checked(int n) {
  if (n < 0)
    longjmp(environment, 1);
  return n;
}
double f(double x) { return checked((int)x) * x * x; }
)" + tables + R"(
int main() {
  if (setjmp(environment))
    return 1;
  return __enzyme_autodiff((void *)f, 3.0) != 18;
}
)",
                    .level = GetParam()});
  }
};

INSTANTIATE_TEST_SUITE_P(Levels, LongJump, testing::Values("-O0", "-O2"),
                         [](const auto &info) { return info.param.substr(1); });

TEST_P(LongJump, is_refused_where_differentiated_code_reaches_it) {
  for (const char *attributes : {"", "__attribute__((noinline))"}) {
    const ProcessResult result = compiled(attributes, "");
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err, HasSubstr("longjmp out of differentiated code"));
    EXPECT_THAT(result.err, HasSubstr("in function"));
  }
}

TEST_P(LongJump, is_the_affair_of_functions_that_are_registered_as_inactive) {
  EXPECT_EQ(compiled("", "void *__enzyme_inactivefn_checked[] = {(void *)checked};").exit_code, 0);
}

} // namespace
} // namespace assay::test
