#include <assay/testing/message.hpp>

#include "testutils/place_text.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace assay::testutils {

namespace {

constexpr std::size_t most_inputs_shown = 32;

class Text {
public:
  void line(std::string_view label, const std::string &text) {
    if (!text.empty())
      fmt::format_to(std::back_inserter(buffer), "  {:<12}{}\n", label, text);
  }
  void raw(const std::string &text) { buffer += text; }
  std::string take() { return std::move(buffer); }

private:
  std::string buffer;
};

std::string type_of(const Parameter &parameter) {
  if (parameter.extents.empty())
    return std::string(name_of(parameter.element));
  return fmt::format("{}[{}]", name_of(parameter.element), fmt::join(parameter.extents, "x"));
}

std::string activities(const Signature &signature, const Combination &combination) {
  std::vector<std::string> arguments;
  for (std::size_t index = 0; index < signature.parameters.size(); ++index)
    arguments.push_back(fmt::format("{} {}: {}", name_of(combination.arguments[index]),
                                    signature.parameters[index].title(), type_of(signature.parameters[index])));
  std::string text = fmt::format("({})", fmt::join(arguments, ", "));
  if (signature.result)
    text += fmt::format(" -> {} {}", name_of(combination.result), type_of(*signature.result));
  return text;
}

std::string role(const Signature &signature, const Record &record, const Comparison &row) {
  if (!row.place.parameter)
    return "the result";
  const Parameter &parameter = signature.parameters[*row.place.parameter];
  return fmt::format("{} {}", record.combination.mode == Mode::forward ? "output in argument" : "argument",
                     parameter.name);
}

using Cells = std::vector<std::string>;

std::string aligned(const std::vector<Cells> &table) {
  std::vector<std::size_t> widths(table.front().size());
  for (const Cells &cells : table)
    for (std::size_t column = 0; column < cells.size(); ++column)
      widths[column] = std::max(widths[column], cells[column].size());
  std::string text;
  for (const Cells &cells : table) {
    std::string line = "   ";
    for (std::size_t column = 0; column < cells.size(); ++column)
      line += column == 0 ? fmt::format(" {:<{}}", cells[column], widths[column])
                          : fmt::format("  {:>{}}", cells[column], widths[column]);
    text += line + "\n";
  }
  return text;
}

bool from_an_oracle(const Record &record) {
  return std::any_of(record.worst.begin(), record.worst.end(),
                     [](const Comparison &row) { return row.oracle_step != 0; });
}

std::string short_name(const std::string &oracle) {
  return oracle == "wide arithmetic" ? "wide" : "FDM";
}

std::string table_of(const Record &record) {
  const bool by_oracle = from_an_oracle(record);
  const std::string oracle = short_name(record.oracle), second = short_name(record.second_oracle);
  const bool any_second = std::any_of(record.worst.begin(), record.worst.end(),
                                      [](const Comparison &row) { return row.second.has_value(); });
  const bool any_incoming =
      std::any_of(record.worst.begin(), record.worst.end(), [](const Comparison &row) { return row.incoming != 0; });
  Cells heads = {"element", "AD", by_oracle ? oracle : "expected", "absolute", "relative", "ULP", "tolerance"};
  if (by_oracle)
    heads.insert(heads.end(), {oracle + " step", oracle + " error"});
  if (any_second)
    heads.insert(heads.end(), {second, second + " error"});
  if (any_incoming)
    heads.push_back("incoming shadow");
  std::vector<Cells> table = {heads};
  for (const Comparison &row : record.worst) {
    Cells cells = {row.path,
                   fmt::format("{:.12g}", row.ad),
                   fmt::format("{:.12g}", row.expected),
                   fmt::format("{:.2e}", row.absolute_error),
                   fmt::format("{:.2e}", row.relative_error),
                   fmt::format("{:.3g}", row.ulp_error),
                   fmt::format("{:.1e}", row.tolerance)};
    if (by_oracle)
      cells.insert(cells.end(), {fmt::format("{:.1e}", row.oracle_step), fmt::format("{:.1e}", row.oracle_error)});
    if (any_second && row.second)
      cells.insert(cells.end(), {fmt::format("{:.12g}", *row.second), fmt::format("{:.1e}", row.second_error)});
    else if (any_second)
      cells.insert(cells.end(), {"", ""});
    if (any_incoming)
      cells.push_back(fmt::format("{:.6g}", row.incoming));
    table.push_back(std::move(cells));
  }
  return aligned(table);
}

std::string input_of(const Parameter &parameter, const Values &values) {
  if (parameter.element == ElementType::integer && values.size() == 1)
    return fmt::format("{} = {}", parameter.name, values.front());
  std::vector<std::string> hex, decimal;
  for (std::size_t element = 0; element < std::min(values.size(), most_inputs_shown); ++element) {
    hex.push_back(fmt::format("{:a}", values[element]));
    decimal.push_back(fmt::format("{:.6g}", values[element]));
  }
  if (values.size() > most_inputs_shown)
    hex.push_back(fmt::format("... {} more", values.size() - most_inputs_shown));
  const std::string values_in_hex = fmt::format("{}", fmt::join(hex, ", "));
  const std::string braced = parameter.extents.empty() ? values_in_hex : "{" + values_in_hex + "}";
  return fmt::format("{} = {}  ({})", parameter.name, braced, fmt::join(decimal, ", "));
}

std::string in_words(const Witness &witness) {
  std::string text = fmt::format("{} {:.12g}", witness.name, witness.value);
  if (witness.error != 0)
    text += fmt::format(" +- {:.1e}", witness.error);
  if (witness.taylor_slope)
    text += fmt::format(" (Taylor remainder of order {:.1f})", *witness.taylor_slope);
  return text;
}

void add_witnesses(Text &text, const Record &record) {
  text.line("odd one", record.odd_one);
  for (const Witness &witness : record.witnesses)
    text.raw("    " + in_words(witness) + "\n");
}

std::string first_wrong_in_words(const FirstWrong &first) {
  std::string text = fmt::format("{}, {}", first.what, at_place(first.place));
  if (first.execution == 0)
    return text;
  text += fmt::format(": {:.9g}, should be {:.9g}", first.derivative, first.expected);
  return first.executions == 1 ? text : text + fmt::format(" (time {} of {})", first.execution, first.executions);
}

std::string mode_of(const Record &record) {
  const Combination &combination = record.combination;
  return fmt::format("{}, width {}{}{}, on the {}", name_of(combination.mode), combination.width,
                     combination.form == Form::split ? ", split" : "",
                     combination.runtime_activity == RuntimeActivity::on ? ", run-time activity" : "", record.backend);
}

void add_neighbours(Text &text, const Signature &signature, const Record &record) {
  if (record.minimal)
    text.line("also fails", describe(signature, *record.minimal) + "  (with fewest activities)");
  for (const Neighbour &neighbour : record.neighbours) {
    const Outcome outcome = outcome_of(neighbour.verdict);
    text.line(outcome == Outcome::passed   ? "passes"
              : outcome == Outcome::failed ? "fails too"
                                           : "undecided",
              describe(signature, neighbour.combination));
  }
}

} // namespace

std::string failure_message(const Signature &signature, const Record &record) {
  Text text;
  text.raw(
      fmt::format("{}: {} of {}\n", name_of(record.verdict), name_of(record.combination.mode), signature.function));
  text.line("function", signature.function + activities(signature, record.combination));
  text.line("mode", mode_of(record));
  text.line("check", record.check);
  if (!record.oracle_reasons.empty())
    text.line("oracle", fmt::format("{}; {}", record.oracle, fmt::join(record.oracle_reasons, ", ")));
  text.line("seen", record.detail);
  text.line("rule", record.rule);
  if (!record.worst.empty()) {
    text.line("worst", fmt::format("{}, an element of {}", record.worst.front().path,
                                   role(signature, record, record.worst.front())));
    text.raw(table_of(record));
  }
  add_witnesses(text, record);
  if (record.first_wrong)
    text.line("first wrong", first_wrong_in_words(*record.first_wrong));
  for (const std::string &hint : record.hints)
    text.line("hint", hint);
  for (const std::string &note : record.notes)
    text.line("note", note);
  text.line("passed", fmt::format("{}", fmt::join(record.passed, ", ")));
  add_neighbours(text, signature, record);
  text.line("inputs", record.shrinks == 0 ? "as drawn" : fmt::format("after {} simplifications", record.shrinks));
  text.raw(inputs_in_words(signature, record.inputs));
  text.line("seed", fmt::format("{}, sample {}", record.seed, record.sample));
  text.line("not seen", fmt::format("{}", fmt::join(record.not_seen, "; ")));
  text.line("replay", record.replay);
  return text.take();
}

std::string inputs_in_words(const Signature &signature, const Arguments &inputs) {
  std::string lines;
  for (std::size_t index = 0; index < inputs.size(); ++index)
    lines += "    " + input_of(signature.parameters[index], inputs[index]) + "\n";
  return lines;
}

std::string summary_line(const Signature &signature, const Record &record) {
  std::string line = fmt::format("{:<17} {}", name_of(record.verdict), describe(signature, record.combination));
  if (record.verdict == Verdict::pass)
    return line;
  if (!record.worst.empty() && record.verdict != Verdict::oracle_unreliable) {
    const Comparison &row = record.worst.front();
    return line + fmt::format("; {} is {:.12g}, expected {:.12g}", row.path, row.ad, row.expected);
  }
  return line + "; " + record.detail;
}

std::string totals_line(const Report &report) {
  return fmt::format("{} combinations checked, {} passed, {} failed, {} undecided", report.checked, report.passed,
                     report.failed, report.undecided);
}

} // namespace assay::testutils
