#pragma once
// The code of one case as files: its source, programs that call the derivative, and both as LLVM IR and assembly
// after differentiation.

#include "cli/night/trial.hpp"
#include "cli/program_build.hpp"

namespace assay::cli {

struct EmittedProgram {
  std::filesystem::path path;
  std::filesystem::path file; ///< That it is about; itself where it is about nothing else.
  std::string combination;    ///< In words.
  std::string line;           ///< `f.c:12`, of the first number that is wrong; empty: not known.
  CheckSettings settings;     ///< Flags and the files it is linked with.
};

struct Emission {
  std::vector<std::filesystem::path> files; ///< All that was written.
  std::vector<EmittedProgram> programs;     ///< At most one for each mode; of a failure, if there is one, first.
};

/// The function of the records. Throws jit::BadRequest.
Emission emit_function(const FunctionToCheck &to_check, const std::vector<reports::Record> &records,
                       const std::filesystem::path &folder);

/// Throws jit::BadRequest.
Emission emit_case(const NightTrial &trial, const NightCase &night_case, const std::vector<reports::Record> &records,
                   const std::filesystem::path &folder);

} // namespace assay::cli
