#pragma once
// Runs the built command as a user does, in a folder of its own.

#include <filesystem>
#include <string>
#include <vector>

namespace assay::cli::test {

struct Outcome {
  int code = -1;
  std::string output; ///< Standard output.
  std::string errors; ///< Standard error.

  std::string last_line() const;
  /// The command after `replay` in the first failure; empty if there is none.
  std::string replay_command() const;
};

class Workplace {
public:
  Workplace();
  ~Workplace();
  Workplace(const Workplace &) = delete;
  Workplace &operator=(const Workplace &) = delete;

  void write(const std::string &name, const std::string &text) const;
  /// `assay WORDS`, where the shell reads the words.
  Outcome assay(const std::string &words) const;
  /// Any command line.
  Outcome shell(const std::string &line) const;
  const std::filesystem::path &path() const { return path_; }

private:
  std::filesystem::path path_;
};

} // namespace assay::cli::test
