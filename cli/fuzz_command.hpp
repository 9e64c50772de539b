#pragma once
// `assay fuzz`: random programs, their derivatives checked at several optimisation levels, failures made small.

#include "cli/check_command.hpp"

#include <chrono>
#include <cstdint>

namespace assay::cli {

struct FuzzArguments {
  std::uint64_t seed = 1;
  std::uint32_t programs = 100;
  std::optional<std::uint32_t> only; ///< The one program to test.
  std::vector<unsigned> levels{0, 1, 2, 3};
  std::uint32_t shard = 1, shards = 1; ///< This one tests the programs whose number is shard - 1 modulo shards.
  std::optional<std::filesystem::path> report;
  std::optional<std::filesystem::path> plugin;
  std::vector<std::string> flags;         ///< More of them for the compiler.
  std::vector<std::string> weights;       ///< `jumps=10`, `lists=0`, ...
  std::chrono::seconds shrink_budget{60}; ///< For each failing program.
  std::string program = "assay";          ///< How replay commands call this program.
};

/// Throws jit::BadRequest where nothing could be tested.
ExitCode run_fuzz(const FuzzArguments &arguments);

/// `0,2` as the levels 0 and 2; empty where it is no such list.
std::vector<unsigned> parse_levels(const std::string &text);

} // namespace assay::cli
