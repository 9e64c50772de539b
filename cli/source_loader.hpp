#pragma once
// Sources as modules: with their flags, linked with the files given beside them. Each is compiled once.

#include "cli/check_request.hpp"
#include "cli/compilation_database.hpp"
#include "cli/emulated_kernels.hpp"
#include "cli/plain_program.hpp"
#include "core/jit/module_file.hpp"
#include "core/jit/scratch_folder.hpp"

#include <list>
#include <map>
#include <memory>
#include <optional>

namespace assay::cli {

/// A program with a main, as one piece of bitcode that is not optimised yet, and the files it is linked with.
struct LinkedProgram {
  std::string bitcode;
  std::vector<std::filesystem::path> machine_code;
  std::vector<std::string> flags; ///< Of the file that it is about.
};

/// A C++ program around a file of the user's.
struct GeneratedSource {
  std::string prelude; ///< Includes the file. Compiled once for all sources that have the same; empty: none.
  std::string body;
  std::string text() const { return prelude + body; }
};

class SourceLoader {
public:
  /// `files` are one request: each may use definitions of another. `instrumentation` are more flags for every source.
  /// Throws jit::BadRequest.
  SourceLoader(const CheckSettings &settings, std::vector<std::filesystem::path> files,
               std::vector<std::string> instrumentation = {});

  jit::ModuleFile load(const std::filesystem::path &file,
                       jit::CompileOptions::Emit emit = jit::CompileOptions::Emit::used);
  /// The code of the host of a CUDA source, linked with its kernels, which are emulated. Where it is a program without
  /// Assay's headers, with their rules (plain_program.hpp).
  jit::ModuleFile load_with_kernels(const std::filesystem::path &file);

  /// `source` as the code of `file`, compiled with its flags.
  jit::ModuleFile load_generated(const std::filesystem::path &file, const GeneratedSource &source);
  /// `program` includes `file`, or is that file; it is compiled with its flags and linked with the files beside it.
  LinkedProgram link_program(const std::filesystem::path &file, const std::filesystem::path &program);
  /// The output of the program `source`, compiled with the flags of `file`.
  std::string output_of(const std::filesystem::path &file, const GeneratedSource &source);

  /// Of `file` and its includes, those whose qualified names have `name` in them (jit::printed_declarations).
  std::string printed_declarations(const std::filesystem::path &file, const std::string &name) const;

  /// The remarks of a command that checks functions of `module`, beside their file.
  static SourceOptions sources_of(const jit::ModuleFile &module, const SourceOptions &asked);

  const CheckSettings &settings() const { return settings_; }
  /// Of kernels that have no derivative, so far.
  const std::vector<std::string> &warnings() const { return warnings_; }

private:
  jit::CompileOptions options_for(const std::filesystem::path &file) const;
  jit::LinkInputs inputs_beside(const std::filesystem::path &file);
  LinkedProgram link_bitcode(const std::filesystem::path &file, std::string own, const jit::CompileOptions &options);
  /// Of a CUDA source, as bitcode.
  struct CodeOfBoth {
    std::string host, device;
  };
  /// Of `plain`, with the kernels that have derivatives; none where it does not compile.
  std::optional<CodeOfBoth> compile_with_rules(PlainProgram &plain, const jit::CompileOptions &options,
                                               const Intermediate &intermediate, const jit::ScratchFolder &folder);
  std::string compile_generated(const GeneratedSource &source, const jit::CompileOptions &options);
  const std::filesystem::path &precompiled_prelude(const std::string &prelude, const jit::CompileOptions &options);
  const std::shared_ptr<const std::string> &bitcode_of(const std::filesystem::path &file);

  const CheckSettings settings_;
  std::vector<std::filesystem::path> files_;
  std::vector<std::string> instrumentation_;
  std::vector<std::string> warnings_;
  std::optional<CompilationDatabase> database_;
  std::optional<jit::LinkInputs> with_;
  std::map<std::filesystem::path, std::shared_ptr<const std::string>> compiled_;
  std::list<jit::ScratchFolder> prelude_folders_;
  std::map<std::string, std::filesystem::path> preludes_; ///< By their text; an empty path where clang makes none.
  jit::ScratchFolder modules_;                            ///< Of Fortran.
};

} // namespace assay::cli
