// What the command says of itself and of the machine: manual pages, completions, `assay doctor`.

#include "cli/test/run_command.hpp"

#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

namespace {

using assay::cli::test::Outcome;
using assay::cli::test::Workplace;
using testing::HasSubstr;
using testing::Not;

/// Of --help: the first word of each line under `Subcommands:`.
std::vector<std::string> commands_of(const Workplace &place) {
  std::istringstream lines(place.assay("--help").output);
  std::vector<std::string> commands;
  bool are_commands = false;
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("Subcommands:"))
      are_commands = true;
    else if (are_commands && line.starts_with("  ") && line[2] != ' ')
      commands.push_back(line.substr(2, line.find(' ', 2) - 2));
  return commands;
}

std::string contents(const std::filesystem::path &file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

// Would catch: a command without a page, an option that is missing there, roff that groff does not take.
TEST(ManualPages, AreThereForEachCommand) {
  const Workplace place;
  ASSERT_EQ(place.assay("manual pages/man1").code, 0);
  const std::vector<std::string> commands = commands_of(place);
  ASSERT_GE(commands.size(), 14U);
  for (const std::string &command : commands) {
    const std::string page = contents(place.path() / "pages/man1" / fmt::format("assay-{}.1", command));
    EXPECT_THAT(page, HasSubstr(".SH NAME\nassay\\-" + command + " \\- ")) << command;
    EXPECT_THAT(contents(place.path() / "pages/man1/assay.1"), HasSubstr("\\fB" + command + "\\fR"));
  }
  EXPECT_THAT(contents(place.path() / "pages/man1/assay-check.1"), HasSubstr(R"(\fB\-\-seed\fR \fINUMBER\fR)"));
  const Outcome rendered =
      place.shell("command -v groff >/dev/null || exit 0; for page in pages/man1/*; do groff -ww -man "
                  "-Tascii $page >/dev/null || exit 1; done");
  EXPECT_EQ(rendered.code, 0);
  EXPECT_EQ(rendered.errors, "");
}

TEST(ManualPages, NeedAFolderThatCanBeMade) {
  const Workplace place;
  place.write("file", "");
  const Outcome outcome = place.assay("manual file/man1");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.errors, HasSubstr("assay: file/man1: cannot be made"));
}

/// What bash offers at the end of `line`.
std::string completed(const Workplace &place, const std::string &words, int index) {
  return place
      .shell(
          fmt::format("bash -c 'source completion; COMP_WORDS=({}); COMP_CWORD={}; _assay; echo \"${{COMPREPLY[@]}}\"'",
                      words, index))
      .output;
}

// Would catch: completions that bash does not read, that lack a command, an option or its choices.
TEST(Completion, OffersCommandsOptionsChoicesAndFiles) {
  const Workplace place;
  ASSERT_EQ(place.shell(ASSAY_COMMAND " completion bash > completion").code, 0);
  place.write("kernel.cu", "");
  EXPECT_EQ(completed(place, "assay swe", 1), "sweep\n");
  EXPECT_EQ(completed(place, "assay check --orac", 2), "--oracle\n");
  EXPECT_EQ(completed(place, "assay check --oracle w", 3), "wide\n");
  EXPECT_EQ(completed(place, "assay check ker", 2), "kernel.cu\n");
  EXPECT_EQ(completed(place, "assay check --seed \"\"", 3), "\n");
  const Outcome outcome = place.assay("completion tcsh");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.errors, HasSubstr("tcsh"));
}

TEST(Completion, IsReadByTheOtherShells) {
  const Workplace place;
  for (const std::string shell : {"zsh", "fish"}) {
    const Outcome outcome =
        place.shell(fmt::format("{} completion {} > file && {{ ! command -v {} >/dev/null || {} -n file; }}",
                                ASSAY_COMMAND, shell, shell, shell));
    EXPECT_EQ(outcome.code, 0) << shell << outcome.errors;
    EXPECT_THAT(contents(place.path() / "file"), HasSubstr("nightly"));
  }
}

TEST(Doctor, FindsNothingMissingHere) {
  const Workplace place;
  const Outcome outcome = place.assay("doctor");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("ok       a gradient     the derivative of x * x at 1.5 is 3\n"));
  EXPECT_THAT(outcome.last_line(), HasSubstr(" 0 missing, "));
}

TEST(Doctor, NamesWhatIsMissing) {
  const Workplace place;
  const Outcome outcome = place.shell("TMPDIR=/proc " ASSAY_COMMAND " doctor");
  EXPECT_NE(outcome.code, 0);
  // A command without its plugin.
  const Outcome alone = place.shell("mkdir bin && cp " ASSAY_COMMAND " bin/assay && bin/assay doctor");
  EXPECT_EQ(alone.code, 3) << alone.output;
  EXPECT_THAT(alone.output, HasSubstr("missing  plugin "));
  EXPECT_THAT(alone.output, HasSubstr("./assay setup --command"));
  EXPECT_THAT(alone.output, Not(HasSubstr("a gradient")));
}

} // namespace
