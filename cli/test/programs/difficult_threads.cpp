// Right rules that begin threads of their own, or do something once.
#include <assay/check.h>
#include <assay/rules.hpp>
#include <cmath>
#include <future>
#include <mutex>
#include <thread>

using namespace assay;

[[gnu::noinline]] double sine(double x) {
  return std::sin(x);
}

struct InAnotherThread {
  static auto reverse(const auto &, auto dy, None, auto x) {
    const double value = x.value;
    auto cosine = std::async(std::launch::async, [value] { return std::cos(value); });
    return dy * cosine.get();
  }
};
ASSAY_RULE(InAnotherThread, sine);

double uses_sine(double x) {
  return sine(x) * x;
}
ASSAY_CHECK(uses_sine);

[[gnu::noinline]] double cube(double x) {
  return x * x * x;
}

struct WithOnceFlag {
  static auto reverse(const auto &, auto dy, None, auto x) {
    static std::once_flag flag;
    static double factor;
    std::call_once(flag, [] { factor = 3; });
    double slope = 0;
    const double value = x.value;
    std::thread thread([&slope, value] { slope = value * value; });
    thread.join();
    return dy * slope * factor;
  }
};
ASSAY_RULE(WithOnceFlag, cube);

double uses_cube(double x) {
  return cube(x) + x;
}
ASSAY_CHECK(uses_cube);
