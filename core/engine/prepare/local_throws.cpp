#include "core/engine/prepare/local_throws.hpp"
#include "core/engine/analysis/library_effects.hpp"
#include "core/engine/support/library_table.hpp"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include <optional>

using namespace llvm;

namespace assay::engine {
namespace {

/// A throw of which is known which clause of its landing pad takes it.
struct LocalThrow {
  InvokeInst *invoke;
  CallBase *object;
  Value *caught_type; ///< Null where the handler takes everything.
};

bool is_call_of(const Instruction &instruction, StringRef name) {
  const auto *call = dyn_cast<CallBase>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->isDeclaration() && callee->getName() == name;
}

bool is_catch(const Instruction &instruction) {
  const auto *call = dyn_cast<CallBase>(&instruction);
  return call && exception_role(*call) == ExceptionRole::catches;
}

/// The description of the class that `type` derives from alone; itself where it derives from none. Null where it may
/// derive from others, or nothing is known of it.
const Value *base_of(const Value &type) {
  const auto *description = dyn_cast<GlobalVariable>(&type);
  if (!description)
    return nullptr;
  if (!description->hasInitializer()) // _ZTId and the like are of numbers
    return description->getName().starts_with("_ZTI") && description->getName().size() == 5 ? description : nullptr;
  const auto *fields = dyn_cast<ConstantStruct>(description->getInitializer());
  const Value *kind = fields ? fields->getOperand(0)->stripInBoundsConstantOffsets() : nullptr;
  if (!kind)
    return nullptr;
  if (kind->getName() == "_ZTVN10__cxxabiv117__class_type_infoE")
    return description;
  return kind->getName() == "_ZTVN10__cxxabiv120__si_class_type_infoE" ? fields->getOperand(2) : nullptr;
}

/// Whether a handler of type `caught` catches exceptions of type `thrown`, at their own address; nothing where that is
/// not known.
std::optional<bool> takes(const Value &caught, const Value &thrown) {
  const Value *type = &thrown;
  for (const Value *base = base_of(*type); type != &caught; type = base, base = base_of(*type)) {
    if (!base)
      return std::nullopt;
    if (base == type)
      return false;
  }
  return true;
}

/// True where nothing but handlers, and what goes on with the search for one, has the exception: who keeps its address
/// needs one that the runtime knows.
bool goes_to_handlers_alone(const LandingPadInst &pad) {
  SmallVector<const Value *, 8> next{&pad};
  SmallPtrSet<const Value *, 16> seen;
  while (!next.empty()) {
    const Value *value = next.pop_back_val();
    if (!seen.insert(value).second || value->getType()->isIntegerTy())
      continue; // a selector
    for (const User *user : value->users()) {
      const auto *instruction = cast<Instruction>(user);
      if (const auto *store = dyn_cast<StoreInst>(instruction); store && isa<AllocaInst>(store->getPointerOperand()))
        next.push_back(store->getPointerOperand()); // as code that is not optimised keeps it
      else if (isa<ExtractValueInst, InsertValueInst, PHINode, SelectInst, LoadInst>(instruction))
        next.push_back(instruction);
      else if (!isa<ResumeInst>(instruction) && !is_catch(*instruction))
        return false;
    }
  }
  return true;
}

std::optional<LocalThrow> local_throw(InvokeInst &invoke) {
  const Function *callee = invoke.getCalledFunction();
  if (!callee || library_role(*callee) != LibraryRole::throw_exception ||
      !isa<ConstantPointerNull, Function>(invoke.getArgOperand(2)))
    return std::nullopt;
  auto *object = dyn_cast<CallBase>(invoke.getArgOperand(0));
  if (!object || exception_role(*object) != ExceptionRole::makes || !isa<ConstantInt>(object->getArgOperand(0)))
    return std::nullopt;
  const auto is_other_throw = [&](const User *user) {
    const auto *call = dyn_cast<CallBase>(user);
    const Function *called = call ? call->getCalledFunction() : nullptr;
    return call != &invoke && called && library_role(*called) == LibraryRole::throw_exception;
  };
  if (any_of(object->users(), is_other_throw) || !base_of(*invoke.getArgOperand(1))) // a pointer is caught by value
    return std::nullopt;
  const LandingPadInst *pad = invoke.getLandingPadInst();
  if (!goes_to_handlers_alone(*pad))
    return std::nullopt;
  for (unsigned index = 0; index < pad->getNumClauses(); ++index) {
    Constant *caught = pad->getClause(index);
    if (!pad->isCatch(index))
      return std::nullopt;
    if (caught->isNullValue())
      return LocalThrow{&invoke, object, nullptr};
    const std::optional<bool> is_taken = takes(*caught, *invoke.getArgOperand(1));
    if (!is_taken)
      return std::nullopt;
    if (*is_taken)
      return LocalThrow{&invoke, object, caught};
  }
  return std::nullopt;
}

/// True where the handler that begins with `begin` reaches another one before it ends.
bool has_handler_within(CallBase &begin) {
  SmallVector<BasicBlock *, 8> next;
  SmallPtrSet<BasicBlock *, 16> seen;
  const auto reaches_another = [&](BasicBlock::iterator from, BasicBlock &block) {
    for (Instruction &instruction : make_range(from, block.end())) {
      if (is_call_of(instruction, "__cxa_end_catch"))
        return false;
      if (is_catch(instruction))
        return true;
    }
    next.append(succ_begin(&block), succ_end(&block));
    return false;
  };
  if (reaches_another(std::next(begin.getIterator()), *begin.getParent()))
    return true;
  while (!next.empty()) {
    BasicBlock *block = next.pop_back_val();
    if (seen.insert(block).second && reaches_another(block->begin(), *block))
      return true;
  }
  return false;
}

bool asks_for_exceptions(const Instruction &instruction) {
  constexpr StringLiteral names[] = {"_ZSt17current_exceptionv", "_ZSt19uncaught_exceptionsv",
                                     "_ZSt18uncaught_exceptionv", "__cxa_current_exception_type",
                                     "__cxa_current_primary_exception"};
  return any_of(names, [&](StringRef name) { return is_call_of(instruction, name); });
}

/// True where code that runs in `function` asks the runtime for exceptions that are caught, or not yet: it would miss
/// those that are not thrown any more.
bool may_ask_for_exceptions(const Function &function) {
  SmallVector<const Function *, 16> next{&function};
  for (const Function &other : *function.getParent())
    if (other.hasAddressTaken() && !other.isDeclaration())
      next.push_back(&other);
  SmallPtrSet<const Function *, 32> seen;
  while (!next.empty()) {
    const Function *reached = next.pop_back_val();
    if (!seen.insert(reached).second)
      continue;
    for (const Instruction &instruction : instructions(*reached)) {
      if (asks_for_exceptions(instruction))
        return true;
      const auto *call = dyn_cast<CallBase>(&instruction);
      if (const Function *callee = call ? call->getCalledFunction() : nullptr)
        next.push_back(callee);
    }
  }
  return false;
}

class Branches {
public:
  explicit Branches(Function &function) : function_(function) {}

  bool run() {
    if (!collect())
      return false;
    IRBuilder<> builder(&*function_.getEntryBlock().getFirstInsertionPt());
    is_local_ = builder.CreateAlloca(builder.getInt1Ty(), nullptr, "is.local");
    is_handled_ = builder.CreateAlloca(builder.getInt1Ty(), nullptr, "is.handled");
    object_ = builder.CreateAlloca(builder.getPtrTy(), nullptr, "object");
    destructor_ = builder.CreateAlloca(builder.getPtrTy(), nullptr, "destructor");
    handled_destructor_ = builder.CreateAlloca(builder.getPtrTy(), nullptr, "destructor.of.handled");
    handled_ = builder.CreateAlloca(builder.getPtrTy(), nullptr, "handled");
    for (LandingPadInst *pad : pads_) {
      builder.SetInsertPoint(std::next(pad->getIterator()));
      builder.CreateStore(builder.getFalse(), is_local_);
    }
    for (auto &[pad, throws] : throws_)
      branch_into(*pad, throws);
    for (Instruction *call : runtime_calls_)
      call->getType()->isVoidTy() ? end_for_others_alone(*cast<CallInst>(call))
                                  : begin_for_others_alone(*cast<CallInst>(call));
    removeUnreachableBlocks(function_);
    return true;
  }

private:
  bool collect() {
    for (Instruction &instruction : instructions(function_)) {
      if (is_call_of(instruction, "__cxa_rethrow"))
        return false;
      if (auto *pad = dyn_cast<LandingPadInst>(&instruction))
        pads_.push_back(pad);
      if (auto *invoke = dyn_cast<InvokeInst>(&instruction)) {
        if (const auto found = local_throw(*invoke))
          throws_[invoke->getLandingPadInst()].push_back(*found);
        else if (invoke->getLandingPadInst()->getNumClauses() != 0 && !is_call_of(*invoke, "__cxa_end_catch"))
          return false; // a handler would have objects with shadows and objects of others without
      }
      if (is_catch(instruction) && (isa<InvokeInst>(instruction) || has_handler_within(cast<CallBase>(instruction))))
        return false;
      if (is_catch(instruction) || is_call_of(instruction, "__cxa_end_catch"))
        runtime_calls_.push_back(&instruction);
    }
    if (throws_.empty() || may_ask_for_exceptions(function_))
      return false;
    for (Instruction *&call : runtime_calls_)
      if (auto *invoke = dyn_cast<InvokeInst>(call)) // a destructor of the object that throws ends the program, too
        call = changeToCall(invoke);
    return true;
  }

  /// The object is a variable: none is thrown from the same place before the handler of the one before has ended.
  Value *variable_for(CallBase &object) {
    const std::uint64_t bytes = cast<ConstantInt>(object.getArgOperand(0))->getZExtValue();
    IRBuilder<> builder(&*function_.getEntryBlock().getFirstInsertionPt());
    AllocaInst *variable = builder.CreateAlloca(ArrayType::get(builder.getInt8Ty(), bytes), nullptr, "thrown");
    variable->setAlignment(Align(16));
    for (User *user : make_early_inc_range(object.users()))
      if (auto *release = dyn_cast<CallInst>(user); release && is_call_of(*release, "__cxa_free_exception"))
        release->eraseFromParent();
    object.replaceAllUsesWith(variable);
    if (auto *invoke = dyn_cast<InvokeInst>(&object))
      changeToCall(invoke)->eraseFromParent();
    else
      object.eraseFromParent();
    return variable;
  }

  /// { null, selector }, as the landing pad has it for others: the object is in a variable of its own.
  static Value *as_caught(IRBuilderBase &builder, Type *type, const LocalThrow &thrown) {
    Value *selector = builder.getInt32(0); // a handler of everything comes behind all that ask
    if (thrown.caught_type)
      selector =
          builder.CreateIntrinsic(Intrinsic::eh_typeid_for, {thrown.caught_type->getType()}, {thrown.caught_type});
    return builder.CreateInsertValue(Constant::getNullValue(type), selector, 1);
  }

  void branch_into(LandingPadInst &pad, ArrayRef<LocalThrow> throws) {
    BasicBlock *block = pad.getParent();
    BasicBlock *handlers =
        SplitBlock(block, std::next(pad.getNextNode()->getIterator())); // behind the store to is_local_
    IRBuilder<> builder(handlers->getContext());
    SmallVector<std::pair<PHINode *, PHINode *>, 4> joined;
    builder.SetInsertPoint(handlers, handlers->begin());
    for (PHINode &phi : block->phis()) {
      PHINode *join = builder.CreatePHI(phi.getType(), throws.size() + 1);
      phi.replaceUsesWithIf(join, [&](const Use &use) { return use.getUser() != join; });
      joined.emplace_back(&phi, join);
    }
    PHINode *caught = builder.CreatePHI(pad.getType(), throws.size() + 1);
    pad.replaceAllUsesWith(caught);
    caught->addIncoming(&pad, block);
    for (auto [phi, join] : joined)
      join->addIncoming(phi, block);
    for (const LocalThrow &thrown : throws) {
      BasicBlock *from = thrown.invoke->getParent();
      for (auto [phi, join] : joined)
        join->addIncoming(phi->getIncomingValueForBlock(from), from);
      Value *object = variable_for(*thrown.object);
      builder.SetInsertPoint(thrown.invoke);
      builder.CreateStore(builder.getTrue(), is_local_);
      builder.CreateStore(thrown.invoke->getArgOperand(2), destructor_);
      if (auto *destructor = dyn_cast<Function>(thrown.invoke->getArgOperand(2)))
        destructors_.insert(destructor);
      builder.CreateStore(object, object_);
      caught->addIncoming(as_caught(builder, pad.getType(), thrown), from);
      block->removePredecessor(from, true);
      thrown.invoke->getNormalDest()->removePredecessor(from, true);
      builder.CreateBr(handlers);
      thrown.invoke->eraseFromParent();
    }
  }

  /// The runtime does not know local exceptions: their handlers get the object itself.
  void begin_for_others_alone(CallInst &call) {
    IRBuilder<> builder(&call);
    Value *is_local = builder.CreateLoad(builder.getInt1Ty(), is_local_);
    builder.CreateStore(is_local, is_handled_);
    builder.CreateStore(builder.CreateLoad(builder.getPtrTy(), destructor_), handled_destructor_);
    Value *thrown = builder.CreateLoad(builder.getPtrTy(), object_);
    builder.CreateStore(thrown, handled_);
    Instruction *ending = SplitBlockAndInsertIfThen(builder.CreateNot(is_local), &call, false);
    BasicBlock *before = ending->getParent()->getSinglePredecessor(), *behind = call.getParent();
    call.moveBefore(ending->getIterator());
    builder.SetInsertPoint(behind, behind->begin());
    PHINode *object = builder.CreatePHI(call.getType(), 2);
    call.replaceAllUsesWith(object);
    object->addIncoming(thrown, before);
    object->addIncoming(&call, call.getParent());
  }

  void end_for_others_alone(CallInst &call) {
    IRBuilder<> builder(&call);
    Value *is_local = builder.CreateLoad(builder.getInt1Ty(), is_handled_);
    Instruction *local_end = nullptr, *other_end = nullptr;
    SplitBlockAndInsertIfThenElse(is_local, &call, &local_end, &other_end);
    call.moveBefore(other_end->getIterator());
    for (Function *destructor : destructors_) {
      builder.SetInsertPoint(local_end);
      Value *is_it = builder.CreateICmpEQ(builder.CreateLoad(builder.getPtrTy(), handled_destructor_), destructor);
      builder.SetInsertPoint(SplitBlockAndInsertIfThen(is_it, local_end, false));
      builder.CreateCall(destructor, {builder.CreateLoad(builder.getPtrTy(), handled_)});
    }
  }

  Function &function_;
  MapVector<LandingPadInst *, SmallVector<LocalThrow, 2>> throws_;
  SmallVector<LandingPadInst *, 4> pads_;
  SmallVector<Instruction *, 8> runtime_calls_;
  AllocaInst *is_local_ = nullptr;   ///< Whether the exception in flight is a local one.
  AllocaInst *is_handled_ = nullptr; ///< Whether that of the handler entered last is.
  AllocaInst *object_ = nullptr, *handled_ = nullptr;
  AllocaInst *destructor_ = nullptr, *handled_destructor_ = nullptr;
  SmallSetVector<Function *, 2> destructors_;
};

} // namespace

bool branch_to_handlers(Function &function) {
  return Branches(function).run();
}

} // namespace assay::engine
