// Memory of a gradient that ends in the reverse order of its beginning: what the forward sweep allocates and the
// reverse sweep releases. It is taken from few large pieces. Many small ones, all released within one call, would have
// the C library give the top of its heap back to the system at the end of each call, and fault it in again at the next.
//
// The first piece is part of the gradient's own stack frame. Before a large one is asked for, or a tape that grows, the
// library learns that much memory comes and goes: once a mapped block was released, it keeps twice as much at hand.
// Pages that nothing touches cost nothing.

#include "core/engine/library/large_memory.h"
#include "core/engine/library/node.h"

typedef struct {
  char *piece;
  size_t used, size, start; ///< Of the piece: where the next block begins, its end, where its first block begins.
} Stack;

enum : size_t {
  first_piece = (size_t)32 << 10,
  first_tape = (size_t)4 << 10,
  large_piece = (size_t)1 << 20,
};

static size_t size_after(size_t size) {
  return size < first_piece ? first_piece : smaller(larger(4 * size, large_piece), largest_piece);
}

static void expect(size_t bytes) {
  static _Bool is_expected BODY_OF(assay.memory.is_expected);
  if (bytes >= first_tape)
    expect_more(&is_expected);
}

void expect_memory(size_t bytes) BODY_OF(assay.memory.expect);
void expect_memory(size_t bytes) {
  expect(bytes);
}

/// The new piece begins with the description of the one before it.
static void begin_piece(Stack *stack, size_t bytes) {
  const size_t start = sizeof(Stack), least = start + bytes;
  if (least < bytes)
    __builtin_trap();
  size_t size = larger(size_after(stack->size), least);
  expect(size);
  char *piece = malloc(size);
  if (!piece) {
    size = least;
    piece = checked(malloc(size));
  }
  *(Stack *)piece = *stack;
  *stack = (Stack){piece, start, size, start};
}

static void end_piece(Stack *stack) {
  char *piece = stack->piece;
  *stack = *(Stack *)piece;
  free(piece);
}

__attribute__((noinline)) void *stack_take(Stack *stack, size_t bytes) BODY_OF(assay.stack.take.from);
void *stack_take(Stack *stack, size_t bytes) {
  const size_t taken = size_of_block(bytes);
  if (stack->size - stack->used < taken)
    begin_piece(stack, taken);
  char *block = stack->piece + stack->used;
  stack->used += taken;
  return block;
}

/// The last block that was taken and not given back yet. Others that lie above it were left to the end.
__attribute__((noinline)) void stack_give(Stack *stack, void *block) BODY_OF(assay.stack.give.to);
void stack_give(Stack *stack, void *block) {
  // In pieces that began later there is nothing left.
  while ((size_t)((char *)block - stack->piece) >= stack->size && stack->start != 0)
    end_piece(stack);
  stack->used = (size_t)((char *)block - stack->piece);
  if (stack->used == stack->start && stack->start != 0)
    end_piece(stack);
}

__attribute__((noinline)) void stack_end(Stack *stack) BODY_OF(assay.stack.end);
void stack_end(Stack *stack) {
  while (stack->start != 0)
    end_piece(stack);
  stack->used = 0;
}
