#pragma once
// From the command line to functions that can be checked: files are compiled, marks are read, specs are bound.

#include "cli/console.hpp"
#include "cli/function_requests.hpp"

namespace assay::cli {

/// The files of a folder of shipped programs, sorted. Throws BadRequest where there are none.
std::vector<std::filesystem::path> program_files(const std::filesystem::path &folder);

/// A file in which `function` is compiled: unused static and inline functions are only when they are asked for. Throws
/// BadRequest where there is none of that name.
jit::ModuleFile file_with_function(const std::filesystem::path &path, const std::string &function,
                                   const CheckSettings &settings, jit::Pointees pointees = jit::Pointees::numbers);

/// The functions that `file` marks are added to `functions`. A deque keeps the addresses that these hold.
void load_marked(const std::filesystem::path &file, const CheckSettings &settings, Console &console,
                 std::deque<jit::ModuleFile> &files, std::deque<FunctionToCheck> &functions);

/// A function that --all cannot check.
struct LeftOutFunction {
  std::string file, function, reason;
};

/// The functions that `arguments` names, or all that its files, or the shipped examples, mark; with --all every one
/// that can be described. The result are those that were left out.
std::vector<LeftOutFunction> load_functions(const CheckArguments &arguments, Console &console,
                                            std::deque<jit::ModuleFile> &files, std::deque<FunctionToCheck> &functions);

} // namespace assay::cli
