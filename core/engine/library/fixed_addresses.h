#pragma once
// Where programs that are linked at fixed addresses have their memory: the image from its beginning on, and the heap,
// which begins up to a gigabyte behind it, at another place in each run. Between the two no address lies, but the bits
// of floats with zero above them do, up to those of 3; a float within the heap itself is one of some thousand.

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

extern void *sbrk(intptr_t bytes);
extern int open(const char *path, int flags, ...);
extern int close(int file);
extern intptr_t read(int file, void *memory, size_t bytes);

/// As the kernel tells them; both zero where it does not, and everything below the heap's end may be an address then.
struct FixedMemory {
  uint64_t end_of_image, start_of_heap;
};

/// The kernel tells where initialised variables end; others follow. The bits of floats so small are none that matter.
static const uint64_t largest_uninitialised = (uint64_t)1 << 28;

/// Fields of /proc/self/stat (proc_pid_stat(5)), counted from 1; the second one, the name of the program, may have
/// spaces in it and ends with the last bracket.
static inline struct FixedMemory fixed_memory_in(const char *text, size_t size) {
  const int behind_name = 2, end_of_data = 46, start_of_break = 47;
  size_t at = size;
  while (at > 0 && text[at - 1] != ')')
    --at;
  uint64_t value = 0;
  struct FixedMemory memory = {0, 0};
  for (int field = behind_name; at < size; ++at)
    if (text[at] == ' ') {
      ++field;
      value = 0;
    } else {
      value = 10 * value + (uint64_t)(text[at] - '0');
      if (field == end_of_data)
        memory.end_of_image = value + largest_uninitialised;
      if (field == start_of_break)
        memory.start_of_heap = value;
    }
  return memory;
}

static inline struct FixedMemory read_fixed_memory(void) {
  const int error_of_program = errno;
  struct FixedMemory memory = {0, 0};
  char text[1024];
  const int file = open("/proc/self/stat", 0);
  if (file >= 0) {
    const intptr_t size = read(file, text, sizeof text);
    close(file);
    if (size > 0)
      memory = fixed_memory_in(text, (size_t)size);
  }
  errno = error_of_program;
  return memory;
}

/// Of bits below all addresses of a position-independent program.
static inline _Bool is_fixed_address(uint64_t bits) {
  static struct FixedMemory memory;
  static _Bool is_known;
  const uint64_t end_of_heap = (uint64_t)sbrk(0), end_of_fixed = (uint64_t)1 << 38;
  if (end_of_heap >= end_of_fixed || bits >= end_of_heap)
    return 0;
  if (!is_known) {
    memory = read_fixed_memory();
    is_known = 1;
  }
  return bits >= memory.start_of_heap || bits < memory.end_of_image;
}
