#include "cli/list_functions.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace assay::cli {

namespace {

using Json = nlohmann::ordered_json;

void print(const Json &json) {
  fmt::print("{}\n", json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::vector<std::string> specs_of(const CheckRequest &request) {
  std::vector<std::string> specs;
  for (const jit::ArgumentSpec &spec : written_specs(request))
    specs.push_back(to_string(spec));
  return specs;
}

void list_as_json(const std::deque<FunctionToCheck> &functions, const std::vector<LeftOutFunction> &left_out) {
  for (const FunctionToCheck &function : functions)
    print({{"kind", "function"},
           {"file", function.request.file.string()},
           {"function", function.request.name},
           {"signature", function.request.function.describe()},
           {"argument_specs", specs_of(function.request)}});
  for (const LeftOutFunction &each : left_out)
    print({{"kind", "left_out"}, {"file", each.file}, {"function", each.function}, {"reason", each.reason}});
}

void list_as_text(const std::deque<FunctionToCheck> &functions, const std::vector<LeftOutFunction> &left_out) {
  for (const FunctionToCheck &function : functions) {
    std::string line =
        fmt::format("{} --function {}", shell_word(function.request.file.string()), shell_word(function.request.name));
    for (const std::string &spec : specs_of(function.request))
      line += " --arg " + shell_word(spec);
    fmt::print("{}\n", line);
  }
  for (const LeftOutFunction &each : left_out)
    fmt::print(stderr, "left out: {} in {}: {}\n", each.function, each.file, each.reason);
}

} // namespace

ExitCode list_functions(const std::deque<FunctionToCheck> &functions, const std::vector<LeftOutFunction> &left_out,
                        OutputForm form) {
  form == OutputForm::json ? list_as_json(functions, left_out) : list_as_text(functions, left_out);
  return all_passed;
}

} // namespace assay::cli
