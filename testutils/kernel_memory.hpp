#pragma once
// The memory of one launch of a kernel, or of a derivative of it: an image of each argument on the device.

#include "core/jit/derivative.hpp"
#include "gpu/runtime/kernel_tests.hpp"
#include <assay/testing/kernel_subject.hpp>

#include <deque>
#include <map>

namespace assay::testutils {

/// The bytes of an argument that hold these numbers.
std::vector<std::byte> image_of(const KernelArgument &argument, const Values &values);
/// Of a shadow: nothing but these numbers.
std::vector<std::byte> shadow_image_of(const KernelArgument &argument, const Values &values);
Values numbers_in(const KernelArgument &argument, const std::vector<std::byte> &bytes);

/// Memory of the device, which is used again and released in the end: calls are many, and mapping memory takes longer
/// than a small kernel.
class DeviceMemory {
public:
  explicit DeviceMemory(const KernelRuntime &runtime) : runtime(runtime) {}
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory &) = delete;
  DeviceMemory &operator=(const DeviceMemory &) = delete;

  void *take(std::size_t bytes);
  void give_back(void *memory, std::size_t bytes) { free_[bytes].push_back(memory); }

  const KernelRuntime runtime;

private:
  std::map<std::size_t, std::vector<void *>> free_; ///< By size: guards stand right behind it.
};

/// Bytes on the device, with canaries around them where nothing else guards them.
class DeviceBuffer {
public:
  enum class Guards : std::uint8_t { none, canaries };
  DeviceBuffer(DeviceMemory &memory, const std::vector<std::byte> &bytes, Guards guards);
  ~DeviceBuffer();
  DeviceBuffer(const DeviceBuffer &) = delete;
  DeviceBuffer &operator=(const DeviceBuffer &) = delete;

  void *data() const { return begin_; }
  std::size_t size() const { return size_; }
  std::vector<std::byte> read() const;
  bool guards_are_intact() const;

private:
  DeviceMemory &memory_;
  std::size_t size_, guard_;
  void *block_;
  std::byte *begin_;
};

/// The arguments of a kernel.
class KernelCall {
public:
  KernelCall(const KernelSetting &setting, DeviceMemory &memory, const Arguments &inputs, DeviceBuffer::Guards guards);
  /// As cudaLaunchKernel takes them.
  void **arguments() { return pointers_.data(); }
  Arguments contents() const;
  void add_memory_to(gpu::KernelWatch &watch) const;
  std::vector<std::string> violations() const;
  /// Where the numbers of each argument are.
  std::vector<std::vector<NumberPlace>> places() const;

private:
  const KernelSetting &setting_;
  std::deque<DeviceBuffer> buffers_;          ///< Of pointers, in order.
  std::deque<std::vector<std::byte>> values_; ///< What each parameter of the kernel is.
  std::vector<void *> pointers_;
};

/// The slots of a derivative.
class KernelDerivativeCall {
public:
  KernelDerivativeCall(const KernelSetting &setting, DeviceMemory &memory, std::uint64_t symbol,
                       const DerivativeRequest &request, DeviceBuffer::Guards guards);
  void **arguments() { return pointers_.data(); }
  /// The file of the test has no such kernel.
  bool is_missing() const;
  DerivativeOutcome outcome() const;
  DerivativePlaces places() const;
  void add_memory_to(gpu::KernelWatch &watch) const;

private:
  const DeviceBuffer &place(std::size_t slot, const std::vector<std::byte> &bytes, std::string name);
  void place_shadow(std::size_t index, unsigned lane);
  const DeviceBuffer *at(std::size_t slot) const { return placed_[slot]; }
  Values numbers_at(std::size_t index, std::size_t slot) const;
  bool has_shadow(std::size_t index) const;

  const KernelSetting &setting_;
  DeviceMemory &memory_;
  const DerivativeRequest &request_;
  const jit::SlotLayout layout_;
  const DeviceBuffer::Guards guards_;
  std::deque<DeviceBuffer> buffers_;
  std::vector<std::string> names_; ///< Of the buffers.
  std::vector<const DeviceBuffer *> placed_;
  std::optional<DeviceBuffer> slots_;
  std::uint64_t symbol_;
  void *slots_address_ = nullptr;
  std::array<void *, 2> pointers_{};
};

} // namespace assay::testutils
