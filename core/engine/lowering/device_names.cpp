#include "core/engine/lowering/device_names.hpp"
#include "core/engine/support/shadow_name.hpp"

using namespace llvm;

namespace assay::engine {

void respell_shadows(Module &module) {
  for (GlobalVariable &global : module.globals()) {
    if (global.hasLocalLinkage() || !shadow_name(global))
      continue;
    std::string name = global.getName().str();
    std::ranges::replace(name, '.', '$');
    global.setName(name);
  }
}

} // namespace assay::engine
