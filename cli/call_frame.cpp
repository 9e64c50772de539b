#include "cli/call_frame.hpp"

#include "cli/call_limits.hpp"
#include "core/jit/poisoned_stack.hpp"
#include "gpu/runtime/host_entry.hpp"
#include "testutils/point.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <exception>
#include <fmt/format.h>
#include <memory>
#include <pthread.h>
#include <typeinfo>
#include <unistd.h>
#include <utility>

namespace assay::cli {

static void say(const char *text) {
  static_cast<void>(::write(STDERR_FILENO, text, std::strlen(text)));
}

/// Makes the touch of a forbidden page known by the name of its buffer while a frame's code runs.
class TouchReport {
public:
  explicit TouchReport(CallFrame &frame) : outer_(std::exchange(current, &frame)) { install(); }
  ~TouchReport() { current = outer_; }
  TouchReport(const TouchReport &) = delete;
  TouchReport &operator=(const TouchReport &) = delete;

private:
  /// Once for each process: a child begins with the usual handlers.
  static void install() {
    static bool is_installed = false;
    if (std::exchange(is_installed, true))
      return;
    static const int watches_forks = ::pthread_atfork(nullptr, nullptr, [] { is_installed = false; });
    static_cast<void>(watches_forks);
    provide_stack();
    set_handler();
  }

  static void set_handler() {
    struct sigaction action = {};
    action.sa_sigaction = report;
    action.sa_flags = SA_SIGINFO | SA_RESETHAND | SA_ONSTACK;
    ::sigaction(SIGSEGV, &action, nullptr);
  }

  /// For the handler: the usual stack may be full.
  static void provide_stack() {
    static std::array<std::byte, std::size_t(64) << 10U> memory;
    stack_t stack = {};
    stack.ss_sp = memory.data();
    stack.ss_size = memory.size();
    ::sigaltstack(&stack, nullptr);
  }

  /// On return the access is tried again, with the usual end.
  static void report(int, siginfo_t *signal, [[maybe_unused]] void *context) {
    if (current && current->note_write(signal->si_addr))
      return set_handler();
    if (CallCircumstance::words != nullptr)
      say(CallCircumstance::words);
    const char *verb = "touched";
#if defined(__x86_64__)
    constexpr greg_t is_write = 2;
    const auto &registers = static_cast<ucontext_t *>(context)->uc_mcontext.gregs;
    verb = registers[REG_ERR] & is_write ? "wrote" : "read";
    if (is_beneath(signal->si_addr, static_cast<std::uintptr_t>(registers[REG_RSP])))
      return CallFrame::report_full_stack();
#endif
    if (!current || CallFrame::report_touch(*current, signal->si_addr, verb))
      return;
    constexpr std::uintptr_t first_page = 4096;
    if (signal->si_code == SI_KERNEL)
      say("it accessed memory that is not aligned as it expects, or where no memory can be\n");
    else if (reinterpret_cast<std::uintptr_t>(signal->si_addr) < first_page) {
      say("it ");
      say(verb);
      say(" memory through a null pointer\n");
    }
  }

  /// Where a function's own variables are.
  static bool is_beneath(const void *address, std::uintptr_t stack_pointer) {
    constexpr std::uintptr_t above = 4096, below = 65536;
    const auto touched = reinterpret_cast<std::uintptr_t>(address);
    return touched < stack_pointer + above && touched + below > stack_pointer;
  }

  static thread_local CallFrame *current;
  CallFrame *outer_;
};

thread_local CallFrame *TouchReport::current = nullptr;

void CallFrame::report_full_stack() {
  say("the stack is full: functions call each other too deep, or have too large variables\n");
}

void CallFrame::watch_writes() {
  for (Placed &placed : buffers_)
    if (is_passed_memory(placed)) {
      placed.is_written = false;
      placed.buffer.let_write(false);
    }
}

bool CallFrame::note_write(const void *address) {
  for (Placed &placed : buffers_)
    if (!placed.is_written && is_passed_memory(placed) && placed.buffer.holds(address)) {
      placed.is_written = true;
      placed.buffer.let_write(true);
      return true;
    }
  return false;
}

std::vector<std::size_t> CallFrame::written() const {
  std::vector<std::size_t> parameters;
  for (const Placed &placed : buffers_)
    if (placed.is_written)
      parameters.push_back(placed.slot);
  return parameters;
}

/// In a signal handler: no memory is allocated.
bool CallFrame::report_touch(const CallFrame &frame, const void *address, const char *verb) {
  for (const Placed &placed : frame.buffers_) {
    const NumberBuffer::Damage side = placed.buffer.touched_by(address);
    if (side == NumberBuffer::Damage::none)
      continue;
    say("it ");
    say(verb);
    say(side == NumberBuffer::Damage::before ? " memory before " : " memory behind ");
    say(placed.description.c_str());
    say("\n");
    return true;
  }
  return false;
}

/// `std::domain_error`.
static std::string type_of(const std::exception &thrown) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(typeid(thrown).name(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? name.get() : "an exception";
}

void CallFrame::call(jit::Entry entry) {
  const TouchReport report(*this);
  jit::poison_stack();
  const LimitedCall limited;
  try {
    entry(slots_.data());
  } catch (const gpu::LaunchFailed &failure) {
    throw testutils::SubjectError(failure.what());
  } catch (const std::exception &thrown) {
    throw testutils::FunctionThrew(fmt::format("it threw {}: {}", type_of(thrown), thrown.what()));
  }
}

void CallFrame::call_alone(jit::Entry entry) {
  entry(slots_.data());
}

/// The type in which the compiled function takes or returns the numbers: `int=8` may be for a 64-bit parameter.
jit::Scalar storage_type(const jit::ParameterType &type, jit::Scalar spec) {
  if (const std::optional<jit::Scalar> real = jit::real_of(type))
    return *real;
  return type.kind == jit::ParameterType::Kind::integer ? jit::integer_of(type.bits) : spec;
}

NumberBuffer::Canaries canaries_of(const std::vector<bool> &poisoned, std::size_t parameter) {
  return parameter < poisoned.size() && poisoned[parameter] ? NumberBuffer::Canaries::poison
                                                            : NumberBuffer::Canaries::usual;
}

/// The same numbers lie in the same places.
static std::size_t turn_of(const testutils::Arguments &inputs) {
  std::uint64_t turn = 0;
  for (const testutils::Values &values : inputs)
    for (const double value : values)
      turn = turn * 0x9E3779B97F4A7C15U + std::bit_cast<std::uint64_t>(value);
  return turn >> 32U;
}

void CallFrame::place(std::size_t slot, NumberBuffer buffer, std::string description) {
  const bool is_memory = slot < layout.result() && request_.arguments[slot % layout.parameters].is_pointer();
  if (is_memory && !request_.function.expects_alignment)
    buffer.shift(turn_ + slot);
  slots_[slot] = buffer.data();
  buffers_.push_back({slot, std::move(buffer), std::move(description)});
}

void CallFrame::place_inputs(const testutils::Arguments &inputs, const std::vector<bool> &poisoned) {
  turn_ = turn_of(inputs);
  for (std::size_t index = 0; index < inputs.size(); ++index)
    place(layout.parameter(index), {type(index), inputs[index], canaries_of(poisoned, index)}, name(index));
}

void CallFrame::place_result() {
  if (request_.function.result)
    place(layout.result(), NumberBuffer::poisoned(result_type(), 1), "the result");
}

void CallFrame::call_between(void (*action)(void *), void *argument) {
  slots_[layout.between()] = reinterpret_cast<void *>(action);
  slots_[layout.between_argument()] = argument;
}

void CallFrame::poison_buffers() {
  for (Placed &placed : buffers_)
    if (is_passed_memory(placed))
      placed.buffer.poison();
}

void CallFrame::poison_shadows() {
  for (Placed &placed : buffers_)
    if (is_shadow_of_memory(placed))
      placed.buffer.poison();
}

void CallFrame::poison_all() {
  for (Placed &placed : buffers_)
    placed.buffer.poison();
}

void CallFrame::assign(std::size_t slot, const testutils::Values &values) {
  std::ranges::find(buffers_, slot, &Placed::slot)->buffer.assign(values);
}

std::vector<std::string> CallFrame::changed(bool (CallFrame::*which)(const Placed &) const) const {
  std::vector<std::string> descriptions;
  for (const Placed &placed : buffers_)
    if ((this->*which)(placed) && !placed.buffer.is_poisoned())
      descriptions.push_back(placed.description);
  return descriptions;
}

std::vector<std::string> CallFrame::changed_buffers() const {
  return changed(&CallFrame::is_passed_memory);
}

std::vector<std::string> CallFrame::changed_shadows() const {
  return changed(&CallFrame::is_shadow_of_memory);
}

jit::Scalar CallFrame::type(std::size_t parameter) const {
  return storage_type(request_.function.parameters[parameter], request_.arguments[parameter].type);
}

jit::Scalar CallFrame::result_type() const {
  return storage_type(*request_.function.result, jit::Scalar::real64);
}

void CallFrame::add_memory_to(gpu::WatchOfEntries &watch) const {
  for (const Placed &placed : buffers_)
    watch.add_memory(slots_[placed.slot], placed.buffer.bytes(), NumberBuffer::margin_bytes, placed.description);
}

testutils::Values CallFrame::at(std::size_t slot) const {
  for (const Placed &placed : buffers_)
    if (placed.slot == slot)
      return placed.buffer.values();
  return {};
}

testutils::Arguments CallFrame::contents() const {
  testutils::Arguments contents;
  for (std::size_t index = 0; index < layout.parameters; ++index)
    contents.push_back(at(layout.parameter(index)));
  return contents;
}

std::vector<std::string> CallFrame::violations() const {
  std::vector<std::string> sentences;
  for (const Placed &placed : buffers_)
    if (const NumberBuffer::Damage damage = placed.buffer.damage(); damage != NumberBuffer::Damage::none)
      sentences.push_back(fmt::format("memory {} {} was written",
                                      damage == NumberBuffer::Damage::before ? "before" : "behind",
                                      placed.description));
  return sentences;
}

} // namespace assay::cli
