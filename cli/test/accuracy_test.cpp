// `assay accuracy`, as users run it.

#include "cli/test/run_command.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace {

using assay::cli::test::Outcome;
using assay::cli::test::Workplace;

std::size_t count(const std::string &text, const std::string &part) {
  std::size_t found = 0;
  for (std::size_t position = text.find(part); position != std::string::npos; position = text.find(part, position + 1))
    ++found;
  return found;
}

// Would catch: a page without its plots, and error estimates that are too small.
TEST(Accuracy, DrawsErrorsOverStepsOrdersAndPrecisions) {
  const Workplace place;
  const Outcome outcome = place.assay("accuracy --report drawn");
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
  EXPECT_NE(outcome.output.find("double"), std::string::npos);
  std::ostringstream page;
  page << std::ifstream(place.path() / "drawn" / "index.html").rdbuf();
  EXPECT_EQ(count(page.str(), "\"linear\":"), 7u) << "one for each figure";
  for (const char *part : {"50 digits", "p = 9", "Error against step, by precision", "Estimated and true error"})
    EXPECT_NE(page.str().find(part), std::string::npos) << part;
  EXPECT_EQ(place.assay("report drawn").code, 0) << "the page can be written again from its records";
}

} // namespace
