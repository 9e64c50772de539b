#pragma once
// How the check sees the types of a function.

#include <assay/detail/testing/typed_call.hpp>

#include <string>
#include <vector>

namespace assay::detail {

template <class Model>
testutils::Parameter parameter_of_argument(const std::vector<std::string> &names, std::size_t index,
                                           const typename Model::Stored &stored) {
  testutils::Parameter parameter;
  parameter.name = index < names.size() ? names[index] : "x" + std::to_string(index + 1);
  parameter.element = element_type_of<typename Model::Given>();
  parameter.passing = Model::in_memory ? testutils::Passing::buffer : testutils::Passing::value;
  if constexpr (!std::is_arithmetic_v<typename Model::Given>)
    parameter.extents = extents_of(stored);
  parameter.element_paths = paths_of(stored, parameter.name);
  parameter.element_types = element_types_of(stored);
  parameter.constant_only = !Model::differentiable;
  return parameter;
}

template <class... Models>
std::vector<testutils::Parameter> parameters_of_arguments(const std::vector<std::string> &names,
                                                          TypedCall<Models...> &call) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return std::vector<testutils::Parameter>{
        parameter_of_argument<Models>(names, I, std::get<I>(call.copies).view())...};
  }(std::index_sequence_for<Models...>());
}

template <class Result>
testutils::Parameter parameter_of_result(const Result &result) {
  testutils::Parameter parameter;
  parameter.name = "result";
  parameter.element = element_type_of<Result>();
  parameter.extents = extents_of(result);
  parameter.element_paths = paths_of(result, parameter.name);
  parameter.element_types = element_types_of(result);
  parameter.constant_only = !is_differentiable_result<Result>;
  return parameter;
}

} // namespace assay::detail
