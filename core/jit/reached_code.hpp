#pragma once
// The part of a file's module that one function reaches, ready to be copied and compiled.

#include "core/jit/derivative.hpp"
#include "core/jit/global_state.hpp"
#include "core/jit/module_file.hpp"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Target/TargetMachine.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace assay::jit {

/// Everything that no entry reaches goes before it costs time, except for globals that `is_found_by_name`.
void keep_reached(llvm::Module &module, llvm::function_ref<bool(const llvm::GlobalValue &)> is_found_by_name);

/// The same, with the names that the convention looks up, the checked function and the variables in `visible`, which
/// are looked at from outside. Markers may be variables of the program's own.
void drop_unreached(llvm::Module &module, llvm::StringRef checked_function, const llvm::StringSet<> &visible);

/// What stays of the debug information: lines for messages, or the names of variables as well.
enum class DebugInfo : std::uint8_t { lines, variables };

class ReachedCode {
public:
  /// Of `function`, or, with `derivative`, of that derivative of it, which is written first. The tables in `left_out`
  /// are no longer known by their names, so that nothing keeps them.
  ReachedCode(const ModuleFile &file, const FunctionSignature &function, const std::optional<Derivative> &derivative,
              const std::vector<std::string> &left_out, const llvm::TargetMachine &machine,
              DebugInfo debug_info = DebugInfo::lines);

  const llvm::Module &module() const { return *module_; }
  std::unique_ptr<llvm::Module> copy() const;
  llvm::Function &checked_function(llvm::Module &module) const { return *module.getFunction(name_); }
  /// Drops the code that the entries of a copy do not reach.
  void drop_unreached(llvm::Module &copy) const;

  /// Of the function, without those that only rules use.
  const OwnVariables &own_variables() const { return own_variables_; }

private:
  void find_own_variables();

  std::string name_; ///< The linkage name of the checked function.
  std::unique_ptr<llvm::Module> module_;
  OwnVariables own_variables_;
  llvm::StringSet<> visible_variables_; ///< Of these, those that it or a rule writes.
};

} // namespace assay::jit
