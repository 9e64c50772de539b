// Would catch: rules with a fault that the check does not see, or whose message does not lead to the fault, and right
// rules that it rejects. Each file of wrong_rules is one rule with one fault, and without it; each of stateful has
// right rules or functions that keep something from call to call.

#include "cli/test/run_command.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace {

using assay::cli::test::Outcome;
using assay::cli::test::Workplace;

namespace fs = std::filesystem;
const fs::path folder = ASSAY_WRONG_RULES, stateful_folder = folder.parent_path() / "stateful";

std::vector<std::string> programs_in(const fs::path &programs) {
  std::vector<std::string> names;
  for (const auto &entry : fs::directory_iterator(programs))
    if ((entry.path().extension() == ".c" || entry.path().extension() == ".cpp") &&
        !entry.path().stem().string().ends_with("_test"))
      names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string text_of(const fs::path &file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

std::string name_of(const testing::TestParamInfo<std::string> &info) {
  const fs::path file = info.param;
  return file.stem().string() + (file.extension() == ".c" ? "" : "_in_cpp");
}

/// The only table of a file, as messages write it; empty where there are several.
std::string registration_in(const std::string &text) {
  std::vector<std::string> tables;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    for (const auto &[macro, table] : {std::pair{"GRADIENT(", "__enzyme_register_gradient_"},
                                       std::pair{"TANGENT(", "__enzyme_register_derivative_"}})
      if (line.starts_with(macro)) {
        const std::size_t begin = line.find('(') + 1;
        tables.push_back(table + line.substr(begin, line.find(',') - begin));
      }
  return tables.size() == 1 ? tables.front() : "";
}

/// The file declares that a function has another derivative, or none, and the message names the declaration.
bool has_only_declarations(const std::string &text) {
  const auto has = [&](const char *name) { return text.find(name) != std::string::npos; };
  return (has("__enzyme_inactivefn") || has("__enzyme_function_like")) && !has("GRADIENT(") && !has("TANGENT(");
}

/// Phrases that the message has to contain.
std::vector<std::string> words_for(const std::string &text) {
  const std::string mark = "// names: ";
  std::vector<std::string> words;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(mark))
      words.push_back(line.substr(mark.size()));
  return words;
}

/// Which rule the first message blames.
std::string rule_line(const std::string &output) {
  const std::size_t begin = output.find("\n      rule "); // So indented it is a line of a message.
  return begin == std::string::npos ? "" : output.substr(begin, output.find('\n', begin + 1) - begin);
}

class WrongRule : public testing::TestWithParam<std::string> {
protected:
  WrongRule() {
    place_.write("registration.h", text_of(folder.parent_path() / "registration.h"));
    fs::create_directory(place_.path() / "wrong_rules");
    for (const auto &entry : fs::directory_iterator(folder))
      if (entry.path().extension() == ".h")
        place_.write("wrong_rules/" + entry.path().filename().string(), text_of(entry.path()));
  }

  Outcome check(const std::string &text) const {
    const std::string name = "wrong_rules/f" + fs::path(GetParam()).extension().string();
    place_.write(name, text);
    return place_.assay("check " + name + " --report r");
  }

  /// Of the last check.
  std::vector<std::string> failed_records() const {
    std::vector<std::string> records;
    std::ifstream lines(place_.path() / "r" / "records.jsonl");
    for (std::string line; std::getline(lines, line);)
      if (line.find("\"outcome\":\"failed\"") != std::string::npos)
        records.push_back(line);
    return records;
  }

private:
  Workplace place_;
};

TEST_P(WrongRule, IsRejectedByItsNameAndThatOfItsFault) {
  const std::string text = text_of(folder / GetParam());
  const Outcome outcome = check(text);
  EXPECT_EQ(outcome.code, 1) << outcome.output << outcome.errors;
  const std::vector<std::string> words = words_for(text);
  EXPECT_FALSE(words.empty());
  for (const std::string &word : words)
    EXPECT_NE(outcome.output.find(word), std::string::npos) << "missing: " << word << "\n" << outcome.output;
  if (has_only_declarations(text))
    return;
  const std::string line = rule_line(outcome.output);
  EXPECT_NE(line.find("registered by " + registration_in(text)), std::string::npos) << outcome.output;
  EXPECT_EQ(line.find("one of"), std::string::npos) << line;
  const std::vector<std::string> failed = failed_records();
  EXPECT_FALSE(failed.empty());
  for (const std::string &record : failed)
    EXPECT_NE(record.find("registered by " + registration_in(text)), std::string::npos) << record;
}

TEST_P(WrongRule, PassesWithoutItsFault) {
  const Outcome outcome = check("#define RIGHT\n" + text_of(folder / GetParam()));
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
  EXPECT_NE(outcome.last_line().find(" 0 failed, 0 undecided"), std::string::npos) << outcome.output;
}

INSTANTIATE_TEST_SUITE_P(With, WrongRule, testing::ValuesIn(programs_in(folder)), name_of);

/// Caches, tables that are made at the first call, scratch memory, counters.
class Stateful : public testing::TestWithParam<std::string> {};

TEST_P(Stateful, IsRight) {
  const Workplace place;
  const Outcome outcome = place.assay("check " + (stateful_folder / GetParam()).string());
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
  EXPECT_NE(outcome.last_line().find(" 0 failed, 0 undecided"), std::string::npos) << outcome.output;
}

INSTANTIATE_TEST_SUITE_P(With, Stateful, testing::ValuesIn(programs_in(stateful_folder)), name_of);

TEST(UnusedRule, IsNoted) {
  const Workplace place;
  place.write("f.c", "#include <assay/check.h>\ndouble g(double x) { return x * x; }\n"
                     "double g_tangent(double x, double dx) { return 7; }\n"
                     "void *__enzyme_register_derivative_g[] = {(void *)g, (void *)g_tangent};\n"
                     "double f(double x) { return x * x * x; }\nASSAY_CHECK(f);\n");
  const Outcome outcome = place.assay("check f.c --report r");
  const std::string note = "no checked function uses the rule of g: g_tangent, registered by "
                           "__enzyme_register_derivative_g: nothing was checked of it";
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.output.find("note: " + note), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("not seen: no second order"), std::string::npos) << outcome.output;
  EXPECT_NE(text_of(place.path() / "r" / "records.jsonl").find(note), std::string::npos);
}

TEST(StatefulFunction, IsSaidNotToBeCalledInARow) {
  const Workplace place;
  const Outcome outcome = place.assay("check " + (stateful_folder / "alternating_function.c").string());
  EXPECT_NE(outcome.output.find("note: the function itself gives other numbers after earlier calls"), std::string::npos)
      << outcome.output;
}

} // namespace
