// Function objects that are reached through pointers, in a program with virtual functions of the same type at the place
// where the object keeps its own.
#include "support/vector_program.hpp"
#include <functional>
#include <memory>

namespace {

struct Step {
  virtual ~Step() = default;
  virtual void begin() = 0;
  virtual void end() = 0;
};
struct Scale : Step {
  double *value;
  explicit Scale(double *given) : value(given) {}
  void begin() override { *value *= 2; }
  void end() override { *value *= *value; }
};

struct Holder {
  const std::function<void()> *function;
};
[[gnu::noinline]] void run(const Holder *holder, Step *step) {
  step->begin();
  (*holder->function)();
  step->end();
}

double referred(const double *x, int n) {
  double s = x[0];
  const std::function<void()> add = [&] {
    for (int i = 0; i < n; ++i)
      s += x[i] * x[i];
  };
  const auto holder = std::make_unique<Holder>(Holder{&add});
  const std::unique_ptr<Step> step = std::make_unique<Scale>(&s);
  run(holder.get(), step.get());
  return s;
}

} // namespace

PLUGIN_TEST(ReferredFunctions, AreNoVirtualFunctions) {
  CHECK_FUNCTION(referred, 0.3, 0.9, -1.4);
}
