#include "core/widen/run.hpp"

#include <atomic>

namespace assay::widen {

namespace {

thread_local Run *current_run = nullptr;
/// Widened code ran on a thread that has no run, so its movements were not seen.
std::atomic<bool> strayed{false};

} // namespace

Run::Run(std::uint64_t most_operations) : words(1), outer_(current_run), most_operations_(most_operations) {
  current_run = this;
  strayed = false;
}

Run::~Run() {
  current_run = outer_;
}

Run *Run::current() {
  if (!current_run)
    strayed.store(true, std::memory_order_relaxed);
  return current_run;
}

void Run::move(const void *address, std::size_t size, Wide delta) {
  memory.store(reinterpret_cast<std::uintptr_t>(address), size, delta);
}

Wide Run::movement(const void *address, std::size_t size) {
  const ShadowMemory::Lookup lookup = memory.load(reinterpret_cast<std::uintptr_t>(address), size);
  if (lookup.found == Found::changed || lookup.found == Found::part)
    lose("an output that other code has written");
  return lookup.delta;
}

std::vector<std::string> Run::losses() const {
  std::vector<std::string> all(losses_.begin(), losses_.end());
  if (strayed.load())
    all.emplace_back("code on another thread");
  return all;
}

void Run::lose(const std::string &what) {
  losses_.insert(what);
}

void Run::cross(const char *what, const char *site) {
  ++edges_;
  crossings_.insert(std::string(what) + " " + site);
}

void Run::note_kink(const char *what, const char *site) {
  ++edges_;
  kinks_.insert(std::string(what) + " " + site);
}

void Run::note_singularity(const char *what, const char *site) {
  singularities_.insert(site ? std::string(what) + " " + site : std::string(what));
}

bool Run::count_operation() {
  if (++operations_ <= most_operations_)
    return true;
  if (operations_ == most_operations_ + 1)
    lose("a run of more than " + std::to_string(most_operations_) + " operations on numbers that move");
  return false;
}

} // namespace assay::widen
