#include "core/engine/support/memory_resources.hpp"
#include "core/engine/support/library_table.hpp"
#include "core/engine/support/parse_library.hpp"
#include "llvm/IR/InstIterator.h"
#include "llvm/Linker/Linker.h"

using namespace llvm;

namespace assay::engine {
namespace {

struct Replacement {
  StringLiteral library_name, own_name;
};

#define MONOTONIC "NSt3pmr25monotonic_buffer_resource"
#define POOL "NSt3pmr28unsynchronized_pool_resource"
constexpr Replacement monotonic[] = {
    {"_ZTV" MONOTONIC "E", "_ZTVassay.monotonic"},
    {"_Z" MONOTONIC "D1Ev", "assay.monotonic.release"},
    {"_Z" MONOTONIC "D2Ev", "assay.monotonic.release"},
    {"_Z" MONOTONIC "18_M_release_buffersEv", "assay.monotonic.release"},
    {"_Z" MONOTONIC "13_M_new_bufferEmm", "assay.monotonic.buffer"},
    {"_Z" MONOTONIC "11do_allocateEmm", "assay.monotonic.allocate"},
    {"_Z" MONOTONIC "13do_deallocateEPvmm", "assay.monotonic.deallocate"},
};
constexpr Replacement pool[] = {
    {"_Z" POOL "C1ERKNS_12pool_optionsEPNS_15memory_resourceE", "assay.pool_resource.construct"},
    {"_Z" POOL "C2ERKNS_12pool_optionsEPNS_15memory_resourceE", "assay.pool_resource.construct"},
    {"_Z" POOL "D1Ev", "assay.pool_resource.release"},
    {"_Z" POOL "D2Ev", "assay.pool_resource.release"},
    {"_Z" POOL "7releaseEv", "assay.pool_resource.release"},
    {"_Z" POOL "11do_allocateEmm", "assay.pool_resource.allocate"},
    {"_Z" POOL "13do_deallocateEPvmm", "assay.pool_resource.deallocate"},
};
#undef MONOTONIC
#undef POOL

/// The files of core/engine/library as LLVM IR.
constexpr StringLiteral source_of_monotonic =
#include "core/engine/library/monotonic_resource.inc"
    ;
constexpr StringLiteral source_of_pool =
#include "core/engine/library/pool_resource.inc"
    ;

const Replacement *find(ArrayRef<Replacement> replacements, StringRef library_name) {
  const Replacement *found =
      find_if(replacements, [&](const Replacement &each) { return each.library_name == library_name; });
  return found == replacements.end() ? nullptr : found;
}

/// An upstream resource of the program's own may throw, which C does not say.
void let_throw(Module &library) {
  for (Function &function : library) {
    if (function.isDeclaration())
      continue;
    function.removeFnAttr(Attribute::NoUnwind);
    function.setUWTableKind(UWTableKind::Async);
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&instruction))
        call->removeFnAttr(Attribute::NoUnwind);
  }
}

void add_if_used(Module &module, ArrayRef<Replacement> replacements, StringRef source) {
  const auto is_used = [&](const Replacement &each) {
    const GlobalValue *value = module.getNamedValue(each.library_name);
    return value && !value->use_empty();
  };
  if (module.getNamedValue(replacements.front().own_name) || none_of(replacements, is_used))
    return;
  std::unique_ptr<Module> library = parse_library(source, module);
  let_throw(*library);
  SmallVector<std::string, 8> names;
  for (const GlobalValue &value : library->global_values())
    if (!value.isDeclaration())
      names.push_back(value.getName().str());
  Linker::linkModules(module, std::move(library));
  for (const std::string &name : names)
    module.getNamedValue(name)->setLinkage(GlobalValue::InternalLinkage);
}

} // namespace

void add_memory_resources(Module &module) {
  add_if_used(module, monotonic, source_of_monotonic);
  add_if_used(module, pool, source_of_pool);
}

GlobalValue *own_resource_for(const GlobalValue &library_value) {
  for (ArrayRef<Replacement> replacements : {ArrayRef(monotonic), ArrayRef(pool)})
    if (const Replacement *replacement = find(replacements, library_value.getName()))
      return library_value.getParent()->getNamedValue(replacement->own_name);
  return nullptr;
}

bool gives_object_of_library(const CallBase &call, const FunctionInfo &function_info) {
  const Function *callee = call.getCalledFunction();
  const LibraryFunction *known = callee ? function_info.library_function(*callee) : nullptr;
  return known && known->role == LibraryRole::object_of_library;
}

} // namespace assay::engine
