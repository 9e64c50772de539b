// Would catch: a changed rounding mode, locale, signal mask or working directory that nobody hears of, or under which
// later calls compute.

#include "testutils/environment_watch.hpp"

#include <array>
#include <cerrno>
#include <cfenv>
#include <clocale>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <iostream>
#include <locale.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

namespace {

using namespace assay::testutils;

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

TEST(EnvironmentWatch, NamesAHandlerAndPutsItBack) {
  EXPECT_EQ(only_change([] { std::signal(SIGUSR2, SIG_IGN); }),
            "the handler of SIGUSR2 is to ignore it after the call, it was the default before");
  EXPECT_EQ(watch([] { std::signal(SIGUSR2, SIG_IGN); }, Watched::arithmetic).changes.size(), 0U);
  watch([] {});
  EXPECT_EQ(std::signal(SIGUSR2, SIG_DFL), SIG_DFL);
}

TEST(EnvironmentWatch, NamesAnEnvironmentVariableAndPutsItBack) {
  EXPECT_EQ(only_change([] { ::setenv("ASSAY_TEST", "1", 1); }),
            "the environment variable ASSAY_TEST is '1' after the call, it was not set before");
  EXPECT_EQ(std::getenv("ASSAY_TEST"), nullptr);
}

TEST(EnvironmentWatch, NamesAnAlarmAndPutsItBack) {
  EXPECT_EQ(only_change([] { ::alarm(3600); }), "an alarm is set after the call");
  EXPECT_EQ(::alarm(0), 0U);
}

TEST(EnvironmentWatch, NamesATimer) {
  timer_t timer{};
  EXPECT_EQ(only_change([&] {
              sigevent silent{};
              silent.sigev_notify = SIGEV_NONE;
              ::timer_create(CLOCK_MONOTONIC, &silent, &timer);
            }),
            "a timer is there after the call that was not there before");
  EXPECT_TRUE(watch([&] { ::timer_delete(timer); }).changes.empty());
}

TEST(EnvironmentWatch, NamesTheLocaleOfTheThreadAndPutsItBack) {
  const locale_t before = ::uselocale(nullptr), plain = ::newlocale(LC_ALL_MASK, "C", nullptr);
  EXPECT_EQ(only_change([&] { ::uselocale(plain); }),
            "the locale of the thread (uselocale) is another one after the call than before");
  EXPECT_EQ(::uselocale(nullptr), before);
  ::freelocale(plain);
}

TEST(EnvironmentWatch, NamesALimitAndPutsItBack) {
  rlimit before{}, after{};
  ::getrlimit(RLIMIT_NOFILE, &before);
  rlimit fewer = before;
  fewer.rlim_cur = 100;
  EXPECT_EQ(only_change([&] { ::setrlimit(RLIMIT_NOFILE, &fewer); }),
            "the limit of open files is 100 after the call, it was " + std::to_string(before.rlim_cur) + " before");
  ::getrlimit(RLIMIT_NOFILE, &after);
  EXPECT_EQ(after.rlim_cur, before.rlim_cur);
}

TEST(EnvironmentWatch, NamesTheStackOfSignalHandlersAndPutsItBack) {
  static std::array<char, 1 << 16> memory;
  EXPECT_EQ(only_change([] {
              const stack_t other{memory.data(), 0, memory.size()};
              ::sigaltstack(&other, nullptr);
            }),
            "the stack of signal handlers is another one after the call than before");
  stack_t after{};
  ::sigaltstack(nullptr, &after);
  EXPECT_NE(after.ss_sp, memory.data());
}

TEST(EnvironmentWatch, NamesRandomNumbersOfTheLibraryAndPutsThemBack) {
  const std::string change = "the C library's random numbers go on from another state after the call than before";
  EXPECT_EQ(only_change([] { std::srand(42); }), change);
  EXPECT_EQ(only_change([] { static_cast<void>(::drand48()); }), change);
  int first = 0, second = 0;
  watch([&] { first = std::rand(); });
  watch([&] { second = std::rand(); });
  EXPECT_EQ(first, second);
}

TEST(EnvironmentWatch, NamesTheFormatOfAStreamAndPutsItBack) {
  EXPECT_EQ(only_change([] { std::cout.precision(17); }),
            "the format of std::cout is another one after the call than before");
  EXPECT_EQ(std::cout.precision(), 6);
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
