// Coroutines that wait for one another: each hands over to the next without a frame of its own on the stack, and the
// last one to a coroutine that does nothing.
#include "support/vector_program.hpp"
#include <cmath>
#include <coroutine>
#include <exception>
#include <utility>

namespace {

class Task {
public:
  struct promise_type {
    double result = 0;
    std::coroutine_handle<> waiting;

    struct HandsOver {
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> ended) noexcept {
        const std::coroutine_handle<> waiting = ended.promise().waiting;
        return waiting ? waiting : std::noop_coroutine();
      }
      void await_resume() noexcept {}
    };

    Task get_return_object() { return Task(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() { return {}; }
    HandsOver final_suspend() noexcept { return {}; }
    void return_value(double value) { result = value; }
    void unhandled_exception() { std::terminate(); }
  };

  explicit Task(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  Task(Task &&other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  ~Task() {
    if (handle_)
      handle_.destroy();
  }

  bool await_ready() { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> waiting) {
    handle_.promise().waiting = waiting;
    return handle_;
  }
  double await_resume() { return handle_.promise().result; }

  double run() {
    handle_.resume();
    return handle_.promise().result;
  }

private:
  std::coroutine_handle<promise_type> handle_;
};

Task of_two_before(const double *x, int n) {
  if (n < 2)
    co_return x[n] * x[n];
  const double last = co_await of_two_before(x, n - 1);
  const double before = co_await of_two_before(x, n - 2);
  co_return std::sin(last) * 0.75 + before *x[n];
}

double waited_for(const double *x, int n) {
  return of_two_before(x, n - 1).run();
}

} // namespace

PLUGIN_TEST(Coroutines, WaitForOneAnother) {
  CHECK_FUNCTION(waited_for, 0.7, 0.3, 0.9, 0.45, 0.6);
}
