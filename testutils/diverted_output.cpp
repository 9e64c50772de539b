#include "testutils/diverted_output.hpp"

#include <array>
#include <cstdio>
#include <iostream>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

namespace assay::testutils {

namespace {

bool write_all(int descriptor, const char *text, ssize_t size) {
  for (ssize_t done = 0; done < size;) {
    const ssize_t written = ::write(descriptor, text + done, static_cast<std::size_t>(size - done));
    if (written < 0)
      return false;
    done += written;
  }
  return true;
}

} // namespace

void flush_output() {
  std::cout.flush();
  std::fflush(stdout);
}

DivertedOutput::DivertedOutput() {
  flush_output();
  output_ = ::dup(STDOUT_FILENO);
  file_ = output_ < 0 ? -1 : ::memfd_create("assay-output", MFD_CLOEXEC);
  if (file_ >= 0)
    ::dup2(file_, STDOUT_FILENO);
}

DivertedOutput::~DivertedOutput() {
  if (file_ >= 0) {
    flush_output();
    ::dup2(output_, STDOUT_FILENO);
    std::array<char, 4096> text{};
    ::lseek(file_, 0, SEEK_SET);
    for (ssize_t size = 0; (size = ::read(file_, text.data(), text.size())) > 0;)
      if (!write_all(output_, text.data(), size))
        break;
    ::close(file_);
  }
  if (output_ >= 0)
    ::close(output_);
}

} // namespace assay::testutils
