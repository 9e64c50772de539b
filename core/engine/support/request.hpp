#pragma once
// A request to the engine: a function, a mode, activities. A plain value.

#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include <cstdint>
#include <string>

namespace assay::engine {

enum class Mode : std::uint8_t {
  forward,       ///< JVP: the tangent of the result from the tangents of the arguments.
  reverse,       ///< VJP in one function: forward sweep, then reverse sweep.
  augmented,     ///< The forward sweep alone; returns a tape for `split_reverse`.
  split_reverse, ///< The reverse sweep alone; consumes the tape of `augmented`.
};

/// How one argument, or the result, takes part in the derivative.
enum class Activity : std::uint8_t {
  constant,   ///< Carries no derivative and has no shadow.
  active,     ///< By-value floating point whose adjoint is returned (argument) or seeded (result); reverse modes only.
  duplicated, ///< Comes with a shadow of the same type and layout: tangent (forward) or accumulator (reverse).
  duplicated_no_need, ///< As duplicated, but the primal result may be skipped.
};

enum class PrimalReturn : std::uint8_t { omit, keep };

/// Who calls the derivative, and so passes the shadows.
enum class Caller : std::uint8_t {
  program,    ///< Shadows of memory without floats may be missing.
  derivative, ///< Another derivative, which may know of floats that this function only passes on.
};

struct Options {
  bool runtime_activity = false;
  bool strong_zero = false;
  bool free_tape = true; ///< split_reverse releases the tape that it consumed.
  bool loose_types = false;
  bool strict_aliasing = true; ///< TBAA is evidence of types.
  bool type_warning = true;    ///< A type that is guessed is a warning.
  unsigned order = 0; ///< Derivatives of this mode that the function contains: each has shadows of globals of its own.
  friend bool operator==(const Options &, const Options &) = default;
};

struct Request {
  llvm::Function *function = nullptr;
  Mode mode = Mode::reverse;
  unsigned width = 1; ///< How many tangents or adjoints are carried at once; at least 1.
  Activity return_activity = Activity::constant;
  PrimalReturn primal_return = PrimalReturn::omit;
  llvm::SmallVector<Activity, 4> argument_activity; ///< One for each parameter of `function`.
  /// Split modes, by parameter of `function`: nobody changes the memory it leads to between the two halves.
  llvm::SmallBitVector not_overwritten;
  /// Variables whose pointers lead to memory with a shadow, which the function cannot see: in the order of their names.
  llvm::SmallVector<const llvm::GlobalVariable *, 2> active_behind;
  Caller caller = Caller::program;
  Options options;
  friend bool operator==(const Request &, const Request &) = default;
};

/// A short text that is the same for equal requests and differs for others; used as cache key and for names.
std::string fingerprint(const Request &request);

} // namespace assay::engine
