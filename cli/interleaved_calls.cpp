// The orders are: in turns, from access to access; and one call as a whole at one access of the other, for some of its
// accesses to variables that threads share.

#include "cli/interleaved_calls.hpp"

#include "cli/call_limits.hpp"
#include "cli/coroutine.hpp"
#include "cli/derivative_call.hpp"
#include "core/jit/heap_watch.hpp"
#include "core/jit/library_thread_variables.hpp"
#include "core/jit/yield_points.hpp"
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <unordered_map>

namespace assay::cli {

namespace {

using testutils::DerivativeOutcome;
using testutils::DerivativeRequest;
using Access = jit::YieldListener::Access;

/// After so many changes from one call to the other they are no longer interrupted.
constexpr std::size_t most_changes = 20000;
/// At so many accesses to variables the other call is tried as a whole.
constexpr std::size_t most_places = 16;

struct Schedule {
  std::optional<std::size_t> only_at; ///< The access of the first call at which the second runs; else every one.
};

/// What a call finds in an object that an earlier one made, such as a vector. Its addresses, as the ends of a vector,
/// say nothing of the numbers between them.
class LastingObject {
public:
  void read(const void *word) {
    std::uintptr_t value = 0;
    if (reinterpret_cast<std::uintptr_t>(word) % sizeof value == 0)
      std::memcpy(&value, word, sizeof value);
    if (value == 0)
      return;
    holds_more_ |= value < least_address || value >= beyond_addresses;
    begin_ = std::min(begin_, value);
    end_ = std::max(end_, value);
  }
  /// The first access to a place of the call's, in the end.
  void access(const void *place, Access first) {
    const auto address = reinterpret_cast<std::uintptr_t>(place);
    if (address < begin_ || address >= end_)
      return;
    (first == Access::write ? fills_ : holds_more_) = true;
  }
  /// Whether it writes what lies between the addresses before it reads that.
  bool is_filled() const { return fills_ && !holds_more_; }

private:
  static constexpr std::uintptr_t least_address = std::uintptr_t(1) << 30, beyond_addresses = std::uintptr_t(1) << 47;
  std::uintptr_t begin_ = beyond_addresses, end_ = 0;
  bool holds_more_ = false, fills_ = false;
};

/// What a call alone does to variables that threads share.
struct SharedAccesses {
  std::map<std::string, Access, std::less<>> first;
  std::vector<std::size_t> at; ///< Counted among all accesses.
  std::map<std::string, LastingObject, std::less<>> lasting;
};

/// One or two calls under way.
class Interleaving : jit::YieldListener {
public:
  Interleaving(const CheckRequest &request, const jit::Program &program, jit::Entry entry,
               std::vector<const DerivativeRequest *> requests, Schedule schedule,
               jit::GlobalState::Private private_variables)
      : variables_(program.variables_of(entry)), schedule_(schedule), private_(std::move(private_variables)) {
    program.reset();
    for (const DerivativeRequest *one : requests) {
      checked_.push_back({request, program, entry, *one});
      calls_.push_back(std::make_unique<Call>(request, program, entry, *one, variables_.memory_of_thread(private_)));
    }
  }

  std::vector<DerivativeOutcome> run() {
    const jit::HeapWatch heap; // What one call allocates, the other may free.
    const LimitedCall limited; // One may wait for the other for ever.
    first_elsewhere_.clear();
    while (std::ranges::any_of(calls_, [](const auto &call) { return !call->is_done; })) {
      Call &call = *calls_[current_];
      if (!call.is_done) {
        variables_.put_memory_of_thread(private_, call.memory);
        call.library_memory.put_back();
        call.work.resume();
        call.memory = variables_.memory_of_thread(private_);
        call.library_memory = jit::LibraryThreadMemory::of_this_thread();
      }
      if (call.is_done || wants_other_)
        current_ = (current_ + 1) % calls_.size();
      wants_other_ = false;
    }
    for (auto &[name, object] : shared_.lasting)
      for (const auto &[place, first] : first_elsewhere_)
        object.access(place, first);
    std::vector<DerivativeOutcome> outcomes;
    for (const auto &call : calls_)
      outcomes.push_back(call->call.outcome());
    return outcomes;
  }

  const SharedAccesses &shared_accesses() const { return shared_; }

  /// Of the same single call once more, with the variables as it left them.
  SharedAccesses shared_accesses_of_next() {
    const CheckedCall &only = checked_.front();
    SharedAccesses first = std::exchange(shared_, {});
    calls_.front() = std::make_unique<Call>(only.request, only.program, only.entry, only.derivative,
                                            variables_.memory_of_thread(private_));
    static_cast<void>(run());
    return std::exchange(shared_, std::move(first));
  }

private:
  struct Call {
    Call(const CheckRequest &request, const jit::Program &program, jit::Entry entry,
         const DerivativeRequest &derivative, jit::GlobalState::Memory memory)
        : call(request, program, entry, derivative), memory(std::move(memory)), work([this] {
            call.run_alone();
            is_done = true;
            work.leave();
          }) {}
    DerivativeCall call;
    jit::GlobalState::Memory memory; ///< Of the thread.
    jit::LibraryThreadMemory library_memory = jit::LibraryThreadMemory::of_this_thread();
    bool is_done = false;
    unsigned locks = 0;
    std::size_t accesses = 0;
    Coroutine work;
  };

  bool is_alone() const {
    return std::ranges::count_if(calls_, [](const auto &call) { return !call->is_done; }) < 2;
  }

  void change() {
    ++changes_;
    wants_other_ = true;
    calls_[current_]->work.leave();
  }

  void before(Access access, const void *address) override {
    Call &call = *calls_[current_];
    const std::size_t number = call.accesses++;
    if (calls_.size() == 1)
      note(access, address, number);
    if (call.locks != 0 || is_alone())
      return;
    const bool is_wanted = schedule_.only_at ? current_ == 0 && number == *schedule_.only_at : changes_ < most_changes;
    if (is_wanted || access == Access::atomic) // It may wait for the other one.
      change();
  }

  void note(Access access, const void *address, std::size_t number) {
    const std::string_view name = variables_.shared_variable_at(address);
    if (name.empty()) {
      first_elsewhere_.emplace(address, access);
      return;
    }
    if (access != Access::write && variables_.is_lasting(name))
      shared_.lasting[std::string(name)].read(address);
    shared_.first.emplace(name, access);
    shared_.at.push_back(number);
  }

  void enter() override {
    Call &call = *calls_[current_];
    while (std::ranges::any_of(calls_, [&](const auto &other) { return other.get() != &call && other->locks != 0; }))
      change();
    ++call.locks;
  }

  void leave() override {
    Call &call = *calls_[current_];
    call.locks -= call.locks != 0;
  }

  struct CheckedCall {
    const CheckRequest &request;
    const jit::Program &program;
    jit::Entry entry;
    const DerivativeRequest &derivative;
  };

  const jit::GlobalState &variables_;
  Schedule schedule_;
  std::vector<CheckedCall> checked_;
  jit::GlobalState::Private private_;
  std::vector<std::unique_ptr<Call>> calls_;
  std::size_t current_ = 0, changes_ = 0;
  bool wants_other_ = false;
  SharedAccesses shared_;
  std::unordered_map<const void *, Access> first_elsewhere_; ///< To each other place, by a single call.
};

/// Of two outcomes of one request.
bool same(const DerivativeOutcome &left, const DerivativeOutcome &right) {
  const auto same_numbers = [](const testutils::Values &a, const testutils::Values &b) {
    return std::ranges::equal(a, b, [](double x, double y) {
      return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y) || (x != x && y != y);
    });
  };
  const auto same_arguments = [&](const testutils::Arguments &a, const testutils::Arguments &b) {
    return std::ranges::equal(a, b, same_numbers);
  };
  return same_arguments(left.contents, right.contents) &&
         same_numbers(left.result.value_or(testutils::Values()), right.result.value_or(testutils::Values())) &&
         same_arguments(left.result_tangents, right.result_tangents) &&
         std::ranges::equal(left.shadows, right.shadows, same_arguments);
}

/// Two calls, and what each gives alone.
struct Pair {
  const CheckRequest &request;
  const jit::Program &program;
  jit::Entry entry;
  std::array<const DerivativeRequest *, 2> requests;
  std::array<DerivativeOutcome, 2> alone = {};
  SharedAccesses shared = {};

  void run_alone() {
    for (std::size_t call = 0; call < 2; ++call) {
      Interleaving single(request, program, entry, {requests[call]}, {}, {});
      alone[call] = single.run().front();
      if (call != 0)
        continue;
      shared = single.shared_accesses();
      // A cache is read where it holds what is asked for.
      const SharedAccesses next = single.shared_accesses_of_next();
      for (const auto &[variable, first] : next.first)
        if (first != Access::write)
          shared.first[variable] = first;
      shared.lasting = next.lasting;
    }
  }

  /// Whether each call writes a variable, or the memory that it owns, before it reads what it holds.
  bool is_filled(const std::string &variable) const {
    const auto object = shared.lasting.find(variable);
    return object == shared.lasting.end() ? shared.first.at(variable) == Access::write : object->second.is_filled();
  }

  /// The call that gives other bits, with these.
  std::optional<std::pair<std::size_t, DerivativeOutcome>>
  disturbed(const Schedule &schedule, const jit::GlobalState::Private &private_variables = {}) const {
    Interleaving both(request, program, entry, {requests[0], requests[1]}, schedule, private_variables);
    std::vector<DerivativeOutcome> outcomes = both.run();
    for (std::size_t call = 0; call < 2; ++call)
      if (!same(outcomes[call], alone[call]))
        return std::pair(call, std::move(outcomes[call]));
    return std::nullopt;
  }

  std::vector<Schedule> schedules() const {
    std::vector<Schedule> all{{}};
    const std::size_t step = std::max<std::size_t>(1, shared.at.size() / most_places);
    for (std::size_t index = 0; index < shared.at.size(); index += step)
      all.push_back({shared.at[index]});
    return all;
  }

  /// The variables without which the calls do not disturb each other.
  std::vector<std::string> culprits(const Schedule &schedule) const {
    std::vector<std::string> filled;
    for (const auto &[variable, first] : shared.first) {
      if (!disturbed(schedule, {variable}))
        return {variable};
      if (first == Access::write)
        filled.push_back(variable);
    }
    if (!disturbed(schedule, filled))
      return filled;
    std::vector<std::string> all;
    for (const auto &[variable, first] : shared.first)
      all.push_back(variable);
    return all;
  }
};

} // namespace

std::optional<testutils::Race> race_between(const CheckRequest &request, const jit::Program &program, jit::Entry entry,
                                            const DerivativeRequest &first, const DerivativeRequest &second) {
  Pair pair{request, program, entry, {&first, &second}};
  pair.run_alone();
  for (const Schedule &schedule : pair.schedules()) {
    auto found = pair.disturbed(schedule);
    if (!found)
      continue;
    testutils::Race race{std::move(found->second), pair.alone[found->first], {}, true};
    for (const std::string &variable : pair.culprits(schedule)) {
      race.variables.push_back(program.name_of_variable(variable));
      race.fills_before_reading &= pair.is_filled(variable);
    }
    race.fills_before_reading &= !race.variables.empty();
    return race;
  }
  return std::nullopt;
}

} // namespace assay::cli
