#pragma once
// Sizes, alignment and failure of the engine's own allocations.

#include <stddef.h>
#include <stdlib.h>

enum : size_t {
  block_alignment = 16,
  page = 4096,
  skew = 192,
  largest_piece = (size_t)16 << 20,
};

static inline size_t larger(size_t a, size_t b) {
  return a < b ? b : a;
}
static inline size_t smaller(size_t a, size_t b) {
  return a < b ? a : b;
}

static inline void *checked(void *memory) {
  if (!memory) // out of memory: there is no way to go on
    __builtin_trap();
  return memory;
}

/// Arrays that work together are of one length, often a power of two: they should not start at the same place of a
/// page, where accesses to one wait for those to another.
static inline size_t size_of_block(size_t bytes) {
  const size_t wanted = bytes == 0 ? 1 : bytes < page ? bytes : bytes + skew;
  const size_t size = (wanted + (block_alignment - 1)) & ~(size_t)(block_alignment - 1);
  if (size < bytes)
    __builtin_trap();
  return size;
}

/// A tape that grows at all stands for more: for what the program allocates meanwhile, all of which lasts to the end.
/// The library does not forget, and to release a large block takes as long as many small ones.
static inline void expect_more(_Bool *is_expected) {
  if (*is_expected)
    return;
  *is_expected = 1;
  void *block = malloc(largest_piece);
  __asm__ volatile("" : : "r"(block)); // it must not be optimised away
  free(block);
}
