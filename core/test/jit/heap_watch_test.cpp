// Would catch: blocks that a call leaves or frees twice and nobody hears of, new memory that happens to hold zeros,
// freed memory that still holds its numbers, writes beyond blocks and into freed ones, and programs with allocation
// functions of their own that do not link.

#include "core/jit/heap_watch.hpp"
#include "core/jit/program.hpp"
#include "core/test/jit/scratch_file.hpp"

#include <array>
#include <cmath>
#include <gtest/gtest.h>

namespace {

using namespace assay::jit;
using assay::test::ScratchFile;

struct Watched {
  HeapReport heap;
  double result = 0;
};

/// `double f(double)` of a file, called with 3 under a watch.
Watched watch(const char *file_name, const std::string &source) {
  const ScratchFile scratch(file_name, source);
  const ModuleFile file(scratch.path, {});
  const Program program(file, file.function("f"));
  Watched watched;
  double x = 3;
  std::array<void *, 2> slots{&x, &watched.result};
  const HeapWatch heap;
  program.function()(slots.data());
  watched.heap = heap.report();
  return watched;
}

const std::string in_c = "#include <stdlib.h>\n";

TEST(HeapWatch, SeesNothingWhereEverythingIsFreed) {
  const Watched watched = watch("f.c", in_c + "double f(double x) { double *volatile p = malloc(80); p[0] = x;\n"
                                              "  p = realloc(p, 800); const double y = p[0]; free(p); return y; }\n");
  EXPECT_EQ(watched.heap.blocks_left, 0U);
  EXPECT_TRUE(watched.heap.faults.empty());
  EXPECT_EQ(watched.result, 3);
}

TEST(HeapWatch, CountsWhatIsLeft) {
  const Watched watched =
      watch("f.cpp", "double *volatile kept;\ndouble f(double x) { kept = new double[5]; kept[0] = x; double y = "
                     "kept[0]; kept = new double[2]; delete[] kept; return y; }\n");
  EXPECT_EQ(watched.heap.blocks_left, 1U);
  EXPECT_EQ(watched.heap.bytes_left, 5 * sizeof(double));
}

TEST(HeapWatch, NamesWhatStaysMapped) {
  const std::string program =
      "#include <sys/mman.h>\ndouble f(double x) { char *p = (char *)mmap(0, 12288, PROT_READ | PROT_WRITE,\n"
      "  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); *(double *)p = x; const double y = *(double *)p; munmap(p LEFT); "
      "return y; }\n";
  const auto leaving = [&](const std::string &left) {
    std::string text = program;
    return watch("f.cpp", text.replace(text.find(" LEFT"), 5, left)).heap.mappings;
  };
  EXPECT_TRUE(leaving(", 12288").empty());
  EXPECT_EQ(leaving(", 4096"), std::vector<std::string>{"a mapping of 8192 bytes"});
  EXPECT_EQ(leaving(" + 4096, 4096"), (std::vector<std::string>{"a mapping of 4096 bytes", "a mapping of 4096 bytes"}));
}

TEST(HeapWatch, NamesABlockThatIsFreedTwice) {
  const Watched watched = watch("f.c", in_c + "double f(double x) { void *volatile p = malloc(48); free(p); free(p); "
                                              "return x; }\n");
  ASSERT_EQ(watched.heap.faults.size(), 1U);
  EXPECT_EQ(watched.heap.faults.front(), "a block of 48 bytes is freed twice");
  EXPECT_EQ(watched.heap.blocks_left, 0U);
}

TEST(HeapWatch, NamesABlockThatIsReleasedOtherwiseThanItWasAllocated) {
  const auto faults_of = [](const std::string &statements) {
    return watch("f.cpp",
                 "#include <cstdlib>\ndouble f(double x) { double *volatile p; " + statements + " return x; }\n")
        .heap.faults;
  };
  const auto fault = [](const std::string &text) { return std::vector<std::string>{"a block of " + text}; };
  EXPECT_EQ(faults_of("p = new double[3]; delete p;"), fault("24 bytes with new[] is released with delete"));
  EXPECT_EQ(faults_of("p = new double; delete[] p;"), fault("8 bytes with new is released with delete[]"));
  EXPECT_EQ(faults_of("p = new double; free(p);"), fault("8 bytes with new is released with free"));
  EXPECT_EQ(faults_of("p = (double *)malloc(40); delete p;"), fault("40 bytes with malloc is released with delete"));
  EXPECT_TRUE(faults_of("p = new double; delete p; p = new double[3]; delete[] p;").empty());
}

TEST(HeapWatch, NamesTheCodeThatAllocatedABlock) {
  const ScratchFile scratch("f.c",
                            in_c + "__attribute__((noinline)) static void *make(void) { void *volatile p = malloc(48);"
                                   " return p; }\ndouble f(double x) { make(); return x; }\n");
  const ModuleFile file(scratch.path, {});
  const Program program(file, file.function("f"));
  double x = 3, result = 0;
  std::array<void *, 2> slots{&x, &result};
  const HeapWatch heap([&](const void *address) { return program.name_of_code(address); });
  program.function()(slots.data());
  EXPECT_EQ(heap.report().left, std::vector<std::string>{"a block of 48 bytes that make allocated"});
}

TEST(HeapWatch, NewMemoryAndFreedMemoryHoldNaNs) {
  const std::string early = in_c + "double f(double x) { double *volatile p = malloc(8); return *p + x; }\n";
  EXPECT_TRUE(std::isnan(watch("f.c", early).result));
  const std::string late = in_c +
                           "double f(double x) { double *volatile p = malloc(8); *p = x; double *volatile q = p;\n"
                           "  free(p); return *q; }\n";
  EXPECT_TRUE(std::isnan(watch("f.c", late).result));
  const std::string zeroed = in_c + "double f(double x) { double *volatile p = calloc(1, 8); double y = *p + x; "
                                    "free(p); return y; }\n";
  EXPECT_EQ(watch("f.c", zeroed).result, 3);
}

TEST(HeapWatch, NamesABlockBehindWhichIsWritten) {
  const auto damage_of = [](const std::string &allocation, const std::string &use) {
    return watch("f.c",
                 in_c + "double f(double x) { double *volatile p = " + allocation + "; " + use + "; return x; }\n")
        .heap.damage;
  };
  const std::vector<std::string> expected = {"memory behind a block of 40 bytes on the heap was written"};
  EXPECT_EQ(damage_of("malloc(40)", "p[5] = x; free(p)"), expected);
  EXPECT_EQ(damage_of("calloc(5, 8)", "p[7] = 0; free(p)"), expected);
  EXPECT_EQ(damage_of("malloc(8)", "p = realloc(p, 40); p[5] += x; free(p)"), expected);
  EXPECT_TRUE(damage_of("malloc(40)", "p[4] = x; free(p)").empty());
}

TEST(HeapWatch, NamesABlockThatIsWrittenAfterItWasFreed) {
  const Watched watched = watch("f.c", in_c + "double f(double x) { double *volatile p = malloc(48); "
                                              "double *volatile q = p; free(p); q[2] = x; return x; }\n");
  ASSERT_EQ(watched.heap.damage.size(), 1U);
  EXPECT_EQ(watched.heap.damage.front(), "a block of 48 bytes on the heap was written after it was freed");
}

TEST(HeapWatch, ALibraryMayEnlargeABlock) {
  const Watched watched =
      watch("f.c", in_c + "#include <stdio.h>\ndouble f(double x) { size_t n = 4; char *p = malloc(n);\n"
                          "  FILE *file = fopen(\"/proc/self/maps\", \"r\"); getline(&p, &n, file);\n"
                          "  fclose(file); free(p); return x; }\n");
  EXPECT_TRUE(watched.heap.damage.empty());
}

TEST(HeapWatch, LeavesWhatALibraryAllocatedToIt) {
  const Watched watched = watch("f.c", in_c + "#include <string.h>\ndouble f(double x) { char *volatile p = "
                                              "strdup(\"text\"); free(p); return x; }\n");
  EXPECT_EQ(watched.heap.blocks_left, 0U);
  EXPECT_TRUE(watched.heap.faults.empty());
}

TEST(HeapWatch, AProgramMayHaveItsOwnAllocator) {
  const Watched watched =
      watch("f.c", "#include <stddef.h>\nstatic double memory[16]; void *malloc(size_t n) { return memory; }\n"
                   "void free(void *p) {}\n"
                   "double f(double x) { double *volatile p = malloc(8); *p = x; free(p); return *p; }\n");
  EXPECT_EQ(watched.result, 3);
  EXPECT_EQ(watched.heap.blocks_left, 0U);
}

TEST(HeapWatch, ADerivativeFreesItsTapeAndItsShadows) {
  const ScratchFile scratch("f.c", in_c + "#include <math.h>\ndouble f(double *x, int n) {\n"
                                          "  double *work = malloc(n * sizeof(double)); double sum = 1;\n"
                                          "  for (int i = 0; i < n; ++i) sum = work[i] = sin(sum) * x[i];\n"
                                          "  for (int i = 1; i < n; ++i) sum += work[i] * work[i - 1];\n"
                                          "  free(work); return sum; }\n");
  const ModuleFile file(scratch.path, {});
  Program program(file, file.function("f"));
  const auto compiled = program.derivative(
      {Mode::reverse, 1, Activity::active, PrimalResult::omitted, {Activity::duplicated, Activity::constant}});
  std::vector<double> x(20000, 0.5), shadow(20000);
  int n = 20000;
  double seed = 1;
  const SlotLayout layout{2, 1};
  std::vector<void *> slots(layout.count());
  slots[layout.parameter(0)] = x.data();
  slots[layout.parameter(1)] = &n;
  slots[layout.shadow(0, 0)] = shadow.data();
  slots[layout.result_seed(0)] = &seed;
  const HeapWatch heap;
  std::get<Entry>(compiled)(slots.data());
  EXPECT_EQ(heap.report().blocks_left, 0U);
  EXPECT_TRUE(heap.report().faults.empty());
  EXPECT_TRUE(heap.report().damage.empty());
  EXPECT_NE(shadow[7], 0);
}

/// `double f(double)`, called so often with 3, each time under a watch of its own: what was written behind blocks that
/// its variables keep.
std::vector<std::string> overruns_of_kept(const std::string &source, unsigned calls) {
  const ScratchFile scratch("kept.cpp", source);
  const ModuleFile file(scratch.path, {});
  const Program program(file, file.function("f"));
  double x = 3, result = 0;
  std::array<void *, 2> slots{&x, &result};
  std::vector<std::string> found;
  for (unsigned call = 0; call < calls; ++call) {
    const HeapWatch heap;
    program.function()(slots.data());
    found = heap.overruns_of_kept([&] { return program.addresses_in_variables(program.function()); });
    for (const std::string &damage : heap.report().damage)
      found.push_back(damage);
  }
  return found;
}

const std::string history =
    "#include <stdlib.h>\nstruct Node { double *numbers; };\nstatic Node *kept; static long calls;\n"
    "extern \"C\" double f(double x) {\n"
    "  if (!kept) { kept = new Node; kept->numbers = new double[3]; }\n"
    "  kept->numbers[calls++] = x; LAST\n  return x; }\n";

std::string with_last(const std::string &last) {
  std::string source = history;
  return source.replace(source.find("LAST"), 4, last);
}

TEST(HeapWatch, SeesWritesBehindBlocksOfEarlierCalls) {
  EXPECT_TRUE(overruns_of_kept(with_last(""), 3).empty());
  const std::vector<std::string> found = overruns_of_kept(with_last(""), 4);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front(), "memory behind a block of 24 bytes on the heap was written");
}

TEST(HeapWatch, LooksAtKeptBlocksThatAreReleased) {
  const std::string released = "if (calls == 4) { delete[] kept->numbers; kept->numbers = nullptr; }";
  EXPECT_EQ(overruns_of_kept(with_last(released), 4).size(), 1U);
  // The address of what was released stays: nothing of it is looked at.
  EXPECT_TRUE(overruns_of_kept(with_last("if (calls == 2) delete[] kept->numbers;"), 2).empty());
}

} // namespace
