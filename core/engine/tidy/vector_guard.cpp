#include "core/engine/tidy/vector_guard.hpp"

#include "core/engine/tidy/inline_derivatives.hpp"
#include "llvm/ADT/Any.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <memory>

using namespace llvm;

namespace assay::engine {
namespace {

/// A copy of a function's body, in a module of its own where passes do not meet it.
class KeptBody {
public:
  explicit KeptBody(Function &function)
      : function_(function), module_("kept", function.getContext()),
        copy_(*Function::Create(function.getFunctionType(), function.getLinkage(), "kept", module_)) {
    for (auto [argument, twin] : zip(function.args(), copy_.args()))
      twins_[&argument] = &twin;
    // Without a subprogram the copy's instructions keep the places that they have.
    DISubprogram *subprogram = function.getSubprogram();
    function.setSubprogram(nullptr);
    SmallVector<ReturnInst *, 4> returns;
    CloneFunctionInto(&copy_, &function, twins_, CloneFunctionChangeType::LocalChangesOnly, returns);
    function.setSubprogram(subprogram);
  }
  KeptBody(const KeptBody &) = delete;
  KeptBody &operator=(const KeptBody &) = delete;
  ~KeptBody() = default;

  const Function &function() const { return function_; }

  /// Gives the function its instructions back. Its blocks stay, and with them what is known of its control flow.
  void restore() {
    clear();
    DenseMap<const BasicBlock *, BasicBlock *> blocks;
    for (BasicBlock &block : function_) {
      auto &twin = *cast<BasicBlock>(twins_.lookup(&block));
      block.splice(block.end(), &twin);
      twin.replaceAllUsesWith(&block);
      blocks[&twin] = &block;
    }
    for (BasicBlock &block : function_)
      for (PHINode &phi : block.phis())
        for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
          phi.setIncomingBlock(i, blocks.lookup(phi.getIncomingBlock(i)));
    for (Argument &argument : function_.args())
      twins_.lookup(&argument)->replaceAllUsesWith(&argument);
  }

private:
  void clear() {
    for (BasicBlock &block : function_)
      block.dropAllReferences();
    for (BasicBlock &block : function_)
      while (!block.empty()) {
        block.back().dropDbgRecords();
        block.back().eraseFromParent();
      }
  }

  Function &function_;
  Module module_;
  Function &copy_;
  ValueToValueMapTy twins_;
};

bool is_vectoriser(StringRef pass) {
  return pass == "SLPVectorizerPass";
}

} // namespace

void guard_vectors_of_straight_code(PassInstrumentationCallbacks &callbacks) {
  auto kept = std::make_shared<std::unique_ptr<KeptBody>>();
  callbacks.registerBeforeNonSkippedPassCallback([kept](StringRef pass, Any unit) {
    const Function *const *function = any_cast<const Function *>(&unit);
    if (is_vectoriser(pass) && function && (*function)->hasFnAttribute(derivative_attribute))
      *kept = std::make_unique<KeptBody>(const_cast<Function &>(**function));
  });
  callbacks.registerAfterPassCallback([kept](StringRef pass, Any, const PreservedAnalyses &) {
    if (!is_vectoriser(pass) || !*kept)
      return;
    if (verifyFunction((*kept)->function()))
      (*kept)->restore();
    kept->reset();
  });
}

} // namespace assay::engine
