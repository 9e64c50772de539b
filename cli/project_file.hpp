#pragma once
// `assay.toml`: the checks of a project, each part with the options of `assay check`, and the failures that it knows
// of.
//
//   seed = 1                          # any option of check with a value, for all parts
//   build = "build"                   # or flags = ["-Iinclude"]
//
//   [[check]]
//   name = "energies"                 # otherwise the first file
//   files = ["src/energy*.cpp"]       # patterns as in a shell
//   function = "energy"               # or functions = [...], or all = true, else those with ASSAY_CHECK
//   args = ["double[8]", "int=8"]     # of the one function
//   with = ["src/tables.cpp"]
//
//   [[known-failure]]
//   function = "energy"               # file and mode narrow it down
//   reason = "sign of the last term"
//   expires = 2027-01-31
//
// All paths, those in flags included, are meant from the project's folder: a command goes there before it checks.

#include "cli/check_command.hpp"
#include "cli/known_failures.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace assay::cli {

/// One [[check]].
struct ProjectCheck {
  std::string name;
  CheckArguments arguments;
};

struct Project {
  std::filesystem::path file;
  std::vector<ProjectCheck> checks; ///< Their paths are from the project's folder.
  std::vector<KnownFailure> known_failures;
};

/// The assay.toml of a folder, if it has one. Throws jit::BadRequest where that is no file.
std::optional<std::filesystem::path> project_in(const std::filesystem::path &folder);

/// Options that the file leaves open are as in `defaults`. Patterns of files are resolved in the folder of `file`.
/// Throws jit::BadRequest, one line with file and line.
Project read_project(const std::filesystem::path &file, const CheckArguments &defaults);

} // namespace assay::cli
