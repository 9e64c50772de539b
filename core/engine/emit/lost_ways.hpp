#pragma once
// Ways of the forward sweep to an exception or an abort, which no reverse sweep follows. Only the shadows of released
// memory matter there. Where a pointer has no shadow, the primal stands for it, and a release does not take it for one.

#include "core/engine/emit/shadow_memory.hpp"

namespace assay::engine {

void write_on_lost_way(ForwardSweep &sweep, ShadowMemory &memory, const llvm::Instruction &instruction);

} // namespace assay::engine
