#include "cli/child_process.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace assay::cli {

namespace {

/// Owns a file descriptor.
class Descriptor {
public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor &&other) noexcept : number_(other.number_) { other.number_ = -1; }
  Descriptor &operator=(Descriptor &&other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  int number() const { return number_; }
  void close() {
    if (number_ >= 0)
      ::close(number_);
    number_ = -1;
  }

private:
  int number_;
};

void send_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0)
      _exit(EXIT_FAILURE); // The parent is gone.
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// The last line says that the work came to its own end: a user's exit(0) does not.
constexpr std::string_view farewell = "\x04";

[[noreturn]] void be_the_child(const std::function<void(const SendLine &)> &work, int output, int words) {
  const Descriptor nowhere(::open("/dev/null", O_RDWR));
  ::dup2(nowhere.number(), STDIN_FILENO);
  ::dup2(nowhere.number(), STDOUT_FILENO);
  ::dup2(words, STDERR_FILENO);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
    std::signal(signal, SIG_DFL);
  work([&](std::string_view line) { send_all(output, std::string(line) + "\n"); });
  send_all(output, std::string(farewell) + "\n");
  _exit(EXIT_SUCCESS);
}

std::string end_of_file(int descriptor) {
  constexpr off_t most = 2000;
  const off_t size = ::lseek(descriptor, 0, SEEK_END);
  const off_t begin = size > most ? size - most : 0;
  std::string text(static_cast<std::size_t>(size - begin), '\0');
  const ssize_t got = ::pread(descriptor, text.data(), text.size(), begin);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  while (text.ends_with('\n'))
    text.pop_back();
  return text;
}

/// Splits what comes into lines.
class LineReader {
public:
  explicit LineReader(const std::function<void(std::string_view)> &receive) : receive_(receive) {}
  void take(std::string_view text) {
    pending_ += text;
    std::size_t begin = 0;
    for (std::size_t end; (end = pending_.find('\n', begin)) != std::string::npos; begin = end + 1) {
      const std::string_view line = std::string_view(pending_).substr(begin, end - begin);
      if (line == farewell)
        finished = true;
      else
        receive_(line);
    }
    pending_.erase(0, begin);
  }
  bool finished = false;

private:
  const std::function<void(std::string_view)> &receive_;
  std::string pending_;
};

enum class Silence { ended, too_long };

Silence listen(int input, LineReader &lines, std::chrono::seconds patience) {
  char chunk[65536];
  for (;;) {
    pollfd waiting{input, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, static_cast<int>(std::chrono::milliseconds(patience).count()));
    if (ready == 0)
      return Silence::too_long;
    const ssize_t got = ::read(input, chunk, sizeof(chunk));
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return Silence::ended;
    lines.take({chunk, static_cast<std::size_t>(got)});
  }
}

const char *meaning_of(int signal) {
  switch (signal) {
  case SIGSEGV:
    return "SIGSEGV: it read or wrote memory that is not there";
  case SIGBUS:
    return "SIGBUS: it read or wrote memory in a wrong way";
  case SIGFPE:
    return "SIGFPE: integer division by zero or the like";
  case SIGILL:
    return "SIGILL: it reached code that must not be reached";
  case SIGABRT:
    return "SIGABRT: it called abort";
  default:
    return ::strsignal(signal);
  }
}

} // namespace

std::string describe(const ChildEnd &end) {
  std::string text;
  switch (end.kind) {
  case ChildEnd::Kind::returned:
    return "it returned";
  case ChildEnd::Kind::ended_process:
    text = fmt::format("it ended the process with exit code {}", end.code);
    break;
  case ChildEnd::Kind::killed:
    text = fmt::format("it crashed with {}", meaning_of(end.code));
    break;
  case ChildEnd::Kind::hung:
    text = fmt::format("it did not return within {} s", end.code);
    break;
  }
  return end.last_words.empty() ? text : text + "; its last words: " + end.last_words;
}

ChildEnd run_in_child(const std::function<void(const SendLine &)> &work,
                      const std::function<void(std::string_view)> &receive, std::chrono::seconds patience) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw std::runtime_error("cannot make a pipe");
  Descriptor input(ends[0]), output(ends[1]);
  const Descriptor words(::memfd_create("assay-last-words", MFD_CLOEXEC));
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child < 0)
    throw std::runtime_error("cannot start a process");
  if (child == 0)
    be_the_child(work, output.number(), words.number());
  output.close();

  LineReader lines(receive);
  const Silence silence = listen(input.number(), lines, patience);
  if (silence == Silence::too_long)
    ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  ChildEnd end;
  end.last_words = end_of_file(words.number());
  if (silence == Silence::too_long)
    end.kind = ChildEnd::Kind::hung, end.code = static_cast<int>(patience.count());
  else if (WIFSIGNALED(status))
    end.kind = ChildEnd::Kind::killed, end.code = WTERMSIG(status);
  else if (!lines.finished)
    end.kind = ChildEnd::Kind::ended_process, end.code = WEXITSTATUS(status);
  return end;
}

} // namespace assay::cli
