#pragma once
// Puts probes on the floating-point numbers of a program, so that they can be seen and moved while it runs (run.hpp).
//
// A probe is a function that returns its argument, and that has derivatives which the program registers in the engine's
// own convention:
//
//   double probe(double v, int site)                            sees v, returns v + amount
//   {v, dv} forward(double v, double dv, int site)              sees v and dv
//   {position, v} augmented(double v, int site)                 sees v
//   double reverse(double v, int site, double seed, position)   sees the adjoint, returns it
//
// So the engine needs to know nothing of it, and tangents and adjoints are seen where derivative code passes them on.
// There is a probe on what each operation gives, and one on each number that it takes: a tangent that is wrong on what
// it gives, or an adjoint that is wrong on what it takes, is the fault of the operation itself.
//
// Probes go into simplified code, right before the engine differentiates it. They keep their order and their number
// whatever is done afterwards, because they write to memory that nothing else sees.

#include "llvm/IR/Module.h"
#include <cstdint>
#include <string>
#include <vector>

namespace assay::trace {

/// Where a probe or a mark stands.
struct Site {
  enum class Kind : std::uint8_t { result, operand, loaded, stored, call };
  Kind kind = Kind::result;
  std::string what;  ///< `the result of the call of g`, `argument 1 of the call of g`, `the product`.
  std::string place; ///< `f.c:12 in f`; without debug information `in f`.
};

/// What came of it: by the number of each site.
std::vector<Site> insert_probes(llvm::Module &module);

} // namespace assay::trace
