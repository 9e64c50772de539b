#pragma once
// `assay explain`: why a derivative is as it is, from the command line to text, JSON or a page.

#include "cli/check_command.hpp"
#include "core/jit/explain_derivative.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace assay::cli {

struct ExplainArguments {
  std::filesystem::path file;
  std::optional<std::string> function; ///< Absent: every function that the file marks.
  std::vector<std::string> arguments;  ///< Spec texts, as for check.
  std::vector<std::string> activities; ///< One for each parameter, perhaps one more for the result; empty: as many
                                       ///< as can be.
  std::string mode = "reverse";
  unsigned width = 1;
  jit::RuntimeActivity runtime_activity = jit::RuntimeActivity::off;
  CheckSettings settings; ///< The level.
  enum class Form : std::uint8_t { text, json } form = Form::text;
  enum class Detail : std::uint8_t { summary, all_values, plan } detail = Detail::summary;
  std::optional<std::string> why;            ///< NAME or NAME:LINE.
  std::optional<std::filesystem::path> page; ///< Also written.
};

/// One derivative, and the integers that its arguments were given.
struct ExplainedFunction {
  std::filesystem::path file;
  std::string name;
  std::vector<std::pair<std::string, std::int64_t>> values;
  jit::ExplainedDerivative derivative;
};

/// 1 where there is no derivative: the output says why. Throws jit::BadRequest.
ExitCode run_explain(const ExplainArguments &arguments);

} // namespace assay::cli
