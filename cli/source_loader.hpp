#pragma once
// Sources as modules: with their flags, linked with what was given beside them. Each is compiled once.

#include "cli/check_request.hpp"
#include "cli/compilation_database.hpp"
#include "core/jit/module_file.hpp"

#include <map>
#include <memory>
#include <optional>

namespace assay::cli {

class SourceLoader {
public:
  /// `files` are one request: each may use what another defines. Throws jit::BadRequest.
  SourceLoader(const CheckSettings &settings, std::vector<std::filesystem::path> files);

  jit::ModuleFile load(const std::filesystem::path &file,
                       jit::CompileOptions::Emit emit = jit::CompileOptions::Emit::used);

  /// What a command that checks functions of `module` has to say beside their file.
  static SourceOptions sources_of(const jit::ModuleFile &module, const SourceOptions &asked);

private:
  jit::CompileOptions options_for(const std::filesystem::path &file) const;
  jit::LinkInputs inputs_beside(const std::filesystem::path &file);
  const std::shared_ptr<const std::string> &bitcode_of(const std::filesystem::path &file);

  const CheckSettings settings_;
  std::vector<std::filesystem::path> files_;
  std::optional<CompilationDatabase> database_;
  std::optional<jit::LinkInputs> with_;
  std::map<std::filesystem::path, std::shared_ptr<const std::string>> compiled_;
};

} // namespace assay::cli
