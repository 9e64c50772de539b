#pragma once
// Random functions through clang, the JIT and the gradient check, each at its own point.

#include "cli/check_command.hpp"
#include "generators/functions/random_function.hpp"
#include "reports/record.hpp"

#include <functional>
#include <span>

namespace assay::cli {

struct SweepSettings {
  std::uint64_t seed = 1;
  testutils::OracleChoice oracle = testutils::OracleChoice::finite_differences;
  std::size_t budget = 8; ///< Combinations of each function; 0: all.
  jit::OptimizationLevel level = jit::OptimizationLevel::normal;
  std::string program = "assay"; ///< How replay commands call this program.
};

/// `near-kink/float/17`
std::string id_of(const gen::functions::FunctionName &name);
/// Throws jit::BadRequest where `id` names no function.
gen::functions::FunctionName function_from_id(const std::string &id, std::uint64_t seed);

/// The outcome of one function.
struct SweepOutcome {
  testutils::Outcome outcome =
      testutils::Outcome::passed; ///< Failed if any combination failed, else undecided if any is.
  std::size_t combinations = 0;
  std::size_t undecided = 0; ///< Of the combinations.
  std::string detail;        ///< Failed: the whole message. Undecided: why.
};

/// Called before and after each of the functions.
struct SweepListener {
  std::function<void(std::size_t)> started;
  std::function<void(std::size_t, const SweepOutcome &)> decided;
};

/// Compiles all of `names` as one file and checks each.
void try_functions(std::span<const gen::functions::FunctionName> names, const SweepSettings &settings,
                   const SweepListener &listener);

/// As a C file, with a mark.
std::string source_of_random_function(const gen::functions::FunctionName &name);

/// One function, compiled alone, as a report has it.
std::vector<reports::Record> check_random_function(const gen::functions::FunctionName &name,
                                                   const SweepSettings &settings);

} // namespace assay::cli
