#pragma once
// The parent's side of a check: the events that a child reports, and the record of a call that ended it.

#include "cli/call_note.hpp"
#include "cli/check_events.hpp"
#include "cli/check_function.hpp"
#include "cli/child_process.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::cli {

class CheckProgress {
public:
  /// All arguments must outlive the progress.
  CheckProgress(const std::vector<CheckRequest> &shapes, const jit::ModuleFile &file, const CheckListener &listener);

  /// For the next child.
  const CheckPlan &plan() const { return plan_; }

  /// One check_event line.
  void hear(std::string_view line);

  /// A child did not return. True when there may be combinations left to check.
  bool crashed(const ChildEnd &end, const CallNote &note);

  /// Why the function cannot be compiled or linked.
  const std::optional<std::string> &refusal() const { return refusal_; }
  /// In the order of the events; several of one combination where there are several shapes.
  std::vector<reports::Record> take_records() { return std::move(records_); }

private:
  void leave_out(const reports::Record &record);
  bool replan(const ChildEnd &end);
  /// Each further combination would wait for the limit again.
  void give_up_mode(reports::Record &record);
  reports::Record unfinished(const ChildEnd &end);

  const std::vector<CheckRequest> &shapes_;
  const jit::ModuleFile &file_;
  const CheckListener &listener_;
  CheckPlan plan_;
  std::vector<reports::Record> records_;
  std::map<std::string, unsigned> without_answer_; ///< In each mode.
  std::vector<reports::Record> announced_;         ///< Records that a crash in the calls of this child would leave.
  std::optional<reports::Record> running_;         ///< One of them.
  std::optional<std::string> refusal_;
  bool is_compiling_ = false, is_widening_ = false, is_tracing_ = false, is_searching_ = false, is_trying_ = false;
  std::size_t shape_ = 0; ///< At which the child is.
};

} // namespace assay::cli
