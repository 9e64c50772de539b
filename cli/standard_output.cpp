#include "cli/standard_output.hpp"

#include <cerrno>
#include <cstdio>
#include <system_error>

namespace assay::cli {

namespace {

/// Of the first loss; 0: none.
int &first_error() {
  static int error = 0;
  return error;
}

void flush() {
  errno = 0;
  if ((std::fflush(stdout) != 0 || std::ferror(stdout) != 0) && first_error() == 0)
    first_error() = errno != 0 ? errno : EIO;
}

} // namespace

void write_to_standard_output(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  flush();
}

std::string loss_of_standard_output() {
  flush();
  return first_error() == 0 ? std::string() : std::generic_category().message(first_error());
}

} // namespace assay::cli
