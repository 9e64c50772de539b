#pragma once
// A function that can be left in the middle and entered again, on a stack of its own but in the same thread, so that
// two derivatives can be under way at once and share the variables of that thread.

#include <cstddef>
#include <functional>
#include <ucontext.h>

namespace assay::cli {

class Coroutine {
public:
  explicit Coroutine(std::function<void()> work);
  ~Coroutine();
  Coroutine(const Coroutine &) = delete;
  Coroutine &operator=(const Coroutine &) = delete;

  /// Runs until the work calls `leave` or ends.
  void resume();
  /// Back to who called `resume`.
  void leave();

private:
  static void begin(unsigned high, unsigned low);

  std::function<void()> work_;
  void *stack_;
  ucontext_t inside_{}, outside_{};
};

} // namespace assay::cli
