#pragma once
// Failures of earlier nights, in an SQLite database. Each stays until its case has passed some nights in a row, and is
// run first until then. A function of the project is one failure, with the seed at which it was last seen to fail.
// Beside them stand the totals of each night, and for some dozens of nights how each function of the project and each
// known failure fared.

#include "cli/night/log.hpp"
#include "reports/past_nights.hpp"

#include <memory>
#include <set>

struct sqlite3;

namespace assay::cli {

class History {
public:
  /// Makes the file where there is none. Throws jit::BadRequest where it cannot be used.
  explicit History(const std::filesystem::path &file);
  ~History();
  History(const History &) = delete;
  History &operator=(const History &) = delete;

  /// Names of the cases, oldest failure first: those of the project, and random ones.
  std::vector<std::string> failures(const std::string &project) const;

  /// The last nights of the project, at most so many, and how `cases` fared in them.
  reports::PastNights past(const std::string &project, const std::vector<std::string> &cases, std::size_t most) const;

  /// The findings of a night that came to its end; a night counts once, however often it is handed in. A failure is
  /// forgotten when it has passed `nights_kept` nights in a row.
  void take(const NightRecords &night, unsigned nights_kept);

private:
  bool is_current() const;
  /// Also of a database of an earlier version.
  bool make_current();

  std::filesystem::path file_;
  sqlite3 *database_ = nullptr;
};

/// The subjects of `known`, each as subject_of says it.
std::set<std::string> subjects_of(const std::vector<std::string> &known);

} // namespace assay::cli
