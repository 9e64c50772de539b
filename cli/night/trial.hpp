#pragma once
// Runs one case of a night.

#include "cli/night/case.hpp"
#include "cli/night/project.hpp"
#include "reports/record.hpp"

namespace assay::cli {

struct NightTrial {
  const NightProject &project;
  CheckSettings settings; ///< Of the project's functions; limits and level of all cases.
};

/// One record for each combination, or for each level of a program. Throws jit::BadRequest where the case cannot be
/// run.
std::vector<reports::Record> run_case(const NightTrial &trial, const NightCase &night_case);

/// The record of a case that gave none.
reports::Record record_without_answer(const std::string &verdict, const std::string &detail);

} // namespace assay::cli
