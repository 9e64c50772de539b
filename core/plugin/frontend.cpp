// What the convention needs of clang's frontend, registered when clang loads the plugin (which it does before it
// parses).
//
//   attributes   enzyme_inactive, enzyme_inactive_noblock, enzyme_nofree, enzyme_shouldrecompute,
//   enzyme_sparse_accumulate, enzyme_function_like("name")
//                on functions and variables become annotations, which the engine reads from the IR.
//   tables       Registration tables count as used, so that static ones reach the IR.
//   parameters   A C function that takes structs by value notes its parameter types, which its name does not tell and
//   its IR
//                does not show once a struct is spread over registers.
//   library      The file of the device's library is noted for the plugin, which links more of it for derivatives.
//   markers      Are no compile-time constants, so that `const int enzyme_dup = 1` reaches the IR as a variable.

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"

#include "core/engine/support/convention_names.hpp"

using namespace clang;

namespace {

// ---- attributes

class EnzymeAttribute : public ParsedAttrInfo {
public:
  bool diagAppertainsToDecl(Sema &sema, const ParsedAttr &attribute, const Decl *declaration) const override {
    if (isa<FunctionDecl, VarDecl, FieldDecl>(declaration))
      return true;
    const unsigned id =
        sema.Diags.getCustomDiagID(DiagnosticsEngine::Error, "%0 applies to functions and variables only");
    sema.Diag(attribute.getLoc(), id) << attribute;
    return false;
  }

protected:
  static void annotate(Sema &sema, Decl &declaration, const ParsedAttr &attribute, StringRef text) {
    declaration.addAttr(AnnotateAttr::Create(sema.Context, text, nullptr, 0, attribute.getRange()));
  }
};

/// __attribute__((NAME)), [[enzyme::NAME]] style spellings included.
template <unsigned index>
class PlainAttribute : public EnzymeAttribute {
public:
  static constexpr const char *names[][2] = {
      {"enzyme_inactive", "enzyme::inactive"},
      {"enzyme_nofree", "enzyme::nofree"},
      {"enzyme_shouldrecompute", "enzyme::shouldrecompute"},
      {"enzyme_sparse_accumulate", "enzyme::sparse_accumulate"},
      {"enzyme_inactive_noblock", "enzyme::inactive_noblock"},
  };

  PlainAttribute() {
    static constexpr Spelling spellings[] = {{AttributeCommonInfo::AS_GNU, names[index][0]},
                                             {AttributeCommonInfo::AS_CXX11, names[index][0]},
                                             {AttributeCommonInfo::AS_C23, names[index][0]},
                                             {AttributeCommonInfo::AS_CXX11, names[index][1]}};
    Spellings = spellings;
  }

  AttrHandling handleDeclAttribute(Sema &sema, Decl *declaration, const ParsedAttr &attribute) const override {
    annotate(sema, *declaration, attribute, names[index][0]);
    return AttributeApplied;
  }
};

/// __attribute__((enzyme_function_like("log1p")))
class FunctionLikeAttribute : public EnzymeAttribute {
public:
  FunctionLikeAttribute() {
    NumArgs = 1;
    static constexpr Spelling spellings[] = {{AttributeCommonInfo::AS_GNU, "enzyme_function_like"},
                                             {AttributeCommonInfo::AS_CXX11, "enzyme_function_like"},
                                             {AttributeCommonInfo::AS_C23, "enzyme_function_like"},
                                             {AttributeCommonInfo::AS_CXX11, "enzyme::function_like"}};
    Spellings = spellings;
  }

  AttrHandling handleDeclAttribute(Sema &sema, Decl *declaration, const ParsedAttr &attribute) const override {
    const Expr *argument = attribute.getArgAsExpr(0);
    const auto *name = argument ? dyn_cast<clang::StringLiteral>(argument->IgnoreParenCasts()) : nullptr;
    if (!name) {
      const unsigned id =
          sema.Diags.getCustomDiagID(DiagnosticsEngine::Error, "%0 takes the name of a library function, a string");
      sema.Diag(attribute.getLoc(), id) << attribute;
      return AttributeNotApplied;
    }
    annotate(sema, *declaration, attribute, ("enzyme_function_like=" + name->getString()).str());
    return AttributeApplied;
  }
};

// ---- tables and markers

class ConventionConsumer : public ASTConsumer {
public:
  bool HandleTopLevelDecl(DeclGroupRef group) override {
    for (Decl *declaration : group)
      visit(*declaration);
    return true;
  }
  void HandleCXXStaticMemberVarInstantiation(VarDecl *variable) override { visit(*variable); }

private:
  void visit(Decl &declaration) {
    if (auto *variable = dyn_cast<VarDecl>(&declaration))
      return visit_variable(*variable);
    if (auto *function = dyn_cast<FunctionDecl>(&declaration))
      return visit_function(*function);
    if (isa<NamespaceDecl, LinkageSpecDecl, ExportDecl, RecordDecl>(declaration))
      for (Decl *inner : cast<DeclContext>(declaration).decls())
        visit(*inner);
    if (auto *declared = dyn_cast<ClassTemplateDecl>(&declaration))
      for (ClassTemplateSpecializationDecl *instance : declared->specializations())
        for (Decl *inner : instance->decls())
          visit(*inner);
    if (auto *declared = dyn_cast<VarTemplateDecl>(&declaration))
      for (VarTemplateSpecializationDecl *instance : declared->specializations())
        visit_variable(*instance);
  }

  static void visit_variable(VarDecl &variable) {
    if (!variable.hasGlobalStorage() || !variable.getIdentifier())
      return;
    const llvm::StringRef name = variable.getName();
    if (assay::engine::registration_table(name) && !variable.hasAttr<UsedAttr>() && variable.hasInit())
      variable.addAttr(UsedAttr::CreateImplicit(variable.getASTContext()));
    if (assay::engine::marker(name))
      make_variable(variable);
  }

  static void visit_function(FunctionDecl &function) {
    ASTContext &context = function.getASTContext();
    const bool mangled = context.getLangOpts().CPlusPlus && !function.isExternC();
    const auto by_value = [](const ParmVarDecl *parameter) {
      return parameter->getType()->isRecordType() || parameter->getType()->isAnyComplexType();
    };
    if (mangled || !function.isThisDeclarationADefinition() || llvm::none_of(function.parameters(), by_value))
      return;
    std::string list;
    for (const ParmVarDecl *parameter : function.parameters())
      list += (list.empty() ? "" : ", ") + parameter->getType().getCanonicalType().getUnqualifiedType().getAsString();
    const std::string text = (assay::engine::parameters_annotation + "(" + list + ")").str();
    const auto says_so = [&](const AnnotateAttr *said) { return said->getAnnotation() == text; };
    if (llvm::any_of(function.specific_attrs<AnnotateAttr>(), says_so))
      return; // It comes from a precompiled header.
    function.addAttr(AnnotateAttr::CreateImplicit(context, text, nullptr, 0));
  }

  static void make_variable(VarDecl &marker) {
    if (marker.getFormalLinkage() == Linkage::Internal && !marker.isStaticDataMember())
      marker.setStorageClass(SC_Static); // a C++ const is internal, and stays so
    marker.setConstexpr(false);
    marker.setType(marker.getType().getUnqualifiedType());
  }
};

/// The file of the device's library that clang links into device code; empty where there is none.
std::string device_library;

class ConventionAction : public PluginASTAction {
protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler, llvm::StringRef) override {
    for (const CodeGenOptions::BitcodeFileToLink &file : compiler.getCodeGenOpts().LinkBitcodeFiles)
      if (llvm::StringRef(file.Filename).contains("libdevice"))
        device_library = file.Filename;
    return std::make_unique<ConventionConsumer>();
  }
  bool ParseArgs(const CompilerInstance &, const std::vector<std::string> &) override { return true; }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

FrontendPluginRegistry::Add<ConventionAction> convention_action("assay", "the convention of differentiation calls");
ParsedAttrInfoRegistry::Add<PlainAttribute<0>> inactive("enzyme_inactive", "carries no derivative");
ParsedAttrInfoRegistry::Add<PlainAttribute<1>> nofree("enzyme_nofree", "frees nothing that it is given");
ParsedAttrInfoRegistry::Add<PlainAttribute<2>> recompute("enzyme_shouldrecompute", "is recomputed rather than kept");
ParsedAttrInfoRegistry::Add<PlainAttribute<3>> sparse("enzyme_sparse_accumulate", "accumulates sparsely");
ParsedAttrInfoRegistry::Add<PlainAttribute<4>> open("enzyme_inactive_noblock",
                                                    "carries no derivative, and is looked into");
ParsedAttrInfoRegistry::Add<FunctionLikeAttribute> function_like("enzyme_function_like",
                                                                 "is differentiated as a library function");

} // namespace

/// Asked for by the plugin, which derivatives need functions of that library for.
extern "C" const char *assay_device_library() {
  return device_library.c_str();
}
