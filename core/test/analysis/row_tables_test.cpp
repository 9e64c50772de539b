// Which tables hold rows that share no memory, and which may not.
#include "core/engine/analysis/row_tables.hpp"
#include "core/test/analysis/parsed_function.hpp"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// Rows are allocated and stored as FILL says, then loaded and used as USE says.
constexpr const char *filled_table = R"(
declare noalias ptr @malloc(i64)
declare void @free(ptr captures(none))
declare void @unknown(ptr)
declare double @look(ptr readonly captures(none)) memory(argmem: read)
@elsewhere = global ptr null
define double @f(ptr %x, i64 %n) {
entry:
  %bytes = mul i64 %n, 24
  %table = call noalias ptr @malloc(i64 %bytes)
  %one = call noalias ptr @malloc(i64 8)
  %other.table = call noalias ptr @malloc(i64 8)
  br label %fill
fill:
  %i = phi i64 [ 0, %entry ], [ %i.next, %fill ]
  %before = phi ptr [ null, %entry ], [ %row, %fill ]
  %place = getelementptr inbounds [3 x ptr], ptr %table, i64 %i
  %place.end = getelementptr inbounds i8, ptr %place, i64 16
  %row = call noalias ptr @malloc(i64 64)
  %row.end = getelementptr inbounds i8, ptr %row, i64 64
  FILL
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %i.next, %n
  br i1 %more, label %fill, label %use
use:
  %used.place = getelementptr inbounds [3 x ptr], ptr %table, i64 %n
  %used = load ptr, ptr %used.place
  %number = load double, ptr %used
  USE
  ret double %number
}
)";

std::string table(StringRef fill, StringRef use = "") {
  std::string text = filled_table;
  text.replace(text.find("FILL"), 4, fill.str());
  text.replace(text.find("USE"), 3, use.str());
  return text;
}

struct Tables : test::Typed {
  explicit Tables(const std::string &text)
      : Typed(text), dominators(function()), loops(dominators),
        info(llvm::cantFail(engine::FunctionInfo::read(module()))), tables(function(), loops, info) {}

  const RowAddress *row(StringRef name) { return tables.find(value(name)); }
  bool are_apart(StringRef left, StringRef right) { return tables.are_apart(value(left), value(right)); }

  DominatorTree dominators;
  LoopInfo loops;
  FunctionInfo info;
  RowTables tables;
};

constexpr StringRef plain = "store ptr %row, ptr %place\n  store ptr %row.end, ptr %place.end";

TEST(RowTables, AreFilledByAnAllocationForEachPlace) {
  Tables asked(table(plain));
  const RowAddress *row = asked.row("used");
  ASSERT_TRUE(row);
  EXPECT_EQ(row->rows->span, 16);
  EXPECT_TRUE(row->is_final);
  EXPECT_TRUE(asked.tables.is_row(asked.value("used")));
  EXPECT_FALSE(asked.tables.is_row(asked.value("table")));
}

TEST(RowTables, AreApartFromAllElse) {
  Tables asked(table(plain));
  for (StringRef other : {"x", "table", "one", "elsewhere"}) {
    EXPECT_TRUE(asked.are_apart("used", other)) << other.str();
    EXPECT_TRUE(asked.are_apart(other, "used")) << other.str();
  }
  EXPECT_FALSE(asked.are_apart("used", "row"));
  EXPECT_FALSE(asked.are_apart("x", "one"));
}

TEST(RowTables, MayBeReadAndReleased) {
  EXPECT_TRUE(Tables(table(plain, "%seen = call double @look(ptr %used)\n  call void @free(ptr %used)\n"
                                  "  call void @free(ptr %table)"))
                  .row("used"));
}

TEST(RowTables, ChangeLater) {
  EXPECT_FALSE(Tables(table(plain, "store ptr null, ptr %used.place")).row("used")->is_final);
}

// What is not seen to be a row of its own at each place.
TEST(RowTables, HoldNoRowTwice) {
  for (StringRef fill : {
           "store ptr %one, ptr %place",                                  // the same in all places
           "store ptr %before, ptr %place\n  store ptr %row, ptr %place", // the row before, too
           "store ptr %x, ptr %place",                                    // the caller's
           "store ptr %row, ptr %place\n  store ptr %row, ptr %table",    // in another place as well
           "store ptr %row, ptr %place\n  store ptr %row, ptr @elsewhere",
           "store ptr %row, ptr %place\n  store ptr %row, ptr %other.table",
           "store ptr %row, ptr %place\n  call void @unknown(ptr %row)",
           "store ptr %row, ptr %place\n  call void @llvm.memcpy.p0.p0.i64(ptr %table, ptr %x, i64 8, i1 false)",
           "store ptr %row, ptr %place\n  call void @llvm.memset.p0.i64(ptr %table, i8 1, i64 8, i1 false)",
           "store ptr %row, ptr %place\n  %bits = load i64, ptr %x\n  store i64 %bits, ptr %place.end",
           "store ptr %row, ptr %place\n  %either = select i1 %more.rows, ptr %place, ptr %x\n"
           "  %loaded = load ptr, ptr %either",
       })
    EXPECT_FALSE(Tables(table((fill.contains("%more.rows") ? "%more.rows = icmp ne i64 %i, %n\n  " : "") + fill.str()))
                     .row("used"))
        << fill.str();
}

TEST(RowTables, KeepTheirRowsToThemselves) {
  for (StringRef use :
       {"store ptr %used, ptr %table", "store ptr %used, ptr @elsewhere", "call void @unknown(ptr %used)",
        "call void @unknown(ptr %table)", "store ptr %table, ptr @elsewhere",
        "%bits = load i64, ptr %used.place\n  %again = inttoptr i64 %bits to ptr\n  store double 0.0, ptr %again",
        "%both = load <2 x ptr>, ptr %used.place\n  store <2 x ptr> %both, ptr %x",
        "%number.of = ptrtoint ptr %used to i64\n  store i64 %number.of, ptr %x"})
    EXPECT_FALSE(Tables(table(plain, use)).row("used")) << use.str();
}

TEST(RowTables, HaveRowsThatAreTables) {
  Tables asked(table(plain, "%inner = call noalias ptr @malloc(i64 8)\n  store ptr %inner, ptr %used\n"
                            "  %inner.used = load ptr, ptr %used\n  %inner.number = load double, ptr %inner.used"));
  ASSERT_TRUE(asked.row("inner.used"));
  EXPECT_EQ(asked.row("inner.used")->rows->table, asked.row("used")->rows);
  EXPECT_TRUE(asked.are_apart("inner.used", "used"));
}

TEST(RowTables, AreThoseOfACopy) {
  Tables asked(table(plain));
  ValueToValueMapTy map;
  Function *copy = CloneFunction(&asked.function(), map);
  const RowTables copied =
      asked.tables.in_copy([&](const Value &value) -> const Value * { return map.lookup(&value); });
  EXPECT_FALSE(copied.find(asked.value("used")));
  ASSERT_TRUE(copied.find(*map.lookup(&asked.value("used"))));
  EXPECT_TRUE(copied.are_apart(*map.lookup(&asked.value("used")), *copy->getArg(0)));
}

} // namespace
} // namespace assay::engine
