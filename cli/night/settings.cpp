#include "cli/night/settings.hpp"

#include "core/jit/bad_request.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace assay::cli {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const std::optional<double> &number) {
  return number ? Json(*number) : Json(nullptr);
}

std::optional<double> number_from(const Json &json) {
  return json.is_null() ? std::nullopt : std::optional(json.get<double>());
}

} // namespace

std::string text_of(const CheckSettings &settings) {
  return Json{{"opt_level", static_cast<unsigned>(settings.level)},
              {"samples", settings.samples},
              {"samples_chosen", settings.samples_chosen == Chosen::by_user},
              {"combinations", settings.budget},
              {"combinations_chosen", settings.budget_chosen == Chosen::by_user},
              {"seconds", settings.seconds},
              {"call_seconds", settings.limits.seconds},
              {"memory", settings.limits.memory},
              {"patience", settings.patience_seconds},
              {"rtol", json_of(settings.rtol)},
              {"atol", json_of(settings.atol)}}
      .dump();
}

CheckSettings settings_from(const std::string &text) {
  try {
    const Json json = Json::parse(text);
    CheckSettings settings;
    settings.level = static_cast<jit::OptimizationLevel>(json.at("opt_level").get<unsigned>());
    settings.samples = json.at("samples");
    settings.samples_chosen = json.at("samples_chosen").get<bool>() ? Chosen::by_user : Chosen::by_default;
    settings.budget = json.at("combinations");
    settings.budget_chosen = json.at("combinations_chosen").get<bool>() ? Chosen::by_user : Chosen::by_default;
    settings.seconds = json.at("seconds");
    settings.limits.seconds = json.at("call_seconds");
    settings.limits.memory = json.at("memory");
    settings.patience_seconds = json.at("patience");
    settings.rtol = number_from(json.at("rtol"));
    settings.atol = number_from(json.at("atol"));
    return settings;
  } catch (const nlohmann::json::exception &error) {
    throw jit::BadRequest(fmt::format("the options of the night cannot be read: {}", error.what()));
  }
}

} // namespace assay::cli
