#include "core/engine/lowering/split_promises.hpp"
#include "core/engine/support/derivative_abi.hpp"
#include "core/engine/support/diagnostics.hpp"

using namespace llvm;

namespace assay::engine {

void SplitPromises::note(const CallBase &call, Request request) {
  if (request.mode != Mode::augmented && request.mode != Mode::split_reverse)
    return;
  const std::string all = [&request] {
    Request one_mode = request;
    one_mode.mode = Mode::augmented;
    one_mode.options.free_tape = true;
    return fingerprint(one_mode);
  }();
  const Mode mode = std::exchange(request.mode, Mode::augmented);
  request.options.free_tape = true;
  request.not_overwritten.reset();
  Halves &halves = halves_[fingerprint(request)];
  (mode == Mode::augmented ? halves.augmented : halves.reverse).insert(all);
  halves.last = {const_cast<Function *>(call.getFunction()), call.getDebugLoc(), source_name(*request.function)};
}

std::optional<SplitPromises::Lone> SplitPromises::lone() const {
  for (const auto &entry : halves_) {
    const Halves &halves = entry.second;
    if (halves.augmented.empty() || halves.reverse.empty() || halves.augmented == halves.reverse)
      continue;
    return Lone{halves.last.caller, halves.last.place,
                unsupported(*halves.last.caller, nullptr,
                            "enzyme_not_overwritten stands at one of the two calls that differentiate '" +
                                halves.last.function + "' and not at the other",
                            "__enzyme_augmentfwd and __enzyme_reverse take it before the same arguments")};
  }
  return std::nullopt;
}

} // namespace assay::engine
