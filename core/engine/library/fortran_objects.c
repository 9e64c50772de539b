// Objects of derived types: what they begin with and own.
#include "core/engine/library/fortran_types.h"

void initialize(const Descriptor *array, const char *file, int line) BODY_OF(_FortranAInitialize);
void initialize(const Descriptor *array, const char *file, int line) {
  (void)file, (void)line;
  const DerivedType *type = type_of(array);
  if (type)
    initialize_elements(array, type);
}

void destroy(const Descriptor *array) BODY_OF(_FortranADestroy);
void destroy(const Descriptor *array) {
  const DerivedType *type = type_of(array);
  if (type && array->base)
    destroy_elements(array, type);
}

void destroy_only(const Descriptor *array) BODY_OF(_FortranADestroyWithoutFinalization);
void destroy_only(const Descriptor *array) {
  const DerivedType *type = type_of(array);
  if (type && array->base)
    destroy_elements(array, type);
}

static inline void describe(Descriptor *array, const DerivedType *type, int rank, int attribute) {
  array->size = type->bytes;
  array->rank = (unsigned char)rank;
  array->type = type_derived;
  array->attribute = (unsigned char)attribute;
  array->extra |= 1;
  *type_place(array) = type;
}

void begin_allocation(Descriptor *array, const DerivedType *type, int rank, int corank)
    BODY_OF(_FortranAAllocatableInitDerivedForAllocate);
void begin_allocation(Descriptor *array, const DerivedType *type, int rank, int corank) {
  (void)corank;
  if (!array->base)
    describe(array, type, rank, is_allocatable);
}

void nullify_derived(Descriptor *array, const DerivedType *type, int rank, int corank)
    BODY_OF(_FortranAPointerNullifyDerived);
void nullify_derived(Descriptor *array, const DerivedType *type, int rank, int corank) {
  (void)corank;
  array->base = 0;
  describe(array, type, rank, is_pointer_array);
}

/// What allocations return where the memory is there already, and where it is not.
enum { is_allocated_already = 109, is_no_pointer = 107 };

int allocate_array(Descriptor *array, long *stream, _Bool has_status, const Descriptor *message, const char *file,
                   int line, void *copy) BODY_OF(_FortranAAllocatableAllocate);
int allocate_array(Descriptor *array, long *stream, _Bool has_status, const Descriptor *message, const char *file,
                   int line, void *copy) {
  (void)stream, (void)has_status, (void)message, (void)file, (void)line, (void)copy;
  if (array->base)
    return is_allocated_already;
  const DerivedType *type = type_of(array);
  allocate(array);
  if (type)
    initialize_elements(array, type);
  return 0;
}

void apply_mold(Descriptor *array, const Descriptor *mold, int rank) BODY_OF(_FortranAAllocatableApplyMold);
void apply_mold(Descriptor *array, const Descriptor *mold, int rank) {
  if (array->base)
    return;
  const DerivedType *type = type_of(mold);
  array->size = mold->size;
  array->type = mold->type;
  array->rank = (unsigned char)rank;
  for (int dimension = 0; rank == mold->rank && dimension < rank; ++dimension)
    set_extent(array, dimension, mold->dimensions[dimension].extent);
  if (type) {
    array->extra |= 1;
    *type_place(array) = type;
  }
}

/// ALLOCATE with SOURCE=: the descriptor has the extents.
int allocate_copy(Descriptor *array, const Descriptor *source, _Bool has_status, const Descriptor *message,
                  const char *file, int line) BODY_OF(_FortranAAllocatableAllocateSource);
int allocate_copy(Descriptor *array, const Descriptor *source, _Bool has_status, const Descriptor *message,
                  const char *file, int line) {
  (void)has_status, (void)message, (void)file, (void)line;
  if (array->base)
    return is_allocated_already;
  const DerivedType *type = type_of(source);
  allocate(array);
  const Index elements = elements_of(array);
  const Size size = array->size;
  for (Index place = 0; place < elements; ++place) {
    char *target = array->base + (Size)place * size;
    copy_element(target, source->rank == 0 ? source->base : element(source, place), size);
    if (type && !type->needs_no_destruction)
      own_components(target, type);
  }
  return 0;
}

static inline int release(Descriptor *array) {
  if (!array->base)
    return is_no_pointer;
  const DerivedType *type = type_of(array);
  if (type)
    destroy_elements(array, type);
  __builtin_free(array->base);
  array->base = 0;
  return 0;
}

int release_array(Descriptor *array, _Bool has_status, const Descriptor *message, const char *file, int line)
    BODY_OF(_FortranAAllocatableDeallocate);
int release_array(Descriptor *array, _Bool has_status, const Descriptor *message, const char *file, int line) {
  (void)has_status, (void)message, (void)file, (void)line;
  return release(array);
}

int release_object(Descriptor *array, const DerivedType *declared, _Bool has_status, const Descriptor *message,
                   const char *file, int line) BODY_OF(_FortranAAllocatableDeallocatePolymorphic);
int release_object(Descriptor *array, const DerivedType *declared, _Bool has_status, const Descriptor *message,
                   const char *file, int line) {
  (void)has_status, (void)message, (void)file, (void)line;
  const int status = release(array);
  if (status == 0 && declared)
    describe(array, declared, array->rank, array->attribute);
  return status;
}

/// Behind the memory of a pointer stands a word by which the library knows its own.
int allocate_pointer(Descriptor *array, _Bool has_status, const Descriptor *message, const char *file, int line,
                     void *copy) BODY_OF(_FortranAPointerAllocate);
int allocate_pointer(Descriptor *array, _Bool has_status, const Descriptor *message, const char *file, int line,
                     void *copy) {
  (void)has_status, (void)message, (void)file, (void)line, (void)copy;
  const DerivedType *type = type_of(array);
  Index bytes = (Index)array->size;
  for (int dimension = 0; dimension < array->rank; ++dimension) {
    array->dimensions[dimension].stride = bytes;
    bytes *= array->dimensions[dimension].extent;
  }
  const Size rounded = ((Size)bytes + sizeof(Size) - 1) / sizeof(Size) * sizeof(Size);
  array->base = __builtin_malloc(rounded + sizeof(Size));
  *(Size *)(array->base + rounded) = ~(Size)array->base;
  if (type)
    initialize_elements(array, type);
  return 0;
}

int release_pointer(Descriptor *array, _Bool has_status, const Descriptor *message, const char *file, int line)
    BODY_OF(_FortranAPointerDeallocate);
int release_pointer(Descriptor *array, _Bool has_status, const Descriptor *message, const char *file, int line) {
  (void)has_status, (void)message, (void)file, (void)line;
  return release(array);
}

int release_pointer_object(Descriptor *array, const DerivedType *declared, _Bool has_status, const Descriptor *message,
                           const char *file, int line) BODY_OF(_FortranAPointerDeallocatePolymorphic);
int release_pointer_object(Descriptor *array, const DerivedType *declared, _Bool has_status, const Descriptor *message,
                           const char *file, int line) {
  (void)declared, (void)has_status, (void)message, (void)file, (void)line;
  return release(array);
}

/// An allocatable component, whose descriptor was copied, gets memory of its own.
void own_array(Descriptor *array) BODY_OF(assay_fortran_own_array);
void own_array(Descriptor *array) {
  const char *other = array->base;
  if (!other)
    return;
  const DerivedType *type = type_of(array);
  if (type && !type->needs_no_destruction)
    stop_unsupported("a copy of an object whose components own others");
  allocate(array);
  const Index elements = elements_of(array);
  const Size size = array->size;
  for (Index place = 0; place < elements; ++place)
    copy_element(array->base + (Size)place * size, other + (Size)place * size, size);
}

void release_component(Descriptor *array) BODY_OF(assay_fortran_release_component);
void release_component(Descriptor *array) {
  release(array);
}
