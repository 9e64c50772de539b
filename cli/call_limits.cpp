// A timer of the process's own processor time ticks eight times within the limit. A call during which nine ticks fall
// has taken longer. So a call costs two stores, and a busy machine gives the same verdicts.
//
// Memory is counted where code allocates under a HeapWatch. What libraries allocate is limited by RLIMIT_DATA, which
// leaves out what is only reserved.
//
// No file grows beyond the limit of output. When one would, standard output and standard error are emptied, and the
// second time within one call the process ends.

#include "cli/call_limits.hpp"

#include "core/jit/heap_watch.hpp"

#include <cerrno>
#include <csignal>
#include <ctime>
#include <fstream>
#include <limits>
#include <new>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

namespace assay::cli {

namespace {

constexpr int ticks_within_limit = 8;

// Of this process; read in a signal handler.
std::atomic<ReachedLimit> *told = nullptr;
std::atomic<std::uint64_t> call_number{0}; ///< Odd during a call.
std::atomic<std::uint64_t> number_at_tick{0};
std::atomic<int> ticks{0};
std::atomic<std::uint64_t> number_at_full_file{0};

bool is_in_call(std::uint64_t number) {
  return number % 2 == 1;
}

[[noreturn]] void end_process(ReachedLimit limit) {
  told->store(limit);
  ::_exit(EXIT_FAILURE);
}

void tick(int) {
  const std::uint64_t now = call_number.load();
  if (!is_in_call(now) || number_at_tick.exchange(now) != now)
    ticks.store(0);
  else if (ticks.fetch_add(1) + 1 >= ticks_within_limit)
    end_process(ReachedLimit::processor_time);
}

void empty_output(int) {
  const std::uint64_t now = call_number.load();
  if (is_in_call(now) && number_at_full_file.exchange(now) == now)
    end_process(ReachedLimit::output);
  const int error = errno;
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
    static_cast<void>(::ftruncate(stream, 0));
  errno = error;
}

void limit_output(std::uint64_t bytes) {
  struct sigaction action = {};
  action.sa_handler = empty_output;
  action.sa_flags = SA_RESTART | SA_ONSTACK;
  ::sigaction(SIGXFSZ, &action, nullptr);
  const rlimit limit{bytes, RLIM_INFINITY};
  ::setrlimit(RLIMIT_FSIZE, &limit);
}

void start_timer(unsigned seconds) {
  struct sigaction action = {};
  action.sa_handler = tick;
  action.sa_flags = SA_RESTART | SA_ONSTACK;
  ::sigaction(SIGXCPU, &action, nullptr);
  sigevent event = {};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGXCPU;
  timer_t timer = nullptr;
  if (::timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer) != 0)
    return;
  constexpr long nanoseconds = 1'000'000'000;
  const long long interval = static_cast<long long>(seconds) * nanoseconds / ticks_within_limit;
  const timespec period{static_cast<time_t>(interval / nanoseconds), static_cast<long>(interval % nanoseconds)};
  const itimerspec times{period, period};
  ::timer_settime(timer, 0, &times, nullptr);
}

/// Private memory that can be written, in bytes.
std::uint64_t data_size() {
  constexpr std::uint64_t bytes_in_unit = 1024;
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmData:"))
      return std::stoull(line.substr(line.find(':') + 1)) * bytes_in_unit;
  return 0;
}

void out_of_memory() {
  if (is_in_call(call_number.load()))
    end_process(ReachedLimit::memory);
  throw std::bad_alloc();
}

void limit_memory(std::uint64_t bytes) {
  jit::limit_watched_heap(bytes, out_of_memory);
  std::set_new_handler(out_of_memory);
  constexpr std::uint64_t own_needs = std::uint64_t(2) << 30U; // Of the compiler and the check.
  const rlimit limit{data_size() + own_needs + bytes, RLIM_INFINITY};
  ::setrlimit(RLIMIT_DATA, &limit);
}

} // namespace

void impose(const CallLimits &limits, std::atomic<ReachedLimit> &reached) {
  told = &reached;
  if (limits.seconds != 0)
    start_timer(limits.seconds);
  if (limits.memory != 0)
    limit_memory(limits.memory);
  if (limits.output != 0)
    limit_output(limits.output);
}

LimitedCall::LimitedCall() {
  call_number.fetch_add(1, std::memory_order_relaxed);
}

LimitedCall::~LimitedCall() {
  call_number.fetch_add(1, std::memory_order_relaxed);
}

} // namespace assay::cli
