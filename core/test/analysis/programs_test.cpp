// Whole programs that are unkind to type analysis and activity: bytes, unions, pools, tables, pointers in integers.
// Each compares its own gradients and prints OK.
#include "core/test/support/compile_and_run.hpp"
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace assay::test {
namespace {

std::filesystem::path program_folder() {
  return ASSAY_MEMORY_PROGRAMS;
}

std::vector<std::string> program_names() {
  std::vector<std::string> names;
  for (const auto &entry : std::filesystem::directory_iterator(program_folder()))
    if (entry.path().extension() != ".h")
      names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string text_of(const std::filesystem::path &path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

class MemoryProgram : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(MemoryProgram, HasRightGradients) {
  const auto &[name, level] = GetParam();
  Program program;
  program.source = text_of(program_folder() / name);
  program.language = name.ends_with(".cpp") ? Language::cpp : Language::c;
  program.level = level;
  program.flags = {"-w", "-I" + program_folder().string()};
  EXPECT_EQ(compile_and_run(program).output(), "OK\n");
}

std::string test_name(const testing::TestParamInfo<MemoryProgram::ParamType> &info) {
  std::string name = std::get<0>(info.param) + std::get<1>(info.param);
  std::replace_if(name.begin(), name.end(), [](char letter) { return std::isalnum(letter) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(AtEveryLevel, MemoryProgram,
                         testing::Combine(testing::ValuesIn(program_names()), testing::Values("-O0", "-O2")),
                         test_name);

} // namespace
} // namespace assay::test
