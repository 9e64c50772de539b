#include "core/engine/support/call_marks.hpp"

namespace assay::engine {

bool is_noreturn_path_call(const llvm::CallBase &call) {
  return call.hasFnAttr(noreturn_path_call_attribute);
}

bool is_unlikely_candidate(const llvm::CallBase &call) {
  return call.hasFnAttr(unlikely_candidate_attribute);
}

bool is_measured_search(const llvm::CallBase &call) {
  return call.hasFnAttr(measured_search_attribute);
}

} // namespace assay::engine
