#pragma once
// Where in a derivative a fault can be planted, and planting it. Derivatives are taken as the engine wrote them, before
// they are tidied: each step of the emitters is still there by itself. The same derivative has the same sites every
// time.

#include "core/jit/mutate/fault.hpp"

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include <vector>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace assay::jit {

/// All faults that `written`, a derivative that the engine just wrote, can have; with more than one lane, those that
/// only a batch can have.
std::vector<Fault> faults_of(llvm::Function &written, unsigned lanes = 1);

/// Where in a program's derivatives a fault is: the name of `written`, without the number that tells it from others of
/// that name.
llvm::StringRef place_of(const llvm::Function &written);

/// Plants `fault`; false where `written` has no such place. What is left is valid.
bool plant(llvm::Function &written, const Fault &fault, unsigned lanes = 1);

/// The places of derivatives that `function` calls by name, in the module once everything in it is differentiated:
/// those that the program asks for itself.
llvm::StringSet<> places_reached_from(llvm::Function &function);

/// What `detached` plants is only for the engine: it has to be there before it starts, and once it is done, nothing is
/// left of it.
void add_detaching(llvm::Module &module);
void remove_detaching(llvm::Module &module);

} // namespace assay::jit
