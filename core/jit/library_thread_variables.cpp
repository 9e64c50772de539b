#include "core/jit/library_thread_variables.hpp"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include <cstring>
#include <dlfcn.h>
#include <map>
#include <mutex>

namespace assay::jit {

/// The sizes of the variables, by name.
class KnownVariables {
public:
  static KnownVariables &all() {
    static KnownVariables known;
    return known;
  }
  void add(std::string name, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    sizes_.emplace(std::move(name), bytes);
  }
  std::map<std::string, std::size_t> sizes() const {
    const std::lock_guard lock(mutex_);
    return sizes_;
  }

private:
  mutable std::mutex mutex_;
  std::map<std::string, std::size_t> sizes_;
};

static constexpr const char *address_name = "assay_thread_variable_of_library";

/// The loader gives the address of the calling thread's variable.
static void *address_in_thread(const char *name) {
  return ::dlsym(RTLD_DEFAULT, name);
}

static llvm::SmallVector<llvm::IntrinsicInst *, 8> addresses_taken(llvm::GlobalVariable &variable) {
  llvm::SmallVector<llvm::IntrinsicInst *, 8> addresses;
  for (llvm::User *user : variable.users())
    if (auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user);
        intrinsic && intrinsic->getIntrinsicID() == llvm::Intrinsic::threadlocal_address)
      addresses.push_back(intrinsic);
  return addresses;
}

void find_thread_variables_of_libraries(llvm::Module &module) {
  for (llvm::GlobalVariable &variable : module.globals()) {
    if (!variable.isThreadLocal() || !variable.isDeclaration() || !address_in_thread(variable.getName().str().c_str()))
      continue;
    KnownVariables::all().add(variable.getName().str(),
                              module.getDataLayout().getTypeStoreSize(variable.getValueType()).getFixedValue());
    for (llvm::IntrinsicInst *address : addresses_taken(variable)) {
      llvm::IRBuilder<> builder(address);
      const llvm::FunctionCallee find =
          module.getOrInsertFunction(address_name, builder.getPtrTy(), builder.getPtrTy());
      address->replaceAllUsesWith(builder.CreateCall(find, {builder.CreateGlobalString(variable.getName())}));
      // The attribute may say that the function accesses no memory, or that of its arguments.
      address->getFunction()->removeFnAttr(llvm::Attribute::Memory);
      address->eraseFromParent();
    }
  }
}

NamedFunctions thread_variable_symbols() {
  return {{address_name, reinterpret_cast<void *>(&address_in_thread)}};
}

LibraryThreadMemory LibraryThreadMemory::of_this_thread() {
  LibraryThreadMemory memory;
  for (const auto &[name, size] : KnownVariables::all().sizes()) {
    const auto *begin = static_cast<const std::byte *>(address_in_thread(name.c_str()));
    memory.variables_.push_back({name, {begin, begin + size}});
  }
  return memory;
}

void LibraryThreadMemory::put_back() const {
  for (const auto &[name, bytes] : variables_)
    std::memcpy(address_in_thread(name.c_str()), bytes.data(), bytes.size());
}

} // namespace assay::jit
