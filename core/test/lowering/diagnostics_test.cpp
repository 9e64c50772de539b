#include "core/engine/support/diagnostics.hpp"
#include "core/test/lowering/ir_module.hpp"

namespace assay::engine {
namespace {

using test::IrModule;
using test::text_of;

constexpr const char *with_debug_info = R"(
define double @_Z4areadd(double %w, double %h) !dbg !4 {
  %a = fmul double %w, %h, !dbg !7
  ret double %a, !dbg !7
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "shapes.cpp", directory: "/src")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "area", linkageName: "_Z4areadd", scope: !1, file: !1, line: 3, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !6)
!6 = !{null}
!7 = !DILocation(line: 4, column: 12, scope: !4)
)";

TEST(Diagnostics, one_line_has_place_function_reason_instruction_and_remedy) {
  IrModule ir(with_debug_info);
  const llvm::Function &area = ir.function("_Z4areadd");
  EXPECT_EQ(text_of(unsupported(area.getEntryBlock().front(), "no rule", "write one")),
            "shapes.cpp:4:12: in function 'area(double, double)': no rule: %a = fmul double %w, %h; write one");
}

TEST(Diagnostics, without_an_instruction_the_line_of_the_function_is_named) {
  IrModule ir(with_debug_info);
  EXPECT_EQ(text_of(unsupported(ir.function("_Z4areadd"), nullptr, "it has no body", "define it")),
            "shapes.cpp:3: in function 'area(double, double)': it has no body; define it");
}

TEST(Diagnostics, without_debug_information_the_function_is_still_named) {
  IrModule ir("define void @f() {\n  ret void\n}");
  EXPECT_EQ(text_of(unsupported(ir.function("f").getEntryBlock().front(), "no", "yes")),
            "in function 'f': no: ret void; yes");
}

TEST(Diagnostics, a_call_is_shown_with_the_demangled_callee) {
  IrModule ir("declare void @_Z1gi(i32)\ndefine void @f() {\n  call void @_Z1gi(i32 1)\n  ret void\n}");
  EXPECT_EQ(text_of(unsupported(ir.function("f").getEntryBlock().front(), "no", "")),
            "in function 'f': no: call void @_Z1gi(i32 1) (g(int))");
}

TEST(Diagnostics, names_of_the_engines_functions_are_shown_as_the_user_wrote_them) {
  IrModule ir("declare void @fwddiffe._Z1gi()\ndeclare void @_Z1gi.assay.prepared()\ndeclare void @f.12()");
  EXPECT_EQ(source_name(ir.function("fwddiffe._Z1gi")), "g(int)");
  EXPECT_EQ(source_name(ir.function("_Z1gi.assay.prepared")), "g(int)");
  EXPECT_EQ(source_name(ir.function("f.12")), "f");
}

} // namespace
} // namespace assay::engine
