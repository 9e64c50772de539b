#include "cli/check_progress.hpp"

#include "cli/convert_record.hpp"
#include "cli/jit_subject.hpp"
#include "reports/grouping.hpp"
#include "reports/json_lines.hpp"
#include <assay/testing/message.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace assay::cli {

namespace {

/// The rules that a derivative in this mode uses.
std::string rules_in_words(const CheckRequest &request, const jit::ModuleFile &file, const std::string &mode) {
  std::vector<std::string> rules;
  for (const jit::RegisteredRule &rule : jit::registered_rules(file.module(), request.function.linkage_name))
    if (rule.is_reached && mode == (rule.mode == jit::Mode::forward ? "forward" : "reverse"))
      rules.push_back(jit::describe(rule));
  return rules.size() == 1 ? rules.front() + "; no other rule is used"
                           : fmt::format("{}{}", rules.empty() ? "" : "one of ", fmt::join(rules, "; "));
}

/// The call that did not return.
void add_call(reports::Record &record, const testutils::Signature &signature, const CallNote &note) {
  const testutils::Arguments inputs = note.inputs();
  record.sample = note.sample();
  if (!note.way().empty())
    record.detail += fmt::format(", in {}", note.way());
  for (std::size_t index = 0; index < inputs.size(); ++index)
    record.inputs.push_back({signature.parameters[index].name, inputs[index]});
  record.message = fmt::format(
      "{} in {}\n  {}\n{}{}{}  seed {}, sample {}\n  replay: {}", record.verdict, reports::combination_text(record),
      record.detail, record.rule.empty() ? "" : fmt::format("  rule {}\n", record.rule),
      inputs.empty() ? "" : "  inputs of the call\n", testutils::inputs_in_words(signature, inputs), record.seed,
      record.sample, record.replay);
}

} // namespace

CheckProgress::CheckProgress(const std::vector<CheckRequest> &shapes, const jit::ModuleFile &file,
                             const CheckListener &listener)
    : shapes_(shapes), file_(file), listener_(listener) {
  plan_.left_out.resize(shapes.size());
}

/// At this shape, and at the others if it failed.
void CheckProgress::leave_out(const reports::Record &record) {
  const std::string combination = reports::combination_text(record);
  for (std::size_t index = 0; index < plan_.left_out.size(); ++index)
    if (index == shape_ || record.outcome == reports::Outcome::failed)
      plan_.left_out[index].insert(combination);
}

void CheckProgress::hear(std::string_view line) {
  using namespace check_event;
  if (line.starts_with(refused)) {
    refusal_ = std::string(line.substr(refused.size()));
  } else if (line.starts_with(counted)) {
    listener_.counted(std::stoul(std::string(line.substr(counted.size()))));
  } else if (line == compiling) {
    is_compiling_ = true;
    listener_.started("compiling");
  } else if (line == widening || line == widened) {
    is_widening_ = line == widening;
  } else if (line == tracing || line == traced) {
    is_tracing_ = line == tracing;
  } else if (line == searching || line == searched) {
    is_searching_ = line == searching;
    is_compiling_ = false;
  } else if (line == trying || line == tried) {
    is_trying_ = line == trying;
  } else if (line.starts_with(about_to_run)) {
    is_compiling_ = false;
    running_ = announced_.emplace_back(reports::record_from_json_line(line.substr(about_to_run.size())));
    listener_.started(reports::combination_text(*running_));
  } else if (line.starts_with(about_to_run_again)) {
    is_compiling_ = false;
    running_ = announced_.at(std::stoul(std::string(line.substr(about_to_run_again.size()))));
    listener_.started(reports::combination_text(*running_));
  } else if (line.starts_with(decided)) {
    records_.push_back(reports::record_from_json_line(line.substr(decided.size())));
    leave_out(records_.back());
    listener_.decided(records_.back());
  } else if (line.starts_with(at_shape)) {
    shape_ = std::stoul(std::string(line.substr(at_shape.size())));
  }
}

/// Where the crash is no fault of a derivative, the next child does without the step that crashed.
bool CheckProgress::replan(const ChildEnd &end) {
  if (is_compiling_ && end.kind != ChildEnd::Kind::hung) { // Compiled one by one, it belongs to its combination.
    plan_.compilation = Compilation::one_by_one;
    is_compiling_ = false;
    return true;
  }
  if (std::exchange(is_searching_, false)) {
    plan_.no_search = fmt::format("the function itself: {}", describe(end));
    return true;
  }
  if (std::exchange(is_tracing_, false)) {
    plan_.no_trace = fmt::format("with probes it {}", describe(end));
    return true;
  }
  if (std::exchange(is_trying_, false)) { // Nobody calls it so.
    plan_.no_trial = fmt::format("the function itself: {}", describe(end));
    return true;
  }
  if (std::exchange(is_widening_, false)) {
    plan_.no_precise = fmt::format("the function: in wide arithmetic {}", describe(end));
    return true;
  }
  return false;
}

reports::Record CheckProgress::unfinished(const ChildEnd &end) {
  const CheckRequest &request = shapes_[shape_];
  reports::Record record = running_.value_or(unfinished_record(request, signature_of(request), nullptr));
  if (gave_no_answer(end))
    record.verdict = testutils::name_of(testutils::Verdict::no_answer);
  const bool compiles_derivatives = std::exchange(is_compiling_, false); // One by one they take longer still.
  if (end.kind == ChildEnd::Kind::hung && (compiles_derivatives || !running_)) {
    record = unfinished_record(request, signature_of(request), nullptr);
    record.mode = compiles_derivatives ? "compiling its derivatives" : "compiling it";
    record.verdict = testutils::name_of(testutils::Verdict::no_answer);
  }
  record.detail = describe(end) + (end.kind == ChildEnd::Kind::hung ? " (--patience)" : "");
  record.rule = rules_in_words(request, file_, record.mode);
  return record;
}

void CheckProgress::give_up_mode(reports::Record &record) {
  constexpr unsigned most_without_answer = 2;
  if (record.activities.empty() || record.verdict != testutils::name_of(testutils::Verdict::no_answer) ||
      ++without_answer_[record.mode] != most_without_answer)
    return;
  plan_.modes_given_up.insert(record.mode);
  record.detail +=
      fmt::format("; after two calls without an answer the other combinations in {} mode are not tried", record.mode);
}

bool CheckProgress::crashed(const ChildEnd &end, const CallNote &note) {
  announced_.clear(); // The next child counts anew.
  if (replan(end))
    return true;
  reports::Record record = unfinished(end);
  give_up_mode(record);
  add_call(record, signature_of(shapes_[shape_]), note);
  const bool goes_on =
      !record.activities.empty() && !plan_.left_out[shape_].contains(reports::combination_text(record));
  leave_out(record);
  running_.reset();
  records_.push_back(record);
  listener_.decided(record);
  return goes_on;
}

} // namespace assay::cli
