#include <assay/testing/kernel_subject.hpp>

#include "core/jit/symbol_hash.hpp"
#include "gpu/runtime/thread_orders.hpp"
#include "testutils/kernel_log.hpp"
#include "testutils/kernel_memory.hpp"
#include "testutils/watched_call.hpp"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <fmt/format.h>

namespace assay::testutils {

namespace {

using gpu::KernelCode;

/// As its author writes it, without the parameters.
std::string source_name(const std::string &symbol) {
  if (!symbol.starts_with("_Z")) // `f` alone would be a type.
    return symbol;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                         &std::free);
  std::string name = text ? text.get() : symbol;
  int depth = 0;
  for (std::size_t position = name.size(); position-- > 0;) {
    depth += name[position] == ')' ? 1 : name[position] == '(' ? -1 : 0;
    if (depth == 0 && name[position] == '(')
      name.resize(position);
    if (depth == 0)
      break;
  }
  if (name.starts_with("void ")) // Of templates.
    name.erase(0, 5);
  constexpr std::string_view unnamed = "(anonymous namespace)::";
  for (std::size_t found = name.find(unnamed); found != std::string::npos; found = name.find(unnamed))
    name.erase(found, unnamed.size());
  return name;
}

std::string extent_text(const std::array<unsigned, 3> &extent) {
  if (extent[1] == 1 && extent[2] == 1)
    return std::to_string(extent[0]);
  return extent[2] == 1 ? fmt::format("({},{})", extent[0], extent[1])
                        : fmt::format("({},{},{})", extent[0], extent[1], extent[2]);
}

gpu::Launch launch_of(const KernelShape &shape) {
  return {{shape.grid[0], shape.grid[1], shape.grid[2]},
          {shape.block[0], shape.block[1], shape.block[2]},
          shape.shared_bytes};
}

/// Dynamic shared memory is divided among the arrays and their shadows, of which code in one file has the same number
/// for each array.
KernelShape shape_with_shadows(const KernelSetting &setting) {
  constexpr std::size_t alignment = 16;
  unsigned lanes = 1;
  for (const KernelDerivative &derivative : setting.derivatives)
    lanes = std::max(lanes, derivative.combination.width);
  KernelShape shape = setting.shape;
  shape.shared_bytes = (shape.shared_bytes + alignment - 1) / alignment * alignment * (1 + lanes);
  return shape;
}

} // namespace

std::string KernelShape::text() const {
  std::string text = fmt::format("<<<{},{}", extent_text(grid), extent_text(block));
  return text + (shared_bytes == 0 ? ">>>" : fmt::format(",{}>>>", shared_bytes));
}

KernelSubject::KernelSubject(KernelSetting setting)
    : setting_(std::move(setting)), memory_(std::make_unique<DeviceMemory>(setting_.runtime)),
      emulation_(assay_gpu_kernel_tests ? assay_gpu_kernel_tests() : nullptr) {
  setting_.runtime.begin();
  symbol_ = setting_.runtime.symbol(setting_.kernel);
  signature_.function = (setting_.name.empty() ? source_name(symbol_) : setting_.name) + setting_.shape.text();
  for (const KernelArgument &argument : setting_.arguments)
    signature_.parameters.push_back(argument.parameter);
}

KernelSubject::~KernelSubject() = default;

Arguments KernelSubject::given() const {
  Arguments point;
  for (const KernelArgument &argument : setting_.arguments)
    point.push_back(numbers_in(argument, argument.bytes));
  return point;
}

const KernelDerivative *KernelSubject::derivative(const Combination &combination) const {
  const auto found = std::ranges::find(setting_.derivatives, combination, &KernelDerivative::combination);
  return found == setting_.derivatives.end() ? nullptr : &*found;
}

bool KernelSubject::has(const void *kernel, KernelCode code) const {
  return emulation_ && emulation_->has(kernel, code);
}

void KernelSubject::launch(KernelCode code, const void *kernel, const KernelShape &shape, void **arguments) const {
  if (!emulation_) {
    setting_.runtime.launch(kernel, shape, arguments);
    return;
  }
  const std::string failure =
      emulation_->launch(kernel, code, launch_of(shape), arguments, gpu::named_orders[order_].order);
  if (!failure.empty())
    throw SubjectError(failure);
}

static DeviceBuffer::Guards guards_with(const gpu::KernelTests *emulation) {
  return emulation ? DeviceBuffer::Guards::none : DeviceBuffer::Guards::canaries; // The emulation has its own.
}

/// Calls `run()`. Where that fails, what the watch finds in the same call says more: the lines and the buffer.
template <class Watched, class Run>
static auto explained(KernelSubject &subject, const Watched &call, Run run) {
  try {
    return run();
  } catch (const SubjectError &) {
    const std::optional<ThreadReport> report = subject.watch_threads(call);
    if (!report || report->findings.empty())
      throw;
    throw SubjectError(report->findings.front());
  }
}

PrimalOutcome KernelSubject::evaluate(const Arguments &inputs) {
  return explained(*this, inputs, [&] {
    KernelCall call(setting_, *memory_, inputs, guards_with(emulation_));
    launch(KernelCode::plain, setting_.kernel, setting_.shape, call.arguments());
    return PrimalOutcome{{}, call.contents(), call.violations()};
  });
}

/// Calls `launch(arguments)` for the slots of a derivative, and `use(call)` where it is done.
template <class Launch, class Use>
static auto with_derivative(const KernelSetting &setting, DeviceMemory &memory, const std::string &symbol,
                            const DerivativeRequest &request, DeviceBuffer::Guards guards, Launch launch, Use use) {
  KernelDerivativeCall call(setting, memory, jit::symbol_hash(symbol), request, guards);
  launch(call);
  if (call.is_missing())
    throw SubjectError(
        fmt::format("{} is not defined in the file of its test, so there is no derivative of it", source_name(symbol)));
  return use(call);
}

DerivativeOutcome KernelSubject::differentiate(const DerivativeRequest &request) {
  const KernelDerivative *wanted = derivative(request.combination);
  if (!wanted)
    throw SubjectError("this test has no code for " + describe(signature_, request.combination));
  const auto run = [&](KernelDerivativeCall &call) {
    launch(KernelCode::plain, wanted->kernel, shape_with_shadows(setting_), call.arguments());
  };
  DerivativeOutcome outcome = explained(*this, request, [&] {
    return with_derivative(setting_, *memory_, symbol_, request, guards_with(emulation_), run,
                           [](const KernelDerivativeCall &call) { return call.outcome(); });
  });
  log(request, outcome);
  return outcome;
}

void KernelSubject::log(const DerivativeRequest &request, const DerivativeOutcome &outcome) {
  if (!kernel_log())
    return;
  const auto earlier = std::ranges::count(logged_, request.combination);
  if (earlier == most_logged)
    return;
  logged_.push_back(request.combination);
  const std::string combination = describe(signature_, request.combination);
  log_values(combination, request, outcome);
  if (earlier != 0)
    return;
  if (emulation_)
    return;
  constexpr unsigned launches = 20;
  KernelCall function(setting_, *memory_, request.inputs, DeviceBuffer::Guards::none);
  KernelDerivativeCall call(setting_, *memory_, jit::symbol_hash(symbol_), request, DeviceBuffer::Guards::none);
  const double of_function = setting_.runtime.seconds(setting_.kernel, setting_.shape, function.arguments(), launches);
  log_times(combination,
            {of_function, setting_.runtime.seconds(derivative(request.combination)->kernel,
                                                   shape_with_shadows(setting_), call.arguments(), launches)});
}

std::optional<ThreadReport> KernelSubject::watch_threads(const Arguments &inputs) {
  if (!has(setting_.kernel, KernelCode::watched))
    return std::nullopt;
  return watch_function([&](gpu::AbsentLanes absent_lanes) {
    KernelCall call(setting_, *memory_, inputs, DeviceBuffer::Guards::none);
    const std::unique_ptr<gpu::KernelWatch> watch = emulation_->watch(absent_lanes);
    call.add_memory_to(*watch);
    const ThreadReport report =
        watched(*watch, [&] { launch(KernelCode::watched, setting_.kernel, setting_.shape, call.arguments()); });
    return WatchedFunction{report, watch->absent_lanes_read(), call.contents()};
  });
}

std::optional<ThreadReport> KernelSubject::watch_threads(const DerivativeRequest &request) {
  const KernelDerivative *wanted = derivative(request.combination);
  if (!wanted || !has(wanted->kernel, KernelCode::watched))
    return std::nullopt;
  KernelDerivativeCall call(setting_, *memory_, jit::symbol_hash(symbol_), request, DeviceBuffer::Guards::none);
  const std::unique_ptr<gpu::KernelWatch> watch = emulation_->watch(gpu::AbsentLanes::ones);
  call.add_memory_to(*watch);
  return watched(*watch,
                 [&] { launch(KernelCode::watched, wanted->kernel, shape_with_shadows(setting_), call.arguments()); });
}

std::vector<std::string> KernelSubject::thread_orders() const {
  std::vector<std::string> phrases;
  if (emulation_)
    std::ranges::transform(gpu::named_orders, std::back_inserter(phrases), &gpu::NamedOrder::phrase);
  return phrases;
}

std::string KernelSubject::backend() const {
  return emulation_ ? "emulated device" : setting_.runtime.device();
}

std::string KernelSubject::replay_command(std::uint64_t seed) const {
  return setting_.replay_suffix.empty() ? "" : fmt::format("ASSAY_SEED={} {}", seed, setting_.replay_suffix);
}

// ---- Wide arithmetic ----

std::optional<PreciseDerivative> KernelSubject::derive(KernelCode code, DeriveInWide derive, const Arguments &inputs,
                                                       const Arguments &direction) {
  if (!has(setting_.kernel, code))
    return std::nullopt;
  const auto call_at = [&](const Arguments &at, FunctionRef<void(const WidePlaces &)> before,
                           FunctionRef<void(const WidePlaces &)> after) {
    KernelCall call(setting_, *memory_, at, DeviceBuffer::Guards::none);
    before({{}, call.places()});
    launch(code, setting_.kernel, setting_.shape, call.arguments());
    after({{}, call.places()});
  };
  return derive(call_at, signature_, inputs, direction, wide_budget_);
}

std::optional<PreciseDerivative> KernelSubject::precise_derivative(const Arguments &inputs,
                                                                   const Arguments &direction) {
  return uses_movements_ ? derive(KernelCode::movement, wide_derivative, inputs, direction) : std::nullopt;
}

std::optional<PreciseDerivative> KernelSubject::derivative_in_wide(const Arguments &inputs,
                                                                   const Arguments &direction) {
  return uses_corrections_ ? derive(KernelCode::correction, corrected_derivative, inputs, direction) : std::nullopt;
}

std::optional<WideOutcome> KernelSubject::differentiate_in_wide(const DerivativeRequest &request) {
  const KernelDerivative *wanted = derivative(request.combination);
  if (!uses_corrections_ || !wanted || !has(wanted->kernel, KernelCode::correction))
    return std::nullopt;
  const auto run = [&](UseDerivative use) {
    with_derivative(
        setting_, *memory_, symbol_, request, DeviceBuffer::Guards::none,
        [&](KernelDerivativeCall &call) {
          launch(KernelCode::correction, wanted->kernel, shape_with_shadows(setting_), call.arguments());
        },
        [&](const KernelDerivativeCall &call) { use(call.outcome(), call.places()); });
  };
  return corrected_outcome(run, wide_budget_);
}

} // namespace assay::testutils
