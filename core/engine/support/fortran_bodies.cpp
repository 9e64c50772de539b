#include "core/engine/support/fortran_bodies.hpp"
#include "core/engine/support/parse_library.hpp"
#include "llvm/Linker/Linker.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr StringLiteral sources[] = {
#include "core/engine/library/fortran_arrays.inc"
    ,
#include "core/engine/library/fortran_assign.inc"
    ,
#include "core/engine/library/fortran_complex_double.inc"
    ,
#include "core/engine/library/fortran_complex_float.inc"
    ,
#include "core/engine/library/fortran_numbers.inc"
    ,
#include "core/engine/library/fortran_packs.inc"
    ,
#include "core/engine/library/fortran_partial_extrema.inc"
    ,
#include "core/engine/library/fortran_partial_sums.inc"
    ,
#include "core/engine/library/fortran_products_double.inc"
    ,
#include "core/engine/library/fortran_products_float.inc"
    ,
#include "core/engine/library/fortran_reductions_double.inc"
    ,
#include "core/engine/library/fortran_reductions_float.inc"
    ,
#include "core/engine/library/fortran_shifts.inc"
};
constexpr StringLiteral stop_source =
#include "core/engine/library/fortran_stop.inc"
    ;
constexpr StringLiteral stop_name = "assay_fortran_unsupported";

bool is_of_runtime(const Function &function) {
  return function.isDeclaration() && !function.use_empty() && function.getName().starts_with("_Fortran");
}

void add(Module &module, StringRef source, GlobalValue::LinkageTypes linkage) {
  std::unique_ptr<Module> library = parse_library(source, module);
  for (Function &function : *library)
    if (!function.isDeclaration() && !function.hasLocalLinkage())
      function.setLinkage(linkage);
  Linker::linkModules(module, std::move(library), Linker::LinkOnlyNeeded);
}

} // namespace

void add_fortran_bodies(Module &module) {
  SmallVector<std::string, 8> names;
  for (const Function &function : module)
    if (is_of_runtime(function))
      names.push_back(("@" + function.getName() + "(").str());
  for (StringRef source : sources)
    if (any_of(names, [&](StringRef name) { return source.contains(name); }))
      add(module, source, GlobalValue::AvailableExternallyLinkage);
  if (const Function *stop = module.getFunction(stop_name); stop && stop->isDeclaration())
    add(module, stop_source, GlobalValue::LinkOnceODRLinkage);
}

} // namespace assay::engine
