// The child sends one JSON line for each event: what it is about to run (as the record that a crash would leave), each
// record, and a refused request. After a crash a new child goes on with the combinations that are left.

#include "cli/check_function.hpp"

#include "cli/child_process.hpp"
#include "cli/convert_record.hpp"
#include "cli/jit_subject.hpp"
#include "core/jit/bad_request.hpp"
#include "core/jit/program.hpp"
#include "reports/grouping.hpp"
#include "reports/json_lines.hpp"
#include <assay/testing/check.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>

namespace assay::cli {

namespace {

constexpr std::string_view compiling = "compiling", widening = "widening", widened = "widened", tracing = "tracing",
                           traced = "traced", about_to_run = "run ", decided = "record ", refused = "refused ",
                           counted = "counted ";

enum class Compilation { all_at_once, one_by_one };

/// What earlier children have taught.
struct Plan {
  std::set<std::string> left_out; ///< Combinations that are decided.
  Compilation compilation = Compilation::all_at_once;
  std::string no_trace;   ///< Not empty: why nothing is run with probes.
  std::string no_precise; ///< Not empty: why the widened function is not used.
};

/// In the child.
void check_here(const CheckRequest &request, const jit::ModuleFile &file, const Plan &plan, const SendLine &send) {
  std::optional<jit::Program> program;
  try {
    program.emplace(file, request.function, repetition_of(request));
  } catch (const jit::BadRequest &error) {
    return send(fmt::format("{}{}", refused, error.what()));
  }
  JitSubject subject(request, *program);
  subject.file = &file;
  subject.left_out = plan.left_out;
  subject.no_precise = plan.no_precise;
  subject.no_trace = plan.no_trace;
  subject.before_trace = [&] { send(tracing); };
  subject.after_trace = [&] { send(traced); };
  subject.before_precise = [&] { send(widening); };
  subject.after_precise = [&] { send(widened); };
  std::string running;
  subject.before_run = [&](const testutils::Combination *combination) {
    const std::string description = combination ? testutils::describe(subject.signature(), *combination) : "";
    if (description == running && !running.empty())
      return;
    running = description;
    send(fmt::format("{}{}", about_to_run,
                     reports::to_json_line(unfinished_record(request, subject.signature(), combination))));
  };

  testutils::CheckOptions options = check_options(request);
  options.on_record = [&](const testutils::Record &record) {
    reports::Record converted = convert_record(request, subject.signature(), record);
    if (const std::string *reason = subject.refusal(record.combination))
      mark_refused(converted, *reason);
    send(fmt::format("{}{}", decided, reports::to_json_line(converted)));
  };
  if (plan.compilation == Compilation::all_at_once) {
    const testutils::Arguments inputs = testutils::random_inputs(subject.signature(), options, 0);
    const std::vector<testutils::Combination> combinations = testutils::combinations_of(subject, inputs, options);
    testutils::CheckOptions unlimited = options;
    unlimited.budget = 0;
    send(fmt::format("{}{}", counted, testutils::combinations_of(subject, inputs, unlimited).size()));
    send(compiling);
    subject.prepare(combinations);
    running.clear();
  }
  static_cast<void>(testutils::check_gradients(subject, options));
}

/// What the parent has heard so far.
struct Progress {
  std::vector<reports::Record> records;
  std::optional<reports::Record> running;
  std::optional<std::string> refusal;
  Plan plan;
  bool is_compiling = false, is_widening = false, is_tracing = false;
};

void hear(std::string_view line, Progress &progress, const CheckListener &listener) {
  if (line.starts_with(refused)) {
    progress.refusal = std::string(line.substr(refused.size()));
  } else if (line.starts_with(counted)) {
    listener.counted(std::stoul(std::string(line.substr(counted.size()))));
  } else if (line == compiling) {
    progress.is_compiling = true;
    listener.started("compiling");
  } else if (line == widening || line == widened) {
    progress.is_widening = line == widening;
  } else if (line == tracing || line == traced) {
    progress.is_tracing = line == tracing;
  } else if (line.starts_with(about_to_run)) {
    progress.is_compiling = false;
    progress.running = reports::record_from_json_line(line.substr(about_to_run.size()));
    listener.started(reports::combination_text(*progress.running));
  } else if (line.starts_with(decided)) {
    progress.records.push_back(reports::record_from_json_line(line.substr(decided.size())));
    progress.plan.left_out.insert(reports::combination_text(progress.records.back()));
    listener.decided(progress.records.back());
  }
}

/// The rules that a derivative in this mode uses.
std::string rules_in_words(const CheckRequest &request, const jit::ModuleFile &file, const std::string &mode) {
  std::vector<std::string> rules;
  for (const jit::RegisteredRule &rule : jit::registered_rules(file.module(), request.function.linkage_name))
    if (rule.is_reached && mode == (rule.mode == jit::Mode::forward ? "forward" : "reverse"))
      rules.push_back(jit::describe(rule));
  return rules.size() == 1 ? rules.front() + "; no other rule is used"
                           : fmt::format("{}{}", rules.empty() ? "" : "one of ", fmt::join(rules, "; "));
}

/// True when there may be combinations left to check.
bool record_crash(const ChildEnd &end, const CheckRequest &request, const jit::ModuleFile &file, Progress &progress,
                  const CheckListener &listener) {
  if (progress.is_compiling) { // Compiled one by one, the crash belongs to its combination.
    progress.plan.compilation = Compilation::one_by_one;
    progress.is_compiling = false;
    return true;
  }
  if (progress.is_tracing) {
    progress.plan.no_trace = fmt::format("with probes it {}", describe(end));
    progress.is_tracing = false;
    return true;
  }
  if (progress.is_widening) { // That is no fault of the derivative's.
    progress.plan.no_precise = fmt::format("the function: its widened form {}", describe(end));
    progress.is_widening = false;
    return true;
  }
  reports::Record record = progress.running.value_or(unfinished_record(request, signature_of(request), nullptr));
  record.detail = describe(end);
  record.rule = rules_in_words(request, file, record.mode);
  record.message =
      fmt::format("crash in {}\n  {}\n{}  seed {}\n  replay: {}", reports::combination_text(record), record.detail,
                  record.rule.empty() ? "" : fmt::format("  rule {}\n", record.rule), record.seed, record.replay);
  const bool goes_on =
      !record.activities.empty() && progress.plan.left_out.insert(reports::combination_text(record)).second;
  progress.running.reset();
  progress.records.push_back(record);
  listener.decided(record);
  return goes_on;
}

} // namespace

testutils::CheckOptions check_options(const CheckRequest &request) {
  testutils::CheckOptions options;
  options.seed = request.settings.seed;
  options.samples = request.settings.samples;
  options.brief_samples = 4 * request.settings.samples;
  options.edge_samples = 2 * request.settings.samples;
  options.modes = request.settings.modes;
  options.variations = request.settings.variations;
  options.budget = request.settings.budget;
  options.oracle = request.settings.oracle;
  return options;
}

std::vector<reports::Record> check_function(const CheckRequest &request, const jit::ModuleFile &file,
                                            const CheckListener &listener) {
  Progress progress;
  const std::chrono::seconds patience(request.settings.patience_seconds);
  for (bool unfinished = true; unfinished;) {
    const ChildEnd end = run_in_child([&](const SendLine &send) { check_here(request, file, progress.plan, send); },
                                      [&](std::string_view line) { hear(line, progress, listener); }, patience);
    if (progress.refusal)
      throw jit::BadRequest(*progress.refusal);
    unfinished = end.kind != ChildEnd::Kind::returned && record_crash(end, request, file, progress, listener);
  }
  return std::move(progress.records);
}

} // namespace assay::cli
