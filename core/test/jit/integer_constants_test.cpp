// Would catch: a length of blocks or tables in the code of a rule that no size is drawn beside, and numbers of other
// code.

#include "core/jit/integer_constants.hpp"
#include "core/jit/module_file.hpp"
#include "core/test/jit/scratch_file.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace {

using namespace assay::jit;
using assay::test::ScratchFile;

constexpr const char *source = R"(
static double table[48];
static int helper(int n) { return n % 24; }
double sum(const double *x, int n) { return n > 99 ? x[0] : x[1]; }
void *sum_augmented(const double *x, double *dx, int n) { return (void *)(long)helper(n); }
void sum_reverse(const double *x, double *dx, int n, double seed, void *tape) {
  unsigned char place = n;
  if (n == 7) dx[0] += seed;
  dx[place] += table[n & 31] + (n >> 3) * seed;
}
void *__enzyme_register_gradient_sum[] = {(void *)sum, (void *)sum_augmented, (void *)sum_reverse};
double uses_sum(const double *x, int n) { return sum(x, n); }
double uses_none(const double *x, int n) { return n > 99 ? x[0] : x[1]; }
)";

TEST(IntegerConstants, AreThoseOfTheRulesThatAFunctionUses) {
  const ScratchFile scratch("f.c", source);
  const ModuleFile file(scratch.path, {});
  const auto constants = integer_constants_of_rules(file.module(), file.function("uses_sum").linkage_name);
  for (const std::int64_t wanted : {7, 8, 24, 32, 48, 256})
    EXPECT_NE(std::ranges::find(constants, wanted), constants.end()) << wanted;
  EXPECT_EQ(std::ranges::find(constants, 99), constants.end());
  EXPECT_TRUE(integer_constants_of_rules(file.module(), file.function("uses_none").linkage_name).empty());
}

} // namespace
