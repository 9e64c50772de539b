#pragma once
// Functions of C++ values, and member functions, as functions of plain pointers: a generated program includes the
// user's file and goes through the values as the harness does (core/include/assay/detail/testing/adapter.hpp).

#include "cli/source_loader.hpp"
#include "core/jit/module_file.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace assay::cli {

/// Of every adapter.
inline constexpr const char *adapter_symbol = "assay_adapted_function";

struct AdaptedFunction {
  jit::ModuleFile file;
  jit::FunctionSignature function;  ///< Named as the user's; its parameters are flat numbers.
  std::vector<std::string> specs;   ///< Of these.
  std::string text;                 ///< Of the generated program, in which the function is `adapter_symbol`.
  std::vector<std::string> objects; ///< For each, the spec of the object that it stands for; empty: none.
};

/// A function of the user's file, by its symbol, with the specs that the user gave. Throws jit::BadRequest.
AdaptedFunction adapt(SourceLoader &loader, const jit::ModuleFile &file, const std::string &symbol,
                      const std::vector<std::string> &specs);

/// Text that includes the file as if it had no main.
std::string including(const std::filesystem::path &file);

} // namespace assay::cli
