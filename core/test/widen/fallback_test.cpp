// Would catch: a derivative that is silently wrong because code was not followed.

#include "core/test/widen/widened.hpp"

namespace {

using namespace assay;
using test::Widened;

std::string losses_of(const std::string &file, const std::string &source, const std::vector<double> &x) {
  Widened program(file, source);
  std::string text;
  for (const std::string &loss : program.derivative(x).losses)
    text += loss + "\n";
  return text;
}

TEST(WidenFallback, NamesFunctionsThatAreNotInTheProgram) {
  const std::string losses = losses_of("f.c",
                                       "#include <stdlib.h>\n#include <stdio.h>\ndouble f(double x) { char t[40]; "
                                       "snprintf(t, 40, \"%.17g\", x); return strtod(t, 0); }",
                                       {1.5});
  EXPECT_NE(losses.find("a call of strtod"), std::string::npos) << losses;
}

TEST(WidenFallback, SaysNothingOfCallsThatDoNotRun) {
  EXPECT_EQ(
      losses_of("f.c", "#include <stdlib.h>\ndouble f(double x) { return x > 100 ? strtod(\"1\", 0) : x; }", {1.5}),
      "");
}

TEST(WidenFallback, SeesThatBitsAreComputedWith) {
  const std::string losses = losses_of("f.c",
                                       "#include <string.h>\n#include <stdint.h>\ndouble f(double x) { uint64_t b; "
                                       "memcpy(&b, &x, 8); b += 1; memcpy(&x, &b, 8); return x; }",
                                       {1.5});
  EXPECT_NE(losses.find("the bits of a number"), std::string::npos) << losses;
}

TEST(WidenFallback, SeesThatHalvesAreOfDifferentNumbers) {
  const std::string losses = losses_of("f.c",
                                       "#include <string.h>\n#include <stdint.h>\ndouble f(double *x) { uint64_t b, c; "
                                       "memcpy(&b, &x[0], 8); memcpy(&c, &x[1], 8); "
                                       "b = (b & 0xffffffff00000000) | (c & 0xffffffff); double y; memcpy(&y, &b, 8); "
                                       "return y; }",
                                       {1.5, 0.3});
  EXPECT_NE(losses.find("a part of a number's bytes"), std::string::npos) << losses;
}

TEST(WidenFallback, SeesThatOtherCodeWroteToMemory) {
  const std::string losses =
      losses_of("f.c",
                "#include <string.h>\n#include <stdio.h>\n"
                "double f(double x) { double t[3] = {x, x, x}; snprintf((char *)t, 24, \"%d\", 7); "
                "return t[0] + t[2]; }",
                {3});
  EXPECT_NE(losses.find("memory that other code has written"), std::string::npos) << losses;
}

TEST(WidenFallback, SeesThatAPointerLeadsOutOfTheProgram) {
  const std::string losses =
      losses_of("f.c",
                "#include <stdlib.h>\ndouble f(double x) { double (*volatile p)(const char *, char **) = strtod; "
                "return x + p(\"1\", 0); }",
                {3});
  EXPECT_NE(losses.find("code that is not in the program"), std::string::npos) << losses;
}

TEST(WidenFallback, SeesArgumentsBehindDots) {
  const std::string losses =
      losses_of("f.c",
                "#include <stdarg.h>\nstatic double sum(int n, ...) { va_list l; va_start(l, n); double "
                "t = 0; for (int i = 0; i < n; ++i) t += va_arg(l, double); va_end(l); return t; }\n"
                "double f(double x) { return sum(2, x, 3.0); }",
                {3});
  EXPECT_NE(losses.find("behind the ..."), std::string::npos) << losses;
}

TEST(WidenFallback, SeesInlineAssembly) {
  const std::string losses =
      losses_of("f.c", "double f(double x) { __asm__(\"addsd %0, %0\" : \"+x\"(x)); return x; }", {3});
  EXPECT_NE(losses.find("inline assembly"), std::string::npos) << losses;
}

TEST(WidenFallback, FollowsThreadsThatAreJoined) {
  Widened program("f.c",
                  "#include <pthread.h>\nstatic void *work(void *p) { *(double *)p *= *(double *)p; return 0; }\n"
                  "double f(double x) { pthread_t t; pthread_create(&t, 0, work, &x); pthread_join(t, 0); "
                  "return x; }");
  expect_derivative(program, {3}, 0, 6);
}

TEST(WidenFallback, SeesOtherThreads) {
  const std::string losses =
      losses_of("f.c",
                "#include <pthread.h>\nstatic pthread_barrier_t b;\n"
                "static void *work(void *p) { pthread_barrier_wait(&b); *(double *)p *= 2; return 0; }\n"
                "double f(double x) { pthread_t t; pthread_barrier_init(&b, 0, 2); pthread_create(&t, 0, work, &x);\n"
                "pthread_barrier_wait(&b); pthread_join(t, 0); return x; }",
                {3});
  EXPECT_NE(losses.find("another thread"), std::string::npos) << losses;
  EXPECT_NE(losses.find("pthread_create"), std::string::npos) << losses;
}

TEST(WidenFallback, EndsRunsThatAreTooLong) {
  Widened program("f.c",
                  "double f(double x) { double t = x; for (int i = 0; i < 3000000; ++i) t = t * x + 1; return t; }");
  const widen::Difference difference = program.derivative({0.5});
  ASSERT_EQ(difference.losses.size(), 1U);
  EXPECT_NE(difference.losses.front().find("operations"), std::string::npos);
}

} // namespace
