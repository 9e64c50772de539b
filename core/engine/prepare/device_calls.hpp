#pragma once
// Functions of the device's library and intrinsics of its instructions that do what plain instructions do: they move
// the bits of floats (`__nv_float_as_int`, `__nv_hiloint2double`), convert (`__nv_double2float_rn`), or write several
// results through pointers (`__nv_sincos`, `__nv_modf`). In the clone they are these instructions, so that the analyses
// know them. Bits stay the same, but for the last ones of norms of many numbers (`__nv_norm`), which become loops.

#include "llvm/IR/Function.h"

namespace assay::engine {

bool expand_device_calls(llvm::Function &function);

} // namespace assay::engine
