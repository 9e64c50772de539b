// A subject that sees the heap tells after each call what it left; it may have handed that to a library which freed it.
// Another tells nothing. Both are asked again: memory is lost where the process's heap grows by the same with each
// call. A function that keeps memory itself may keep its shadow as well, so there the derivative is not judged.

#include "testutils/finding.hpp"
#include "testutils/heap_growth.hpp"

#include <fmt/format.h>

namespace assay::testutils {

Finding check_single_release(const DerivativeOutcome &outcome) {
  Finding finding{Verdict::pass, "memory is freed once", {}, {}, 0};
  if (!outcome.heap || outcome.heap->faults.empty())
    return finding;
  finding.verdict = Verdict::wrong_release;
  finding.detail = fmt::format("the derivative frees memory that is free already: {}", outcome.heap->faults.front());
  if (outcome.heap->faults.size() > 1)
    finding.detail += fmt::format(", and {} more", outcome.heap->faults.size() - 1);
  return finding;
}

static std::string blocks_left(const HeapUse &heap) {
  return fmt::format("{} {} ({} bytes)", heap.blocks_left, heap.blocks_left == 1 ? "block" : "blocks", heap.bytes_left);
}

Finding check_complete_release(Subject &subject, const Point &point, const DerivativeRequest &request,
                               const DerivativeOutcome &outcome) {
  Finding finding{Verdict::pass, "all memory is freed", {}, {}, 0};
  if (!subject.keeps_nothing())
    return finding;
  const bool is_seen = outcome.heap && point.primal.heap;
  if (is_seen && (outcome.heap->blocks_left == 0 || point.primal.heap->blocks_left != 0))
    return finding;
  const std::size_t growth = heap_growth([&] { static_cast<void>(subject.differentiate(request)); });
  if (growth == 0 || heap_growth([&] { static_cast<void>(subject.evaluate(point.inputs)); }) != 0)
    return finding;
  finding.verdict = Verdict::wrong_release;
  finding.detail = fmt::format("each call of the derivative leaves {} on the heap, while the function leaves none",
                               is_seen ? blocks_left(*outcome.heap) : fmt::format("{} bytes", growth));
  return finding;
}

} // namespace assay::testutils
