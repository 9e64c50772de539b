// What the table of library functions says must hold together. A step that is forgotten for a new entry fails here.

#include "core/engine/rules/rule_table.hpp"
#include "core/engine/support/library_table.hpp"
#include "core/test/support/ir.hpp"
#include "llvm/ADT/StringSet.h"
#include <gtest/gtest.h>

using namespace assay::engine;
using llvm::StringRef;

namespace {

const LibraryFunction *entry(StringRef name) {
  return library_table().find(name);
}

/// The entry of the one function that `declaration` declares.
const LibraryFunction *entry_of(const std::string &declaration) {
  llvm::LLVMContext context;
  const auto module = assay::test::parsed(declaration, context);
  return library_function(*module->begin());
}

bool target_library_knows(StringRef name) {
  llvm::LibFunc number = llvm::NotLibFunc;
  return library_table().target_library().getLibFunc(name, number);
}

/// "p(pi.)"
bool is_well_formed(StringRef prototype) {
  if (prototype == "~")
    return true;
  const StringRef kinds = "pifv*";
  if (prototype.size() < 3 || !kinds.contains(prototype[0]) || prototype[1] != '(' || prototype.back() != ')')
    return false;
  StringRef parameters = prototype.drop_front(2).drop_back();
  parameters.consume_back(".");
  return llvm::all_of(parameters, [&](char kind) { return kind != 'v' && kinds.contains(kind); });
}

bool gives_memory(const LibraryFunction &function) {
  return function.role != LibraryRole::make_exception &&
         (function.effect == LibraryEffect::allocation || function.effect == LibraryEffect::reallocation ||
          function.effect == LibraryEffect::out_allocation);
}

bool has_rule(StringRef name) {
  const auto known = [](StringRef of) { return RuleTable::get().find(of) != nullptr; };
  name.consume_front("__nv_");
  const bool is_written_inside = name.consume_back("_r"); // lgammaf_r
  const auto spelled = [&](StringRef base) { return known((base + (is_written_inside ? "_r" : "")).str()); };
  return spelled(name) || ((name.ends_with("f") || name.ends_with("l")) && spelled(name.drop_back()));
}

} // namespace

TEST(LibraryTable, HasOneEntryForEachName) {
  llvm::StringSet<> seen;
  for (const LibraryFunction &function : library_table().functions()) {
    EXPECT_TRUE(seen.insert(function.name).second) << function.name.str();
    EXPECT_EQ(entry(function.name), &function) << function.name.str();
  }
}

TEST(LibraryTable, KnowsTheTypeOfEachFunction) {
  for (const LibraryFunction &function : library_table().functions()) {
    if (!function.prototype.empty())
      EXPECT_TRUE(is_well_formed(function.prototype)) << function.name.str();
    else
      EXPECT_TRUE(target_library_knows(function.name))
          << function.name.str() << " needs a prototype in support/library_*.cpp";
  }
}

// Otherwise the search for the family of a name finds another one.
TEST(LibraryTable, HasNoFamilyWithinAnother) {
  const auto families = library_table().families();
  for (std::size_t index = 1; index < families.size(); ++index) {
    EXPECT_LT(families[index - 1].name, families[index].name);
    EXPECT_FALSE(families[index].name.starts_with(families[index - 1].name)) << families[index].name.str();
  }
}

TEST(LibraryTable, SaysWhoReleasesMemory) {
  for (const LibraryFunction &function : library_table().functions()) {
    const bool releases = function.effect == LibraryEffect::deallocation;
    EXPECT_EQ(releases, function.memory.action == MemoryAction::release) << function.name.str();
    if ((!gives_memory(function) && !releases) || function.role == LibraryRole::device_memory)
      continue;
    const LibraryFunction *releaser = entry(function.ownership.releaser);
    ASSERT_NE(releaser, nullptr) << function.name.str() << " names no releaser";
    EXPECT_EQ(releaser->memory.action, MemoryAction::release) << function.name.str();
    EXPECT_EQ(releaser->ownership.releaser, releaser->name) << releaser->name.str() << " has a simpler form";
    if (releaser->ownership.alignment == Ownership::Alignment::argument)
      EXPECT_EQ(function.ownership.alignment, Ownership::Alignment::argument) << function.name.str();
  }
}

TEST(LibraryTable, SaysHowMuchIsAllocated) {
  for (const LibraryFunction &function : library_table().functions())
    if (function.memory.action == MemoryAction::allocate || function.memory.action == MemoryAction::allocate_zeroed ||
        function.memory.action == MemoryAction::allocate_into || function.memory.action == MemoryAction::reallocate)
      EXPECT_FALSE(function.memory.size.empty()) << function.name.str();
}

// A new overload in LLVM's list is one that programs may call.
TEST(LibraryTable, HasAllOverloadsOfNewAndDeleteThatLLVMKnows) {
  const llvm::TargetLibraryInfo library(library_table().target_library());
  for (unsigned number = llvm::NotLibFunc + 1; number < llvm::NumLibFuncs; ++number) {
    const StringRef name = library.getName(llvm::LibFunc(number));
    if (name.starts_with("_Zn") || name.starts_with("_Zd"))
      EXPECT_NE(entry(name), nullptr) << name.str();
  }
}

TEST(LibraryTable, WritesResultsThroughPointers) {
  for (const LibraryFunction &function : library_table().functions())
    for (const OutParameter &result : function.results) {
      if (function.prototype == "~") // C++, where the name has the type
        continue;
      const StringRef parameters = function.prototype.drop_front(2);
      ASSERT_LT(result.argument, parameters.size()) << function.name.str();
      EXPECT_EQ(parameters[result.argument], 'p') << function.name.str();
      if (result.number == OutParameter::Number::like_argument_0)
        EXPECT_EQ(parameters[0], 'f') << function.name.str();
    }
}

TEST(LibraryTable, HasARuleOrAFormForEachActiveFunction) {
  for (const LibraryFunction &function : library_table().functions())
    if (!function.is_inactive())
      EXPECT_TRUE(function.memory.action != MemoryAction::none ||
                  (function.role != LibraryRole::none && function.role != LibraryRole::extremum) ||
                  has_rule(function.name))
          << function.name.str() << " carries derivatives, but has neither a rule (core/engine/rules) nor a role";
}

TEST(LibraryTable, KnowsFunctionsByTheirTypeToo) {
  EXPECT_NE(entry_of("declare ptr @malloc(i64)"), nullptr);
  EXPECT_EQ(entry_of("declare ptr @malloc(ptr)"), nullptr);
  EXPECT_EQ(entry_of("declare double @malloc(double)"), nullptr);
  EXPECT_NE(entry_of("declare i64 @clock()"), nullptr);
  EXPECT_EQ(entry_of("declare double @clock(ptr, double)"), nullptr); // a program's own
  EXPECT_EQ(entry_of("declare double @signal(double)"), nullptr);
  EXPECT_NE(entry_of("declare i32 @printf(ptr, ...)"), nullptr);
  EXPECT_EQ(entry_of("declare double @modf(double, double)"), nullptr);
}

TEST(LibraryTable, TakesOldDeclarationsWithoutParametersByTheirName) {
  EXPECT_NE(entry_of("declare i32 @printf(...)"), nullptr);
  EXPECT_NE(entry_of("declare i32 @rand(...)"), nullptr);
}

// LLVM's own list says of each whether it may be called so; a program's overload of operator new is none of them.
TEST(LibraryTable, TakesNoPlacementForAnAllocation) {
  EXPECT_EQ(entry_of("declare ptr @_ZnwmPv(i64, ptr)"), nullptr);
  EXPECT_EQ(entry_of("declare ptr @_ZnwmR5Arena(i64, ptr)"), nullptr);
  EXPECT_NE(entry_of("declare ptr @_ZnwmSt11align_val_tRKSt9nothrow_t(i64, i64, ptr)"), nullptr);
}

TEST(LibraryTable, GivesReleasesTheirSimplestForm) {
  EXPECT_EQ(entry("_ZdlPvm")->ownership.releaser, "_ZdlPv");
  EXPECT_EQ(entry("_ZdaPvmSt11align_val_t")->ownership.releaser, "_ZdaPvSt11align_val_t");
  EXPECT_EQ(entry("_ZdaPvmSt11align_val_t")->ownership.alignment_argument, 2u);
  EXPECT_EQ(entry("_ZdlPvSt11align_val_tRKSt9nothrow_t")->ownership.alignment_argument, 1u);
  EXPECT_EQ(entry("_ZnamSt11align_val_t")->ownership.releaser, "_ZdaPvSt11align_val_t");
}

TEST(LibraryTable, KnowsFamiliesByTheBeginningsOfNames) {
  const LibraryFunction *put = entry("_ZNSo3putEc");
  ASSERT_NE(put, nullptr);
  EXPECT_TRUE(put->is_inactive());
  EXPECT_FALSE(entry("_ZNSi4readEPcl")->is_inactive()); // bytes may be numbers
  EXPECT_EQ(entry("_ZN3foo3barEv"), nullptr);
  EXPECT_EQ(entry("_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_createERmm")->effect,
            LibraryEffect::allocation);
  EXPECT_TRUE(entry("_RNvNtCs1234_4core9panicking5panic")->is_inactive());
  EXPECT_EQ(entry("_RNvCs1234_7___rustc14___rust_realloc")->role, LibraryRole::rust_reallocate);
  EXPECT_EQ(entry("_RNvCs1234_7___rustc13___rdl_realloc")->role, LibraryRole::rust_reallocate);
  EXPECT_TRUE(entry("_RNvXs1_NtNtCs12_4core3num7dec2fltfNtNtNtB9_3str6traits7FromStr8from_str")->is_inactive());
  EXPECT_TRUE(entry("_RNvMs_NtNtCs12_5gimli4read5valueNtB4_5Value3div")->is_inactive());
  EXPECT_EQ(entry("_RNvMs4_NtCs12_5alloc7raw_vecNtB5_11RawVecInner15try_allocate_inCs34_5gimli"), nullptr);
  EXPECT_EQ(entry("_RNvCs1234_4main3sum"), nullptr);
}

// These were told apart by the list that was asked.
TEST(LibraryTable, SaysTheSameOfFunctionsThatDoTheSame) {
  for (StringRef name : {"strdup", "__strdup", "strndup", "__strndup"}) {
    EXPECT_EQ(entry(name)->effect, LibraryEffect::reallocation) << name.str();
    EXPECT_TRUE(entry(name)->is_inactive()) << name.str();
  }
  for (StringRef name : {"strchr", "strrchr", "strchrnul", "memchr", "memrchr", "strstr", "strcasestr", "strpbrk",
                         "strcat", "strncat", "stpcpy"}) {
    EXPECT_EQ(entry(name)->effect, LibraryEffect::identity) << name.str();
    EXPECT_TRUE(entry(name)->is_inactive()) << name.str();
  }
  for (StringRef name : {"strtod", "strtof", "strtold", "strtol", "__isoc23_strtol", "__isoc23_strtod"}) {
    EXPECT_EQ(entry(name)->effect, LibraryEffect::none) << name.str();
    EXPECT_TRUE(entry(name)->is_inactive()) << name.str();
  }
  EXPECT_EQ(entry("__cxa_deleted_virtual")->role, entry("__cxa_pure_virtual")->role);
  EXPECT_EQ(entry("gammaf_r")->effect, entry("lgammaf_r")->effect);
  EXPECT_EQ(entry("pvalloc")->memory.action, entry("valloc")->memory.action);
}

// `__enzyme_function_like` says whose rules a function of the program's own has.
TEST(LibraryTable, TakesAFunctionForAnotherOnlyWithItsType) {
  llvm::LLVMContext context;
  const auto module = assay::test::parsed("declare ptr @take(i64)\ndeclare double @other(double)", context);
  EXPECT_NE(library_table().find_like(*module->getFunction("take"), "malloc"), nullptr);
  EXPECT_EQ(library_table().find_like(*module->getFunction("other"), "malloc"), nullptr);
}
