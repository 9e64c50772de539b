#pragma once
// Words of memory of which only the program's run tells what they are.

#include "core/engine/library/node.h"
#include <stddef.h>
#include <stdint.h>

typedef uint64_t __attribute__((aligned(1), may_alias)) Word;

/// Asked of each word: nothing inlines it later.
#define ALWAYS_INLINE static inline __attribute__((always_inline))

ALWAYS_INLINE _Bool is_address_or_integer(uint64_t bits);
