#pragma once
// A set of addresses of blocks of the heap: a table of slots, of which at most half are taken. Zero is a free slot.

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct {
  uintptr_t *slots;
  size_t count, capacity; ///< The capacity is a power of two.
} AddressSet;

static inline size_t first_slot(const AddressSet *set, uintptr_t address) {
  return ((address >> 4) * 0x9E3779B97F4A7C15u >> 20) & (set->capacity - 1);
}

static inline size_t next_slot(const AddressSet *set, size_t slot) {
  return (slot + 1) & (set->capacity - 1);
}

/// Where the address is, or would be.
static size_t slot_of(const AddressSet *set, uintptr_t address) {
  size_t slot = first_slot(set, address);
  while (set->slots[slot] != 0 && set->slots[slot] != address)
    slot = next_slot(set, slot);
  return slot;
}

static _Bool contains(const AddressSet *set, uintptr_t address) {
  return set->capacity != 0 && set->slots[slot_of(set, address)] == address;
}

static _Bool grow_set(AddressSet *set) {
  AddressSet larger = {NULL, set->count, set->capacity == 0 ? 256 : 2 * set->capacity};
  larger.slots = calloc(larger.capacity, sizeof(uintptr_t));
  if (!larger.slots)
    return 0;
  for (size_t slot = 0; slot < set->capacity; ++slot)
    if (set->slots[slot] != 0)
      larger.slots[slot_of(&larger, set->slots[slot])] = set->slots[slot];
  free(set->slots);
  *set = larger;
  return 1;
}

/// False when there is no memory.
static _Bool insert(AddressSet *set, uintptr_t address) {
  if (2 * (set->count + 1) > set->capacity && !grow_set(set))
    return 0;
  uintptr_t *slot = &set->slots[slot_of(set, address)];
  set->count += *slot == 0;
  *slot = address;
  return 1;
}
