#include "gpu/runtime/kernel_tests.hpp"

#include "gpu/runtime/host_entry.hpp"
#include "gpu/runtime/memory.hpp"
#include "gpu/runtime/registration.hpp"
#include "gpu/runtime/watch.hpp"

namespace assay::gpu {

namespace {

/// What is found while it lives is the test's to judge, and no finding of the program.
class Uncounted {
public:
  Uncounted() : before_(gpu::findings().count()) {}
  ~Uncounted() { gpu::findings().forget_since(before_); }
  Uncounted(const Uncounted &) = delete;
  Uncounted &operator=(const Uncounted &) = delete;

private:
  std::uint64_t before_;
};

class Watching : public KernelWatch {
public:
  explicit Watching(AbsentLanes absent_lanes) : watch_(absent_lanes) {}
  void add_memory(const void *begin, std::size_t bytes, std::string name) override {
    constexpr std::size_t margin = 4096; // Pages of its own stand around each buffer (memory.cpp).
    watch_.add_memory(begin, bytes, margin, std::move(name));
  }
  std::vector<Finding> findings() const override {
    const Uncounted uncounted;
    return watch_.findings();
  }
  bool has_atomics() const override { return watch_.has_atomics(); }
  bool has_narrow_atomics() const override { return watch_.has_narrow_atomics(); }
  const std::vector<std::string> &absent_lanes_read() const override { return watch_.absent_lanes_read(); }

private:
  WatchOfEntries watch_;
};

/// Code of each kind has variables of its own; while it lives, those of `code` are the program's.
class Variables {
public:
  Variables(const void *kernel, KernelCode code) : kernel_(kernel), suffix_(suffix_of(code)) {
    copy_variables(kernel_, "", suffix_);
  }
  ~Variables() { copy_variables(kernel_, suffix_, ""); }
  Variables(const Variables &) = delete;
  Variables &operator=(const Variables &) = delete;

private:
  const void *kernel_;
  const char *suffix_;
};

/// Where the whole program is watched: a test looks at its kernels itself, by their watched code.
class Unwatched {
public:
  explicit Unwatched(KernelCode code)
      : is_off_(code != KernelCode::watched), before_(is_off_ ? exchange_watch(nullptr) : nullptr) {}
  ~Unwatched() {
    if (is_off_)
      exchange_watch(before_);
  }
  Unwatched(const Unwatched &) = delete;
  Unwatched &operator=(const Unwatched &) = delete;

private:
  bool is_off_;
  Watch *before_;
};

class Tests : public KernelTests {
public:
  bool has(const void *kernel, KernelCode code) const override { return kernel_of(kernel, suffix_of(code)); }

  std::string launch(const void *kernel, KernelCode code, const Launch &launch, void **arguments,
                     const Order &order) override {
    const Uncounted uncounted;
    const OrderOfEntries ordered(order);
    const Variables variables(kernel, code);
    const Unwatched unwatched(code);
    try {
      run_entry(*kernel_of(kernel, suffix_of(code)), launch, arguments);
    } catch (const LaunchFailed &failure) {
      return failure.what();
    }
    return "";
  }

  std::unique_ptr<KernelWatch> watch(AbsentLanes absent_lanes) override {
    return std::make_unique<Watching>(absent_lanes);
  }
};

} // namespace

} // namespace assay::gpu

assay::gpu::KernelTests *assay_gpu_kernel_tests() {
  static assay::gpu::Tests tests;
  return &tests;
}
