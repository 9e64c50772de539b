#include "core/engine/support/open_calls.hpp"
#include "core/engine/support/convention_names.hpp"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace assay::engine {

static bool is_open_call(const Instruction &instruction) {
  const auto *call = dyn_cast<CallBase>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  const auto kind = callee ? convention_call(*callee) : std::nullopt;
  return kind && asks_for_derivative(*kind);
}

bool asks_for_derivatives(Function &function) {
  SetVector<Function *> reached;
  reached.insert(&function);
  for (size_t next = 0; next < reached.size(); ++next)
    for (Instruction &instruction : instructions(*reached[next])) {
      if (is_open_call(instruction))
        return true;
      const auto *call = dyn_cast<CallBase>(&instruction);
      if (Function *callee = call ? call->getCalledFunction() : nullptr; callee && !callee->isDeclaration())
        reached.insert(callee);
    }
  return false;
}

} // namespace assay::engine
