#include "core/engine/lowering/unneeded_stores.hpp"
#include "core/engine/support/constant_resolution.hpp"
#include "core/engine/support/derivative_abi.hpp"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <map>

using namespace llvm;

namespace assay::engine {
namespace {

/// The instructions of a function that deal with memory behind one of its pointers.
struct Accesses {
  SmallSetVector<Instruction *, 8> stores, loads;
  SmallSetVector<CallBase *, 4> calls; ///< Of functions that are given the pointer.
};

/// A function and the parameter of it that points to the memory.
using Place = std::pair<Function *, unsigned>;

class UnneededMemory {
public:
  /// False where a loaded value or the address goes anywhere else.
  bool collect(Place root) {
    SmallVector<Place, 4> waiting{root};
    while (!waiting.empty()) {
      const Place place = waiting.pop_back_val();
      if (accesses_.contains(place))
        continue;
      std::optional<Accesses> found = accesses_of(*place.first->getArg(place.second));
      if (!found)
        return false;
      for (CallBase *call : found->calls)
        waiting.emplace_back(call->getCalledFunction(), given(*call, pointers_).front());
      accesses_.emplace(place, std::move(*found));
    }
    return true;
  }

  /// The copy of the place's function without these accesses.
  Function &copy(Place place) {
    const std::string name = (place.first->getName() + ".assay.unneeded." + Twine(place.second)).str();
    if (Function *made = place.first->getParent()->getFunction(name))
      return *made;
    ValueToValueMapTy map;
    Function &copied = *CloneFunction(place.first, map);
    copied.setName(name);
    copied.removeParamAttrs(place.second, AttributeMask(copied.getAttributes().getParamAttrs(place.second)));
    copied.setLinkage(GlobalValue::InternalLinkage);
    copied.setComdat(nullptr);
    const Accesses &accesses = accesses_.at(place);
    for (Instruction *store : accesses.stores)
      cast<Instruction>(map[store])->eraseFromParent();
    for (Instruction *load : accesses.loads) {
      auto *copied_load = cast<Instruction>(map[load]);
      copied_load->replaceAllUsesWith(Constant::getNullValue(load->getType()));
      copied_load->eraseFromParent();
    }
    for (CallBase *call : accesses.calls)
      redirect(*call, *cast<CallBase>(map[call]));
    return copied;
  }

private:
  void redirect(const CallBase &call, CallBase &copied) {
    const unsigned argument = given(call, pointers_).front();
    copied.setCalledFunction(&copy({call.getCalledFunction(), argument}));
    copied.removeParamAttrs(argument, AttributeMask(copied.getAttributes().getParamAttrs(argument)));
  }

  std::optional<Accesses> accesses_of(Argument &parameter) {
    Accesses found;
    SmallSetVector<Value *, 8> pointers;
    pointers.insert(&parameter);
    for (unsigned next = 0; next < pointers.size(); ++next)
      for (Use &use : pointers[next]->uses())
        if (!add(use, found, pointers))
          return std::nullopt;
    pointers_.insert_range(pointers);
    // One pointer for each function, so that a copy leaves out the accesses through one.
    if (any_of(found.calls, [&](const CallBase *call) { return given(*call, pointers_).size() != 1; }))
      return std::nullopt;
    for (Instruction *load : found.loads)
      if (!goes_back(*load, found))
        return std::nullopt;
    return found;
  }

  static bool add(Use &use, Accesses &found, SmallSetVector<Value *, 8> &pointers) {
    auto &user = *cast<Instruction>(use.getUser());
    if (auto *address = dyn_cast<GetElementPtrInst>(&user)) {
      pointers.insert(address);
      return true;
    }
    if (auto *load = dyn_cast<LoadInst>(&user); load && load->isSimple()) {
      found.loads.insert(load);
      return !load->getType()->isPtrOrPtrVectorTy();
    }
    if (auto *store = dyn_cast<StoreInst>(&user)) {
      found.stores.insert(store);
      return store->isSimple() && use.getOperandNo() == StoreInst::getPointerOperandIndex();
    }
    if (auto *update = dyn_cast<AtomicRMWInst>(&user)) {
      found.stores.insert(update);
      return update->use_empty() && use.getOperandNo() == AtomicRMWInst::getPointerOperandIndex();
    }
    if (auto *fill = dyn_cast<MemIntrinsic>(&user)) {
      found.stores.insert(fill);
      return use.getOperandNo() == 0 && !fill->isVolatile();
    }
    auto *call = dyn_cast<CallBase>(&user);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || callee->isDeclaration() || callee->isVarArg() || !call->isArgOperand(&use))
      return false;
    found.calls.insert(call);
    return true;
  }

  static SmallVector<unsigned, 1> given(const CallBase &call, const SmallPtrSetImpl<Value *> &pointers) {
    SmallVector<unsigned, 1> arguments;
    for (const Use &argument : call.args())
      if (pointers.contains(argument.get()))
        arguments.push_back(call.getArgOperandNo(&argument));
    return arguments;
  }

  /// Whether a loaded value ends in stores to the same memory.
  static bool goes_back(Instruction &load, const Accesses &accesses) {
    SmallSetVector<Instruction *, 8> values;
    values.insert(&load);
    for (unsigned next = 0; next < values.size(); ++next)
      for (User *user : values[next]->users()) {
        auto *instruction = cast<Instruction>(user);
        if (accesses.stores.contains(instruction))
          continue;
        if (instruction->mayHaveSideEffects() || instruction->isTerminator() || instruction->isIntDivRem() ||
            instruction->getType()->isPtrOrPtrVectorTy())
          return false;
        values.insert(instruction);
      }
    return true;
  }

  std::map<Place, Accesses> accesses_;
  SmallPtrSet<Value *, 16> pointers_; ///< Of all places.
};

bool is_constant_address(const ArgumentValue &pointer) {
  if (pointer.in_memory || !pointer.value || !pointer.value->getType()->isPointerTy())
    return false;
  const Constant *constant = resolve_constant(pointer.value);
  const auto *expression = dyn_cast_or_null<ConstantExpr>(constant);
  if (expression && expression->getOpcode() == Instruction::IntToPtr)
    constant = expression->getOperand(0);
  return isa_and_nonnull<ConstantPointerNull, ConstantInt>(constant);
}

} // namespace

Function &without_unneeded_stores(Function &derivative, const ParsedCall &call) {
  const Request &request = call.request;
  if (request.mode != Mode::forward && request.mode != Mode::reverse)
    return derivative;
  Function *current = &derivative;
  for (const ParsedArgument &argument : call.arguments) {
    if (request.argument_activity[argument.parameter] != Activity::duplicated_no_need ||
        !is_constant_address(argument.primal))
      continue;
    const Place place{current, DerivativeAbi(request).primal_parameter(argument.parameter)};
    UnneededMemory memory;
    if (memory.collect(place))
      current = &memory.copy(place);
  }
  return *current;
}

} // namespace assay::engine
