#pragma once
// The records of a night on disk: DIR/records.jsonl, one JSON object a line, only ever appended to.
//
//   {"kind":"night", ...}      the night's request, and where it runs
//   {"kind":"record", ...}     one combination; those of a case stand together
//   {"kind":"case", ...}       behind them: now the case counts
//   {"kind":"totals", ...}     at the end of a night that came to its end
//
// The lines of a case are written by one call and are on the disk before the next case is. A process that is killed in
// the middle leaves a torn last line, or records without their case: both are cut off when the night goes on, and the
// case is run again. So no record is lost or doubled, whenever a process is killed.

#include "cli/night/plan.hpp"
#include "reports/record.hpp"

#include <filesystem>
#include <map>
#include <span>

namespace assay::cli {

/// A night's request, and where it runs. All but name, folder, command and `known` must be the same when it
/// goes on.
struct NightHead {
  std::string id; ///< No other night has the same.
  NightPlan plan;
  std::string project; ///< Its name.
  std::string folder;  ///< Where it lies; empty: the shipped examples.
  std::string checks;  ///< Options of the checks (settings.hpp).
  std::map<std::string, std::string>
      sources; ///< A digest for each function of the project, of what it was compiled to.
  reports::Provenance provenance;
  std::map<std::string, std::string> libm; ///< A digest for each function.
  std::string command;
};

/// A case that was decided, with its records.
struct LoggedCase {
  std::size_t index = 0; ///< In the plan.
  std::string id;
  double elapsed = 0; ///< Seconds of the whole night, interruptions left out.
  std::vector<reports::Record> records;
};

struct NightRecords {
  NightHead head;
  std::vector<LoggedCase> cases; ///< In the order in which they were decided.
  bool is_complete = false;
  std::uintmax_t whole_bytes = 0; ///< The rest was torn.
};

/// Whether `folder` holds the records of a night. Nothing of a night that was killed before its first line was whole.
bool holds_night(const std::filesystem::path &folder);
/// Whether the records there are those of a night, and not those of a check.
bool is_night(const std::filesystem::path &folder);
/// Throws jit::BadRequest where there is none, or where a line in the middle is no line of a night.
NightRecords read_night(const std::filesystem::path &folder);

/// The functions of the project that the two were not compiled to the same code of, in words; empty: none is known.
std::string changed_sources(const NightHead &first, const NightHead &second);

/// Failed if any of its records is, else undecided if any is.
reports::Outcome outcome_of(const LoggedCase &logged);
/// The verdict that decided.
std::string verdict_of(const LoggedCase &logged);
/// Of a night, whatever the order of its cases: names, links and verdicts.
std::string digest_of(std::vector<LoggedCase> cases);

class NightLog {
public:
  /// Nobody else may write there: throws jit::BadRequest if somebody does, or if the folder cannot be written.
  explicit NightLog(const std::filesystem::path &folder);
  ~NightLog();
  NightLog(const NightLog &) = delete;
  NightLog &operator=(const NightLog &) = delete;

  /// A new night; the old log goes.
  void begin(const NightHead &head);
  /// Goes on behind `before`.
  void go_on(const NightRecords &before);
  /// All of them by one write.
  void add(std::span<const LoggedCase> cases);
  void add(const LoggedCase &logged) { add(std::span(&logged, 1)); }
  void end(const reports::Totals &totals, std::size_t cases);

private:
  void open(std::uintmax_t size);
  void append(const std::string &text);

  std::filesystem::path file_;
  int lock_ = -1, output_ = -1;
};

} // namespace assay::cli
