#include "cli/recorded_options.hpp"

#include "cli/option_values.hpp"
#include "core/jit/bad_request.hpp"
#include "core/jit/kernel_launch.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace assay::cli {

namespace {

using Json = nlohmann::ordered_json;

template <typename T>
void add(Json &json, const char *name, const T &value, const T &by_default, Chosen chosen = Chosen::by_default) {
  if (value != by_default || chosen == Chosen::by_user)
    json[name] = value;
}

void add_limits(Json &json, const CallLimits &limits, const CallLimits &defaults) {
  add(json, "call_seconds", limits.seconds, defaults.seconds);
  add(json, "memory", limits.memory, defaults.memory);
  add(json, "output_limit", limits.output, defaults.output);
}

template <typename T>
bool take(const Json &json, const char *name, T &value) {
  if (json.contains(name))
    value = json.at(name).get<T>();
  return json.contains(name);
}

void take_settings(const Json &json, CheckSettings &settings) {
  if (take(json, "samples", settings.samples))
    settings.samples_chosen = Chosen::by_user;
  if (take(json, "budget", settings.budget))
    settings.budget_chosen = Chosen::by_user;
  take(json, "seconds", settings.seconds);
  take(json, "patience", settings.patience_seconds);
  take(json, "call_seconds", settings.limits.seconds);
  take(json, "memory", settings.limits.memory);
  take(json, "output_limit", settings.limits.output);
  if (json.value("plain", false))
    settings.variations = testutils::Variations::none;
  if (json.contains("mode"))
    settings.modes = modes.at(json.at("mode").get<std::string>());
  if (json.contains("oracle"))
    settings.oracle = oracles.at(json.at("oracle").get<std::string>());
  if (json.contains("digits_lost"))
    settings.most_digits_lost = json.at("digits_lost").get<double>();
  if (json.contains("launch"))
    settings.launch = jit::parse_launch(json.at("launch").get<std::string>());
}

} // namespace

std::string recorded_options(const CheckRequest &request) {
  const CheckSettings &settings = request.settings, defaults;
  Json json = Json::object();
  if (request.name != request.function.name)
    json["function"] = request.name;
  add(json, "samples", settings.samples, defaults.samples, settings.samples_chosen);
  add(json, "budget", settings.budget, defaults.budget, settings.budget_chosen);
  add(json, "seconds", settings.seconds, defaults.seconds);
  add(json, "patience", settings.patience_seconds, defaults.patience_seconds);
  add_limits(json, settings.limits, defaults.limits);
  add(json, "plain", settings.variations == testutils::Variations::none, false);
  if (settings.modes.size() == 1)
    json["mode"] = testutils::name_of(settings.modes.front());
  if (settings.oracle != defaults.oracle)
    json["oracle"] = name_of(settings.oracle);
  if (settings.most_digits_lost)
    json["digits_lost"] = *settings.most_digits_lost;
  if (settings.launch)
    json["launch"] = to_string(*settings.launch);
  if (!request.asked_rule.empty())
    json["rule"] = request.asked_rule;
  if (request.file.is_relative())
    json["directory"] = std::filesystem::current_path().string();
  return json.empty() ? std::string() : json.dump();
}

void take_recorded_options(const std::string &text, CheckArguments &arguments) {
  if (text.empty())
    return;
  try {
    const Json json = Json::parse(text);
    take(json, "function", arguments.functions.front().name);
    if (json.contains("rule"))
      arguments.rule = json.at("rule").get<std::string>();
    take_settings(json, arguments.settings);
  } catch (const nlohmann::json::exception &error) {
    throw jit::BadRequest(fmt::format("the options of the record cannot be read: {}", error.what()));
  } catch (const std::out_of_range &) {
    throw jit::BadRequest(
        fmt::format("the options of the record have a mode or an oracle that there is not: {}", text));
  }
}

std::filesystem::path recorded_directory(const std::string &text) {
  const Json json = Json::parse(text, nullptr, false);
  return json.is_object() && json.contains("directory") && json["directory"].is_string()
             ? std::filesystem::path(json["directory"].get<std::string>())
             : std::filesystem::path();
}

} // namespace assay::cli
