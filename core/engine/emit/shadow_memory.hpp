#pragma once
// Allocations and releases of shadowed memory in the forward sweep: each allocation has a zeroed one beside it for each
// lane, and what is released may be read by the reverse sweep still.

#include "core/engine/emit/forward_sweep.hpp"
#include "core/engine/emit/memory_functions.hpp"

namespace assay::engine {

class ShadowMemory {
public:
  ShadowMemory(ForwardSweep &sweep, const LateReleases &late) : sweep_(sweep), late_(late) {}

  llvm::Error write_allocation(const llvm::CallBase &call, const MemoryCall &memory);
  llvm::Error write_release(const llvm::CallBase &call, unsigned pointer);
  /// A release on a way that never returns: nothing reads the shadow any more, unless a reverse half follows.
  void write_lost_release(const llvm::CallBase &call, unsigned pointer);

  /// What a derivative buries is there until it ends; so are its shadows.
  llvm::Error bury_shadows(const llvm::CallBase &call);
  /// The reverse sweep still reads what a derivative buried and releases at its end.
  void keep_buried(const llvm::CallBase &call);

  enum class Source : std::uint8_t { stack, heap };
  /// The reverse sweep releases the allocation. Where both sweeps are one function, it does so in the opposite order of
  /// the allocations: such memory comes from a stack.
  Source defer_release(const llvm::CallBase &call);

private:
  enum class When : std::uint8_t {
    now,   ///< Nothing reads the shadow any more: a combined gradient that is on its way to an exception.
    later, ///< At the end of the whole gradient.
  };

  /// True of memory that comes from the stack.
  bool is_taken(const llvm::Value &memory) const;
  /// malloc, calloc and operator new for usual alignments.
  bool is_plain_allocation(const llvm::CallBase &call) const;
  /// What is released late is released by an exception too, from here on.
  void pledge(const llvm::CallBase &call, unsigned pointer);
  llvm::Error bury(const llvm::CallBase &call, unsigned pointer, const Lanes &shadow, When when);

  ForwardSweep &sweep_;
  const LateReleases &late_;
};

} // namespace assay::engine
