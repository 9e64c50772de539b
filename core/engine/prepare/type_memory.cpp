#include "core/engine/prepare/type_memory.hpp"
#include "core/engine/prepare/copied_integers.hpp"
#include "core/engine/prepare/retype.hpp"
#include "core/engine/support/type_options.hpp"

using namespace llvm;

namespace assay::engine {

void type_memory(Function &clone, const Function &source, const PrepareContext &context) {
  std::optional<TypeHints> hints;
  std::optional<TypeAnalysis> types;
  if (may_copy_integers(clone))
    types.emplace(clone, false, context.body_of);
  if (types && copies_declared_integers(clone, *types))
    hints = context.hints_for(source);
  const bool told_of_floats = hints && hints->tell_floats();
  if (!told_of_floats && retype_memory(clone, Unknown::left, context.body_of, nullptr, std::move(types)))
    return;
  if (!hints)
    hints = context.hints_for(source);
  const TypeHints *told = hints ? &*hints : nullptr;
  const bool knows_all = retype_memory(clone, Unknown::words, context.body_of, told);
  if (!knows_all && told)
    retype_transfers_left(clone, context.body_of);
  if (!knows_all && type_options().loose)
    retype_memory(clone, Unknown::guessed, context.body_of, told);
}

} // namespace assay::engine
