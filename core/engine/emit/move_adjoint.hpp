#pragma once
// The adjoint of memcpy and memmove on floating-point memory: the content of the destination's shadow is added to the
// source's shadow and the destination's is zeroed. Written once per element type as a function of the module.

#include "core/engine/plan/adjoint_adds.hpp"
#include "llvm/IR/Module.h"

namespace assay::engine {

enum class Overlap : std::uint8_t { none, possible };

/// void f(ptr destination_shadow, ptr source_shadow, i64 bytes). With possible overlap the direction of the loop is
/// chosen at run time, so that no element is read after an adjoint was added to it.
llvm::Function *move_adjoint_function(llvm::Module &module, llvm::Type *element, Overlap overlap, AdjointAdd add);

} // namespace assay::engine
