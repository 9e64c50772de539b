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

Json result_of(const Record &record, std::size_t rule_index) {
  Json result = {{"ruleId", rule_of(record)},
                 {"ruleIndex", rule_index},
                 {"level", "error"},
                 {"message",
                  {{"text", fmt::format("{} in {}{}{}", record.verdict, combination_text(record),
                                        record.detail.empty() ? "" : ": ", record.detail)}}},
                 {"locations", Json::array({location_of(record)})},
                 {"partialFingerprints", {{"assaySubject/v1", subject_of(record)}}}};
  if (!record.replay.empty())
    result["properties"]["replay"] = record.replay;
  if (!record.case_id.empty())
    result["properties"]["case"] = record.case_id;
  return result;
}

} // namespace

std::string to_sarif(const Run &run, const std::optional<std::vector<Change>> &changes) {
  std::set<std::string> names;
  for (const Record &record : run.records)
    if (record.outcome == Outcome::failed)
      names.insert(rule_of(record));
  const std::vector<std::string> order(names.begin(), names.end());
  Json rules = Json::array();
  for (const std::string &name : order)
    rules.push_back({{"id", name}, {"shortDescription", {{"text", name}}}});

  std::set<const Record *> appeared;
  if (changes)
    for (const Change &change : *changes)
      if (change.kind == Change::Kind::newly_failing)
        appeared.insert(change.now);
  Json results = Json::array();
  for (const Record &record : run.records) {
    if (record.outcome != Outcome::failed)
      continue;
    const auto index = static_cast<std::size_t>(std::ranges::find(order, rule_of(record)) - order.begin());
    Json result = result_of(record, index);
    if (changes)
      result["baselineState"] = appeared.contains(&record) ? "new" : "unchanged";
    results.push_back(std::move(result));
  }
  const Json document = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                         {"version", "2.1.0"},
                         {"runs", Json::array({{{"tool", {{"driver", {{"name", "Assay"}, {"rules", rules}}}}},
                                                {"properties", {{"seed", run.seed}, {"environment", run.environment}}},
                                                {"results", results}}})}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace assay::reports
