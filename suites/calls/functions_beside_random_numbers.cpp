// Function objects that schedule one another, in a program that draws random numbers: the library computes those by way
// of long doubles, which never are in memory, so that the words of the function objects are doubles still.
#include "support/vector_program.hpp"
#include <functional>
#include <queue>
#include <random>
#include <vector>
namespace {
struct Event {
  double time;
  std::function<void(double)> action;
  bool operator<(const Event &other) const { return time > other.time; }
};
double scheduled(const double *x, int) {
  std::priority_queue<Event> queue;
  double level = x[0], rate = x[1], total = 0, last = 0;
  const auto advance = [&](double time) {
    total += level * (time - last) + 0.5 * rate * (time - last) * (time - last);
    level += rate * (time - last);
    last = time;
  };
  std::function<void(double)> leak = [&](double time) {
    advance(time);
    rate = -x[2] * level;
    if (time < 2)
      queue.push({time + 0.7 + 0.1 * x[3], leak});
  };
  queue.push({0.3 + 0.05 * x[4], leak});
  for (int i = 0; i < 3; ++i)
    queue.push({0.55 + 0.6 * i + 0.01 * x[1], [&, i](double time) {
                  advance(time);
                  level += x[0] * i;
                  rate *= 0.5;
                }});
  while (!queue.empty()) {
    const Event event = queue.top();
    queue.pop();
    event.action(event.time);
  }
  return total + level;
}
double sampled(const double *x, int) {
  std::mt19937 generator(42);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0, 1);
  double sum = 0;
  for (int path = 0; path < 20; ++path) {
    double value = 1 + x[0];
    for (int step = 0; step < 5; ++step) {
      value *= std::exp(0.1 * x[1] + 0.3 * x[2] * normal(generator));
      if (uniform(generator) < 0.1)
        value *= 1 - 0.1 * x[3];
    }
    sum += value / (1 + value);
  }
  return sum / 20;
}
} // namespace

PLUGIN_TEST(FunctionsBesideRandomNumbers, ScheduleOneAnother) {
  CHECK_FUNCTION(scheduled, 0.7, 0.4, 0.6, 0.3, 0.5);
}
PLUGIN_TEST(FunctionsBesideRandomNumbers, SamplePaths) {
  CHECK_FUNCTION(sampled, 0.3, 0.2, 0.4, 0.6);
}
