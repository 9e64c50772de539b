#pragma once
// One instruction, its derivative rule, and machine code of the products that the rule emits.

#include "core/engine/rules/scalar_rule.hpp"
#include "core/test/rules/reference.hpp"
#include "llvm/IR/Module.h"
#include <map>
#include <memory>
#include <span>
#include <string>

namespace assay::test {

/// What one scalar or vector value is made of: its lanes, as long double, whatever their type.
using Lanes = std::vector<long double>;

class RuleProgram {
public:
  /// `instruction` is the text of one LLVM instruction that computes %r from the parameters, after the declarations
  /// that it needs: RuleProgram("double %x", "call double @sin(double %x)", "declare double @sin(double)").
  RuleProgram(const std::string &parameters, const std::string &instruction, const std::string &declarations = "");
  ~RuleProgram();

  bool has_rule() const { return rule_.has_value(); }
  const engine::ScalarRule &rule() const { return *rule_; }
  const llvm::Instruction &instruction() const { return *instruction_; }
  llvm::Module &module() { return *module_; }
  const engine::FunctionInfo &function_info() const { return *function_info_; }

  /// The function `product(parameters, seed)` with what the rule emits for operand `index`. Primal values that needs()
  /// does not ask for are null. Emitted once.
  llvm::Function &emit(unsigned index, bool strong_zero = false);
  /// The product at a point. Integer parameters are rounded from their lane.
  Lanes product(unsigned index, const std::vector<Lanes> &point, const Lanes &seed, bool strong_zero = false);
  /// For scalars.
  long double product(unsigned index, std::initializer_list<long double> point, long double seed = 1,
                      bool strong_zero = false);
  /// Text of `emit`'s module.
  std::string text() const;

private:
  struct Machine;
  Machine &machine(llvm::Function &function);

  std::unique_ptr<llvm::LLVMContext> context_;
  std::unique_ptr<llvm::Module> module_;
  const llvm::Instruction *instruction_ = nullptr;
  std::optional<engine::FunctionInfo> function_info_;
  std::optional<engine::ScalarRule> rule_;
  std::map<std::string, Machine> machines_;
};

/// The text of IR for a function of the reference table, in one family and type.
struct Spelled {
  std::string parameters, instruction, declarations;
};
Spelled spell_libm(const ReferenceFunction &function, const std::string &type);
Spelled spell_intrinsic(const ReferenceFunction &function, const std::string &type);
bool has_intrinsic(const ReferenceFunction &function);

} // namespace assay::test
