#include "cli/explain_json.hpp"

#include "cli/explain_text.hpp"

#include <nlohmann/json.hpp>
#include <sstream>

namespace assay::cli {

namespace {

using nlohmann::ordered_json;

ordered_json json_of(const engine::SourcePlace &place) {
  if (place.line == 0)
    return nullptr;
  ordered_json json{{"file", place.file}, {"line", place.line}, {"column", place.column}};
  if (place.own_line > 0)
    json["inlined_at"] = place.own_line;
  return json;
}

ordered_json json_of(const std::vector<engine::ExplainedStep> &steps) {
  ordered_json list = ordered_json::array();
  for (const engine::ExplainedStep &step : steps)
    list.push_back({{"text", step.text}, {"place", json_of(step.place)}});
  return list;
}

ordered_json lines_of(const std::string &text) {
  ordered_json lines = ordered_json::array();
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

ordered_json json_of(const engine::Formula &formula, const ExplainedFunction &function) {
  ordered_json json{{"formula", formula.text()}};
  if (const std::optional<std::int64_t> value = value_of(formula, function))
    json["value"] = *value;
  return json;
}

ordered_json json_of(const engine::ExplainedValue &value) {
  ordered_json json{{"name", value.name},
                    {"ir", value.ir},
                    {"place", json_of(value.place)},
                    {"kind", value.is_argument ? "argument"
                             : value.is_memory ? "pointer"
                                               : "value"},
                    {"type", {{"text", value.type}, {"learned", json_of(value.evidence)}}},
                    {"activity",
                     {{"active", value.is_active},
                      {"reason", value.activity_reason},
                      {"from_input", json_of(value.from_input)},
                      {"to_output", json_of(value.to_output)}}}};
  ordered_json storage{{"kind", engine::name_of(value.storage)}};
  if (value.storage != engine::ExplainedStorage::unread) {
    storage["reason"] = value.storage_reason;
    storage["needed"] = json_of(value.needed_for);
    storage["bytes"] = value.bytes;
    if (value.loop)
      storage["loop"] = *value.loop;
  }
  json["storage"] = std::move(storage);
  return json;
}

ordered_json json_of(const engine::ExplainedLoop &loop, const ExplainedFunction &function) {
  ordered_json json{{"place", json_of(loop.place)},
                    {"counter", loop.counter},
                    {"iterations", json_of(loop.iterations, function)},
                    {"bytes_in_each", loop.bytes},
                    {"tape", json_of(loop.tape, function)},
                    {"count", loop.kind}};
  if (loop.parent)
    json["parent"] = *loop.parent;
  return json;
}

ordered_json json_of(const engine::ExplainedSums &sums) {
  ordered_json json{{"loads", ordered_json::array()}, {"groups", ordered_json::array()}};
  for (const engine::ExplainedSum &sum : sums.sums) {
    json["loads"].push_back(
        {{"name", sum.name}, {"place", json_of(sum.place)}, {"add", sum.add}, {"once_for_lanes", sum.once_for_lanes}});
    if (sum.group) {
      json["loads"].back()["group"] = *sum.group;
      json["loads"].back()["offset"] = sum.offset;
    }
  }
  for (const engine::ExplainedSumGroup &group : sums.groups)
    json["groups"].push_back(
        {{"kind", group.kind}, {"unless_local", group.unless_local}, {"behind_loop", json_of(group.loop)}});
  json["updates"] = ordered_json::array();
  for (const engine::ExplainedUpdate &update : sums.updates)
    json["updates"].push_back(
        {{"name", update.name}, {"place", json_of(update.place)}, {"form", update.form}, {"adjoint", update.adjoint}});
  return json;
}

ordered_json json_of(const engine::Explanation &explanation, const ExplainedFunction &function) {
  ordered_json json{{"function", explanation.function},
                    {"file", explanation.file},
                    {"line", explanation.line},
                    {"mode", explanation.mode},
                    {"activities", explanation.activities}};
  if (!explanation.refusal.empty())
    json["refusal"] = explanation.refusal;
  json["chain"] = json_of(explanation.chain);
  json["surprises"] = json_of(explanation.surprises);
  if (explanation.is_planned) {
    json["tape"] = json_of(explanation.tape, function);
    json["tape"]["bytes_once"] = explanation.bytes_once;
    json["tape"]["called"] = explanation.called_tapes;
    json["sums"] = json_of(explanation.sums);
    if (!explanation.plan.empty())
      json["plan"] = lines_of(explanation.plan);
  }
  json["loops"] = ordered_json::array();
  for (const engine::ExplainedLoop &loop : explanation.loops)
    json["loops"].push_back(json_of(loop, function));
  json["values"] = ordered_json::array();
  for (const engine::ExplainedValue &value : explanation.values)
    json["values"].push_back(json_of(value));
  return json;
}

} // namespace

std::string explanations_as_json(const std::vector<ExplainedFunction> &functions) {
  ordered_json json{{"schema", 1}, {"functions", ordered_json::array()}};
  for (const ExplainedFunction &function : functions) {
    ordered_json one{{"name", function.name}, {"file", function.file.string()}};
    one["arguments"] = ordered_json::object();
    for (const auto &[name, value] : function.values)
      one["arguments"][name] = value;
    one["derivatives"] = ordered_json::array();
    for (const engine::Explanation &explanation : function.derivative.explanations)
      one["derivatives"].push_back(json_of(explanation, function));
    one["errors"] = function.derivative.errors;
    json["functions"].push_back(std::move(one));
  }
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace);
}

} // namespace assay::cli
