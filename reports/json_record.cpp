#include "reports/json_record.hpp"

#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <stdexcept>

namespace assay::reports {

Json json_of_number(double value) {
  if (std::isfinite(value))
    return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

double number_from(const Json &json) {
  if (json.is_number())
    return json.get<double>();
  const std::string text = json.get<std::string>();
  if (text == "nan")
    return std::numeric_limits<double>::quiet_NaN();
  return text == "-inf" ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
}

namespace {

Json optional_number(const std::optional<double> &value) {
  return value ? json_of_number(*value) : Json(nullptr);
}

std::optional<double> optional_number_from(const Json &json) {
  return json.is_null() ? std::nullopt : std::optional(number_from(json));
}

Json json_of(const Element &element) {
  Json json = {{"path", element.path},
               {"ad", json_of_number(element.ad)},
               {"expected", json_of_number(element.expected)},
               {"incoming", json_of_number(element.incoming)},
               {"absolute_error", json_of_number(element.absolute_error)},
               {"relative_error", json_of_number(element.relative_error)},
               {"ulp_error", json_of_number(element.ulp_error)},
               {"tolerance", json_of_number(element.tolerance)},
               {"oracle_error", json_of_number(element.oracle_error)},
               {"oracle_step", json_of_number(element.oracle_step)}};
  if (element.second) {
    json["second"] = json_of_number(*element.second);
    json["second_error"] = json_of_number(element.second_error);
  }
  return json;
}

Element element_from(const Json &json) {
  Element element;
  element.path = json.at("path");
  element.ad = number_from(json.at("ad"));
  element.expected = number_from(json.at("expected"));
  element.incoming = number_from(json.at("incoming"));
  element.absolute_error = number_from(json.at("absolute_error"));
  element.relative_error = number_from(json.at("relative_error"));
  element.ulp_error = number_from(json.at("ulp_error"));
  element.tolerance = number_from(json.at("tolerance"));
  element.oracle_error = number_from(json.at("oracle_error"));
  element.oracle_step = number_from(json.at("oracle_step"));
  if (json.contains("second")) {
    element.second = number_from(json.at("second"));
    element.second_error = number_from(json.at("second_error"));
  }
  return element;
}

Json json_of(const Input &input) {
  Json values = Json::array();
  for (const double value : input.values)
    values.push_back(json_of_number(value));
  return {{"name", input.name}, {"values", values}};
}

Input input_from(const Json &json) {
  Input input{json.at("name"), {}};
  for (const Json &value : json.at("values"))
    input.values.push_back(number_from(value));
  return input;
}

Json json_of(const Witness &witness) {
  return {{"name", witness.name},
          {"value", json_of_number(witness.value)},
          {"error", json_of_number(witness.error)},
          {"taylor_slope", optional_number(witness.taylor_slope)}};
}

Witness witness_from(const Json &json) {
  return {json.at("name"), number_from(json.at("value")), number_from(json.at("error")),
          optional_number_from(json.at("taylor_slope"))};
}

Json json_of(const HeapCost &cost) {
  return {{"allocations", cost.allocations}, {"most_bytes", cost.most_bytes}};
}

std::optional<HeapCost> heap_cost_from(const Json &record, const char *name) {
  if (!record.contains(name))
    return std::nullopt;
  return HeapCost{record.at(name).at("allocations"), record.at(name).at("most_bytes")};
}

Json json_of(const Timing &timing) {
  return {{"calls", timing.calls}, {"low", timing.low}, {"median", timing.median}, {"high", timing.high}};
}

Timing timing_from(const Json &json) {
  return {json.at("calls"), json.at("low"), json.at("median"), json.at("high")};
}

Json json_of(const StepStudy &study) {
  Json rows = Json::array();
  for (const StepStudy::Row &row : study.rows)
    rows.push_back(Json::array({row.step, json_of_number(row.forward), json_of_number(row.central)}));
  return {{"path", study.path},
          {"derivative", json_of_number(study.derivative)},
          {"expected", optional_number(study.expected)},
          {"taylor_slope", optional_number(study.taylor_slope)},
          {"rows", rows}};
}

StepStudy step_study_from(const Json &json) {
  StepStudy study{json.at("path"),
                  number_from(json.at("derivative")),
                  optional_number_from(json.at("expected")),
                  optional_number_from(json.at("taylor_slope")),
                  {}};
  for (const Json &row : json.at("rows"))
    study.rows.push_back({number_from(row.at(0)), number_from(row.at(1)), number_from(row.at(2))});
  return study;
}

Json json_of(const std::optional<FirstWrong> &first) {
  if (!first)
    return nullptr;
  return {{"what", first->what},
          {"place", first->place},
          {"derivative", json_of_number(first->derivative)},
          {"expected", json_of_number(first->expected)},
          {"execution", first->execution},
          {"executions", first->executions}};
}

std::optional<FirstWrong> first_wrong_from(const Json &json) {
  if (json.is_null())
    return std::nullopt;
  return FirstWrong{
      json.at("what"),      json.at("place"),     number_from(json.at("derivative")), number_from(json.at("expected")),
      json.at("execution"), json.at("executions")};
}

Json json_of(const Provenance &provenance) {
  return {{"inputs", provenance.inputs}, {"ir", provenance.ir},     {"gradients", provenance.gradients},
          {"assay", provenance.assay},   {"llvm", provenance.llvm}, {"flags", provenance.flags},
          {"cpu", provenance.cpu},       {"libm", provenance.libm}};
}

Provenance provenance_from(const Json &json) {
  return {json.at("inputs"), json.at("ir"),    json.at("gradients"), json.at("assay"),
          json.at("llvm"),   json.at("flags"), json.at("cpu"),       json.at("libm")};
}

void require_known_version(const Json &json) {
  const int version = json.at("schema_version");
  if (version < oldest_schema_version || version > schema_version)
    throw std::runtime_error(
        fmt::format("schema version {} is not one from {} to {}", version, oldest_schema_version, schema_version));
}

Outcome outcome_from(const std::string &name) {
  for (const Outcome outcome : {Outcome::passed, Outcome::failed, Outcome::undecided})
    if (name_of(outcome) == name)
      return outcome;
  throw std::runtime_error(fmt::format("'{}' is no outcome", name));
}

template <typename T>
Json array_of(const std::vector<T> &values) {
  Json array = Json::array();
  for (const T &value : values)
    array.push_back(json_of(value));
  return array;
}

} // namespace

Json json_of(const Record &record) {
  Json json = {{"kind", "record"},
               {"schema_version", schema_version},
               {"file", record.file},
               {"flags", record.flags},
               {"build", record.build},
               {"with", record.with},
               {"function", record.function},
               {"test", record.test},
               {"argument_specs", record.argument_specs},
               {"seed", record.seed},
               {"sample", record.sample},
               {"mode", record.mode},
               {"width", record.width},
               {"split", record.split},
               {"runtime_activity", record.runtime_activity},
               {"result_activity", record.result_activity},
               {"parameters", record.parameters},
               {"activities", record.activities},
               {"optimization_level", record.optimization_level},
               {"outcome", name_of(record.outcome)},
               {"verdict", record.verdict},
               {"expected_failure", record.expected_failure},
               {"known_failure", record.known_failure},
               {"check", record.check},
               {"detail", record.detail},
               {"oracle", record.oracle},
               {"backend", record.backend},
               {"second_oracle", record.second_oracle},
               {"oracle_reasons", record.oracle_reasons},
               {"passed_checks", record.passed_checks},
               {"worst", array_of(record.worst)},
               {"lost_digits", record.lost_digits},
               {"compared", record.compared},
               {"witnesses", array_of(record.witnesses)},
               {"odd_one", record.odd_one},
               {"first_wrong", json_of(record.first_wrong)},
               {"hints", record.hints},
               {"rule", record.rule},
               {"notes", record.notes},
               {"not_seen", record.not_seen},
               {"effort", record.effort},
               {"neighbours", record.neighbours},
               {"inputs", array_of(record.inputs)},
               {"message", record.message},
               {"replay", record.replay},
               {"provenance", json_of(record.provenance)}};
  if (!record.case_id.empty())
    json["case"] = record.case_id;
  if (record.heap)
    json["heap"] = json_of(*record.heap);
  if (record.heap_of_function)
    json["heap_of_function"] = json_of(*record.heap_of_function);
  if (record.digits_lost != 0)
    json["digits_lost"] = json_of_number(record.digits_lost);
  if (record.times)
    json["times"] = {{"function", json_of(record.times->function)}, {"derivative", json_of(record.times->derivative)}};
  if (record.steps)
    json["steps"] = json_of(*record.steps);
  if (record.rtol)
    json["rtol"] = *record.rtol;
  if (record.atol)
    json["atol"] = *record.atol;
  if (!record.options.empty())
    json["options"] = Json::parse(record.options);
  return json;
}

Record record_from(const Json &json) {
  require_known_version(json);
  Record record;
  record.case_id = json.value("case", "");
  record.file = json.at("file");
  record.flags = json.value("flags", std::vector<std::string>()); // Absent in records of earlier versions.
  record.build = json.value("build", "");
  record.with = json.value("with", std::vector<std::string>());
  record.function = json.at("function");
  record.test = json.value("test", "");
  record.argument_specs = json.at("argument_specs").get<std::vector<std::string>>();
  record.seed = json.at("seed");
  record.sample = json.at("sample");
  record.mode = json.at("mode");
  record.width = json.at("width");
  record.split = json.value("split", false);
  record.runtime_activity = json.value("runtime_activity", false);
  record.result_activity = json.at("result_activity");
  record.parameters = json.at("parameters").get<std::vector<std::string>>();
  record.activities = json.at("activities").get<std::vector<std::string>>();
  record.optimization_level = json.at("optimization_level");
  record.outcome = outcome_from(json.at("outcome"));
  record.verdict = json.at("verdict");
  record.expected_failure = json.at("expected_failure");
  record.known_failure = json.value("known_failure", "");
  record.check = json.at("check");
  record.detail = json.at("detail");
  record.oracle = json.value("oracle", "");       // Absent in records of earlier versions.
  record.backend = json.value("backend", "host"); // Absent likewise.
  record.second_oracle = json.value("second_oracle", std::string());
  record.oracle_reasons = json.value("oracle_reasons", std::vector<std::string>());
  record.passed_checks = json.at("passed_checks").get<std::vector<std::string>>();
  for (const Json &element : json.at("worst"))
    record.worst.push_back(element_from(element));
  record.lost_digits = json.value("lost_digits", "");
  record.compared = json.at("compared");
  record.heap = heap_cost_from(json, "heap");
  record.heap_of_function = heap_cost_from(json, "heap_of_function");
  for (const Json &witness : json.value("witnesses", Json::array()))
    record.witnesses.push_back(witness_from(witness));
  record.odd_one = json.value("odd_one", "");
  if (json.contains("first_wrong"))
    record.first_wrong = first_wrong_from(json.at("first_wrong"));
  record.hints = json.at("hints").get<std::vector<std::string>>();
  record.rule = json.value("rule", "");
  record.notes = json.value("notes", std::vector<std::string>());
  record.not_seen = json.value("not_seen", std::vector<std::string>());
  record.effort = json.value("effort", "");
  record.neighbours = json.at("neighbours").get<std::vector<std::string>>();
  for (const Json &input : json.at("inputs"))
    record.inputs.push_back(input_from(input));
  record.message = json.at("message");
  record.replay = json.at("replay");
  if (json.contains("provenance"))
    record.provenance = provenance_from(json.at("provenance"));
  if (json.contains("options"))
    record.options = json.at("options").dump();
  if (json.contains("digits_lost"))
    record.digits_lost = number_from(json.at("digits_lost"));
  if (json.contains("times"))
    record.times = {timing_from(json.at("times").at("function")), timing_from(json.at("times").at("derivative"))};
  if (json.contains("steps"))
    record.steps = step_study_from(json.at("steps"));
  if (json.contains("rtol"))
    record.rtol = json.at("rtol").get<double>();
  if (json.contains("atol"))
    record.atol = json.at("atol").get<double>();
  return record;
}

} // namespace assay::reports
