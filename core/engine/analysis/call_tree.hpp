#pragma once
// The function that is analysed and the defined functions that it calls, once for each way to call them.
//
// Each call of a defined function gets a frame of its own, so that a helper that is called with constant data here and
// with active data there mixes nothing. A recursive call goes back to the frame that it recurs to. After a budget of
// instructions frames are shared by all further calls of the same function, which keeps the analysis linear in the
// program. Callees are looked at in their prepared form, which is smaller and keeps less in memory than the source's.

#include "core/engine/analysis/call_bodies.hpp"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <optional>
#include <vector>

namespace assay::engine {

using FrameId = unsigned;
inline constexpr FrameId root_frame = 0;

/// A value in one frame. Constants belong to the root frame.
using FramedValue = std::pair<FrameId, const llvm::Value *>;
FramedValue framed(FrameId frame, const llvm::Value &value);

/// Sums, differences and operations bit by bit: the operations on an address as an integer that analyses follow.
bool may_keep_address(const llvm::BinaryOperator &operation);
/// True of a mask that keeps only the low bits of an address: its flags, or its offset in a page.
bool takes_low_bits(const llvm::BinaryOperator &operation);

/// True for the result of ptrtoint, for what becomes a pointer by inttoptr, and for arithmetic of such with constants
/// in between (tagged and aligned pointers).
bool is_address(const llvm::Value &integer);

class CallTree {
public:
  CallTree(const llvm::Function &root, BodyOf body_of, Followed followed = Followed::all);

  unsigned size() const { return static_cast<unsigned>(frames_.size()); }
  const llvm::Function &function(FrameId frame) const { return *frames_[frame].function; }
  /// Nothing for calls whose callee is unknown, has no body, or is known as a library function.
  std::optional<FrameId> callee(FrameId frame, const llvm::CallBase &call) const;
  /// The results of the frame's function, at each of its exits.
  llvm::ArrayRef<const llvm::Value *> returned(FrameId frame) const { return frames_[frame].body->returned; }

  /// The functions that have frames, each once.
  llvm::ArrayRef<const llvm::Function *> functions() const { return functions_; }
  /// Arguments and instructions of all frames are numbered; other values, and those that were made later, are not.
  std::optional<unsigned> number(FramedValue value) const;
  unsigned number_count() const { return numbers_; }

private:
  struct Frame {
    const llvm::Function *function;
    const CallBody *body;
    FrameId entry;         ///< The frame by which the cycle of this one was entered: itself outside of cycles.
    unsigned first_number; ///< Of its values.
    unsigned first_callee; ///< In `callees_`, of its calls in their order.
  };
  void add_calls(FrameId frame);
  FrameId frame_for(FrameId caller, const llvm::Function &callee);
  FrameId frame_in_cycle(FrameId entry, const llvm::Function &function);
  FrameId make_frame(const llvm::Function &function, std::optional<FrameId> entry);

  CallBodies bodies_;
  std::size_t budget_;
  std::vector<Frame> frames_;
  std::vector<FrameId> callees_;
  llvm::DenseMap<std::pair<FrameId, const llvm::Function *>, FrameId> in_cycle_; ///< By entry.
  llvm::DenseMap<unsigned, FrameId> shared_; ///< By cycle: the frame that all further calls enter it by.
  std::vector<const llvm::Function *> functions_;
  llvm::DenseSet<const llvm::Function *> known_functions_; ///< The same.
  std::size_t instructions_ = 0;
  unsigned numbers_ = 0;
};

} // namespace assay::engine
