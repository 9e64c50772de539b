#pragma once
// A CUDA kernel as a Subject: the test has its arguments in memory of the host, each call copies them to the device
// and back. What depends on types, and all calls of CUDA's runtime, are in <assay/gpu/testing.hpp>.

#include <assay/testing/subject.hpp>
#include <assay/testing/wide_arithmetic.hpp>

#include <array>
#include <cstddef>
#include <memory>

namespace assay::gpu {
class KernelTests;
enum class KernelCode : std::uint8_t;
} // namespace assay::gpu

namespace assay::testutils {

/// A number within the bytes of an argument.
struct KernelNumber {
  std::size_t offset = 0;
  ElementType type = ElementType::double_precision;
  std::size_t size = 8;
  bool is_signed = true; ///< Of integers.
};

struct KernelArgument {
  Parameter parameter;
  bool is_pointer = false;           ///< The kernel gets the address of the bytes; else it gets them by value.
  std::vector<std::byte> bytes;      ///< As the test gives them.
  std::vector<KernelNumber> numbers; ///< The elements of `parameter`, in order.
};

struct KernelShape {
  std::array<unsigned, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::size_t shared_bytes = 0; ///< Dynamic shared memory.
  /// `<<<4, 64>>>`
  std::string text() const;
};

/// A kernel that computes a derivative: which one is its first argument (core/jit/symbol_hash.hpp), the second one
/// slots (core/jit/derivative.hpp).
struct KernelDerivative {
  Combination combination;
  const void *kernel = nullptr;
};

/// The functions of CUDA's runtime that a subject needs. Each throws SubjectError with the runtime's message.
struct KernelRuntime {
  /// Whether there is something to run on; called first.
  void (*begin)();
  void *(*allocate)(std::size_t bytes);
  void (*release)(void *memory);
  void (*copy)(void *to, const void *from, std::size_t bytes);
  /// To its end.
  void (*launch)(const void *kernel, const KernelShape &shape, void **arguments);
  /// Of one launch, on average of so many.
  double (*seconds)(const void *kernel, const KernelShape &shape, void **arguments, unsigned launches);
  /// Of a kernel, as the linker has it.
  std::string (*symbol)(const void *kernel);
  std::string (*device)();
};

struct KernelSetting {
  std::string name;          ///< In messages; empty: as the source has it.
  std::string replay_suffix; ///< The replay command is ASSAY_SEED=... and this.
  const void *kernel = nullptr;
  KernelShape shape;
  std::vector<KernelArgument> arguments;
  std::vector<KernelDerivative> derivatives;
  KernelRuntime runtime;
};

class DeviceMemory;

class KernelSubject : public Subject {
public:
  /// Throws SubjectError where there is nothing to run on, or no such kernel.
  explicit KernelSubject(KernelSetting setting);
  ~KernelSubject() override;

  /// As the options `wide_arithmetic` and `wide_reassessment` say (wide_arithmetic.hpp); without effect on a device.
  void use_wide_arithmetic() { uses_movements_ = true; }
  void use_wide_derivatives() { uses_corrections_ = true; }

  /// The given arguments as a point.
  Arguments given() const;

  const Signature &signature() const override { return signature_; }
  PrimalOutcome evaluate(const Arguments &inputs) override;
  DerivativeOutcome differentiate(const DerivativeRequest &request) override;
  std::optional<PreciseDerivative> precise_derivative(const Arguments &inputs, const Arguments &direction) override;
  std::optional<PreciseDerivative> derivative_in_wide(const Arguments &inputs, const Arguments &direction) override;
  std::optional<WideOutcome> differentiate_in_wide(const DerivativeRequest &request) override;
  std::optional<ThreadReport> watch_threads(const Arguments &inputs) override;
  std::optional<ThreadReport> watch_threads(const DerivativeRequest &request) override;
  std::vector<std::string> thread_orders() const override;
  void set_thread_order(std::size_t order) override { order_ = order; }
  std::string backend() const override;
  bool is_on_device() const override { return !emulation_; }
  bool supports(const Combination &combination) const override { return derivative(combination) != nullptr; }
  bool keeps_nothing() const override { return true; }
  std::string replay_command(std::uint64_t seed) const override;

private:
  const KernelDerivative *derivative(const Combination &combination) const;
  bool has(const void *kernel, gpu::KernelCode code) const;
  void launch(gpu::KernelCode code, const void *kernel, const KernelShape &shape, void **arguments) const;
  /// Adds lines to the file that the environment's ASSAY_KERNEL_LOG names, where there is one
  /// (testutils/kernel_log.hpp).
  void log(const DerivativeRequest &request, const DerivativeOutcome &outcome);
  std::optional<PreciseDerivative> derive(gpu::KernelCode code, DeriveInWide derive, const Arguments &inputs,
                                          const Arguments &direction);

  KernelSetting setting_;
  std::unique_ptr<DeviceMemory> memory_;
  Signature signature_;
  std::string symbol_;
  gpu::KernelTests *emulation_; ///< Null on a device.
  bool uses_movements_ = false, uses_corrections_ = false;
  std::size_t order_ = 0;
  WideBudget wide_budget_;
  static constexpr int most_logged = 8; ///< Derivatives of each combination.
  std::vector<Combination> logged_;
};

} // namespace assay::testutils
