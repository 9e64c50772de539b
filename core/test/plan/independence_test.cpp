// Which loads and stores of one array never mean the same element, and which may.
#include "core/engine/plan/independence.hpp"
#include "core/test/support/ir.hpp"
#include "llvm/IR/InstIterator.h"
#include <gtest/gtest.h>

using namespace llvm;

namespace assay::engine {
namespace {

/// for k in 0 ... n: for i in START ... n: LOAD of x[READ] and STORE to x[WRITTEN], in that order.
constexpr StringRef nest = R"(
define void @f(ptr %x, ptr %other, i32 %n.narrow, i64 %m, ptr %indices) {
entry:
  %any = icmp sgt i32 %n.narrow, 0
  br i1 %any, label %start, label %exit
start:
  %n = zext nneg i32 %n.narrow to i64
  br label %outer
outer:
  %k = phi i64 [ 0, %start ], [ %k.next, %outer.end ]
  %k.next = add nuw nsw i64 %k, 1
  %kn = mul nuw nsw i64 %k, %n
  %enter = icmp slt i64 FIRST, %n
  br i1 %enter, label %inner.start, label %outer.end
inner.start:
  br label %inner
inner:
  %i = phi i64 [ FIRST, %inner.start ], [ %i.next, %inner ]
  %in = mul nuw nsw i64 %i, %n
  INDICES
  %read.place = getelementptr inbounds double, ptr %x, i64 READ
  %load = load double, ptr %read.place
  %written.place = getelementptr inbounds double, ptr BASE, i64 WRITTEN
  store double %load, ptr %written.place
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp ne i64 %i.next, %n
  br i1 %i.more, label %inner, label %outer.end
outer.end:
  %k.more = icmp ne i64 %k.next, %n
  br i1 %k.more, label %outer, label %exit
exit:
  ret void
}
)";

struct Nest {
  StringRef read, written, first = "0", base = "%x", indices = "";

  std::string text() const {
    std::string text = nest.str();
    for (auto [mark, replacement] : {std::pair(StringRef("FIRST"), first),
                                     {"FIRST", first},
                                     {"INDICES", indices},
                                     {"READ", read},
                                     {"BASE", base},
                                     {"WRITTEN", written}})
      text.replace(text.find(mark.str()), mark.size(), replacement.str());
    return text;
  }
};

class Asked {
public:
  explicit Asked(const Nest &nest) : Asked(nest.text()) {}
  explicit Asked(const std::string &text) {
    LLVMContext context;
    const std::unique_ptr<Module> module = test::parsed(text, context);
    test::Analyses analyses;
    Function &function = *module->getFunction("f");
    LoopInfo &loops = analyses.functions.getResult<LoopAnalysis>(function);
    const RowTables tables(function, loops, cantFail(FunctionInfo::read(*module)));
    Independence independence(loops, analyses.functions.getResult<ScalarEvolutionAnalysis>(function), tables);
    const StoreInst *store = nullptr;
    const LoadInst *load = nullptr;
    for (Instruction &instruction : instructions(function)) {
      if (isa<StoreInst>(instruction))
        store = cast<StoreInst>(&instruction);
      if (instruction.getName() == "load")
        load = cast<LoadInst>(&instruction);
    }
    never_overwrites = independence.never_overwrites(*store, *load);
    never_meet = independence.never_meet(*store, *load, *loops.getLoopFor(load->getParent()));
  }

  bool never_overwrites = false, never_meet = false;
};

TEST(Independence, RowsAboveAreNotOverwritten) { // x[k][i] is read, rows after k are written
  const Asked asked({.read = "%read",
                     .written = "%written",
                     .first = "%k.next",
                     .indices = "%read = add nuw nsw i64 %kn, %i\n  %written = add nuw nsw i64 %in, %k"});
  EXPECT_TRUE(asked.never_overwrites);
  EXPECT_TRUE(asked.never_meet);
}

TEST(Independence, ColumnsBeforeAreNotOverwritten) { // x[i][k] is read, columns after k are written
  const Asked asked({.read = "%read",
                     .written = "%written",
                     .first = "%k.next",
                     .indices = "%read = add nuw nsw i64 %in, %k\n  %written = add nuw nsw i64 %in, %i"});
  EXPECT_TRUE(asked.never_overwrites);
  EXPECT_TRUE(asked.never_meet);
}

TEST(Independence, TheElementItselfIsOverwritten) {
  const Asked asked({.read = "%i", .written = "%i"});
  EXPECT_FALSE(asked.never_overwrites);
  EXPECT_FALSE(asked.never_meet);
}

TEST(Independence, ALaterStepOverwrites) { // the other order is harmless: x[k + 1] is read before x[k] is written
  EXPECT_FALSE(Asked({.read = "%k.next", .written = "%k"}).never_overwrites);
  EXPECT_TRUE(Asked({.read = "%k", .written = "%k.next"}).never_overwrites);
}

TEST(Independence, TheNextIterationOverwritesANeighbour) {
  const Asked ahead({.read = "%behind", .written = "%i", .indices = "%behind = add nuw nsw i64 %i, 1"});
  EXPECT_FALSE(ahead.never_overwrites);
  EXPECT_FALSE(ahead.never_meet);
}

TEST(Independence, RowsMayBeShorterThanTheirColumns) { // x[k * m + i] where nothing says that i stays below m
  const Asked asked({.read = "%read",
                     .written = "%written",
                     .first = "%k.next",
                     .indices = "%km = mul nuw nsw i64 %k, %m\n  %im = mul nuw nsw i64 %i, %m\n"
                                "  %read = add nuw nsw i64 %km, %i\n  %written = add nuw nsw i64 %im, %k"});
  EXPECT_FALSE(asked.never_overwrites);
}

TEST(Independence, NegativeColumnsAreOfTheRowBefore) {
  const Asked asked({.read = "%read",
                     .written = "%written",
                     .first = "%k.next",
                     .indices = "%c = sub nsw i64 %k, %i\n  %read = add nsw i64 %kn, %c\n"
                                "  %written = add nuw nsw i64 %in, %k"});
  EXPECT_FALSE(asked.never_overwrites);
}

TEST(Independence, IndicesThatMayWrapAroundAreUnknown) {
  const Asked sums({.read = "%read",
                    .written = "%written",
                    .first = "%k.next",
                    .indices = "%read = add i64 %kn, %i\n  %written = add i64 %in, %k"});
  EXPECT_FALSE(sums.never_overwrites);
  const Asked narrow({.read = "%read",
                      .written = "%written",
                      .first = "%k.next",
                      .indices = "%n8 = trunc i64 %i to i8\n  %k8 = trunc i64 %k to i8\n"
                                 "  %read = zext i8 %k8 to i64\n  %written = zext i8 %n8 to i64"});
  EXPECT_FALSE(narrow.never_overwrites);
}

TEST(Independence, IndicesFromMemoryAreUnknown) {
  const Asked asked({.read = "%k",
                     .written = "%index",
                     .indices = "%place = getelementptr inbounds i64, ptr %indices, i64 %i\n"
                                "  %index = load i64, ptr %place"});
  EXPECT_FALSE(asked.never_overwrites);
}

TEST(Independence, AnotherPointerMayBeTheSameArray) {
  const Asked asked({.read = "%k", .written = "%i", .first = "%k.next", .base = "%other"});
  EXPECT_FALSE(asked.never_overwrites);
  EXPECT_TRUE(Asked({.read = "%k", .written = "%i", .first = "%k.next"}).never_overwrites);
}

TEST(Independence, TwoIndicesMayBeOneElement) { // x[2 i] and x[i]
  const Asked asked({.read = "%i", .written = "%twice", .indices = "%twice = mul nuw nsw i64 %i, 2"});
  EXPECT_FALSE(asked.never_overwrites);
}

/// for k in 0 ... n: for i in FIRST ... n: LOAD of table[READ ROW][READ] and STORE to table[WRITTEN ROW][WRITTEN].
struct NestOfRows {
  StringRef read_row, read, written_row, written, fill = "store ptr %row, ptr %place";

  Nest nest(std::string &indices, std::string &base) const {
    indices = ("%read.row.place = getelementptr inbounds [3 x ptr], ptr %table, i64 " + read_row +
               "\n  %read.row = load ptr, ptr %read.row.place\n  %written.row.place = getelementptr inbounds [3 x "
               "ptr], ptr %table, i64 " +
               written_row + "\n  %written.row = load ptr, ptr %written.row.place")
                  .str();
    base = "%written.row";
    return {.read = read, .written = written, .first = "%k.next", .base = base, .indices = indices};
  }

  std::string text() const {
    std::string indices, base, text = nest(indices, base).text();
    const auto replace = [&](StringRef from, const std::string &to) {
      text.replace(text.find(from.str()), from.size(), to);
    };
    replace("double, ptr %x, i64", "double, ptr %read.row, i64");
    replace("start:\n", "start:\n  %table = call noalias ptr @malloc(i64 800)\n  br label %fill\nfill:\n"
                        "  %f = phi i64 [ 0, %start ], [ %f.next, %fill ]\n"
                        "  %place = getelementptr inbounds [3 x ptr], ptr %table, i64 %f\n"
                        "  %row = call noalias ptr @malloc(i64 64)\n  " +
                            fill.str() +
                            "\n  %f.next = add nuw nsw i64 %f, 1\n  %f.more = icmp ne i64 %f.next, 9\n"
                            "  br i1 %f.more, label %fill, label %filled\nfilled:\n");
    replace("[ 0, %start ], [ %k.next", "[ 0, %filled ], [ %k.next");
    return "declare noalias ptr @malloc(i64)\n" + text;
  }
};

TEST(Independence, RowsOfATableAreNotOverwrittenByLaterOnes) { // table[k][i] is read, rows after k are written
  const Asked asked(NestOfRows{.read_row = "%k", .read = "%i", .written_row = "%i", .written = "%k"}.text());
  EXPECT_TRUE(asked.never_overwrites);
  EXPECT_TRUE(asked.never_meet);
}

TEST(Independence, ARowOfATableHasColumns) { // table[i][k] is read, columns after k are written, of any row
  const Asked asked(NestOfRows{.read_row = "%i", .read = "%k", .written_row = "%i", .written = "%i"}.text());
  EXPECT_TRUE(asked.never_overwrites);
  EXPECT_TRUE(asked.never_meet);
}

TEST(Independence, TheRowItselfIsOverwritten) {
  const Asked asked(NestOfRows{.read_row = "%i", .read = "%i", .written_row = "%i", .written = "%i"}.text());
  EXPECT_FALSE(asked.never_overwrites);
  EXPECT_FALSE(asked.never_meet);
}

TEST(Independence, OtherRowsAreOverwritten) { // table[i][9] is read, later row i is written
  const Asked asked(NestOfRows{.read_row = "%i", .read = "9", .written_row = "%k", .written = "%i"}.text());
  EXPECT_FALSE(asked.never_overwrites);
}

TEST(Independence, APlaceBesideMayHoldTheSameRow) { // of the three in an element
  const Asked asked(NestOfRows{.read_row = "%k",
                               .read = "%i",
                               .written_row = "%i",
                               .written = "%k",
                               .fill = "store ptr %row, ptr %place\n  %wide = getelementptr inbounds [3 x ptr], ptr "
                                       "%place, i64 1\n  store ptr %row, ptr %wide"}
                        .text());
  EXPECT_FALSE(asked.never_overwrites);
  EXPECT_FALSE(asked.never_meet);
}

} // namespace
} // namespace assay::engine
