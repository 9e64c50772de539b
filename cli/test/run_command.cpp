#include "cli/test/run_command.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <sys/wait.h>

namespace assay::cli::test {

namespace {

std::string contents_of(const std::filesystem::path &file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

} // namespace

std::string Outcome::last_line() const {
  std::string last;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);)
    last = line;
  return last;
}

std::string Outcome::replay_command() const {
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t begin = line.find_first_not_of(' ');
    if (begin != std::string::npos && line.compare(begin, 6, "replay") == 0)
      return line.substr(line.find_first_not_of(" :", begin + 6));
  }
  return {};
}

Workplace::Workplace() {
  std::string pattern = (std::filesystem::temp_directory_path() / "assay-cli-test-XXXXXX").string();
  if (!mkdtemp(pattern.data()))
    throw std::runtime_error("cannot make a folder");
  path_ = pattern;
}

Workplace::~Workplace() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void Workplace::write(const std::string &name, const std::string &text) const {
  std::ofstream(path_ / name) << text;
}

Outcome Workplace::assay(const std::string &words) const {
  return shell(std::string(ASSAY_COMMAND) + " " + words);
}

Outcome Workplace::shell(const std::string &line) const {
  const std::filesystem::path output = path_ / ".output", errors = path_ / ".errors";
  const std::string whole = "cd '" + path_.string() + "' && ( " + line + " ) >'" + output.string() + "' 2>'" +
                            errors.string() + "' </dev/null";
  const int status = std::system(whole.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents_of(output), contents_of(errors)};
}

} // namespace assay::cli::test
