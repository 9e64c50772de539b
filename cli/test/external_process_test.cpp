#include "cli/external_process.hpp"

#include <gtest/gtest.h>

using assay::cli::ProgramEnd;
using assay::cli::run_external;
using namespace std::chrono_literals;

TEST(ExternalProcess, KeepsWhatAProgramSaysAndItsExitCode) {
  const ProgramEnd end = run_external({"sh", "-c", "echo words; echo trouble >&2; exit 3"}, 10s);
  EXPECT_EQ(end.kind, ProgramEnd::Kind::exited);
  EXPECT_EQ(end.code, 3);
  EXPECT_EQ(end.output, "words\ntrouble\n");
}

TEST(ExternalProcess, EndsAProgramThatComputesTooLong) {
  EXPECT_EQ(run_external({"sh", "-c", "while :; do :; done"}, 1s).kind, ProgramEnd::Kind::out_of_time);
}

TEST(ExternalProcess, EndsWhatAProgramStartedAndFailedFor) {
  const ProgramEnd end = run_external({"sh", "-c", "sh -c 'while :; do :; done'; exit 1"}, 1s);
  EXPECT_EQ(end.kind, ProgramEnd::Kind::out_of_time);
}

TEST(ExternalProcess, DoesNotCountTheTimeThatAProgramWaits) {
  EXPECT_EQ(run_external({"sleep", "0.5"}, 100ms).kind, ProgramEnd::Kind::exited);
}

TEST(ExternalProcess, EndsAProgramThatWaitsForever) {
  EXPECT_EQ(run_external({"sleep", "60"}, 100ms).kind, ProgramEnd::Kind::out_of_time);
}

TEST(ExternalProcess, TellsTheSignalThatKilledAProgram) {
  const ProgramEnd end = run_external({"sh", "-c", "kill -SEGV $$"}, 10s);
  EXPECT_EQ(end.kind, ProgramEnd::Kind::killed);
  EXPECT_EQ(end.code, 11);
}
