#pragma once
// One call of the convention: its markers, defaults and values sorted out against the parameters of the function
// that is differentiated. Pure: no IR is changed, so that it can be asked for several candidates.

#include "core/engine/lowering/operand_reader.hpp"
#include "core/engine/support/convention_names.hpp"
#include "core/engine/support/request.hpp"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace assay::engine {

/// `lane * stride` bytes behind `base`: the shadow of enzyme_dupv.
struct StridedShadow {
  llvm::Value *base = nullptr;
  llvm::Value *stride = nullptr;
};

struct ParsedArgument {
  unsigned parameter = 0; ///< Of f.
  unsigned source = 0;    ///< The source parameter that it is part of.
  ArgumentValue primal;
  llvm::SmallVector<ArgumentValue, 1> shadows; ///< One for each lane, unless strided or collected.
  std::optional<StridedShadow> strided;
  llvm::Type *by_value = nullptr; ///< The struct behind a byval pointer.
  bool by_reference = false;      ///< enzyme_byref: the caller gives pointers to the struct and its shadows.
  /// A byval struct that is `out`: its shadow is made here, and its final content is returned.
  bool collects_gradient = false;
};

/// The treatment of a struct that f returns through a hidden pointer.
enum class StructReturn : std::uint8_t { none, constant, duplicated };

enum class TapeMemory : std::uint8_t { engine, caller };

struct ParsedCall {
  ConventionCall kind = ConventionCall::autodiff;
  Request request; ///< `argument_activity` covers every LLVM parameter, the hidden one too.
  llvm::SmallVector<ParsedArgument, 4> arguments;
  StructReturn struct_return = StructReturn::none;
  bool returns_struct_primal = false, returns_struct_shadow = false;
  bool struct_takes_seed = false; ///< Split mode: the struct behind the hidden pointer has an adjoint.
  llvm::SmallVector<Seed, 1> seeds;
  TapeMemory tape_memory = TapeMemory::engine;
  llvm::Value *drop_list = nullptr; ///< Where the program keeps the releases that are due with the tape.
  llvm::Value *tape = nullptr;
  llvm::Value *thread_tapes = nullptr; ///< The struct of a thread's memory for tapes (emit/tape_memory.hpp).
};

/// Bytes that the caller has to provide for a tape: it keeps a pointer to the engine's allocation.
inline constexpr std::uint64_t tape_size = 8;

llvm::Expected<ParsedCall> parse_call(llvm::CallBase &call, ConventionCall kind, llvm::Function &function);

} // namespace assay::engine
