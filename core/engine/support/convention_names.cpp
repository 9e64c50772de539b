#include "core/engine/support/convention_names.hpp"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace assay::engine {
namespace {

template <class Kind>
struct Named {
  StringLiteral name;
  Kind kind;
};

// Where one name contains another the longer stands first.
constexpr Named<ConventionCall> calls[] = {
    {"__enzyme_autodiff", ConventionCall::autodiff},
    {"__enzyme_fwddiff", ConventionCall::fwddiff},
    {"__enzyme_augmentfwd", ConventionCall::augmentfwd},
    {"__enzyme_augmentsize", ConventionCall::augmentsize},
    {"__enzyme_reverse", ConventionCall::reverse},
    {"__enzyme_virtualreverse", ConventionCall::virtualreverse},
    {"__enzyme_batch", ConventionCall::batch},
    {"__enzyme_todense", ConventionCall::todense},
    {"__enzyme_ignore_derivatives", ConventionCall::ignore_derivatives},
    {"__enzyme_double", ConventionCall::type_hint},
    {"__enzyme_float", ConventionCall::type_hint},
    {"__enzyme_integer", ConventionCall::type_hint},
    {"__enzyme_pointer", ConventionCall::type_hint},
    {"__enzyme_drop_tape", ConventionCall::drop_tape},
    {"__enzyme_iter", ConventionCall::iterations},
};

constexpr Named<Marker> markers[] = {
    {"enzyme_const_return", Marker::const_return},
    {"enzyme_const", Marker::constant},
    {"enzyme_dupnoneedv", Marker::strided_no_need},
    {"enzyme_dupnoneed", Marker::duplicated_no_need},
    {"enzyme_dup_return", Marker::dup_return},
    {"enzyme_dupv", Marker::strided},
    {"enzyme_dup", Marker::duplicated},
    {"enzyme_out", Marker::out},
    {"enzyme_width", Marker::width},
    {"enzyme_vector", Marker::vector},
    {"enzyme_scalar", Marker::scalar},
    {"enzyme_tape", Marker::tape},
    {"enzyme_allocated", Marker::allocated},
    {"enzyme_nofree", Marker::nofree},
    {"enzyme_primal_return", Marker::primal_return},
    {"enzyme_noret", Marker::noret},
    {"enzyme_active_return", Marker::active_return},
    {"enzyme_not_overwritten", Marker::not_overwritten},
    {"enzyme_byref", Marker::byref},
    {"enzyme_runtime_activity", Marker::runtime_activity},
    {"enzyme_strong_zero", Marker::strong_zero},
    {"enzyme_interleave", Marker::interleave},
    {"enzyme_loose_types", Marker::loose_types},
    {"enzyme_no_strict_aliasing", Marker::no_strict_aliasing},
    {"enzyme_no_type_warning", Marker::no_type_warning},
    {"enzyme_tape_memory", Marker::tape_memory},
    {"enzyme_drop_list", Marker::drop_list},
    {"enzyme_seed", Marker::seed},
};

constexpr Named<Table> tables[] = {
    {"__enzyme_register_gradient", Table::gradient},
    {"__enzyme_register_derivative", Table::derivative},
    {"__enzyme_register_splitderivative", Table::splitderivative},
    {"__enzyme_inactivefn", Table::inactive_function},
    {"__enzyme_function_like", Table::function_like},
    {"__enzyme_allocation_like", Table::allocation_like},
    {"__enzyme_inactive_global", Table::inactive_global},
    {"__enzyme_shadow_global", Table::shadow_global},
    {"__enzyme_nofree", Table::nofree},
    {"__assay_rule_table", Table::rule},
};

template <class Kind, size_t Count>
StringRef find_name(const Named<Kind> (&list)[Count], Kind kind) {
  for (const Named<Kind> &entry : list)
    if (entry.kind == kind)
      return entry.name;
  return {};
}

/// True when `name` stands in `symbol` as a whole identifier, in C or inside an Itanium-mangled name: what comes before
/// is nothing, a length or a '.', and what follows is nothing or mangling (E, I, B, .). `my_enzyme_duplicates` is no
/// marker.
bool mentions_identifier(StringRef symbol, StringRef name) {
  const size_t at = symbol.find(name);
  if (at == StringRef::npos)
    return false;
  const StringRef after = symbol.drop_front(at + name.size());
  const bool starts = at == 0 || isDigit(symbol[at - 1]) || symbol[at - 1] == '.';
  return starts && (after.empty() || StringRef("EIB.").contains(after.front()));
}

} // namespace

std::optional<ConventionCall> convention_call(const Function &function) {
  const StringRef name = function.getName();
  if (!name.contains("__enzyme_"))
    return std::nullopt;
  for (const auto &entry : calls)
    if (name.contains(entry.name))
      return entry.kind;
  return std::nullopt;
}

StringRef name_of(ConventionCall call) {
  return find_name(calls, call);
}

bool asks_for_derivative(ConventionCall call) {
  switch (call) {
  case ConventionCall::ignore_derivatives:
  case ConventionCall::type_hint:
  case ConventionCall::drop_tape:
  case ConventionCall::iterations:
    return false;
  default:
    return true;
  }
}

std::optional<Marker> marker(StringRef name) {
  if (!name.contains("enzyme_"))
    return std::nullopt;
  for (const auto &entry : markers)
    if (mentions_identifier(name, entry.name))
      return entry.kind;
  return std::nullopt;
}

std::optional<Marker> marker(const GlobalVariable &global) {
  return marker(global.getName());
}

StringRef name_of(Marker marker) {
  return find_name(markers, marker);
}

/// In the code of the host a table of a CUDA program's device is a variable without content.
static bool is_on_a_device(const GlobalVariable &global) {
  return global.hasInitializer() && isa<UndefValue>(global.getInitializer());
}

std::optional<Table> registration_table(const GlobalVariable &global) {
  return is_on_a_device(global) ? std::nullopt : registration_table(global.getName());
}

std::optional<Table> registration_table(StringRef name) {
  if (!name.contains("__enzyme_") && !name.contains("__assay_")) // Most names, and all are asked.
    return std::nullopt;
  for (const auto &entry : tables)
    if (name.contains(entry.name))
      return entry.kind;
  return std::nullopt;
}

bool has_shadows_on_device(const Module &module) {
  return any_of(module.globals(), [](const GlobalVariable &global) {
    return is_on_a_device(global) && registration_table(global.getName()) == Table::shadow_global;
  });
}

StringRef name_of(Table table) {
  return find_name(tables, table);
}

} // namespace assay::engine
