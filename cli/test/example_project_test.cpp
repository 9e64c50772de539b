// The sample project, as a team uses it: configured by CMake, then checked by its assay.toml and by -p.

#include "cli/test/run_command.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::cli::test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

TEST(ExampleProject, passes_its_checks) {
  const Workplace place;
  std::filesystem::copy(ASSAY_EXAMPLES "/project", place.path(), std::filesystem::copy_options::recursive);
  ASSERT_EQ(place.shell("cmake -S . -B build").code, 0);
  const Outcome project = place.assay("check --plain --samples 1 --report r");
  EXPECT_EQ(project.code, 0) << project.output << project.errors;
  EXPECT_THAT(project.last_line(), EndsWith(" 0 failed, 0 undecided"));
  for (const char *function : {"springs::energy", "springs::forces", "fit::misfit"})
    EXPECT_THAT(project.output, HasSubstr(function));

  const Outcome rule = place.assay("check fit/logistic.cpp -p build --rule logistic --arg double --plain --samples 1");
  EXPECT_EQ(rule.code, 0) << rule.output << rule.errors;
  EXPECT_THAT(rule.output, HasSubstr("rule logistic"));
}

} // namespace
} // namespace assay::cli::test
