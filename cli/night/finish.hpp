#pragma once
// The end of a night: its failures go into the history, its report is written, its last lines are
// printed.

#include "cli/check_command.hpp"
#include "cli/console.hpp"
#include "cli/exit_code.hpp"
#include "cli/night/log.hpp"

namespace assay::cli {

struct HistoryOptions {
  std::filesystem::path file;
  unsigned nights_kept = 5;
  enum class Changes : std::uint8_t { by_this_night, when_shards_are_merged } changes = Changes::by_this_night;
};

reports::Totals totals_of(const NightRecords &night);

/// Its exit code follows from them.
void add_failures(const LoggedCase &logged, Verdicts &verdicts);

/// Of a night that came to its end.
ExitCode finish_night(Console &console, const std::filesystem::path &folder, const NightRecords &night,
                      const HistoryOptions &history);

/// As a shell says it: 130, 143. After an interruption.
ExitCode code_of_interruption();

/// The report and the last lines alone; `history` is a file that need not be there.
void show_night(Console &console, const std::filesystem::path &folder, const NightRecords &night,
                const std::filesystem::path &history);

} // namespace assay::cli
