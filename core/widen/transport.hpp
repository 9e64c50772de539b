#pragma once
// The functions that widened code calls where numbers travel: through memory, within integers, through calls.

#include "core/widen/wide_number.hpp"

#include <cstdint>

extern "C" {

using assay::widen::Wide;

// Memory. `load` and `store` are called after the access, and read the memory's bits there.
Wide assay_wide_load(const void *address, std::uint32_t size, const char *site);
void assay_wide_store(const void *address, std::uint32_t size, Wide delta);
void assay_wide_clear(const void *address, std::uint64_t size);
/// Before memory is copied.
void assay_wide_copy(const void *to, const void *from, std::uint64_t size, const char *site);
/// Rows of `width` bytes, which begin each so many bytes behind the one before.
void assay_wide_copy_rows(const void *to, std::uint64_t to_distance, const void *from, std::uint64_t from_distance,
                          std::uint64_t width, std::uint64_t height, const char *site);
void assay_wide_clear_rows(const void *address, std::uint64_t distance, std::uint64_t width, std::uint64_t height);
/// The program looks at the bits of this memory: a loss if a number there moves.
void assay_wide_inspect_memory(const void *address, std::uint64_t size, const char *site);
/// Memory is about to be released or moved by the allocator.
void assay_wide_release(const void *address);
std::uint64_t assay_wide_usable(const void *address);
void assay_wide_moved(const void *to, const void *from, std::uint64_t size);

/// qsort, and qsort_r with a context, stably and with movements.
void assay_wide_sort(void *base, std::uint64_t count, std::uint64_t size, int (*compare)(const void *, const void *));
void assay_wide_sort_r(void *base, std::uint64_t count, std::uint64_t size,
                       int (*compare)(const void *, const void *, void *), void *context);

// Words: integers that may be the bits of numbers. A handle of 0 says that nothing in it moves.
std::uint64_t assay_wide_load_word(const void *address, std::uint32_t size, const char *site);
void assay_wide_store_word(const void *address, std::uint32_t size, std::uint64_t word);
std::uint64_t assay_wide_put(std::uint64_t word, std::uint32_t offset, std::uint32_t size, Wide delta);
Wide assay_wide_take(std::uint64_t word, std::uint32_t offset, std::uint32_t size, const char *site);
/// Bytes [offset, offset + size) of a word; a negative offset moves it upwards.
std::uint64_t assay_wide_part(std::uint64_t word, std::int32_t offset, std::uint32_t size, const char *site);
/// Only the bytes whose bits are set.
std::uint64_t assay_wide_keep(std::uint64_t word, std::uint32_t bytes, const char *site);
std::uint64_t assay_wide_join(std::uint64_t word, std::uint64_t other);
/// The program computes with the bits.
void assay_wide_inspect(std::uint64_t word, const char *site);

/// A number is rounded to so many bits of mantissa; what is rounded away is no movement, and does not change a term.
Wide assay_wide_narrow(Wide term, std::uint32_t bits);
/// Where the program computes with numbers of so many bits.
void assay_wide_compute_in(std::uint32_t bits);

/// The widened copy of a function, of a table that twins.hpp describes; the function itself where it has none.
const void *assay_wide_twin(const void *function, const void *table);

// Calls. The caller announces whom it calls and writes the movements of the arguments into the slots that it is given.
Wide *assay_wide_call(const void *callee);
/// First thing in every function: the movements of its arguments.
const Wide *assay_wide_enter(const void *self);
/// Before a return: where the movements of the result go.
Wide *assay_wide_leave(const void *self);
/// After a call: the movements of its result. Notes a loss where `callee` was not widened code.
const Wide *assay_wide_results(const void *callee, const char *site);
/// A movement goes where it is not followed.
void assay_wide_lose(Wide delta, const char *what);
void assay_wide_lose_always(const char *what);
}
