#include "cli/compiler_run.hpp"

#include "cli/external_process.hpp"
#include "core/jit/bad_request.hpp"

#include <sstream>

namespace assay::cli {

const std::string compiler = std::string(ASSAY_CLANG) + "++";

namespace {

std::string first_error(const std::string &messages) {
  std::istringstream lines(messages);
  for (std::string line; std::getline(lines, line);)
    if (line.find("error:") != std::string::npos || line.find("undefined") != std::string::npos)
      return line;
  return messages.substr(0, messages.find('\n'));
}

} // namespace

std::string run_compiler(const std::vector<std::string> &words, const std::string &failure) {
  const ProgramEnd end = run_external(words, std::chrono::minutes(10));
  if (end.kind == ProgramEnd::Kind::exited && end.code == 127)
    throw jit::BadRequest(words.front() + " was not found; install clang 22");
  if (end.kind != ProgramEnd::Kind::exited || end.code != 0)
    throw jit::BadRequest(failure + first_error(end.output), end.output);
  return end.output;
}

} // namespace assay::cli
