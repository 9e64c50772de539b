// Attributes that hold for one thread of a device need not hold where threads follow one another in one function of the
// host: that a function meets no other thread, reads no memory but its arguments', calls itself never.

#include "gpu/emulate/steps.hpp"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace assay::gpu {

namespace {

constexpr Attribute::AttrKind of_device[] = {Attribute::Convergent,  Attribute::NoSync,       Attribute::NoRecurse,
                                             Attribute::Memory,      Attribute::OptimizeNone, Attribute::NoInline,
                                             Attribute::WillReturn,  Attribute::NoFree,       Attribute::Speculatable,
                                             Attribute::MustProgress};

void strip_attributes(Function &function) {
  for (const Attribute::AttrKind kind : of_device)
    function.removeFnAttr(kind);
  for (const char *name : {"target-cpu", "target-features", "tune-cpu", "uniform-work-group-size", "frame-pointer",
                           "nvvm.maxntid", "nvvm.minctasm", "nvvm.maxclusterrank"})
    if (std::string(name) != "nvvm.maxntid") // The table of kernels needs it.
      function.removeFnAttr(name);
}

void strip_call(CallBase &call) {
  for (const Attribute::AttrKind kind : of_device)
    call.removeFnAttr(kind);
  call.setCallingConv(call.getCalledFunction() ? call.getCalledFunction()->getCallingConv() : CallingConv::C);
  if (const auto *assembly = dyn_cast<InlineAsm>(call.getCalledOperand());
      assembly && !assembly->getAsmString().empty())
    throw StringRef(assembly->getAsmString()).contains("mma.")
        ? NotEmulated("tensor cores cannot be emulated: " + place_of(call))
        : NotEmulated("inline PTX cannot be emulated: " + place_of(call) +
                      "; write it in C++, bfind.u32 for example as 31 - __clz(word)");
}

} // namespace

void strip_target(Module &module) {
  module.setTargetTriple(Triple(sys::getProcessTriple()));
  removeFromUsedLists(module, [](Constant *) { return true; });
  for (const char *name : {"nvvm.annotations", "nvvm.annotations_transplanted", "nvvmir.version", "llvm.ident"})
    if (NamedMDNode *node = module.getNamedMetadata(name))
      module.eraseNamedMetadata(node);
  for (Function &function : module) {
    if (function.isIntrinsic())
      continue;
    strip_attributes(function);
    if (function.getCallingConv() == CallingConv::PTX_Kernel) {
      function.addFnAttr("assay-kernel");
      function.setCallingConv(CallingConv::C);
    }
    if (!function.isDeclaration())
      function.setLinkage(GlobalValue::InternalLinkage);
    function.setComdat(nullptr);
    function.setDSOLocal(false);
    function.setVisibility(GlobalValue::DefaultVisibility);
  }
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&instruction))
        strip_call(*call);
  for (GlobalVariable &global : module.globals()) {
    global.setComdat(nullptr);
    global.setDSOLocal(false);
    global.setVisibility(GlobalValue::DefaultVisibility);
    if (global.isExternallyInitialized()) {
      global.setExternallyInitialized(false);
      global.setConstant(false); // The host writes it.
      global.addAttribute("assay-variable");
    }
    if (!global.isDeclaration() && !global.hasAppendingLinkage())
      global.setLinkage(GlobalValue::InternalLinkage);
  }
}

} // namespace assay::gpu
