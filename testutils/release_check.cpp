// A subject that sees the heap tells after each call what it left; it may have handed that to a library which freed it.
// Another tells nothing. Both are asked again: memory is lost where the process's heap grows by the same with each
// call. A function that keeps memory itself may keep its shadow as well, so there the derivative is not judged.

#include "testutils/finding.hpp"
#include "testutils/heap_growth.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace assay::testutils {

static std::size_t faults_in(const std::optional<HeapUse> &heap) {
  return heap ? heap->faults.size() : 0;
}

Finding check_single_release(const Point &point, const DerivativeOutcome &outcome) {
  Finding finding{Verdict::pass, "memory is freed once", {}, {}, 0};
  if (faults_in(outcome.heap) == 0 || faults_in(point.primal.heap) != 0)
    return finding;
  finding.verdict = Verdict::wrong_release;
  const std::string &fault = outcome.heap->faults.front();
  finding.detail = fault.ends_with("freed twice")
                       ? fmt::format("the derivative frees memory that is free already: {}", fault)
                       : fmt::format("the derivative releases memory otherwise than it was allocated: {}", fault);
  if (outcome.heap->faults.size() > 1)
    finding.detail += fmt::format(", and {} more", outcome.heap->faults.size() - 1);
  return finding;
}

static std::string blocks_left(const HeapUse &heap) {
  return fmt::format("{} {} ({} bytes)", heap.blocks_left, heap.blocks_left == 1 ? "block" : "blocks", heap.bytes_left);
}

/// What a variable of the program holds on to, as a table that is made at the first call, is not lost: with the
/// variable left as it is, no further call makes another one.
static bool is_kept_for_later_calls(Subject &subject, const DerivativeRequest &request) {
  return subject.differentiate_again(request) &&
         heap_growth([&] { static_cast<void>(subject.differentiate_again(request)); }) == 0;
}

static bool leaves_mappings(const std::optional<HeapUse> &heap) {
  return heap && !heap->mappings.empty();
}

/// As `is_kept_for_later_calls`, of memory that is mapped.
static bool is_mapped_once(Subject &subject, const DerivativeRequest &request) {
  return subject.differentiate_again(request) &&
         mapping_growth([&] { static_cast<void>(subject.differentiate_again(request)); }) == 0;
}

Finding check_complete_release(Subject &subject, const Point &point, const DerivativeRequest &request,
                               const DerivativeOutcome &outcome) {
  Finding finding{Verdict::pass, "all memory is freed", {}, {}, 0};
  if (!subject.keeps_nothing())
    return finding;
  if (leaves_mappings(outcome.heap) && !leaves_mappings(point.primal.heap) && !is_mapped_once(subject, request)) {
    finding.verdict = Verdict::wrong_release;
    finding.detail = fmt::format("each call of the derivative leaves {}, while the function leaves none",
                                 fmt::join(outcome.heap->mappings, ", "));
    return finding;
  }
  const bool is_seen = outcome.heap && point.primal.heap;
  if (is_seen && (outcome.heap->blocks_left == 0 || point.primal.heap->blocks_left != 0))
    return finding;
  const std::size_t growth = heap_growth([&] { static_cast<void>(subject.differentiate(request)); });
  if (growth == 0 || heap_growth([&] { static_cast<void>(subject.evaluate(point.inputs)); }) != 0)
    return finding;
  if (is_kept_for_later_calls(subject, request))
    return finding;
  finding.verdict = Verdict::wrong_release;
  finding.detail = fmt::format("each call of the derivative leaves {} on the heap, while the function leaves none",
                               is_seen ? blocks_left(*outcome.heap) : fmt::format("{} bytes", growth));
  if (is_seen && !outcome.heap->left.empty())
    finding.detail += fmt::format(": {}", fmt::join(outcome.heap->left, ", "));
  return finding;
}

} // namespace assay::testutils
