#pragma once
// JUnit XML, for continuous integration: one test suite a function, one test case a combination.

#include "reports/record.hpp"

namespace assay::reports {

std::string to_junit_xml(const Run &run);

} // namespace assay::reports
