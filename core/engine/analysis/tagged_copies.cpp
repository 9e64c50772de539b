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

bool has_reverse_form(const llvm::Function &helper) {
  llvm::StringRef action = helper.getName();
  if (tagged_copy(helper) == TaggedCopy::none || !action.consume_front(prefix))
    return false;
  return llvm::none_of(std::initializer_list<llvm::StringRef>{".loose", ".bytes", ".reversed", ".extended"},
                       [&](llvm::StringRef kind) { return action.contains(kind); });
}

/// Of helpers for words that may hold floats. The adjoint of a sum is a copy, so one form serves all types of numbers.
static llvm::StringRef suffix_of(const llvm::Function &helper) {
  const llvm::StringRef name = helper.getName();
  return llvm::any_of(std::initializer_list<llvm::StringRef>{".float", ".single", ".unclear"},
                      [&](llvm::StringRef kind) { return name.ends_with(kind); })
             ? ".float"
             : "";
}

std::string reverse_form_name(llvm::StringRef half, const llvm::Function &helper) {
  const TaggedCopy kind = tagged_copy(helper);
  const llvm::StringRef action = kind == TaggedCopy::shadow  ? "moved"
                                 : kind == TaggedCopy::clear ? "cleared"
                                                             : "moved.adjoint";
  return ("assay." + half + ".words." + action + suffix_of(helper)).str();
}

std::string clearing_name(const llvm::Function &helper) {
  return ("assay.words.cleared.adjoint" + suffix_of(helper)).str();
}

std::string tangent_name(const llvm::Function &helper) {
  return (tangent_prefix + helper.getName().drop_front(prefix.size())).str();
}

} // namespace assay::engine
