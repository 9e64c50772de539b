// The numbers that a library's function writes, kept before its body does, and put back for the function itself.
#include <stdbool.h>
#include <stdlib.h>

static void move_number(char *place, char *kept, long size, bool back) {
  for (long byte = 0; byte < size; ++byte)
    if (back)
      place[byte] = kept[byte];
    else
      kept[byte] = place[byte];
}

static long move_line(long count, char *place, long step, long size, char *kept, bool back) {
  if (count <= 0)
    return 0;
  for (long i = 0; kept != 0 && i < count; ++i)
    move_number(place + i * (step < 0 ? -step : step) * size, kept + i * size, size, back);
  return count * size;
}

/// `count` numbers of `size` bytes, `step` numbers apart in either direction, to `kept` or back; how many bytes they
/// are. Nothing moves where `kept` is null.
long assay_move_vector(long count, char *place, long step, long size, char *kept, bool back) {
  return move_line(count, place, step, size, kept, back);
}

/// The same of a matrix, of which columns, or rows where it is stored by rows, are `leading` numbers apart.
long assay_move_matrix(long rows, long columns, bool by_rows, char *place, long leading, long size, char *kept,
                       bool back) {
  const long lines = by_rows ? rows : columns, length = by_rows ? columns : rows;
  long bytes = 0;
  for (long line = 0; line < lines; ++line)
    bytes += move_line(length, place + line * leading * size, 1, size, kept != 0 ? kept + bytes : 0, back);
  return bytes;
}

/// Kept in the order of calls, of which none ends before those that it makes.
typedef struct Kept {
  struct Kept *before;
  char numbers[];
} Kept;

static _Thread_local Kept *newest;

/// Memory for so many `bytes`; -1 is the memory of the last call, which `release` gives back. One function, since each
/// one that the engine takes from here has its own copy of the variables.
char *assay_kept_numbers(long bytes, bool release) {
  if (release) {
    Kept *kept = newest;
    newest = kept->before;
    free(kept);
    return 0;
  }
  if (bytes < 0)
    return newest->numbers;
  Kept *kept = malloc(sizeof(Kept) + (unsigned long)bytes);
  kept->before = newest;
  newest = kept;
  return kept->numbers;
}
