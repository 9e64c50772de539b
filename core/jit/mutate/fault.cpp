#include "core/jit/mutate/fault.hpp"

namespace assay::jit {

std::string_view name_of(FaultClass kind) {
  for (const NamedFaultClass &named : fault_classes)
    if (named.kind == kind)
      return named.name;
  return "unknown";
}

std::optional<FaultClass> fault_class_named(std::string_view name) {
  for (const NamedFaultClass &named : fault_classes)
    if (named.name == name)
      return named.kind;
  return std::nullopt;
}

} // namespace assay::jit
