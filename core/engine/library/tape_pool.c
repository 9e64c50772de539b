// Tapes of a gradient's callees: many small blocks, taken by the forward sweeps and given back by the reverse sweeps,
// in the opposite order but for a few. A thread cuts them off large pieces, one behind the other. A block that is not
// the last one when it is given back is marked, and goes when those behind it are gone.
//
// Outside of a gradient that begins and ends in the thread (`enter` and `exit`) blocks come from malloc: a tape of the
// program's own may be used by another thread, or later than its thread ends. Each block tells where it is from.

#include "core/engine/library/large_memory.h"
#include "core/engine/library/node.h"
#include <stdint.h>
#include <string.h>

struct Pool;

/// Stands before the memory of a block.
typedef struct {
  uintptr_t below;   ///< The block before it; odd where this one was given back.
  struct Pool *pool; ///< Null: of malloc.
} Block;

typedef struct Piece {
  struct Piece *below;
  char *next, *end; ///< Of the piece below.
  size_t size;
} Piece;

typedef struct Pool {
  char *next, *end; ///< The free rest of the last piece.
  Block *top;
  Piece *last, *spare;
  unsigned in_gradient;
} Pool;

enum : size_t {
  first_piece = 1008, // which malloc has at hand
  second_piece = (size_t)16 << 10,
  largest_block = (size_t)64 << 10,
};

static const uintptr_t given_back = 1;
static _Thread_local Pool pool BODY_OF(assay.pool.of.thread);

static char *begin_of(Piece *piece) {
  return (char *)(piece + 1);
}

static Block *below(const Block *block) {
  return (Block *)(__atomic_load_n(&block->below, __ATOMIC_ACQUIRE) & ~given_back);
}
static _Bool was_given_back(const Block *block) {
  return __atomic_load_n(&block->below, __ATOMIC_ACQUIRE) & given_back;
}

static Piece *new_piece(size_t least, const Piece *last) {
  static _Bool is_expected BODY_OF(assay.pool.is_expected);
  if (last)
    expect_more(&is_expected);
  const size_t usual = last ? smaller(larger(4 * last->size, second_piece), largest_piece) : first_piece;
  const size_t size = larger(usual, least);
  Piece *piece = checked(malloc(size));
  piece->size = size;
  return piece;
}

static void begin_piece(Pool *own, size_t taken) {
  const size_t least = sizeof(Piece) + taken;
  Piece *piece = own->spare;
  if (piece && piece->size >= least)
    own->spare = NULL;
  else
    piece = new_piece(least, own->last);
  *piece = (Piece){own->last, own->next, own->end, piece->size};
  own->last = piece;
  own->next = begin_of(piece);
  own->end = (char *)piece + piece->size;
}

/// The lowest one stays until the gradient ends, and one more.
static void end_piece(Pool *own) {
  Piece *piece = own->last;
  if (!piece->below)
    return;
  own->last = piece->below;
  own->next = piece->next;
  own->end = piece->end;
  free(own->spare);
  own->spare = piece;
}

static void *cut_off(Pool *own, size_t taken) {
  Block *block = (Block *)own->next;
  *block = (Block){(uintptr_t)own->top, own};
  own->next += taken;
  own->top = block;
  return block + 1;
}

static void *of_malloc(size_t bytes) {
  Block *block = checked(malloc(sizeof(Block) + bytes));
  block->pool = NULL;
  return block + 1;
}

static __attribute__((noinline)) void *take_elsewhere(size_t bytes, size_t taken) {
  Pool *own = &pool;
  if (!own->in_gradient || bytes > largest_block)
    return of_malloc(bytes);
  begin_piece(own, taken);
  return cut_off(own, taken);
}

__attribute__((noinline)) void *pool_take(size_t bytes) BODY_OF(assay.pool.take.in.thread);
void *pool_take(size_t bytes) {
  Pool *own = &pool;
  const size_t taken = sizeof(Block) + size_of_block(bytes);
  if (!own->in_gradient || bytes > largest_block || taken > (size_t)(own->end - own->next))
    return take_elsewhere(bytes, taken);
  return cut_off(own, taken);
}

static void give_back_top(Pool *own) {
  do {
    Block *block = own->top;
    own->top = below(block);
    own->next = (char *)block;
    if (own->next == begin_of(own->last))
      end_piece(own);
  } while (own->top && was_given_back(own->top));
}

__attribute__((noinline)) void pool_leave(void *memory) BODY_OF(assay.pool.leave.in.thread);
void pool_leave(void *memory) {
  if (!memory)
    return;
  Pool *own = &pool;
  Block *block = (Block *)memory - 1;
  if (!block->pool)
    free(block);
  else if (block->pool != own) // which its own thread takes note of
    __atomic_fetch_or(&block->below, given_back, __ATOMIC_RELEASE);
  else if (block == own->top)
    give_back_top(own);
  else
    block->below |= given_back;
}

/// The same with more bytes, perhaps elsewhere.
__attribute__((noinline)) void *pool_grow(void *memory, size_t old_bytes, size_t bytes)
    BODY_OF(assay.pool.grow.in.thread);
void *pool_grow(void *memory, size_t old_bytes, size_t bytes) {
  if (!memory)
    return pool_take(bytes);
  Pool *own = &pool;
  Block *block = (Block *)memory - 1;
  if (!block->pool) {
    block = checked(realloc(block, sizeof(Block) + bytes));
    return block + 1;
  }
  const size_t size = size_of_block(bytes);
  if (block == own->top && size <= (size_t)(own->end - (char *)memory)) {
    own->next = (char *)memory + size;
    return memory;
  }
  void *fresh = pool_take(bytes);
  memcpy(fresh, memory, old_bytes);
  pool_leave(memory);
  return fresh;
}

__attribute__((noinline)) unsigned pool_enter(unsigned in_gradient) BODY_OF(assay.pool.enter.in.thread);
unsigned pool_enter(unsigned in_gradient) {
  Pool *own = &pool;
  const unsigned before = own->in_gradient;
  own->in_gradient = in_gradient;
  return before;
}

__attribute__((noinline)) void pool_exit(unsigned before) BODY_OF(assay.pool.exit.in.thread);
void pool_exit(unsigned before) {
  Pool *own = &pool;
  own->in_gradient = before;
  if (before || own->top)
    return;
  free(own->spare);
  free(own->last);
  *own = (Pool){0};
}
