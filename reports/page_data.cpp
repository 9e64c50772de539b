#include "reports/page_data.hpp"

#include "reports/grouping.hpp"
#include "reports/timing.hpp"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <unordered_map>

namespace assay::reports {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t digest_shown = 12; ///< Characters.
constexpr std::size_t studies_of_right_ones = 400;

Json exact(double value) {
  return std::isfinite(value) ? Json(value) : Json(fmt::format("{}", value));
}

/// To three digits.
Json rounded(double value) {
  return std::isfinite(value) ? Json(std::strtod(fmt::format("{:.3g}", value).c_str(), nullptr)) : exact(value);
}

/// Words that many records share.
class Words {
public:
  std::size_t number_of(const std::string &word) {
    const auto [known, is_new] = numbers_.try_emplace(word, list_.size());
    if (is_new)
      list_.push_back(word);
    return known->second;
  }
  Json list() const { return list_; }

private:
  std::unordered_map<std::string, std::size_t> numbers_;
  std::vector<std::string> list_;
};

/// A row of the matrix: a function of a file with its arguments; of random functions and programs all of one kind.
std::string row_of(const Record &record) {
  const std::string &id = record.case_id;
  if (id.starts_with("function/"))
    return id.substr(0, id.rfind('/'));
  if (id.starts_with("program/"))
    return "programs";
  if (const std::string_view of_project = "check/"; id.starts_with(of_project))
    return id.substr(of_project.size(), id.rfind('@') - of_project.size());
  std::string text = record.function;
  for (std::size_t index = 0; index < record.argument_specs.size(); ++index)
    text += (index == 0 ? "(" : ", ") + record.argument_specs[index] +
            (index + 1 == record.argument_specs.size() ? ")" : "");
  return text;
}

char letter_of(const std::string &activity) {
  return activity == "Duplicated" ? 'D' : activity == "DuplicatedNoNeed" ? 'N' : activity == "Active" ? 'A' : 'C';
}

Json json_of(const Element &element) {
  Json row = Json::array({element.path, exact(element.ad), exact(element.expected), rounded(element.absolute_error),
                          rounded(element.relative_error), rounded(element.ulp_error), rounded(element.tolerance)});
  if (element.second) {
    row.push_back(exact(*element.second));
    row.push_back(rounded(element.second_error));
  }
  return row;
}

/// Errors of central differences and of the Taylor remainder against the derivative, and against the oracle.
Json json_of(const StepStudy &study) {
  Json rows = Json::array();
  for (const StepStudy::Row &row : study.rows) {
    Json errors = Json::array({static_cast<int>(std::log2(row.step)), rounded(std::abs(row.central - study.derivative)),
                               rounded(row.step * std::abs(row.forward - study.derivative))});
    if (study.expected) {
      errors.push_back(rounded(std::abs(row.central - *study.expected)));
      errors.push_back(rounded(row.step * std::abs(row.forward - *study.expected)));
    }
    rows.push_back(std::move(errors));
  }
  return {{"path", study.path},
          {"slope", study.taylor_slope ? rounded(*study.taylor_slope) : Json(nullptr)},
          {"rows", rows}};
}

Json json_of(const Times &times) {
  Json quartiles = Json::array();
  for (const Timing &timing : {times.function, times.derivative})
    for (const double value : {timing.low, timing.median, timing.high})
      quartiles.push_back(rounded(value));
  quartiles.push_back(times.derivative.calls);
  return quartiles;
}

Json json_of(const HeapCost &cost) {
  return Json::array({cost.allocations, cost.most_bytes});
}

/// Of a failure, or of what is undecided.
void add_explanation(Json &json, const Record &record) {
  json["detail"] = record.detail;
  json["message"] = record.message;
  json["replay"] = record.replay;
  json["elements"] = Json::array();
  for (const Element &element : record.worst)
    json["elements"].push_back(json_of(element));
  json["inputs"] = Json::array();
  for (const Input &input : record.inputs) {
    Json values = Json::array();
    for (const double value : input.values)
      values.push_back(exact(value));
    json["inputs"].push_back(Json::array({input.name, values}));
  }
  json["witnesses"] = Json::array();
  for (const Witness &witness : record.witnesses)
    json["witnesses"].push_back(Json::array({witness.name, exact(witness.value), rounded(witness.error),
                                             witness.taylor_slope ? rounded(*witness.taylor_slope) : Json(nullptr)}));
  if (const auto &first = record.first_wrong)
    json["first"] = fmt::format("{}, at {}", first->what, first->place);
  json["odd"] = record.odd_one;
  json["rule"] = record.rule;
  json["hints"] = record.hints;
  json["reasons"] = record.oracle_reasons;
  json["neighbours"] = record.neighbours;
  json["sample"] = record.sample;
}

class DataWriter {
public:
  explicit DataWriter(const PageContents &contents) : contents_(contents) {
    for (const Change &change : contents.changes.value_or(std::vector<Change>()))
      if (change.now)
        changed_.emplace(change.now, change);
  }

  Json document() {
    Json records = Json::array();
    for (const Record &record : contents_.run.records)
      records.push_back(json_of(record));
    Json document = {{"records", std::move(records)}, {"rows", rows_}, {"words", words_.list()}};
    add_changes(document);
    add_past(document);
    document["figures"] = figures();
    return document;
  }

private:
  /// With what its records have in common.
  std::size_t number_of_row(const Record &record) {
    const std::string name = row_of(record), key = record.case_id.empty() ? record.file + '\n' + name : name;
    const auto [known, is_new] = row_numbers_.try_emplace(key, rows_.size());
    if (is_new)
      rows_.push_back({{"name", name},
                       {"file", record.case_id.empty() ? record.file : ""},
                       {"parameters", record.parameters},
                       {"unseen", record.not_seen},
                       {"effort", record.effort}});
    return known->second;
  }

  Json json_of(const Record &record) {
    std::string activities;
    for (const std::string &activity : record.activities)
      activities += letter_of(activity);
    const Provenance &from = record.provenance;
    Json json = {{"f", number_of_row(record)},
                 {"w", words_.number_of(record.case_id.empty() ? record.file : record.case_id)},
                 {"n", words_.number_of(record.function)},
                 {"p", words_.number_of(fmt::format("{}", fmt::join(record.parameters, ",")))},
                 {"m", words_.number_of(record.mode)},
                 {"a", activities},
                 {"o", static_cast<int>(record.outcome)},
                 {"v", words_.number_of(record.verdict)},
                 {"q", words_.number_of(record.oracle)},
                 {"d", fmt::format("{} {} {}", from.inputs.substr(0, digest_shown), from.ir.substr(0, digest_shown),
                                   from.gradients.substr(0, digest_shown))}};
    if (!record.result_activity.empty())
      json["ra"] = std::string(1, letter_of(record.result_activity));
    if (record.width != 1)
      json["wd"] = record.width;
    if (record.split)
      json["s"] = 1;
    if (record.runtime_activity)
      json["r"] = 1;
    add_measurements(json, record);
    add_state(json, record);
    if (record.outcome != Outcome::passed || record.expected_failure)
      add_explanation(json, record);
    return json;
  }

  void add_measurements(Json &json, const Record &record) {
    if (!record.worst.empty())
      json["e"] = reports::json_of(record.worst.front());
    if (!record.second_oracle.empty())
      json["q2"] = words_.number_of(record.second_oracle);
    if (!record.lost_digits.empty()) {
      json["lost"] = record.lost_digits;
      json["l"] = rounded(record.digits_lost);
    }
    if (record.times) {
      json["t"] = reports::json_of(*record.times);
      if (const auto ratio = cost_ratio(record))
        json["c"] = rounded(*ratio);
    }
    if (record.heap && record.heap->allocations != 0)
      json["h"] = reports::json_of(*record.heap);
    if (record.steps && (record.outcome != Outcome::passed || studies_++ < studies_of_right_ones))
      json["st"] = reports::json_of(*record.steps);
  }

  void add_state(Json &json, const Record &record) const {
    if (record.backend != "host")
      json["backend"] = record.backend;
    if (record.expected_failure)
      json["x"] = 1;
    if (!record.known_failure.empty())
      json["excuse"] = record.known_failure;
    if (const auto change = changed_.find(&record); change != changed_.end()) {
      json["ch"] = name_of(change->second.kind);
      json["was"] = extent_of(change->second);
    }
    if (record.outcome == Outcome::failed && !record.case_id.empty())
      json["k"] = contents_.known_cases.contains(record.case_id) ? 1 : 0;
    if (!record.notes.empty())
      json["notes"] = record.notes;
  }

  void add_changes(Json &document) const {
    if (!contents_.changes)
      return;
    std::map<Change::Kind, std::size_t> counts;
    Json missing = Json::array();
    for (const Change &change : *contents_.changes) {
      ++counts[change.kind];
      if (change.kind == Change::Kind::only_before)
        missing.push_back(combination_text(*change.before));
    }
    document["changes"] = Json::array();
    for (const auto &[kind, count] : counts)
      document["changes"].push_back(Json::array({name_of(kind), count}));
    document["missing"] = missing;
  }

  void add_past(Json &document) const {
    if (!contents_.past)
      return;
    Json nights = Json::array();
    for (const PastNights::Night &night : contents_.past->nights)
      nights.push_back(Json::array({night.day, std::to_string(night.seed), night.cases, night.totals.checked,
                                    night.totals.passed, night.totals.failed, night.totals.undecided}));
    document["nights"] = nights;
    document["letters"] = contents_.past->letters;
  }

  Json figures() const {
    Json list = Json::array();
    for (const Figure &figure : contents_.run.figures) {
      Json series = Json::array();
      for (const Series &one : figure.series) {
        Json points = Json::array();
        for (const Point &point : one.points)
          points.push_back(Json::array({exact(point.x), exact(point.y)}));
        series.push_back({{"name", one.name}, {"points", points}});
      }
      list.push_back({{"title", figure.title},
                      {"caption", figure.caption},
                      {"x", figure.x_label},
                      {"y", figure.y_label},
                      {"linear", figure.x_scale == Scale::linear},
                      {"series", series}});
    }
    return list;
  }

  const PageContents &contents_;
  std::map<const Record *, Change> changed_;
  std::map<std::string, std::size_t> row_numbers_;
  Json rows_ = Json::array();
  Words words_;
  std::size_t studies_ = 0;
};

} // namespace

std::string page_data(const PageContents &contents) {
  std::string text;
  for (const char c : DataWriter(contents).document().dump(-1, ' ', false, Json::error_handler_t::replace))
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  return text;
}

} // namespace assay::reports
