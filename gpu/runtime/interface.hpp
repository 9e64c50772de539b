#pragma once
// The interface of compiled emulated code and the runtime: the tables that `gpu/emulate` writes into a module,
// and the functions that it calls. The layouts are repeated in `gpu/emulate`.

#include <cstdint>

namespace assay::gpu {

struct Extent {
  std::uint32_t x = 1, y = 1, z = 1;
  std::uint64_t count() const { return static_cast<std::uint64_t>(x) * y * z; }
};

/// Who is running. The code reads it wherever CUDA reads a special register.
struct ThreadContext {
  Extent thread = {0, 0, 0}, block = {0, 0, 0}, block_size, grid_size;
  std::uint32_t dynamic_shared_bytes = 0;
};

/// A place in the source.
struct Site {
  const char *file;
  const char *function;
  std::uint32_t line;
};

struct MemoryRow {
  const char *name;
  void *address;
  std::uint64_t bytes;
};

struct KernelRow {
  const char *name;
  /// Runs the thread of the current context. `arguments` is that of cudaLaunchKernel: the address of each argument.
  void (*thread)(void **arguments);
  /// Runs all threads of a block in ascending order; null where the kernel may reach a barrier or a warp operation.
  void (*block)(void **arguments, const ThreadContext *context);
  const MemoryRow *shared; ///< Static shared memory that the kernel may reach.
  std::uint32_t shared_count;
  std::uint32_t argument_count;
  std::uint32_t most_threads; ///< Of a block, by its launch bounds; 0: not said.
};

struct ModuleRow {
  const char *identity; ///< The content of its fat binary.
  const KernelRow *kernels;
  std::uint64_t kernel_count;
  const MemoryRow *variables;
  std::uint64_t variable_count;
};

/// How a kernel is run that code of the host calls like a function.
struct EntryLaunch {
  Extent grid, block;
  std::uint64_t shared_bytes;
};

enum class WarpOperation : std::uint32_t {
  synchronise,
  shuffle_index,
  shuffle_up,
  shuffle_down,
  shuffle_xor,
  vote_all,
  vote_any,
  vote_uniform,
  vote_ballot,
  match_any,
  match_all,
  reduce_add,
  reduce_minimum,
  reduce_maximum,
  reduce_unsigned_minimum,
  reduce_unsigned_maximum,
  reduce_and,
  reduce_or,
  reduce_xor,
  active_mask
};

enum class BarrierReduction : std::uint32_t { none, count, conjunction, disjunction };

/// Nothing stands this near behind shared arrays and variables of code with the access log.
inline constexpr std::uint64_t surroundings_bytes = 256;

/// The kind of an access, as bits.
enum AccessBits : std::uint32_t {
  access_read = 1,
  access_write = 2,
  access_atomic = 4,
  access_of_block = 8, ///< An atomic that is one only for threads of its block.
  access_volatile = 16,
  access_copy = 32,    ///< A read whose bytes are only moved: padding may be among them.
  access_put_back = 64 ///< A read of a value that a derivative puts back later, whatever it is.
};

} // namespace assay::gpu

extern "C" {
extern assay::gpu::ThreadContext assay_gpu_thread;
void assay_gpu_register_module(const assay::gpu::ModuleRow *module);
void assay_gpu_unregister_module(const assay::gpu::ModuleRow *module);

void assay_gpu_run_entry(const assay::gpu::KernelRow *kernel, void **slots, const assay::gpu::EntryLaunch *launch);

/// `threads` is 0 for the whole block.
std::uint32_t assay_gpu_barrier(const assay::gpu::Site *site, std::uint32_t id, std::uint32_t threads,
                                std::uint32_t reduction, std::uint32_t predicate);
void assay_gpu_barrier_arrive(const assay::gpu::Site *site, std::uint32_t id, std::uint32_t threads);
/// The result, with the second result of operations that have one (a predicate) in the bit 32 and up.
std::uint64_t assay_gpu_warp(const assay::gpu::Site *site, std::uint32_t operation, std::uint32_t mask,
                             std::uint64_t value, std::uint32_t lane, std::uint32_t clamp);
void assay_gpu_trap(const assay::gpu::Site *site);
void assay_gpu_exit(const assay::gpu::Site *site);
void *assay_gpu_malloc(std::uint64_t bytes);
void assay_gpu_free(void *memory);
int assay_gpu_vprintf(const char *format, const char *arguments);
void assay_gpu_assert_fail(const char *message, const char *file, std::uint32_t line, const char *function,
                           std::uint64_t character_size);
std::uint64_t assay_gpu_clock();

// ---- The access log: calls in front of the accesses they announce ----

/// By constructors of modules that have the log.
void assay_gpu_log_accesses();
/// `base` is a pointer into the same object where it is known, `value` the address of the stored value; or null.
void assay_gpu_access(const assay::gpu::Site *site, const void *address, std::uint64_t bytes, std::uint32_t bits,
                      const void *base, const void *value);
/// A fence of the block's scope, or of a wider one.
void assay_gpu_fence(std::uint32_t is_of_block);
/// The next call of malloc or free comes from here.
void assay_gpu_at(const assay::gpu::Site *site);

extern char assay_gpu_dynamic_shared[];
}
