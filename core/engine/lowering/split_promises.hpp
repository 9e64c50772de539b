#pragma once
// enzyme_not_overwritten changes what the tape of a split derivative holds, so both halves have to be told alike. A
// promise that only one of them is given is an error, which is known once all calls were read.

#include "core/engine/support/request.hpp"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <set>

namespace assay::engine {

class SplitPromises {
public:
  struct Lone {
    llvm::Function *caller;
    llvm::DebugLoc place;
    llvm::Error error;
  };

  void note(const llvm::CallBase &call, Request request);
  /// The first promise that one half alone has.
  std::optional<Lone> lone() const;

private:
  struct Call {
    llvm::Function *caller = nullptr;
    llvm::DebugLoc place;
    std::string function;
  };
  struct Halves {
    std::set<std::string> augmented, reverse; ///< Each promise as a text.
    Call last;
  };
  llvm::StringMap<Halves> halves_; ///< By the text that the halves have in common.
};

} // namespace assay::engine
