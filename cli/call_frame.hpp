#pragma once
// All memory of one call of a compiled function: a buffer for every slot that is used.

#include "cli/check_request.hpp"
#include "cli/number_buffer.hpp"
#include "core/jit/derivative.hpp"
#include "gpu/runtime/host_entry.hpp"

namespace assay::cli {

/// The type in which the compiled function takes or returns the numbers: `int=8` may be for a 64-bit parameter.
jit::Scalar storage_type(const jit::ParameterType &type, jit::Scalar spec);

/// Of the memory of a parameter and of its shadows.
NumberBuffer::Canaries canaries_of(const std::vector<bool> &poisoned, std::size_t parameter);

/// While it lives, the message of a crash begins with this text: the unusual circumstance of the call.
class CallCircumstance {
public:
  explicit CallCircumstance(const char *said) { words = said; }
  ~CallCircumstance() { words = nullptr; }
  CallCircumstance(const CallCircumstance &) = delete;
  CallCircumstance &operator=(const CallCircumstance &) = delete;

  static inline const char *words = nullptr;
};

class CallFrame {
public:
  CallFrame(const CheckRequest &request, const jit::SlotLayout &layout)
      : layout(layout), request_(request), slots_(layout.count(), nullptr) {}

  void place(std::size_t slot, NumberBuffer buffer, std::string description);
  /// `poisoned` as in a DerivativeRequest.
  void place_inputs(const testutils::Arguments &inputs, const std::vector<bool> &poisoned = {});
  /// Poisoned, where the function has one.
  void place_result();

  jit::Scalar type(std::size_t parameter) const;
  jit::Scalar result_type() const;
  const std::string &name(std::size_t parameter) const { return request_.function.parameters[parameter].name; }

  /// A touch of the pages around the memory is said on standard error before it ends the process. What the
  /// function reads of its own stack before it writes it is poison.
  void call(jit::Entry entry);
  /// The same without these, for a stack of its own.
  void call_alone(jit::Entry entry);
  /// From now on the first write to each buffer of the memory that is passed is noted.
  void watch_writes();
  /// The parameters whose memory was written since, also with what it held.
  std::vector<std::size_t> written() const;
  /// `action(argument)` runs between the two sweeps of a split derivative.
  void call_between(void (*action)(void *), void *argument);

  /// Of the memory that is passed; scalars are handed over again with their value.
  void poison_buffers();
  /// The same of the shadows of memory.
  void poison_shadows();
  /// Of everything.
  void poison_all();
  /// From now on a shadow holds these.
  void assign(std::size_t slot, const testutils::Values &values);
  /// Poisoned memory that holds something else, by its description.
  std::vector<std::string> changed_buffers() const;
  std::vector<std::string> changed_shadows() const;

  /// Names all memory to the watch over a kernel's accesses.
  void add_memory_to(gpu::WatchOfEntries &watch) const;

  /// The content of a slot; empty if it is not used.
  testutils::Values at(std::size_t slot) const;
  void *data(std::size_t slot) const { return slots_[slot]; }
  /// Of every parameter.
  testutils::Arguments contents() const;

  /// Where memory around the buffers was written, one sentence each.
  std::vector<std::string> violations() const;

  const jit::SlotLayout layout;

private:
  struct Placed {
    std::size_t slot;
    NumberBuffer buffer;
    std::string description;
    bool is_written = false; ///< Since its writes are watched.
  };
  bool is_passed_memory(const Placed &placed) const {
    return placed.slot < layout.parameters && request_.arguments[placed.slot].is_pointer();
  }
  bool is_shadow_of_memory(const Placed &placed) const {
    return placed.slot >= layout.parameters && placed.slot < layout.result() &&
           request_.arguments[placed.slot % layout.parameters].is_pointer();
  }
  std::vector<std::string> changed(bool (CallFrame::*which)(const Placed &) const) const;
  static void report_full_stack();
  static bool report_touch(const CallFrame &frame, const void *address, const char *verb);
  /// Whether the address is where writes are watched; from then on it can be written.
  bool note_write(const void *address);
  friend class TouchReport;

  const CheckRequest &request_;
  std::vector<void *> slots_;
  std::size_t turn_ = 0; ///< Which alignments the memory has.
  std::vector<Placed> buffers_;
};

} // namespace assay::cli
