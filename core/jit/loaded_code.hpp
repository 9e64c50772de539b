#pragma once
// Machine code in this process, made of modules. Each module is a library of its own, since all define the same names.

#include "core/jit/derivative.hpp"
#include "core/jit/function_table.hpp"
#include "core/jit/global_state.hpp"
#include "core/jit/module_file.hpp"
#include "core/jit/repetition.hpp"
#include "core/passes/named_functions.hpp"
#include "llvm/Target/TargetMachine.h"
#include <map>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace llvm::orc {
class JITDylib;
class LLJIT;
} // namespace llvm::orc

namespace assay::jit {

/// A machine that is the same everywhere, so that a record replays to the same bits on another computer of its kind.
/// Throws BadRequest where there is no code generator for the module.
std::unique_ptr<llvm::TargetMachine> target_machine(const llvm::Module &module);

class LoadedCode {
public:
  /// `file` must outlive this. Throws BadRequest.
  LoadedCode(const ModuleFile &file, Repetition repetition);
  /// Destructors of the user's globals run while their code is still there.
  ~LoadedCode();
  LoadedCode(const LoadedCode &) = delete;
  LoadedCode &operator=(const LoadedCode &) = delete;

  /// Links `module` with `symbols` and runs its constructors; the result is the address of each of `entries`, or why it
  /// does not link. `reached` tells which functions and variables are the program's own.
  std::variant<std::vector<Entry>, NoDerivative> load(std::unique_ptr<llvm::Module> module,
                                                      const NamedFunctions &symbols,
                                                      std::span<const std::string> entries, const llvm::Module &reached,
                                                      const OwnVariables &own_variables);

  /// Of each module that was loaded.
  const std::vector<GlobalState> &variables() const { return variables_; }
  /// Of the module that an entry is in.
  const GlobalState &variables_of(Entry entry) const { return variables_[module_of_.at(entry)]; }
  /// Where the entry is one of a program's code.
  bool has_variables_of(Entry entry) const { return module_of_.contains(entry); }
  const FunctionTable &functions() const { return functions_; }

private:
  llvm::Error add_machine_code(llvm::orc::JITDylib &library);
  llvm::Expected<llvm::orc::JITDylib *> add(std::unique_ptr<llvm::Module> module, const NamedFunctions &symbols);
  llvm::Expected<std::vector<Entry>> look_up(llvm::orc::JITDylib &library, std::span<const std::string> entries);
  std::string failure(llvm::Error error) const;

  const ModuleFile &file_;
  std::unique_ptr<llvm::orc::LLJIT> jit_;
  std::vector<llvm::orc::JITDylib *> initialized_;
  unsigned libraries_ = 0;
  std::vector<GlobalState> variables_;
  std::map<Entry, std::size_t> module_of_; ///< Where in `variables_`.
  FunctionTable functions_;
  /// Of the JIT: these name the missing symbols; the error of a look-up names the functions that failed.
  std::shared_ptr<std::vector<std::string>> reports_ = std::make_shared<std::vector<std::string>>();
};

} // namespace assay::jit
