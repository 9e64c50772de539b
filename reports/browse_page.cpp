#include "reports/browse_page.hpp"

#include "reports/browse_template.hpp"
#include "reports/grouping.hpp"
#include "reports/markup.hpp"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

namespace assay::reports {

namespace {

using Json = nlohmann::ordered_json;

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(fmt::format("{}", value));
}

/// Error over tolerance of the worst element; null where nothing was compared.
Json ratio_of(const Record &record) {
  if (record.worst.empty() || !(record.worst.front().tolerance > 0))
    return nullptr;
  return number(record.worst.front().absolute_error / record.worst.front().tolerance);
}

Json json_of(const Element &element) {
  return Json::array({element.path, number(element.ad), number(element.expected), number(element.absolute_error),
                      number(element.relative_error), number(element.ulp_error), number(element.tolerance)});
}

Json json_of(const Record &record) {
  Json json = {{"what", record.case_id.empty() ? record.file : record.case_id},
               {"combination", combination_text(record)},
               {"mode", record.mode},
               {"outcome", name_of(record.outcome)},
               {"verdict", record.verdict},
               {"oracle", record.oracle},
               {"ratio", ratio_of(record)},
               {"digests", Json::array({record.provenance.inputs, record.provenance.ir, record.provenance.gradients})}};
  if (!record.lost_digits.empty())
    json["lost"] = record.lost_digits;
  if (record.outcome == Outcome::passed)
    return json; // Most are; the rest is in records.jsonl.
  json["detail"] = record.detail;
  json["message"] = record.message;
  json["replay"] = record.replay;
  json["elements"] = Json::array();
  for (const Element &element : record.worst)
    json["elements"].push_back(json_of(element));
  return json;
}

std::map<const Record *, const Change *> by_record(const std::optional<std::vector<Change>> &changes) {
  std::map<const Record *, const Change *> records;
  if (changes)
    for (const Change &change : *changes)
      if (change.now && change.kind != Change::Kind::only_now)
        records.emplace(change.now, &change);
  return records;
}

Json json_of(const BrowsedRun &browsed) {
  const auto changed = by_record(browsed.changes);
  Json records = Json::array();
  for (const Record &record : browsed.run.records) {
    Json json = json_of(record);
    if (const auto change = changed.find(&record); change != changed.end()) {
      json["change"] = name_of(change->second->kind);
      if (change->second->before)
        json["before"] = change->second->before->verdict;
    }
    if (record.outcome == Outcome::failed && !record.case_id.empty())
      json["known"] = browsed.known_cases.contains(record.case_id);
    records.push_back(std::move(json));
  }
  Json facts = Json::array();
  for (const auto &[name, value] : browsed.facts)
    facts.push_back(Json::array({name, value}));
  Json document = {{"facts", facts}, {"records", records}};
  if (browsed.changes) {
    std::map<Change::Kind, std::size_t> counts;
    for (const Change &change : *browsed.changes)
      ++counts[change.kind];
    document["changes"] = Json::array();
    for (const auto &[kind, count] : counts)
      document["changes"].push_back(Json::array({name_of(kind), count}));
    Json missing = Json::array();
    for (const Change &change : *browsed.changes)
      if (change.kind == Change::Kind::only_before)
        missing.push_back(combination_text(*change.before));
    document["missing"] = missing;
  }
  return document;
}

/// Within a script element nothing may look like its end.
std::string embedded(const Json &json) {
  std::string text;
  for (const char c : json.dump(-1, ' ', false, Json::error_handler_t::replace))
    text += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return text;
}

} // namespace

std::string to_browse_page(const BrowsedRun &browsed) {
  return fill_template(browse_template, [&](std::string_view name) {
    return name == "title" ? escape_markup(closing_line(totals_of(browsed.run.records))) : embedded(json_of(browsed));
  });
}

} // namespace assay::reports
