#pragma once
// Instances of templates that a file defines and does not use, by the name that the user gives them.

#include "cli/source_loader.hpp"
#include "core/jit/module_file.hpp"

#include <filesystem>
#include <string>

namespace assay::cli {

/// A file that has the instance, and the instance's symbol; empty where the address does not tell it (virtual ones).
struct TemplateInstance {
  jit::ModuleFile file;
  std::string symbol;
};

/// `name` as C++ writes it, template arguments included. Throws jit::BadRequest, which lists the template's parameters.
TemplateInstance instance_of_template(SourceLoader &loader, const std::filesystem::path &file, const std::string &name);

/// Where `name` is that of a template in the C++ source `file`, or of a member of a class template: what parameters it
/// has, and how to name an instance, in words that fit behind `'energy' `. Empty where it is not.
std::string how_to_name_instance(SourceLoader &loader, const std::filesystem::path &file, const std::string &name);

} // namespace assay::cli
