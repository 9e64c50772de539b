// Every example in the table "Names of Enzyme.jl" of docs/interface.md stands in examples.cpp, which is compiled and
// run.
#include <algorithm>
#include <cctype>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

namespace {

std::string text_of(const std::string &path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string without_spaces(std::string text) {
  std::erase_if(text, [](unsigned char letter) { return std::isspace(letter) != 0; });
  return text;
}

/// The last cell of each row, without its backquotes.
std::vector<std::string> examples_of(const std::string &page) {
  std::vector<std::string> examples;
  std::istringstream lines(page.substr(page.find("## Names of Enzyme.jl")));
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line) && !line.starts_with("## ")) {
    const std::size_t end = line.rfind("` |"), start = line.rfind("| `");
    if (line.starts_with("| ") && line.ends_with("` |") && start != std::string::npos && start < end)
      examples.push_back(line.substr(start + 3, end - start - 3));
  }
  return examples;
}

TEST(InterfaceExamples, AreAllCompiledAndRun) {
  const std::string page = text_of(ASSAY_SOURCE_FOLDER "/docs/interface.md");
  const std::string program = without_spaces(text_of(ASSAY_SOURCE_FOLDER "/suites/interface/examples.cpp") +
                                             text_of(ASSAY_SOURCE_FOLDER "/suites/harness/gradients_test.cpp"));
  const auto examples = examples_of(page);
  EXPECT_GE(examples.size(), 55U);
  for (const std::string &example : examples)
    EXPECT_NE(program.find(without_spaces(example)), std::string::npos) << example;
}

} // namespace
