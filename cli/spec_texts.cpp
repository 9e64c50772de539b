#include "cli/spec_texts.hpp"

#include "cli/value_files.hpp"
#include "core/jit/bad_request.hpp"
#include "core/jit/resolve_arguments.hpp"

namespace assay::cli {

namespace {

/// Of a parameter for which the signature has the function already.
jit::ArgumentSpec place_of_function(const std::string &text) {
  jit::ArgumentSpec spec = jit::parse_argument_spec("int=0");
  spec.object = text;
  return spec;
}

} // namespace

std::vector<jit::ArgumentSpec> parse_specs(const std::vector<std::string> &texts,
                                           const jit::FunctionSignature &function,
                                           const std::filesystem::path &program) {
  const std::vector<std::string> names = jit::integer_names(function);
  std::vector<jit::ArgumentSpec> specs;
  try {
    for (const std::string &text : texts)
      if (specs.size() < function.parameters.size() && function.parameters[specs.size()].is_callable)
        specs.push_back(place_of_function(text));
      else
        specs.push_back(with_values(jit::parse_argument_spec(text, names), program.parent_path()));
  } catch (const jit::SpecError &error) {
    throw jit::BadRequest(error.what());
  }
  return specs;
}

} // namespace assay::cli
