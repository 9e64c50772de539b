#include "cli/check_command.hpp"

#include "cli/check_function.hpp"
#include "cli/check_output.hpp"
#include "cli/console.hpp"
#include "cli/convert_record.hpp"
#include "cli/earlier_failures.hpp"
#include "cli/editor_diagnostics.hpp"
#include "cli/exit_code.hpp"
#include "cli/interruption.hpp"
#include "cli/list_functions.hpp"
#include "cli/load_functions.hpp"
#include "cli/lost_rules.hpp"
#include "cli/parallel_check.hpp"
#include "cli/planted_failure.hpp"
#include "cli/reproducer.hpp"
#include "core/jit/bad_request.hpp"
#include "reports/grouping.hpp"
#include "reports/json_lines.hpp"
#include "reports/write_report.hpp"
#include <algorithm>
#include <assay/testing/record.hpp>
#include <chrono>
#include <deque>
#include <fmt/format.h>
#include <iterator>
#include <llvm/Config/llvm-config.h>
#include <map>
#include <set>
#include <unistd.h>

namespace assay::cli {

namespace {

namespace fs = std::filesystem;
using Expectation = jit::CheckMark::Expectation;

/// Absent where something was compared.
std::optional<jit::BadRequest> why_nothing(const FunctionToCheck &function,
                                           const std::vector<reports::Record> &records) {
  if (!records.empty() || has_nothing_when_shared(function, records))
    return std::nullopt;
  return jit::BadRequest(
      fmt::format("{} computes nothing that has a derivative: it returns no floating-point number and changes none",
                  function.request.function.name));
}

CheckedFunction check(Console &console, const FunctionToCheck &function, const std::string &place) {
  const std::string &name = function.request.function.name;
  std::size_t decided = 0;
  CheckListener listener;
  listener.started = [&](const std::string &what) {
    console.status(fmt::format("{} {}: {} checked, now {}", place, name, decided, what));
  };
  CheckedFunction checked;
  listener.decided = [&](const reports::Record &) { ++decided; };
  listener.counted = [&](std::size_t count) { checked.possible = count; };
  try {
    checked.records = check_function(function.request, *function.file, listener);
  } catch (const jit::BadRequest &error) {
    checked.refusal = error;
  }
  return checked;
}

/// Before the work is done: a folder that cannot be written must not cost it.
void make_folder(const fs::path &folder, std::string_view option) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || ::access(folder.c_str(), W_OK) != 0)
    throw jit::BadRequest(
        fmt::format("{}: cannot write into {}{}", option, folder.string(), error ? ": " + error.message() : ""));
}

/// The first failure of each mode.
void write_reproducers(const fs::path &folder, const FunctionToCheck &function, std::vector<reports::Record> &records) {
  std::set<std::string> modes;
  for (reports::Record &record : records)
    if (can_be_reproduced(record) && !is_refused(record) && modes.insert(record.mode).second)
      write_reproducer(folder, at_the_shape(function.request, record), *function.file, record);
}

/// Of Assay's own headers, such as that of CUDA's runtime.
bool is_shipped(const jit::RegisteredRule &rule) {
  return rule.name.starts_with("assay::rules::");
}

/// Rules that are there for another checked function of the file are not worth a word.
void note_unused_rules(std::deque<FunctionToCheck> &functions) {
  std::map<const jit::ModuleFile *, std::map<std::string, std::size_t>> users;
  for (const FunctionToCheck &function : functions)
    for (const jit::RegisteredRule &rule :
         jit::registered_rules(function.file->module(), function.request.function.linkage_name))
      if (!is_shipped(rule))
        users[function.file][jit::describe(rule)] += rule.is_reached ? 1 : 0;
  for (FunctionToCheck &function : functions)
    for (const auto &[rule, count] : users[function.file])
      if (count == 0)
        function.request.unused_rules.push_back(rule);
}

/// A function that is declared to be what it is not shows itself in wrong derivatives alone.
void note_declarations(std::deque<FunctionToCheck> &functions) {
  for (FunctionToCheck &function : functions)
    for (std::string &declaration :
         jit::declarations_reached(function.file->module(), function.request.function.linkage_name))
      function.request.notes.push_back(std::move(declaration));
}

std::string environment() {
  return fmt::format("Assay {}, LLVM {}, {}", ASSAY_VERSION, LLVM_VERSION_STRING, LLVM_HOST_TRIPLE);
}

/// What could not be checked, and why.
struct NotChecked {
  std::string what, reason;
};

class CheckRun {
public:
  CheckRun(const std::vector<CheckArguments> &parts, const CheckOutput &output)
      : parts_(parts), output_(output), console_(output.form), begin_(std::chrono::steady_clock::now()) {}

  ExitCode run() {
    try {
      return run_to_its_end();
    } catch (const jit::BadRequest &) {
      if (!interruption())
        throw;
      console_.closing_line(reports::closing_line(reports::totals_of(run_.records)));
      return code();
    }
  }

private:
  ExitCode run_to_its_end() {
    if (output_.report && !output_.lists)
      require_no_night(*output_.report);
    load();
    if (output_.lists)
      return list_functions(functions_, left_out_, output_.form);
    if (!interruption()) // Otherwise the report is one of nothing.
      require_functions();
    choose_by_earlier_report();
    if (output_.report)
      make_folder(*output_.report, "--report");
    if (output_.reproducer)
      make_folder(*output_.reproducer, "--reproducer");
    begin_report();
    check_all();
    return end_report();
  }

  void require_functions() const {
    if (functions_.empty() && !left_out_.empty())
      throw jit::BadRequest(fmt::format("--all: no function can be checked as it is; {}", left_out_.front().reason));
    if (functions_.empty())
      throw jit::BadRequest(not_checked_.front().reason);
  }

  /// A part that cannot be loaded costs itself alone, if there are others.
  void load() {
    for (const CheckArguments &part : parts_)
      try {
        std::deque<FunctionToCheck> functions;
        std::ranges::move(load_functions(part, console_, files_, functions), std::back_inserter(left_out_));
        if (!part.rule)
          note_unused_rules(functions);
        note_declarations(functions);
        std::ranges::move(functions, std::back_inserter(functions_));
      } catch (const jit::BadRequest &error) {
        if (interruption()) // The compiler had it, or came no more.
          return;
        if (parts_.size() == 1)
          throw;
        not_checked_.push_back({part.files.front().string(), error.what()});
        if (output_.diagnostics)
          output_.diagnostics->add_refusal(error, part.files.front());
      }
    for (const jit::ModuleFile &file : files_)
      for (const std::string &warning : rules_without_calls(file)) {
        fmt::print(stderr, "assay: warning: {}\n", warning);
        if (output_.diagnostics)
          output_.diagnostics->add_warning("lost-rule", file.path(), warning);
      }
    if (output_.diagnostics)
      for (const jit::ModuleFile &file : files_)
        output_.diagnostics->add_file(file.path());
  }

  void choose_by_earlier_report() {
    if (output_.earlier == EarlierFailures::ignored)
      return;
    if (!output_.report)
      throw jit::BadRequest("--only-failed and --failed-first need --report DIR, the folder of an earlier report");
    earlier_ = EarlierReport(*output_.report);
    const auto has_failed = [&](const FunctionToCheck &function) { return earlier_.has_failure_of(function.request); };
    std::deque<FunctionToCheck> failed, others;
    for (FunctionToCheck &function : functions_)
      (has_failed(function) ? failed : others).push_back(std::move(function));
    if (output_.earlier == EarlierFailures::first)
      std::ranges::move(others, std::back_inserter(failed));
    functions_ = std::move(failed);
    if (functions_.empty())
      console_.line(fmt::format("nothing failed in {} that is asked for", output_.report->string()));
  }

  void begin_report() {
    const CheckSettings &settings = parts_.front().settings;
    run_.command = output_.command_line;
    run_.seed = settings.seed;
    run_.environment = environment() + fmt::format(", -O{}", static_cast<unsigned>(settings.level));
    for (const LeftOutFunction &each : left_out_)
      run_.notes.push_back(fmt::format("{} in {} is left out: {}", each.function, each.file, each.reason));
    for (const NotChecked &each : not_checked_)
      run_.notes.push_back(fmt::format("{} is not checked: {}", each.what, each.reason));
    console_.json(reports::run_line(run_));
  }

  void check_all() {
    if (output_.jobs > 1)
      return check_in_parallel(
          functions_, output_.jobs,
          {[&](const std::string &what) { console_.status(what); },
           [&](std::size_t index, CheckedFunction checked) { finish(index, std::move(checked)); }});
    for (std::size_t index = 0; index < functions_.size() && !interruption(); ++index)
      finish(index, check(console_, functions_[index], fmt::format("[{}/{}]", index + 1, functions_.size())));
  }

  void finish(std::size_t index, CheckedFunction checked) {
    const FunctionToCheck &function = functions_[index];
    if (interruption() && checked.records.empty())
      return;
    if (!checked.refusal)
      checked.refusal = why_nothing(function, checked.records);
    if (checked.refusal)
      return refuse(function, *checked.refusal);
    if (function.request.expectation == Expectation::fails && !interruption())
      judge_planted_failure(checked.records);
    judge_known_failures(checked.records, output_.known_failures, output_.day);
    if (!interruption())
      earlier_.set_checked(function.request);
    if (output_.reproducer)
      write_reproducers(*output_.reproducer, function, checked.records);
    if (!shown_file_ &&
        output_.verbosity != Verbosity::quiet) // Only now is it certain that there is something to show.
      console_.line(fmt::format("{}, seed {}", run_.environment, run_.seed));
    if (shown_file_ != function.file && output_.verbosity != Verbosity::quiet)
      console_.line(function.file->path().string());
    shown_file_ = function.file;
    show(console_, function, checked, output_.verbosity);
    if (output_.diagnostics)
      output_.diagnostics->add_records(function, checked.records);
    for (reports::Record &record : checked.records) {
      console_.json(reports::to_json_line(record));
      run_.records.push_back(std::move(record));
    }
  }

  /// The next function goes on.
  void refuse(const FunctionToCheck &function, const jit::BadRequest &error) {
    if (output_.diagnostics)
      output_.diagnostics->add_about(function, is_of_all(function) ? Severity::information : Severity::error,
                                     "not-checked", error.what());
    if (functions_.size() == 1 && parts_.size() == 1 && left_out_.empty())
      throw error;
    const std::string &name = function.request.function.name;
    console_.line(fmt::format("  {:<28}  not checked: {}", name, error.what()));
    run_.notes.push_back(fmt::format("{} is not checked: {}", name, error.what()));
    if (!is_of_all(function))
      not_checked_.push_back({name, error.what()});
  }

  /// Whether --all came upon it: nobody asked for this one.
  bool is_of_all(const FunctionToCheck &) const {
    return std::ranges::any_of(
        parts_, [](const CheckArguments &part) { return part.choice == FunctionChoice::every_describable; });
  }

  ExitCode end_report() {
    run_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    for (const std::string &note : known_failure_notes(run_.records, output_.known_failures, output_.day)) {
      console_.line("note: " + note);
      run_.notes.push_back(note);
    }
    if (interruption()) {
      run_.notes.emplace_back("interrupted: what follows was not checked");
      console_.line(run_.notes.back());
    }
    if (output_.verbosity != Verbosity::quiet)
      for (const LeftOutFunction &each : left_out_)
        console_.line(fmt::format("left out: {} in {}: {}", each.function, each.file, each.reason));
    const std::string lost_report = output_.report ? write_report() : std::string();
    console_.json(reports::totals_line(run_));
    console_.closing_line(reports::closing_line(reports::totals_of(run_.records)));
    if (!lost_report.empty())
      throw jit::BadRequest(lost_report);
    return code();
  }

  /// With the failures of the report before that were not checked now. The result is why there is none, empty where
  /// there is one: what was checked is told all the same.
  std::string write_report() {
    reports::Run report = run_;
    std::ranges::move(earlier_.failures_left(run_.records), std::back_inserter(report.records));
    if (const std::size_t left = report.records.size() - run_.records.size(); left != 0) {
      report.notes.push_back(fmt::format("{} failure{} of an earlier run {} not checked again", left,
                                         left == 1 ? "" : "s", left == 1 ? "was" : "were"));
      if (output_.verbosity != Verbosity::quiet)
        console_.line(fmt::format("{}, and {} in the report", report.notes.back(), left == 1 ? "stays" : "stay"));
    }
    try {
      reports::write_report(*output_.report, report);
    } catch (const std::runtime_error &error) {
      return error.what();
    }
    if (output_.verbosity != Verbosity::quiet)
      console_.line(fmt::format("report: {}", (*output_.report / "index.html").string()));
    return {};
  }

  ExitCode code() const {
    if (const std::optional<int> signal = interruption())
      return static_cast<ExitCode>(128 + *signal);
    Verdicts verdicts;
    for (const reports::Record &record : run_.records)
      verdicts.add(record);
    const ExitCode of_records = verdicts.told();
    if (not_checked_.empty())
      return of_records;
    fmt::print(stderr, "assay: {} could not be checked: {}{}\n", not_checked_.front().what, not_checked_.front().reason,
               not_checked_.size() > 1 ? fmt::format("; and {} more", not_checked_.size() - 1) : "");
    return of_records == something_failed ? of_records : unusable_request;
  }

  const std::vector<CheckArguments> &parts_;
  const CheckOutput &output_;
  Console console_;
  std::chrono::steady_clock::time_point begin_;
  std::deque<jit::ModuleFile> files_; // A deque keeps the addresses that the functions hold.
  std::deque<FunctionToCheck> functions_;
  std::vector<LeftOutFunction> left_out_;
  std::vector<NotChecked> not_checked_;
  EarlierReport earlier_; ///< Of --only-failed and --failed-first.
  reports::Run run_;
  const jit::ModuleFile *shown_file_ = nullptr;
};

} // namespace

ExitCode run_check(const std::vector<CheckArguments> &parts, const CheckOutput &output) {
  return CheckRun(parts, output).run();
}

} // namespace assay::cli
