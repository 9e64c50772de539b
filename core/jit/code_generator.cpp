#include "core/jit/code_generator.hpp"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/ExecutionEngine/Orc/CompileUtils.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace assay::jit {

namespace {

constexpr const char *run_little = "assay.run-little";

class CodeGenerator : public orc::IRCompileLayer::IRCompiler {
public:
  CodeGenerator(const orc::JITTargetMachineBuilder &builder, Repetition repetition,
                std::unique_ptr<TargetMachine> quick, std::unique_ptr<TargetMachine> thorough)
      : IRCompiler(orc::irManglingOptionsFromTargetOptions(builder.getOptions())), repetition_(repetition),
        quick_(std::move(quick)), thorough_(std::move(thorough)) {}

  Expected<std::unique_ptr<MemoryBuffer>> operator()(Module &module) override {
    const bool is_short =
        repetition_ == Repetition::little || module.getNamedMetadata(run_little) || is_straight(module);
    return orc::SimpleCompiler(is_short ? *quick_ : *thorough_)(module);
  }

private:
  Repetition repetition_;
  std::unique_ptr<TargetMachine> quick_, thorough_;
};

bool has_loop(const Function &function) {
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>, 1> back_edges;
  if (!function.isDeclaration())
    FindFunctionBackedges(function, back_edges);
  return !back_edges.empty();
}

/// Depth first search for a circle of calls. A call through a pointer leaves the module unless a pointer to one of its
/// functions exists.
class CallWalk {
public:
  explicit CallWalk(const Module &module)
      : has_pointers_(any_of(module, [](const Function &function) {
          return !function.isDeclaration() && function.hasAddressTaken();
        })) {}

  bool ends(const Function &function) {
    const auto [known, is_new] = state_.try_emplace(&function, State::open);
    if (!is_new)
      return known->second == State::closed;
    for (const Instruction &instruction : instructions(function))
      if (const auto *call = dyn_cast<CallBase>(&instruction); call && !ends_call(*call))
        return false;
    state_[&function] = State::closed;
    return true;
  }

private:
  enum class State { open, closed };

  bool ends_call(const CallBase &call) {
    const Function *callee = call.getCalledFunction();
    return callee ? callee->isDeclaration() || ends(*callee) : call.isInlineAsm() || !has_pointers_;
  }

  bool has_pointers_;
  DenseMap<const Function *, State> state_;
};

} // namespace

void mark_as_run_little(Module &module) {
  module.getOrInsertNamedMetadata(run_little);
}

bool is_straight(const Module &module) {
  CallWalk walk(module);
  return none_of(module, has_loop) && all_of(module, [&](const Function &function) { return walk.ends(function); });
}

Expected<std::unique_ptr<orc::IRCompileLayer::IRCompiler>> make_code_generator(orc::JITTargetMachineBuilder builder,
                                                                               Repetition repetition) {
  auto thorough = builder.createTargetMachine();
  if (!thorough)
    return thorough.takeError();
  auto quick = builder.setCodeGenOptLevel(CodeGenOptLevel::None).createTargetMachine();
  if (!quick)
    return quick.takeError();
  return std::make_unique<CodeGenerator>(builder, repetition, std::move(*quick), std::move(*thorough));
}

} // namespace assay::jit
