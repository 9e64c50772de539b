// Bisection over the first-parent commits between a good and a bad one. Each commit that is tried is checked out into a
// worktree of its own, which goes away with the search. A commit where the case cannot be run says nothing; one beside
// it is tried.

#include "cli/night/bisect_command.hpp"

#include "cli/external_process.hpp"
#include "cli/interruption.hpp"
#include "cli/night/case_process.hpp"
#include "cli/night/finish.hpp"
#include "cli/night/settings.hpp"
#include "core/jit/bad_request.hpp"
#include "core/jit/scratch_folder.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <sstream>

namespace assay::cli {

namespace {

namespace fs = std::filesystem;
using jit::BadRequest;

enum class Answer : std::uint8_t { good, bad, unknown };

class Repository {
public:
  /// The one that `folder` is in.
  explicit Repository(const fs::path &folder) {
    root_ = line_of({"git", "-C", folder.string(), "rev-parse", "--show-toplevel"},
                    fmt::format("{} is in no git repository", folder.string()));
    inside_ = fs::weakly_canonical(folder).lexically_relative(fs::weakly_canonical(root_));
  }

  std::string commit(const std::string &revision) const {
    return line_of(words({"rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"}),
                   fmt::format("'{}' names no commit of {}", revision, root_.string()));
  }

  /// From the one behind `good` to `bad`, oldest first.
  std::vector<std::string> between(const std::string &good, const std::string &bad) const {
    const ProgramEnd ancestor = run(words({"merge-base", "--is-ancestor", good, bad}));
    if (ancestor.code != 0)
      throw BadRequest(fmt::format("{} is not an ancestor of {}", good, bad));
    std::istringstream lines(
        run(words({"rev-list", "--reverse", "--first-parent", fmt::format("{}..{}", good, bad)})).output);
    std::vector<std::string> commits;
    for (std::string line; std::getline(lines, line);)
      commits.push_back(line);
    if (commits.empty())
      throw BadRequest(fmt::format("there is no commit between {} and {}", good, bad));
    return commits;
  }

  std::string title(const std::string &commit) const {
    return line_of(words({"log", "-1", "--format=%h %s", commit}), "git log failed");
  }

  void check_out(const std::string &commit, const fs::path &folder) const {
    const ProgramEnd end = run(words({"worktree", "add", "--detach", "--force", folder.string(), commit}));
    if (end.code != 0)
      throw BadRequest(fmt::format("{} cannot be checked out", commit), end.output);
  }
  void remove(const fs::path &folder) const {
    static_cast<void>(run(words({"worktree", "remove", "--force", folder.string()})));
  }
  const fs::path &inside() const { return inside_; }

private:
  static ProgramEnd run(const std::vector<std::string> &words) {
    constexpr std::chrono::seconds limit(300);
    return run_external(words, limit);
  }
  static std::string line_of(const std::vector<std::string> &words, const std::string &complaint) {
    const ProgramEnd end = run(words);
    if (end.code != 0 || end.kind != ProgramEnd::Kind::exited)
      throw BadRequest(complaint, end.output);
    return end.output.substr(0, end.output.find('\n'));
  }
  std::vector<std::string> words(std::vector<std::string> given) const {
    given.insert(given.begin(), {"git", "-C", root_.string()});
    return given;
  }

  fs::path root_, inside_;
};

/// A commit in a folder, as long as the object lives.
class Worktree {
public:
  Worktree(const Repository &repository, const std::string &commit)
      : repository_(repository), folder_(scratch_.file("tree")) {
    repository.check_out(commit, folder_);
  }
  ~Worktree() { repository_.remove(folder_); }
  Worktree(const Worktree &) = delete;
  Worktree &operator=(const Worktree &) = delete;
  fs::path project() const { return (folder_ / repository_.inside()).lexically_normal(); }

private:
  const Repository &repository_;
  jit::ScratchFolder scratch_;
  fs::path folder_;
};

class Search {
public:
  Search(const Repository &repository, const std::string &id, const CheckSettings &settings,
         std::optional<std::string> prepare)
      : repository_(repository), id_(id), settings_(settings), prepare_(std::move(prepare)) {}

  Answer ask(const std::string &commit) {
    const Worktree tree(repository_, commit);
    const Answer answer = answer_in(tree.project());
    const std::string word = answer == Answer::good  ? "passes"
                             : answer == Answer::bad ? "fails"
                                                     : fmt::format("cannot be run: {}", reason_);
    console_.line(fmt::format("  {}: {}", repository_.title(commit), word));
    return answer;
  }

  /// Throws BadRequest, which names the `option` that gave the commit, where the answer is another one.
  void expect(Answer expected, const std::string &commit, const char *option) {
    const Answer answer = ask(commit);
    if (answer == Answer::unknown)
      throw BadRequest(fmt::format("{}: the case cannot be run at {}: {}", option, repository_.title(commit), reason_));
    if (answer != expected)
      throw BadRequest(fmt::format("{}: the case does not {} at {}", option, expected == Answer::bad ? "fail" : "pass",
                                   repository_.title(commit)));
  }

  /// `commits.back()` is bad, what is before `commits.front()` good.
  ExitCode run(const std::vector<std::string> &commits) {
    std::size_t good = 0, bad = commits.size(); // As counts: commits[bad - 1] is bad, commits[good - 1] good.
    std::vector<Answer> answers(commits.size() + 1, Answer::unknown);
    std::vector<bool> asked(commits.size() + 1, false);
    while (const std::size_t next = next_to_ask(good, bad, asked)) {
      if (interruption())
        return code_of_interruption();
      asked[next] = true;
      answers[next] = ask(commits[next - 1]);
      if (answers[next] == Answer::good)
        good = next;
      if (answers[next] == Answer::bad)
        bad = next;
    }
    if (bad - good == 1)
      console_.line(fmt::format("first bad commit: {}", repository_.title(commits[bad - 1])));
    else
      console_.line(
          fmt::format("the first bad commit is one of {}, from {} to {}: at the others the case cannot be run",
                      bad - good, repository_.title(commits[good]), repository_.title(commits[bad - 1])));
    return all_passed;
  }

private:
  /// The one nearest to the middle that was not asked; 0: none.
  static std::size_t next_to_ask(std::size_t good, std::size_t bad, const std::vector<bool> &asked) {
    const std::size_t middle = good + (bad - good) / 2;
    for (std::size_t distance = 0; distance < bad - good; ++distance)
      for (const std::size_t candidate : {middle + distance, middle - std::min(distance, middle)})
        if (candidate > good && candidate < bad && !asked[candidate])
          return candidate;
    return 0;
  }

  void prepare_project(const fs::path &folder) const {
    constexpr std::chrono::minutes limit(10);
    if (!prepare_)
      return;
    const ProgramEnd end = run_external({"sh", "-c", fmt::format("cd '{}' && {}", folder.string(), *prepare_)}, limit);
    if (end.kind != ProgramEnd::Kind::exited || end.code != 0)
      throw BadRequest(fmt::format("--prepare '{}' fails: {}", *prepare_, last_line(end.output)));
  }

  static std::string last_line(std::string_view output) {
    while (output.ends_with('\n'))
      output.remove_suffix(1);
    return std::string(output.substr(output.rfind('\n') + 1)); // npos + 1 is the whole.
  }

  Answer answer_in(const fs::path &folder) {
    try {
      prepare_project(folder);
      Console quiet;
      const NightProject project(folder, settings_, quiet);
      const NightTrial trial{project, settings_};
      constexpr std::chrono::minutes limit(10);
      const LoggedCase logged = run_alone(trial, id_, limit);
      if (logged.records.empty() || logged.records.front().verdict == cannot_be_checked) {
        reason_ = logged.records.empty() ? "it has no records" : logged.records.front().message;
        reason_.resize(std::min(reason_.size(), reason_.find('\n')));
        return Answer::unknown;
      }
      return outcome_of(logged) == reports::Outcome::failed ? Answer::bad : Answer::good;
    } catch (const BadRequest &error) {
      reason_ = error.what();
      return Answer::unknown;
    }
  }

  const Repository &repository_;
  std::string id_;
  CheckSettings settings_;
  std::optional<std::string> prepare_;
  std::string reason_; ///< Why the case could not be run, of the last commit where that was so.
  Console console_;
};

} // namespace

ExitCode run_bisect(const BisectArguments &arguments) {
  const std::optional<NightCase> night_case = case_from_id(arguments.id);
  if (!night_case || !std::holds_alternative<ProjectCase>(night_case->what))
    throw BadRequest(
        fmt::format("'{}' is no case of a project, such as check/dot.c:dot@1; random cases do not change with "
                    "its commits",
                    arguments.id));
  const NightHead head = read_night(arguments.report).head;
  const fs::path folder = arguments.project.value_or(head.folder);
  if (folder.empty() || !fs::is_directory(folder))
    throw BadRequest(
        fmt::format("'{}' is not the folder of a project; say where it is with --project DIR", folder.string()));
  const Repository repository(folder);
  const std::string good = repository.commit(arguments.good), bad = repository.commit(arguments.bad);
  const std::vector<std::string> commits = repository.between(good, bad);
  CheckSettings settings = settings_from(head.checks);
  settings.program = arguments.program;
  Search search(repository, arguments.id, settings, arguments.prepare);
  search.expect(Answer::bad, bad, "--bad");
  search.expect(Answer::good, good, "--good");
  return search.run(commits);
}

} // namespace assay::cli
