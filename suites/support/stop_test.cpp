#include "support/stop_test.hpp"
#include <gtest/gtest.h>

namespace assay::suites {

void expect_stop(void (*body)(), const char *message, const char *file, int line) {
  SCOPED_TRACE(testing::Message() << file << ":" << line);
  EXPECT_DEATH(body(), message);
}

} // namespace assay::suites
