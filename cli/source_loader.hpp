#pragma once
// Sources as modules: with their flags, linked with what was given beside them. Each is compiled once.

#include "cli/check_request.hpp"
#include "cli/compilation_database.hpp"
#include "core/jit/module_file.hpp"

#include <map>
#include <memory>
#include <optional>

namespace assay::cli {

/// A program with a main, as one piece of bitcode that is not optimised yet, and what it is linked with.
struct LinkedProgram {
  std::string bitcode;
  std::vector<std::filesystem::path> machine_code;
  std::vector<std::string> flags; ///< Of the file that it is about.
};

class SourceLoader {
public:
  /// `files` are one request: each may use what another defines. `instrumentation` are more flags for every source.
  /// Throws jit::BadRequest.
  SourceLoader(const CheckSettings &settings, std::vector<std::filesystem::path> files,
               std::vector<std::string> instrumentation = {});

  jit::ModuleFile load(const std::filesystem::path &file,
                       jit::CompileOptions::Emit emit = jit::CompileOptions::Emit::used);

  /// A file whose code is `text`, which includes it, compiled with its flags.
  jit::ModuleFile load_generated(const std::filesystem::path &file, const std::string &text);
  /// `program` includes `file`, or is that file; it is compiled with its flags and linked with what is beside it.
  LinkedProgram link_program(const std::filesystem::path &file, const std::filesystem::path &program);
  /// What a program prints that includes it, compiled with its flags.
  std::string output_of(const std::filesystem::path &file, const std::string &text);

  /// What a command that checks functions of `module` has to say beside their file.
  static SourceOptions sources_of(const jit::ModuleFile &module, const SourceOptions &asked);

private:
  jit::CompileOptions options_for(const std::filesystem::path &file) const;
  jit::LinkInputs inputs_beside(const std::filesystem::path &file);
  const std::shared_ptr<const std::string> &bitcode_of(const std::filesystem::path &file);

  const CheckSettings settings_;
  std::vector<std::filesystem::path> files_;
  std::vector<std::string> instrumentation_;
  std::optional<CompilationDatabase> database_;
  std::optional<jit::LinkInputs> with_;
  std::map<std::filesystem::path, std::shared_ptr<const std::string>> compiled_;
};

} // namespace assay::cli
