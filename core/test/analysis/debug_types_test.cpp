// What debug info says of memory whose accesses say nothing.

#include "core/test/analysis/parsed_function.hpp"

namespace assay::test {
namespace {

constexpr const char *memcpy_declaration = "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n";

/// Of a function whose parameter `p` leads to the struct !11.
constexpr const char *pointer_to_struct = R"(
    !llvm.dbg.cu = !{!0}
    !llvm.module.flags = !{!2}
    !0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
    !1 = !DIFile(filename: "f.c", directory: ".")
    !2 = !{i32 2, !"Debug Info Version", i32 3}
    !4 = distinct !DISubprogram(name: "f", file: !1, type: !5, unit: !0, retainedNodes: !8)
    !5 = !DISubroutineType(types: !6)
    !6 = !{null, !7}
    !7 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !11, size: 64)
    !8 = !{!9}
    !9 = !DILocalVariable(name: "p", arg: 1, scope: !4, file: !1, type: !7)
    !10 = !DILocation(line: 1, scope: !4)
    )";

TEST(DebugTypes, ReadsDebugInfoOfParameters) {
  Typed f(std::string(memcpy_declaration) + R"(
    define void @f(ptr %p, ptr %q) !dbg !4 {
        #dbg_value(ptr %p, !9, !DIExpression(), !10)
      call void @llvm.memcpy.p0.p0.i64(ptr align 8 %q, ptr align 8 %p, i64 16, i1 false), !dbg !10
      ret void, !dbg !10
    }
    )" + std::string(pointer_to_struct) +
          R"(
    !11 = !DICompositeType(tag: DW_TAG_structure_type, name: "S", size: 128, elements: !12)
    !12 = !{!13, !15}
    !13 = !DIDerivedType(tag: DW_TAG_member, name: "x", baseType: !14, size: 64, offset: 0)
    !14 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
    !15 = !DIDerivedType(tag: DW_TAG_member, name: "n", baseType: !16, size: 32, offset: 64)
    !16 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
    )");
  EXPECT_EQ(f.fields("q", 12), "0:double 8:integer");
}

/// A float that is declared behind an integer, in memory where an address begins every eight bytes, makes the word
/// neither an address nor an integer.
TEST(DebugTypes, LeavesWordsUnknownWhereAnAddressLiesOverADeclaredFloat) {
  Typed f(R"(
    define void @f(ptr %p, ptr %q, i64 %n) !dbg !4 {
        #dbg_value(ptr %p, !9, !DIExpression(), !10)
      %element = getelementptr i64, ptr %p, i64 %n, !dbg !10
      store ptr %q, ptr %element, !dbg !10
      %bits = load i64, ptr %element, align 4, !dbg !10
      store i64 %bits, ptr %q, align 4, !dbg !10
      ret void, !dbg !10
    }
    )" + std::string(pointer_to_struct) +
          R"(
    !11 = !DICompositeType(tag: DW_TAG_structure_type, name: "S", size: 64, elements: !12)
    !12 = !{!15, !13}
    !13 = !DIDerivedType(tag: DW_TAG_member, name: "x", baseType: !14, size: 32, offset: 32)
    !14 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
    !15 = !DIDerivedType(tag: DW_TAG_member, name: "n", baseType: !16, size: 32, offset: 0)
    !16 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
    )");
  EXPECT_EQ(f.of("bits"), "unknown");
}

/// A reference to the integer at the front of a struct says nothing of what follows; a pointer to a base class of 16
/// bytes does not repeat every 16 bytes.
TEST(DebugTypes, TakesReferencesAndPointersToClassesForSingleObjectsInDebugInfo) {
  Typed f(std::string(memcpy_declaration) + R"(
    define void @f(ptr %key, ptr %base, ptr %q, ptr %r, double %x) !dbg !4 {
        #dbg_value(ptr %key, !9, !DIExpression(), !10)
      call void @llvm.memcpy.p0.p0.i64(ptr align 8 %q, ptr align 8 %key, i64 16, i1 false), !dbg !10
        #dbg_value(ptr %base, !17, !DIExpression(), !10)
      call void @llvm.memcpy.p0.p0.i64(ptr align 8 %r, ptr align 8 %base, i64 32, i1 false), !dbg !10
      ret void, !dbg !10
    }
    !llvm.dbg.cu = !{!0}
    !llvm.module.flags = !{!2}
    !0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, emissionKind: FullDebug)
    !1 = !DIFile(filename: "f.cpp", directory: ".")
    !2 = !{i32 2, !"Debug Info Version", i32 3}
    !4 = distinct !DISubprogram(name: "f", file: !1, type: !5, unit: !0, retainedNodes: !8)
    !5 = !DISubroutineType(types: !6)
    !6 = !{null, !7, !18}
    !7 = !DIDerivedType(tag: DW_TAG_reference_type, baseType: !16, size: 64)
    !8 = !{!9, !17}
    !9 = !DILocalVariable(name: "key", arg: 1, scope: !4, file: !1, type: !7)
    !10 = !DILocation(line: 1, scope: !4)
    !11 = !DICompositeType(tag: DW_TAG_class_type, name: "Base", size: 128, elements: !12)
    !12 = !{!13}
    !13 = !DIDerivedType(tag: DW_TAG_member, name: "next", baseType: !18, size: 64, offset: 64)
    !16 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
    !17 = !DILocalVariable(name: "base", arg: 2, scope: !4, file: !1, type: !18)
    !18 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !11, size: 64)
    )");
  EXPECT_EQ(f.fields("q", 16), "0:integer 4:unknown 8:unknown 12:unknown");
  EXPECT_EQ(f.fields("r", 32), "0:unknown 4:unknown 8:pointer 16:unknown 20:unknown 24:unknown 28:unknown");
}

/// struct { double x[2]; int n; float w; }
TEST(DebugTypes, EndArraysInStructsWhereTheyEnd) {
  Typed f(std::string(memcpy_declaration) + R"(
    define void @f(ptr %p, ptr %q) !dbg !4 {
        #dbg_value(ptr %p, !9, !DIExpression(), !10)
      call void @llvm.memcpy.p0.p0.i64(ptr align 8 %q, ptr align 8 %p, i64 24, i1 false), !dbg !10
      ret void, !dbg !10
    }
    )" + std::string(pointer_to_struct) +
          R"(
    !11 = !DICompositeType(tag: DW_TAG_structure_type, name: "S", size: 192, elements: !12)
    !12 = !{!13, !15, !17}
    !13 = !DIDerivedType(tag: DW_TAG_member, name: "x", baseType: !19, size: 128, offset: 0)
    !14 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
    !15 = !DIDerivedType(tag: DW_TAG_member, name: "n", baseType: !16, size: 32, offset: 128)
    !16 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
    !17 = !DIDerivedType(tag: DW_TAG_member, name: "w", baseType: !18, size: 32, offset: 160)
    !18 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
    !19 = !DICompositeType(tag: DW_TAG_array_type, baseType: !14, size: 128, elements: !20)
    !20 = !{!21}
    !21 = !DISubrange(count: 2)
    )");
  EXPECT_EQ(f.fields("q", 24), "0:double 8:double 16:integer 20:float");
}

} // namespace
} // namespace assay::test
