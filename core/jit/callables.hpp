#pragma once
// Functions that a user names for parameters which are pointers to functions.

#include "core/jit/bad_request.hpp"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include <map>
#include <string>

namespace assay::jit {

/// A function that the module lacks. It may be a static one of the source that nothing uses there.
struct UnknownCallable : BadRequest {
  using BadRequest::BadRequest;
};

/// The functions for parameters, by their places.
using Callables = std::map<unsigned, llvm::Constant *>;

/// Whether `type` is a pointer to a function.
bool is_pointer_to_function(const llvm::DIType &type);

/// `square` of the spec `f=square`; the parameter's name may be left out.
std::string callable_in(const std::string &spec);

/// Whether `name` is that of no function: NULL, nullptr or 0.
bool is_null_callable(const std::string &name);

/// What the spec `NAME=FUNCTION` names: a function of the module, one of the C library, or a null pointer (`f=NULL`).
/// `pointer` is the type of the parameter in the source, `subject` the parameter in messages. Throws
/// BadRequest where there is none, several, or one of another type.
llvm::Constant &callable_named(llvm::Module &module, const std::string &spec, const llvm::DIType &pointer,
                               const std::string &subject);

} // namespace assay::jit
