#include "cli/reproduced_call.hpp"

#include <assay/testing/record.hpp>
#include <fmt/format.h>

namespace assay::cli {

std::string ReproducedVariable::passed(const std::string &array, std::size_t offset) const {
  if (!is_pointer)
    return array + "[0]";
  return offset == 0 ? array : fmt::format("{} + {}", array, offset);
}

/// In the reproducer's language: as a spec has it, but for numbers of 16 bits.
static std::string_view type_in_source(jit::Scalar type) {
  if (type == jit::Scalar::real16)
    return "_Float16";
  return type == jit::Scalar::brain16 ? "__bf16" : jit::name_of(type);
}

static jit::Scalar coarser_of(jit::Scalar left, jit::Scalar right) {
  for (const jit::Scalar type : {jit::Scalar::brain16, jit::Scalar::real16, jit::Scalar::real32})
    if (left == type || right == type)
      return type;
  return jit::Scalar::real64;
}

ReproducedCall reproduced_call(const jit::SharedCall &request, const reports::Record &record) {
  ReproducedCall call;
  call.function = request.function.name;
  call.width = record.width;
  call.is_forward = record.mode == "forward";
  call.is_split = record.split;
  call.is_runtime_activity = record.runtime_activity;
  call.has_result = request.function.result.has_value();
  call.loses_memory = record.verdict == testutils::name_of(testutils::Verdict::wrong_release);
  std::size_t weights = 1;
  for (std::size_t index = 0; index < request.arguments.size(); ++index) {
    const jit::ArgumentSpec &spec = request.arguments[index];
    call.variables.push_back({fmt::format("assay_{}", index), request.function.parameters[index].name,
                              std::string(type_in_source(spec.type)), record.activities[index], spec.elements(),
                              spec.is_pointer(), jit::is_real(spec.type), record.inputs[index].values, weights});
    weights += spec.elements();
    call.coarsest = coarser_of(call.coarsest, spec.type);
    if (request.function.passed.empty())
      call.passed.push_back({index, 0});
  }
  for (const auto &[parameter, offset] : request.function.passed)
    call.passed.push_back({parameter, offset / jit::size_of(request.arguments[parameter].type)});
  if (call.has_result) {
    const jit::Scalar type = jit::real_of(*request.function.result).value_or(jit::Scalar::real64);
    call.result_type = type_in_source(type);
    call.coarsest = coarser_of(call.coarsest, type);
  }
  call.result_counts = call.has_result && record.result_activity != "Const";
  return call;
}

} // namespace assay::cli
