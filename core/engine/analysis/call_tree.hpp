#pragma once
// The function that is analysed and the defined functions that it calls, once for each way to call them.
//
// Each call of a defined function gets a frame of its own, so that a helper that is called with constant data here and
// with active data there mixes nothing. A recursive call goes back to the frame that it recurs to. After a budget of
// instructions frames are shared by all further calls of the same function, which keeps the analysis linear in the
// program. Callees are looked at in their prepared form, which is smaller and keeps less in memory than the source's.

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include <optional>
#include <vector>

namespace assay::engine {

using FrameId = unsigned;
inline constexpr FrameId root_frame = 0;

/// A value in one frame. Constants belong to the root frame.
using FramedValue = std::pair<FrameId, const llvm::Value *>;
FramedValue framed(FrameId frame, const llvm::Value &value);

/// True for the result of ptrtoint, for what becomes a pointer by inttoptr, and for arithmetic of such with constants
/// in between (tagged and aligned pointers).
bool is_address(const llvm::Value &integer);

/// The body that stands for a called function: its prepared clone, or its own.
using BodyOf = llvm::function_ref<const llvm::Function &(const llvm::Function &)>;
const llvm::Function &own_body(const llvm::Function &function);

class CallTree {
public:
  CallTree(const llvm::Function &root, BodyOf body_of);

  unsigned size() const { return static_cast<unsigned>(frames_.size()); }
  const llvm::Function &function(FrameId frame) const { return *frames_[frame].function; }
  /// Nothing for calls whose callee is unknown, has no body, or does what a library function does.
  std::optional<FrameId> callee(FrameId frame, const llvm::CallBase &call) const;

private:
  struct Frame {
    Frame(const llvm::Function &function, FrameId parent) : function(&function), parent(parent) {}
    const llvm::Function *function;
    FrameId parent;
    llvm::DenseMap<const llvm::CallBase *, FrameId> callees;
  };
  void add_calls(FrameId frame, BodyOf body_of);
  FrameId frame_for(FrameId caller, const llvm::Function &callee);

  std::vector<Frame> frames_;
  llvm::DenseMap<const llvm::Function *, FrameId> shared_;
  std::size_t instructions_ = 0;
};

} // namespace assay::engine
