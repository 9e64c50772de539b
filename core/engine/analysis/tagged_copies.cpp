#include "core/engine/analysis/tagged_copies.hpp"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Function.h"

namespace assay::engine {
namespace {

constexpr llvm::StringLiteral prefix = "assay.words.", tangent_prefix = "assay.tangent.words.";

} // namespace

TaggedCopy tagged_copy(const llvm::Function &function) {
  llvm::StringRef name = function.getName();
  if (!function.hasLocalLinkage() || !name.consume_front(prefix))
    return TaggedCopy::none;
  name.consume_back(".float");
  name.consume_back(".extended");
  name.consume_back(".unclear");
  name.consume_back(".single");
  name.consume_back(".loose");
  name.consume_back(".bytes");
  name.consume_back(".reversed");
  return llvm::StringSwitch<TaggedCopy>(name)
      .Case("moved", TaggedCopy::shadow)
      .Case("cleared", TaggedCopy::clear)
      .Case("moved.adjoint", TaggedCopy::adjoint)
      .Case("cleared.adjoint", TaggedCopy::clear_adjoint)
      .Case("constant", TaggedCopy::constant)
      .Default(TaggedCopy::none);
}

TaggedCopy tagged_copy(const llvm::CallBase &call) {
  const llvm::Function *callee = call.getCalledFunction();
  return callee != nullptr ? tagged_copy(*callee) : TaggedCopy::none;
}

bool has_source(TaggedCopy move) {
  return move == TaggedCopy::shadow || move == TaggedCopy::adjoint || move == TaggedCopy::constant;
}

std::string tangent_name(const llvm::Function &helper) {
  return (tangent_prefix + helper.getName().drop_front(prefix.size())).str();
}

} // namespace assay::engine
