// Would catch: rules that leave the process otherwise than their function does, which test_rule did not see; and right
// ones that are called wrong because the function does the same.
#include <assay/rules.hpp>
#include <assay/testing.hpp>
#include <gtest/gtest.h>

#include <cfenv>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <iostream>
#include <stdexcept>
#include <string>
#include <unistd.h>

using namespace assay;

namespace {

using Disturb = void (*)();
Disturb of_rule = nullptr, of_function = nullptr; // NOLINT: chosen by the test

[[gnu::noinline]] void disturb_in_rule() {
  if (of_rule)
    of_rule();
}
ASSAY_RULE(rules::inactive, disturb_in_rule);
[[gnu::noinline]] void disturb_in_function() {
  if (of_function)
    of_function();
}
ASSAY_RULE(rules::inactive, disturb_in_function);

double cube(double x) {
  disturb_in_function();
  return x * x * x;
}
struct CubeRule {
  static auto forward(const auto & /*config*/, auto x) {
    disturb_in_function();
    disturb_in_rule();
    return Duplicated{x.value * x.value * x.value, 3 * x.value * x.value * x.shadow()};
  }
  static auto augmented(const auto & /*config*/, auto x) {
    disturb_in_function();
    return Augmented{x.value * x.value * x.value};
  }
  static auto reverse(const auto & /*config*/, auto dy, None /*tape*/, auto x) {
    disturb_in_rule();
    return 3 * x.value * x.value * dy;
  }
};
ASSAY_RULE(CubeRule, cube);

RuleReport check_cube() {
  return check_rule(TestOptions{.name = "cube", .variations = off, .oracle = off, .explanations = 0}, cube, 0.75);
}

void print() {
  std::puts("x");
}
void print_by_stream() {
  std::cout << "x\n";
}
void open_file() {
  static_cast<void>(::open("/dev/null", O_RDONLY | O_CLOEXEC));
}
void flush_to_zero() {
#if defined(__x86_64__)
  __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8000U);
#else
  std::fesetround(FE_UPWARD);
#endif
}
void block_signal() {
  sigset_t mask;
  sigemptyset(&mask);
  sigaddset(&mask, SIGUSR1);
  ::pthread_sigmask(SIG_BLOCK, &mask, nullptr);
}

struct Fault {
  const char *name;
  Disturb disturb;
  const char *said;
};
void PrintTo(const Fault &fault, std::ostream *stream) {
  *stream << fault.name;
}

const Fault faults[] = {
    // NOLINT
    {"print", print, "text has been written to standard output"},
    {"print_by_stream", print_by_stream, "text has been written to standard output"},
    {"open_file", open_file, "a file descriptor stays open after the call"},
    {"rounding", [] { std::fesetround(FE_UPWARD); },
     "the rounding mode is upward after the call, it was to nearest before"},
#if defined(__x86_64__)
    {"flush_to_zero", flush_to_zero, "flush-to-zero is on after the call, it was off before"},
#endif
    {"signal", block_signal, "SIGUSR1 is blocked after the call, it was not blocked before"},
    {"handler", [] { std::signal(SIGUSR2, SIG_IGN); }, "the handler of SIGUSR2"},
    {"variable", [] { ::setenv("ASSAY_RULE_LEFT_THIS", "1", 1); }, "ASSAY_RULE_LEFT_THIS"},
    {"directory", [] { static_cast<void>(::chdir("/")); }, "the working directory is / after the call"},
    {"random", [] { static_cast<void>(std::rand()); }, "the C library's random numbers go on from another state"},
};

class RuleSurroundings : public testing::TestWithParam<Fault> {
protected:
  void TearDown() override { of_rule = of_function = nullptr; }
};

TEST_P(RuleSurroundings, OfARuleAreNamed) {
  of_rule = GetParam().disturb;
  const RuleReport report = check_cube();
  for (const RuleFinding &finding : report.findings) {
    if (finding.what.starts_with("second order"))
      continue;
    EXPECT_FALSE(finding.report.ok()) << finding.what;
    for (const testutils::Record &record : finding.report.records)
      if (record.verdict != testutils::Verdict::pass) {
        EXPECT_EQ(record.verdict, testutils::Verdict::wrong_environment) << finding.what << record.detail;
        EXPECT_NE(record.detail.find(GetParam().said), std::string::npos) << record.detail;
      }
  }
}

TEST_P(RuleSurroundings, MayBeThoseOfTheFunction) {
  of_function = GetParam().disturb;
  for (const RuleFinding &finding : check_cube().findings)
    EXPECT_TRUE(finding.report.ok()) << judgement(finding);
}

INSTANTIATE_TEST_SUITE_P(, RuleSurroundings, testing::ValuesIn(faults),
                         [](const testing::TestParamInfo<Fault> &info) { return info.param.name; });

// A library that opens a file for good, or a log that is written, at the first call alone.
TEST(Surroundings, MayChangeOnce) {
  of_rule = [] {
    static const int once = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    static_cast<void>(once);
  };
  EXPECT_TRUE(check_cube().ok());
  of_rule = nullptr;
}

TEST(Surroundings, AreLeftAsTheTestMadeThem) {
  ASSERT_EQ(::setenv("ASSAY_TEST_SET_THIS", "kept", 1), 0);
  const auto before = std::signal(SIGUSR1, SIG_IGN);
  std::fesetround(FE_DOWNWARD);
  of_rule = [] { ::setenv("ASSAY_RULE_LEFT_THIS", "1", 1); };
  EXPECT_FALSE(check_cube().ok());
  of_rule = nullptr;
  EXPECT_EQ(std::fegetround(), FE_DOWNWARD);
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(std::signal(SIGUSR1, before), SIG_IGN);
  EXPECT_STREQ(std::getenv("ASSAY_TEST_SET_THIS"), "kept");
}

TEST(Surroundings, ArePutBackWhereARuleThrows) {
  of_rule = [] {
    std::fesetround(FE_UPWARD);
    throw std::runtime_error("no slope");
  };
  EXPECT_FALSE(check_cube().ok());
  of_rule = nullptr;
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
  std::fesetround(FE_TONEAREST);
}

// Standard output goes where it went, whatever was looked at meanwhile.
TEST(Surroundings, TextThatIsPrintedArrives) {
  of_function = print;
  testing::internal::CaptureStdout();
  static_cast<void>(check_cube());
  of_function = nullptr;
  const std::string text = testing::internal::GetCapturedStdout();
  EXPECT_GT(text.size(), 20U);
  EXPECT_EQ(text.find_first_not_of("x\n"), std::string::npos) << text;
}

} // namespace
