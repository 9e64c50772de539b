#include "core/engine/support/library_bodies.hpp"
#include "core/engine/support/blas_bodies.hpp"
#include "core/engine/support/fortran_bodies.hpp"
#include "core/engine/support/memory_resources.hpp"
#include "core/engine/support/parse_library.hpp"
#include "llvm/Linker/Linker.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// The files of core/engine/library as LLVM IR.
constexpr StringLiteral bodies_of_declarations[] = {
#include "core/engine/library/list.inc"
    ,
#include "core/engine/library/red_black_tree.inc"
};
constexpr StringLiteral bodies_of_strings =
#include "core/engine/library/strings.inc"
    ;
constexpr StringLiteral helpers[] = {
#include "core/engine/library/address_log.inc"
    ,
#include "core/engine/library/float_word_adjoints.inc"
    ,
#include "core/engine/library/float_word_tangents.inc"
    ,
#include "core/engine/library/float_words.inc"
    ,
#include "core/engine/library/globals.inc"
    ,
#include "core/engine/library/kept_numbers.inc"
    ,
#include "core/engine/library/loose_doubles.inc"
    ,
#include "core/engine/library/loose_floats.inc"
    ,
#include "core/engine/library/loose_numbers.inc"
    ,
#include "core/engine/library/memory_stack.inc"
    ,
#include "core/engine/library/number_bytes.inc"
    ,
#include "core/engine/library/shadow_calls.inc"
    ,
#include "core/engine/library/tape_pool.inc"
    ,
#include "core/engine/library/text_input.inc"
    ,
#include "core/engine/library/word_adjoints.inc"
    ,
#include "core/engine/library/word_tangents.inc"
    ,
#include "core/engine/library/words.inc"
    ,
#include "core/engine/library/write_log.inc"
};

constexpr unsigned pointer_bits = 64; // the layouts in those files

/// True when the text may define something that the module declares; saves parsing where it does not.
bool defines_what_is_declared(StringRef source, const Module &module) {
  return any_of(module, [&](const Function &function) {
    return function.isDeclaration() && !function.isIntrinsic() && !function.use_empty() &&
           source.contains(("@" + function.getName() + "(").str());
  });
}

void add(Module &module, StringRef source, GlobalValue::LinkageTypes linkage) {
  std::unique_ptr<Module> library = parse_library(source, module);
  for (Function &function : *library)
    if (!function.isDeclaration() && !function.hasLocalLinkage())
      function.setLinkage(linkage);
  Linker::linkModules(module, std::move(library), Linker::LinkOnlyNeeded);
}

} // namespace

bool sees_inside_of_strings(const Module &module) {
  return none_of(module, [](const Function &function) {
    StringRef name = function.getName();
    return function.isDeclaration() && name.consume_front("_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE") &&
           (name.starts_with("C") || name.starts_with("D") || name.starts_with("10_M_disposeEv"));
  });
}

void add_library_bodies(Module &module, PrimalResults results) {
  if (module.getDataLayout().getPointerSizeInBits() != pointer_bits)
    return;
  for (StringRef source : bodies_of_declarations)
    if (defines_what_is_declared(source, module))
      add(module, source, GlobalValue::AvailableExternallyLinkage);
  add_blas_bodies(module, results);
  add_fortran_bodies(module);
  add_memory_resources(module);
  if (defines_what_is_declared(bodies_of_strings, module) && sees_inside_of_strings(module))
    add(module, bodies_of_strings, GlobalValue::AvailableExternallyLinkage);
}

Function *library_helper(Module &module, StringRef name) {
  if (Function *existing = module.getFunction(name))
    return existing;
  add_library_helpers(module, {name.str()});
  return module.getFunction(name);
}

void add_library_helpers(Module &module, ArrayRef<std::string> names) {
  if (names.empty())
    return;
  const StringRef source = *find_if(helpers, [&](StringRef text) { return text.contains("@" + names.front() + "("); });
  const std::unique_ptr<Module> parsed = parse_library(source, module);
  for (const std::string &name : names)
    Function::Create(parsed->getFunction(name)->getFunctionType(), GlobalValue::ExternalLinkage, name, module);
  add(module, source, GlobalValue::ExternalLinkage);
  for (const std::string &name : names)
    module.getFunction(name)->setLinkage(GlobalValue::InternalLinkage);
}

} // namespace assay::engine
