// The options of `assay check` in an assay.toml.

#include "cli/option_values.hpp"
#include "cli/project_table.hpp"

#include "core/jit/bad_request.hpp"
#include <cmath>
#include <fmt/format.h>

namespace assay::cli {

namespace {

constexpr std::uint64_t any_number = std::uint64_t(INT64_MAX), day_in_seconds = 86400;

void read_number(ProjectTable &table, const char *key, unsigned &number, std::uint64_t least, std::uint64_t most) {
  if (const auto value = table.whole(key, least, most))
    number = static_cast<unsigned>(*value);
}

void read_tolerance(ProjectTable &table, const char *key, std::optional<double> &tolerance) {
  const std::optional<double> value = table.number(key);
  if (!value)
    return;
  if (!(*value >= 0) || !std::isfinite(*value))
    table.reject(key, "not a tolerance: a number of at least 0, such as 1e-9");
  tolerance = value;
}

/// A number of bytes, or a string such as "2GiB".
void read_size(ProjectTable &table, const char *key, std::uint64_t &bytes) {
  const std::optional<std::string> text = table.string(key);
  if (!text)
    return;
  const std::optional<std::uint64_t> size = size_named(*text);
  if (!size)
    table.reject(key, fmt::format("'{}' is no size such as \"64MiB\" or \"2GiB\"", *text));
  bytes = *size;
}

template <class Names, class Value>
void read_name(ProjectTable &table, const char *key, const Names &names, Value &value) {
  const std::optional<std::string> name = table.string(key);
  if (!name)
    return;
  const auto known = names.find(*name);
  if (known == names.end()) {
    std::string all;
    for (const auto &[each, ignored] : names)
      all += fmt::format("{}\"{}\"", all.empty() ? "" : ", ", each);
    table.reject(key, fmt::format("'{}' is none of {}", *name, all));
  }
  value = known->second;
}

void read_sources(ProjectTable &table, SourceOptions &sources) {
  for (std::string &flag : table.strings("flags"))
    sources.flags.push_back(std::move(flag));
  if (const auto build = table.string("build"))
    sources.build = *build;
  for (std::string &file : table.strings("with"))
    sources.with.emplace_back(std::move(file));
}

} // namespace

void read_options(ProjectTable &table, CheckArguments &arguments) {
  CheckSettings &settings = arguments.settings;
  read_sources(table, settings.sources);
  if (const auto seed = table.whole("seed", 0, any_number))
    settings.seed = *seed;
  if (const auto samples = table.whole("samples", 1, 1'000'000)) {
    settings.samples = static_cast<unsigned>(*samples);
    settings.samples_chosen = Chosen::by_user;
  }
  if (const auto budget = table.whole("budget", 0, any_number)) {
    settings.budget = *budget;
    settings.budget_chosen = Chosen::by_user;
  }
  read_name(table, "mode", modes, settings.modes);
  read_name(table, "oracle", oracles, settings.oracle);
  read_tolerance(table, "rtol", settings.rtol);
  read_tolerance(table, "atol", settings.atol);
  read_tolerance(table, "digits-lost", settings.most_digits_lost);
  if (const auto plain = table.boolean("plain"))
    settings.variations = *plain ? testutils::Variations::none : testutils::Variations::one_each;
  if (const auto aliasings = table.boolean("aliasings"))
    settings.sharing = *aliasings ? Sharing::every_way : Sharing::as_given;
  read_number(table, "seconds", settings.seconds, 0, day_in_seconds);
  read_number(table, "call-seconds", settings.limits.seconds, 0, day_in_seconds);
  read_number(table, "patience", settings.patience_seconds, 1, day_in_seconds);
  read_size(table, "memory", settings.limits.memory);
  read_size(table, "output-limit", settings.limits.output);
  unsigned level = static_cast<unsigned>(settings.level);
  read_number(table, "opt-level", level, 0, 3);
  settings.level = static_cast<jit::OptimizationLevel>(level);
  if (const auto launch = table.string("launch"))
    try {
      settings.launch = jit::parse_launch(*launch);
    } catch (const jit::BadRequest &error) {
      table.reject("launch", error.what());
    }
}

} // namespace assay::cli
