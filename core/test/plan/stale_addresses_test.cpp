// Accesses to floats in memory that holds an address at another time of the run.
#include "core/engine/plan/stale_addresses.hpp"
#include "core/test/analysis/parsed_function.hpp"

namespace assay::engine {
namespace {

/// Of each store of floats, the bytes that may be such addresses: from the word that it begins in ("word"), or from
/// where it begins itself ("here").
std::string words(const std::string &body) {
  test::ParsedModule f("define void @f(ptr %address, float %x, double %d, <2 x float> %pair, i32 %n, i1 %first) {\n"
                       "  %u = alloca [4 x i64]\n  %upper = getelementptr i8, ptr %u, i64 4\n" +
                       body + "\n  ret void\n}\n");
  const TypeAnalysis types(f.function(), false);
  std::string text;
  for (const llvm::Instruction &instruction : llvm::instructions(f.function())) {
    const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    if (!store || !store->getValueOperand()->getType()->isFPOrFPVectorTy())
      continue;
    const auto found = words_read_as_floats(types, *store, *store->getValueOperand()->getType());
    text += found ? (found->are_aligned ? "word+" : "here+") + std::to_string(found->bytes) + " " : "none ";
  }
  return text;
}

TEST(StaleAddresses, AreWhereFloatsAndAnAddressStandInTurn) {
  EXPECT_EQ(words("  store ptr %address, ptr %u\n  store float %x, ptr %u\n  store float %x, ptr %upper"),
            "word+8 word+8 ");
  EXPECT_EQ(words("  store ptr %address, ptr %u\n  store <2 x float> %pair, ptr %u"), "word+8 ");
}

// Nothing of such a word is known to be always the same.
TEST(StaleAddresses, AreWhereALoneFloatAndAnAddressStandInTurn) {
  EXPECT_EQ(words("  store ptr %address, ptr %u\n  store float %x, ptr %u"), "word+8 ");
}

TEST(StaleAddresses, AreWhereADoubleAndAnAddressStandInTurn) {
  EXPECT_EQ(words("  store ptr %address, ptr %u\n  store double %d, ptr %u"), "here+8 ");
  EXPECT_EQ(words("  %next = getelementptr i8, ptr %u, i64 8\n  store ptr %address, ptr %next\n"
                  "  store double %d, ptr %u"),
            "none ");
}

TEST(StaleAddresses, AreInNoWordThatIsNeverAnAddress) {
  EXPECT_EQ(words("  store float %x, ptr %u\n  store float %x, ptr %upper"), "none none ");
  EXPECT_EQ(words("  %next = getelementptr i8, ptr %u, i64 8\n  store ptr %address, ptr %next\n"
                  "  store float %x, ptr %u\n  store float %x, ptr %upper"),
            "none none ");
}

// The upper half of an address adds nothing to a float, and no float is in the lower one.
TEST(StaleAddresses, AreNoneBesideIntegers) {
  EXPECT_EQ(words("  store ptr %address, ptr %u\n  store i32 %n, ptr %u\n  store float %x, ptr %upper"), "none ");
}

// Whoever writes to the upper half first takes from the lower one what tells that it is a part of an address.
TEST(StaleAddresses, AreWholeWordsForFloatsInTheUpperHalf) {
  EXPECT_EQ(words("  store ptr %address, ptr %u\n  store float %x, ptr %upper\n  store float %x, ptr %u"),
            "word+8 word+8 ");
  EXPECT_EQ(words("  %second = getelementptr i8, ptr %u, i64 8\n  store ptr %address, ptr %second\n"
                  "  %later = getelementptr i8, ptr %u, i64 12\n  store float %x, ptr %second\n"
                  "  store float %x, ptr %later\n  store float %x, ptr %upper"),
            "word+8 word+8 none ");
}

// An address may be among the words although none is seen.
TEST(StaleAddresses, AreWhereWordsAreMovedThatTheirBitsTellApart) {
  const std::string move = "  %v = alloca [4 x i64]\n"
                           "  call void @llvm.memcpy.p0.p0.i64(ptr %v, ptr %u, i64 8, i1 false)";
  const std::string store = "\n  store float %x, ptr %u";
  EXPECT_EQ(words(move + store), "none ");
  EXPECT_EQ(words(move + ", !assay.type !{!\"words\"}" + store), "word+8 ");
}

} // namespace
} // namespace assay::engine
