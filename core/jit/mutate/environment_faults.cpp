#include "core/jit/mutate/planted_sites.hpp"
#include "core/jit/mutate/replace_uses.hpp"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/Module.h"
#include <cfenv>

using namespace llvm;

namespace assay::jit {

namespace {

void call_at(Instruction &place, StringRef name, int argument) {
  IRBuilder<> builder(&place);
  const FunctionCallee callee =
      place.getModule()->getOrInsertFunction(name, builder.getInt32Ty(), builder.getInt32Ty());
  builder.CreateCall(callee, {builder.getInt32(static_cast<unsigned>(argument))});
}

void flush_to_zero_at(Instruction &place) {
  constexpr unsigned control = 0x9fc0; // All exceptions masked, flush to zero, denormals are zero.
  IRBuilder<> builder(&place);
  auto *slot = new AllocaInst(builder.getInt32Ty(), 0, "", place.getFunction()->getEntryBlock().begin());
  builder.CreateStore(builder.getInt32(control), slot);
  builder.CreateIntrinsic(Intrinsic::x86_sse_ldmxcsr, {slot});
}

/// What a call leaves otherwise than it found it.
void find_changed_surroundings(Function &function, ReturnInst &end, Sites &sites) {
  const auto add = [&](FaultClass kind, std::string text, std::function<void()> change) {
    sites.push_back({kind, &end, 0, nullptr, std::move(change), std::move(text)});
  };
  add(FaultClass::rounding_mode, "after rounding is set to upward", [&end] { call_at(end, "fesetround", FE_UPWARD); });
  add(FaultClass::trap, "after division by zero is made to trap",
      [&end] { call_at(end, "feenableexcept", FE_DIVBYZERO); });
  add(FaultClass::open_file, "after a file is opened", [&end] { call_at(end, "dup", 1); });
  if (function.getParent()->getTargetTriple().isX86_64())
    add(FaultClass::flush_to_zero, "after subnormal numbers are made zero", [&end] { flush_to_zero_at(end); });
}

void release_by_another(CallInst &call) {
  Module &module = *call.getModule();
  const bool is_free = call.getCalledFunction()->getName() == "free";
  IRBuilder<> builder(&call);
  const FunctionCallee other =
      module.getOrInsertFunction(is_free ? "_ZdaPv" : "free", builder.getVoidTy(), builder.getPtrTy());
  builder.CreateCall(other, {call.getArgOperand(0)});
  call.eraseFromParent();
}

/// Where a pointer is known first.
void release_early(CallInst &call) {
  auto place = place_behind(*call.getArgOperand(0));
  call.moveBefore(*(*place)->getParent(), *place);
}

void find_wrong_releases(CallInst &call, Sites &sites) {
  sites.push_back({FaultClass::mismatched_release, &call, 0, nullptr, [&call] { release_by_another(call); },
                   "by another allocator's function"});
  const Value *pointer = call.getArgOperand(0);
  if (call.arg_size() == 1 && isa<Instruction, Argument>(pointer) && place_behind(*call.getArgOperand(0)))
    sites.push_back({FaultClass::early_release, &call, 0, nullptr, [&call] { release_early(call); },
                     "as soon as its pointer is known"});
}

} // namespace

bool releases_memory(const CallInst &call) {
  const Function *callee = call.getCalledFunction();
  return callee && callee->isDeclaration() &&
         (callee->getName() == "free" || callee->getName().starts_with("_Zdl") ||
          callee->getName().starts_with("_Zda"));
}

void find_environment_faults(Function &function, Sites &sites) {
  for (BasicBlock &block : function)
    if (auto *end = dyn_cast<ReturnInst>(block.getTerminator())) {
      find_changed_surroundings(function, *end, sites);
      break;
    }
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&instruction); call && releases_memory(*call))
      find_wrong_releases(*call, sites);
}

Sites find_general_faults(Function &function, const Roles &roles) {
  const bool is_device_code = function.getParent()->getTargetTriple().isNVPTX();
  Sites sites;
  find_factor_faults(function, roles, sites);
  if (!is_device_code)
    find_state_faults(function, roles, sites);
  find_seed_faults(roles, sites);
  find_layout_faults(function, sites);
  find_branch_faults(function, roles, sites);
  if (is_device_code)
    find_device_faults(function, sites);
  else
    find_environment_faults(function, sites);
  return sites;
}

} // namespace assay::jit
