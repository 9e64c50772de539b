#pragma once
// The variables of a compiled module, so that every call can find them as the first one did, and so that what a
// derivative leaves in them can be compared with what the function leaves.

#include "core/jit/state_difference.hpp"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Module.h"
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace assay::jit {

/// One row of the table that `write_global_table` puts into a module; the last row has size 0.
struct GlobalRow {
  static constexpr std::uint64_t thread_local_variable = 1; ///< `address` is a function that returns the address.
  static constexpr std::uint64_t only_read = 2;             ///< The function does not write it.
  static constexpr std::uint64_t lasting = 4;               ///< An object that stays as a call leaves it.

  void *address;
  std::uint64_t offset; ///< Of the numbers in the variable.
  std::uint64_t size;
  std::int64_t
      unit; ///< 0: a whole variable; else numbers of so many bytes in one, floating point (> 0) or integer (< 0).
  const char *name; ///< In the module.
  std::uint64_t flags;
};

enum class Access : std::uint8_t { only_read, written };
/// The variables that a function uses, by their names in the module.
using OwnVariables = llvm::StringMap<Access>;

/// The variables of `module` that can change, with what its code does to them.
OwnVariables changing_variables(const llvm::Module &module);

/// Whether the module has objects that stay as a call leaves them: those whose destructors run once, in the end.
bool has_lasting_objects(const llvm::Module &module);

/// Adds a table of all variables of `module` that can change, those that the engine made included, and of the numbers
/// in the program's own.
void write_global_table(llvm::Module &module, llvm::StringRef name, const OwnVariables &own);

/// What the variables held when this was made.
class GlobalState {
public:
  explicit GlobalState(const GlobalRow *table);
  void restore() const;
  /// One of them.
  void restore(std::string_view name) const;

  /// Numbers become signalling NaNs; integers that still hold what they held become 0, or 1 where they were 0. What was
  /// changed may be the program's book-keeping, as of an allocator. Those named stay as they are.
  void scramble(const std::set<std::string> &kept) const;

  /// Which variables each of two threads has for itself: thread-local ones, and for an experiment those with these
  /// names.
  using Private = std::vector<std::string>;
  using Memory = std::vector<std::vector<std::byte>>;
  Memory memory_of_thread(const Private &further) const;
  void put_memory_of_thread(const Private &further, const Memory &memory) const;
  /// The variable that all threads share around an address, by its name in the module; empty where there is none.
  std::string_view shared_variable_at(const void *address) const;
  /// Whether that is an object whose destructor runs once, in the end: it is never put back.
  bool is_lasting(std::string_view name) const;

  /// The words in them that may be addresses.
  std::vector<std::uintptr_t> addresses() const;

  /// Those that hold something else now, by their names in the module.
  std::vector<std::string> changed() const;
  /// The same with their contents.
  using Contents = std::map<std::string, std::vector<std::byte>>;
  Contents changed_contents() const;

  /// The first number of each variable of the function's that holds another value than in `function`, the state of the
  /// function's own module. Variables that one of both modules does not have are left out, unless the function only
  /// reads them; so are integers that are addresses.
  std::vector<StateDifference> differences_from(const GlobalState &function) const;

private:
  struct Variable {
    GlobalRow row;
    std::vector<std::byte> contents;
  };
  const Variable &variable_of(const GlobalRow &numbers) const;
  std::vector<Variable> variables_;
  std::vector<GlobalRow> numbers_, lasting_;
};

} // namespace assay::jit
