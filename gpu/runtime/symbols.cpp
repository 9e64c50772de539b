#include "gpu/runtime/symbols.hpp"

#include "gpu/runtime/interface.hpp"

namespace assay::gpu {

std::vector<Symbol> runtime_symbols() {
  std::vector<Symbol> all = device_library();
#define ASSAY_SYMBOL(name) all.push_back({#name, reinterpret_cast<void *>(name)})
  ASSAY_SYMBOL(assay_gpu_run_entry);
  ASSAY_SYMBOL(assay_gpu_barrier);
  ASSAY_SYMBOL(assay_gpu_barrier_arrive);
  ASSAY_SYMBOL(assay_gpu_warp);
  ASSAY_SYMBOL(assay_gpu_trap);
  ASSAY_SYMBOL(assay_gpu_exit);
  ASSAY_SYMBOL(assay_gpu_malloc);
  ASSAY_SYMBOL(assay_gpu_free);
  ASSAY_SYMBOL(assay_gpu_vprintf);
  ASSAY_SYMBOL(assay_gpu_assert_fail);
  ASSAY_SYMBOL(assay_gpu_clock);
  ASSAY_SYMBOL(assay_gpu_log_accesses);
  ASSAY_SYMBOL(assay_gpu_access);
  ASSAY_SYMBOL(assay_gpu_fence);
  ASSAY_SYMBOL(assay_gpu_at);
  ASSAY_SYMBOL(assay_gpu_register_module);
  ASSAY_SYMBOL(assay_gpu_unregister_module);
  ASSAY_SYMBOL(&assay_gpu_thread);
  ASSAY_SYMBOL(assay_gpu_dynamic_shared);
#undef ASSAY_SYMBOL
  for (Symbol &symbol : all)
    if (symbol.name.front() == '&')
      symbol.name.erase(0, 1);
  return all;
}

} // namespace assay::gpu
