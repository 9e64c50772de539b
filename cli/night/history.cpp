#include "cli/night/history.hpp"

#include "core/jit/bad_request.hpp"
#include "reports/record.hpp"

#include <algorithm>
#include <assay/testing/record.hpp>
#include <cstdlib>
#include <ctime>
#include <fmt/format.h>
#include <sqlite3.h>

namespace assay::cli {

namespace {

constexpr int milliseconds_of_patience = 10'000; // Another night may be writing.

constexpr std::size_t outcomes_kept = 60, totals_kept = 1000; // Nights of a project.

// Version 0 had no days and no outcomes.
constexpr const char *schema = R"(
CREATE TABLE IF NOT EXISTS failures(
  project TEXT NOT NULL, subject TEXT NOT NULL, case_id TEXT NOT NULL, verdict TEXT NOT NULL, detail TEXT NOT NULL,
  first_night TEXT NOT NULL, last_night TEXT NOT NULL, nights_passed INTEGER NOT NULL DEFAULT 0,
  number INTEGER PRIMARY KEY AUTOINCREMENT, UNIQUE(project, subject));
CREATE TABLE IF NOT EXISTS nights(
  night TEXT PRIMARY KEY, project TEXT NOT NULL, seed TEXT NOT NULL, digest TEXT NOT NULL, cases INTEGER NOT NULL,
  checked INTEGER NOT NULL, passed INTEGER NOT NULL, failed INTEGER NOT NULL, undecided INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS outcomes(
  night TEXT NOT NULL, project TEXT NOT NULL, subject TEXT NOT NULL, letter TEXT NOT NULL, verdict TEXT NOT NULL,
  PRIMARY KEY(night, project, subject)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS outcomes_by_subject ON outcomes(subject);
)";
constexpr const char *with_days = R"(
ALTER TABLE nights ADD COLUMN day TEXT NOT NULL DEFAULT '';
PRAGMA user_version = 1;
)";

/// In Greenwich, so that machines of one night agree.
std::string day_of_night() {
  const std::time_t now = std::time(nullptr);
  std::tm parts = {};
  gmtime_r(&now, &parts);
  return fmt::format("{:04}-{:02}-{:02}", 1900 + parts.tm_year, 1 + parts.tm_mon, parts.tm_mday);
}

/// As PastNights has it.
std::string letter_of(const LoggedCase &logged) {
  switch (outcome_of(logged)) {
  case reports::Outcome::passed:
    return "p";
  case reports::Outcome::undecided:
    return "u";
  case reports::Outcome::failed:
    return verdict_of(logged) == testutils::name_of(testutils::Verdict::no_answer) ? "n" : "f";
  }
  return "f";
}

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
  std::size_t number(int column) const { return static_cast<std::size_t>(sqlite3_column_int64(statement_, column)); }
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

bool is_of_project(const std::string &id) {
  return id.starts_with("check/");
}

/// Random cases are the engine's, whichever project they were found with.
std::string owner_of(const std::string &id, const std::string &project) {
  return is_of_project(id) ? project : std::string();
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
    prepare("INSERT OR IGNORE INTO nights(night, project, seed, digest, cases, checked, passed, failed, undecided, "
            "day) VALUES(?,?,?,?,?,?,?,?,?,?)")
        .with(night.head.id)
        .with(night.head.project)
        .with(std::to_string(night.head.plan.seed))
        .with(digest_of(night.cases))
        .with(night.cases.size())
        .with(totals.checked)
        .with(totals.passed)
        .with(totals.failed)
        .with(totals.undecided)
        .with(day_of_night())
        .step();
    return sqlite3_changes(database_) != 0;
  }

  /// How a case fared, where other nights may run it again: a function of the project, and what is known to fail. Of
  /// one subject the failure counts.
  void note_outcome(const LoggedCase &logged, const NightHead &head) {
    const std::string owner = owner_of(logged.id, head.project), subject = subject_of(logged.id);
    if (!is_of_project(logged.id) && !is_known(owner, subject))
      return;
    prepare("INSERT OR REPLACE INTO outcomes VALUES(?,?,?,?,?)")
        .with(head.id)
        .with(owner)
        .with(subject)
        .with(letter_of(logged))
        .with(verdict_of(logged))
        .step();
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

  void forget_old_nights(const std::string &project) {
    prepare("DELETE FROM nights WHERE project = ?1 AND rowid NOT IN (SELECT rowid FROM nights WHERE project = ?1 ORDER "
            "BY rowid DESC LIMIT ?2)")
        .with(project)
        .with(totals_kept)
        .step();
    prepare(
        "DELETE FROM outcomes WHERE night IN (SELECT night FROM nights WHERE project = ?1 ORDER BY rowid DESC LIMIT "
        "-1 OFFSET ?2) OR night NOT IN (SELECT night FROM nights)")
        .with(project)
        .with(outcomes_kept)
        .step();
  }

  void end(unsigned nights_kept) {
    prepare("DELETE FROM failures WHERE nights_passed >= ?").with(std::size_t(nights_kept)).step();
    prepare("COMMIT").step();
    is_done_ = true;
  }

private:
  Statement prepare(const char *text) const { return {database_, file_, text}; }
  bool is_known(const std::string &owner, const std::string &subject) const {
    return prepare("SELECT 1 FROM failures WHERE project = ? AND subject = ?").with(owner).with(subject).step();
  }

  sqlite3 *database_;
  std::string file_;
  bool is_done_ = false;
};

} // namespace

History::History(const std::filesystem::path &file) : file_(file) {
  const bool opened = sqlite3_open(file.c_str(), &database_) == SQLITE_OK;
  if (opened)
    sqlite3_busy_timeout(database_, milliseconds_of_patience);
  if (opened && (is_current() || make_current()))
    return;
  const std::string reason = sqlite3_errmsg(database_);
  sqlite3_close(database_);
  throw jit::BadRequest(fmt::format("--history: {} cannot be used: {}", file.string(), reason));
}

bool History::is_current() const {
  int version = 0;
  const auto read = [](void *to, int /*count*/, char **columns, char ** /*names*/) {
    *static_cast<int *>(to) = std::atoi(columns[0]);
    return 0;
  };
  return sqlite3_exec(database_, "PRAGMA user_version", read, &version, nullptr) == SQLITE_OK && version != 0;
}

/// One of several shards that start together does it, while the others wait.
bool History::make_current() {
  const auto run = [&](const char *text) {
    return sqlite3_exec(database_, text, nullptr, nullptr, nullptr) == SQLITE_OK;
  };
  return run("BEGIN IMMEDIATE") && (is_current() || (run(schema) && run(with_days))) && run("COMMIT");
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

reports::PastNights History::past(const std::string &project, const std::vector<std::string> &cases,
                                  std::size_t most) const {
  reports::PastNights past;
  std::map<std::string, std::size_t> position;
  Statement nights(database_, file_.string(),
                   "SELECT * FROM (SELECT night, day, seed, cases, checked, passed, failed, undecided, rowid AS number "
                   "FROM nights WHERE project = ? ORDER BY rowid DESC LIMIT ?) ORDER BY number");
  for (nights.with(project).with(most); nights.step();) {
    position.emplace(nights.text(0), past.nights.size());
    past.nights.push_back({nights.text(1),
                           std::stoull(nights.text(2)),
                           nights.number(3),
                           {nights.number(4), nights.number(5), nights.number(6), nights.number(7)}});
  }
  std::map<std::pair<std::string, std::string>, std::string> letters; // By owner and subject.
  Statement outcomes(database_, file_.string(),
                     "SELECT night, project, subject, letter FROM outcomes WHERE project = ? OR project = ''");
  for (outcomes.with(project); outcomes.step();)
    if (const auto night = position.find(outcomes.text(0)); night != position.end())
      letters.try_emplace({outcomes.text(1), outcomes.text(2)}, past.nights.size(), '.').first->second[night->second] =
          outcomes.text(3).front();
  for (const std::string &id : cases)
    if (const auto found = letters.find({owner_of(id, project), subject_of(id)}); found != letters.end())
      past.letters.emplace(id, found->second);
  return past;
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
  for (const LoggedCase *logged : failed_last) {
    update.take(*logged, night.head);
    update.note_outcome(*logged, night.head);
  }
  update.forget_old_nights(night.head.project);
  update.end(nights_kept);
}

std::set<std::string> subjects_of(const std::vector<std::string> &known) {
  std::set<std::string> subjects;
  for (const std::string &id : known)
    subjects.insert(subject_of(id));
  return subjects;
}

} // namespace assay::cli
