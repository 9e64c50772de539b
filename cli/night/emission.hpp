#pragma once
// The code of one case as files: its source, a program that calls the derivative, and both as LLVM IR and assembly
// after differentiation.

#include "cli/night/trial.hpp"

namespace assay::cli {

/// The files that were written, a program first if there is one. Throws jit::BadRequest.
std::vector<std::filesystem::path> emit_case(const NightTrial &trial, const NightCase &night_case,
                                             const std::vector<reports::Record> &records,
                                             const std::filesystem::path &folder);

/// Builds the program with debug information and starts gdb at its derivatives; does not return.
[[noreturn]] void debug_program(const std::filesystem::path &program, unsigned level);

} // namespace assay::cli
