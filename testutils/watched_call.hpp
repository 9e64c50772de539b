#pragma once
// Calls of a kernel with its threads watched, by the command and by compiled tests: each has its own watch.

#include "gpu/runtime/findings.hpp"
#include "gpu/runtime/launch.hpp"
#include "testutils/numbers.hpp"

#include <assay/testing/subject.hpp>

namespace assay::testutils {

template <class Watch>
ThreadReport report_of(const Watch &watch) {
  ThreadReport report;
  report.has_atomics = watch.has_atomics();
  report.has_narrow_atomics = watch.has_narrow_atomics();
  for (const gpu::Finding &finding : watch.findings()) {
    if (finding.kind == gpu::Finding::Kind::leak)
      report.leaks.push_back(finding.text);
    else if (!finding.has_same_value) // Whichever of them comes first, the memory holds the same.
      report.findings.push_back(finding.text);
  }
  return report;
}

/// Calls `launch()` under `watch`. A launch that fails says why in the report.
template <class Watch, class Launch>
ThreadReport watched(const Watch &watch, Launch launch) {
  try {
    launch();
  } catch (const SubjectError &) {
    ThreadReport report = report_of(watch);
    if (report.findings.empty())
      throw;
    return report;
  }
  return report_of(watch);
}

struct WatchedFunction {
  ThreadReport report;
  std::vector<std::string> absent_lanes_read;
  Arguments contents; ///< As PrimalOutcome has them.
};

/// `call(absent_lanes)` gives a WatchedFunction. That a shuffle reads a lane which takes no part in it is a finding
/// where the function computes something else with another value there.
template <class Call>
ThreadReport watch_function(Call call) {
  WatchedFunction usual = call(gpu::AbsentLanes::ones);
  if (!usual.report.findings.empty() || usual.absent_lanes_read.empty())
    return usual.report;
  const WatchedFunction other = call(gpu::AbsentLanes::zeros);
  if (!other.report.findings.empty() || !same_bits(other.contents, usual.contents))
    usual.report.findings = std::move(usual.absent_lanes_read);
  return usual.report;
}

} // namespace assay::testutils
