#include "core/engine/prepare/device_calls.hpp"
#include "core/engine/prepare/inline_ptx.hpp"
#include "core/engine/support/lanes_together.hpp"
#include "gpu/emulate/steps.hpp"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace assay::gpu {

llvm::Constant *text_constant(Module &module, StringRef text) {
  auto *content = ConstantDataArray::getString(module.getContext(), text);
  auto *global = new GlobalVariable(module, content->getType(), true, GlobalValue::PrivateLinkage, content, "text");
  global->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return global;
}

namespace {

/// Where the user's own code is: operations of a warp are inlined from headers.
const DILocation *outside_of_headers(const DILocation *location) {
  const auto is_header = [](StringRef file) { return file.contains("__clang_cuda") || file.contains("/assay/cuda/"); };
  while (location && is_header(location->getFilename()) && location->getInlinedAt())
    location = location->getInlinedAt();
  return location;
}

Constant *site(const Instruction &instruction, const Twine &call_path) {
  auto &module = *const_cast<Module *>(instruction.getModule());
  const DILocation *location = outside_of_headers(instruction.getDebugLoc().get());
  const unsigned line = location ? location->getLine() : 0;
  const std::string file = location ? location->getFilename().str() : "";
  std::string function = instruction.getFunction()->getName().str();
  if (location)
    if (const DISubprogram *subprogram = location->getScope()->getSubprogram())
      function = subprogram->getName().str();
  const std::string name = ("assay.site." + file + ":" + std::to_string(line) + ":" +
                            (location ? std::to_string(location->getColumn()) : "") + ":" + function + call_path)
                               .str();
  if (GlobalVariable *known = module.getNamedGlobal(name))
    return known;
  LLVMContext &context = module.getContext();
  auto *content = ConstantStruct::getAnon({text_constant(module, file), text_constant(module, function),
                                           ConstantInt::get(Type::getInt32Ty(context), line)});
  return new GlobalVariable(module, content->getType(), true, GlobalValue::InternalLinkage, content, name);
}

} // namespace

/// The same place has the same constant: the runtime compares addresses.
Constant *site_of(const Instruction &instruction) {
  return site(instruction, "");
}

Constant *site_of_call_path(const Instruction &instruction) {
  const DILocation *location = instruction.getDebugLoc().get();
  std::string call_path;
  raw_string_ostream stream(call_path);
  for (; location; location = location->getInlinedAt())
    stream << '@' << location->getFilename() << ':' << location->getLine() << ':' << location->getColumn();
  if (call_path.empty()) // Without debug information: which call of the function it is.
    for (const Instruction &other : instructions(instruction.getFunction()))
      if (stream << '.'; &other == &instruction)
        break;
  return site(instruction, call_path);
}

std::string place_of(const Instruction &instruction) {
  const DILocation *location = outside_of_headers(instruction.getDebugLoc().get());
  std::string text = instruction.getFunction()->getName().str();
  if (!location)
    return text;
  if (const DISubprogram *subprogram = location->getScope()->getSubprogram())
    text = subprogram->getName().str();
  return sys::path::filename(location->getFilename()).str() + ":" + std::to_string(location->getLine()) + " in " + text;
}

GlobalVariable *thread_context(Module &module) {
  if (GlobalVariable *known = module.getNamedGlobal("assay_gpu_thread"))
    return known;
  auto *type = ArrayType::get(Type::getInt32Ty(module.getContext()), 13);
  return new GlobalVariable(module, type, false, GlobalValue::ExternalLinkage, nullptr, "assay_gpu_thread");
}

SmallVector<CallInst *, 16> calls_of(Function &function) {
  SmallVector<CallInst *, 16> calls;
  for (User *user : function.users())
    if (auto *call = dyn_cast<CallInst>(user); call && call->getCalledOperand() == &function)
      calls.push_back(call);
  return calls;
}

/// Inline PTX that the engine knows becomes instructions; the rest is refused later, with its place.
static void translate_ptx(Module &module) {
  for (Function &function : module)
    if (Expected<bool> changed = engine::rewrite_inline_ptx(function); !changed)
      consumeError(changed.takeError());
}

/// As derivatives do: so the function itself has their bits, and is followed in wide arithmetic.
static void expand_device_calls(Module &module) {
  SmallVector<Function *, 16> functions; // Before further ones are made.
  for (Function &function : module)
    functions.push_back(&function);
  for (Function *function : functions)
    engine::expand_device_calls(*function);
}

void retarget(Module &module, const RetargetOptions &options) {
  translate_ptx(module);
  expand_device_calls(module);
  inline_functions_with_active_masks(module);
  engine::assume_lone_lanes_in(module); // Fibers run one after the other: nothing is saved by adding up.
  strip_target(module);
  if (options.access_log != AccessLog::absent)
    log_accesses(module, options);
  replace_block_operations(module);
  replace_device_calls(module);
  name_host_entries(module, options);
  const KernelTable table = write_kernel_table(module, options);
  write_host_entries(module, options, table);
  if (options.entries.empty())
    register_kernel_table(module, options, table);
  std::string errors;
  raw_string_ostream stream(errors);
  if (verifyModule(module, &stream))
    throw NotEmulated("the emulation wrote invalid code: " + errors);
}

} // namespace assay::gpu
