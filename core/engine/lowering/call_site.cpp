#include "core/engine/lowering/call_site.hpp"

using namespace llvm;

namespace assay::engine {

const TypeHints &CallSite::hints_for_subject() {
  if (!hints_) {
    hints_.emplace();
    // Derivatives that are in the caller by now tell of their own memory; with each the next would take longer.
    const TypeAnalysis types(*caller_, false, own_body, nullptr, Followed::program);
    for (auto [formal, actual] : actuals_)
      add_hints(*hints_, types, root_frame, *actual, formal);
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
