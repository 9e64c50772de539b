#include "core/widen/transport.hpp"

#include "core/widen/run.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <malloc.h>
#include <string>

using namespace assay::widen;

namespace {

std::uintptr_t number_of(const void *address) {
  return reinterpret_cast<std::uintptr_t>(address);
}

std::string at(const char *what, const char *site) {
  return std::string(what) + " " + site;
}

void note(Run &run, Found found, const char *site) {
  if (found == Found::changed)
    run.lose(at("memory that other code has written, read", site));
  if (found == Found::part)
    run.lose(at("a part of a number's bytes", site));
}

std::uint64_t new_word(Run &run, std::vector<Movement> movements) {
  if (movements.empty())
    return 0;
  run.words.push_back(std::move(movements));
  return run.words.size() - 1;
}

using ByteSet = std::uint64_t; ///< A bit for each byte.

ByteSet first_bytes(std::uint32_t count) {
  constexpr std::uint32_t all = 64;
  return count < all ? (ByteSet{1} << count) - 1 : ~ByteSet{0};
}

/// Those of the number's bytes, counted from its first one, that are `bytes` of the word.
ByteSet bytes_of_number(const Movement &movement, ByteSet bytes) {
  return (movement.offset < 0 ? bytes << -movement.offset : bytes >> movement.offset) & first_bytes(movement.size);
}

ByteSet present_bytes(const Movement &movement) {
  return first_bytes(movement.size) & ~ByteSet{movement.absent};
}

/// What is left of the movement where only some of its bytes are kept: nothing, all, or a piece.
void keep_bytes(std::vector<Movement> &movements, Movement movement, ByteSet kept, const char *site) {
  const ByteSet present = present_bytes(movement);
  if ((present & kept) == 0)
    return;
  if ((present & ~kept) != 0)
    movement.cut = site;
  movement.absent |= static_cast<std::uint32_t>(~kept & first_bytes(movement.size));
  movements.push_back(movement);
}

/// Pieces of one number become that number again.
void join_piece(std::vector<Movement> &movements, const Movement &piece) {
  const ByteSet present = present_bytes(piece);
  for (Movement &other : movements)
    if (other.offset == piece.offset && other.size == piece.size && other.delta == piece.delta &&
        (present & ~other.absent) == 0) {
      other.absent &= piece.absent;
      return;
    }
  movements.push_back(piece);
}

/// Where there is no run.
thread_local std::array<Wide, Run::Transfer::capacity> nowhere;
const std::array<Wide, Run::Transfer::capacity> no_movements{};

/// A stable sort; the wide numbers of each element are moved along with it.
template <class Compare>
void sort_moving(void *base, std::uint64_t count, std::uint64_t size, Compare compare) {
  auto *const bytes = static_cast<std::byte *>(base);
  std::vector<std::byte *> order(count);
  for (std::uint64_t index = 0; index < count; ++index)
    order[index] = bytes + index * size;
  std::sort(order.begin(), order.end(), [&](const std::byte *left, const std::byte *right) {
    const int compared = compare(left, right);
    return compared < 0 || (compared == 0 && left < right);
  });
  std::vector<std::byte> sorted(count * size);
  Run *run = Run::current();
  for (std::uint64_t index = 0; index < count; ++index) {
    if (run)
      run->memory.copy(number_of(&sorted[index * size]), number_of(order[index]), size);
    std::memcpy(&sorted[index * size], order[index], size);
  }
  if (count * size == 0)
    return;
  if (run) {
    run->memory.copy(number_of(base), number_of(sorted.data()), sorted.size());
    run->memory.clear(number_of(sorted.data()), sorted.size());
  }
  std::memcpy(base, sorted.data(), sorted.size());
}

} // namespace

// ---- memory ----

Wide assay_wide_load(const void *address, std::uint32_t size, const char *site) {
  Run *run = Run::current();
  if (!run || run->memory.is_empty())
    return 0;
  const ShadowMemory::Lookup lookup = run->memory.load(number_of(address), size);
  note(*run, lookup.found, site);
  return lookup.delta;
}

void assay_wide_store(const void *address, std::uint32_t size, Wide delta) {
  if (Run *run = Run::current())
    run->memory.store(number_of(address), size, delta);
}

void assay_wide_clear(const void *address, std::uint64_t size) {
  if (Run *run = Run::current())
    run->memory.clear(number_of(address), size);
}

void assay_wide_copy(const void *to, const void *from, std::uint64_t size, const char *site) {
  if (Run *run = Run::current())
    note(*run, run->memory.copy(number_of(to), number_of(from), size), site);
}

void assay_wide_copy_rows(const void *to, std::uint64_t to_distance, const void *from, std::uint64_t from_distance,
                          std::uint64_t width, std::uint64_t height, const char *site) {
  const auto *target = static_cast<const char *>(to), *source = static_cast<const char *>(from);
  for (std::uint64_t row = 0; row < height; ++row)
    assay_wide_copy(target + row * to_distance, source + row * from_distance, width, site);
}

void assay_wide_clear_rows(const void *address, std::uint64_t distance, std::uint64_t width, std::uint64_t height) {
  for (std::uint64_t row = 0; row < height; ++row)
    assay_wide_clear(static_cast<const char *>(address) + row * distance, width);
}

void assay_wide_inspect_memory(const void *address, std::uint64_t size, const char *site) {
  Run *run = Run::current();
  if (!run || run->memory.is_empty())
    return;
  std::vector<Movement> movements;
  if (run->memory.collect(number_of(address), size, movements) != Found::nothing)
    run->lose(at("the bits of a number, which are read as something else", site));
}

void assay_wide_release(const void *address) {
  Run *run = Run::current();
  if (run && address && !run->memory.is_empty())
    run->memory.clear(number_of(address), malloc_usable_size(const_cast<void *>(address)));
}

std::uint64_t assay_wide_usable(const void *address) {
  return address ? malloc_usable_size(const_cast<void *>(address)) : 0;
}

void assay_wide_moved(const void *to, const void *from, std::uint64_t size) {
  Run *run = Run::current();
  if (!run || !to || !from || to == from)
    return;
  run->memory.copy(number_of(to), number_of(from), size);
  run->memory.clear(number_of(from), size);
}

void assay_wide_sort(void *base, std::uint64_t count, std::uint64_t size, int (*compare)(const void *, const void *)) {
  sort_moving(base, count, size, compare);
}

void assay_wide_sort_r(void *base, std::uint64_t count, std::uint64_t size,
                       int (*compare)(const void *, const void *, void *), void *context) {
  sort_moving(base, count, size, [&](const void *left, const void *right) { return compare(left, right, context); });
}

// ---- words ----

std::uint64_t assay_wide_load_word(const void *address, std::uint32_t size, const char *site) {
  Run *run = Run::current();
  if (!run || run->memory.is_empty())
    return 0;
  std::vector<Movement> movements;
  note(*run, run->memory.collect(number_of(address), size, movements), site);
  return new_word(*run, std::move(movements));
}

void assay_wide_store_word(const void *address, std::uint32_t size, std::uint64_t word) {
  Run *run = Run::current();
  if (!run)
    return;
  run->memory.clear(number_of(address), size);
  for (const Movement &movement : run->words[word])
    if (movement.absent == 0)
      run->memory.store(number_of(address) + movement.offset, movement.size, movement.delta);
    else
      note(*run, Found::part, movement.cut);
}

std::uint64_t assay_wide_put(std::uint64_t word, std::uint32_t offset, std::uint32_t size, Wide delta) {
  Run *run = is_zero(delta) ? nullptr : Run::current();
  if (!run)
    return word;
  std::vector<Movement> movements = run->words[word];
  movements.push_back({static_cast<std::int32_t>(offset), size, delta});
  return new_word(*run, std::move(movements));
}

Wide assay_wide_take(std::uint64_t word, std::uint32_t offset, std::uint32_t size, const char *site) {
  Run *run = word == 0 ? nullptr : Run::current();
  if (!run)
    return 0;
  const ByteSet taken = first_bytes(size) << offset;
  for (const Movement &movement : run->words[word]) {
    if (movement.offset == static_cast<std::int32_t>(offset) && movement.size == size && movement.absent == 0)
      return movement.delta;
    if ((bytes_of_number(movement, taken) & present_bytes(movement)) != 0)
      note(*run, Found::part, movement.absent == 0 ? site : movement.cut);
  }
  return 0;
}

std::uint64_t assay_wide_part(std::uint64_t word, std::int32_t offset, std::uint32_t size, const char *site) {
  Run *run = word == 0 ? nullptr : Run::current();
  if (!run)
    return 0;
  std::vector<Movement> movements;
  for (Movement movement : run->words[word]) {
    movement.offset -= offset;
    keep_bytes(movements, movement, bytes_of_number(movement, first_bytes(size)), site);
  }
  return new_word(*run, std::move(movements));
}

std::uint64_t assay_wide_keep(std::uint64_t word, std::uint32_t bytes, const char *site) {
  Run *run = word == 0 ? nullptr : Run::current();
  if (!run)
    return 0;
  std::vector<Movement> movements;
  for (const Movement &movement : run->words[word])
    keep_bytes(movements, movement, bytes_of_number(movement, bytes), site);
  return new_word(*run, std::move(movements));
}

std::uint64_t assay_wide_join(std::uint64_t word, std::uint64_t other) {
  if (word == 0 || other == 0)
    return word + other;
  Run *run = Run::current();
  if (!run)
    return 0;
  std::vector<Movement> movements = run->words[word];
  for (const Movement &movement : run->words[other])
    join_piece(movements, movement);
  return new_word(*run, std::move(movements));
}

void assay_wide_inspect(std::uint64_t word, const char *site) {
  if (word == 0)
    return;
  if (Run *run = Run::current())
    run->lose(at("the bits of a number, with which the program computes", site));
}

Wide assay_wide_narrow(Wide term, std::uint32_t bits) {
  Run *run = is_zero(term) ? nullptr : Run::current();
  if (run)
    run->fewest_bits = std::min(run->fewest_bits, bits);
  return term;
}

void assay_wide_compute_in(std::uint32_t bits) {
  if (Run *run = Run::current())
    run->fewest_computed_bits = std::min(run->fewest_computed_bits, bits);
}

// ---- calls ----

const void *assay_wide_twin(const void *function, const void *table) {
  struct Pair {
    const void *function, *twin;
  };
  std::uint64_t count = 0;
  std::memcpy(&count, table, sizeof count);
  const auto *pairs = reinterpret_cast<const Pair *>(static_cast<const std::byte *>(table) + sizeof count);
  const Pair *found = std::find_if(pairs, pairs + count, [&](const Pair &pair) { return pair.function == function; });
  return found == pairs + count ? function : found->twin;
}

Wide *assay_wide_call(const void *callee) {
  Run *run = Run::current();
  if (!run)
    return nowhere.data();
  run->arguments.function = callee;
  run->results.function = nullptr;
  return run->arguments.slots.data();
}

const Wide *assay_wide_enter(const void *self) {
  Run *run = Run::current();
  if (!run || run->arguments.function != self)
    return no_movements.data();
  run->arguments.function = nullptr;
  return run->arguments.slots.data();
}

Wide *assay_wide_leave(const void *self) {
  Run *run = Run::current();
  if (!run)
    return nowhere.data();
  run->results.function = self;
  return run->results.slots.data();
}

const Wide *assay_wide_results(const void *callee, const char *site) {
  Run *run = Run::current();
  if (!run)
    return no_movements.data();
  if (run->arguments.function == callee) { // Nobody took the arguments.
    run->arguments.function = nullptr;
    run->lose(at("code that is not in the program, called", site));
  }
  const bool known = run->results.function == callee;
  run->results.function = nullptr;
  return known ? run->results.slots.data() : no_movements.data();
}

void assay_wide_lose(Wide delta, const char *what) {
  Run *run = is_zero(delta) ? nullptr : Run::current();
  if (run)
    run->lose(what);
}

void assay_wide_lose_always(const char *what) {
  if (Run *run = Run::current())
    run->lose(what);
}
