// clang's host code registers a fat binary and the names of its kernels and variables. The fat binary of an emulated
// program begins with a line that identifies a module of emulated code; what follows is its device code.

#include "gpu/runtime/registration.hpp"

#include "gpu/runtime/watch.hpp"

#include <cstdio>
#include <cstring>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace assay::gpu {

namespace {

/// As clang lays it out.
struct FatBinary {
  int magic, version;
  const char *data;
  void *unused;
};

struct Registry {
  std::vector<const ModuleRow *> modules;
  std::unordered_map<const void *, const KernelRow *> kernels;
  std::unordered_map<const void *, const MemoryRow *> variables;
  std::unordered_map<const void *, const FatBinary *> binaries; ///< Of kernels.
};

Registry &registry() {
  static Registry *all = new Registry; // Constructors of other files use it.
  return *all;
}

std::string_view identity_in(const FatBinary &binary) {
  return {binary.data, std::strcspn(binary.data, "\n")};
}

const ModuleRow *module_with(std::string_view identity) {
  for (const ModuleRow *module : registry().modules)
    if (module->identity == identity)
      return module;
  return nullptr;
}

const ModuleRow *module_of(const FatBinary &binary) {
  return module_with(identity_in(binary));
}

const KernelRow *kernel_in(const ModuleRow &module, std::string_view name) {
  for (const KernelRow &kernel : std::span(module.kernels, module.kernel_count))
    if (kernel.name == name)
      return &kernel;
  return nullptr;
}

} // namespace

const KernelRow *kernel_of(const void *host_function) {
  const auto found = registry().kernels.find(host_function);
  return found == registry().kernels.end() ? nullptr : found->second;
}

/// The module of a kernel, or the one whose identity has a suffix; null where there is none.
static const ModuleRow *module_of(const void *host_function, std::string_view suffix) {
  const auto binary = registry().binaries.find(host_function);
  if (binary == registry().binaries.end())
    return nullptr;
  return module_with(std::string(identity_in(*binary->second)) + std::string(suffix));
}

const KernelRow *kernel_of(const void *host_function, std::string_view suffix) {
  const KernelRow *kernel = kernel_of(host_function);
  const ModuleRow *module = module_of(host_function, suffix);
  return kernel && module ? kernel_in(*module, kernel->name) : nullptr;
}

void copy_variables(const void *host_function, std::string_view from_suffix, std::string_view to_suffix) {
  const ModuleRow *from = module_of(host_function, from_suffix), *to = module_of(host_function, to_suffix);
  if (!from || !to || from == to)
    return;
  for (const MemoryRow &source : std::span(from->variables, from->variable_count))
    for (const MemoryRow &target : std::span(to->variables, to->variable_count))
      if (std::strcmp(source.name, target.name) == 0)
        std::memcpy(target.address, source.address, source.bytes);
}

const MemoryRow *variable_of(const void *host_variable) {
  const auto found = registry().variables.find(host_variable);
  return found == registry().variables.end() ? nullptr : found->second;
}

} // namespace assay::gpu

using namespace assay::gpu;

void assay_gpu_register_module(const ModuleRow *module) {
  registry().modules.push_back(module);
  if (Watch *watching = watch())
    watching->add_module(*module);
}

void assay_gpu_unregister_module(const ModuleRow *module) {
  const auto is_of_module = [&](const auto &kernel) {
    return kernel.second >= module->kernels && kernel.second < module->kernels + module->kernel_count;
  };
  std::erase_if(registry().kernels, is_of_module);
  std::erase(registry().modules, module);
}

extern "C" {

void **__cudaRegisterFatBinary(void *binary) {
  return new void *(binary);
}
void __cudaRegisterFatBinaryEnd(void **) {}
void __cudaUnregisterFatBinary(void **) {}

void __cudaRegisterFunction(void **handle, const char *host_function, char *, const char *name, int, void *, void *,
                            void *, void *, int *) {
  const auto *binary = static_cast<const FatBinary *>(*handle);
  const ModuleRow *module = module_of(*binary);
  if (!module)
    return;
  registry().binaries[host_function] = binary;
  if (const KernelRow *kernel = kernel_in(*module, name))
    registry().kernels[host_function] = kernel;
}

void __cudaRegisterVar(void **handle, char *host_variable, char *, const char *name, int, std::size_t, int, int) {
  const ModuleRow *module = module_of(*static_cast<const FatBinary *>(*handle));
  if (!module)
    return;
  for (const MemoryRow &variable : std::span(module->variables, module->variable_count))
    if (std::strcmp(variable.name, name) == 0)
      registry().variables[host_variable] = &variable;
}
}
