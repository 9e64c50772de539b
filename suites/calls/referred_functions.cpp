// Function objects that are reached through pointers, in a program with virtual functions of the same type at the place
// where the object keeps its own.
#include "support/vector_program.hpp"
#include <functional>
#include <memory>
#include <vector>

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
[[gnu::noinline]] void run(const std::vector<Holder> &holders, const std::vector<std::unique_ptr<Step>> &steps) {
  for (std::size_t i = 0; i < holders.size(); ++i) {
    steps[i]->begin();
    (*holders[i].function)();
    steps[i]->end();
  }
}

double referred(const double *x, int n) {
  double s = x[0], t = x[1];
  const std::function<void()> add = [&] {
    for (int i = 0; i < n; ++i)
      s += x[i] * x[i];
  };
  const std::function<void()> multiply = [&] { t *= s; };
  const std::vector<Holder> holders{{&add}, {&multiply}};
  std::vector<std::unique_ptr<Step>> steps;
  steps.push_back(std::make_unique<Scale>(&s));
  steps.push_back(std::make_unique<Scale>(&t));
  run(holders, steps);
  return s + t;
}

} // namespace

PLUGIN_TEST(ReferredFunctions, AreNoVirtualFunctions) {
  CHECK_FUNCTION(referred, 0.3, 0.9, -1.4);
}
