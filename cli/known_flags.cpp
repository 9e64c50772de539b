#include "cli/known_flags.hpp"

#include "cli/compiler_run.hpp"
#include "cli/external_process.hpp"

#include <map>
#include <regex>
#include <set>

namespace assay::cli {

namespace {

/// The driver names all at once, and compiles nothing.
std::set<std::string> unknown_among(const std::vector<std::string> &flags) {
  std::vector<std::string> words{compiler, "-###", "-fsyntax-only"};
  words.insert(words.end(), flags.begin(), flags.end());
  words.insert(words.end(), {"-x", "c++", "/dev/null"});
  const std::string messages = run_external(words, std::chrono::minutes(1)).output;
  static const std::regex unknown("error: unknown argument:? '([^'\\n]*)'");
  std::set<std::string> found;
  for (std::sregex_iterator match(messages.begin(), messages.end(), unknown), end; match != end; ++match)
    found.insert(match->str(1));
  return found;
}

} // namespace

std::vector<std::string> known_flags(std::vector<std::string> flags) {
  static std::map<std::vector<std::string>, std::set<std::string>> asked; // Most files of a project have the same.
  const auto [entry, is_new] = asked.try_emplace(flags);
  if (is_new)
    entry->second = unknown_among(flags);
  std::erase_if(flags, [&](const std::string &flag) { return entry->second.contains(flag); });
  return flags;
}

} // namespace assay::cli
