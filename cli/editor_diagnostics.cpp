#include "cli/editor_diagnostics.hpp"

#include "cli/convert_record.hpp"
#include "core/jit/bad_request.hpp"
#include "core/jit/registered_rules.hpp"
#include "reports/grouping.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

namespace assay::cli {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using reports::Outcome;
using reports::Record;

/// `wrong derivative` as `wrong-derivative`.
std::string code_of(const Record &record) {
  std::string code = !record.known_failure.empty() ? "known failure" : record.verdict;
  std::ranges::replace(code, ' ', '-');
  return code;
}

std::string uri_of(const fs::path &file) {
  std::string uri = "file://";
  for (const char c : file.string()) {
    const bool is_plain =
        std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view("/._-~").find(c) != std::string_view::npos;
    uri += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

Json json_of(const SourceRange &range) {
  return {{"start", {{"line", range.line}, {"character", range.begin}}},
          {"end", {{"line", range.line}, {"character", range.end}}}};
}

Json json_of(const EditorDiagnostic &diagnostic) {
  Json json = {{"range", json_of(diagnostic.range)},
               {"severity", static_cast<unsigned>(diagnostic.severity)},
               {"code", diagnostic.code},
               {"source", "assay"},
               {"message", diagnostic.message}};
  Json related = Json::array();
  for (const RelatedPlace &place : diagnostic.related)
    related.push_back({{"location", {{"uri", uri_of(place.range.file)}, {"range", json_of(place.range)}}},
                       {"message", place.message}});
  if (!related.empty())
    json["relatedInformation"] = related;
  if (!diagnostic.replay.empty())
    json["data"] = {{"replay", diagnostic.replay}};
  return json;
}

/// Where the function that was asked for is defined: one of C++ values behind its adapter.
SourceRange place_of(const FunctionToCheck &function) {
  const jit::FunctionSignature &signature = function.request.function;
  const bool is_adapted = !function.request.adapter.empty();
  const auto place = is_adapted ? place_of_function_named(*function.file, signature.name)
                                : place_of_function(*function.file, signature.linkage_name);
  return place.value_or(whole_line(function.file->path(), 1));
}

/// `f.c:12 in f`, where `f.c` is the file or one beside it; absent where there is no such file.
std::optional<SourceRange> place_of_first_wrong(const Record &record, const fs::path &file) {
  static const std::regex place("^(.+):([0-9]+)( in .*)?$");
  std::smatch match;
  if (!record.first_wrong || !std::regex_match(record.first_wrong->place, match, place))
    return std::nullopt;
  const fs::path named = match.str(1);
  for (const fs::path &candidate : {named, file.parent_path() / named, file.parent_path() / named.filename()})
    if (std::error_code error; fs::is_regular_file(candidate, error))
      return whole_line(candidate, std::stoul(match.str(2)));
  return std::nullopt;
}

std::string sentence_of(const reports::FirstWrong &first) {
  return fmt::format("first wrong value: {} is {:.6g} and should be {:.6g}", first.what, first.derivative,
                     first.expected);
}

void add_rule(EditorDiagnostic &diagnostic, const FunctionToCheck &function, const Record &record) {
  for (const jit::RegisteredRule &rule :
       jit::registered_rules(function.file->module(), function.request.function.linkage_name)) {
    if (record.rule.find(jit::describe(rule)) == std::string::npos)
      continue;
    for (std::size_t index = 0; index < rule.part_symbols.size(); ++index)
      if (const auto place = place_of_function(*function.file, rule.part_symbols[index]))
        diagnostic.related.push_back({*place, "of the rule at fault: " + record.rule});
  }
}

EditorDiagnostic diagnostic_of(const FunctionToCheck &function, const Record &record, std::size_t alike,
                               std::size_t all) {
  const SourceRange definition = place_of(function);
  const std::optional<SourceRange> first = place_of_first_wrong(record, function.file->path());
  EditorDiagnostic diagnostic{first.value_or(definition),
                              record.outcome == Outcome::failed ? Severity::error : Severity::information,
                              code_of(record),
                              {}};
  const std::string &detail = record.known_failure.empty() ? record.detail : record.known_failure;
  diagnostic.message = fmt::format("{} in {}{}{}", record.verdict, reports::combination_text(record),
                                   detail.empty() ? "" : ": ", detail);
  if (!record.worst.empty())
    diagnostic.message += fmt::format("; {} is {:.6g} and should be {:.6g}", record.worst.front().path,
                                      record.worst.front().ad, record.worst.front().expected);
  if (alike > 1)
    diagnostic.message += fmt::format(" ({} of {} combinations)", alike, all);
  if (first)
    diagnostic.related.push_back({*first, sentence_of(*record.first_wrong)});
  add_rule(diagnostic, function, record);
  if (first)
    diagnostic.related.push_back({definition, "checked function " + record.function});
  diagnostic.replay = record.replay;
  return diagnostic;
}

/// Combinations with one fault have one diagnostic.
std::string fault_of(const Record &record) {
  return fmt::format("{}|{}|{}", code_of(record), record.rule,
                     record.first_wrong ? record.first_wrong->place : record.mode);
}

} // namespace

void EditorDiagnostics::add_file(const fs::path &file) {
  by_file_[fs::absolute(file).lexically_normal()];
}

void EditorDiagnostics::add(EditorDiagnostic diagnostic) {
  const fs::path file = diagnostic.range.file;
  by_file_[file].push_back(std::move(diagnostic));
}

void EditorDiagnostics::add_records(const FunctionToCheck &function, const std::vector<Record> &records) {
  std::map<std::string, std::size_t> counts;
  for (const Record &record : records)
    ++counts[fault_of(record)];
  std::map<std::string, bool> is_told;
  for (const Record &record : records) {
    if (record.outcome == Outcome::passed || std::exchange(is_told[fault_of(record)], true))
      continue;
    add(diagnostic_of(function, record, counts[fault_of(record)], records.size()));
  }
  for (const Record &record : records)
    if (!record.lost_digits.empty() && !std::exchange(is_told["lost-digits"], true))
      add_about(function, Severity::information, "lost-digits", record.lost_digits);
}

void EditorDiagnostics::add_refusal(const jit::BadRequest &error, const fs::path &file) {
  static const std::regex of_compiler("^([^:\n]+):([0-9]+):([0-9]+): (fatal error|error|warning|note): (.*)$");
  static const std::regex of_line("^([^:\n]+):([0-9]+): (.*)$");
  std::smatch match;
  std::istringstream lines(error.details);
  std::vector<EditorDiagnostic> found;
  for (std::string line; std::getline(lines, line);) {
    if (!std::regex_match(line, match, of_compiler))
      continue;
    const SourceRange range = word_at(match.str(1), std::stoul(match.str(2)), std::stoul(match.str(3)));
    if (match.str(4) == "note" && !found.empty())
      found.back().related.push_back({range, match.str(5)});
    else if (match.str(4) != "note")
      found.push_back({range, match.str(4) == "warning" ? Severity::warning : Severity::error,
                       match.str(4) == "warning" ? "compiler-warning" : "compiler-error", match.str(5)});
  }
  const bool is_told = std::ranges::any_of(found, [](const auto &each) { return each.severity == Severity::error; });
  for (EditorDiagnostic &diagnostic : found)
    add(std::move(diagnostic));
  if (is_told)
    return;
  const std::string message = error.what();
  const std::string first = message.substr(0, message.find('\n'));
  std::error_code ignored;
  if (std::regex_match(first, match, of_line) && fs::is_regular_file(match.str(1), ignored))
    return add({whole_line(match.str(1), std::stoul(match.str(2))), Severity::error, "unusable-request", match.str(3)});
  add({whole_line(file, 1), Severity::error, "unusable-request", message});
}

void EditorDiagnostics::add_warning(const std::string &code, const fs::path &file, const std::string &message) {
  add({whole_line(file, 1), Severity::warning, code, message});
}

void EditorDiagnostics::add_about(const FunctionToCheck &function, Severity severity, const std::string &code,
                                  const std::string &message) {
  add({place_of(function), severity, code, message});
}

bool EditorDiagnostics::is_empty() const {
  return std::ranges::all_of(by_file_, [](const auto &file) { return file.second.empty(); });
}

std::string EditorDiagnostics::json() const {
  Json all = Json::array();
  for (const auto &[file, diagnostics] : by_file_) {
    Json list = Json::array();
    for (const EditorDiagnostic &diagnostic : diagnostics)
      list.push_back(json_of(diagnostic));
    all.push_back({{"uri", uri_of(file)}, {"diagnostics", std::move(list)}});
  }
  return all.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace assay::cli
