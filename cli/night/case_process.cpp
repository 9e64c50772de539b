#include "cli/night/case_process.hpp"

#include "cli/interruption.hpp"
#include "core/jit/bad_request.hpp"
#include "reports/json_lines.hpp"

#include <fmt/format.h>
#include <stdexcept>

namespace assay::cli {

namespace {

constexpr std::string_view decided = "record ", refused = "refused ";

void run_in_process(const NightTrial &trial, const std::string &id, const SendLine &send) {
  try {
    for (const reports::Record &record : run_case(trial, case_from_id(id).value()))
      send(fmt::format("{}{}", decided, reports::to_json_line(record)));
  } catch (const std::runtime_error &error) {
    send(fmt::format("{}{}", refused, error.what()));
  }
}

void hear(LoggedCase &logged, std::string_view line) {
  if (line.starts_with(decided))
    logged.records.push_back(reports::record_from_json_line(line.substr(decided.size())));
  else if (line.starts_with(refused))
    logged.records.push_back(
        record_without_answer(std::string(cannot_be_checked), std::string(line.substr(refused.size()))));
}

/// What of a case is not known where it died.
void complete(LoggedCase &logged, const ChildEnd &end) {
  if (end.kind != ChildEnd::Kind::returned)
    logged.records.assign(1, record_without_answer(gave_no_answer(end) ? "no answer" : "crash", describe(end)));
  for (reports::Record &record : logged.records) {
    record.case_id = logged.id;
    if (record.function.empty())
      record.function = logged.id;
  }
}

} // namespace

PooledWork work_for(const NightTrial &trial, std::size_t index, const std::string &id,
                    const std::function<void(LoggedCase)> &finished) {
  const auto logged = std::make_shared<LoggedCase>();
  logged->index = index;
  logged->id = id;
  PooledWork pooled;
  pooled.work = [&trial, id](const SendLine &send) { run_in_process(trial, id, send); };
  pooled.receive = [logged](std::string_view line) { hear(*logged, line); };
  pooled.ended = [logged, finished](const ChildEnd &end) {
    complete(*logged, end);
    finished(std::move(*logged));
  };
  return pooled;
}

LoggedCase run_alone(const NightTrial &trial, const std::string &id, std::chrono::seconds limit) {
  LoggedCase result;
  bool is_started = false;
  const auto next = [&]() -> std::optional<PooledWork> {
    if (std::exchange(is_started, true))
      return std::nullopt;
    return work_for(trial, 0, id, [&](LoggedCase logged) { result = std::move(logged); });
  };
  run_pool(1, next, [] { return interruption().has_value(); }, limit, trial.settings.limits);
  return result;
}

} // namespace assay::cli
