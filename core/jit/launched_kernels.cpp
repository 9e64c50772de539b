#include "core/jit/launched_kernels.hpp"

#include "core/jit/bad_request.hpp"
#include "core/jit/reached_code.hpp"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include <atomic>
#include <fmt/format.h>

namespace assay::jit {

namespace {

constexpr llvm::StringLiteral variable_attribute = "assay-variable", suffix_of_variables = ".on_device";

/// Each module has kernels of its own.
std::string own_identity(const KernelCode &kernels) {
  static std::atomic<unsigned> count = 0;
  return fmt::format("{} {}", kernels.identity, count++);
}

std::unique_ptr<llvm::Module> read(const KernelCode &kernels, llvm::LLVMContext &context) {
  auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(kernels.bitcode, kernels.identity), context);
  if (!module)
    throw BadRequest("the device code cannot be read: " + llvm::toString(module.takeError()));
  return std::move(*module);
}

/// The text by which the host registers its kernels, in the place of a fat binary.
void replace_identity(llvm::Module &host, llvm::StringRef identity, llvm::StringRef other) {
  llvm::SmallVector<llvm::GlobalVariable *, 2> named;
  for (llvm::GlobalVariable &global : host.globals())
    if (const auto *text =
            global.hasInitializer() ? llvm::dyn_cast<llvm::ConstantDataSequential>(global.getInitializer()) : nullptr;
        text && text->isString() && text->getAsString().starts_with((identity + "\n").str()))
      named.push_back(&global);
  auto *content = llvm::ConstantDataArray::getString(host.getContext(), (other + "\n").str());
  for (llvm::GlobalVariable *global : named) {
    global->replaceAllUsesWith(new llvm::GlobalVariable(host, content->getType(), true,
                                                        llvm::GlobalValue::PrivateLinkage, content, "kernels"));
    global->eraseFromParent();
  }
}

bool is_within(const llvm::User &user, const llvm::Function &function) {
  const auto *instruction = llvm::dyn_cast<llvm::Instruction>(&user);
  return instruction && instruction->getFunction() == &function;
}

/// Calls that register a function under the name of a kernel, though nothing else than the function itself mentions
/// it, go; the names of the other kernels are left.
llvm::StringSet<> keep_launched(llvm::Module &host) {
  llvm::StringSet<> launched;
  llvm::Function *registering = host.getFunction("__cudaRegisterFunction");
  if (!registering)
    return launched;
  constexpr unsigned function_argument = 1, name_argument = 3;
  for (llvm::User *user : llvm::make_early_inc_range(registering->users())) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(user);
    if (!call || call->getCalledFunction() != registering)
      continue;
    auto *stub = llvm::dyn_cast<llvm::Function>(call->getArgOperand(function_argument)->stripPointerCasts());
    llvm::StringRef name;
    if (!llvm::getConstantStringInfo(call->getArgOperand(name_argument), name))
      continue;
    const auto mentions = [&](const llvm::User *each) { return each != call && !is_within(*each, *stub); };
    if (!stub || llvm::any_of(stub->users(), mentions)) {
      launched.insert(name);
      continue;
    }
    if (!call->use_empty())
      call->replaceAllUsesWith(llvm::Constant::getNullValue(call->getType()));
    call->eraseFromParent();
  }
  return launched;
}

/// Code that only other kernels reach is not retargeted.
void keep_kernels(llvm::Module &device, const llvm::StringSet<> &names) {
  llvm::StringSet<> variables;
  for (const llvm::GlobalVariable &global : device.globals())
    if (global.isExternallyInitialized())
      variables.insert(global.getName());
  llvm::removeFromUsedLists(device, [](llvm::Constant *) { return true; });
  keep_reached(device, [&](const llvm::GlobalValue &value) {
    return names.contains(value.getName()) || variables.contains(value.getName());
  });
}

} // namespace

void add_launched_kernels(llvm::Module &host, const KernelCode &kernels, gpu::AccessLog log) {
  std::unique_ptr<llvm::Module> device = read(kernels, host.getContext());
  const llvm::StringSet<> launched = keep_launched(host);
  if (launched.empty())
    return;
  keep_kernels(*device, launched);
  const std::string identity = own_identity(kernels);
  gpu::retarget(*device, {identity, log});
  device->setTargetTriple(host.getTargetTriple());
  device->setDataLayout(host.getDataLayout());
  device->setPICLevel(host.getPICLevel());
  for (llvm::GlobalVariable &global : device->globals())
    if (global.hasAttribute(variable_attribute)) // The host has an object of the same name for it.
      global.setName(global.getName() + suffix_of_variables);
  if (llvm::Linker::linkModules(host, std::move(device)))
    throw BadRequest("the kernels do not link with the code of the host");
  replace_identity(host, kernels.identity, identity);
}

std::vector<std::string> variables_of_kernels(const llvm::Module &module) {
  const auto is_in_code = [](const llvm::User *user) { return llvm::isa<llvm::Instruction>(user); };
  std::vector<std::string> names;
  for (const llvm::GlobalVariable &global : module.globals())
    if (global.hasAttribute(variable_attribute) && llvm::any_of(global.users(), is_in_code))
      names.push_back(global.getName().str());
  return names;
}

} // namespace assay::jit
