// Many std::function objects of one type of closure.
#include "support/convention.hpp"
#include "support/plugin_test.hpp"
#include <algorithm>
#include <functional>
#include <vector>

namespace {

using Unary = std::function<double(double)>;

double of_one_type(double x) {
  std::vector<Unary> functions;
  for (int i = 1; i <= 3; ++i)
    functions.emplace_back([factor = i * x](double y) { return factor * y; });
  double result = 1;
  for (const Unary &function : functions)
    result = function(result);
  return result; // 6 x^3
}

/// A closure of two words in the function object itself, one of three on the heap.
double of_two_and_three_words(double x) {
  const std::vector<Unary> functions{[a = x, b = 2 * x](double y) { return a * y + b; },
                                     [a = x, b = 2 * x, c = x * x](double y) { return a * y + b * c; }};
  double result = 1;
  for (const Unary &function : functions)
    result = function(result);
  return result; // x (3 x) + 2 x^3
}

/// The vector grows: in its memory there are numbers and addresses, where the loop that moves it sees addresses.
double of_several_types(double x) {
  const std::vector<double> weights{x, 2 * x};
  std::vector<Unary> functions;
  functions.push_back([x](double y) { return x * y; });
  functions.push_back([weights](double y) { return (weights[0] + weights[1]) * y; });
  functions.push_back([first = functions[0], x](double y) { return first(y) + x; });
  double result = 1;
  for (const Unary &function : functions)
    result = function(result);
  return result; // 3 x^3 + x
}

struct Event {
  double time;
  Unary act;
};

/// A captured number is joined with other captures as an address, and then read as a number.
double of_moved_structs(double x) {
  std::vector<Event> events;
  events.push_back({x, [x](double y) { return y * x; }});
  events.push_back({2 * x, [x](double y) { return y + x * x; }});
  events[1] = std::move(events[0]);
  return events[1].act(1) + events[1].time; // 2 x
}

/// While it is sorted a captured number moves from one variable to another before it is in the vector again.
double of_sorted_structs(double x) {
  std::vector<Event> events;
  for (int i = 0; i < 4; ++i) {
    const double start = x / (i + 1);
    if (i % 2 == 1)
      events.push_back({start, [start](double y) { return y * start; }});
    else
      events.push_back({start, [&x](double y) { return y + x; }});
  }
  std::sort(events.begin(), events.end(), [](const Event &a, const Event &b) { return a.time < b.time; });
  double result = 1;
  for (const Event &event : events)
    result = event.act(result);
  return result; // ((x / 4 + x) x / 2) + x
}

} // namespace

PLUGIN_TEST(FunctionsInAVector, MayHoldClosuresOfSeveralSizes) {
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)of_two_and_three_words, 2.0), 36);
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)of_several_types, 2.0), 37);
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)of_several_types, 2.0, 1.0), 37);
}
PLUGIN_TEST(FunctionsInAVector, KeepWhatEachCaptured) {
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)of_one_type, 2.0), 72);
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)of_one_type, 2.0, 1.0), 72);
}
PLUGIN_TEST(FunctionsInAVector, KeepWhatTheyCapturedWhenStructsOfThemMove) {
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)of_moved_structs, 2.0), 2);
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)of_moved_structs, 2.0, 1.0), 2);
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)of_sorted_structs, 2.0), 3.5);
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)of_sorted_structs, 2.0, 1.0), 3.5);
}
