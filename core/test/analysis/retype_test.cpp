#include "core/engine/prepare/retype.hpp"
#include "core/test/analysis/parsed_function.hpp"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Verifier.h"

namespace assay::test {
namespace {

/// `f` after retype_memory.
struct Retyped : ParsedModule {
  explicit Retyped(const std::string &ir, engine::Unknown unknown = engine::Unknown::left) : ParsedModule(ir) {
    engine::retype_memory(function(), unknown);
    std::string message;
    llvm::raw_string_ostream out(message);
    if (llvm::verifyFunction(function(), &out))
      throw std::runtime_error(message);
    llvm::raw_string_ostream(body) << function();
  }

  /// Of the only copy that is left.
  std::optional<engine::MemoryKind> kind_of_copy() {
    for (const llvm::Instruction &instruction : llvm::instructions(function()))
      if (const auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction))
        return engine::memory_kind(*copy);
    return std::nullopt;
  }

  unsigned count(llvm::StringRef piece) const { return static_cast<unsigned>(llvm::StringRef(body).count(piece)); }

  std::string body;
};

constexpr const char *memcpy_declaration = "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"
                                           "declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)\n"
                                           "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n";

TEST(Retype, TurnsIntegerCopiesOfDoublesIntoDoubles) {
  Retyped f(R"(
    define double @f(ptr %x, ptr %y) {
      %bits = load i64, ptr %x
      store i64 %bits, ptr %y
      %v = load double, ptr %y
      ret double %v
    })");
  EXPECT_EQ(f.count("i64"), 0U) << f.body;
  EXPECT_EQ(f.count("load double"), 2U) << f.body;
  EXPECT_EQ(f.count("store double"), 1U) << f.body;
}

/// A variable that is null at times and keeps a double, a float or two floats at others, which the optimiser loads as
/// an address to store its integer.
TEST(Retype, MovesWordsThatAreLoadedAsAddressesAndStoredAsIntegers) {
  Retyped f(R"(
    define double @f(ptr %x, ptr %y, i32 %kind) {
      %slot = alloca ptr
      store ptr null, ptr %slot
      switch i32 %kind, label %end [ i32 0, label %one i32 1, label %other ]
    one:
      %a = load double, ptr %x
      store double %a, ptr %slot
      br label %end
    other:
      %b = load float, ptr %x
      store float %b, ptr %slot
      br label %end
    end:
      %word = load ptr, ptr %slot
      %bits = ptrtoint ptr %word to i64
      store i64 %bits, ptr %y
      %c = load double, ptr %y
      ret double %c
    })");
  EXPECT_EQ(f.count("load ptr"), 0U) << f.body;
  EXPECT_EQ(f.count("store i64"), 0U) << f.body;
  EXPECT_EQ(f.count("call void @llvm.memcpy"), 2U) << f.body;
}

TEST(Retype, LeavesCopiesOfIntegersAlone) {
  Retyped f(R"(
    define i64 @f(ptr %x, ptr %y) {
      %n = load i64, ptr %x
      store i64 %n, ptr %y
      %m = load i64, ptr %y
      %s = add i64 %m, 1
      ret i64 %s
    })");
  EXPECT_EQ(f.count("load i64"), 2U) << f.body;
  EXPECT_EQ(f.count("double"), 0U) << f.body;
}

TEST(Retype, CarriesTwoFloatsInAnI64AsAVector) {
  Retyped f(R"(
    define float @f(ptr %x, ptr %y) {
      %bits = load i64, ptr %x
      store i64 %bits, ptr %y
      %second = getelementptr i8, ptr %y, i64 4
      %a = load float, ptr %y
      %b = load float, ptr %second
      %s = fadd float %a, %b
      ret float %s
    })");
  EXPECT_EQ(f.count("load <2 x float>"), 1U) << f.body;
  EXPECT_EQ(f.count("store <2 x float>"), 1U) << f.body;
}

TEST(Retype, PushesBitcastsThroughPhiAndSelect) {
  Retyped f(R"(
    define double @f(ptr %x, i1 %c, i1 %d, double %z) {
    entry:
      %first = load i64, ptr %x
      br i1 %c, label %then, label %join
    then:
      %p = getelementptr i8, ptr %x, i64 8
      %second = load i64, ptr %p
      br label %join
    join:
      %bits = phi i64 [ %first, %entry ], [ %second, %then ]
      %zbits = bitcast double %z to i64
      %chosen = select i1 %d, i64 %bits, i64 %zbits
      %v = bitcast i64 %chosen to double
      ret double %v
    })");
  EXPECT_EQ(f.count("phi double"), 1U) << f.body;
  EXPECT_EQ(f.count("bitcast"), 0U) << f.body;
  EXPECT_EQ(f.count("load double"), 2U) << f.body;
}

TEST(Retype, SplitsAStructCopyIntoItsFields) {
  Retyped f(std::string(memcpy_declaration) + R"(
    %struct.S = type { i64, double, ptr }
    define double @f(ptr %x, i64 %i) {
      %local = alloca %struct.S
      call void @llvm.memcpy.p0.p0.i64(ptr align 8 %local, ptr align 8 %x, i64 24, i1 false)
      %number = load i64, ptr %local
      %c = sitofp i64 %number to double
      %p = getelementptr %struct.S, ptr %local, i64 0, i32 1
      %v = load double, ptr %p
      %r = fmul double %v, %c
      ret double %r
    })");
  EXPECT_EQ(f.count("call void @llvm.memcpy"), 0U) << f.body;
  EXPECT_EQ(f.count("load double"), 2U) << f.body;
  EXPECT_EQ(f.count("load ptr"), 1U) << f.body;
  EXPECT_EQ(f.count("store ptr"), 1U) << f.body;
  EXPECT_GE(f.count("load i"), 1U) << f.body;
}

TEST(Retype, SaysWhatALongArrayHolds) {
  Retyped f(std::string(memcpy_declaration) + R"(
    define double @f(ptr %x, ptr %y, i64 %n, i64 %i) {
      call void @llvm.memcpy.p0.p0.i64(ptr align 8 %y, ptr align 8 %x, i64 %n, i1 false)
      %p = getelementptr double, ptr %y, i64 %i
      %v = load double, ptr %p
      ret double %v
    })");
  EXPECT_EQ(f.count("!assay.type"), 1U) << f.body;
  for (llvm::Instruction &instruction : llvm::instructions(f.function()))
    if (auto *copy = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
      auto kind = engine::memory_kind(*copy);
      ASSERT_TRUE(kind.has_value());
      EXPECT_EQ(kind->content, engine::MemoryContent::floating);
      EXPECT_TRUE(kind->floating->isDoubleTy());
    }
}

TEST(Retype, CopiesAnArrayOfStructsElementByElement) {
  Retyped f(std::string(memcpy_declaration) + R"(
    %struct.S = type { i64, double, ptr }
    define double @f(ptr %x, ptr %y, i64 %n, i64 %i) {
      %bytes = mul i64 %n, 24
      call void @llvm.memmove.p0.p0.i64(ptr align 8 %y, ptr align 8 %x, i64 %bytes, i1 false)
      %p = getelementptr %struct.S, ptr %y, i64 %i, i32 1
      %v = load double, ptr %p
      ret double %v
    })");
  EXPECT_EQ(f.count("call void @llvm.memmove"), 0U) << f.body;
  EXPECT_EQ(f.count("load double"), 2U) << f.body;
  EXPECT_EQ(f.count("select i1"), 1U) << f.body;
}

TEST(Retype, AnIndexIntoAMemberDoesNotMakeAnArrayOfAll) {
  Retyped f(std::string(memcpy_declaration) + R"(
    define double @f(ptr %p, ptr %q, i64 %i) {
      call void @llvm.memcpy.p0.p0.i64(ptr align 8 %q, ptr align 8 %p, i64 32, i1 false)
      %a = getelementptr double, ptr %q, i64 %i
      %v = load double, ptr %a
      %b = getelementptr i8, ptr %q, i64 16
      %w = load float, ptr %b
      %x = fpext float %w to double
      %sum = fadd double %v, %x
      ret double %sum
    })");
  EXPECT_EQ(f.count("store double"), 0U) << f.body;
}

TEST(Retype, ZeroesKnownFields) {
  Retyped f(std::string(memcpy_declaration) + R"(
    define double @f(double %x) {
      %local = alloca [3 x double]
      call void @llvm.memset.p0.i64(ptr align 8 %local, i8 0, i64 24, i1 false)
      %p = getelementptr i8, ptr %local, i64 8
      store double %x, ptr %p
      %v = load double, ptr %local
      ret double %v
    })");
  EXPECT_EQ(f.count("call void @llvm.memset"), 0U) << f.body;
  EXPECT_EQ(f.count("store double 0.000000e+00"), 3U) << f.body;
}

TEST(Retype, LeavesUnknownMemoryUnmarked) { // pairs of floats cannot be told from addresses by their bits
  Retyped f(std::string(memcpy_declaration) + R"(
    define float @f(ptr %x, ptr %y, i64 %n, ptr %z) {
      call void @llvm.memcpy.p0.p0.i64(ptr %y, ptr %x, i64 %n, i1 false)
      %v = load float, ptr %z
      %w = fmul float %v, %v
      ret float %w
    })");
  EXPECT_EQ(f.count("!assay.type"), 0U) << f.body;
}

TEST(Retype, CopiesWhereAddressesAreAmongIntegersMoveAddresses) {
  Retyped f(std::string(memcpy_declaration) + R"(
    define i8 @f(ptr %from, ptr %to, ptr %text) {
      %address = load ptr, ptr %from
      %length = load i64, ptr %from
      %end = getelementptr i8, ptr %address, i64 %length
      call void @llvm.memcpy.p0.p0.i64(ptr align 8 %to, ptr align 8 %from, i64 8, i1 false)
      %other = load i64, ptr %to
      %last = getelementptr i8, ptr %text, i64 %other
      %a = load i8, ptr %end
      %b = load i8, ptr %last
      %c = add i8 %a, %b
      ret i8 %c
    })");
  EXPECT_EQ(f.count("store i64"), 0U) << f.body;
}

/// The word that leads to a list of numbers is where the manager of a `std::function` returns the address of the type.
std::string copy_of_held_list(const std::string &alignment) {
  return std::string(memcpy_declaration) + R"(
    @_ZTS5other = constant [12 x i8] c"a long name\00"
    @_ZTI5other = constant { ptr, ptr } { ptr null, ptr @_ZTS5other }
    declare noalias ptr @malloc(i64)
    define float @f(ptr %word, i64 %n, ptr %x, ptr %y) {
      %object = load ptr, ptr %word
      %slot = getelementptr i8, ptr %object, i64 8
      %from = load ptr, ptr %slot
      %to = call ptr @malloc(i64 %n)
      call void @llvm.memmove.p0.p0.i64(ptr align )" +
         alignment + " %to, ptr align " + alignment + R"( %from, i64 %n, i1 false)
      store ptr %to, ptr %slot
      store ptr @_ZTI5other, ptr %word
      %a = load float, ptr %x
      %b = load double, ptr %y
      %c = fptrunc double %b to float
      %d = fmul float %a, %c
      ret float %d
    })";
}

TEST(Retype, NamesOfTypesTellNothingOfWhatIsHeldInTheirPlace) {
  EXPECT_FALSE(Retyped(copy_of_held_list("4")).kind_of_copy());
}

TEST(Retype, TheAlignmentOfWhatIsCopiedTellsFloats) {
  const auto kind = Retyped(copy_of_held_list("4"), engine::Unknown::words).kind_of_copy();
  ASSERT_TRUE(kind);
  EXPECT_EQ(kind->content, engine::MemoryContent::words);
  EXPECT_TRUE(kind->floating && kind->floating->isFloatTy());
}

TEST(Retype, WhatIsAlignedToWordsMayBeEither) {
  const auto kind = Retyped(copy_of_held_list("8"), engine::Unknown::words).kind_of_copy();
  ASSERT_TRUE(kind);
  EXPECT_EQ(kind->content, engine::MemoryContent::words);
  EXPECT_EQ(kind->floating, nullptr);
  EXPECT_FALSE(kind->halves_tell);
}

TEST(Retype, WhatIsAlignedToLessIsNotKnown) {
  EXPECT_FALSE(Retyped(copy_of_held_list("1"), engine::Unknown::words).kind_of_copy());
}

TEST(Retype, ZerosOfUnknownTypeTellNothing) {
  Retyped f(std::string(memcpy_declaration) + R"(
    define double @f(ptr %x, ptr %y, ptr %z) {
      %second = getelementptr i8, ptr %x, i64 8
      store i64 0, ptr %second
      call void @llvm.memcpy.p0.p0.i64(ptr align 8 %y, ptr align 8 %x, i64 16, i1 false)
      %v = load double, ptr %x
      %n = load float, ptr %z
      %w = fpext float %n to double
      %sum = fadd double %v, %w
      ret double %sum
    })");
  const engine::TypeAnalysis types(f.function(), false);
  EXPECT_EQ(f.count("store float"), 2U) << f.body;
  for (const engine::TypedField &field : types.seen_fields(*f.function().getArg(0), 16))
    EXPECT_FALSE(field.type.floating && field.type.floating->isFloatTy()) << field.offset << f.body;
}

} // namespace
} // namespace assay::test
