#pragma once
// A function in LLVM IR and the plan of its reverse sweep.

#include "core/engine/plan/plan.hpp"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/ValueSymbolTable.h"
#include "llvm/Support/SourceMgr.h"
#include <gtest/gtest.h>

namespace assay::engine {

using namespace llvm;

enum class Sweeps { combined, split, split_in_derivative };

/// Plans for the values named `need*` of the only function in `text`, all of whose blocks have reverse work. Calls of
/// `again` may be repeated.
class PlannedFunction {
public:
  PlannedFunction(StringRef text, Sweeps sweeps) {
    SMDiagnostic problem;
    module_ = parseAssemblyString(text, problem, context_);
    if (!module_) {
      problem.print("plan_test", errs());
      ADD_FAILURE() << "the test's IR does not parse";
      return;
    }
    PassBuilder builder;
    builder.registerModuleAnalyses(modules_);
    builder.registerCGSCCAnalyses(components_);
    builder.registerFunctionAnalyses(functions_);
    builder.registerLoopAnalyses(loops_);
    builder.crossRegisterProxies(loops_, functions_, components_, modules_);
    function_ = &*find_if(*module_, [](Function &function) { return !function.isDeclaration(); });
    make(sweeps);
  }

  /// How `%name` gets to the reverse sweep; nothing if it does not.
  std::optional<Storage> storage(StringRef name) const {
    auto found = plan_.storage.find(value(name));
    return found == plan_.storage.end() ? std::nullopt : std::optional(found->second);
  }
  /// The loops that repeat the store of `%name`; nothing if that is not restored.
  std::optional<unsigned> restored(StringRef name) const {
    for (const RestoredStore &entry : plan_.restored)
      if (entry.store->getOperand(0) == value(name))
        return entry.repeating.size();
    return std::nullopt;
  }
  /// The check under which the store of `%name` is restored; nothing for none.
  std::optional<unsigned> restored_if(StringRef name) const {
    auto found = find_if(plan_.restored, [&](const auto &entry) { return entry.store->getOperand(0) == value(name); });
    return found == plan_.restored.end() ? std::nullopt : found->check;
  }
  /// The number of checks under which the loop with this header is not in free order; nothing where it never is.
  std::optional<unsigned> free_unless(StringRef header) const {
    for (const auto &[loop, order] : plan_.order_independent_loops)
      if (loop->getHeader() == block(header))
        return order.unless.size();
    return std::nullopt;
  }
  /// The whole plan.
  std::string text() const {
    std::string text;
    raw_string_ostream out(text);
    plan_.print(out);
    return text;
  }
  const ControlRecord &control() const { return control_; }
  const Value *value(StringRef name) const { return function_->getValueSymbolTable()->lookup(name); }
  const BasicBlock *block(StringRef name) const { return cast<BasicBlock>(value(name)); }

private:
  void make(Sweeps sweeps) {
    const bool split = sweeps != Sweeps::combined;
    LoopInfo &loops = functions_.getResult<LoopAnalysis>(*function_);
    DominatorTree &dominators = functions_.getResult<DominatorTreeAnalysis>(*function_);
    const auto always = [](const BasicBlock &) { return true; };
    const auto never = [](const BasicBlock &) { return false; };
    control_ = cantFail(record_control(*function_, loops, dominators,
                                       functions_.getResult<ScalarEvolutionAnalysis>(*function_), {always, never}));
    Needs needed;
    for (Instruction &instruction : instructions(*function_))
      if (instruction.getName().starts_with("need"))
        needed.add(&instruction, instruction);
    const auto nothing_own = [](const Value &) { return false; };
    const auto everything_restored = [](const Instruction &) { return true; };
    const RowTables no_tables;
    Independence independence(loops, functions_.getResult<ScalarEvolutionAnalysis>(*function_), no_tables);
    ReloadAnalysis reloads(*function_, functions_.getResult<AAManager>(*function_),
                           SmallPtrSet<const Instruction *, 1>(), split, nothing_own, everything_restored,
                           independence);
    const auto reload = [&](const LoadInst &load) -> const Reload & { return reloads.find(load); };
    const auto cheap = [](const Instruction &) { return false; };
    const auto may_call_again = [](const CallBase &call) {
      return call.getCalledFunction() && call.getCalledFunction()->getName() == "again";
    };
    const auto is_of_floats = [](const Instruction &instruction) {
      const Type *type = isa<StoreInst>(instruction) ? instruction.getOperand(0)->getType() : instruction.getType();
      return type->isFPOrFPVectorTy();
    };
    const auto in_any_case = [](const Instruction &) { return false; }; // restored whether memory overlaps or not
    const StorageInput storage{*function_,     needed,     control_,
                               loops,          dominators, functions_.getResult<ScalarEvolutionAnalysis>(*function_),
                               split,          reload,     cheap,
                               may_call_again, in_any_case};
    plan_ = make_plan({storage, reloads, independence, is_of_floats, cheap, /*runtime_activity=*/false,
                       sweeps == Sweeps::split_in_derivative ? Caller::derivative : Caller::program});
  }

  LLVMContext context_;
  std::unique_ptr<Module> module_;
  LoopAnalysisManager loops_;
  FunctionAnalysisManager functions_;
  CGSCCAnalysisManager components_;
  ModuleAnalysisManager modules_;
  Function *function_ = nullptr;
  ControlRecord control_;
  Plan plan_;
};

} // namespace assay::engine
