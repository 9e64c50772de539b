#pragma once
// Output for people: on a terminal one line that is rewritten while things go on, in a pipe plain lines only.

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace assay::cli {

/// How much is said: of functions without failures nothing, a line and its notes, or each combination as well.
enum class Verbosity : std::uint8_t { quiet, usual, verbose };

/// Where it is said: on standard output, or, where that is for JSON lines or for diagnostics of an editor, only the end
/// on standard error.
enum class OutputForm : std::uint8_t { text, json, diagnostics };

class Console {
public:
  explicit Console(OutputForm form = OutputForm::text);
  ~Console();

  /// A whole line that stays. None where standard output is for JSON lines.
  void line(std::string_view text);
  /// A line for programs, where the form is JSON.
  void json(std::string_view text);
  /// The last line: behind JSON it is on standard error.
  void closing_line(std::string_view text);
  /// The present activity; shown on a terminal only, a few times a second at most.
  void status(std::string_view text);

  std::string good(std::string_view text) const;
  std::string bad(std::string_view text) const;
  std::string faint(std::string_view text) const;

private:
  void clear_status();
  std::string styled(std::string_view style, std::string_view text) const;

  OutputForm form_;
  bool terminal_ = false;
  bool colours_ = false;
  bool status_shown_ = false;
  std::chrono::steady_clock::time_point last_status_;
};

} // namespace assay::cli
