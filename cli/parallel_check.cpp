// Each process takes the next part that nobody has taken, from a counter that all share, until none is left. It sends
// lines that begin with the number of the part.

#include "cli/parallel_check.hpp"

#include "cli/child_process.hpp"
#include "cli/interruption.hpp"
#include "core/jit/bad_request.hpp"
#include "reports/grouping.hpp"
#include "reports/json_lines.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <fmt/format.h>
#include <iterator>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <sys/mman.h>

namespace assay::cli {

namespace {

constexpr std::string_view began = "began ", counted = "counted ", decided = "record ", refused = "refused ",
                           ended = "ended";

/// One mode of one function.
struct Part {
  std::size_t function = 0;
  testutils::Mode mode = testutils::Mode::forward;
};

struct PartResult {
  std::vector<reports::Record> records;
  std::size_t possible = 0;
  std::optional<jit::BadRequest> refusal;
  bool has_ended = false;
};

/// Numbers that several processes draw from.
class SharedCounter {
public:
  SharedCounter() {
    void *memory = ::mmap(nullptr, sizeof(Cell), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
      throw std::runtime_error("cannot share memory with a process");
    cell_ = new (memory) Cell(0);
  }
  ~SharedCounter() { ::munmap(cell_, sizeof(Cell)); }
  SharedCounter(const SharedCounter &) = delete;
  SharedCounter &operator=(const SharedCounter &) = delete;
  std::size_t next() const { return cell_->fetch_add(1); }

private:
  using Cell = std::atomic<std::size_t>;
  Cell *cell_;
};

std::vector<Part> parts_of(const std::deque<FunctionToCheck> &functions) {
  std::vector<Part> parts;
  for (std::size_t index = 0; index < functions.size(); ++index)
    for (const testutils::Mode mode : functions[index].request.settings.modes)
      parts.push_back({index, mode});
  return parts;
}

/// In the child.
void check_part(const FunctionToCheck &function, testutils::Mode mode, const SendLine &send) {
  CheckRequest request = function.request;
  request.settings.only_mode = mode;
  CheckListener listener;
  listener.started = [&](const std::string &what) {
    send(fmt::format("{}{}: {}", began, request.function.name, what));
  };
  listener.counted = [&](std::size_t count) { send(fmt::format("{}{}", counted, count)); };
  try {
    for (const reports::Record &record : check_function(request, *function.file, listener))
      send(fmt::format("{}{}", decided, reports::to_json_line(record)));
  } catch (const jit::BadRequest &error) {
    send(fmt::format("{}{}", refused, nlohmann::json(std::vector<std::string>{error.what(), error.details}).dump()));
  }
  send(ended);
}

class Gathering {
public:
  Gathering(const std::deque<FunctionToCheck> &functions, const ParallelListener &listener)
      : functions_(functions), listener_(listener), parts_(parts_of(functions)), results_(parts_.size()) {}

  const std::vector<Part> &parts() const { return parts_; }

  void hear(std::string_view line) {
    std::size_t number = 0;
    const auto [rest, error] = std::from_chars(line.data(), line.data() + line.size(), number);
    line.remove_prefix(static_cast<std::size_t>(rest - line.data()) + 1);
    PartResult &result = results_[number];
    if (line.starts_with(began))
      listener_.started(std::string(line.substr(began.size())));
    else if (line.starts_with(counted))
      result.possible = std::stoul(std::string(line.substr(counted.size())));
    else if (line.starts_with(decided))
      result.records.push_back(reports::record_from_json_line(line.substr(decided.size())));
    else if (line.starts_with(refused))
      result.refusal = refusal_from(line.substr(refused.size()));
    else if (line == ended)
      result.has_ended = true;
    finish();
  }

  /// Nothing more will come.
  void hand_over() {
    for (PartResult &result : results_)
      result.has_ended = true;
    finish();
  }

private:
  static jit::BadRequest refusal_from(std::string_view text) {
    const auto words = nlohmann::json::parse(text).get<std::vector<std::string>>();
    return jit::BadRequest(words.at(0), words.at(1));
  }

  /// Hands over the functions all of whose parts have ended, in order.
  void finish() {
    while (next_ < functions_.size()) {
      CheckedFunction checked;
      for (std::size_t index = 0; index < parts_.size(); ++index) {
        PartResult &result = results_[index];
        if (parts_[index].function != next_)
          continue;
        if (!result.has_ended)
          return;
        if (result.refusal && !checked.refusal)
          checked.refusal = result.refusal;
      }
      for (std::size_t index = 0; index < parts_.size(); ++index)
        if (parts_[index].function == next_)
          join(checked, results_[index]);
      listener_.finished(next_++, std::move(checked));
    }
  }

  /// What concerns the function itself is said once.
  static void join(CheckedFunction &checked, PartResult &result) {
    checked.possible = std::max(checked.possible, result.possible);
    for (reports::Record &record : result.records) {
      const auto is_same = [&](const reports::Record &known) {
        return reports::combination_text(known) == reports::combination_text(record);
      };
      if (!record.activities.empty() || std::ranges::none_of(checked.records, is_same))
        checked.records.push_back(std::move(record));
    }
  }

  const std::deque<FunctionToCheck> &functions_;
  const ParallelListener &listener_;
  std::vector<Part> parts_;
  std::vector<PartResult> results_;
  std::size_t next_ = 0;
};

} // namespace

void check_in_parallel(const std::deque<FunctionToCheck> &functions, unsigned jobs, const ParallelListener &listener) {
  constexpr std::chrono::hours patience(24 * 365); // The processes that run the user's code have limits of their own.
  Gathering gathering(functions, listener);
  const SharedCounter counter;
  const auto work = [&](const SendLine &send) {
    for (std::size_t number = 0; (number = counter.next()) < gathering.parts().size();) {
      const Part &part = gathering.parts()[number];
      check_part(functions[part.function], part.mode,
                 [&](std::string_view line) { send(fmt::format("{} {}", number, line)); });
    }
  };
  const std::size_t processes = std::min<std::size_t>(jobs, gathering.parts().size());
  const std::vector<std::function<void(const SendLine &)>> works(processes, work);
  const std::vector<ChildEnd> ends =
      run_in_children(works, [&](std::string_view line) { gathering.hear(line); }, patience);
  if (interruption())
    return gathering.hand_over();
  for (const ChildEnd &end : ends)
    if (end.kind != ChildEnd::Kind::returned)
      throw std::runtime_error(fmt::format("a process of the check came to an end: {}", describe(end)));
}

} // namespace assay::cli
