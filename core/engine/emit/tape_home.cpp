#include "core/engine/emit/tape_home.hpp"
#include "core/engine/emit/memory_stack.hpp"
#include "core/engine/emit/tape_memory.hpp"
#include "core/engine/emit/tape_pool.hpp"

using namespace llvm;

namespace assay::engine {

FunctionCallee take_function(Module &module, TapeHome home) {
  switch (home) {
  case TapeHome::heap:
    return tape_take_function(module);
  case TapeHome::memory_stack:
    return stack_take_function(module);
  case TapeHome::pool:
    return pool_take_function(module);
  }
  llvm_unreachable("unknown home of a tape");
}

FunctionCallee leave_function(Module &module, TapeHome home) {
  switch (home) {
  case TapeHome::heap:
    return tape_leave_function(module);
  case TapeHome::memory_stack:
    return stack_leave_function(module);
  case TapeHome::pool:
    return pool_leave_function(module);
  }
  llvm_unreachable("unknown home of a tape");
}

} // namespace assay::engine
