#pragma once
// A function of a file with the specs of its arguments, as a request for a check.

#include "cli/check_command.hpp"
#include "cli/source_loader.hpp"
#include "core/jit/module_file.hpp"

#include <deque>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace assay::cli {

struct FunctionToCheck {
  const jit::ModuleFile *file;
  CheckRequest request;
};

/// Of a function that takes numbers and pointers to them, by its name. Throws BadRequest where specs do not fit.
CheckRequest request_for(const jit::ModuleFile &file, const std::string &name, const std::vector<std::string> &specs,
                         const CheckSettings &settings,
                         const std::optional<std::filesystem::path> &points = std::nullopt);

/// A function by its symbol, called `name` by the user; one of C++ values through an adapter, in a file of its own,
/// which is added to `files`.
FunctionToCheck function_for(SourceLoader &loader, std::deque<jit::ModuleFile> &files, const jit::ModuleFile &file,
                             const std::string &symbol, const std::string &name, const std::vector<std::string> &specs,
                             const CheckSettings &settings,
                             const std::optional<std::filesystem::path> &points = std::nullopt);

/// --function finds a static function or one of several overloads by its linkage name only.
std::string findable_name(const jit::ModuleFile &file, const std::string &name, const std::string &linkage_name);

/// Adds the function of a mark. Throws BadRequest that names the mark.
void add_marked(SourceLoader &loader, std::deque<jit::ModuleFile> &files, const jit::ModuleFile &file,
                const jit::CheckMark &mark, const CheckSettings &settings, std::deque<FunctionToCheck> &functions);

} // namespace assay::cli
