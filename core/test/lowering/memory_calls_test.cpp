#include "core/engine/emit/shadow_globals.hpp"
#include "core/engine/support/memory_calls.hpp"
#include "core/test/support/ir.hpp"
#include "llvm/IR/InstIterator.h"
#include <gtest/gtest.h>

using namespace assay::engine;

namespace {

struct Parsed {
  explicit Parsed(const std::string &text) : module(assay::test::parsed(text, context)) {}
  FunctionInfo function_info() { return llvm::cantFail(FunctionInfo::read(*module)); }
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
};

MemoryCall classify(const std::string &declaration, const std::string &call) {
  Parsed parsed(declaration + "\ndefine void @f(ptr %p, ptr %q, i64 %n, i32 %i) { " + call + " ret void }");
  const FunctionInfo function_info = parsed.function_info();
  for (llvm::Instruction &instruction : llvm::instructions(parsed.module->getFunction("f")))
    if (auto *found = llvm::dyn_cast<llvm::CallBase>(&instruction))
      return classify_memory_call(*found, function_info);
  return {};
}

} // namespace

TEST(MemoryFunctions, AreKnownByTheirNames) {
  EXPECT_EQ(classify("declare ptr @malloc(i64)", "call ptr @malloc(i64 %n)").action, MemoryAction::allocate);
  EXPECT_EQ(classify("declare ptr @calloc(i64, i64)", "call ptr @calloc(i64 %n, i64 8)").action,
            MemoryAction::allocate_zeroed);
  EXPECT_EQ(classify("declare void @_ZdlPvm(ptr, i64)", "call void @_ZdlPvm(ptr %p, i64 %n)").action,
            MemoryAction::release);
  const MemoryCall copy = classify("declare ptr @memcpy(ptr, ptr, i64)", "call ptr @memcpy(ptr %p, ptr %q, i64 %n)");
  EXPECT_EQ(copy.action, MemoryAction::copy);
  EXPECT_EQ(copy.source, 1u);
}

TEST(MemoryFunctions, AreNotConfusedWithFunctionsThatShareAName) {
  EXPECT_EQ(classify("define ptr @malloc(i64 %n) { ret ptr null }", "call ptr @malloc(i64 %n)").action,
            MemoryAction::none);
  EXPECT_EQ(classify("declare ptr @malloc(ptr)", "call ptr @malloc(ptr %p)").action, MemoryAction::none);
}

TEST(MemoryFunctions, AreKnownByTheirAttributes) {
  const MemoryCall call =
      classify(R"(declare ptr @__rust_alloc(i64, i64) allockind("alloc,uninitialized,aligned") allocsize(0))",
               "call ptr @__rust_alloc(i64 %n, i64 8)");
  EXPECT_EQ(call.action, MemoryAction::allocate);
  ASSERT_EQ(call.size.size(), 1u);
  EXPECT_EQ(call.size.front(), 0u);
}

TEST(ShadowGlobals, HaveZerosForFloatsAndShadowsForPointers) {
  Parsed parsed("@numbers = global [2 x double] [double 1.0, double 2.0]\n"
                "@table = global { ptr, i32, double } { ptr @numbers, i32 3, double 4.0 }");
  const FunctionInfo function_info = parsed.function_info();
  llvm::GlobalVariable &shadow = shadow_global(*parsed.module->getNamedGlobal("table"), {}, function_info);
  EXPECT_EQ(shadow.getName(), "table.assay_shadow");
  EXPECT_EQ(shadow.getInitializer()->getAggregateElement(0u), parsed.module->getNamedGlobal("numbers.assay_shadow"));
  EXPECT_EQ(llvm::cast<llvm::ConstantInt>(shadow.getInitializer()->getAggregateElement(1u))->getZExtValue(), 3u);
  EXPECT_TRUE(shadow.getInitializer()->getAggregateElement(2u)->isNullValue());
  EXPECT_TRUE(parsed.module->getNamedGlobal("numbers.assay_shadow")->getInitializer()->isNullValue());
}

TEST(ShadowGlobals, AreMadeOnceForEachLane) {
  Parsed parsed("@x = global double 1.0");
  const FunctionInfo function_info = parsed.function_info();
  llvm::GlobalVariable &x = *parsed.module->getNamedGlobal("x");
  EXPECT_EQ(&shadow_global(x, {}, function_info), &shadow_global(x, {}, function_info));
  EXPECT_NE(&shadow_global(x, {}, function_info), &shadow_global(x, {.lane = 1}, function_info));
  EXPECT_NE(&shadow_global(x, {}, function_info), &shadow_global(x, {.tangents = true}, function_info));
  EXPECT_NE(&shadow_global(x, {}, function_info), &shadow_global(x, {.order = 1}, function_info));
}

TEST(ShadowGlobals, AreNotMadeForConstantTables) {
  Parsed parsed("@table = constant [2 x double] [double 1.0, double 2.0]\n"
                "@x = global double 0.0\n"
                "@pointers = constant [1 x ptr] [ptr @x]");
  const FunctionInfo function_info = parsed.function_info();
  llvm::GlobalVariable &table = *parsed.module->getNamedGlobal("table");
  EXPECT_FALSE(may_have_shadow(table, function_info));
  EXPECT_EQ(shadow_of_constant(table, {}, function_info), &table);
  EXPECT_TRUE(may_have_shadow(*parsed.module->getNamedGlobal("pointers"), function_info));
}

TEST(ShadowGlobals, MayPointToThemselves) {
  Parsed parsed("@ring = global { ptr, double } { ptr @ring, double 1.0 }");
  const FunctionInfo function_info = parsed.function_info();
  llvm::GlobalVariable &shadow = shadow_global(*parsed.module->getNamedGlobal("ring"), {}, function_info);
  EXPECT_EQ(shadow.getInitializer()->getAggregateElement(0u), &shadow);
}
