#include "testutils/observation.hpp"

#include "testutils/triangulation.hpp"

namespace assay::testutils {

void Observation::add_to(Record &record) {
  if (!options_.find_neighbours || // Nobody is going to read it.
      outcome_of(record.verdict) != Outcome::passed || record.sample >= points_.count())
    return;
  Stage &stage = points_.at(record.sample, 0);
  // Of a replacement the point is another one.
  if (stage.point.verdict != Verdict::pass || stage.point.inputs != record.inputs)
    return;
  const bool is_first = !record.worst.empty() && seen_.insert(record.combination.mode).second;
  const bool takes_long = options_.depth != Depth::every_check;
  if (is_first && !takes_long)
    study_steps(stage, record);
  if (takes_long && !is_first)
    return;
  try {
    record.times = stage.subject.time_calls(random_request(stage.subject.signature(), record.combination,
                                                           stage.point.inputs, stage.name, options_.output_tangent));
  } catch (const SubjectError &) { // There are none.
  }
}

} // namespace assay::testutils
