#include "testutils/interrupted_calls.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <ctime>
#include <semaphore.h>
#include <thread>
#include <unistd.h>

namespace assay::testutils {

namespace {

constexpr std::chrono::milliseconds most_time{50};
constexpr long longest_delay = 200'000; // nanoseconds
/// The other call may need a lock that the interrupted one holds, as that of the heap.
constexpr long patience_nanoseconds = 2'000'000;
constexpr long nanoseconds_of_a_second = 1'000'000'000;

/// What the signal handler does, which has no arguments of its own.
struct Exchange {
  sem_t may_call, has_called;
  Exchange() {
    sem_init(&may_call, 0, 0);
    sem_init(&has_called, 0, 0);
  }
  ~Exchange() {
    sem_destroy(&may_call);
    sem_destroy(&has_called);
  }
  Exchange(const Exchange &) = delete;
  Exchange &operator=(const Exchange &) = delete;
};
std::atomic<Exchange *> current = nullptr; // NOLINT: a handler knows nothing else

void let_the_other_call(int /*signal*/) {
  const int error = errno;
  if (Exchange *exchange = current) {
    timespec end{};
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_nsec += patience_nanoseconds;
    if (end.tv_nsec >= nanoseconds_of_a_second) {
      end.tv_nsec -= nanoseconds_of_a_second;
      ++end.tv_sec;
    }
    sem_post(&exchange->may_call);
    sem_timedwait(&exchange->has_called, &end);
  }
  errno = error;
}

/// Interrupts this thread while it lives.
class Interruptions {
public:
  explicit Interruptions(Exchange &exchange) {
    current = &exchange;
    struct sigaction action = {};
    action.sa_handler = let_the_other_call;
    action.sa_flags = SA_RESTART;
    sigaction(signal_number(), &action, &before_);
    sigevent event = {};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = signal_number();
    event._sigev_un._tid = gettid();
    has_timer_ = timer_create(CLOCK_MONOTONIC, &event, &timer_) == 0;
  }
  /// Once, somewhere in the call that begins now, if it takes that long: a call that is interrupted again and again
  /// would not come to its end. The delays fill the time of a call evenly.
  void interrupt_next(long duration) {
    constexpr double golden = 0.6180339887498949;
    place_ += golden;
    place_ -= static_cast<long>(place_);
    const itimerspec once{{0, 0}, {0, 1 + static_cast<long>(place_ * static_cast<double>(duration))}};
    if (has_timer_)
      timer_settime(timer_, 0, &once, nullptr);
  }
  ~Interruptions() {
    if (has_timer_)
      timer_delete(timer_);
    struct sigaction ignored = {};
    ignored.sa_handler = SIG_IGN; // drops one that is pending
    sigaction(signal_number(), &ignored, nullptr);
    sigaction(signal_number(), &before_, nullptr);
    current = nullptr;
  }
  Interruptions(const Interruptions &) = delete;
  Interruptions &operator=(const Interruptions &) = delete;

private:
  static int signal_number() { return SIGRTMIN + 7; }

  struct sigaction before_ = {};
  timer_t timer_ = {};
  bool has_timer_ = false;
  double place_ = 0;
};

} // namespace

void call_interrupted(const std::function<bool()> &one, const std::function<bool()> &other) {
  Exchange exchange;
  std::atomic<bool> is_over = false;
  std::thread thread([&] {
    for (;;) {
      while (sem_wait(&exchange.may_call) != 0) {
      }
      if (is_over)
        return;
      if (other())
        is_over = true;
      sem_post(&exchange.has_called);
    }
  });
  {
    using Clock = std::chrono::steady_clock;
    Interruptions interruptions(exchange);
    const auto begin = Clock::now();
    if (one())
      is_over = true;
    const long duration = std::max<long>(1, std::chrono::nanoseconds(Clock::now() - begin).count());
    const long calls = std::max<long>(1, longest_delay / duration); // a timer is not exact
    while (!is_over && Clock::now() < begin + most_time) {
      interruptions.interrupt_next(calls * duration);
      for (long call = 0; call < calls && !is_over; ++call)
        if (one())
          is_over = true;
    }
  }
  is_over = true;
  sem_post(&exchange.may_call);
  thread.join();
}

} // namespace assay::testutils
