// Tasks that leave their results in futures, and what is run once.
#include "support/vector_program.hpp"
#include <future>
#include <mutex>
#include <thread>

namespace {

using namespace assay::suites;

double by_task(const double *x, int n) {
  std::packaged_task<double(int)> task([=](int step) {
    double sum = 0;
    for (int i = 0; i < n; i += step)
      sum += x[i] * x[i] * x[i];
    return sum;
  });
  std::future<double> sum = task.get_future();
  std::thread(std::move(task), 2).join();
  return std::sqrt(sum.get());
}

struct Once {
  std::once_flag flag;
  double value = 0;
};
double run_once(const double *x, int) {
  Once once;
  for (int i = 0; i < 3; ++i)
    std::call_once(once.flag, [&](int k) { once.value += x[k] * x[k + 1]; }, i);
  return once.value * x[2];
}

} // namespace

PLUGIN_TEST(Futures, AreThoseOfTasks) {
  CHECK_FUNCTION(by_task, 0.9, 0.4, 0.7, 1.2, 0.5);
}
PLUGIN_TEST(Futures, KnowWhatIsRunOnce) {
  CHECK_FUNCTION(run_once, 0.9, 0.4, 0.7, 1.2);
}
