#pragma once
// The questions of a compiled test of kernels to the emulation. The harness is linked to a program for a device as
// well, where there is no emulation: so this is an interface, and the harness refers to the function behind it weakly.

#include "gpu/runtime/findings.hpp"
#include "gpu/runtime/launch.hpp"

#include <memory>
#include <string>
#include <vector>

namespace assay::gpu {

/// The code of a kernel that a test may name (core/plugin/tested_kernels.hpp) is there more than once.
enum class KernelCode : std::uint8_t {
  plain,
  watched,   ///< With the access log.
  movement,  ///< Widened (core/widen); kernels alone.
  correction ///< The same; derivatives, too.
};
/// The suffix of a module's identity for each kind of its code.
constexpr const char *suffix_of(KernelCode code) {
  constexpr const char *suffixes[] = {"", ".watched", ".movement", ".correction"};
  return suffixes[static_cast<unsigned>(code)];
}

/// While it lives, launches of watched code are watched.
class KernelWatch {
public:
  virtual ~KernelWatch() = default;
  /// Memory that was allocated before; `name` stands in findings.
  virtual void add_memory(const void *begin, std::size_t bytes, std::string name) = 0;
  virtual std::vector<Finding> findings() const = 0;
  virtual bool has_atomics() const = 0;
  virtual bool has_narrow_atomics() const = 0;
  /// One sentence for each place where a shuffle reads a lane that takes no part in it.
  virtual const std::vector<std::string> &absent_lanes_read() const = 0;
};

class KernelTests {
public:
  virtual ~KernelTests() = default;
  virtual bool has(const void *kernel, KernelCode code) const = 0;
  /// Empty, or why the launch did not come to its end.
  virtual std::string launch(const void *kernel, KernelCode code, const Launch &launch, void **arguments,
                             const Order &order) = 0;
  virtual std::unique_ptr<KernelWatch> watch(AbsentLanes absent_lanes) = 0;
};

} // namespace assay::gpu

extern "C" assay::gpu::KernelTests *assay_gpu_kernel_tests() __attribute__((weak));
