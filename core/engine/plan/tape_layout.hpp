#pragma once
// The tape's layout, decided with the plan: what kind of memory each loop's values get, where a value lies in it, how
// much there is of it as a formula of trip counts, and which stack memory moves into the frame.
//
//   once      outside loops: a slot on the stack, or in the frame when the sweeps are two functions
//   fixed     small constant trip counts: an array in such a slot
//   segment   trip count known on entry: one piece of the loop's tape per execution, each value a contiguous array in
//             it; reserved at once in the outermost preheader that knows all the counts in between
//   record    otherwise: one record per iteration
//
// In code of a device a segment has one record per iteration, too: its accesses are those of many threads, and only one
// address is to be computed.

#include "core/engine/plan/control.hpp"
#include "core/engine/plan/needs.hpp"
#include "core/engine/plan/tape_home.hpp"
#include "core/engine/plan/tape_reservation.hpp"
#include "core/engine/support/request.hpp"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/raw_ostream.h"

namespace assay::engine {

/// A value that the tape keeps.
struct KeptValue {
  enum class Kind : std::uint8_t {
    result,      ///< Of `origin`.
    overwritten, ///< The value that the store `origin` overwrites.
    overlap,     ///< The answer of an overlap check, before `origin`.
  };
  llvm::Instruction *origin = nullptr;
  Kind kind = Kind::result;
  unsigned check = 0; ///< Overlap: which.

  llvm::Type *type() const;
  bool operator==(const KeptValue &other) const = default;
};

/// A kept value and, also kept, the result of a pure function of it alone: where the reverse sweep calls that function
/// of that value, it reads the result instead. Beside sin(x), a program often has the cos(x) which is its derivative.
struct ReusedCall {
  llvm::Instruction *argument = nullptr;
  llvm::CallInst *call = nullptr;
};

enum class TapeKind : std::uint8_t { fixed, segment, record };

struct LoopTapeLayout {
  TapeKind kind = TapeKind::record;
  llvm::SmallVector<KeptValue, 4> values{};      ///< By falling size, then in program order.
  llvm::SmallVector<std::uint64_t, 4> offsets{}; ///< In bytes of one iteration, one a value.
  llvm::SmallVector<ReusedCall, 2> reused{};     ///< Among the values.
  std::uint64_t bytes = 0;                       ///< Of one iteration.
  std::uint64_t iterations = 0;                  ///< Fixed: of all loops around, in all.
  Reservation reservation{};                     ///< Segment.
  TapeHome home = TapeHome::heap;                ///< Segment, record.

  /// Segment: whether each execution of the loop takes its own piece.
  bool is_reserved_alone(const llvm::Loop &loop) const { return reservation.loop == &loop && loop.getParentLoop(); }
  /// Segment: whether that place is reached at most once in a run.
  bool is_reserved_once() const { return !reservation.loop->getParentLoop(); }
};

struct TapeLayout {
  llvm::SmallVector<KeptValue, 8> once{};
  llvm::MapVector<const llvm::Loop *, LoopTapeLayout> loops{};
  llvm::SmallVector<llvm::AllocaInst *, 8> frame_memory{}; ///< Split mode: stack memory that the reverse sweep reads.
  TapeHome frame_home = TapeHome::heap;                    ///< Split mode.

  bool empty() const { return once.empty() && loops.empty() && frame_memory.empty(); }
  /// One line a loop and slot: the kind of memory, its bytes as a formula of numbers of iterations, and the values.
  void print(llvm::raw_ostream &out) const;
};

struct TapeLayoutInput {
  llvm::Function &sweep;
  llvm::ArrayRef<KeptValue> kept; ///< In program order.
  const Needs &needed;
  const ControlRecord &control;
  const llvm::LoopInfo &loops;
  const llvm::DominatorTree &dominators;
  bool split;    ///< The reverse sweep is a function of its own.
  Caller caller; ///< Split: who has the tape in between.
};

/// On a device, where a thread's tape has words of 8 bytes with those of other threads in between
/// (emit/tape_words.hpp): bytes written in each iteration, so that nothing but wide values reaches from one
/// word into the next: several iterations share a word, or one has whole words.
std::uint64_t round_to_words(std::uint64_t bytes);
/// Where a value of the type may lie.
llvm::Align alignment_in_words(const llvm::DataLayout &layout, llvm::Type *type);

TapeLayout lay_out_tape(const TapeLayoutInput &input);

} // namespace assay::engine
