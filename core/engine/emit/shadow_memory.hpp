#pragma once
// Allocations and releases of shadowed memory in the forward sweep: each allocation has a zeroed one beside it for each
// lane, and the reverse sweep may still read released memory.

#include "core/engine/emit/forward_sweep.hpp"
#include "core/engine/support/memory_calls.hpp"

namespace assay::engine {

class ShadowMemory {
public:
  explicit ShadowMemory(ForwardSweep &sweep) : sweep_(sweep) {}

  llvm::Error write_allocation(const llvm::CallBase &call, const MemoryCall &memory);
  llvm::Error write_release(const llvm::CallBase &call, unsigned pointer);
  /// A release on a way that never returns: nothing reads the shadow any more, unless a reverse half follows.
  void write_lost_release(const llvm::CallBase &call, unsigned pointer);

  /// Memory whose release a derivative defers is there until it ends; so are its shadows.
  llvm::Error bury_shadows(const llvm::CallBase &call);
  /// The reverse sweep still reads memory whose release a derivative deferred to its end.
  void keep_buried(const llvm::CallBase &call);

  /// The allocation comes from where the plan says, when the reverse sweep is to release it.
  void release_late(const llvm::CallBase &call);

private:
  enum class When : std::uint8_t {
    now,   ///< Nothing reads the shadow any more: a combined gradient that is on its way to an exception.
    later, ///< At the end of the whole gradient.
  };

  /// The allocation and its shadows end with the whole gradient.
  llvm::Error bury_from_the_start(const llvm::CallBase &call);
  /// Whether the plan takes an allocation that the pointer may mean from the memory stack.
  bool may_be_from_memory_stack(const llvm::Value &memory) const;
  /// Memory that is released late is released by an exception too, from here on.
  void add_unwind_cleanup(const llvm::CallBase &call, unsigned pointer);
  llvm::Error bury(const llvm::CallBase &call, unsigned pointer, const Lanes &shadow, When when);
  void bury_primal(const llvm::CallBase &call, unsigned pointer);

  ForwardSweep &sweep_;
};

} // namespace assay::engine
