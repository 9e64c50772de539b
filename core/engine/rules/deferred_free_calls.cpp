#include "core/engine/rules/deferred_free_calls.hpp"

using namespace llvm;

namespace assay::engine {

static bool calls_list_function(const CallBase &call, StringRef name) {
  const Function *callee = call.getCalledFunction();
  return callee && callee->hasLocalLinkage() && callee->getName() == (list_prefix + name).str();
}

bool is_bury(const CallBase &call) {
  return calls_list_function(call, bury_name);
}

bool is_release_buried(const CallBase &call) {
  return calls_list_function(call, release_buried_name);
}

bool is_address_note(const CallBase &call) {
  return calls_list_function(call, address_note_name);
}

} // namespace assay::engine
