#pragma once
// The bytes of libstdc++'s std::string, and what it is made of.
#include "core/engine/library/node.h"

typedef unsigned long Size;

/// The bytes of a std::string: short texts lie in the object itself.
typedef struct Text {
  char *data;
  Size length;
  union {
    char own[16];
    Size capacity;
  };
} Text;

#define MEMBER(name) BODY_OF(_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE##name)

void *allocate(Size size) __asm__("_Znwm");
void release(void *memory, Size size) __asm__("_ZdlPvm");
_Noreturn void throw_length_error(const char *text) __asm__("_ZSt20__throw_length_errorPKc");

#define LARGEST ((Size)0x7fffffffffffffff - 1)

static inline int is_short(const Text *text) {
  return text->data == text->own;
}

static inline Size capacity_of(const Text *text) {
  return is_short(text) ? sizeof(text->own) - 1 : text->capacity;
}

static inline void end_at(Text *text, Size length) {
  text->length = length;
  text->data[length] = 0;
}

static inline void keep(Text *text, char *data, Size capacity) {
  if (!is_short(text))
    release(text->data, text->capacity + 1);
  text->data = data;
  text->capacity = capacity;
}
