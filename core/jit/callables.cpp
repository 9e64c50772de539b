#include "core/jit/callables.hpp"

#include "core/engine/explain/source_variables.hpp"
#include "core/jit/function_names.hpp"
#include "core/jit/struct_members.hpp"
#include "core/jit/type_text.hpp"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DerivedTypes.h"
#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace assay::jit {

namespace {

const llvm::DISubroutineType *function_behind(const llvm::DIType &pointer) {
  return llvm::dyn_cast_or_null<llvm::DISubroutineType>(target_of(&pointer));
}

/// How clang passes a number or a pointer; null for anything else.
llvm::Type *passed_as(const llvm::DIType &source, llvm::LLVMContext &context) {
  const llvm::DIType &type = *engine::without_qualifiers(&source);
  const auto *basic = llvm::dyn_cast<llvm::DIBasicType>(&type);
  if (basic && basic->getEncoding() == llvm::dwarf::DW_ATE_boolean)
    return llvm::Type::getInt1Ty(context);
  const std::optional<Members> members = is_structure(&type) ? std::nullopt : members_of_struct(type, "");
  return members && members->size() == 1 ? type_of_member(members->front(), context) : nullptr;
}

/// Null where it takes or returns a struct, and where the source does not say what it takes: `double (*f)()`.
llvm::FunctionType *compiled_type(const llvm::DISubroutineType &function, llvm::LLVMContext &context) {
  llvm::SmallVector<llvm::Type *, 4> types;
  for (const llvm::DIType *type : function.getTypeArray()) {
    llvm::Type *passed = type ? passed_as(*type, context) : nullptr;
    if (!type && types.empty())
      passed = llvm::Type::getVoidTy(context);
    if (!passed)
      return nullptr;
    types.push_back(passed);
  }
  return types.empty() ? nullptr : llvm::FunctionType::get(types.front(), llvm::ArrayRef(types).drop_front(), false);
}

/// LLVM knows the types of most functions of the C library, and names of the mathematical one are enough.
bool is_of_mathematical_library(const std::string &name) {
  Dl_info place{};
  const void *address = dlsym(RTLD_DEFAULT, name.c_str());
  return address && dladdr(address, &place) != 0 && llvm::StringRef(place.dli_fname).contains("/libm.so");
}

/// Of the C library, where the program does not mention it. Null where there is none of this type.
llvm::Function *declared_library_function(llvm::Module &module, const std::string &name, llvm::FunctionType *type) {
  const llvm::TargetLibraryInfoImpl library(module.getTargetTriple());
  llvm::LibFunc known{};
  const bool has_known_type = library.getLibFunc(name, known);
  if (!type || (!has_known_type && !is_of_mathematical_library(name)))
    return nullptr;
  auto *function = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, name, module);
  if (!has_known_type || library.getLibFunc(*function, known))
    return function;
  function->eraseFromParent();
  return nullptr;
}

std::vector<std::string> names_of_functions(const llvm::Module &module) {
  std::vector<std::string> names;
  for (const llvm::Function &function : module)
    if (!function.isIntrinsic())
      names.push_back(function.getName().str());
  return names;
}

/// `double (double, int)`, as the source has it; empty where that is not known.
std::string source_type_of(const llvm::Function &function) {
  const llvm::DISubprogram *source = function.getSubprogram();
  return source ? text_of_function(source->getType(), "*") : std::string();
}

bool has_type(const llvm::Function &function, const llvm::FunctionType *expected, const llvm::DIType &pointer) {
  if (expected)
    return function.getFunctionType() == expected;
  const bool says_nothing = function_behind(pointer)->getTypeArray().size() == 2 &&
                            !function_behind(pointer)->getTypeArray()[1]; // `double (*f)()`
  const std::string source = source_type_of(function);
  return says_nothing || source.empty() || source == text_of(engine::without_qualifiers(&pointer));
}

} // namespace

std::string callable_in(const std::string &spec) {
  const std::size_t equals = spec.find('=');
  llvm::StringRef name = llvm::StringRef(spec).substr(equals == std::string::npos ? 0 : equals + 1).trim();
  name.consume_front("&");
  return name.str();
}

bool is_null_callable(const std::string &name) {
  return name == "NULL" || name == "nullptr" || name == "0";
}

bool is_pointer_to_function(const llvm::DIType &type) {
  return function_behind(type) != nullptr;
}

llvm::Constant &callable_named(llvm::Module &module, const std::string &spec, const llvm::DIType &pointer,
                               const std::string &subject) {
  const std::string name = callable_in(spec);
  if (is_null_callable(name))
    return *llvm::ConstantPointerNull::get(llvm::PointerType::getUnqual(module.getContext()));
  llvm::FunctionType *expected = compiled_type(*function_behind(pointer), module.getContext());
  const std::vector<std::string> found = functions_named(name, names_of_functions(module));
  if (found.size() > 1)
    throw BadRequest(
        fmt::format("--arg '{}': '{}' is ambiguous: {}; name one in full", spec, name, fmt::join(found, ", ")));
  llvm::Function *function =
      found.empty() ? declared_library_function(module, name, expected) : module.getFunction(found.front());
  const std::string type = text_of(engine::without_qualifiers(&pointer));
  if (!function)
    throw UnknownCallable(
        fmt::format("--arg '{}': there is no function '{}'; {} is {}: name a function of the file, of "
                    "the files that are linked with it, or of the C library",
                    spec, name, subject, type));
  if (!has_type(*function, expected, pointer)) {
    const std::string other = source_type_of(*function);
    throw BadRequest(fmt::format("--arg '{}': {} is {}, and '{}' is {}", spec, subject, type, name,
                                 other.empty() ? "of another type" : other));
  }
  return *function;
}

} // namespace assay::jit
