#include "core/engine/analysis/explain_memory.hpp"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr unsigned most_uses = 8;

std::string line_of(const Instruction &instruction) {
  const DebugLoc &place = instruction.getDebugLoc();
  return place && place.getLine() > 0 ? " (line " + std::to_string(place.getLine()) + ")" : "";
}

std::string name_in_quotes(const Value &value) {
  return value.hasName() ? " '" + value.getName().str() + "'" : "";
}

std::string called(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  return callee ? "'" + callee->getName().str() + "'" : "a function that is not known";
}

std::string origin(const Value &object) {
  if (const auto *argument = dyn_cast<Argument>(&object))
    return "argument " + std::to_string(argument->getArgNo() + 1) + name_in_quotes(*argument);
  if (isa<GlobalVariable>(object))
    return "the global" + name_in_quotes(object);
  if (const auto *variable = dyn_cast<AllocaInst>(&object))
    return "the variable" + name_in_quotes(*variable) + line_of(*variable);
  if (const auto *call = dyn_cast<CallBase>(&object))
    return "what " + called(*call) + " returned" + line_of(*call);
  if (const auto *load = dyn_cast<LoadInst>(&object))
    return "behind a pointer that is loaded" + line_of(*load);
  return "behind a computed address";
}

std::string type_text(const Type &type) {
  std::string text;
  raw_string_ostream(text) << type;
  return text;
}

/// What an instruction does with the memory; nothing for those that only compute addresses.
std::string use_text(const Instruction &user, const Value &address) {
  if (const auto *load = dyn_cast<LoadInst>(&user))
    return "read as " + type_text(*load->getType()) + line_of(user);
  if (const auto *store = dyn_cast<StoreInst>(&user))
    return store->getPointerOperand() == &address
               ? "written as " + type_text(*store->getValueOperand()->getType()) + line_of(user)
               : "its address is stored" + line_of(user);
  if (isa<MemTransferInst>(user))
    return "moved as bytes" + line_of(user);
  if (isa<MemSetInst>(user))
    return "filled" + line_of(user);
  if (const auto *call = dyn_cast<CallBase>(&user); call && !isa<IntrinsicInst>(user))
    return "passed to " + called(*call) + line_of(user);
  return "";
}

void collect_uses(const Value &address, SmallPtrSetImpl<const Value *> &seen, SmallVectorImpl<std::string> &uses) {
  for (const User *user : address.users()) {
    const auto *instruction = dyn_cast<Instruction>(user);
    if (!instruction || uses.size() >= most_uses || !seen.insert(instruction).second)
      continue;
    if (isa<GetElementPtrInst, CastInst, PHINode, SelectInst, FreezeInst>(instruction))
      collect_uses(*instruction, seen, uses);
    else if (std::string text = use_text(*instruction, address); !text.empty())
      uses.push_back(std::move(text));
  }
}

} // namespace

std::string chain_of_uses(const Value &pointer) {
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(&pointer, objects, nullptr, 0);
  std::string text;
  for (const Value *object : objects) {
    if (isa<ConstantPointerNull, UndefValue>(object))
      continue;
    text += "; the memory is " + origin(*object);
    SmallVector<std::string, most_uses> uses;
    SmallPtrSet<const Value *, 16> seen;
    if (!isa<Constant>(object))
      collect_uses(*object, seen, uses);
    for (const std::string &use : uses)
      text += ", " + use;
  }
  return text;
}

} // namespace assay::engine
