// Would catch: rules with a fault that the check does not see, or whose message does not lead to the fault, and right
// rules that it rejects. Each file of wrong_rules is one rule with one fault, and without it.

#include "cli/test/run_command.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace {

using assay::cli::test::Outcome;
using assay::cli::test::Workplace;

const std::filesystem::path folder = ASSAY_WRONG_RULES;

std::vector<std::string> rules() {
  std::vector<std::string> names;
  for (const auto &entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".c")
      names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string text_of(const std::string &name) {
  std::ostringstream text;
  text << std::ifstream(folder / name).rdbuf();
  return text.str();
}

/// What the message has to say.
std::vector<std::string> words_for(const std::string &text) {
  const std::string mark = "// names: ";
  std::vector<std::string> words;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(mark))
      words.push_back(line.substr(mark.size()));
  return words;
}

class WrongRule : public testing::TestWithParam<std::string> {
protected:
  WrongRule() {
    for (const char *header : {"rule.h", "squares.h"})
      place_.write(header, text_of(header));
  }

  Outcome check(const std::string &text) const {
    place_.write("f.c", text);
    return place_.assay("check f.c");
  }

private:
  Workplace place_;
};

TEST_P(WrongRule, IsRejectedByTheNameOfItsFault) {
  const std::string text = text_of(GetParam() + ".c");
  const Outcome outcome = check(text);
  EXPECT_EQ(outcome.code, 1) << outcome.output << outcome.errors;
  const std::vector<std::string> words = words_for(text);
  EXPECT_FALSE(words.empty());
  for (const std::string &word : words)
    EXPECT_NE(outcome.output.find(word), std::string::npos) << "missing: " << word << "\n" << outcome.output;
}

TEST_P(WrongRule, PassesWithoutItsFault) {
  const Outcome outcome = check("#define RIGHT\n" + text_of(GetParam() + ".c"));
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
  EXPECT_NE(outcome.last_line().find(" 0 failed, 0 undecided"), std::string::npos) << outcome.output;
}

INSTANTIATE_TEST_SUITE_P(With, WrongRule, testing::ValuesIn(rules()),
                         [](const testing::TestParamInfo<std::string> &info) { return info.param; });

} // namespace
