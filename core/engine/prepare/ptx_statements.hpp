#pragma once
// Inline PTX as a list of statements: a straight line of instructions on the operands of the assembly and on registers
// that the text declares itself.

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace assay::engine {

/// An operand of an instruction.
struct PtxOperand {
  enum class Kind : std::uint8_t { assembly, reg, immediate, tuple, address, special };
  Kind kind = Kind::immediate;
  std::uint64_t number = 0;      ///< Of the assembly's operand or the register; the bits of an immediate.
  std::vector<PtxOperand> parts; ///< Of a tuple, lowest bits first; of an address, its base and an offset in bytes.
  llvm::StringRef name = {};     ///< Of a special register: `laneid`, `tid.x`.
};

/// `fma.rn.f16 r,p,ulp,r;`, `@p add.f32 r,r,x;`, `shfl.sync.down.b32 r|p,x,1,31,-1;`
struct PtxStatement {
  llvm::SmallVector<llvm::StringRef, 6> words; ///< Operation, modifiers, types.
  std::vector<PtxOperand> operands;            ///< The destination first. None of `cp.async.wait_all;`.
  std::optional<PtxOperand> guard;             ///< The statement takes place where this predicate holds,
  bool is_guard_negated = false;               ///< or where it does not.
  std::optional<PtxOperand> predicate;         ///< A second destination.

  llvm::StringRef operation() const { return words.front(); }
};

/// Names are resolved: blocks within blocks may declare the same name again.
struct PtxBlock {
  std::vector<llvm::StringRef> register_types; ///< As declared, by the register's number.
  std::vector<PtxStatement> statements;
};

/// Nothing where the text has more: jumps, most special registers. The result refers to `text`.
std::optional<PtxBlock> parse_ptx(llvm::StringRef text);

} // namespace assay::engine
