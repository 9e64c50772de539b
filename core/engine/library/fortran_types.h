#pragma once
// Derived types as flang describes them, and what is done with each object of one. The functions of an object are
// written for the types of a program (support/fortran_types.hpp).
#include "core/engine/library/fortran.h"

typedef struct DerivedType {
  char before[88]; ///< Bindings and the name.
  Size bytes;      ///< Of an object.
  char components[328];
  int special;
  _Bool has_parent, needs_no_initialization, needs_no_destruction, needs_no_finalization, has_no_assignment;
} DerivedType;

void initialize_object(char *object, const DerivedType *type) BODY_OF(assay_fortran_initialize_object);
void destroy_object(char *object, const DerivedType *type) BODY_OF(assay_fortran_destroy_object);
/// The components that an object owns become copies; the others have been copied.
void own_components(char *object, const DerivedType *type) BODY_OF(assay_fortran_own_components);

/// Behind the dimensions.
static inline const DerivedType **type_place(const Descriptor *array) {
  return (const DerivedType **)(char *)&array->dimensions[array->rank];
}

/// Null where numbers are described.
static inline const DerivedType *type_of(const Descriptor *array) {
  return array->type == type_derived && (array->extra & 1) ? *type_place(array) : 0;
}

static inline void initialize_elements(const Descriptor *array, const DerivedType *type) {
  if (type->needs_no_initialization)
    return;
  const Index elements = elements_of(array);
  for (Index place = 0; place < elements; ++place)
    initialize_object(element(array, place), type);
}

static inline void destroy_elements(const Descriptor *array, const DerivedType *type) {
  if (!type->needs_no_finalization)
    stop_unsupported("the finalization of an object");
  if (type->needs_no_destruction)
    return;
  const Index elements = elements_of(array);
  for (Index place = 0; place < elements; ++place)
    destroy_object(element(array, place), type);
}
