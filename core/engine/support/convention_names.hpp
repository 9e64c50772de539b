#pragma once
// The names of the convention, and how they are recognised: a function whose name CONTAINS a call's name is that call,
// a global variable whose name is or mangles a marker's name is that marker, a global whose name contains a table's
// name is that table.

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include <optional>

namespace assay::engine {

enum class ConventionCall : std::uint8_t {
  autodiff,
  fwddiff,
  augmentfwd,
  reverse,
  augmentsize,
  virtualreverse,
  batch,
  todense,
  ignore_derivatives, ///< The identity, without a derivative.
  type_hint,          ///< `__enzyme_double(p, bytes)` and relatives: no code.
  drop_tape,          ///< `__enzyme_drop_tape(list)`: releases a tape that no reverse pass is run with.
  iterations,         ///< `__enzyme_iter(n, more)`: n, or n + more in differentiated code.
};

enum class Marker : std::uint8_t {
  constant,
  duplicated,
  duplicated_no_need,
  out,
  width,
  strided,         ///< enzyme_dupv
  strided_no_need, ///< enzyme_dupnoneedv
  vector,
  scalar,
  tape,
  allocated,
  nofree,
  primal_return,
  noret,
  const_return,
  dup_return,
  active_return,
  not_overwritten,
  byref,
  runtime_activity,
  strong_zero,
  interleave,         ///< The shadows of all duplicated arguments follow.
  loose_types,        ///< Memory of unknown type holds floating-point numbers.
  no_strict_aliasing, ///< TBAA is no evidence of types.
  no_type_warning,    ///< No warning where a type is guessed.
  tape_memory,        ///< Code of a device: before the struct of the memory for the thread's tapes.
  drop_list,          ///< Split mode: before the words by which `__enzyme_drop_tape` releases the tape.
  seed, ///< Not of the convention: before the adjoint of the result of `__enzyme_autodiff`, one for each lane.
};

enum class Table : std::uint8_t {
  gradient,
  derivative,
  splitderivative,
  inactive_function,
  function_like,
  allocation_like,
  inactive_global,
  shadow_global,
  nofree,
  rule, ///< Of <assay/rules.hpp>: `__assay_rule_table`.
};

/// How every call and table of the convention begins.
inline constexpr llvm::StringLiteral convention_prefix = "__enzyme_";

std::optional<ConventionCall> convention_call(const llvm::Function &function);
llvm::StringRef name_of(ConventionCall call);
/// False for those in differentiated code or beside derivatives: hints, `__enzyme_ignore_derivatives`,
/// `__enzyme_iter`, `__enzyme_drop_tape`.
bool asks_for_derivative(ConventionCall call);

std::optional<Marker> marker(const llvm::GlobalVariable &global);
std::optional<Marker> marker(llvm::StringRef name);
llvm::StringRef name_of(Marker marker);

std::optional<Table> registration_table(const llvm::GlobalVariable &global);
std::optional<Table> registration_table(llvm::StringRef name);
/// True for code of the host whose variables of the device have shadows.
bool has_shadows_on_device(const llvm::Module &module);
llvm::StringRef name_of(Table table);

/// Stand-ins that `protect_convention` puts in the place of markers are named `assay.marker.NAME`.
inline constexpr llvm::StringLiteral marker_prefix = "assay.marker.";

/// Functions that the engine writes for code without a derivative start with this.
inline constexpr llvm::StringLiteral primal_prefix = "assay.primal.";

/// The attribute that the engine gives to every function that it writes.
inline constexpr llvm::StringLiteral derivative_attribute = "assay-derivative";

/// Metadata of a store that ends an addition to shadow memory.
inline constexpr llvm::StringLiteral sum_in_memory = "assay.sum";

/// Of functions that are rarely called: where the condition before the call is true.
inline constexpr llvm::StringLiteral rare_attribute = "assay-rare";
/// Of a function with such calls in its loops.
inline constexpr llvm::StringLiteral overlap_loop_versioning_attribute = "assay-overlap-loop-versioning";

/// Calls that stand for a combined gradient's stack of memory while derivatives are written: take, give, leave.
inline constexpr llvm::StringLiteral stack_take_name = "assay.stack.take", stack_give_name = "assay.stack.give",
                                     stack_leave_name = "assay.stack.leave";
/// Calls that stand for memory of tapes in the thread's pool (emit/tape_pool.hpp).
inline constexpr llvm::StringLiteral pool_take_name = "assay.pool.take", pool_leave_name = "assay.pool.leave",
                                     pool_grow_name = "assay.pool.grow", pool_enter_name = "assay.pool.enter",
                                     pool_exit_name = "assay.pool.exit";
/// Calls that stand for memory of tapes in code of a device (emit/tape_memory.hpp).
inline constexpr llvm::StringLiteral tape_take_name = "assay.tape.take", tape_grow_name = "assay.tape.grow",
                                     tape_leave_name = "assay.tape.leave",
                                     tape_take_words_name = "assay.tape.take.words",
                                     tape_grow_words_name = "assay.tape.grow.words",
                                     tape_stride_name = "assay.tape.stride",
                                     tape_grow_on_heap_name = "assay.tape.grow.on.heap";
inline constexpr std::uint64_t tape_word_bytes = 8;

/// The frontend's note of a C function's parameter types: an annotation `assay.parameters(double, struct point)`.
inline constexpr llvm::StringLiteral parameters_annotation = "assay.parameters";
/// An annotation, and then an attribute, of functions of the C++ interface that keep addresses of numbers of many
/// objects together: callers that are asked for the types of their memory do not look into them.
inline constexpr llvm::StringLiteral gathers_numbers = "assay.gathers_numbers";
/// Of a pointer parameter: the function is to work on a copy of the object, whose bytes the value counts, or does so
/// already: "copied".
inline constexpr llvm::StringLiteral copied_object_attribute = "assay.copied-object";

} // namespace assay::engine
