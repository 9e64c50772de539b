#include "core/engine/support/fortran_bodies.hpp"
#include "core/engine/support/fortran_types.hpp"
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
#include "core/engine/library/fortran_constructors.inc"
    ,
#include "core/engine/library/fortran_copies.inc"
    ,
#include "core/engine/library/fortran_locations.inc"
    ,
#include "core/engine/library/fortran_numbers.inc"
    ,
#include "core/engine/library/fortran_objects.inc"
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
/// Of functions that the library of flang does not have.
constexpr StringLiteral own_prefix = "assay_fortran_";

bool is_of_runtime(const Function &function) {
  return function.isDeclaration() && !function.use_empty() &&
         (function.getName().starts_with("_Fortran") || function.getName().starts_with(own_prefix));
}

/// Not only declares.
bool defines(StringRef source, StringRef name) {
  for (std::size_t place = source.find(name); place != StringRef::npos; place = source.find(name, place + 1))
    if (source.take_front(place).rsplit('\n').second.starts_with("define "))
      return true;
  return false;
}

void add_source(Module &module, StringRef source, GlobalValue::LinkageTypes linkage) {
  std::unique_ptr<Module> library = parse_library(source, module);
  for (Function &function : *library)
    if (!function.isDeclaration() && !function.hasLocalLinkage())
      function.setLinkage(function.getName().starts_with(own_prefix) ? GlobalValue::LinkOnceODRLinkage : linkage);
  Linker::linkModules(module, std::move(library), Linker::LinkOnlyNeeded);
}

/// Whether any was.
bool add_declared(Module &module) {
  SmallVector<std::string, 8> names;
  for (const Function &function : module)
    if (is_of_runtime(function))
      names.push_back(("@" + function.getName() + "(").str());
  bool is_any_added = false;
  for (StringRef source : sources)
    if (any_of(names, [&](StringRef name) { return defines(source, name); })) {
      add_source(module, source, GlobalValue::AvailableExternallyLinkage);
      is_any_added = true;
    }
  return is_any_added;
}

} // namespace

void add_fortran_bodies(Module &module) {
  while (add_declared(module)) // Bodies call others.
    add_bodies_of_derived_types(module);
  if (const Function *stop = module.getFunction(stop_name); stop && stop->isDeclaration())
    add_source(module, stop_source, GlobalValue::LinkOnceODRLinkage);
}

} // namespace assay::engine
