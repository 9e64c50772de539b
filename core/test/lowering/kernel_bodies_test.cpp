#include "core/engine/lowering/kernel_bodies.hpp"
#include "core/test/lowering/ir_module.hpp"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"

namespace assay::engine {
namespace {

using test::IrModule;

constexpr const char *program = R"(
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [32 x double] undef
declare void @__assay_kernel_body(ptr)
define ptx_kernel void @square(ptr %x, double %factor) "nvvm.maxntid"="32" {
  %v = load double, ptr %x
  store double %v, ptr addrspace(3) @tile
  %w = fmul double %v, %factor
  store double %w, ptr %x
  ret void
}
define linkonce_odr void @body(ptr %x, double %factor) {
  call void @__assay_kernel_body(ptr @square)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
define internal void @differentiate(ptr %x, ptr %d, double %factor) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @body, ptr %x, ptr %d, double %factor)
  ret void
}
define ptx_kernel void @gradient(ptr %x, ptr %d, double %factor) {
  call void @differentiate(ptr %x, ptr %d, double %factor)
  ret void
}
define ptx_kernel void @other(ptr %x) {
  ret void
}
)";

TEST(KernelBodies, are_those_of_functions_that_ask_for_them) {
  IrModule ir(program);
  EXPECT_TRUE(take_kernel_bodies(ir.module()));
  EXPECT_TRUE(ir.is_valid());
  const llvm::Function &body = ir.function("body");
  EXPECT_EQ(body.getCallingConv(), llvm::CallingConv::C);
  EXPECT_EQ(body.getLinkage(), llvm::GlobalValue::LinkOnceODRLinkage);
  EXPECT_EQ(body.front().size(), ir.function("square").front().size());
  EXPECT_FALSE(body.hasFnAttribute("nvvm.maxntid"));
  EXPECT_FALSE(ir.module().getFunction("__assay_kernel_body"));
}

TEST(KernelBodies, bound_the_launches_of_kernels_that_differentiate_them) {
  IrModule ir(program);
  take_kernel_bodies(ir.module());
  EXPECT_EQ(ir.function("gradient").getFnAttribute("nvvm.maxntid").getValueAsString(), "32");
  EXPECT_FALSE(ir.function("other").hasFnAttribute("nvvm.maxntid"));
  EXPECT_FALSE(ir.function("differentiate").hasFnAttribute("nvvm.maxntid"));
}

/// Keeps what is said, in place of ending the test.
struct Listener : llvm::DiagnosticHandler {
  explicit Listener(std::string &said) : said_(said) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    llvm::raw_string_ostream stream(said_);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    return true;
  }

private:
  std::string &said_;
};

TEST(KernelBodies, are_an_error_where_the_kernel_is_defined_in_another_file) {
  IrModule ir("target triple = \"nvptx64-nvidia-cuda\"\n"
              "declare void @__assay_kernel_body(ptr)\n"
              "declare ptx_kernel void @square(ptr)\n"
              "define void @body(ptr %x) {\n"
              "  call void @__assay_kernel_body(ptr @square)\n"
              "  ret void\n"
              "}\n");
  std::string said;
  ir.module().getContext().setDiagnosticHandler(std::make_unique<Listener>(said));
  take_kernel_bodies(ir.module());
  EXPECT_NE(said.find("the kernel 'square' has no body in this file"), std::string::npos) << said;
}

} // namespace
} // namespace assay::engine
