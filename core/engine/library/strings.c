// What changes a std::string of characters: libstdc++ keeps these in its library, while the rest of the class is inline
// in C++17 and before. Where a struct with numbers holds a string, its shadow is changed by the same code.
#include "core/engine/library/text.h"

/// Grows at least by a factor of two.
char *create(Text *text, Size *capacity, Size before) MEMBER(9_M_createERmm);
char *create(Text *text, Size *capacity, Size before) {
  (void)text;
  if (*capacity > LARGEST)
    throw_length_error("basic_string::_M_create");
  if (*capacity > before && *capacity < 2 * before)
    *capacity = 2 * before > LARGEST ? LARGEST : 2 * before;
  return allocate(*capacity + 1);
}

void construct(Text *text, Size length, char letter) MEMBER(12_M_constructEmc);
void construct(Text *text, Size length, char letter) {
  if (length > sizeof(text->own) - 1) {
    Size capacity = length;
    text->data = create(text, &capacity, 0);
    text->capacity = capacity;
  } else {
    text->data = text->own;
  }
  __builtin_memset(text->data, letter, length);
  end_at(text, length);
}

void assign(Text *text, const Text *other) MEMBER(9_M_assignERKS4_);
void assign(Text *text, const Text *other) {
  if (text == other)
    return;
  const Size length = other->length;
  if (length > capacity_of(text)) {
    Size capacity = length;
    char *data = create(text, &capacity, capacity_of(text));
    keep(text, data, capacity);
  }
  __builtin_memcpy(text->data, other->data, length);
  end_at(text, length);
}

void reserve(Text *text, Size capacity) MEMBER(7reserveEm);
void reserve(Text *text, Size capacity) {
  if (capacity <= capacity_of(text))
    return;
  char *data = create(text, &capacity, capacity_of(text));
  __builtin_memcpy(data, text->data, text->length + 1);
  keep(text, data, capacity);
}

/// To the least that the text needs.
void shrink(Text *text) MEMBER(7reserveEv);
void shrink(Text *text) {
  if (is_short(text) || text->length >= text->capacity)
    return;
  char *data = text->data;
  const Size capacity = text->capacity;
  const int becomes_short = text->length <= sizeof(text->own) - 1;
  text->data = becomes_short ? text->own : allocate(text->length + 1);
  __builtin_memcpy(text->data, data, text->length + 1);
  if (!becomes_short)
    text->capacity = text->length;
  release(data, capacity + 1);
}

/// In new memory, `count` characters from `position` on become `other_count` others.
void mutate(Text *text, Size position, Size count, const char *other, Size other_count) MEMBER(9_M_mutateEmmPKcm);
void mutate(Text *text, Size position, Size count, const char *other, Size other_count) {
  const Size rest = text->length - position - count;
  Size capacity = text->length + other_count - count;
  char *data = create(text, &capacity, capacity_of(text));
  __builtin_memcpy(data, text->data, position);
  if (other)
    __builtin_memcpy(data + position, other, other_count);
  __builtin_memcpy(data + position + other_count, text->data + position + count, rest);
  keep(text, data, capacity);
}

void erase(Text *text, Size position, Size count) MEMBER(8_M_eraseEmm);
void erase(Text *text, Size position, Size count) {
  char *start = text->data + position;
  __builtin_memmove(start, start + count, text->length - position - count);
  end_at(text, text->length - count);
}

Text *append(Text *text, const char *other, Size count) MEMBER(9_M_appendEPKcm);
Text *append(Text *text, const char *other, Size count) {
  const Size length = text->length + count;
  if (length <= capacity_of(text))
    __builtin_memcpy(text->data + text->length, other, count);
  else
    mutate(text, text->length, 0, other, count);
  end_at(text, length);
  return text;
}

Text *fill(Text *text, Size position, Size count, Size other_count, char letter) MEMBER(14_M_replace_auxEmmmc);
Text *fill(Text *text, Size position, Size count, Size other_count, char letter) {
  if (other_count > LARGEST - (text->length - count))
    throw_length_error("basic_string::_M_replace_aux");
  const Size length = text->length + other_count - count;
  if (length <= capacity_of(text)) {
    char *start = text->data + position;
    __builtin_memmove(start + other_count, start + count, text->length - position - count);
  } else {
    mutate(text, position, count, 0, other_count);
  }
  __builtin_memset(text->data + position, letter, other_count);
  end_at(text, length);
  return text;
}

void resize(Text *text, Size length, char letter) MEMBER(6resizeEmc);
void resize(Text *text, Size length, char letter) {
  if (text->length < length)
    fill(text, text->length, 0, length - text->length, letter);
  else
    end_at(text, length);
}

static inline void replace_here(Text *text, Size position, Size count, const char *other, Size other_count) {
  char *start = text->data + position;
  if (count != other_count)
    __builtin_memmove(start + other_count, start + count, text->length - position - count);
  __builtin_memmove(start, other, other_count);
}

Text *replace(Text *text, Size position, Size count, const char *other, Size other_count) MEMBER(10_M_replaceEmmPKcm);
Text *replace(Text *text, Size position, Size count, const char *other, Size other_count) {
  if (other_count > LARGEST - (text->length - count))
    throw_length_error("basic_string::_M_replace");
  const Size length = text->length + other_count - count;
  const int is_inside = other >= text->data && other <= text->data + text->length;
  if (length > capacity_of(text)) {
    mutate(text, position, count, other, other_count);
  } else if (is_inside && count != other_count) { // it would move with the rest
    char *copy = allocate(other_count + 1);
    __builtin_memcpy(copy, other, other_count);
    replace_here(text, position, count, copy, other_count);
    release(copy, other_count + 1);
  } else {
    replace_here(text, position, count, other, other_count);
  }
  end_at(text, length);
  return text;
}

static inline void take(Text *text, Text *other) {
  text->length = other->length;
  if (is_short(other)) {
    text->data = text->own;
    __builtin_memcpy(text->own, other->own, sizeof(text->own));
  } else {
    text->data = other->data;
    text->capacity = other->capacity;
  }
}

void swap(Text *one, Text *other) MEMBER(4swapERS4_);
void swap(Text *one, Text *other) {
  Text before;
  if (one == other)
    return;
  take(&before, one);
  take(one, other);
  take(other, &before);
}
