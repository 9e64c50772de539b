// Memory that Rust's allocator grows: the functions are known by their attributes and by the end of their names, those
// of the default allocator by their names alone.

#include "core/test/support/compile_and_run.hpp"
#include <gtest/gtest.h>
#include <regex>

namespace assay::test {
namespace {

constexpr const char *program = R"(
declare double @__enzyme_autodiff(ptr, ...)
declare noalias ptr @_RNvCsabc_7___rustc12___rust_alloc(i64, i64 allocalign) allockind("alloc,uninitialized,aligned") allocsize(0)
declare ptr @_RNvCsabc_7___rustc14___rust_realloc(ptr allocptr, i64, i64 allocalign, i64) allockind("realloc,aligned") allocsize(3)
declare void @_RNvCsabc_7___rustc14___rust_dealloc(ptr allocptr, i64, i64) allockind("free")

define double @grown(double %x) noinline {
  %first = call ptr @_RNvCsabc_7___rustc12___rust_alloc(i64 8, i64 8)
  %square = fmul double %x, %x
  store double %square, ptr %first
  %memory = call ptr @_RNvCsabc_7___rustc14___rust_realloc(ptr %first, i64 8, i64 8, i64 16)
  %second = getelementptr double, ptr %memory, i64 1
  store double %x, ptr %second
  %a = load double, ptr %memory
  %b = load double, ptr %second
  %product = fmul double %a, %b
  call void @_RNvCsabc_7___rustc14___rust_dealloc(ptr %memory, i64 16, i64 8)
  ret double %product
}
define i32 @main() {
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @grown, double 3.0)
  %right = fcmp oeq double %d, 27.0
  %status = select i1 %right, i32 0, i32 1
  ret i32 %status
}
)";

std::string defined(const std::string &name, const std::string &as) {
  return "-Wl,--defsym=_RNvCsabc_7___rustc" + std::to_string(name.size()) + "_" + name + "=" + as;
}

void expect_right(const std::string &text, const std::string &family) {
  for (const std::string &level : optimisation_levels) {
    const RunResult result =
        compile_and_run({.source = text,
                         .language = Language::llvm_ir,
                         .level = level,
                         .flags = {"-w", defined(family + "alloc", "malloc"), defined(family + "realloc", "abort"),
                                   defined(family + "dealloc", "free"), "-Wl,-u,abort", "-static"}});
    EXPECT_TRUE(result.succeeded()) << level << '\n' << result;
  }
}

TEST(RustAllocations, grow_with_their_shadows) {
  expect_right(program, "__rust_");
}

TEST(RustAllocations, grow_with_their_shadows_in_linked_bitcode) {
  std::string text = std::regex_replace(program, std::regex("12___rust_"), "11___rdl_");
  text = std::regex_replace(text, std::regex("14___rust_"), "13___rdl_");
  text = std::regex_replace(text, std::regex(R"( (allockind|allocsize)\([^)]*\)| allocalign| allocptr|noalias )"), "");
  expect_right(text, "__rdl_");
}

} // namespace
} // namespace assay::test
