#pragma once
// A case in a process of its own: one that dies or does not end costs nothing but itself.

#include "cli/child_process.hpp"
#include "cli/exit_code.hpp"
#include "cli/night/log.hpp"
#include "cli/night/trial.hpp"

#include <memory>

namespace assay::cli {

/// Work for a pool. `finished` gets the case of that index and name with at least one record, `elapsed` left open.
PooledWork work_for(const NightTrial &trial, std::size_t index, const std::string &id,
                    const std::function<void(LoggedCase)> &finished);

/// Runs it and waits. The records tell its outcome.
LoggedCase run_alone(const NightTrial &trial, const std::string &id, std::chrono::seconds limit);

} // namespace assay::cli
