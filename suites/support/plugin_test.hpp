#pragma once
// Tests in sources that are compiled with the plugin at several optimisation levels. This header is light, because
// those sources are compiled often: GoogleTest itself is only seen by plugin_test.cpp, which registers the tests with
// it.

#include <cstddef>

namespace assay::suites {

struct Registration {
  Registration(const char *suite, const char *name, const char *file, int line, void (*body)());
};

/// |actual - expected| <= tolerance * max(1, |expected|); NaN only equals NaN.
void expect_near(double actual, double expected, double tolerance, const char *what, const char *file, int line);
void expect_true(bool condition, const char *what, const char *file, int line);
/// Names a part of the arguments in failure messages, for loops over elements.
void expect_near_element(double actual, double expected, double tolerance, const char *what, std::size_t index,
                         const char *file, int line);

} // namespace assay::suites

#define PLUGIN_TEST(suite, name)                                                                                       \
  static void suite##_##name##_body();                                                                                 \
  static const assay::suites::Registration suite##_##name##_registration(#suite, #name, __FILE__, __LINE__,            \
                                                                         suite##_##name##_body);                       \
  static void suite##_##name##_body()

/// Results that are the same operations in the same order.
#define EXPECT_SAME(actual, expected) assay::suites::expect_near(actual, expected, 0.0, #actual, __FILE__, __LINE__)
/// Derivatives against closed forms in double precision.
#define EXPECT_CLOSE(actual, expected) assay::suites::expect_near(actual, expected, 1e-12, #actual, __FILE__, __LINE__)
/// Derivatives against closed forms in single precision.
#define EXPECT_CLOSE_FLOAT(actual, expected)                                                                           \
  assay::suites::expect_near(actual, expected, 2e-6, #actual, __FILE__, __LINE__)
#define EXPECT_HOLDS(condition) assay::suites::expect_true(condition, #condition, __FILE__, __LINE__)
