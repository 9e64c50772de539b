#include "core/engine/analysis/basic_type.hpp"
#include "core/engine/analysis/type_tree.hpp"
#include "core/test/analysis/parsed_function.hpp"

namespace assay::test {
namespace {

constexpr const char *memcpy_declaration = "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n";

TEST(Types, FindAllThatIsThereWhereAnyByteIsMeant) {
  using namespace engine;
  llvm::LLVMContext context;
  const BasicType number{ByteKind::floating, llvm::Type::getDoubleTy(context)};
  const auto at_any_byte = [&](OffsetSet of_number, Rank rank) {
    TypeTree tree;
    tree.add(OffsetSet::anywhere(), Evidence::of(integer_type(), Rank::declaration)); // as of an array of enumerations
    tree.add(of_number, Evidence::of(number, rank));
    return tree.look_up(OffsetSet::anywhere()).text(context);
  };
  EXPECT_EQ(at_any_byte({8, 0}, Rank::access), "integer or double");
  EXPECT_EQ(at_any_byte({8, 0}, Rank::layout), "integer or double");
  EXPECT_EQ(at_any_byte({0, 8}, Rank::layout), "integer or double");
}

/// `long words[4]` of which the elements are declared one by one, are copied from an array of doubles, and are read as
/// doubles in a loop: the layout of the copied doubles does not keep the reads of the loop from being heard.
TEST(Types, HearWhatAnArrayIsReadAsWhereElementsAreDeclaredIntegers) {
  using namespace engine;
  llvm::LLVMContext context;
  const BasicType number{ByteKind::floating, llvm::Type::getDoubleTy(context)};
  TypeTree tree;
  tree.add({16, 0}, Evidence::of(integer_type(), Rank::declaration));
  tree.add({16, 0}, Evidence::of(number, Rank::layout));
  EXPECT_EQ(tree.look_up({16, 0}).text(context), "integer");
  tree.add({0, 8}, Evidence::of(number, Rank::access));
  EXPECT_EQ(tree.look_up({16, 0}).text(context), "double");
}

TEST(Types, KnowsFieldsByTheirConstantOffsets) {
  Typed f(R"(
    define void @f(ptr %p) {
      %a = load double, ptr %p
      %q = getelementptr i8, ptr %p, i64 8
      %b = load float, ptr %q
      %r = getelementptr i8, ptr %p, i64 16
      %c = load ptr, ptr %r
      ret void
    })");
  EXPECT_EQ(f.fields("p", 24), "0:double 8:float 12:unknown 16:pointer");
  EXPECT_EQ(f.fields("q", 4), "0:float");
}

TEST(Types, TellsAnArrayFromItsVariableIndex) {
  Typed f(R"(
    define double @f(ptr %p, i64 %i) {
      %q = getelementptr inbounds i8, ptr %p, i64 %i
      %s = shl i64 %i, 3
      %r = getelementptr inbounds i8, ptr %p, i64 %s
      %v = load double, ptr %r
      ret double %v
    })");
  EXPECT_EQ(f.uniform("p"), "double");
  EXPECT_EQ(f.fields("p", 16), "0:double 8:double");
}

TEST(Types, KeepsACountApartFromTheArrayBehindIt) {
  Typed f(R"(
    define double @f(ptr %p, i64 %i) {
      %n = load i64, ptr %p
      %c = icmp slt i64 %i, %n
      %data = getelementptr i8, ptr %p, i64 8
      %q = getelementptr double, ptr %data, i64 %i
      %v = load double, ptr %q
      ret double %v
    })");
  EXPECT_EQ(f.of("n"), "integer");
  EXPECT_EQ(f.fields("p", 24), "0:integer 4:integer 8:double 16:double");
}

TEST(Types, DoesNotTakeCopiedIntegersForFloats) {
  Typed f(R"(
    define i64 @f(ptr %p, ptr %q, ptr %x, i64 %i) {
      %a = getelementptr i64, ptr %p, i64 %i
      %v = load i64, ptr %a
      %b = getelementptr i64, ptr %q, i64 %i
      store i64 %v, ptr %b
      %w = load i64, ptr %b
      %sum = add i64 %w, 1
      %d = load double, ptr %x
      ret i64 %sum
    })");
  EXPECT_EQ(f.of("v"), "integer");
  EXPECT_EQ(f.uniform("p"), "integer");
  EXPECT_EQ(f.uniform("q"), "integer");
}

TEST(Types, FollowsTheBitsOfDoublesThroughIntegers) {
  Typed f(R"(
    define double @f(ptr %p, ptr %q, i1 %c) {
    entry:
      %v = load i64, ptr %p
      br i1 %c, label %then, label %join
    then:
      %next = getelementptr i8, ptr %p, i64 8
      %w = load i64, ptr %next
      br label %join
    join:
      %bits = phi i64 [ %v, %entry ], [ %w, %then ]
      store i64 %bits, ptr %q
      %d = load double, ptr %q
      ret double %d
    })");
  EXPECT_EQ(f.of("v"), "double");
  EXPECT_EQ(f.of("bits"), "double");
  EXPECT_EQ(f.fields("p", 16), "0:double 8:double");
}

TEST(Types, SaysNothingOfIntegersThatAreOnlyCopied) {
  Typed f(R"(
    define void @f(ptr %p, ptr %q) {
      %v = load i64, ptr %p
      store i64 %v, ptr %q
      ret void
    })");
  EXPECT_EQ(f.of("v"), "unknown");
}

TEST(Types, SaysUnknownOfAUnionThatIsUsedBothWays) {
  Typed f(R"(
    define double @f(ptr %u, i1 %c) {
    entry:
      br i1 %c, label %one, label %two
    one:
      %n = load i64, ptr %u
      %m = mul i64 %n, 3
      store i64 %m, ptr %u
      br label %two
    two:
      %d = load double, ptr %u
      ret double %d
    })");
  EXPECT_EQ(f.of("n"), "integer") << "what is done with the value counts";
  EXPECT_EQ(f.of("d"), "double");
  EXPECT_EQ(f.fields("u", 4), "");
}

TEST(Types, TakesStructFieldsFromGepsAsClangEmitsThemAtO0) {
  Typed f(std::string(memcpy_declaration) + R"(
    %struct.Node = type { i32, double, ptr }
    define void @f(ptr %p, ptr %q) {
      %field = getelementptr inbounds nuw %struct.Node, ptr %p, i32 0, i32 2
      call void @llvm.memcpy.p0.p0.i64(ptr align 8 %q, ptr align 8 %p, i64 24, i1 false)
      ret void
    })");
  EXPECT_EQ(f.fields("p", 24), "0:integer 4:integer 8:double 16:pointer");
  EXPECT_EQ(f.fields("q", 24), "0:integer 4:integer 8:double 16:pointer");
}

TEST(Types, WalksLinkedListsWithoutMixingTheirFields) {
  Typed f(R"(
    define double @f(ptr %head) {
    entry:
      br label %loop
    loop:
      %node = phi ptr [ %head, %entry ], [ %next, %loop ]
      %sum = phi double [ 0.0, %entry ], [ %total, %loop ]
      %v = load double, ptr %node
      %total = fadd double %sum, %v
      %link = getelementptr inbounds i8, ptr %node, i64 8
      %next = load ptr, ptr %link
      %done = icmp eq ptr %next, null
      br i1 %done, label %exit, label %loop
    exit:
      ret double %total
    })");
  EXPECT_EQ(f.fields("head", 16), "0:double 8:pointer");
  EXPECT_EQ(f.fields("next", 16), "0:double 8:pointer");
}

TEST(Types, KnowsArraysOfStructsAtAVariableIndex) {
  Typed f(R"(
    define void @f(ptr %p, i64 %i) {
      %e = getelementptr inbounds [24 x i8], ptr %p, i64 %i
      %x = load double, ptr %e
      %e1 = getelementptr inbounds i8, ptr %e, i64 8
      %n = load i32, ptr %e1
      %m = add i32 %n, 1
      store i32 %m, ptr %e1
      %e2 = getelementptr inbounds i8, ptr %e, i64 16
      %q = load ptr, ptr %e2
      ret void
    })");
  EXPECT_EQ(f.fields("e", 24), "0:double 8:integer 12:unknown 16:pointer");
  EXPECT_EQ(f.fields("p", 24), "0:double 8:integer 12:unknown 16:pointer");
}

TEST(Types, ReadsStructPathTbaa) {
  Typed f(R"(
    define void @f(ptr %p) {
      %q = getelementptr i8, ptr %p, i64 4
      %n = load i32, ptr %q, !tbaa !1
      ret void
    }
    !1 = !{!2, !5, i64 4}
    !2 = !{!"S", !3, i64 0, !5, i64 4, !6, i64 8, !7, i64 32}
    !3 = !{!"float", !4, i64 0}
    !4 = !{!"omnipotent char", !8, i64 0}
    !5 = !{!"int", !4, i64 0}
    !6 = !{!"double", !4, i64 0}
    !7 = !{!"p1 double", !9, i64 0}
    !8 = !{!"Simple C/C++ TBAA"}
    !9 = !{!"any pointer", !4, i64 0}
    )");
  EXPECT_EQ(f.fields("p", 40), "0:float 4:integer 8:double 16:double 24:double 32:pointer");
}

TEST(Types, LeavesOpenWhetherASmallFieldRepeatsOrIsPadded) {
  constexpr const char *tags = R"(
    !0 = !{!2, !6, i64 8}
    !2 = !{!"S", !3, i64 0, !6, i64 8}
    !3 = !{!"float", !4, i64 0}
    !4 = !{!"omnipotent char", !8, i64 0}
    !6 = !{!"double", !4, i64 0}
    !8 = !{!"Simple C/C++ TBAA"}
    )";
  const auto with = [&](const std::string &type) {
    return "define double @f(i64 %i) {\n%p = alloca " + type + R"(
      %q = getelementptr i8, ptr %p, i64 8
      %v = load double, ptr %q, !tbaa !0
      ret double %v
    })" + tags;
  };
  EXPECT_EQ(Typed(with("{ float, double }")).fields("p", 16), "0:float 4:integer 8:double");
  EXPECT_EQ(Typed(with("{ [2 x float], double }")).fields("p", 16), "0:float 4:float 8:double");
  EXPECT_EQ(Typed(with("[16 x i8]")).fields("p", 16), "0:float 4:float 8:double");
}

TEST(Types, ReadsTheFieldsOfAStructCopyFromTbaaStruct) {
  Typed f(std::string(memcpy_declaration) + R"(
    define void @f(ptr %p, ptr %q) {
      call void @llvm.memcpy.p0.p0.i64(ptr align 8 %q, ptr align 8 %p, i64 24, i1 false), !tbaa.struct !0
      ret void
    }
    !0 = !{i64 0, i64 4, !1, i64 8, i64 16, !2}
    !1 = !{!3, !3, i64 0}
    !2 = !{!4, !4, i64 0}
    !3 = !{!"int", !5, i64 0}
    !4 = !{!"double", !5, i64 0}
    !5 = !{!"omnipotent char", !6, i64 0}
    !6 = !{!"Simple C/C++ TBAA"}
    )");
  EXPECT_EQ(f.fields("q", 24), "0:integer 4:integer 8:double 16:double");
}

TEST(Types, KeepsCallsOfOneHelperApart) {
  Typed f(std::string(memcpy_declaration) + R"(
    define void @copy(ptr %to, ptr %from, i64 %n) {
      call void @llvm.memcpy.p0.p0.i64(ptr align 8 %to, ptr align 8 %from, i64 %n, i1 false)
      ret void
    }
    define double @f(ptr %a, ptr %b, ptr %i, ptr %j) {
      call void @copy(ptr %a, ptr %b, i64 80)
      call void @copy(ptr %i, ptr %j, i64 80)
      %d = load double, ptr %a
      %n = load i64, ptr %i
      %m = add i64 %n, 1
      store i64 %m, ptr %i
      ret double %d
    })");
  EXPECT_EQ(f.fields("b", 8), "0:double");
  EXPECT_EQ(f.fields("j", 8), "0:integer 4:integer");
}

TEST(Types, SeesThroughRecursion) {
  Typed f(R"(
    define double @walk(ptr %node) {
    entry:
      %null = icmp eq ptr %node, null
      br i1 %null, label %exit, label %go
    go:
      %v = load double, ptr %node
      %l = getelementptr i8, ptr %node, i64 8
      %left = load ptr, ptr %l
      %rest = call double @walk(ptr %left)
      %sum = fadd double %v, %rest
      br label %exit
    exit:
      %r = phi double [ 0.0, %entry ], [ %sum, %go ]
      ret double %r
    }
    define double @f(ptr %root) {
      %r = call double @walk(ptr %root)
      ret double %r
    })");
  EXPECT_EQ(f.fields("root", 16), "0:double 8:pointer");
}

TEST(Types, TellsTheHalvesOfAWordApart) {
  Typed f(R"(
    define float @f(ptr %p, ptr %q) {
      %word = load i64, ptr %p
      %low = trunc i64 %word to i32
      %n = add i32 %low, 1
      %high = lshr i64 %word, 32
      %bits = trunc i64 %high to i32
      %x = bitcast i32 %bits to float
      store i32 %n, ptr %q
      ret float %x
    })");
  EXPECT_EQ(f.of("bits"), "float");
  EXPECT_EQ(f.of("low"), "integer");
  EXPECT_EQ(f.of("word"), "unknown");
  EXPECT_EQ(f.fields("p", 8), "0:integer 4:float");
}

TEST(Types, ExplainsWhatItSaw) {
  Typed f(R"(
    define double @f(ptr %p) {
      %q = getelementptr i8, ptr %p, i64 8
      %b = load double, ptr %q
      ret double %b
    })");
  EXPECT_EQ(f.types.explain(f.value("p")),
            "looked at offset 0 of memory with 8: double; the memory is argument 1 'p', read as double");
}

TEST(Types, FollowsTaggedPointersThroughIntegers) {
  Typed f(R"(
    define double @f(ptr %p, ptr %slot) {
      %address = ptrtoint ptr %p to i64
      %tagged = or i64 %address, 1
      store i64 %tagged, ptr %slot
      %back = load i64, ptr %slot
      %clear = and i64 %back, -2
      %q = inttoptr i64 %clear to ptr
      %v = load double, ptr %q
      ret double %v
    })");
  EXPECT_EQ(f.of("tagged"), "pointer");
  EXPECT_EQ(f.of("back"), "pointer");
  EXPECT_EQ(f.uniform("p"), "double");
}

TEST(Types, TakesTheStrideOfAPointerDistanceFromThePointers) {
  Typed f(R"(
    define void @f(ptr %p, ptr %q, i64 %i) {
      %e = getelementptr [24 x i8], ptr %p, i64 %i
      %a = ptrtoint ptr %e to i64
      %b = ptrtoint ptr %p to i64
      %bytes = sub i64 %a, %b
      %end = getelementptr i8, ptr %p, i64 %bytes
      store double 1.0, ptr %end
      %n = getelementptr i8, ptr %end, i64 8
      store ptr %q, ptr %n
      ret void
    })");
  EXPECT_EQ(f.fields("p", 24), "0:double 8:pointer 16:unknown 20:unknown");
}

TEST(Types, DoesNotMixTextWithTheObjectThatKeepsIt) {
  Typed f(std::string(memcpy_declaration) + R"(
    declare ptr @malloc(i64)
    define double @f(ptr %x, ptr %text, i64 %n, i1 %short) {
      %object = alloca { ptr, i64, [16 x i8], double, ptr }
      %local = getelementptr i8, ptr %object, i64 16
      %heap = call ptr @malloc(i64 %n)
      %begin = select i1 %short, ptr %local, ptr %heap
      store ptr %begin, ptr %object
      %where = load ptr, ptr %object
      call void @llvm.memcpy.p0.p0.i64(ptr %where, ptr %text, i64 %n, i1 false)
      %value = getelementptr i8, ptr %object, i64 32
      store double 1.0, ptr %value
      %link = getelementptr i8, ptr %object, i64 40
      store ptr %x, ptr %link
      %v = load double, ptr %value
      ret double %v
    })");
  EXPECT_EQ(f.fields("value", 16), "0:double 8:pointer");
  EXPECT_EQ(f.uniform("text"), "unknown");
}

TEST(Types, TakesUnseenBytesOfItsOwnMemoryForPadding) {
  Typed f(std::string(memcpy_declaration) + R"(
    define double @f(double %x) {
      %a = alloca [16 x i8], align 8
      %b = alloca [16 x i8], align 8
      %i = load i32, ptr %b
      %q = getelementptr i8, ptr %a, i64 8
      store double %x, ptr %q
      store i32 1, ptr %a
      call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %a, i64 16, i1 false)
      %r = getelementptr i8, ptr %b, i64 8
      %n = add i32 %i, 1
      %c = sitofp i32 %n to double
      %v = load double, ptr %r
      %s = fadd double %v, %c
      ret double %s
    })");
  EXPECT_EQ(f.fields("b", 16), "0:integer 4:integer 8:double");
}

TEST(Types, DoesNotTakeAnArgumentsBytesForPadding) {
  Typed f(R"(
    define double @f(ptr %p) {
      %q = getelementptr i8, ptr %p, i64 8
      %v = load double, ptr %q
      ret double %v
    })");
  EXPECT_EQ(f.fields("p", 16), "0:unknown 4:unknown 8:double");
}

TEST(Types, ComparisonsDoNotMakeFloatsIntegers) {
  Typed f(R"(
    define double @f(ptr %p, ptr %o) {
      %a = load i64, ptr %p
      %q = getelementptr i8, ptr %p, i64 8
      %b = load i64, ptr %q
      %c = icmp sgt i64 %a, %b
      %m = select i1 %c, i64 %a, i64 %b
      store i64 %m, ptr %o
      %v = load double, ptr %o
      ret double %v
    })");
  EXPECT_EQ(f.fields("p", 16), "0:double 8:double");
}

// The place that the word comes from holds addresses and lengths in turn, and that where it goes was only seen to hold
// a length: a member of another struct that lies there.
TEST(Types, DoubtsIntegersThatComeFromWhereAddressesAreAsWell) {
  Typed f(R"(
    define i8 @f(ptr %from, ptr %to, ptr %text) {
      %bits = load i64, ptr %from
      %address = load ptr, ptr %from
      %length = load i64, ptr %from
      %end = getelementptr i8, ptr %address, i64 %length
      store i64 %bits, ptr %to
      %other = load i64, ptr %to
      %last = getelementptr i8, ptr %text, i64 %other
      %a = load i8, ptr %end
      %b = load i8, ptr %last
      %c = add i8 %a, %b
      ret i8 %c
    })");
  EXPECT_EQ(f.of("bits"), "unknown");
  EXPECT_EQ(f.of("length"), "integer");
  EXPECT_EQ(f.of("other"), "integer");
}

} // namespace
} // namespace assay::test
