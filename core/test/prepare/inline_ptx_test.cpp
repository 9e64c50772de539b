// Inline PTX becomes instructions of LLVM. The texts are as the toolkit's headers for half precision have them.
#include "core/engine/prepare/inline_ptx.hpp"
#include "core/engine/prepare/ptx_statements.hpp"
#include "core/test/support/ir.hpp"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Verifier.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace assay::test {
namespace {

using Operations = std::vector<std::string>;

std::string shown_type(const llvm::Type &type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

std::string operation(const llvm::Instruction &instruction) {
  if (const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
    return llvm::Intrinsic::getBaseName(intrinsic->getIntrinsicID()).str();
  if (const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction); call && call->isInlineAsm())
    return "asm";
  return instruction.getOpcodeName();
}

/// What stands in the function `f` of device code after the step, but for moves of bits and the return: operation and
/// type.
Operations translated(const std::string &body) {
  llvm::LLVMContext context;
  const auto module = parsed("target triple = \"nvptx64-nvidia-cuda\"\n" + body, context);
  llvm::Function &function = *module->getFunction("f");
  llvm::Expected<bool> changed = engine::rewrite_inline_ptx(function);
  if (!changed)
    return {llvm::toString(changed.takeError())};
  EXPECT_FALSE(llvm::verifyModule(*module, &llvm::errs()));
  Operations found;
  for (const llvm::Instruction &instruction : llvm::instructions(function))
    if (!llvm::isa<llvm::BitCastInst, llvm::InsertElementInst, llvm::ExtractElementInst, llvm::ReturnInst>(instruction))
      found.push_back(operation(instruction) + " " + shown_type(*instruction.getType()));
  return found;
}

/// A function of 16-bit integers (`i16`) or of others that is one statement of assembly.
std::string function_of(const std::string &type, const std::string &arguments, const std::string &text,
                        const std::string &constraints) {
  return "define " + type + " @f(" + arguments + ") {\n  %r = call " + type + " asm \"" + text + "\", \"" +
         constraints + "\"(" + arguments + ")\n  ret " + type + " %r\n}";
}

TEST(InlinePtx, functions_between_two_conversions_are_done_on_floats) {
  EXPECT_EQ(translated(function_of("i16", "i16 %a",
                                   "{.reg.b32 f; .reg.b16 r; mov.b16 r,$1; cvt.f32.f16 f,r; "
                                   "sqrt.approx.ftz.f32 f,f; cvt.rn.f16.f32 r,f; mov.b16 $0,r; }",
                                   "=h,h")),
            (Operations{"fpext float", "llvm.nvvm.sqrt.approx.ftz.f float", "fptrunc half"}));
}

TEST(InlinePtx, pairs_are_taken_apart_and_put_together) {
  EXPECT_EQ(translated(function_of("i32", "i32 %a",
                                   "{.reg.b16 hl, hu; .reg.b32 fl, fu; mov.b32 {hl, hu}, $1; cvt.f32.f16 fl, hl; "
                                   "cvt.f32.f16 fu, hu; lg2.approx.ftz.f32 fl, fl; lg2.approx.ftz.f32 fu, fu; "
                                   "cvt.rn.f16.f32 hl, fl; cvt.rn.f16.f32 hu, fu; mov.b32 $0, {hl, hu}; }",
                                   "=r,r")),
            (Operations{"fpext float", "fpext float", "llvm.nvvm.lg2.approx.ftz.f float",
                        "llvm.nvvm.lg2.approx.ftz.f float", "fptrunc half", "fptrunc half"}));
}

TEST(InlinePtx, pairs_of_registers_are_packed_as_numbers_where_one_is_a_number) {
  llvm::LLVMContext context;
  const auto module = parsed(
      "target triple = \"nvptx64-nvidia-cuda\"\n" +
          function_of("i32", "float %x", "{.reg .f16 low; cvt.rn.f16.f32 low, $1; mov.b32 $0, {low,low};}", "=r,f"),
      context);
  llvm::Function &function = *module->getFunction("f");
  ASSERT_TRUE(llvm::cantFail(engine::rewrite_inline_ptx(function)));
  const auto *returned = llvm::cast<llvm::ReturnInst>(function.getEntryBlock().getTerminator());
  const auto *bits = llvm::dyn_cast<llvm::BitCastInst>(returned->getReturnValue());
  ASSERT_NE(bits, nullptr);
  EXPECT_EQ(shown_type(*bits->getSrcTy()), "<2 x half>");
}

TEST(InlinePtx, an_operand_may_be_read_and_written) {
  EXPECT_EQ(translated(function_of("float", "float %x", "{ ex2.approx.f32 $0, $0; }", "=f,0")),
            (Operations{"llvm.nvvm.ex2.approx float"}));
  EXPECT_EQ(translated(function_of("float", "float %x", "{ rcp.approx.f32 $0, $0; }", "=f,0")),
            (Operations{"fdiv float"}));
  EXPECT_EQ(translated(function_of("i16", "i16 %x", "tanh.approx.f16 $0, $0;", "=h,0")),
            (Operations{"llvm.tanh half"}));
}

TEST(InlinePtx, a_bfloat_above_zeros_is_the_same_float) {
  EXPECT_EQ(translated(function_of("float", "i16 %x", "{ mov.b32 $0, {0,$1};}", "=f,h")).back(), "fpext float");
}

TEST(InlinePtx, single_results_are_corrected_by_constants) {
  // The inner block has registers of its own with a name that the outer one has, too.
  EXPECT_EQ(
      translated(function_of("i16", "i16 %x",
                             "{.reg.b32 f, p; .reg.b16 h,r; mov.b16 h,$1; cvt.f32.f16 f,h; mov.b32 p, 0x3fb8aa3bU; "
                             "mul.f32 f,f,p; cvt.rn.f16.f32 r,f; {.reg.b16 spc, ulp, p; mov.b16 spc,0X1F79U; "
                             "mov.b16 ulp,0x9400U; set.eq.f16.f16 p,h, spc; fma.rn.f16 r,p,ulp,r; } mov.b16 $0,r; }",
                             "=h,h")),
      (Operations{"fpext float", "fmul float", "fptrunc half", "fcmp i1", "select half", "llvm.fma half"}));
}

TEST(InlinePtx, a_sign_that_is_kept_is_a_factor) {
  // As a magnitude the number would have no derivative where it is zero.
  const Operations found = translated(function_of(
      "i16", "i16 %x",
      "{.reg.b16 r,t; mov.b16 r, $1; and.b16 t, r, 0x8000U; abs.f16 r, r; or.b16 r,r,t; mov.b16 $0, r;}", "=h,h"));
  EXPECT_EQ(std::ranges::count(found, "llvm.fabs half"), 0);
  EXPECT_EQ(std::ranges::count(found, "llvm.copysign half"), 2);
  EXPECT_EQ(std::ranges::count(found, "fmul half"), 2);
}

TEST(InlinePtx, results_may_be_limited) {
  EXPECT_EQ(translated(function_of("i32", "i32 %a, i32 %b", "{add.sat.f16x2 $0,$1,$2;}", "=r,r,r")),
            (Operations{"fadd <2 x half>", "llvm.maxnum <2 x half>", "llvm.minnum <2 x half>"}));
  EXPECT_EQ(translated(function_of("i16", "i16 %a, i16 %b, i16 %c", "{ fma.rn.relu.bf16 $0,$1,$2,$3;}", "=h,h,h,h")),
            (Operations{"llvm.fma bfloat", "llvm.maximum bfloat"}));
  EXPECT_EQ(translated(function_of("i16", "i16 %a, i16 %b", "{max.NaN.f16 $0,$1,$2;}", "=h,h,h")),
            (Operations{"llvm.maximum half"}));
}

TEST(InlinePtx, the_first_source_of_a_pair_is_its_high_half) {
  llvm::LLVMContext context;
  const auto module = parsed("target triple = \"nvptx64-nvidia-cuda\"\n" +
                                 function_of("i32", "float %a, float %b", "{ cvt.rn.f16x2.f32 $0, $2, $1; }", "=r,f,f"),
                             context);
  llvm::Function &function = *module->getFunction("f");
  ASSERT_TRUE(llvm::cantFail(engine::rewrite_inline_ptx(function)));
  for (const llvm::Instruction &instruction : llvm::instructions(function))
    if (const auto *insert = llvm::dyn_cast<llvm::InsertElementInst>(&instruction)) {
      const std::uint64_t lane = llvm::cast<llvm::ConstantInt>(insert->getOperand(2))->getZExtValue();
      EXPECT_EQ(llvm::cast<llvm::FPTruncInst>(insert->getOperand(1))->getOperand(0), function.getArg(lane));
    }
}

TEST(InlinePtx, comparisons_give_truths_or_numbers) {
  EXPECT_EQ(translated(function_of(
                "i16", "i16 %a, i16 %b",
                "{ .reg .pred __$$temp3; setp.gt.f16 __$$temp3, $1, $2; selp.u16 $0, 1, 0, __$$temp3;}", "=h,h,h")),
            (Operations{"fcmp i1", "select i16"}));
  EXPECT_EQ(translated(function_of("i32", "i32 %a, i32 %b", "{ set.gt.f16x2.f16x2 $0,$1,$2;}", "=r,r,r")),
            (Operations{"fcmp <2 x i1>", "select <2 x half>"}));
  EXPECT_EQ(translated(function_of("i32", "i32 %a, i32 %b", "{ set.gtu.u32.bf16x2 $0,$1,$2;}", "=r,r,r")),
            (Operations{"fcmp <2 x i1>", "sext <2 x i16>"}));
}

TEST(InlinePtx, integers_are_rounded_as_they_are_and_kept_in_range) {
  EXPECT_EQ(translated(function_of("i16", "i16 %a", "cvt.rmi.s16.f16 $0, $1;", "=h,h")),
            (Operations{"fpext float", "llvm.floor float", "llvm.fptosi.sat i16"}));
  EXPECT_EQ(translated(function_of("i16", "i32 %a", "cvt.rn.bf16.u32 $0, $1;", "=h,r")), (Operations{"uitofp bfloat"}));
  EXPECT_EQ(translated(function_of("i16", "i16 %a", "cvt.rni.f16.f16 $0, $1;", "=h,h")),
            (Operations{"llvm.roundeven half"}));
}

TEST(InlinePtx, memory_is_read_and_written_by_plain_accesses) {
  EXPECT_EQ(translated(function_of("i16", "ptr %a", "ld.global.nc.b16 $0, [$1];", "=h,l")), (Operations{"load i16"}));
  EXPECT_EQ(translated(function_of("i16", "ptr %a, i16 %b", "{ atom.add.noftz.f16 $0,[$1],$2; }", "=h,l,h,~{memory}")),
            (Operations{"atomicrmw half"}));
  // Both numbers of a pair are added on their own.
  const Operations pair =
      translated(function_of("i32", "ptr %a, i32 %b", "{ atom.add.noftz.bf16x2 $0,[$1],$2; }", "=r,l,r,~{memory}"));
  EXPECT_EQ(std::ranges::count(pair, "atomicrmw bfloat"), 2);
}

TEST(InlinePtx, words_are_shuffled_by_the_intrinsic) {
  EXPECT_EQ(translated(function_of("i32", "i32 %a, i32 %b, i32 %c, i32 %d", "{shfl.sync.bfly.b32 $0,$1,$2,$3,$4;}",
                                   "=r,r,r,r,r")),
            (Operations{"llvm.nvvm.shfl.sync.bfly.i32 i32"}));
}

TEST(InlinePtx, others_are_refused_where_they_name_halves_and_left_where_they_do_not) {
  const auto is_refused = [](const Operations &found) {
    return found.size() == 1 && found[0].find("inline PTX on numbers of half precision") != std::string::npos;
  };
  EXPECT_TRUE(is_refused(translated(function_of("i16", "float %a", "cvt.rm.f16.f32 $0, $1;", "=h,f"))));
  EXPECT_TRUE(is_refused(translated(function_of("i16", "i16 %a", "@p add.f16 $0, $1, $1;", "=h,h"))));
  EXPECT_EQ(translated(function_of("i16", "i32 %a", "cvt.rz.f16.s32 $0, $1;", "=h,r")), (Operations{"asm i16"}));
  EXPECT_EQ(translated(function_of("i32", "i32 %a", "bfind.u32 $0, $1;", "=r,r")), (Operations{"asm i32"}));
}

TEST(InlinePtx, what_was_begun_is_taken_back) {
  EXPECT_EQ(translated(function_of("i32", "i32 %a", "{ .reg .b32 r; and.b32 r, $1, 7; bfind.u32 $0, r; }", "=r,r")),
            (Operations{"asm i32"}));
}

TEST(PtxStatements, names_belong_to_the_innermost_block_that_declares_them) {
  const auto block =
      engine::parse_ptx("{.reg .b32 a,b; mov.b32 a,0f3F800000; {.reg.b16 a; mov.b16 a,-1;} mov.b32 b,a;}");
  ASSERT_TRUE(block.has_value());
  EXPECT_EQ(block->register_types.size(), 3U);
  ASSERT_EQ(block->statements.size(), 3U);
  EXPECT_EQ(block->statements[0].operands[0].number, 0U);
  EXPECT_EQ(block->statements[0].operands[1].number, 0x3F800000U);
  EXPECT_EQ(block->statements[1].operands[0].number, 2U);
  EXPECT_EQ(block->statements[2].operands[1].number, 0U);
}

TEST(PtxStatements, what_is_no_straight_line_is_none) {
  for (const char *text :
       {"@p mov.b32 $0, $1;", "exit;", "loop: bra loop;", "mov.b32 $0, $1", "{ mov.b32 $0, $1;", "ret; }"})
    EXPECT_FALSE(engine::parse_ptx(text).has_value()) << text;
}

} // namespace
} // namespace assay::test
