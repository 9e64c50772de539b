// Array constructors whose values are pushed one after the other, and MOVE_ALLOC.
#include "core/engine/library/fortran_types.h"

/// What the program has memory for; only the functions here look into it.
typedef struct Values {
  Descriptor *to;
  Index next, capacity;
} Values;

void begin_values(Values *values, Descriptor *to, _Bool takes_length, const char *file, int line)
    BODY_OF(_FortranAInitArrayConstructorVector);
void begin_values(Values *values, Descriptor *to, _Bool takes_length, const char *file, int line) {
  (void)takes_length, (void)file, (void)line;
  values->to = to;
  values->next = 0;
  values->capacity = to->base ? to->dimensions[0].extent : 0;
}

static inline void reserve(Values *values, Index more) {
  Descriptor *to = values->to;
  const Index needed = values->next + more;
  const Index announced = to->base ? 0 : to->dimensions[0].extent;
  if (!to->base || needed > values->capacity) {
    const Index doubled = 2 * values->capacity;
    values->capacity = needed > doubled ? needed : doubled;
    if (announced > values->capacity)
      values->capacity = announced;
    char *memory = __builtin_malloc((Size)values->capacity * to->size + 1);
    for (Index place = 0; place < values->next; ++place)
      copy_element(memory + (Size)place * to->size, to->base + (Size)place * to->size, to->size);
    if (to->base)
      __builtin_free(to->base);
    to->base = memory;
    to->dimensions[0].stride = (Index)to->size;
  }
  if (needed > to->dimensions[0].extent)
    to->dimensions[0].extent = needed;
}

void push_value(Values *values, const Descriptor *from) BODY_OF(_FortranAPushArrayConstructorValue);
void push_value(Values *values, const Descriptor *from) {
  const DerivedType *type = type_of(from);
  if (from->type == type_character || (type && !type->needs_no_destruction))
    stop_unsupported("an array constructor of characters or of objects that own others");
  const Index elements = elements_of(from);
  reserve(values, elements);
  Descriptor *to = values->to;
  for (Index place = 0; place < elements; ++place)
    copy_element(to->base + (values->next + place) * to->dimensions[0].stride,
                 from->rank == 0 ? from->base : element(from, place), to->size);
  values->next += elements;
}

void push_scalar(Values *values, const char *from) BODY_OF(_FortranAPushArrayConstructorSimpleScalar);
void push_scalar(Values *values, const char *from) {
  reserve(values, 1);
  Descriptor *to = values->to;
  copy_element(to->base + values->next * to->dimensions[0].stride, from, to->size);
  ++values->next;
}

int move_allocation(Descriptor *to, Descriptor *from, const DerivedType *declared, _Bool has_status,
                    const Descriptor *message, const char *file, int line) BODY_OF(_FortranAMoveAlloc);
int move_allocation(Descriptor *to, Descriptor *from, const DerivedType *declared, _Bool has_status,
                    const Descriptor *message, const char *file, int line) {
  (void)declared, (void)has_status, (void)message, (void)file, (void)line;
  if (to->base && to->base == from->base)
    return 0;
  const DerivedType *type = type_of(to);
  if (to->base) {
    if (type)
      destroy_elements(to, type);
    __builtin_free(to->base);
  }
  take_bounds(to, from);
  Index stride = (Index)from->size;
  for (int dimension = 0; dimension < from->rank; ++dimension) {
    to->dimensions[dimension].stride = stride;
    stride *= to->dimensions[dimension].extent;
  }
  to->size = from->size;
  if (type_of(from))
    *type_place(to) = *type_place(from);
  to->base = from->base;
  from->base = 0;
  return 0;
}
