#pragma once
// The one table of functions of the C and C++ libraries and their run times: its effect on memory and pointers,
// whether it can carry a derivative, who releases its allocations, through which arguments it gives results.
// Whoever wants to know something of a library function asks for the property and compares no names.
//
// A function is in the table by its name and its type: where LLVM's TargetLibraryInfo knows it, that validates the
// type; else the entry has a prototype. A function of the program's own that only shares the name is not taken for it.
// Whether a function with a body counts depends on the question: who asks decides (FunctionInfo::library_function).

#include "core/engine/support/convention_names.hpp"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/StringSaver.h"
#include <deque>
#include <vector>

namespace assay::engine {

/// The effect of a function on pointers and memory, as far as the analyses care.
enum class LibraryEffect : std::uint8_t {
  unknown,        ///< May mix everything that it can reach.
  none,           ///< Keeps no pointer, moves none, and writes at most numbers behind its pointer arguments.
  allocation,     ///< Returns fresh memory.
  reallocation,   ///< Returns memory with the content of argument 0.
  out_allocation, ///< Stores the address of fresh memory behind argument 0 (posix_memalign).
  deallocation,   ///< Frees argument 0.
  copy,           ///< Copies argument 2 bytes from behind argument 1 to behind argument 0; returns argument 0.
  fill,           ///< Sets bytes behind argument 0; returns argument 0.
  identity,       ///< Returns a pointer into the object of argument 0 (strchr, llvm.ptrmask, launder).
};

enum class LibraryActivity : std::uint8_t {
  active,      ///< May carry a derivative: has a rule, or is written in functions that do.
  inactive,    ///< Output, files, time, random numbers, strings, processes, locks.
  number_free, ///< Inactive, and neither keeps nor moves a number: classification, rounding to integers.
};

enum class MemoryAction : std::uint8_t {
  none,
  allocate,        ///< malloc, operator new: fresh memory with unknown content
  allocate_zeroed, ///< calloc
  allocate_into,   ///< posix_memalign: the fresh pointer is stored through operand `pointer`
  reallocate,      ///< realloc
  release,         ///< free, operator delete
  copy,            ///< memcpy, memmove and relatives: `pointer` is the destination, `source` where from
  fill,            ///< memset: `pointer` is the destination, `value` the byte
  measure,         ///< malloc_usable_size
};

/// The memory operation of a call, and the operands' parts in it. Operands without a part are null.
struct MemoryCall {
  MemoryAction action = MemoryAction::none;
  unsigned pointer = 0; ///< Operand that is released, reallocated or written.
  unsigned source = 0;  ///< copy: operand that is read.
  unsigned value = 0;   ///< fill: operand with the byte.
  /// Bytes allocated, copied, filled, or said to be released; several operands are to be multiplied.
  llvm::SmallVector<unsigned, 2> size;
};

/// Who releases memory, and how strictly it is aligned.
struct Ownership {
  enum class Alignment : std::uint8_t { usual, page, argument };
  /// For an allocator, the function that releases its memory; for one that releases, its simplest form. It takes the
  /// pointer, and behind it the alignment where that is an argument of operator new or delete.
  llvm::StringRef releaser{};
  Alignment alignment = Alignment::usual;
  unsigned alignment_argument = 0;
};

/// An argument through which a number is written.
struct OutParameter {
  enum class Number : std::uint8_t { like_argument_0, integer, single_precision, double_precision, extended_precision };
  unsigned argument = 0;
  Number number = Number::integer;
};

/// Functions that the engine treats in a way of their own.
enum class LibraryRole : std::uint8_t {
  none,
  // written in simpler functions (prepare/known_calls.hpp)
  sine_and_cosine,
  fraction,
  reallocate,
  reallocate_array,
  rust_reallocate,
  allocate_into,
  duplicate_text,
  sort,
  binary_search,
  search,
  convert_text,
  device_form,   ///< Written in the device's own (prepare/device_calls.hpp).
  device_memory, ///< Rules of <assay/gpu/host.hpp> are for it and for the release of its memory.
  // moves of memory that become intrinsics (prepare/retype.hpp)
  copy_bytes,
  copy_bytes_to_end, ///< Returns the end of the written bytes.
  move_bytes,
  fill_bytes,
  clear_bytes,
  // numbers and strings that are read (prepare/text_input.hpp)
  scan_format,
  read_number,
  read_bytes, ///< Which may be anything, also numbers with a derivative: nothing is known.
  read_word,
  read_line,
  read_line_until,
  // control flow that is not a call's
  make_exception,
  catch_exception,
  throw_exception,
  run_at_exit,
  start_threads,
  long_jump,
  never_called, ///< Stands in virtual tables for functions without a body.
  launch_kernel,
  print,             ///< Writes to no memory of the program.
  extremum,          ///< Gives one of its two arguments (support/extremum.hpp).
  object_of_library, ///< Gives an object without numbers of the program: it is its own shadow.
};

struct LibraryFunction {
  llvm::StringRef name{};
  /// Where TargetLibraryInfo does not know the function: the kinds of the result and, in parentheses, of the
  /// parameters. p pointer, i integer, f floating point, v nothing, * anything, a final dot for more; ~ alone is not
  /// compared, as for C++, where the name has the types.
  llvm::StringRef prototype{};
  LibraryActivity activity = LibraryActivity::active;
  LibraryEffect effect = LibraryEffect::unknown;
  LibraryRole role = LibraryRole::none;
  MemoryCall memory{};
  Ownership ownership{};
  llvm::SmallVector<OutParameter, 2> results{};
  unsigned format = 0; ///< scan_format: the argument with the format.

  bool is_inactive() const { return activity != LibraryActivity::active; }
  /// The result that is written through the argument, or null.
  const OutParameter *result_through(unsigned argument) const;
};

class LibraryTable {
public:
  LibraryTable();
  LibraryTable(const LibraryTable &) = delete;
  LibraryTable &operator=(const LibraryTable &) = delete;

  void add(LibraryFunction entry);
  /// The entry is that of each function whose name starts with its name and has no entry of its own.
  void add_family(LibraryFunction entry);
  /// The text, kept as long as the table.
  llvm::StringRef keep(llvm::StringRef text) { return texts_.save(text); }

  const LibraryFunction *find(llvm::StringRef name) const;
  /// By name and type.
  const LibraryFunction *find(const llvm::Function &function) const;
  /// The entry of `name` if it has the type of `function`, which is like it.
  const LibraryFunction *find_like(const llvm::Function &function, llvm::StringRef name) const;

  const std::deque<LibraryFunction> &functions() const { return functions_; }
  llvm::ArrayRef<LibraryFunction> families() const { return families_; }
  const llvm::TargetLibraryInfoImpl &target_library() const { return target_library_; }

private:
  const LibraryFunction *family_of(llvm::StringRef name) const;

  /// Names and types do not depend on the target, and a function that a target lacks is not called there.
  llvm::TargetLibraryInfoImpl target_library_;
  llvm::BumpPtrAllocator memory_;
  llvm::StringSaver texts_{memory_};
  std::deque<LibraryFunction> functions_;
  llvm::StringMap<const LibraryFunction *> by_name_;
  std::vector<const LibraryFunction *> by_number_; ///< Of those that TargetLibraryInfo knows.
  std::vector<LibraryFunction> families_;          ///< Sorted by name; no name starts with another.
};

const LibraryTable &library_table();

/// A mangled name of C++ or Rust. If the table has it, the function is the library's with a body as well: programs have
/// no names there.
inline bool is_mangled(llvm::StringRef name) {
  return name.starts_with("_Z") || name.starts_with("_R");
}
/// The pool of tapes, which has a body and is in the table all the same: in a derivative that is differentiated anew,
/// some of the functions that take a tape and give it back are copies, others are called as they are, and all have to
/// agree on where it comes from.
inline bool is_pool_function(llvm::StringRef name) {
  return name == pool_take_name || name == pool_leave_name || name == pool_grow_name;
}

inline const LibraryFunction *library_function(const llvm::Function &function) {
  return library_table().find(function);
}
inline LibraryRole library_role(const llvm::Function &function) {
  const LibraryFunction *known = library_function(function);
  return known ? known->role : LibraryRole::none;
}
/// The declared functions of a module that play the role.
llvm::SmallVector<llvm::Function *, 4> declared_functions(const llvm::Module &module, LibraryRole role);

/// How the parts write down an entry.
struct NamedPrototype {
  llvm::StringLiteral name, prototype;
};

/// The parts of the table, each in a file of its own.
void add_memory_functions(LibraryTable &table);
void add_number_functions(LibraryTable &table);
void add_text_functions(LibraryTable &table);
void add_runtime_functions(LibraryTable &table);
void add_inactive_functions(LibraryTable &table);

} // namespace assay::engine
