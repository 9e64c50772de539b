#pragma once
// Builds a program that calls a derivative: compiled with the flags of the file that it is about and linked with the
// files that is linked with as bitcode first, so that the plugin sees all code that it is to differentiate.

#include "cli/source_loader.hpp"

#include <string>
#include <vector>

namespace assay::cli {

/// Instrumentation of the program.
enum class Instrumentation : std::uint8_t {
  none,
  debugger,  ///< Derivatives stay functions of their own.
  sanitizers ///< AddressSanitizer and UndefinedBehaviorSanitizer.
};

class ProgramBuild {
public:
  /// `program` includes `file`, or is that file. Throws jit::BadRequest.
  ProgramBuild(const CheckSettings &settings, const std::filesystem::path &file, std::filesystem::path program,
               Instrumentation instrumentation);

  void write_ir(const std::filesystem::path &output) const;
  void write_assembly(const std::filesystem::path &output) const;
  void write_executable(const std::filesystem::path &output) const;
  /// Before the plugin has seen it.
  void write_bitcode(const std::filesystem::path &output) const;
  /// Objects and libraries that the executable is linked with.
  const std::vector<std::filesystem::path> &machine_code() const { return linked_.machine_code; }

private:
  void compile(const std::vector<std::string> &more) const;

  std::filesystem::path program_;
  unsigned level_;
  Instrumentation instrumentation_;
  bool is_c_;
  LinkedProgram linked_;
};

} // namespace assay::cli
