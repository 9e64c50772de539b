// What a test program leaves behind: result records, the same bits in whatever order and company the tests run.

#include <assay/testing.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

namespace {

using namespace assay;

double product(double x, double y) {
  return x * std::sin(y);
}

double norm(const std::vector<double> &x) {
  double sum = 0;
  for (const double element : x)
    sum += element * element;
  return std::sqrt(sum);
}

// The tests whose inputs are compared.
ASSAY_GRADIENT_TEST_WITH(ReproducibleA, (TestOptions{.variations = off}), product, gen::real(-2, 2), gen::positive())
ASSAY_GRADIENT_TEST_WITH(ReproducibleB, (TestOptions{.variations = off}), product, gen::real(-2, 2), gen::positive())
ASSAY_GRADIENT_TEST_WITH(ReproducibleC, (TestOptions{.variations = off}), norm, gen::vector(gen::positive(), 1, 6))
TEST(ReproducibleD, Budget) {
  test_reverse_all({.budget = 3}, product, 0.5, 1.5);
}

/// A folder of its own, gone at the end.
class Folder {
public:
  Folder() {
    std::string name = testing::TempDir() + "assay-results-XXXXXX";
    path = mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path); }
  Folder(const Folder &) = delete;
  std::filesystem::path path;
};

using Records = std::map<std::string, std::string>;

/// The records of each test as they stand in the files; without the line about the run, which has its duration.
Records records_in(const std::filesystem::path &folder) {
  Records records;
  for (const auto &entry : std::filesystem::recursive_directory_iterator(folder)) {
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);)
      if (line.starts_with(R"({"kind":"record")"))
        records[entry.path().filename().string()] += line + "\n";
  }
  return records;
}

int run(const std::string &environment, const std::filesystem::path &folder, const std::string &flags) {
  const std::string command = "ASSAY_REPORT='" + folder.string() + "' " + environment + " '" +
                              testing::internal::GetArgvs().front() + "' " + flags + " > /dev/null 2>&1";
  return std::system(command.c_str());
}

Records records_of(const std::string &environment, const std::string &flags) {
  const Folder folder;
  EXPECT_EQ(run(environment, folder.path, flags), 0) << environment << " " << flags;
  return records_in(folder.path);
}

const std::string reproducible = "'--gtest_filter=Reproducible*'";

/// Would catch: a program that says "1 failed" although all its tests pass.
TEST(Results, AFailureThatATestExpectsIsNotCounted) {
  const std::string command =
      testing::internal::GetArgvs().front() + " --gtest_filter=WrongRule.FailsTheRunningTest:ReproducibleD.Budget 2>&1";
  std::string output;
  FILE *pipe = popen(command.c_str(), "r");
  for (std::array<char, 4096> text; std::fgets(text.data(), text.size(), pipe);)
    output += text.data();
  EXPECT_EQ(pclose(pipe), 0) << output;
  EXPECT_NE(output.find("3 combinations checked, 3 passed, 0 failed, 0 undecided"), std::string::npos) << output;
}

TEST(Results, EachTestLeavesAFileOfItsRecords) {
  const Records records = records_of("", reproducible);
  ASSERT_EQ(records.size(), 4U);
  const std::string &budget = records.at("ReproducibleD.Budget.jsonl");
  EXPECT_EQ(std::count(budget.begin(), budget.end(), '\n'), 3);
  for (const char *part :
       {R"("test":"ReproducibleD.Budget")", R"("mode":"reverse")", R"("verdict":"pass")",
        R"("inputs":[{"name":"x1","values":[0.5]},{"name":"x2","values":[1.5]}])", "results_test.cpp",
        R"("passed_checks":["primal result")", "--gtest_filter=ReproducibleD.Budget"})
    EXPECT_NE(budget.find(part), std::string::npos) << "missing: " << part << "\n" << budget;
}

TEST(Results, TheOrderOfTestsChangesNoBit) {
  const Records records = records_of("", reproducible);
  EXPECT_EQ(records, records_of("", reproducible + " --gtest_shuffle --gtest_random_seed=7"));
  EXPECT_EQ(records, records_of("", reproducible + " --gtest_repeat=2"));
}

TEST(Results, TheOtherTestsOfAProcessChangeNoBit) {
  const Records records = records_of("", reproducible);
  Records sharded, alone;
  for (const char *index : {"0", "1", "2"})
    sharded.merge(records_of(std::string("GTEST_TOTAL_SHARDS=3 GTEST_SHARD_INDEX=") + index, reproducible));
  EXPECT_EQ(records, sharded);
  for (const char *letter : {"A", "B", "C", "D"})
    alone.merge(records_of("", std::string("'--gtest_filter=Reproducible") + letter + "*'"));
  EXPECT_EQ(records, alone);
}

TEST(Results, InputsFollowFromTheSeedAndTheNameOfTheTest) {
  const Records records = records_of("", reproducible);
  const auto inputs = [](const std::string &text) {
    const std::size_t start = text.find(R"("inputs")");
    return text.substr(start, text.find(']', start) - start);
  };
  const std::string a = inputs(records.at("ReproducibleA.Gradients.jsonl"));
  EXPECT_NE(a, inputs(records.at("ReproducibleB.Gradients.jsonl")));
  EXPECT_NE(a, inputs(records_of("ASSAY_SEED=2", reproducible).at("ReproducibleA.Gradients.jsonl")));
}

TEST(Results, AFolderThatCannotBeMadeIsAnError) {
  EXPECT_NE(run("", "/dev/null/results", "--gtest_filter=ReproducibleD.Budget"), 0);
}

} // namespace
