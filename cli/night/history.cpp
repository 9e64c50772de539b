#include "cli/night/history.hpp"

#include "core/jit/bad_request.hpp"
#include "reports/record.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <sqlite3.h>

namespace assay::cli {

namespace {

constexpr int milliseconds_of_patience = 10'000; // Another night may be writing.

constexpr const char *schema = R"(
CREATE TABLE IF NOT EXISTS failures(
  project TEXT NOT NULL, subject TEXT NOT NULL, case_id TEXT NOT NULL, verdict TEXT NOT NULL, detail TEXT NOT NULL,
  first_night TEXT NOT NULL, last_night TEXT NOT NULL, nights_passed INTEGER NOT NULL DEFAULT 0,
  number INTEGER PRIMARY KEY AUTOINCREMENT, UNIQUE(project, subject));
CREATE TABLE IF NOT EXISTS nights(
  night TEXT PRIMARY KEY, project TEXT NOT NULL, seed TEXT NOT NULL, digest TEXT NOT NULL, cases INTEGER NOT NULL,
  checked INTEGER NOT NULL, passed INTEGER NOT NULL, failed INTEGER NOT NULL, undecided INTEGER NOT NULL);
)";

/// One statement with its parameters.
class Statement {
public:
  Statement(sqlite3 *database, const std::string &file, const char *text) : database_(database), file_(file) {
    require(sqlite3_prepare_v2(database, text, -1, &statement_, nullptr) == SQLITE_OK);
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement &) = delete;
  Statement &operator=(const Statement &) = delete;

  Statement &with(const std::string &text) {
    require(sqlite3_bind_text(statement_, ++bound_, text.c_str(), -1, SQLITE_TRANSIENT) == SQLITE_OK);
    return *this;
  }
  Statement &with(std::size_t number) {
    require(sqlite3_bind_int64(statement_, ++bound_, static_cast<sqlite3_int64>(number)) == SQLITE_OK);
    return *this;
  }
  /// Whether there is a row.
  bool step() {
    const int result = sqlite3_step(statement_);
    require(result == SQLITE_ROW || result == SQLITE_DONE);
    return result == SQLITE_ROW;
  }
  std::string text(int column) const { return reinterpret_cast<const char *>(sqlite3_column_text(statement_, column)); }

private:
  void require(bool is_right) const {
    if (!is_right)
      throw jit::BadRequest(fmt::format("--history: {}: {}", file_, sqlite3_errmsg(database_)));
  }
  sqlite3 *database_;
  std::string file_;
  sqlite3_stmt *statement_ = nullptr;
  int bound_ = 0;
};

/// Random cases are the engine's, whichever project they were found with.
std::string owner_of(const std::string &id, const std::string &project) {
  return id.starts_with("check/") ? project : std::string();
}

class Update {
public:
  Update(sqlite3 *database, std::string file) : database_(database), file_(std::move(file)) {
    prepare("BEGIN IMMEDIATE").step();
  }
  ~Update() {
    if (!is_done_)
      sqlite3_exec(database_, "ROLLBACK", nullptr, nullptr, nullptr);
  }
  Update(const Update &) = delete;
  Update &operator=(const Update &) = delete;

  /// False where the night was taken before.
  bool begin(const NightRecords &night) {
    reports::Totals totals;
    for (const LoggedCase &logged : night.cases) {
      const reports::Totals some = reports::totals_of(logged.records);
      totals.checked += some.checked, totals.passed += some.passed;
      totals.failed += some.failed, totals.undecided += some.undecided;
    }
    prepare("INSERT OR IGNORE INTO nights VALUES(?,?,?,?,?,?,?,?,?)")
        .with(night.head.id)
        .with(night.head.project)
        .with(std::to_string(night.head.plan.seed))
        .with(digest_of(night.cases))
        .with(night.cases.size())
        .with(totals.checked)
        .with(totals.passed)
        .with(totals.failed)
        .with(totals.undecided)
        .step();
    return sqlite3_changes(database_) != 0;
  }

  void take(const LoggedCase &logged, const NightHead &head) {
    const std::string owner = owner_of(logged.id, head.project), subject = subject_of(logged.id);
    if (outcome_of(logged) == reports::Outcome::passed)
      prepare("UPDATE failures SET nights_passed = nights_passed + 1 WHERE project = ? AND case_id = ?")
          .with(owner)
          .with(logged.id)
          .step();
    if (outcome_of(logged) != reports::Outcome::failed)
      return;
    const auto record = std::ranges::find(logged.records, reports::Outcome::failed, &reports::Record::outcome);
    prepare("INSERT INTO failures(project, subject, case_id, verdict, detail, first_night, last_night) "
            "VALUES(?1,?2,?3,?4,?5,?6,?6) ON CONFLICT(project, subject) DO UPDATE SET case_id = ?3, verdict = ?4, "
            "detail = ?5, last_night = ?6, nights_passed = 0")
        .with(owner)
        .with(subject)
        .with(logged.id)
        .with(verdict_of(logged))
        .with(record->detail)
        .with(head.id)
        .step();
  }

  void end(unsigned nights_kept) {
    prepare("DELETE FROM failures WHERE nights_passed >= ?").with(std::size_t(nights_kept)).step();
    prepare("COMMIT").step();
    is_done_ = true;
  }

private:
  Statement prepare(const char *text) const { return {database_, file_, text}; }

  sqlite3 *database_;
  std::string file_;
  bool is_done_ = false;
};

} // namespace

History::History(const std::filesystem::path &file) : file_(file) {
  const bool opened = sqlite3_open(file.c_str(), &database_) == SQLITE_OK;
  if (opened)
    sqlite3_busy_timeout(database_, milliseconds_of_patience);
  if (opened && sqlite3_exec(database_, schema, nullptr, nullptr, nullptr) == SQLITE_OK)
    return;
  const std::string reason = sqlite3_errmsg(database_);
  sqlite3_close(database_);
  throw jit::BadRequest(fmt::format("--history: {} cannot be used: {}", file.string(), reason));
}

History::~History() {
  sqlite3_close(database_);
}

std::vector<std::string> History::failures(const std::string &project) const {
  Statement statement(database_, file_.string(),
                      "SELECT case_id FROM failures WHERE project = ? OR project = '' ORDER BY number");
  statement.with(project);
  std::vector<std::string> cases;
  while (statement.step())
    cases.push_back(statement.text(0));
  return cases;
}

void History::take(const NightRecords &night, unsigned nights_kept) {
  Update update(database_, file_.string());
  if (!update.begin(night))
    return;
  std::vector<const LoggedCase *> failed_last; // Of one subject the failure counts.
  for (const LoggedCase &logged : night.cases)
    failed_last.push_back(&logged);
  std::ranges::sort(failed_last, {}, [](const LoggedCase *logged) {
    const bool failed = outcome_of(*logged) == reports::Outcome::failed;
    const auto index = static_cast<std::int64_t>(logged->index);
    return std::pair(failed, failed ? -index : index); // The known case comes first in a night, and keeps its name.
  });
  for (const LoggedCase *logged : failed_last)
    update.take(*logged, night.head);
  update.end(nights_kept);
}

std::set<std::string> subjects_of(const std::vector<std::string> &known) {
  std::set<std::string> subjects;
  for (const std::string &id : known)
    subjects.insert(subject_of(id));
  return subjects;
}

} // namespace assay::cli
