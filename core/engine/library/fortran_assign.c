// Assignments of whole arrays, and the memory that they take.
#include "core/engine/library/fortran_copies.h"

static inline int have_same_shape(const Descriptor *left, const Descriptor *right) {
  for (int dimension = 0; dimension < left->rank; ++dimension)
    if (left->dimensions[dimension].extent != right->dimensions[dimension].extent)
      return 0;
  return 1;
}

/// The bytes from the first to the last element.
static inline void bounds_of(const Descriptor *array, const char **low, const char **high) {
  *low = *high = array->base;
  for (int dimension = 0; dimension < array->rank; ++dimension) {
    const Index distance = (array->dimensions[dimension].extent - 1) * array->dimensions[dimension].stride;
    if (distance < 0)
      *low += distance;
    else
      *high += distance;
  }
  *high += array->size;
}

static inline int overlap(const Descriptor *left, const Descriptor *right) {
  const char *left_low, *left_high, *right_low, *right_high;
  bounds_of(left, &left_low, &left_high);
  bounds_of(right, &right_low, &right_high);
  return left_low < right_high && right_low < left_high;
}

/// As where the source is memory that nothing else refers to.
static inline void copy_over_itself(const Descriptor *to, const Descriptor *from) {
  const Index elements = elements_of(to);
  const Size size = to->size;
  char *kept = __builtin_malloc((Size)elements * size + 1);
  for (Index place = 0; place < elements; ++place)
    copy_element(kept + (Size)place * size, element(from, place), size);
  for (Index place = 0; place < elements; ++place)
    copy_element(element(to, place), kept + (Size)place * size, size);
  __builtin_free(kept);
}

/// An allocatable gets the shape of what is assigned.
static inline void reallocate(Descriptor *to, const Descriptor *from) {
  char *old = to->base;
  if (from->rank == 0)
    for (int dimension = 0; dimension < to->rank; ++dimension)
      set_extent(to, dimension, 1);
  take_bounds(to, from);
  allocate(to);
  copy_all(to, from);
  if (old)
    __builtin_free(old);
}

/// Objects that own others are copied one by one; an object may be assigned to itself.
static inline void assign_objects(Descriptor *to, const Descriptor *from, const DerivedType *type) {
  if (!type->has_no_assignment || !type->needs_no_finalization)
    stop_unsupported("an assignment that the program defines, or one with finalization,");
  if (to->attribute == is_allocatable && !to->base) {
    for (int dimension = 0; dimension < to->rank; ++dimension)
      set_extent(to, dimension, from->dimensions[dimension].extent);
    allocate(to);
    initialize_elements(to, type);
  } else if (from->rank != 0 && !have_same_shape(to, from)) {
    stop_unsupported("an assignment that changes the shape of an array of objects that own others");
  }
  if (from->rank != 0 && to->base != from->base && overlap(to, from))
    stop_unsupported("an assignment between overlapping arrays of objects that own others");
  const Index elements = elements_of(to);
  const Size size = type->bytes;
  for (Index place = 0; place < elements; ++place) {
    char *target = element(to, place);
    const char *source = element(from, from->rank == 0 ? 0 : place);
    if (target == source)
      continue;
    destroy_object(target, type);
    __builtin_memcpy(target, source, size);
    own_components(target, type);
  }
}

static inline void assign_array(Descriptor *to, const Descriptor *from) {
  const DerivedType *type = type_of(from);
  if (type && !(type->needs_no_destruction && type->has_no_assignment))
    assign_objects(to, from, type);
  else if (to->attribute == is_allocatable && (!to->base || (from->rank != 0 && !have_same_shape(to, from))))
    reallocate(to, from);
  else if (from->rank != 0 && to->type != type_character && overlap(to, from))
    copy_over_itself(to, from);
  else
    copy_all(to, from);
}

void assign(Descriptor *to, const Descriptor *from, const char *file, int line) BODY_OF(_FortranAAssign);
void assign(Descriptor *to, const Descriptor *from, const char *file, int line) {
  (void)file, (void)line;
  assign_array(to, from);
}

void assign_temporary(Descriptor *to, const Descriptor *from, const char *file, int line)
    BODY_OF(_FortranAAssignTemporary);
void assign_temporary(Descriptor *to, const Descriptor *from, const char *file, int line) {
  (void)file, (void)line;
  const DerivedType *type = type_of(to);
  if (type && to->base)
    initialize_elements(to, type); // the components of a temporary are not allocated yet
  assign_array(to, from);
}
