#pragma once
// How the parameters of a source function lie in the parameters of its LLVM function. A struct that is passed by value
// may be spread over several LLVM parameters, or over none; whether a pointer is a reference is only known from the
// mangled name.

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include <optional>
#include <string>

namespace assay::engine {

/// One parameter as written in the source: LLVM parameters [first, first + count).
struct SourceParameter {
  unsigned first = 0;
  unsigned count = 1;
  std::string type; ///< As demangled, without reference; empty where nothing is known.
  bool reference = false;
};

/// The parameters of `function` after a hidden struct-return parameter; one for each LLVM parameter where nothing
/// better is known.
llvm::SmallVector<SourceParameter, 8> source_parameters(const llvm::Function &function);
/// The arguments of a call of the convention in the same way, by the callee's mangled name; `first` counts call
/// arguments.
llvm::SmallVector<SourceParameter, 8> source_arguments(const llvm::CallBase &call);

/// The types in the parameter list of a mangled C++ name; nothing for other names.
std::optional<llvm::SmallVector<std::string, 8>> demangled_parameters(llvm::StringRef name);

/// Turns the frontend's notes of parameter types from annotations, which would keep functions alive, into attributes.
void absorb_parameter_notes(llvm::Module &module);

/// 1 where the first parameter is the hidden pointer to the returned struct, else 0.
unsigned first_parameter(const llvm::Function &function);
unsigned first_argument(const llvm::CallBase &call);

/// How many pointers lead to the object of a demangled type: 2 for "double**".
unsigned pointer_depth(llvm::StringRef type);

/// True where the source declares this LLVM parameter as a pointer to integers, which are no bytes: those may be
/// anything.
bool points_to_integers(const llvm::Function &function, unsigned parameter);

/// The LLVM type of a fundamental type's name ("double", "long", ...), or null.
llvm::Type *fundamental_type(llvm::StringRef name, llvm::LLVMContext &context);

} // namespace assay::engine
