#include "core/engine/lowering/call_site.hpp"

using namespace llvm;

namespace assay::engine {

CallSite::CallSite(const Function &caller, const Function &subject,
                   ArrayRef<std::pair<unsigned, const Value *>> actuals)
    : caller_(&caller), subject_(&subject) {
  for (auto [formal, value] : actuals)
    actuals_.push_back({formal, WeakVH(const_cast<Value *>(value))});
}

void CallSite::reuse_hints(const CallSite &earlier) {
  const auto is_same = [](const auto &pair) {
    const auto &[own, other] = pair;
    return own.formal == other.formal && own.value && own.value == other.value;
  };
  if (caller_ == earlier.caller_ && actuals_.size() == earlier.actuals_.size() &&
      all_of(zip_equal(actuals_, earlier.actuals_), is_same))
    hints_ = earlier.hints_;
}

const TypeHints &CallSite::hints_for_subject() {
  if (!hints_) {
    hints_.emplace();
    // Derivatives that are in the caller by now tell of their own memory; with each the next would take longer.
    const TypeAnalysis types(*caller_, false, own_body, nullptr, Followed::program);
    for (const Actual &actual : actuals_)
      if (actual.value)
        add_hints(*hints_, types, root_frame, *actual.value, actual.formal);
  }
  return *hints_;
}

std::optional<TypeHints> CallSite::hints_for(const Function &function) {
  if (!subject_)
    return std::nullopt;
  const TypeHints &of_subject = hints_for_subject();
  if (&function == subject_)
    return of_subject;
  if (!subject_types_)
    subject_types_ = std::make_unique<TypeAnalysis>(*subject_, false, own_body, &of_subject);
  TypeHints hints;
  add_hints_of_frames(hints, *subject_types_, function);
  return hints;
}

} // namespace assay::engine
