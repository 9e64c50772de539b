#pragma once
// Differences from an earlier run.

#include "reports/record.hpp"

namespace assay::reports {

struct Change {
  enum class Kind : std::uint8_t {
    newly_failing,
    newly_passing,
    less_accurate,
    slower,
    only_now,
    only_before,
    still_failing ///< No change: a failure that was there already.
  };
  Kind kind = Kind::newly_failing;
  const Record *before = nullptr, *now = nullptr; ///< Null where it is only in the other run.
};

/// `newly failing`, ...
std::string_view name_of(Change::Kind kind);

/// How much: `relative error 2e-11, was 1e-13`, `wrong derivative, was pass`; empty where there is nothing to say.
std::string extent_of(const Change &change);

/// The subject of a record, whichever random numbers were drawn: the file, the function, its arguments and the
/// combination; of a subject in no file the case.
std::string subject_of(const Record &record);

/// Failures first. Where a run has several records of one subject, the worst of them counts. A right derivative is less
/// accurate if its worst relative error has grown tenfold and is no rounding of the last digits; when it is slower says
/// timing.hpp.
std::vector<Change> changes_since(const Run &baseline, const Run &run);

} // namespace assay::reports
