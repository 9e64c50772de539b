#pragma once
// C, C++ and CUDA C++ to LLVM bitcode by the clang that Assay was built for, as a separate process; Fortran by the
// flang of the same version.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace assay::jit {

enum class OptimizationLevel : unsigned { none, little, normal, most };

/// Whose defaults count where the user's flags leave something open.
enum class FlagDefaults : std::uint8_t { assay, compiler };

struct CompileOptions {
  OptimizationLevel level = OptimizationLevel::normal;
  std::vector<std::filesystem::path> include_directories; ///< The first is the one of <assay/...>.
  /// Unused static and inline functions are normally left out of the bitcode.
  enum class Emit { used, everything } emit = Emit::used;
  /// Who is only to run the code, and not to read it, needs no information for debuggers.
  enum class DebugInformation { full, none } debug_information = DebugInformation::full;
  std::vector<std::string> flags = {}; ///< The user's, behind our own.
  FlagDefaults defaults = FlagDefaults::assay;
  std::filesystem::path directory = {};      ///< Where the compiler runs; empty: here.
  std::filesystem::path cuda_libraries = {}; ///< As of cuda_flags().
  std::filesystem::path frontend = {};       ///< The plugin that knows the attributes of the convention; empty: none.
  std::filesystem::path modules = {}; ///< Folder for the modules that files of Fortran define for others; empty: none.
  std::filesystem::path precompiled = {}; ///< A header of precompile_header() that stands before the file; empty: none.
  /// Of CUDA C++, code of the host, whose launches name kernels by this file; empty: code of the device.
  std::filesystem::path kernels = {};
};

enum class Language { c, cpp, cuda, fortran, llvm, other };
Language language_of(const std::filesystem::path &file);

/// The bytes of a bitcode file that is not optimised yet but may be. Throws BadRequest with clang's messages.
std::string compile_to_bitcode(const std::filesystem::path &file, const CompileOptions &options);

/// The C++ source `file` as the header `output`, for compilations with otherwise the same options. Throws BadRequest
/// with clang's messages.
void precompile_header(const std::filesystem::path &file, const CompileOptions &options,
                       const std::filesystem::path &output);

/// What the C++ program `file`, source or bitcode, prints, compiled with `options`; symbols that it does not have are
/// left open. Throws BadRequest with clang's messages, or where it does not end well.
std::string output_of_program(const std::filesystem::path &file, const CompileOptions &options);

/// The declarations in the C++ source `file` and what it includes whose qualified names have `name` in them, as clang
/// prints them: `Printing phys::energy:` and on the next lines the declaration. Throws BadRequest with clang's
/// messages.
std::string printed_declarations(const std::filesystem::path &file, const CompileOptions &options,
                                 const std::string &name);

} // namespace assay::jit
