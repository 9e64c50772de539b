// Every name of the convention is recognised, and stands in the documentation.

#include "core/engine/support/convention_names.hpp"
#include "core/test/lowering/ir_module.hpp"
#include <fstream>
#include <sstream>

namespace assay::engine {
namespace {

/// All enumerators, of which `last` is the last.
template <class Kind>
std::vector<Kind> up_to(Kind last) {
  std::vector<Kind> kinds;
  for (unsigned index = 0; index <= unsigned(last); ++index)
    kinds.push_back(Kind(index));
  return kinds;
}

const std::string &documentation() {
  static const std::string text = [] {
    std::ostringstream all;
    all << std::ifstream(ASSAY_CONVENTION).rdbuf();
    return all.str();
  }();
  return text;
}

void expect_documented(llvm::StringRef name, unsigned kind) {
  EXPECT_FALSE(name.empty()) << "the kind " << kind << " has no name in convention_names.cpp";
  EXPECT_NE(documentation().find(name.str()), std::string::npos) << name.str() << " is not in docs/convention.md";
}

TEST(ConventionNames, of_markers_are_recognised_and_documented) {
  for (const Marker kind : up_to(Marker::seed)) {
    expect_documented(name_of(kind), unsigned(kind));
    EXPECT_EQ(marker(name_of(kind)), kind) << name_of(kind).str();
  }
}

TEST(ConventionNames, of_calls_are_recognised_and_documented) {
  test::IrModule ir("");
  for (const ConventionCall kind : up_to(ConventionCall::iterations)) {
    expect_documented(name_of(kind), unsigned(kind));
    auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(ir.module().getContext()), false);
    llvm::FunctionCallee call = ir.module().getOrInsertFunction((name_of(kind) + "_mine").str(), type);
    EXPECT_EQ(convention_call(*llvm::cast<llvm::Function>(call.getCallee())), kind) << name_of(kind).str();
  }
}

TEST(ConventionNames, of_tables_are_recognised_and_documented) {
  for (const Table kind : up_to(Table::nofree)) {
    expect_documented(name_of(kind), unsigned(kind));
    EXPECT_EQ(registration_table((name_of(kind) + "_f").str()), kind) << name_of(kind).str();
  }
}

} // namespace
} // namespace assay::engine
