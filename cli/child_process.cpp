#include "cli/child_process.hpp"

#include "cli/child_family.hpp"
#include "cli/child_keeper.hpp"
#include "cli/interruption.hpp"
#include "reports/printable.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fcntl.h>
#include <fmt/format.h>
#include <memory>
#include <poll.h>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/prctl.h>
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

/// Where a child says which limit it has reached, in memory that it shares with its parent.
class SharedLimit {
public:
  SharedLimit() {
    void *memory = ::mmap(nullptr, sizeof(Cell), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
      throw std::runtime_error("cannot share memory with a process");
    cell_ = new (memory) Cell(ReachedLimit::none);
  }
  ~SharedLimit() { ::munmap(cell_, sizeof(Cell)); }
  SharedLimit(const SharedLimit &) = delete;
  SharedLimit &operator=(const SharedLimit &) = delete;
  std::atomic<ReachedLimit> &reached() const { return *cell_; }

private:
  using Cell = std::atomic<ReachedLimit>;
  static_assert(Cell::is_always_lock_free);
  Cell *cell_;
};

/// Memory that is written to as a file.
Descriptor file_in_memory(const char *name) {
  Descriptor file(::memfd_create(name, MFD_CLOEXEC));
  ::fcntl(file.number(), F_SETFL, O_APPEND); // It may be cut while it is written to.
  return file;
}

/// File descriptors of a child's output.
struct ChildOutput {
  int lines, words, printed;
};

[[noreturn]] void be_the_child(const std::function<void(const SendLine &)> &work, const ChildOutput &output,
                               const CallLimits &limits, std::atomic<ReachedLimit> &reached) {
  ::setpgid(0, 0);                    // What it starts ends with it, and its kill(0, ...) is for itself.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL); // Where its keeper is killed.
  const Descriptor nowhere(::open("/dev/null", O_RDWR));
  ::dup2(nowhere.number(), STDIN_FILENO);
  ::dup2(output.printed, STDOUT_FILENO);
  ::dup2(output.words, STDERR_FILENO);
  end_at_interruption();
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
    std::signal(signal, SIG_DFL);
  impose(limits, reached);
  work([&](std::string_view line) { send_all(output.lines, std::string(line) + "\n"); });
  send_all(output.lines, std::string(farewell) + "\n");
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
  case SIGKILL:
    return "SIGKILL: the system ended it, as it does where there is no memory left";
  default:
    return ::strsignal(signal);
  }
}

std::string size_in_words(std::uint64_t bytes) {
  constexpr double mebi = 1 << 20, gibi = 1 << 30;
  const auto size = static_cast<double>(bytes);
  return size < gibi ? fmt::format("{:.4g} MiB", size / mebi) : fmt::format("{:.4g} GiB", size / gibi);
}

} // namespace

bool gave_no_answer(const ChildEnd &end) {
  return end.kind == ChildEnd::Kind::hung || end.kind == ChildEnd::Kind::out_of_time ||
         end.kind == ChildEnd::Kind::out_of_memory || end.kind == ChildEnd::Kind::too_much_output;
}

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
  case ChildEnd::Kind::out_of_time:
    text = fmt::format("it did not return within {} s of processor time", end.code);
    break;
  case ChildEnd::Kind::too_much_output:
    text = fmt::format("it wrote more than {} (--output-limit)", size_in_words(end.bytes));
    break;
  case ChildEnd::Kind::interrupted:
    return "it was interrupted";
  case ChildEnd::Kind::out_of_memory:
    text = fmt::format("it asked for more than {} of memory", size_in_words(end.bytes));
    break;
  }
  return end.last_words.empty() ? text : text + "; its last words: " + reports::printable(end.last_words);
}

namespace {

/// A child that may still be running.
class RunningChild {
public:
  RunningChild(const std::function<void(const SendLine &)> &work, const std::function<void(std::string_view)> &receive,
               const CallLimits &limits)
      : limits_(limits), words_(file_in_memory("assay-last-words")), printed_(file_in_memory("assay-printed")),
        lines_(receive), last_heard_(Clock::now()) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
      throw std::runtime_error("cannot make a pipe");
    input_ = Descriptor(ends[0]);
    const Descriptor output(ends[1]); // Closed here before the next child starts, so that its end is heard.
    std::fflush(nullptr);
    ChildFamily &family = ChildFamily::here();
    process_ = fork_with_keeper(
        [&] { be_the_child(work, {output.number(), words_.number(), printed_.number()}, limits_, limit_.reached()); });
    if (process_ < 0)
      throw std::runtime_error("cannot start a process");
    family.add(process_);
  }

  int input() const { return input_.number(); }
  bool ended() const { return ended_; }

  void give_up() {
    kill_group();
    ended_ = hung_ = true;
  }

  /// To be called when there is something to read.
  void hear() {
    char chunk[65536];
    const ssize_t got = ::read(input_.number(), chunk, sizeof(chunk));
    if (got < 0 && errno == EINTR)
      return;
    if (got <= 0) {
      ended_ = true;
      return;
    }
    last_heard_ = Clock::now();
    lines_.take({chunk, static_cast<std::size_t>(got)});
    ended_ = lines_.finished; // A process that it left may hold the pipe.
  }

  void stop() {
    if (ended_)
      return;
    kill_group();
    ended_ = stopped_ = true;
  }

  void kill_if_silent(std::chrono::seconds patience) {
    if (!ended_ && has_exited(WNOHANG))
      hear_last_words();
    if (ended_ || Clock::now() - last_heard_ < patience)
      return;
    kill_group();
    ended_ = hung_ = true;
  }

  ChildEnd end(std::chrono::seconds patience) {
    int status = 0;
    has_exited(0);
    kill_group(); // As long as nobody has waited for it, its number is that of no other group.
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    ChildFamily::here().remove(process_);
    ChildEnd end;
    end.last_words = end_of_file(words_.number());
    if (stopped_)
      end.kind = ChildEnd::Kind::interrupted;
    else if (hung_)
      end.kind = ChildEnd::Kind::hung, end.code = static_cast<int>(patience.count());
    else if (limit_.reached() == ReachedLimit::processor_time)
      end.kind = ChildEnd::Kind::out_of_time, end.code = static_cast<int>(limits_.seconds);
    else if (limit_.reached() == ReachedLimit::memory)
      end.kind = ChildEnd::Kind::out_of_memory, end.bytes = limits_.memory;
    else if (limit_.reached() == ReachedLimit::output)
      end.kind = ChildEnd::Kind::too_much_output, end.bytes = limits_.output;
    else if (WIFSIGNALED(status))
      end.kind = ChildEnd::Kind::killed, end.code = WTERMSIG(status);
    else if (!lines_.finished)
      end.kind = ChildEnd::Kind::ended_process, end.code = WEXITSTATUS(status);
    return end;
  }

private:
  void kill_group() const {
    if (::kill(-process_, SIGKILL) != 0)
      ::kill(process_, SIGKILL);
  }

  /// Whether it is a zombie; without `options`, WNOHANG, waits until it is one.
  bool has_exited(int options) const {
    siginfo_t info = {};
    while (::waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOWAIT | options) != 0 && errno == EINTR) {
    }
    return info.si_pid == process_;
  }

  /// Where a process that it left holds the pipe, nothing says that no more will come.
  void hear_last_words() {
    for (pollfd waiting{input_.number(), POLLIN, 0}; !ended_ && ::poll(&waiting, 1, 0) > 0;)
      hear();
    ended_ = true;
  }

  using Clock = std::chrono::steady_clock;
  CallLimits limits_;
  SharedLimit limit_;
  Descriptor input_, words_, printed_;
  LineReader lines_;
  Clock::time_point last_heard_;
  pid_t process_ = -1; ///< Of its keeper, which ends as it does.
  bool ended_ = false, hung_ = false, stopped_ = false;
};

/// Waits until one of them has something to say or to leave, a second at most.
void hear_any(const std::vector<RunningChild *> &children) {
  std::vector<pollfd> waiting;
  std::vector<RunningChild *> heard;
  for (RunningChild *child : children)
    if (!child->ended()) {
      waiting.push_back({child->input(), POLLIN, 0});
      heard.push_back(child);
    }
  if (::poll(waiting.data(), waiting.size(), 1000) <= 0)
    return;
  for (std::size_t index = 0; index < waiting.size(); ++index)
    if (waiting[index].revents != 0)
      heard[index]->hear();
}

void hear_any(std::deque<RunningChild> &children) {
  std::vector<RunningChild *> all;
  for (RunningChild &child : children)
    all.push_back(&child);
  hear_any(all);
}

} // namespace

std::vector<ChildEnd> run_in_children(const std::vector<std::function<void(const SendLine &)>> &works,
                                      const std::function<void(std::string_view)> &receive,
                                      std::chrono::seconds patience, const CallLimits &limits) {
  std::deque<RunningChild> children;
  for (const auto &work : works)
    children.emplace_back(work, receive, limits);
  while (!std::all_of(children.begin(), children.end(), [](const RunningChild &child) { return child.ended(); })) {
    hear_any(children);
    for (RunningChild &child : children)
      interruption() ? child.stop() : child.kill_if_silent(patience);
  }
  std::vector<ChildEnd> ends;
  for (RunningChild &child : children)
    ends.push_back(child.end(patience));
  return ends;
}

ChildEnd run_in_child(const std::function<void(const SendLine &)> &work,
                      const std::function<void(std::string_view)> &receive, std::chrono::seconds patience,
                      const CallLimits &limits) {
  return run_in_children({work}, receive, patience, limits).front();
}

namespace {

/// The work has to stay where it is while its child runs.
struct PooledChild {
  PooledChild(PooledWork given, const CallLimits &limits)
      : work(std::move(given)), child(work.work, work.receive, limits) {}
  PooledWork work;
  RunningChild child;
};

class Pool {
public:
  Pool(std::chrono::seconds patience, const CallLimits &limits) : patience_(patience), limits_(limits) {}
  ~Pool() { kill(); }
  Pool(const Pool &) = delete;
  Pool &operator=(const Pool &) = delete;

  std::size_t size() const { return children_.size(); }
  void start(PooledWork work) { children_.push_back(std::make_unique<PooledChild>(std::move(work), limits_)); }

  void hear() {
    std::vector<RunningChild *> all;
    for (const auto &pooled : children_)
      all.push_back(&pooled->child);
    hear_any(all);
    for (RunningChild *child : all)
      child->kill_if_silent(patience_);
  }

  void finish_ended() {
    std::vector<std::unique_ptr<PooledChild>> running;
    for (auto &pooled : children_)
      if (pooled->child.ended())
        pooled->work.ended(pooled->child.end(patience_));
      else
        running.push_back(std::move(pooled));
    children_ = std::move(running);
  }

  void kill() {
    for (const auto &pooled : children_) {
      pooled->child.give_up();
      static_cast<void>(pooled->child.end(patience_));
    }
    children_.clear();
  }

private:
  std::chrono::seconds patience_;
  CallLimits limits_;
  std::vector<std::unique_ptr<PooledChild>> children_;
};

} // namespace

void run_pool(unsigned jobs, const std::function<std::optional<PooledWork>()> &next, const std::function<bool()> &stops,
              std::chrono::seconds patience, const CallLimits &limits) {
  Pool pool(patience, limits);
  for (bool more = true;;) {
    while (more && pool.size() < jobs && !stops()) {
      std::optional<PooledWork> work = next();
      more = work.has_value();
      if (work)
        pool.start(std::move(*work));
    }
    if (pool.size() == 0)
      return;
    pool.hear();
    if (stops())
      return pool.kill();
    pool.finish_ended();
  }
}

} // namespace assay::cli
