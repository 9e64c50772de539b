#include "cli/console.hpp"

#include "cli/standard_output.hpp"

#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace assay::cli {

namespace {

std::size_t terminal_width() {
  winsize size{};
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

} // namespace

Console::Console(OutputForm form) : form_(form), terminal_(form == OutputForm::text && ::isatty(STDOUT_FILENO) != 0) {
  const char *kind = std::getenv("TERM");
  terminal_ = terminal_ && kind && std::string_view(kind) != "dumb";
  colours_ = terminal_ && !std::getenv("NO_COLOR");
}

Console::~Console() {
  clear_status();
}

void Console::line(std::string_view text) {
  if (form_ != OutputForm::text)
    return;
  clear_status();
  write_to_standard_output(fmt::format("{}\n", text));
}

void Console::json(std::string_view text) {
  if (form_ != OutputForm::json)
    return;
  write_to_standard_output(fmt::format("{}\n", text));
}

void Console::closing_line(std::string_view text) {
  if (form_ != OutputForm::text)
    return fmt::print(stderr, "{}\n", text);
  line(text);
}

void Console::status(std::string_view text) {
  const auto now = std::chrono::steady_clock::now();
  if (!terminal_ || (status_shown_ && now - last_status_ < std::chrono::milliseconds(80)))
    return;
  clear_status();
  fmt::print("\r{}", text.substr(0, terminal_width() - 1));
  std::fflush(stdout);
  status_shown_ = true;
  last_status_ = now;
}

void Console::clear_status() {
  if (status_shown_)
    fmt::print("\r\x1b[2K");
  status_shown_ = false;
}

std::string Console::good(std::string_view text) const {
  return styled("32", text);
}
std::string Console::bad(std::string_view text) const {
  return styled("31;1", text);
}
std::string Console::faint(std::string_view text) const {
  return styled("2", text);
}

std::string Console::styled(std::string_view style, std::string_view text) const {
  return colours_ ? fmt::format("\x1b[{}m{}\x1b[0m", style, text) : std::string(text);
}

} // namespace assay::cli
