#include "cli/explain_text.hpp"

#include "cli/explain_sums.hpp"
#include "core/jit/bad_request.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <tuple>

namespace assay::cli {

namespace {

using engine::ExplainedLoop;
using engine::ExplainedStep;
using engine::ExplainedStorage;
using engine::ExplainedValue;
using engine::Explanation;

constexpr std::size_t most_values_of_loop = 8;

bool takes_tape(const ExplainedValue &value) {
  return value.bytes > 0;
}

std::string name_at_line(const ExplainedValue &value) {
  return with_line(value.name, value.place);
}

std::string at_place(const engine::SourcePlace &place) {
  return place.line > 0 ? " at " + engine::place_text(place) : "";
}

std::string step_text(const ExplainedStep &step) {
  return with_line(step.text, step.place);
}

std::string need_text(const ExplainedValue &value) {
  constexpr std::size_t most = 2;
  const std::vector<ExplainedStep> &steps = value.needed_for;
  if (steps.size() > most)
    return fmt::format("{}, ..., {}", step_text(steps.front()), step_text(steps.back()));
  std::string text;
  for (const ExplainedStep &step : steps)
    text += (text.empty() ? "" : ", ") + step_text(step);
  return text;
}

/// The values on the tape of one loop, or outside of all, largest first.
std::string kept_values(const Explanation &explanation, std::optional<std::size_t> loop, const std::string &indent) {
  std::vector<const ExplainedValue *> kept;
  for (const ExplainedValue &value : explanation.values)
    if (takes_tape(value) && value.loop == loop)
      kept.push_back(&value);
  std::sort(kept.begin(), kept.end(), [](const auto *one, const auto *other) {
    return one->bytes != other->bytes ? one->bytes > other->bytes : one < other; // else in program order
  });
  std::vector<std::pair<std::string, std::size_t>> told; // Copies of one line, as of an unrolled loop, count once.
  for (const ExplainedValue *value : kept) {
    std::string one = fmt::format("{} {}: {}\n", value->bytes, name_at_line(*value), value->storage_reason);
    if (!value->needed_for.empty())
      one += fmt::format("{}  needed {}\n", indent, need_text(*value));
    const auto same = std::find_if(told.begin(), told.end(), [&](const auto &entry) { return entry.first == one; });
    if (same == told.end())
      told.emplace_back(std::move(one), 1);
    else
      ++same->second;
  }
  std::string text;
  std::size_t shown = 0;
  for (std::size_t index = 0; index < told.size() && index < most_values_of_loop; ++index) {
    const auto &[one, times] = told[index];
    text += indent + (times > 1 ? fmt::format("{} times ", times) : "") + one;
    shown += times;
  }
  if (shown < kept.size())
    text += fmt::format("{}and {} more (--values)\n", indent, kept.size() - shown);
  return text;
}

unsigned depth_of(const Explanation &explanation, const ExplainedLoop &loop) {
  unsigned depth = 0;
  for (std::optional<std::size_t> parent = loop.parent; parent; parent = explanation.loops[*parent].parent)
    ++depth;
  return depth;
}

/// Those with most tape first: by its bytes where they are known, else by the depth of the loop.
std::vector<std::size_t> loops_by_tape(const ExplainedFunction &function, const Explanation &explanation) {
  std::vector<std::size_t> order;
  for (std::size_t index = 0; index < explanation.loops.size(); ++index)
    if (explanation.loops[index].bytes > 0)
      order.push_back(index);
  const auto rank = [&](std::size_t index) {
    const ExplainedLoop &loop = explanation.loops[index];
    return std::tuple(-value_of(loop.tape, function).value_or(0), -std::int64_t(depth_of(explanation, loop)), index);
  };
  std::sort(order.begin(), order.end(), [&](std::size_t one, std::size_t other) { return rank(one) < rank(other); });
  return order;
}

std::string tape_text(const ExplainedFunction &function, const Explanation &explanation) {
  if (!explanation.is_planned)
    return {};
  std::string text = fmt::format("  tape: {} bytes\n", with_value(explanation.tape, function));
  for (const std::size_t index : loops_by_tape(function, explanation)) {
    const ExplainedLoop &loop = explanation.loops[index];
    text += fmt::format("    {} in {}{}: {} in each iteration; {}\n", with_value(loop.tape, function),
                        depth_of(explanation, loop) > 0 ? "the inner loop" : "the loop",
                        loop.place.line > 0 ? " at " + engine::call_place_text(loop.place) : "", loop.bytes, loop.kind);
    text += kept_values(explanation, index, "      ");
  }
  if (explanation.bytes_once > 0) {
    text += fmt::format("    {} outside of loops\n", explanation.bytes_once);
    text += kept_values(explanation, std::nullopt, "      ");
  }
  if (!explanation.called_tapes.empty())
    text += fmt::format("    and the tapes of {}, at each call\n", fmt::join(explanation.called_tapes, ", "));
  return text;
}

/// How many values get to the reverse sweep in which way.
std::string storage_counts(const Explanation &explanation) {
  std::map<ExplainedStorage, unsigned> counts;
  for (const ExplainedValue &value : explanation.values)
    if (value.storage != ExplainedStorage::unread)
      ++counts[value.storage];
  std::string text;
  for (const auto &[storage, count] : counts)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, engine::name_of(storage));
  return text.empty() ? text : fmt::format("  read by the reverse sweep: {}\n", text);
}

std::string activity_counts(const Explanation &explanation) {
  unsigned active = 0, all = 0;
  for (const ExplainedValue &value : explanation.values)
    if (!value.is_argument && !value.is_memory && (value.type == "double" || value.type == "float")) {
      ++all;
      active += value.is_active ? 1 : 0;
    }
  return all == 0 ? std::string() : fmt::format("  active: {} of {} floating-point values\n", active, all);
}

std::string list(const std::string &title, const std::vector<ExplainedStep> &steps) {
  if (steps.empty())
    return {};
  std::string text = fmt::format("  {}\n", title);
  for (const ExplainedStep &step : steps)
    text += fmt::format("    {}\n", step_text(step));
  return text;
}

std::string way_text(const std::string &title, const std::vector<ExplainedStep> &way) {
  if (way.empty())
    return {};
  std::vector<std::string> steps;
  for (const ExplainedStep &step : way)
    steps.push_back(step_text(step));
  return fmt::format("  {}: {}\n", title, fmt::join(steps, " -> "));
}

/// In code of a device, and of atomic updates.
std::string sums_text(const Explanation &explanation) {
  const std::vector<std::string> lines = lines_of_sums(explanation.sums);
  std::string text = lines.empty() ? "" : "  adjoints in memory that threads share\n";
  for (const std::string &line : lines)
    text += fmt::format("    {}\n", line);
  return text;
}

std::string story(const ExplainedFunction &function, const Explanation &explanation, const ExplainedValue &value) {
  std::string text = fmt::format("{}\n  type: {}\n", name_at_line(value), value.type.empty() ? "none" : value.type);
  for (const ExplainedStep &step : value.evidence)
    text += fmt::format("    {}\n", step_text(step));
  text += fmt::format("  {}\n", value.activity_reason);
  text += way_text("from an input", value.from_input);
  text += way_text("to an output", value.to_output);
  if (value.storage != ExplainedStorage::unread) {
    text += fmt::format("  {}: {}\n", engine::name_of(value.storage), value.storage_reason);
    if (!value.needed_for.empty())
      text += fmt::format("  needed {}\n", need_text(value));
  } else if (explanation.is_planned) {
    text += "  the reverse sweep does not read it\n";
  }
  if (value.bytes > 0 && value.loop) {
    const ExplainedLoop &loop = explanation.loops[*value.loop];
    text += fmt::format("  {} bytes in each iteration of the loop{}, which runs {} times\n", value.bytes,
                        at_place(loop.place), with_value(loop.iterations, function));
  } else if (value.bytes > 0) {
    text += fmt::format("  {} bytes\n", value.bytes);
  }
  return text;
}

/// Those that the reverse sweep reads come first. A variable has many values: without a line only some are shown.
template <typename IsMeant>
std::string stories(const ExplainedFunction &function, const Explanation &explanation, const IsMeant &is_meant,
                    unsigned line) {
  constexpr std::size_t most = 4;
  std::vector<std::string> read, unread;
  for (const ExplainedValue &value : explanation.values) {
    if (!is_meant(value))
      continue;
    std::vector<std::string> &told = value.storage == ExplainedStorage::unread ? unread : read;
    if (std::string one = story(function, explanation, value); std::find(told.begin(), told.end(), one) == told.end())
      told.push_back(std::move(one));
  }
  read.insert(read.end(), unread.begin(), unread.end());
  std::string text;
  for (std::size_t index = 0; index < read.size() && (line != 0 || index < most); ++index)
    text += read[index];
  if (line == 0 && read.size() > most)
    text += fmt::format("and {} more values; --why NAME:LINE shows all of a line\n", read.size() - most);
  return text;
}

std::string title(const Explanation &explanation) {
  return fmt::format("{}{}, {}\n", explanation.function, explanation.activities, explanation.mode);
}

bool is_told(const std::vector<Explanation> &explanations, const std::string &error) {
  return std::any_of(explanations.begin(), explanations.end(), [&](const Explanation &explanation) {
    return explanation.refusal.find(error) != std::string::npos;
  });
}

/// A word of the expression, not a part of one.
bool contains_word(const std::string &text, const std::string &word) {
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    if ((at == 0 || !is_part(text[at - 1])) && (at + word.size() == text.size() || !is_part(text[at + word.size()])))
      return true;
  return false;
}

} // namespace

std::string with_line(const std::string &text, const engine::SourcePlace &place) {
  return place.line > 0 && text.ends_with(" at " + engine::place_text(place)) ? text : text + line_note(place);
}

std::string line_note(const engine::SourcePlace &place) {
  return place.line > 0 ? fmt::format(" ({})", engine::place_text(place)) : "";
}

std::optional<std::int64_t> value_of(const engine::Formula &formula, const ExplainedFunction &function) {
  return formula.evaluate([&](llvm::StringRef name) -> std::optional<std::int64_t> {
    for (const auto &[known, value] : function.values)
      if (name == known)
        return value;
    return std::nullopt;
  });
}

std::string with_value(const engine::Formula &formula, const ExplainedFunction &function) {
  const std::optional<std::int64_t> value = formula.constant() ? std::nullopt : value_of(formula, function);
  return value ? fmt::format("{} = {}", formula.text(), *value) : formula.text();
}

std::string explanation_summary(const ExplainedFunction &function) {
  std::string text;
  for (const Explanation &explanation : function.derivative.explanations) {
    text += title(explanation);
    if (!explanation.refusal.empty()) {
      text += fmt::format("  {}: {}\n",
                          function.derivative.errors.empty() ? "tried, then made in another way" : "no derivative",
                          explanation.refusal);
      text += list("how it came to that", explanation.chain);
      continue;
    }
    text += tape_text(function, explanation);
    text += storage_counts(explanation);
    text += activity_counts(explanation);
    text += sums_text(explanation);
    text += list("declared active, but", explanation.surprises);
    text += list("constant memory among active memory", explanation.chain);
  }
  for (const std::string &error : function.derivative.errors)
    if (!is_told(function.derivative.explanations, error))
      text += fmt::format("no derivative: {}\n", error);
  return text;
}

std::string explanation_plan(const ExplainedFunction &function) {
  std::string text;
  for (const Explanation &explanation : function.derivative.explanations) {
    text += title(explanation);
    if (!explanation.refusal.empty())
      text += fmt::format("  no derivative: {}\n", explanation.refusal);
    else
      text += explanation.is_planned ? explanation.plan : "  forward mode has no plan\n";
  }
  return text;
}

std::string explanation_values(const ExplainedFunction &function) {
  std::string text;
  for (const Explanation &explanation : function.derivative.explanations) {
    text += title(explanation);
    for (const ExplainedValue &value : explanation.values)
      text += fmt::format("  {:>4}  {:<28}  {:<24}  {:<8}  {}{}\n", value.place.line, value.name, value.type,
                          value.is_active ? "active" : "constant",
                          value.storage == ExplainedStorage::unread ? "" : engine::name_of(value.storage),
                          value.storage_reason.empty() ? "" : ": " + value.storage_reason);
  }
  return text;
}

std::string explanation_of_value(const ExplainedFunction &function, const std::string &name, unsigned line) {
  for (const bool exactly : {true, false}) {
    std::string text;
    for (const Explanation &explanation : function.derivative.explanations) {
      const auto is_meant = [&](const ExplainedValue &value) {
        return (exactly ? value.name == name : contains_word(value.name, name)) &&
               (line == 0 || value.place.line == line || value.place.own_line == line);
      };
      if (const std::string found = stories(function, explanation, is_meant, line); !found.empty())
        text += title(explanation) + found;
    }
    if (!text.empty())
      return text;
  }
  throw jit::BadRequest(
      fmt::format("--why: no value of {} is called '{}'{}; the optimiser may have removed it, or joined it with "
                  "others. --values lists those that are there",
                  function.name, name, line > 0 ? fmt::format(" at line {}", line) : ""));
}

} // namespace assay::cli
