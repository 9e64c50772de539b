#pragma once
// Calls that cannot be differentiated, in places where that need not matter, because they reach a function that nothing
// is known of.
//
// On a path that can only end in an exception or an abort a run has no gradient: such calls are run as they are, so
// that programs are not refused for the code of their error messages. As one of several candidates of an
// indirect call, such a function stops the program if it is reached in active code.

#include "core/engine/support/call_marks.hpp"
#include "core/engine/support/function_info.hpp"
#include "llvm/ADT/DenseMap.h"

namespace assay::engine {

/// Which calls reach, directly or through other functions, one that nothing is known of.
class UnknownReach {
public:
  explicit UnknownReach(const FunctionInfo &function_info) : function_info_(function_info) {}

  bool reaches_unknown(llvm::CallBase &call);
  bool reaches_unknown(llvm::Function &function);

private:
  bool is_unresolvable(llvm::CallBase &indirect_call);

  const FunctionInfo &function_info_;
  llvm::DenseMap<const llvm::Function *, bool> known_;
  llvm::DenseMap<std::pair<llvm::FunctionType *, std::int64_t>, bool> unresolvable_; ///< By type and virtual slot.
};

/// Which calls reach, directly, through other functions or through pointers, a handler of exceptions from which the
/// program goes on: it is refused where the exception carries a derivative.
class HandlerReach {
public:
  explicit HandlerReach(const FunctionInfo &function_info) : function_info_(function_info) {}

  bool reaches_handler(llvm::CallBase &call);

private:
  bool reaches_handler(llvm::Function &function);
  bool candidates_reach_handler(llvm::CallBase &indirect_call);

  const FunctionInfo &function_info_;
  llvm::DenseMap<const llvm::Function *, bool> known_;
  llvm::DenseMap<std::pair<llvm::FunctionType *, std::int64_t>, bool> known_of_pointers_; ///< By type and virtual slot.
};

/// Marks calls from which only an exception or an abort can follow (`is_noreturn_path_call`).
void mark_noreturn_path_calls(llvm::Module &module, const FunctionInfo &function_info);
/// Takes all marks of calls off again.
void unmark_noreturn_path_calls(llvm::Module &module);

} // namespace assay::engine
