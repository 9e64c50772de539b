#include "support/plugin_test.hpp"
#include <cmath>
#include <gtest/gtest.h>
#include <string>

namespace assay::suites {

namespace {

struct Body : testing::Test {
  explicit Body(void (*run)()) : run_(run) {}
  void TestBody() override { run_(); }

private:
  void (*run_)();
};

bool is_near(double actual, double expected, double tolerance) {
  if (std::isnan(expected) || std::isnan(actual))
    return std::isnan(expected) && std::isnan(actual);
  return actual == expected || std::abs(actual - expected) <= tolerance * std::fmax(1.0, std::abs(expected));
}

void report(double actual, double expected, double tolerance, const std::string &what, const char *file, int line) {
  if (is_near(actual, expected, tolerance))
    return;
  char text[160];
  std::snprintf(text, sizeof text, " is %.17g, expected %.17g, difference %.3g, tolerance %.3g", actual, expected,
                actual - expected, tolerance);
  ADD_FAILURE_AT(file, line) << what << text;
}

} // namespace

Registration::Registration(const char *suite, const char *name, const char *file, int line, void (*body)()) {
  testing::RegisterTest(suite, name, nullptr, nullptr, file, line,
                        [body]() -> testing::Test * { return new Body(body); });
}

void expect_near(double actual, double expected, double tolerance, const char *what, const char *file, int line) {
  report(actual, expected, tolerance, what, file, line);
}

void expect_near_element(double actual, double expected, double tolerance, const char *what, std::size_t index,
                         const char *file, int line) {
  report(actual, expected, tolerance, std::string(what) + "[" + std::to_string(index) + "]", file, line);
}

void expect_true(bool condition, const char *what, const char *file, int line) {
  if (!condition)
    ADD_FAILURE_AT(file, line) << what << " does not hold";
}

} // namespace assay::suites

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
