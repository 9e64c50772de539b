#include "core/engine/support/blas_bodies.hpp"
#include "core/engine/support/blas_outputs.hpp"
#include "core/engine/support/convention_names.hpp"
#include "core/engine/support/library_bodies.hpp"
#include "core/engine/support/parse_library.hpp"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Linker/Linker.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// core/engine/library/blas_level_*.c and lapack_*.c as LLVM IR.
constexpr StringLiteral sources[] = {
#include "core/engine/library/blas_level_1_double.inc"
    ,
#include "core/engine/library/blas_level_2_double.inc"
    ,
#include "core/engine/library/blas_level_3_double.inc"
    ,
#include "core/engine/library/blas_level_1_float.inc"
    ,
#include "core/engine/library/blas_level_2_float.inc"
    ,
#include "core/engine/library/blas_level_3_float.inc"
    ,
#include "core/engine/library/lapack_double.inc"
    ,
#include "core/engine/library/lapack_float.inc"
    ,
#include "core/engine/library/lapack_inverses_double.inc"
    ,
#include "core/engine/library/lapack_inverses_float.inc"
};

/// Few declarations are; saves a search in the texts.
bool may_be_of_blas(const Function &function) {
  const StringRef name = function.getName();
  return function.isDeclaration() && !function.isIntrinsic() && !function.use_empty() &&
         (name.starts_with("cblas_") || name.starts_with("LAPACKE_") ||
          (name.ends_with("_") && !name.starts_with("_Z")));
}

bool is_passed_as(const Type &declared, const Type &parameter) {
  return &declared == &parameter || (declared.isIntegerTy() && parameter.isIntegerTy());
}

bool is_returned_as(const Type &declared, const Type &result) {
  return &declared == &result || (declared.isIntegerTy() && (result.isIntegerTy() || result.isVoidTy())) ||
         (declared.isFloatingPointTy() && result.isFloatingPointTy());
}

bool fits(const FunctionType &declared, const FunctionType &body) {
  if (declared.isVarArg() || declared.getNumParams() < body.getNumParams() ||
      !is_returned_as(*declared.getReturnType(), *body.getReturnType()))
    return false;
  for (unsigned index = 0; index < declared.getNumParams(); ++index) {
    const Type &given = *declared.getParamType(index);
    if (index < body.getNumParams() ? !is_passed_as(given, *body.getParamType(index)) : !given.isIntegerTy())
      return false;
  }
  return true;
}

Value *converted(IRBuilder<> &builder, Value *value, Type *type) {
  if (value->getType()->isVoidTy())
    return Constant::getNullValue(type);
  return type->isFloatingPointTy() ? builder.CreateFPCast(value, type) : builder.CreateSExtOrTrunc(value, type);
}

/// Arguments of the declared function as its body takes them.
SmallVector<Value *> converted_arguments(IRBuilder<> &builder, Function &declared, const Function &body) {
  SmallVector<Value *> passed;
  for (unsigned index = 0; index < body.arg_size(); ++index) {
    Type *type = body.getArg(index)->getType();
    Value *argument = declared.getArg(index);
    passed.push_back(type->isIntegerTy() ? builder.CreateSExtOrTrunc(argument, type) : argument);
  }
  return passed;
}

/// A function of the parameters of `declaration`, and more, that derivatives call as it is.
class InactiveFunction {
public:
  /// Addresses that the function only reads through are passed as integers: the engine sees that the rest alone is
  /// written.
  InactiveFunction(Function &declaration, const Function &body, StringRef purpose, Type *result, ArrayRef<Type *> more,
                   MemoryEffects effects)
      : builder_(declaration.getContext()) {
    SmallVector<Type *> parameters;
    for (unsigned index = 0; index < declaration.arg_size(); ++index)
      parameters.push_back(is_hidden(body, index) ? builder_.getInt64Ty() : declaration.getArg(index)->getType());
    append_range(parameters, more);
    function_ = Function::Create(FunctionType::get(result, parameters, false), GlobalValue::InternalLinkage,
                                 purpose + declaration.getName(), *declaration.getParent());
    function_->addFnAttr("enzyme_inactive");
    function_->addFnAttr(Attribute::NoInline);
    function_->addFnAttr(Attribute::NoUnwind);
    function_->setMemoryEffects(effects);
    builder_.SetInsertPoint(BasicBlock::Create(declaration.getContext(), "entry", function_));
    for (unsigned index = 0; index < declaration.arg_size(); ++index)
      take_argument(*declaration.getArg(index)->getType(), *function_->getArg(index));
  }

  static CallInst *call(IRBuilder<> &builder, Function &function, ArrayRef<Value *> arguments) {
    SmallVector<Value *> passed(arguments);
    for (auto [index, value] : enumerate(passed))
      if (value->getType() != function.getArg(index)->getType())
        value = builder.CreatePtrToInt(value, function.getArg(index)->getType());
    return builder.CreateCall(&function, passed);
  }

  Function &function() { return *function_; }
  IRBuilder<> &builder() { return builder_; }
  ArrayRef<Value *> arguments() const { return arguments_; } ///< As the declaration has them.

private:
  static bool is_hidden(const Function &body, unsigned index) {
    return index < body.arg_size() && body.hasParamAttribute(index, Attribute::ReadOnly);
  }

  void take_argument(Type &declared, Argument &argument) {
    if (argument.getType() != &declared) {
      arguments_.push_back(builder_.CreateIntToPtr(&argument, &declared));
      return;
    }
    if (declared.isPointerTy())
      argument.addAttr(Attribute::getWithCaptureInfo(argument.getContext(), CaptureInfo::none()));
    arguments_.push_back(&argument);
  }

  Function *function_ = nullptr;
  IRBuilder<> builder_;
  SmallVector<Value *> arguments_;
};

/// core/engine/library/kept_numbers.c.
Value *kept_numbers(IRBuilder<> &builder, Value *bytes, bool release) {
  Function *helper = library_helper(*builder.GetInsertBlock()->getModule(), "assay_kept_numbers");
  return builder.CreateCall(helper, {bytes, builder.getInt1(release)});
}

/// Copies what the function is going to write to memory that nothing else refers to: a derivative would look for the
/// shadow of an address.
constexpr StringLiteral keep_prefix = "assay_keep_outputs_of_", library_prefix = "assay_library_of_";

Function *make_keep(Function &declaration, const Function &body, const BlasOutputs &outputs) {
  LLVMContext &context = declaration.getContext();
  InactiveFunction keep(declaration, body, keep_prefix, Type::getVoidTy(context), {},
                        MemoryEffects::inaccessibleOrArgMemOnly());
  IRBuilder<> &builder = keep.builder();
  Value *none = ConstantPointerNull::get(PointerType::getUnqual(context));
  Value *bytes = outputs.move(builder, keep.arguments(), none, false);
  outputs.move(builder, keep.arguments(), kept_numbers(builder, bytes, false), false);
  builder.CreateRetVoid();
  return &keep.function();
}

/// How far the library's number is from the body's, which is close, so that the difference is exact.
Value *difference(IRBuilder<> &builder, Value *library, Value *body) {
  Value *result = builder.CreateFSub(library, body);
  return builder.CreateSelect(builder.CreateFCmpUNO(result, result), ConstantFP::get(result->getType(), 0), result);
}

/// Calls the program's library, on what was kept where the function writes memory. Behind the arguments of one that
/// returns a number is that of the body, and the difference from it is returned.
Function *make_library_call(Function &declaration, const Function &body, const BlasOutputs &outputs) {
  Type *result_type = declaration.getReturnType();
  const bool is_number = result_type->isFloatingPointTy();
  InactiveFunction call(declaration, body, library_prefix, result_type,
                        is_number ? ArrayRef<Type *>(result_type) : ArrayRef<Type *>(),
                        MemoryEffects::argMemOnly() | MemoryEffects::readOnly());
  IRBuilder<> &builder = call.builder();
  if (!outputs.empty()) {
    Value *last = builder.getInt64(-1);
    outputs.move(builder, call.arguments(), kept_numbers(builder, last, false), true);
    kept_numbers(builder, last, true);
  }
  Value *result = builder.CreateCall(&declaration, call.arguments());
  if (is_number)
    result = difference(builder, result, call.function().getArg(declaration.arg_size()));
  if (result_type->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(result);
  return &call.function();
}

/// The body that a declaration gets, which is only there to be read: around `body` what leaves the library's numbers.
class BodyOfDeclaration {
public:
  BodyOfDeclaration(Function &declaration, Function &body, PrimalResults results)
      : declaration_(declaration), body_(body), outputs_(declaration.getName()) {
    outputs_.promise_no_overlap(declaration);
    outputs_.promise_no_overlap(body);
    for (Argument &argument : declaration.args())
      arguments_.push_back(&argument);
    if (results == PrimalResults::of_library) {
      keep_ = outputs_.empty() ? nullptr : make_keep(declaration, body, outputs_);
      library_ = make_library_call(declaration, body, outputs_);
    }
  }

  void write() {
    declaration_.setSubprogram(nullptr); // That of a declaration is none of a body.
    IRBuilder<> builder(BasicBlock::Create(declaration_.getContext(), "entry", &declaration_));
    if (keep_ != nullptr)
      InactiveFunction::call(builder, *keep_, arguments_);
    CallInst *body = builder.CreateCall(&body_, converted_arguments(builder, declaration_, body_));
    Value *result = body;
    Type *type = declaration_.getReturnType();
    if (!type->isVoidTy())
      result = converted(builder, result, type);
    if (library_ != nullptr)
      result = with_library(builder, result, *body);
    if (type->isVoidTy())
      builder.CreateRetVoid();
    else
      builder.CreateRet(result);
    declaration_.setLinkage(GlobalValue::AvailableExternallyLinkage);
    declaration_.addFnAttr(Attribute::NoInline); // The program calls its library, which is faster.
  }

private:
  Value *with_library(IRBuilder<> &builder, Value *result, CallInst &body) const {
    SmallVector<Value *> passed = arguments_;
    const bool is_number = result->getType()->isFloatingPointTy();
    if (is_number)
      passed.push_back(result);
    CallInst *of_library = InactiveFunction::call(builder, *library_, passed);
    keep_apart(body, *of_library);
    return is_number ? builder.CreateFAdd(result, of_library) : result;
  }

  /// To rounding, the library writes the numbers that the body has written: what the body has loaded last is still in
  /// memory after the library's call, which itself depends on no store of the body.
  static void keep_apart(CallInst &body, CallInst &of_library) {
    LLVMContext &context = body.getContext();
    MDBuilder metadata(context);
    MDNode *scopes =
        MDNode::get(context, metadata.createAnonymousAliasScope(metadata.createAnonymousAliasScopeDomain()));
    body.setMetadata(LLVMContext::MD_noalias, scopes);
    of_library.setMetadata(LLVMContext::MD_alias_scope, scopes);
  }

  Function &declaration_, &body_;
  const BlasOutputs outputs_;
  SmallVector<Value *> arguments_;
  Function *keep_ = nullptr, *library_ = nullptr;
};

/// The rules of the library's own functions, which nothing there mentions: declared in `module`, they are linked.
std::vector<std::string> ask_for_tables(const Module &library, Module &module) {
  std::vector<std::string> tables;
  for (const GlobalVariable &global : library.globals())
    if (registration_table(global)) {
      tables.push_back(global.getName().str());
      module.getOrInsertGlobal(tables.back(), global.getValueType());
    }
  return tables;
}

constexpr StringLiteral body_prefix = "assay_body_of_";

/// The library's functions get names of their own: they call each other, and are not the program's.
void rename_bodies(Module &library) {
  for (Function &function : library)
    if (!function.isDeclaration() && !function.hasLocalLinkage())
      function.setName(body_prefix + function.getName());
}

void hide_bodies(Module &module) {
  for (Function &function : module)
    if (!function.isDeclaration() && function.getName().starts_with(body_prefix))
      function.setLinkage(GlobalValue::InternalLinkage);
}

/// The functions of `names` that the text defines, for the declarations in `module`.
void add_from(StringRef source, Module &module, ArrayRef<std::string> names, PrimalResults results) {
  std::unique_ptr<Module> library = parse_library(source, module);
  rename_bodies(*library);
  SmallVector<Function *> declarations;
  for (const std::string &name : names) {
    const Function *body = library->getFunction((body_prefix + name).str());
    Function *declaration = module.getFunction(name);
    if (body == nullptr || !fits(*declaration->getFunctionType(), *body->getFunctionType()))
      continue;
    declarations.push_back(declaration);
    Function::Create(body->getFunctionType(), GlobalValue::ExternalLinkage, body->getName(), module);
  }
  if (declarations.empty())
    return;
  const std::vector<std::string> tables = ask_for_tables(*library, module);
  Linker::linkModules(module, std::move(library), Linker::LinkOnlyNeeded);
  for (const std::string &table : tables)
    module.getNamedGlobal(table)->setLinkage(GlobalValue::InternalLinkage);
  hide_bodies(module);
  for (Function *declaration : declarations)
    BodyOfDeclaration(*declaration, *module.getFunction((body_prefix + declaration->getName()).str()), results).write();
}

} // namespace

void drop_library_calls(Module &module) {
  for (Function &function : module) {
    const StringRef name = function.getName();
    if (function.isDeclaration() || !(name.starts_with(keep_prefix) || name.starts_with(library_prefix)))
      continue;
    const GlobalValue::LinkageTypes linkage = function.getLinkage();
    function.deleteBody();
    function.setLinkage(linkage);
    IRBuilder<> builder(BasicBlock::Create(function.getContext(), "entry", &function));
    if (function.getReturnType()->isVoidTy())
      builder.CreateRetVoid();
    else
      builder.CreateRet(Constant::getNullValue(function.getReturnType()));
  }
}

void add_blas_bodies(Module &module, PrimalResults results) {
  std::vector<std::string> names;
  for (const Function &function : module)
    if (may_be_of_blas(function))
      names.push_back(function.getName().str());
  for (StringRef source : sources) {
    const auto is_there = [&](const std::string &name) { return source.contains("@" + name + "("); };
    if (any_of(names, is_there))
      add_from(source, module, names, results);
  }
}

} // namespace assay::engine
