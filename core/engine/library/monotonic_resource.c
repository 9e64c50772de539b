// std::pmr::monotonic_buffer_resource.
#include "core/engine/library/memory_resource.h"

/// The header of an allocation of a monotonic resource, in the list of all.
typedef struct Piece {
  struct Piece *next;
  size_t size, alignment;
  Resource *owner; ///< Null: operator new.
} Piece;

typedef struct {
  Resource base;
  char *current;
  size_t available, next_size;
  Resource *upstream;
  void *buffer;
  size_t buffer_size;
  Piece *pieces;
} Monotonic;

static inline void keep_piece(Monotonic *resource, Piece *piece, size_t size, size_t alignment, Resource *owner) {
  piece->next = resource->pieces;
  piece->size = size;
  piece->alignment = alignment;
  piece->owner = owner;
  resource->pieces = piece;
}

/// A buffer for at least so many bytes.
INLINE void new_buffer(Monotonic *resource, size_t bytes, size_t alignment) BODY_OF(assay.monotonic.buffer);
void new_buffer(Monotonic *resource, size_t bytes, size_t alignment) {
  const size_t wanted = bytes < resource->next_size ? resource->next_size : bytes;
  const size_t aligned = at_least_usual(alignment), header = round_up(sizeof(Piece), aligned);
  const size_t size = header + round_up(wanted, 64);
  Piece *piece = take_from(resource->upstream, size, aligned);
  keep_piece(resource, piece, size, aligned, resource->upstream);
  resource->current = (char *)piece + header;
  resource->available = size - header;
  resource->next_size += resource->next_size / 2;
}

INLINE void *monotonic_allocate(Monotonic *resource, size_t bytes, size_t alignment) BODY_OF(assay.monotonic.allocate);
void *monotonic_allocate(Monotonic *resource, size_t bytes, size_t alignment) {
  const size_t wanted = bytes ? bytes : 1;
  const size_t padding = -(size_t)resource->current & (alignment - 1);
  if (resource->available < padding + wanted) {
    if (resource->upstream == default_resource()) {
      const size_t aligned = at_least_usual(alignment), header = round_up(sizeof(Piece), aligned);
      Piece *piece = operator_new(header + wanted, aligned);
      keep_piece(resource, piece, header + wanted, aligned, 0);
      return (char *)piece + header;
    }
    new_buffer(resource, wanted, alignment);
    char *first = resource->current;
    resource->current = first + wanted;
    resource->available -= wanted;
    return first;
  }
  char *memory = resource->current + padding;
  resource->current = memory + wanted;
  resource->available -= padding + wanted;
  return memory;
}

INLINE void monotonic_deallocate(Monotonic *resource, void *memory, size_t bytes, size_t alignment)
    BODY_OF(assay.monotonic.deallocate);
void monotonic_deallocate(Monotonic *resource, void *memory, size_t bytes, size_t alignment) {
  (void)resource, (void)memory, (void)bytes, (void)alignment;
}

void monotonic_release(Monotonic *resource) BODY_OF(assay.monotonic.release);
void monotonic_release(Monotonic *resource) {
  Piece *piece = resource->pieces;
  resource->pieces = 0;
  while (piece) {
    Piece *next = piece->next;
    if (piece->owner)
      give_to(piece->owner, piece, piece->size, piece->alignment);
    else
      operator_delete(piece, piece->size, piece->alignment);
    piece = next;
  }
}

void delete_monotonic(Monotonic *resource) BODY_OF(assay.monotonic.delete);
void delete_monotonic(Monotonic *resource) {
  monotonic_release(resource);
  delete_object(resource, sizeof *resource);
}

INLINE _Bool monotonic_is_equal(const Resource *one, const Resource *other) BODY_OF(assay.monotonic.is_equal);
_Bool monotonic_is_equal(const Resource *one, const Resource *other) {
  return one == other;
}

extern char type_of_monotonic BODY_OF(_ZTINSt3pmr25monotonic_buffer_resourceE);
const Table monotonic_table BODY_OF(_ZTVassay.monotonic) = {{0, &type_of_monotonic, &monotonic_release,
                                                             &delete_monotonic, &monotonic_allocate,
                                                             &monotonic_deallocate, &monotonic_is_equal}};
