#pragma once
// A rule of <assay/rules.hpp> for one way in which a call takes part in a derivative. Around the rule's function, a
// function of plain values is written in which that way is a constant: the branches of other cases fold away, and the
// arguments that remain unread are known to be so.
//
//   parameters   the function's own; `width` shadows for each of them that has some;
//                reverse: the parts of the tape, then `width` adjoints of the result where it has some
//   result       a literal struct of
//                forward:   the value, `width` tangents
//                augmented: the value, `width` shadows, the parts of the tape
//                reverse:   `width` derivatives of each parameter that is a number with a derivative
//
// Values and shadows of a result in memory are not among these: their memory is a parameter of the function.

#include "core/engine/support/function_info.hpp"
#include "core/engine/support/request.hpp"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PassManager.h"

namespace assay::engine {

enum class RuleStep : std::uint8_t { forward, augmented, reverse };

/// How one call of a function with a rule takes part in a derivative.
struct RuleUse {
  enum class Shadow : std::uint8_t {
    none,
    passed,  ///< A tangent or an address of shadow memory.
    returned ///< A number whose derivative the reverse step returns.
  };
  std::shared_ptr<const RuleTemplate> rule;
  unsigned width = 1;
  bool needs_primal = true;
  bool needs_shadow = false;
  bool runtime_activity = false;
  bool releases_tape = true;
  Activity result = Activity::constant;
  llvm::SmallVector<Shadow, 4> shadows; ///< By LLVM parameter.
  llvm::SmallBitVector overwritten;     ///< By parameter of the source.
};

struct RuleInstance {
  llvm::Function *function = nullptr;
  /// One block of instructions without memory of its own, which may stand in place of a call.
  bool is_straight = false;
};

llvm::Expected<RuleInstance> rule_instance(const RuleUse &use, RuleStep step, const FunctionInfo &function_info,
                                           llvm::FunctionAnalysisManager &analyses);

/// Whether the rule serves such a call; where not, the engine's own derivative does.
llvm::Expected<bool> rule_applies(const RuleUse &use, const FunctionInfo &function_info,
                                  llvm::FunctionAnalysisManager &analyses);

/// How many values a tape consists of.
unsigned tape_parts(const RuleTemplate &rule);

/// The instructions of a straight instance, in place of a call; its results.
llvm::SmallVector<llvm::Value *, 8> place_straight(const RuleInstance &instance, llvm::IRBuilderBase &builder,
                                                   llvm::ArrayRef<llvm::Value *> arguments);

} // namespace assay::engine
