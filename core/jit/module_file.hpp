#pragma once
// A user's file as an LLVM module, whatever it was written in, and what it says about its functions.

#include "core/jit/compile_source.hpp"
#include "core/jit/linked_code.hpp"
#include "core/jit/signature.hpp"

#include <memory>

namespace llvm {
class Module;
}
namespace llvm::orc {
class ThreadSafeContext;
}

namespace assay::jit {

/// One ASSAY_CHECK of the file (see core/include/assay/check.h).
struct CheckMark {
  enum class Expectation { passes, fails };
  Expectation expectation = Expectation::passes;
  std::string linkage_name;
  std::string name;                   ///< As the mark writes it.
  std::vector<std::string> arguments; ///< Spec texts.
};

class ModuleFile {
public:
  /// Compiles or reads `file` and links it. Throws BadRequest.
  ModuleFile(const std::filesystem::path &file, const CompileOptions &options, const LinkInputs &inputs = {});
  ~ModuleFile();
  ModuleFile(ModuleFile &&) noexcept;

  /// By the source-level name. Throws BadRequest: unknown (with near names), ambiguous (with the candidates), or with
  /// parameters or a result that cannot be made from a spec. Parameters that are pointers to functions get those that
  /// their `specs` name; where there is not one spec for each parameter, the signature is for reading only.
  FunctionSignature function(std::string_view name, Pointees pointees = Pointees::numbers,
                             const std::vector<std::string> &specs = {}) const;

  /// Where the function that `function` gives for these is one of members of structs, rows or pointers to functions of
  /// C: it as a C program defines it, called `definition`. Else empty, and where it cannot be written.
  std::string source_of_members(std::string_view name, const std::vector<std::string> &specs,
                                const std::string &definition) const;

  const std::vector<CheckMark> &marks() const;
  const std::filesystem::path &path() const;
  OptimizationLevel level() const;
  /// Names of the code that was linked into it.
  const std::vector<std::string> &linked() const;
  /// Objects and libraries, which calls may go to.
  const std::vector<std::filesystem::path> &machine_code() const;
  /// What launches in the file run; null unless it is code of the host with kernels.
  const KernelCode *kernels() const;
  /// Whether the function is of the file, not only of what is linked with it.
  bool defines(std::string_view linkage_name) const;
  /// Symbols of the functions that the file defines itself.
  const std::vector<std::string> &own_functions() const;

  const llvm::Module &module() const;
  /// The code is for a graphics device: its functions are run by many threads (FunctionSignature::launch).
  bool is_device_code() const;
  llvm::orc::ThreadSafeContext &context() const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace assay::jit
