#include "core/engine/analysis/word_moves.hpp"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Function.h"

namespace assay::engine {
namespace {

constexpr llvm::StringLiteral prefix = "assay.words.", tangent_prefix = "assay.tangent.words.";

} // namespace

WordMove word_move(const llvm::Function &function) {
  llvm::StringRef name = function.getName();
  if (!function.hasLocalLinkage() || !name.consume_front(prefix))
    return WordMove::none;
  name.consume_back(".float");
  name.consume_back(".unclear");
  return llvm::StringSwitch<WordMove>(name)
      .Case("moved", WordMove::shadow)
      .Case("cleared", WordMove::clear)
      .Case("moved.adjoint", WordMove::adjoint)
      .Case("cleared.adjoint", WordMove::clear_adjoint)
      .Case("constant", WordMove::constant)
      .Default(WordMove::none);
}

WordMove word_move(const llvm::CallBase &call) {
  const llvm::Function *callee = call.getCalledFunction();
  return callee != nullptr ? word_move(*callee) : WordMove::none;
}

bool has_source(WordMove move) {
  return move == WordMove::shadow || move == WordMove::adjoint || move == WordMove::constant;
}

std::string tangent_name(const llvm::Function &helper) {
  return (tangent_prefix + helper.getName().drop_front(prefix.size())).str();
}

} // namespace assay::engine
