#pragma once
// Output for people: on a terminal one line that is rewritten while things go on, in a pipe plain lines only.

#include <chrono>
#include <string>
#include <string_view>

namespace assay::cli {

class Console {
public:
  Console();
  ~Console();

  /// A whole line that stays.
  void line(std::string_view text);
  /// What is going on now; shown on a terminal only, a few times a second at most.
  void status(std::string_view text);

  std::string good(std::string_view text) const;
  std::string bad(std::string_view text) const;
  std::string faint(std::string_view text) const;

private:
  void clear_status();
  std::string styled(std::string_view style, std::string_view text) const;

  bool terminal_ = false;
  bool colours_ = false;
  bool status_shown_ = false;
  std::chrono::steady_clock::time_point last_status_;
};

} // namespace assay::cli
