// Would catch: a write through a pointer that is found again in memory, and taken for none.

#include "core/engine/analysis/only_read.hpp"
#include "core/test/support/ir.hpp"
#include "llvm/IR/Module.h"

#include <gtest/gtest.h>

namespace assay::test {
namespace {

using engine::MemoryAccessKind;

MemoryAccessKind access_through_first_parameter(const char *text) {
  llvm::LLVMContext context;
  const std::unique_ptr<llvm::Module> module = parsed(text, context);
  return engine::access_through(*module->getFunction("f")->getArg(0));
}

TEST(OnlyRead, FollowsVariables) {
  EXPECT_EQ(access_through_first_parameter(R"(
    define double @f(ptr %x) {
      %x.addr = alloca ptr
      store ptr %x, ptr %x.addr
      %again = load ptr, ptr %x.addr
      %value = load double, ptr %again
      ret double %value
    })"),
            MemoryAccessKind::read);
  EXPECT_EQ(access_through_first_parameter(R"(
    define void @f(ptr %x) {
      %x.addr = alloca ptr
      store ptr %x, ptr %x.addr
      %again = load ptr, ptr %x.addr
      store double 1.0, ptr %again
      ret void
    })"),
            MemoryAccessKind::written);
}

// As in the host's side of a kernel: the address of the variable stands in an array that a function is given.
TEST(OnlyRead, SaysNothingOfVariablesThatOthersMayRead) {
  EXPECT_EQ(access_through_first_parameter(R"(
    declare void @launch(ptr)
    define void @f(ptr %x) {
      %x.addr = alloca ptr
      %arguments = alloca [1 x ptr]
      store ptr %x, ptr %x.addr
      store ptr %x.addr, ptr %arguments
      call void @launch(ptr %arguments)
      ret void
    })"),
            MemoryAccessKind::unclear);
  EXPECT_EQ(access_through_first_parameter(R"(
    declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
    define void @f(ptr %x, ptr %to) {
      %x.addr = alloca ptr
      store ptr %x, ptr %x.addr
      call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %x.addr, i64 8, i1 false)
      ret void
    })"),
            MemoryAccessKind::unclear);
}

} // namespace
} // namespace assay::test
