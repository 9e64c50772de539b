#include "testutils/stale_memory.hpp"

#include "testutils/consult.hpp"

#include <algorithm>

namespace assay::testutils {

static bool fits_what_the_call_leaves(Stage &stage, const Combination &combination) {
  const Signature &signature = stage.subject.signature();
  Arguments left = stage.point.inputs;
  for (std::size_t index = 0; index < left.size(); ++index)
    if (stage.point.written[index] && signature.parameters[index].differentiable())
      left[index] = stage.point.primal.contents[index];
  if (same_bits(left, stage.point.inputs))
    return false;
  Stage later(stage.subject, left, stage.options, stage.name.sample);
  if (later.point.verdict != Verdict::pass || later.point.written != stage.point.written)
    return false;
  const DerivativeRequest request = random_request(signature, combination, stage.point.inputs, stage.name);
  const DerivativeOutcome outcome = stage.subject.differentiate(request);
  return consult(later, request, outcome).finding.verdict == Verdict::pass;
}

void hint_at_stale_memory(Stage &stage, Record &record) {
  if (record.combination.mode != Mode::reverse)
    return;
  try {
    if (fits_what_the_call_leaves(stage, record.combination))
      record.hints.emplace_back("the derivative is that at the contents of memory after the call: an argument that is "
                                "overwritten has to be kept");
  } catch (const SubjectError &) { // Then there is nothing to compare.
  }
}

} // namespace assay::testutils
