// Exceptions that are kept and thrown again later (std::exception_ptr): in results of a function that may fail, and in
// coroutines. They carry no numbers with derivatives, but lie in memory beside some.
#include "support/vector_program.hpp"
#include <cmath>
#include <coroutine>
#include <exception>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

namespace {

struct Quotient {
  double value = 0;
  std::exception_ptr failure;
  std::shared_ptr<double> product;
};

Quotient divided(double dividend, double divisor) {
  Quotient result;
  try {
    if (divisor < 0.5)
      throw std::domain_error("the divisor is small");
    result.value = dividend / divisor;
    result.product = std::make_shared<double>(dividend * divisor);
  } catch (...) {
    result.failure = std::current_exception();
    result.value = 2 * dividend;
  }
  return result;
}

double of_results(const double *x, int n) {
  std::vector<Quotient> results;
  for (int i = 0; i < n; ++i)
    results.push_back(divided(x[i], x[(i + 1) % n]));
  double sum = 0;
  for (const Quotient &result : results) {
    try {
      if (result.failure)
        std::rethrow_exception(result.failure);
      sum += result.value * *result.product;
    } catch (const std::domain_error &) {
      sum += result.value * result.value;
    }
  }
  return sum;
}

class Steps {
public:
  struct promise_type {
    double current = 0;
    std::exception_ptr failure;
    Steps get_return_object() { return Steps(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(double value) {
      current = value;
      return {};
    }
    void return_void() {}
    void unhandled_exception() { failure = std::current_exception(); }
  };

  explicit Steps(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  Steps(Steps &&other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  ~Steps() {
    if (handle_)
      handle_.destroy();
  }
  bool next() {
    handle_.resume();
    if (handle_.promise().failure)
      std::rethrow_exception(handle_.promise().failure);
    return !handle_.done();
  }
  double value() const { return handle_.promise().current; }

private:
  std::coroutine_handle<promise_type> handle_;
};

Steps steps(const double *x, int n) {
  double velocity = x[0], place = 0;
  for (int i = 1; i < n; ++i) {
    velocity += 0.5 * std::sin(x[i] * place) - 0.125 * velocity * velocity;
    place += 0.5 * velocity;
    co_yield place;
    if (place > 1)
      throw std::runtime_error("too far");
  }
}

double of_coroutines(const double *x, int n) {
  double sum = 0;
  try {
    Steps all = steps(x, n);
    while (all.next())
      sum += all.value() * all.value();
  } catch (const std::runtime_error &) {
    sum *= x[0];
  }
  return sum;
}

} // namespace

PLUGIN_TEST(KeptExceptions, OfResults) {
  CHECK_FUNCTION(of_results, 0.7, 0.3, 0.9, 0.45, 0.6);
}
PLUGIN_TEST(KeptExceptions, OfCoroutines) {
  CHECK_FUNCTION(of_coroutines, 0.7, 0.3, 0.9, 0.45, 0.6);
  CHECK_FUNCTION(of_coroutines, 1.7, 0.8, 0.9, 1.45, 0.6);
}
