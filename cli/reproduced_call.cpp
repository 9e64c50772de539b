#include "cli/reproduced_call.hpp"

#include <assay/testing/record.hpp>
#include <fmt/format.h>

namespace assay::cli {

std::string ReproducedVariable::passed(const std::string &array, std::size_t offset) const {
  if (!is_pointer)
    return array + "[0]";
  return offset == 0 ? array : fmt::format("{} + {}", array, offset);
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
                              std::string(jit::name_of(spec.type)), record.activities[index], spec.elements(),
                              spec.is_pointer(), jit::is_real(spec.type), record.inputs[index].values, weights});
    weights += spec.elements();
    call.is_single = call.is_single || spec.type == jit::Scalar::real32;
    if (request.function.passed.empty())
      call.passed.push_back({index, 0});
  }
  for (const auto &[parameter, offset] : request.function.passed)
    call.passed.push_back({parameter, offset / jit::size_of(request.arguments[parameter].type)});
  if (call.has_result)
    call.result_type = request.function.result->kind == jit::ParameterType::Kind::real32 ? "float" : "double";
  call.result_counts = call.has_result && record.result_activity != "Const";
  call.is_single = call.is_single || call.result_type == "float";
  return call;
}

} // namespace assay::cli
