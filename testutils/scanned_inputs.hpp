#pragma once
// Points of a scan: a table may have one wrong entry, which few random points meet.

#include <assay/testing/check.hpp>

namespace assay::testutils {

/// A point of a scan: over `CheckOptions::scanned_samples` of them, each number with two limits is once in each of so
/// many equal parts of its domain, also at its ends. `sample` is the point's number times 2^16, plus that of an
/// attempt.
Arguments scanned_inputs(const Signature &signature, const CheckOptions &options, unsigned sample);

} // namespace assay::testutils
