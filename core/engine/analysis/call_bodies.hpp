#pragma once
// The defined functions that a function calls, directly or not: what each calls and returns, and which call each other
// in a cycle.
//
// Cycles are the strongly connected components of the call graph, found by Tarjan's algorithm (SIAM J. Comput. 1,
// 1972).

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include <memory>

namespace assay::engine {

/// The body that stands for a called function: its prepared clone, or its own.
using BodyOf = llvm::function_ref<const llvm::Function &(const llvm::Function &)>;
const llvm::Function &own_body(const llvm::Function &function);

/// Which calls are looked into.
enum class Followed : std::uint8_t {
  all,
  program, ///< Those of functions that the engine wrote are not: they do to memory what their functions do.
};

struct CallBody {
  std::size_t instructions = 0;
  std::size_t instructions_of_cycle = 0;
  unsigned cycle = 0; ///< The same number for functions that call each other.
  llvm::SmallVector<std::pair<const llvm::CallBase *, const llvm::Function *>, 8> calls{};
  llvm::DenseMap<const llvm::CallBase *, unsigned> call_indices{}; ///< Where among `calls` one stands.
  llvm::SmallVector<const llvm::Value *, 1> returned{};
  llvm::DenseMap<const llvm::Value *, unsigned> numbers{}; ///< Of the arguments and instructions, from 0 on.
};

class CallBodies {
public:
  CallBodies(const llvm::Function &root, BodyOf body_of, Followed followed = Followed::all);

  /// Of the root or of a function that it calls, directly or not.
  const CallBody &of(const llvm::Function &function) const { return *bodies_.at(&function); }
  std::size_t instructions() const { return instructions_; }

private:
  void read(const llvm::Function &function, BodyOf body_of, Followed followed);
  void find_cycles(const llvm::Function &root);

  llvm::DenseMap<const llvm::Function *, std::unique_ptr<CallBody>> bodies_;
  std::size_t instructions_ = 0;
};

} // namespace assay::engine
