// Would catch: a changed rounding mode, locale, signal mask or working directory that nobody hears of, or under which
// later calls compute.

#include "core/jit/environment_watch.hpp"

#include <cerrno>
#include <cfenv>
#include <clocale>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <unistd.h>

namespace {

using namespace assay::jit;

EnvironmentReport watch(const std::function<void()> &run, Watched watched = Watched::everything) {
  const EnvironmentWatch environment(watched);
  run();
  return environment.report();
}

std::string only_change(const std::function<void()> &run) {
  const EnvironmentReport report = watch(run);
  return report.changes.size() == 1 ? report.changes.front() : "not one change";
}

TEST(EnvironmentWatch, SeesNothingInPlainArithmetic) {
  const EnvironmentReport report = watch([] {
    volatile double x = 3;
    x = x / 7;
  });
  EXPECT_TRUE(report.changes.empty());
  EXPECT_TRUE(report.remarks.empty());
}

TEST(EnvironmentWatch, NamesTheRoundingModeAndPutsItBack) {
  EXPECT_EQ(only_change([] { std::fesetround(FE_UPWARD); }),
            "the rounding mode is upward after the call, it was to nearest before");
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
  EXPECT_EQ(watch([] { std::fesetround(FE_DOWNWARD); }, Watched::arithmetic).changes.size(), 1U);
}

TEST(EnvironmentWatch, NamesTheWorkingDirectoryAndPutsItBack) {
  const auto before = std::filesystem::current_path();
  const auto elsewhere = before == "/" ? std::filesystem::temp_directory_path() : std::filesystem::path("/");
  EXPECT_EQ(only_change([&] { std::filesystem::current_path(elsewhere); }),
            "the working directory is " + elsewhere.string() + " after the call, it was " + before.string() +
                " before");
  EXPECT_EQ(std::filesystem::current_path(), before);
}

TEST(EnvironmentWatch, NamesABlockedSignalAndPutsItBack) {
  const auto block = [] {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR1);
    ::sigprocmask(SIG_BLOCK, &signals, nullptr);
  };
  EXPECT_EQ(only_change(block), "SIGUSR1 is blocked after the call, it was not blocked before");
  EXPECT_EQ(only_change(block), "SIGUSR1 is blocked after the call, it was not blocked before");
}

TEST(EnvironmentWatch, NamesAnOpenFile) {
  int file = -1;
  EXPECT_EQ(only_change([&] { file = ::open("/dev/null", O_RDONLY); }), "a file descriptor stays open after the call");
  EXPECT_EQ(only_change([&] { ::close(file); }), "a file descriptor that was open before the call is closed after it");
}

TEST(EnvironmentWatch, WhatACallUnderALooserWatchChangedIsPutBackBeforeTheNext) {
  const auto before = std::filesystem::current_path();
  watch([] {}, Watched::everything);
  watch([] { std::filesystem::current_path("/"); }, Watched::arithmetic);
  watch([] {}, Watched::everything);
  EXPECT_EQ(std::filesystem::current_path(), before);
}

TEST(EnvironmentWatch, RemarksOnExceptionsAndErrno) {
  const EnvironmentReport report = watch([] {
    volatile double zero = 0, x = 0;
    x = 1 / zero;
    static_cast<void>(x);
    errno = EDOM;
  });
  EXPECT_TRUE(report.changes.empty());
  EXPECT_EQ(report.remarks,
            (std::vector<std::string>{"raises the floating-point exception division by zero", "sets errno to EDOM"}));
}

} // namespace
