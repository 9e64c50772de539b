#include "testutils/process_state.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <iostream>
#include <map>
#include <span>
#include <unistd.h>
#include <utility>

namespace assay::testutils {

namespace {

/// Limits of calls use these (cli/call_limits, cli/call_frame).
bool is_own(int signal) {
  return signal == SIGSEGV || signal == SIGXCPU;
}

/// As the process has them. They are taken before and after each watched call, so in one piece.
std::string environment_block() {
  std::size_t size = 0;
  for (char **entry = environ; entry && *entry; ++entry)
    size += std::strlen(*entry) + 1;
  std::string block;
  block.reserve(size);
  for (char **entry = environ; entry && *entry; ++entry)
    block.append(*entry).push_back('\0');
  return block;
}

std::map<std::string, std::string> variables_of(const std::string &block) {
  std::map<std::string, std::string> variables;
  for (std::size_t begin = 0; begin < block.size();) {
    const std::string entry = block.c_str() + begin;
    if (const std::size_t sign = entry.find('='); sign != std::string::npos)
      variables.emplace(entry.substr(0, sign), entry.substr(sign + 1));
    begin += entry.size() + 1;
  }
  return variables;
}

void put_back_variables(const std::string &block) {
  const std::string block_now = environment_block();
  if (block_now == block)
    return;
  const std::map<std::string, std::string> wanted = variables_of(block), now = variables_of(block_now);
  if (now == wanted)
    return;
  for (const auto &[name, value] : now)
    if (!wanted.contains(name))
      ::unsetenv(name.c_str());
  for (const auto &[name, value] : wanted)
    ::setenv(name.c_str(), value.c_str(), 1);
}

#if defined(__GLIBC__)
/// The state of rand(), which is only to be had by exchanging it for another one, and back. Its first word says how
/// long it is.
class ExchangedRandom {
public:
  ExchangedRandom() : state_(::initstate(1, other_.data(), other_.size())) {}
  ~ExchangedRandom() { ::setstate(state_); }
  ExchangedRandom(const ExchangedRandom &) = delete;
  ExchangedRandom &operator=(const ExchangedRandom &) = delete;

  std::span<char> state() const {
    constexpr std::array<std::size_t, 5> lengths{8, 32, 64, 128, 256}; // By the kind, which random(3) numbers so.
    std::int32_t kind = 0;
    std::memcpy(&kind, state_, sizeof kind);
    return {state_, lengths.at(static_cast<std::size_t>(kind) % lengths.size())};
  }

private:
  std::array<char, 8> other_{};
  char *state_;
};

std::vector<char> random_state() {
  const ExchangedRandom exchanged;
  return {exchanged.state().begin(), exchanged.state().end()};
}

/// A state of another length is the program's own memory.
void put_back_random(const std::vector<char> &wanted) {
  const ExchangedRandom exchanged;
  if (exchanged.state().size() == wanted.size())
    std::ranges::copy(wanted, exchanged.state().begin());
}
#else
std::vector<char> random_state() {
  return {};
}
void put_back_random(const std::vector<char> &) {}
#endif

void put_back_random_48(const std::array<unsigned short, 3> &state) {
  // The multiplier as the library starts with it: asking for the state sets it.
  std::array<unsigned short, 7> all{0, 0, 0, 0xE66D, 0xDEEC, 0x0005, 0x000B};
  std::ranges::copy(state, all.begin());
  ::lcong48(all.data());
}

std::array<unsigned short, 3> random_48_state() {
  std::array<unsigned short, 3> none{}, state{};
  std::memcpy(state.data(), ::seed48(none.data()), sizeof state);
  put_back_random_48(state);
  return state;
}

std::array<std::pair<std::ostream *, const char *>, 3> streams() {
  return {{{&std::cout, "std::cout"}, {&std::cerr, "std::cerr"}, {&std::clog, "std::clog"}}};
}

const char *in_words(const struct sigaction &action) {
  if ((action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_DFL) // NOLINT: a macro of the system's.
    return "the default";
  if ((action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_IGN) // NOLINT: likewise.
    return "to ignore it";
  return "a function";
}

bool is_armed(const itimerval &alarm) {
  return alarm.it_value.tv_sec != 0 || alarm.it_value.tv_usec != 0;
}

std::string name_of(int signal) {
  const char *name = sigabbrev_np(signal);
  return name ? fmt::format("SIG{}", name) : fmt::format("signal {}", signal);
}

/// As many as the kernel lists; none where it does not.
std::size_t count_timers() {
  const int file = ::open("/proc/self/timers", O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return 0;
  std::string text;
  std::array<char, 1024> part; // NOLINT(cppcoreguidelines-pro-type-member-init): filled by what is read.
  for (ssize_t size; (size = ::read(file, part.data(), part.size())) > 0;)
    text.append(part.data(), static_cast<std::size_t>(size));
  ::close(file);
  std::size_t count = text.starts_with("ID:") ? 1 : 0;
  for (std::size_t at = 0; (at = text.find("\nID:", at)) != std::string::npos; ++at)
    ++count;
  return count;
}

struct Resource {
  int number;
  const char *name;
};
/// Without those of the processor's time and of memory, which limits of calls use (cli/call_limits).
constexpr std::array<Resource, 5> resources{{{RLIMIT_CORE, "the size of core files"},
                                             {RLIMIT_FSIZE, "the size of files"},
                                             {RLIMIT_NOFILE, "open files"},
                                             {RLIMIT_NPROC, "processes"},
                                             {RLIMIT_STACK, "the stack"}}};

std::string in_words(rlim_t limit) {
  return limit == RLIM_INFINITY ? "none" : fmt::format("{}", limit);
}

/// The flags are not compared: a handler that signal() puts back has others than before.
bool is_same(const struct sigaction &left, const struct sigaction &right) {
  return left.sa_handler == right.sa_handler; // NOLINT: a macro of the system's.
}

using Sentences = std::vector<std::string>;

void compare(Sentences &changes, const std::map<std::string, std::string> &now,
             const std::map<std::string, std::string> &before) {
  const auto in_words = [](const std::map<std::string, std::string> &variables, const std::string &name) {
    const auto known = variables.find(name);
    return known == variables.end() ? std::string("not set") : fmt::format("'{}'", known->second);
  };
  std::map<std::string, std::string> all = now;
  all.insert(before.begin(), before.end());
  for (const auto &[name, value] : all)
    if (const std::string here = in_words(now, name), there = in_words(before, name); here != there)
      changes.push_back(
          fmt::format("the environment variable {} is {} after the call, it was {} before", name, here, there));
}

} // namespace

ProcessState::ProcessState() : variables_(environment_block()), random_(random_state()), random_48_(random_48_state()) {
  for (int signal = 1; signal < NSIG; ++signal)
    ::sigaction(signal, nullptr, &handlers_.at(static_cast<std::size_t>(signal)));
  ::sigaltstack(nullptr, &signal_stack_);
  ::getitimer(ITIMER_REAL, &alarm_);
  timers_ = count_timers();
  locale_ = ::uselocale(nullptr);
  for (const Resource &resource : resources)
    ::getrlimit(resource.number, &limits_.at(static_cast<std::size_t>(resource.number)));
  priority_ = ::getpriority(PRIO_PROCESS, 0);
  for (std::size_t index = 0; index < formats_.size(); ++index) {
    const std::ostream &stream = *streams().at(index).first;
    formats_.at(index) = {stream.flags(), stream.precision()};
  }
}

void ProcessState::put_back() const {
  put_back_variables(variables_);
  put_back_random(random_);
  put_back_random_48(random_48_);
  for (int signal = 1; signal < NSIG; ++signal)
    if (!is_own(signal))
      ::sigaction(signal, &handlers_.at(static_cast<std::size_t>(signal)), nullptr);
  ::sigaltstack(&signal_stack_, nullptr);
  itimerval alarm_now{};
  ::getitimer(ITIMER_REAL, &alarm_now);
  if (is_armed(alarm_now) != is_armed(alarm_)) // An alarm that runs is not to be put off.
    ::setitimer(ITIMER_REAL, &alarm_, nullptr);
  ::uselocale(locale_);
  for (const Resource &resource : resources)
    ::setrlimit(resource.number, &limits_.at(static_cast<std::size_t>(resource.number)));
  ::setpriority(PRIO_PROCESS, 0, priority_);
  for (std::size_t index = 0; index < formats_.size(); ++index) {
    std::ostream &stream = *streams().at(index).first;
    stream.flags(formats_.at(index).flags);
    stream.precision(formats_.at(index).precision);
  }
}

std::vector<std::string> ProcessState::changes_since(const ProcessState &before) const {
  Sentences changes;
  if (variables_ != before.variables_)
    compare(changes, variables_of(variables_), variables_of(before.variables_));
  for (int signal = 1; signal < NSIG; ++signal) {
    const auto index = static_cast<std::size_t>(signal);
    if (!is_own(signal) && !is_same(handlers_.at(index), before.handlers_.at(index)))
      changes.push_back(fmt::format("the handler of {} is {} after the call, it was {} before", name_of(signal),
                                    in_words(handlers_.at(index)), in_words(before.handlers_.at(index))));
  }
  if (is_armed(alarm_) != is_armed(before.alarm_))
    changes.push_back(is_armed(alarm_) ? "an alarm is set after the call"
                                       : "the alarm that was set before the call is not after it");
  if (signal_stack_.ss_sp != before.signal_stack_.ss_sp || signal_stack_.ss_flags != before.signal_stack_.ss_flags)
    changes.emplace_back("the stack of signal handlers is another one after the call than before");
  if (timers_ > before.timers_)
    changes.emplace_back("a timer is there after the call that was not there before");
  if (locale_ != before.locale_)
    changes.emplace_back("the locale of the thread (uselocale) is another one after the call than before");
  for (const Resource &resource : resources) {
    const auto index = static_cast<std::size_t>(resource.number);
    if (limits_.at(index).rlim_cur != before.limits_.at(index).rlim_cur)
      changes.push_back(fmt::format("the limit of {} is {} after the call, it was {} before", resource.name,
                                    in_words(limits_.at(index).rlim_cur), in_words(before.limits_.at(index).rlim_cur)));
  }
  if (priority_ != before.priority_)
    changes.push_back(fmt::format("the priority is {} after the call, it was {} before", priority_, before.priority_));
  if (random_ != before.random_ || random_48_ != before.random_48_)
    changes.emplace_back("the C library's random numbers go on from another state after the call than before");
  for (std::size_t index = 0; index < formats_.size(); ++index)
    if (!(formats_.at(index) == before.formats_.at(index)))
      changes.push_back(
          fmt::format("the format of {} is another one after the call than before", streams().at(index).second));
  return changes;
}

} // namespace assay::testutils
