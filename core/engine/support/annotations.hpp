#pragma once
// The strings of `__attribute__((annotate("...")))`, and of the attributes that the frontend plugin turns into those.

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Module.h"
#include <string>
#include <vector>

namespace assay::engine {

struct Annotation {
  llvm::GlobalObject *subject;
  std::string text; ///< annotate("enzyme_function_like", "log1p") reads enzyme_function_like=log1p
};

std::vector<Annotation> annotations(const llvm::Module &module);

/// Takes out of the module those that `take` returns true for.
void remove_annotations(llvm::Module &module, llvm::function_ref<bool(llvm::GlobalObject &, llvm::StringRef)> take);

} // namespace assay::engine
