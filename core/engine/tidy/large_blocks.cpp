#include "core/engine/tidy/large_blocks.hpp"
#include "core/engine/tidy/inline_derivatives.hpp"
#include "llvm/ADT/Any.h"
#include "llvm/IR/PassInstrumentation.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr double most_work = 1.5e6; // pairs of instructions in the same block

double pairs_in_blocks(const Function &function) {
  double pairs = 0;
  for (const BasicBlock &block : function)
    pairs += double(block.size()) * double(block.size());
  return pairs;
}

} // namespace

void spare_large_derivatives(PassInstrumentationCallbacks &callbacks) {
  callbacks.registerShouldRunOptionalPassCallback([](StringRef pass, Any unit) {
    if (pass != "SLPVectorizerPass")
      return true;
    const Function *const *function = any_cast<const Function *>(&unit);
    return !function || !(*function)->hasFnAttribute(derivative_attribute) || pairs_in_blocks(**function) <= most_work;
  });
}

} // namespace assay::engine
