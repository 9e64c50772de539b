#pragma once
// Why a derivative is as it is, as plain data: for each value its type and where that was learned, whether it is active
// and why, how it gets to the reverse sweep and why; the bytes of tape of each loop; and the reasons of a refusal.

#include "core/engine/explain/formula.hpp"
#include "core/engine/explain/source_names.hpp"
#include <optional>
#include <string>
#include <vector>

namespace assay::engine {

/// One step of a way or of a chain of reasons.
struct ExplainedStep {
  std::string text;
  SourcePlace place;

  bool operator==(const ExplainedStep &other) const = default;
};

/// How a value gets to the reverse sweep.
enum class ExplainedStorage : std::uint8_t {
  unread, ///< The reverse sweep does not ask for it.
  direct,
  recompute,
  closed_form,
  iteration,
  frame,
  restored, ///< A store: the overwritten value is put back.
  tape,
};

struct ExplainedValue {
  std::string name; ///< In the words of the source.
  std::string ir;
  SourcePlace place;
  bool is_argument = false;
  bool is_memory = false; ///< The activity is that of the memory behind the pointer.

  std::string type;
  std::vector<ExplainedStep> evidence; ///< Where the type was learned.

  bool is_active = false;
  std::string activity_reason;
  std::vector<ExplainedStep> from_input; ///< Empty where no active input reaches it.
  std::vector<ExplainedStep> to_output;  ///< Empty where it reaches no active output.

  ExplainedStorage storage = ExplainedStorage::unread;
  std::string storage_reason;
  std::vector<ExplainedStep> needed_for; ///< From the value to the operation whose derivative reads it.
  std::uint64_t bytes = 0;               ///< Each time that it is kept.
  std::optional<std::size_t> loop;       ///< The innermost around it, among the explanation's.

  bool operator==(const ExplainedValue &other) const = default;
};

/// A loop in which values are kept.
struct ExplainedLoop {
  SourcePlace place;
  std::optional<std::size_t> parent;
  Formula iterations;      ///< Of one execution.
  std::string counter;     ///< The name of its iteration in formulas of inner loops.
  std::uint64_t bytes = 0; ///< Of tape in one iteration, without inner loops.
  Formula tape;            ///< In the whole run, without inner loops.
  std::string kind;        ///< Of the memory: known on entry, or growing.

  bool operator==(const ExplainedLoop &other) const = default;
};

/// The adjoint of a number that a load reads, added to shadow memory that other threads may add to.
struct ExplainedSum {
  std::string name; ///< Of the loaded value.
  SourcePlace place;
  std::string add;                  ///< As the plan calls it: atomic, or atomic unless local.
  bool once_for_lanes = false;      ///< Lanes of a warp that mean one place add once.
  std::optional<std::size_t> group; ///< Among the explanation's: it is added with others.
  std::int64_t offset = 0;          ///< In the group, in bytes.

  bool operator==(const ExplainedSum &other) const = default;
};

/// Sums that a warp makes together.
struct ExplainedSumGroup {
  std::string kind; ///< As the plan calls it: grouped or shifted.
  bool unless_local = false;
  SourcePlace loop; ///< The loop behind which they are added; line 0: at the loads.

  bool operator==(const ExplainedSumGroup &other) const = default;
};

/// An instruction that other threads take part in, or of which the device notes something, and how it is undone.
struct ExplainedUpdate {
  std::string name;
  SourcePlace place;
  std::string form;    ///< atomic sum of, difference of, exchange of, choice of; maximum, minimum.
  std::string adjoint; ///< In words.

  bool operator==(const ExplainedUpdate &other) const = default;
};

/// In code of a device.
struct ExplainedSums {
  std::vector<ExplainedSum> sums;
  std::vector<ExplainedSumGroup> groups;
  std::vector<ExplainedUpdate> updates;

  bool operator==(const ExplainedSums &other) const = default;
};

struct Explanation {
  std::string function;
  std::string linkage_name;
  std::string file; ///< Of the function.
  unsigned line = 0;
  std::string mode;
  std::string activities;
  std::string key; ///< Of the request.
  bool is_planned = false;
  bool has_runtime_activity = false;
  std::vector<ExplainedValue> values; ///< In program order.
  std::vector<ExplainedLoop> loops;
  Formula tape;                          ///< All bytes, without those of functions that it calls.
  std::uint64_t bytes_once = 0;          ///< Of values outside of loops.
  std::vector<std::string> called_tapes; ///< Functions whose derivatives keep tapes of their own.
  ExplainedSums sums;
  std::vector<ExplainedStep> surprises; ///< Inputs and outputs that take no part, though they were declared active.
  std::string plan;                     ///< As text, one decision a line; empty where it was not asked for.
  std::string refusal;                  ///< Not empty: there is no derivative.
  std::vector<ExplainedStep> chain;     ///< Of reasons: how constant and active memory came together.

  bool operator==(const Explanation &other) const = default;
};

const char *name_of(ExplainedStorage storage);

} // namespace assay::engine
