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

// Checks of overflows and alignment, and what keeps values alive for debuggers, write nothing.
TEST(OnlyRead, FollowsIntegersThatChecksCompute) {
  EXPECT_EQ(access_through_first_parameter(R"(
    declare void @__ubsan_handle_pointer_overflow(ptr, i64, i64)
    declare void @llvm.fake.use(...)
    define double @f(ptr %x, i64 %offset) {
      %rows = alloca [2 x ptr]
      %row = getelementptr ptr, ptr %rows, i64 %offset
      store ptr %x, ptr %row
      %place = ptrtoint ptr %row to i64
      %bits = and i64 %place, 7
      %is_aligned = icmp eq i64 %bits, 0
      %address = ptrtoint ptr %x to i64
      %moved = add i64 %address, %offset
      switch i64 %address, label %read [i64 0, label %fails]
    fails:
      call void @__ubsan_handle_pointer_overflow(ptr null, i64 %address, i64 %moved), !nosanitize !0
      br label %read
    read:
      %again = load ptr, ptr %row
      %value = load double, ptr %again
      call void (...) @llvm.fake.use(ptr %x)
      ret double %value
    }
    !0 = !{})"),
            MemoryAccessKind::read);
  EXPECT_EQ(access_through_first_parameter(R"(
    define void @f(ptr %x) {
      %address = ptrtoint ptr %x to i64
      %moved = add i64 %address, 8
      %pointer = inttoptr i64 %moved to ptr
      store double 1.0, ptr %pointer
      ret void
    })"),
            MemoryAccessKind::written);
  EXPECT_EQ(access_through_first_parameter(R"(
    declare void @keep(i64)
    define void @f(ptr %x) {
      %address = ptrtoint ptr %x to i64
      call void @keep(i64 %address)
      ret void
    })"),
            MemoryAccessKind::unclear);
}

} // namespace
} // namespace assay::test
