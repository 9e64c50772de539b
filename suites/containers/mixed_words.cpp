// Memory that holds pointers at one time and numbers at another: what keeps closures, and values in nodes that are
// linked with the container's own head.
#include "support/vector_program.hpp"
#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

namespace {

double copied_closure(const double *x, int) {
  const double factor = x[0];
  std::function<double(double)> first = [factor](double t) { return t * factor; };
  std::function<double(double)> second = first, third = std::move(first);
  return second(x[1]) * third(x[2]);
}

double locked_pointer(const double *x, int n) {
  auto numbers = std::make_shared<std::vector<double>>(x, x + n);
  const std::weak_ptr<std::vector<double>> observer = numbers;
  double result = 0;
  if (const auto locked = observer.lock())
    result = locked->front() * locked->back();
  return result * double(numbers.use_count());
}

struct Sample {
  double key;
  int index;
  double weight;
};

/// Long enough that the library goes over from quicksort to insertion.
double sorted_structs(const double *x, int n) {
  std::vector<Sample> samples;
  for (int i = 0; i < 20; ++i)
    samples.push_back({x[i % n] * std::sin(3.0 * i + 1), i, x[0] * i});
  std::sort(samples.begin(), samples.end(), [](const Sample &a, const Sample &b) { return a.key < b.key; });
  double result = 0, factor = 1;
  for (const Sample &sample : samples) {
    result += factor * sample.key * sample.weight * sample.index * 0.01;
    factor *= 0.9;
  }
  return result;
}

} // namespace

PLUGIN_TEST(MixedWords, FunctionsAreCopiedAndMoved) {
  CHECK_FUNCTION(copied_closure, 1.1, 2.2, 0.3);
}
PLUGIN_TEST(MixedWords, WeakPointersCountAtomically) {
  CHECK_FUNCTION(locked_pointer, 1.1, 2.2, 0.3);
}
PLUGIN_TEST(MixedWords, StructsAreSortedWhole) {
  CHECK_FUNCTION(sorted_structs, 1.1, 2.2, 0.3, 0.7);
}
