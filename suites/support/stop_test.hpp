#pragma once
// Tests of programs that a derivative stops.

namespace assay::suites {

/// `body` ends the program, and says `message` on standard error.
void expect_stop(void (*body)(), const char *message, const char *file, int line);

} // namespace assay::suites

#define EXPECT_STOP(body, message) assay::suites::expect_stop(body, message, __FILE__, __LINE__)
