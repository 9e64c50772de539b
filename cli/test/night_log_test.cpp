// Would catch: a record that is lost, doubled or made of two halves when a process is killed while it writes; a plan
// that depends on how it is cut into shards.

#include "cli/night/history.hpp"
#include "cli/night/links.hpp"
#include "cli/test/run_command.hpp"
#include "core/jit/bad_request.hpp"

#include <atomic>
#include <cstdlib>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace {

using namespace assay::cli;

constexpr std::size_t cases_of_night = 60;

NightHead head() {
  NightHead head;
  head.id = "night";
  head.plan.seed = 7;
  head.plan.cases = cases_of_night;
  head.checks = "{}";
  return head;
}

/// As cheap as a case can be; records tell their case apart.
LoggedCase run(std::size_t index) {
  LoggedCase logged;
  logged.index = index;
  logged.id = case_at(head().plan, index);
  logged.records.resize(1 + index % 3);
  for (assay::reports::Record &record : logged.records) {
    record.case_id = logged.id;
    record.verdict = "pass";
    record.message = std::string(3000, static_cast<char>('a' + index % 26)); // Longer than a block of a pipe or a page.
  }
  return logged;
}

/// The log of a night as the command writes it, without the checks.
void write_night(const std::filesystem::path &folder) {
  NightLog log(folder);
  std::set<std::size_t> done;
  if (holds_night(folder)) {
    const NightRecords before = read_night(folder);
    log.go_on(before);
    for (const LoggedCase &logged : before.cases)
      done.insert(logged.index);
  } else {
    log.begin(head());
  }
  for (std::size_t index = 0; index < cases_of_night; ++index)
    if (!done.contains(index))
      log.add(run(index));
  log.end({}, cases_of_night);
}

void kill_at_random_moments(const std::filesystem::path &folder, unsigned kills) {
  std::mt19937 random(11);
  for (unsigned kill = 0; kill < kills; ++kill) {
    const pid_t child = fork();
    if (child == 0) {
      write_night(folder);
      _exit(0);
    }
    usleep(std::uniform_int_distribution<useconds_t>(0, 12'000)(random));
    ::kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
  }
}

TEST(NightLinks, NameAVerdictThatChangedBehindAnotherChange) {
  LoggedCase first;
  first.id = "check/f.c:f@1";
  first.records.resize(3);
  for (std::size_t index = 0; index < first.records.size(); ++index) {
    first.records[index].function = "f";
    first.records[index].mode = index == 0 ? "forward" : "reverse";
    first.records[index].width = 1 + static_cast<unsigned>(index);
    first.records[index].verdict = "pass";
  }
  LoggedCase second = first;
  for (assay::reports::Record &record : second.records)
    record.provenance.ir = "other";
  const std::string link = first_changed_link(first, second);
  second.records[2].verdict = "wrong derivative";
  const std::string with_verdict = first_changed_link(first, second);
  EXPECT_EQ(with_verdict.find(link + "; 1 other verdict: pass -> wrong derivative, in reverse"), 0U) << with_verdict;
  second.records[2].outcome = assay::reports::Outcome::failed;
  second.records.erase(second.records.begin());
  EXPECT_NE(first_changed_link(first, second).find("any more, pass -> wrong derivative"), std::string::npos);
}

TEST(NightLog, LosesAndDoublesNoRecordWhenItIsKilled) {
  const test::Workplace place;
  const auto folder = place.path() / "night";
  const char *wanted = std::getenv("ASSAY_KILLS"); // More in a run by hand.
  kill_at_random_moments(folder, wanted ? static_cast<unsigned>(std::stoul(wanted)) : 30);
  if (!holds_night(folder) || !read_night(folder).is_complete)
    write_night(folder);
  const NightRecords night = read_night(folder);
  EXPECT_TRUE(night.is_complete);
  ASSERT_EQ(night.cases.size(), cases_of_night);
  for (std::size_t index = 0; index < cases_of_night; ++index) {
    const LoggedCase &logged = night.cases[index], expected = run(index);
    EXPECT_EQ(logged.index, index);
    EXPECT_EQ(logged.id, expected.id);
    ASSERT_EQ(logged.records.size(), expected.records.size());
    for (const assay::reports::Record &record : logged.records)
      EXPECT_EQ(record.message, expected.records.front().message);
  }
}

/// A night of one function of the project, one known random function and one that passes.
NightRecords short_night(std::size_t number, assay::reports::Outcome of_function, const std::string &verdict) {
  NightRecords night;
  night.head = head();
  night.head.id = "night " + std::to_string(number);
  night.head.plan.seed = number;
  night.head.project = "project";
  for (const std::string &id : {"check/f.c:f@" + std::to_string(number), std::string("function/smooth/double/1@1"),
                                std::string("function/smooth/double/2@1")}) {
    LoggedCase logged;
    logged.id = id;
    logged.records.resize(1);
    logged.records[0].verdict = "pass";
    night.cases.push_back(logged);
  }
  night.cases[0].records[0].outcome = of_function;
  night.cases[0].records[0].verdict = verdict;
  night.cases[1].records[0].outcome = assay::reports::Outcome::failed;
  return night;
}

/// Would catch: a night that is shown as another one's, and a database that grows without an end.
TEST(NightHistory, KeepsHowEachFunctionFaredForSomeNights) {
  using assay::reports::Outcome;
  const test::Workplace place;
  const auto file = place.path() / "history.sqlite";
  History history(file);
  for (std::size_t number = 0; number < 70; ++number)
    history.take(short_night(number, number % 3 == 0 ? Outcome::failed : Outcome::passed,
                             number == 66      ? "no answer"
                             : number % 3 == 0 ? "wrong derivative"
                                               : "pass"),
                 5);
  history.take(short_night(69, Outcome::passed, "pass"), 5); // Handed in twice.
  const std::vector<std::string> cases{"check/f.c:f@99", "function/smooth/double/1@1", "function/smooth/double/2@1"};
  const assay::reports::PastNights last = history.past("project", cases, 10);
  ASSERT_EQ(last.nights.size(), 10U);
  EXPECT_EQ(last.nights.front().seed, 60U);
  EXPECT_EQ(last.nights.back().seed, 69U);
  EXPECT_EQ(last.nights.back().cases, 3U);
  EXPECT_EQ(last.nights.back().totals.failed, 2U);
  EXPECT_EQ(last.nights.back().day.size(), std::string("2031-02-03").size());
  EXPECT_EQ(last.letters.at(cases[0]), "fppfppnppf") << "whichever seed";
  EXPECT_EQ(last.letters.at(cases[1]), std::string(10, 'f'));
  EXPECT_FALSE(last.letters.contains(cases[2])) << "no other night runs it";
  EXPECT_TRUE(history.past("another project", cases, 10).nights.empty());

  const assay::reports::PastNights all = history.past("project", cases, 1000);
  EXPECT_EQ(all.nights.size(), 70U) << "totals are kept for longer";
  EXPECT_EQ(all.letters.at(cases[1]), std::string(10, '.') + std::string(60, 'f'));
}

/// The shards of a night start at the same time.
TEST(NightHistory, IsMadeOnceByAllThatOpenItTogether) {
  const test::Workplace place;
  for (int round = 0; round < 20; ++round) {
    const std::filesystem::path file = place.path() / (std::to_string(round) + ".sqlite");
    std::atomic<int> opened = 0;
    std::vector<std::jthread> shards;
    for (int shard = 0; shard < 8; ++shard)
      shards.emplace_back([&] {
        try {
          const History history(file);
          ++opened;
        } catch (const assay::jit::BadRequest &error) {
          ADD_FAILURE() << error.what();
        }
      });
    shards.clear();
    EXPECT_EQ(opened, 8);
  }
}

TEST(NightHistory, TakesADatabaseOfAnEarlierVersion) {
  const test::Workplace place;
  const test::Outcome made = place.shell(
      "python3 -c \"import sqlite3; b = sqlite3.connect('history.sqlite'); b.execute('CREATE TABLE nights(night TEXT "
      "PRIMARY KEY, project TEXT NOT NULL, seed TEXT NOT NULL, digest TEXT NOT NULL, cases INTEGER NOT NULL, checked "
      "INTEGER NOT NULL, passed INTEGER NOT NULL, failed INTEGER NOT NULL, undecided INTEGER NOT NULL)'); b.execute("
      "\\\"INSERT INTO nights VALUES('old', 'project', '7', '', 1, 4, 4, 0, 0)\\\"); b.commit()\"");
  ASSERT_EQ(made.code, 0) << made.errors;
  History(place.path() / "history.sqlite").take(short_night(1, assay::reports::Outcome::passed, "pass"), 5);
  const assay::reports::PastNights past =
      History(place.path() / "history.sqlite").past("project", {"check/f.c:f@1"}, 9);
  ASSERT_EQ(past.nights.size(), 2U);
  EXPECT_EQ(past.nights[0].day, "");
  EXPECT_EQ(past.nights[0].totals.checked, 4U);
  EXPECT_EQ(past.letters.at("check/f.c:f@1"), ".p");
}

TEST(NightLog, HasOneWriter) {
  const test::Workplace place;
  const auto folder = place.path() / "night";
  const NightLog log(folder);
  const pid_t child = fork();
  if (child == 0) { // A lock keeps other processes out.
    try {
      const NightLog other(folder);
      _exit(0);
    } catch (const assay::jit::BadRequest &error) {
      _exit(std::string(error.what()).find("another process writes") != std::string::npos ? 2 : 1);
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 2);
}

TEST(NightLog, NamesALineThatIsNoneOfANight) {
  const test::Workplace place;
  write_night(place.path() / "night");
  place.write("night/records.jsonl", "{\"kind\":\"run\"}\n");
  try {
    read_night(place.path() / "night");
    FAIL();
  } catch (const assay::jit::BadRequest &error) {
    EXPECT_NE(std::string(error.what()).find("records.jsonl:1 does not begin a night"), std::string::npos);
  }
}

TEST(Links, NameTheFirstThatChangedAndWhatMayHaveChangedIt) {
  NightRecords before;
  before.head.libm = {{"exp", "1"}, {"sin", "2"}};
  before.cases = {run(1), run(2)};
  before.cases[0].records.front().provenance = {"in", "ir", "gradient", "0.1.0", "22", "-O2", "a processor", "libm"};
  const auto link_of = [&](const NightRecords &after) {
    const std::vector<CaseChange> found = changes(before, after);
    return found.size() == 1 ? found.front().link : std::to_string(found.size()) + " changes";
  };
  NightRecords after = before;
  EXPECT_EQ(link_of(after), "0 changes");
  assay::reports::Record &record = after.cases[0].records.front();
  record.provenance.gradients = "other";
  EXPECT_NE(link_of(after).find("same inputs and IR, other gradient"), std::string::npos) << link_of(after);
  after.head.libm["exp"] = "3";
  EXPECT_NE(link_of(after).find("libm's exp differs"), std::string::npos) << link_of(after);
  record.provenance.ir = "other";
  EXPECT_NE(link_of(after).find("same inputs, other IR"), std::string::npos) << link_of(after);
  record.provenance.inputs = "other";
  EXPECT_NE(link_of(after).find("other inputs and other IR"), std::string::npos) << link_of(after);
  record.provenance = before.cases[0].records.front().provenance;
  record.verdict = "wrong derivative";
  EXPECT_NE(link_of(after).find("same gradient, other verdict, pass -> wrong derivative"), std::string::npos);
  after = before;
  after.cases.pop_back();
  EXPECT_EQ(link_of(after), "only in the first");
}

TEST(NightPlan, CasesFollowFromSeedAndIndexAlone) {
  NightPlan plan;
  plan.seed = 7;
  plan.functions = {"a.c:f", "b.c:g"};
  const std::string last = case_at(plan, 40);
  for (const std::size_t index : {0U, 1U, 2U, 39U, 40U}) // In any order, as often as one likes.
    EXPECT_EQ(case_at(plan, index), case_at(plan, index));
  EXPECT_EQ(case_at(plan, 40), last);
  EXPECT_EQ(case_at(plan, 0).substr(0, 12), "check/a.c:f@");
  plan.functions.push_back("c.c:h");
  NightPlan other = plan;
  other.seed = 8;
  EXPECT_EQ(case_at(plan, 0).substr(0, 12), "check/a.c:f@");
  EXPECT_NE(case_at(plan, 0), case_at(other, 0));
  plan.known = {"program/5@3"};
  EXPECT_EQ(case_at(plan, 0), "program/5@3");
  EXPECT_EQ(case_at(plan, 1).substr(0, 12), "check/a.c:f@");
}

TEST(NightPlan, HasFunctionsProgramsAndTheProject) {
  NightPlan plan;
  plan.functions = {"a.c:f"};
  std::map<std::string, unsigned> kinds;
  std::set<std::string> ids;
  for (std::size_t index = 0; index < 400; ++index) {
    const std::string id = case_at(plan, index);
    ++kinds[id.substr(0, id.find('/'))];
    ids.insert(id);
    const auto again = case_from_id(id);
    ASSERT_TRUE(again) << id;
    EXPECT_EQ(id_of(*again), id);
  }
  EXPECT_EQ(ids.size(), 400U);
  for (const char *kind : {"check", "function", "program"})
    EXPECT_GT(kinds[kind], 60U) << kind;
}

TEST(NightCase, NamesThatMeanNothingAreNone) {
  for (const char *id :
       {"", "check/a.c:f", "check/a.c@1", "program/x@1", "program/1@", "program/1@-1", "function/hill/float/1@1",
        "function/smooth/half/1@1", "function/smooth@1", "smooth/float/1@1"})
    EXPECT_FALSE(case_from_id(id)) << id;
  EXPECT_EQ(subject_of("check/a.c:f@12"), subject_of("check/a.c:f@13"));
  EXPECT_NE(subject_of("program/1@12"), subject_of("program/1@13"));
}

} // namespace
