#pragma once
// How many threads run a kernel, as the triple angle brackets of CUDA say it.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace assay::jit {

struct KernelLaunch {
  std::array<std::uint32_t, 3> grid{1, 1, 1};  ///< Blocks along x, y, z.
  std::array<std::uint32_t, 3> block{1, 1, 1}; ///< Threads of each.
  std::uint64_t shared_bytes = 0;              ///< Dynamic shared memory of each block.

  std::uint64_t threads() const;
  friend bool operator==(const KernelLaunch &, const KernelLaunch &) = default;
};

/// `<<<4, 64>>>`, `<<<(4,2), (8,8,1), 1024>>>`, `<<<dim3(4,2),64>>>`, also without the brackets and with `4x2` for
/// `(4,2)`. Throws BadRequest with the place where it does not parse.
KernelLaunch parse_launch(std::string_view text);

/// Each part of dynamic shared memory in a derivative: the array's, and that of each of its shadows.
std::uint64_t dynamic_share(std::uint64_t bytes);
/// What a block has on any device.
std::uint64_t most_shared_bytes();

/// Empty, or why no device takes it.
std::string why_not(const KernelLaunch &launch);

/// The same in its shortest form: `<<<4,64>>>`.
std::string to_string(const KernelLaunch &launch);

} // namespace assay::jit
