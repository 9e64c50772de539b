#include "core/engine/prepare/reference_sizes.hpp"

#include "core/engine/support/source_signature.hpp"

using namespace llvm;

namespace assay::engine {
namespace {

/// Names tell members from others only by their number of parameters: one less than there are arguments.
bool may_be_member(const Function &function) {
  const StringRef name = function.getName();
  if (!name.starts_with("_"))
    return false;
  const auto parameters = demangled_parameters(name);
  return !parameters || parameters->size() != function.arg_size() - first_parameter(function);
}

} // namespace

bool refers_to_larger_objects(const CallBase &call, const Function &function) {
  const AttributeList here = call.getAttributes(), there = function.getAttributes();
  const unsigned first = first_parameter(function) + (may_be_member(function) ? 1 : 0);
  for (unsigned index = first; index < function.arg_size(); ++index) {
    const std::uint64_t meant = here.getParamDereferenceableBytes(index),
                        declared = there.getParamDereferenceableBytes(index);
    if (meant != 0 && meant < declared)
      return true;
  }
  return false;
}

} // namespace assay::engine
