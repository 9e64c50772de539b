// std::pmr::unsynchronized_pool_resource.
#include "core/engine/library/memory_resource.h"

/// The header of an allocation of a pool, in the list of all.
typedef struct Block {
  struct Block *next, *previous;
  size_t size, alignment;
} Block;

typedef struct {
  Resource base;
  size_t blocks_per_chunk, largest_block; ///< Its options.
  Resource *upstream;
  void *unpooled[3]; ///< Of libstdc++: nothing is there.
  long pools;
  Block *blocks;
} Pool;

static inline size_t before_block(size_t alignment) {
  return round_up(sizeof(Block), alignment);
}

extern const Table pool_table BODY_OF(_ZTVassay.pool_resource);

INLINE void construct_pool(Pool *pool, const size_t *options, Resource *upstream)
    BODY_OF(assay.pool_resource.construct);
void construct_pool(Pool *pool, const size_t *options, Resource *upstream) {
  pool->base.functions = functions_of(&pool_table);
  pool->blocks_per_chunk = options[0];
  pool->largest_block = options[1];
  pool->upstream = upstream;
  pool->unpooled[0] = pool->unpooled[1] = pool->unpooled[2] = 0;
  pool->pools = 0;
  pool->blocks = 0;
}

INLINE void *pool_allocate(Pool *pool, size_t bytes, size_t alignment) BODY_OF(assay.pool_resource.allocate);
void *pool_allocate(Pool *pool, size_t bytes, size_t alignment) {
  const size_t aligned = at_least_usual(alignment), header = before_block(aligned), size = header + bytes;
  Block *block =
      pool->upstream == default_resource() ? operator_new(size, aligned) : take_from(pool->upstream, size, aligned);
  block->size = size;
  block->alignment = aligned;
  block->previous = 0;
  block->next = pool->blocks;
  if (pool->blocks)
    pool->blocks->previous = block;
  pool->blocks = block;
  return (char *)block + header;
}

static inline void drop_block(Resource *upstream, Block *block) {
  if (upstream == default_resource())
    operator_delete(block, block->size, block->alignment);
  else
    give_to(upstream, block, block->size, block->alignment);
}

INLINE void pool_deallocate(Pool *pool, void *memory, size_t bytes, size_t alignment)
    BODY_OF(assay.pool_resource.deallocate);
void pool_deallocate(Pool *pool, void *memory, size_t bytes, size_t alignment) {
  (void)bytes;
  Block *block = (Block *)((char *)memory - before_block(at_least_usual(alignment)));
  Block *next = block->next, *previous = block->previous;
  if (next)
    next->previous = previous;
  if (previous)
    previous->next = next;
  else
    pool->blocks = next;
  drop_block(pool->upstream, block);
}

void pool_release(Pool *pool) BODY_OF(assay.pool_resource.release);
void pool_release(Pool *pool) {
  Block *block = pool->blocks;
  pool->blocks = 0;
  while (block) {
    Block *next = block->next;
    drop_block(pool->upstream, block);
    block = next;
  }
}

void delete_pool(Pool *pool) BODY_OF(assay.pool_resource.delete);
void delete_pool(Pool *pool) {
  pool_release(pool);
  delete_object(pool, sizeof *pool);
}

INLINE _Bool pool_is_equal(const Resource *one, const Resource *other) BODY_OF(assay.pool_resource.is_equal);
_Bool pool_is_equal(const Resource *one, const Resource *other) {
  return one == other;
}

extern char type_of_pool BODY_OF(_ZTINSt3pmr28unsynchronized_pool_resourceE);
const Table pool_table = {
    {0, &type_of_pool, &pool_release, &delete_pool, &pool_allocate, &pool_deallocate, &pool_is_equal}};
