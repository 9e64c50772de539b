// Text that is read into a string which may lie beside numbers: the library reads into another string, and the string
// itself is changed where its shadow is changed as well.
#include "core/engine/library/text.h"

typedef void Stream;

Stream *read(Stream *in, Text *text)
    BODY_OF(_ZStrsIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE);
Stream *read_line(Stream *in, Text *text)
    BODY_OF(_ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE);
Stream *read_until(Stream *in, Text *text, char end) BODY_OF(
    _ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EES4_);

// What only the primal does: the other string is the library's own, with no shadow to be changed.
#define PRIMAL static __attribute__((noinline))

/// Behind the end of an empty text; whoever changes the text writes a zero there.
static const char untouched = 1;

static inline void begin(Text *other) {
  other->data = other->own;
  other->length = 0;
  other->own[0] = untouched;
}

/// True where anything was read, be it nothing but the end of a line.
static inline int is_changed(const Text *other) {
  return other->length != 0 || other->data[0] != untouched;
}

PRIMAL int read_other(Stream *in, Text *other) BODY_OF(assay.primal.text.read);
PRIMAL int read_other(Stream *in, Text *other) {
  begin(other);
  read(in, other);
  return is_changed(other);
}

PRIMAL int read_other_line(Stream *in, Text *other) BODY_OF(assay.primal.text.line);
PRIMAL int read_other_line(Stream *in, Text *other) {
  begin(other);
  read_line(in, other);
  return is_changed(other);
}

PRIMAL int read_other_until(Stream *in, Text *other, char end) BODY_OF(assay.primal.text.until);
PRIMAL int read_other_until(Stream *in, Text *other, char end) {
  begin(other);
  read_until(in, other, end);
  return is_changed(other);
}

PRIMAL void move_characters(char *target, Text *other) BODY_OF(assay.primal.text.moved);
PRIMAL void move_characters(char *target, Text *other) {
  __builtin_memcpy(target, other->data, other->length + 1);
  if (!is_short(other))
    release(other->data, other->capacity + 1);
}

static inline void take_characters(Text *text, Text *other) {
  const Size length = other->length;
  if (length > capacity_of(text)) {
    char *data = allocate(length + 1);
    keep(text, data, length);
  }
  move_characters(text->data, other);
  text->length = length;
}

Stream *read_apart(Stream *in, Text *text) BODY_OF(assay.text.read);
Stream *read_apart(Stream *in, Text *text) {
  Text word;
  if (read_other(in, &word))
    take_characters(text, &word);
  return in;
}

Stream *read_line_apart(Stream *in, Text *text) BODY_OF(assay.text.line);
Stream *read_line_apart(Stream *in, Text *text) {
  Text line;
  if (read_other_line(in, &line))
    take_characters(text, &line);
  return in;
}

Stream *read_apart_until(Stream *in, Text *text, char end) BODY_OF(assay.text.until);
Stream *read_apart_until(Stream *in, Text *text, char end) {
  Text part;
  if (read_other_until(in, &part, end))
    take_characters(text, &part);
  return in;
}
