#include "reports/sarif.hpp"

#include "reports/grouping.hpp"
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

namespace assay::reports {

namespace {

using Json = nlohmann::ordered_json;

struct SourcePlace {
  std::string file;
  unsigned line = 0; ///< 0: not known.
};

/// `dot.c:12 in dot`
SourcePlace place_in(const std::string &text) {
  const std::size_t colon = text.rfind(':');
  SourcePlace place{text.substr(0, colon), 0};
  if (colon != std::string::npos)
    std::from_chars(text.data() + colon + 1, text.data() + text.size(), place.line);
  return place;
}

/// The first wrong number, where it is in the file that was checked.
unsigned line_of(const Record &record) {
  if (!record.first_wrong)
    return 0;
  const SourcePlace place = place_in(record.first_wrong->place);
  const std::string name = record.file.substr(record.file.rfind('/') + 1);
  return place.file == record.file || place.file.substr(place.file.rfind('/') + 1) == name ? place.line : 0;
}

/// `wrong derivative` as `wrong-derivative`.
std::string rule_of(const Record &record) {
  std::string rule = record.verdict;
  std::ranges::replace(rule, ' ', '-');
  return rule;
}

/// As a URI reference: what a URI reserves is quoted.
std::string uri_of(const std::string &path) {
  std::string uri;
  for (const char c : path) {
    const auto code = static_cast<unsigned char>(c);
    const bool plain = std::isalnum(code) || std::string_view("/._-~").find(c) != std::string_view::npos;
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", code);
  }
  return path.starts_with('/') ? "file://" + uri : uri;
}

Json location_of(const Record &record) {
  Json location = Json::object();
  if (!record.file.empty()) {
    location["physicalLocation"]["artifactLocation"]["uri"] = uri_of(record.file);
    if (const unsigned line = line_of(record))
      location["physicalLocation"]["region"]["startLine"] = line;
  }
  location["logicalLocations"] = Json::array({{{"name", record.function}, {"kind", "function"}}});
  return location;
}

struct Finding {
  const Record *record;
  std::string rule, level, text, state; ///< No state without a baseline.
};

Finding failure(const Record &record) {
  return {&record,
          rule_of(record),
          "error",
          fmt::format("{} in {}{}{}", record.verdict, combination_text(record), record.detail.empty() ? "" : ": ",
                      record.detail),
          {}};
}

/// Of a derivative that is right and worse than before.
std::optional<Finding> regression(const Change &change) {
  const bool is_slower = change.kind == Change::Kind::slower;
  if (!is_slower && change.kind != Change::Kind::less_accurate)
    return std::nullopt;
  return Finding{
      change.now, is_slower ? "slower-derivative" : "less-accurate-derivative", is_slower ? "note" : "warning",
      fmt::format("{} is {}: {}", combination_text(*change.now), name_of(change.kind), extent_of(change)), "updated"};
}

/// Failures in the order of the records, then regressions.
std::vector<Finding> findings(const Run &run, const std::optional<std::vector<Change>> &changes) {
  std::set<const Record *> appeared;
  for (const Change &change : changes.value_or(std::vector<Change>()))
    if (change.kind == Change::Kind::newly_failing)
      appeared.insert(change.now);
  std::vector<Finding> all;
  for (const Record &record : run.records)
    if (record.outcome == Outcome::failed) {
      all.push_back(failure(record));
      if (changes)
        all.back().state = appeared.contains(&record) ? "new" : "unchanged";
    }
  for (const Change &change : changes.value_or(std::vector<Change>()))
    if (std::optional<Finding> found = regression(change))
      all.push_back(*std::move(found));
  return all;
}

Json result_of(const Finding &finding, std::size_t rule_index) {
  const Record &record = *finding.record;
  Json result = {{"ruleId", finding.rule},
                 {"ruleIndex", rule_index},
                 {"level", finding.level},
                 {"message", {{"text", finding.text}}},
                 {"locations", Json::array({location_of(record)})},
                 {"partialFingerprints", {{"assaySubject/v1", subject_of(record)}}}};
  if (!finding.state.empty())
    result["baselineState"] = finding.state;
  if (!record.replay.empty())
    result["properties"]["replay"] = record.replay;
  if (!record.case_id.empty())
    result["properties"]["case"] = record.case_id;
  return result;
}

} // namespace

std::string to_sarif(const Run &run, const std::optional<std::vector<Change>> &changes) {
  const std::vector<Finding> all = findings(run, changes);
  std::set<std::string> names;
  for (const Finding &finding : all)
    names.insert(finding.rule);
  const std::vector<std::string> order(names.begin(), names.end());
  Json rules = Json::array();
  for (const std::string &name : order)
    rules.push_back({{"id", name}, {"shortDescription", {{"text", name}}}});
  Json results = Json::array();
  for (const Finding &finding : all)
    results.push_back(
        result_of(finding, static_cast<std::size_t>(std::ranges::find(order, finding.rule) - order.begin())));
  const Json document = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                         {"version", "2.1.0"},
                         {"runs", Json::array({{{"tool", {{"driver", {{"name", "Assay"}, {"rules", rules}}}}},
                                                {"properties", {{"seed", run.seed}, {"environment", run.environment}}},
                                                {"results", results}}})}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace assay::reports
