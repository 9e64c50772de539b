// Would catch: a front end that misreads what a user's file holds, or refuses without saying what would work.

#include "core/jit/bad_request.hpp"
#include "core/jit/extract.hpp"
#include "core/jit/module_file.hpp"
#include "core/test/jit/scratch_file.hpp"

#include <gtest/gtest.h>

namespace {

using namespace assay::jit;
using assay::test::ScratchFile;

CompileOptions options() {
  CompileOptions result;
  result.include_directories.push_back(ASSAY_INCLUDE_DIRECTORY);
  return result;
}

template <typename Action>
std::string refusal_of(const Action &action) {
  try {
    action();
  } catch (const BadRequest &error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << "more than one line";
    return error.what();
  }
  ADD_FAILURE() << "was accepted";
  return {};
}

std::string refusal_of_function(const char *file_name, const char *source, const char *function) {
  const ScratchFile scratch(file_name, source);
  return refusal_of([&] { static_cast<void>(ModuleFile(scratch.path, options()).function(function)); });
}

#define EXPECT_MENTIONS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST(ModuleFile, KnowsParametersByNameAndType) {
  const ScratchFile scratch(
      "dot.c", "double dot(const double *x, float *y, int n, long m, double s) { return x[n] * y[m] * s; }");
  const ModuleFile file(scratch.path, options());
  const FunctionSignature dot = file.function("dot");
  ASSERT_EQ(dot.parameters.size(), 5u);
  EXPECT_EQ(dot.parameters[0].name, "x");
  EXPECT_EQ(dot.parameters[0].pointee, Scalar::real64);
  EXPECT_EQ(dot.parameters[1].pointee, Scalar::real32);
  EXPECT_EQ(dot.parameters[2].bits, 32u);
  EXPECT_EQ(dot.parameters[3].bits, 64u);
  EXPECT_EQ(dot.describe(), "dot(const double *x, float *y, int n, long m, double s)");
}

TEST(ModuleFile, TakesStructsOfCForTheirMembers) {
  const ScratchFile scratch("structs.c", "typedef struct { double x, y; } vec2;\n"
                                         "struct part { vec2 at; float weights[3]; int n; const double *data; };\n"
                                         "struct flagged { double x; int flag; };\n"
                                         "double f(struct part p, double s) { return p.at.x * p.weights[1] * s; }\n"
                                         "vec2 g(vec2 v, _Complex double z) { return v; }\n"
                                         "struct flagged h(double x) { return (struct flagged){x, 1}; }\n"
                                         "double k(const vec2 *v) { return v->x; }\n"
                                         "double l(const struct flagged *v) { return v->x; }\n"
                                         "void m(struct flagged *v) { v->x *= 2; }\n"
                                         "struct node { double x; struct node *next; };\n"
                                         "double o(struct node *list) { return list->next->x; }\n"
                                         "struct two { struct flagged each[2]; vec2 points[2]; };\n"
                                         "double p(struct two t) { return t.each[1].x; }\n");
  const ModuleFile file(scratch.path, options());
  EXPECT_EQ(file.function("f").describe(),
            "f(double p.at.x, double p.at.y, const float *p.weights, int p.n, const double *p.data, double s)");
  EXPECT_EQ(file.function("f").parameters[2].numbers, 3U);
  EXPECT_EQ(file.function("g").describe(), "g(double v.x, double v.y, double z.real, double z.imag, double *result)");
  EXPECT_EQ(file.function("g").parameters[4].numbers, 2U);
  EXPECT_EQ(file.function("k").parameters[0].pointee, Scalar::real64);
  EXPECT_MENTIONS(refusal_of([&] { static_cast<void>(file.function("h")); }), "the result of h is flagged by value");
  EXPECT_EQ(file.function("l").describe(), "l(double v.x, int v.flag)");
  EXPECT_EQ(file.function("m").describe(), "m(double *v.x, int v.flag)");
  EXPECT_EQ(file.function("m").parameters[0].numbers, 1U);
  EXPECT_EQ(file.function("p").describe(), "p(double t.each[0].x, int t.each[0].flag, double t.each[1].x, int "
                                           "t.each[1].flag, const vec2 *t.points)");
  EXPECT_MENTIONS(refusal_of([&] { static_cast<void>(file.function("o")); }),
                  "parameter 2 ('list.next') of o is node *");
}

TEST(ModuleFile, TakesPointersToRowsWithTheirExtents) {
  for (const char *name : {"rows.c", "rows.cpp"}) {
    const ScratchFile scratch(name, "double f(const double *const *a, int n) { return a[n][0]; }\n"
                                    "double g(double s, float **a) { return a[0][0]; }\n");
    const ModuleFile file(scratch.path, options());
    EXPECT_EQ(file.function("f").describe(), "f(const double *a, int a.rows, int a.columns, int n)");
    EXPECT_EQ(file.function("g").describe(), "g(double s, float *a, int a.rows, int a.columns)");
  }
}

// Would catch: one of them in the place of the other.
TEST(ModuleFile, GivesPointersToFunctionsWhatTheSpecsName) {
  const ScratchFile scratch("callables.c", "typedef double (*map)(double, const double *);\n"
                                           "struct problem { map f; int n; };\n"
                                           "double line(double x, const double *c) { return c[0] * x; }\n"
                                           "double f(double **a, int n, map g, double x) { return g(x, a[0]); }\n"
                                           "double h(struct problem p, double x) { return p.f(x, &x); }\n");
  const ModuleFile file(scratch.path, options());
  const FunctionSignature f = file.function("f");
  EXPECT_EQ(f.describe(),
            "f(double *a, int a.rows, int a.columns, int n, double (*g)(double, const double *), double x)");
  EXPECT_TRUE(f.parameters[4].is_callable);
  EXPECT_EQ(file.function("h").describe(), "h(double (*p.f)(double, const double *), int p.n, double x)");
  const auto bound = file.function("h", Pointees::numbers, {"p.f=line", "int=1", "double"});
  EXPECT_NE(bound.linkage_name, file.function("h").linkage_name);
  EXPECT_NE(bound.linkage_name, file.function("h", Pointees::numbers, {"NULL", "int=1", "double"}).linkage_name);
  EXPECT_MENTIONS(
      refusal_of([&] { static_cast<void>(file.function("h", Pointees::numbers, {"f=h", "int=1", "double"})); }),
      "parameter 1 ('p.f') of h is double (*)(double, const double *), and 'h' is double (*)(problem, double)");
}

TEST(ModuleFile, TellsOverloadsWithRowsApart) {
  const ScratchFile scratch("rows.cpp", "double f(double **a) { return a[0][0]; }\n"
                                        "float f(float **a) { return a[0][0]; }\n");
  const ModuleFile file(scratch.path, options());
  EXPECT_EQ(file.function("f(double**)").parameters[0].pointee, Scalar::real64);
  EXPECT_EQ(file.function("f(float**)").parameters[0].pointee, Scalar::real32);
}

TEST(ModuleFile, TakesEnumerationsForIntegers) {
  const ScratchFile scratch("kind.c",
                            "enum kind { a, b };\ndouble f(enum kind k, double x) { return k == a ? x : -x; }");
  const FunctionSignature f = ModuleFile(scratch.path, options()).function("f");
  EXPECT_EQ(f.parameters[0].kind, ParameterType::Kind::integer);
  EXPECT_EQ(f.describe(), "f(kind k, double x)");
}

TEST(ModuleFile, TakesLlvmAssembly) {
  const ScratchFile scratch("f.ll", "define double @f(double %x, ptr %p) {\n  ret double %x\n}\n");
  const FunctionSignature f = ModuleFile(scratch.path, options()).function("f");
  ASSERT_EQ(f.parameters.size(), 2u);
  EXPECT_EQ(f.parameters[0].name, "x");
  EXPECT_EQ(f.parameters[1].kind, ParameterType::Kind::pointer);
  EXPECT_FALSE(f.parameters[1].pointee.has_value());
}

TEST(ModuleFile, FindsTheMarksOfACFile) {
  const ScratchFile scratch(
      "marked.c", "#include <assay/check.h>\n"
                  "double f(double x) { return x; }\n"
                  "static double g(double *x, int n) { return x[n]; }\n"
                  "ASSAY_CHECK(f);\nASSAY_CHECK(g, \"double[8]\", \"int=3\");\nASSAY_CHECK_FAILS(f, \"double\");\n");
  const ModuleFile file(scratch.path, options());
  ASSERT_EQ(file.marks().size(), 3u);
  EXPECT_EQ(file.marks()[0].name, "f");
  EXPECT_TRUE(file.marks()[0].arguments.empty());
  EXPECT_EQ(file.marks()[1].linkage_name, "g");
  EXPECT_EQ(file.marks()[1].arguments, (std::vector<std::string>{"double[8]", "int=3"}));
  EXPECT_EQ(file.marks()[2].expectation, CheckMark::Expectation::fails);
}

TEST(ModuleFile, FindsTheMarksOfACppFile) {
  const ScratchFile scratch("marked.cpp", "#include <assay/check.h>\n"
                                          "template <typename T> T twice(T x) { return x + x; }\n"
                                          "namespace deep { double f(double x) { return x; } ASSAY_CHECK(f); }\n"
                                          "ASSAY_CHECK(twice<float>, \"float\");\n");
  const ModuleFile file(scratch.path, options());
  ASSERT_EQ(file.marks().size(), 2u);
  EXPECT_EQ(file.marks()[0].linkage_name, "_ZN4deep1fEd");
  EXPECT_EQ(file.marks()[1].name, "twice<float>");
}

/// Would catch: records of a function that change with a rule which it does not use. The front end marks tables as
/// used.
TEST(ModuleFile, ExtractsOnlyTablesOfWhatTheFunctionReaches) {
  const ScratchFile scratch("tables.c", R"(
    double square(double x) { return x * x; }
    double augmented(double x) { return square(x); }
    double gradient(double x, double seed) { return seed * 2 * x; }
    __attribute__((used)) void *__enzyme_register_gradient_square[] = {(void *)square, (void *)augmented, (void *)gradient};
    double twice(double x) { return 2 * square(x); }
    double other(double x) { return 2 * x; })");
  const ModuleFile file(scratch.path, options());
  const auto code_of = [&](const char *name) {
    return extract_function(file, file.function(name), SourceLines::dropped);
  };
  EXPECT_MENTIONS(code_of("twice"), "@gradient");
  EXPECT_EQ(code_of("other").find("@gradient"), std::string::npos);
}

TEST(ModuleFile, RefusesAMissingFile) {
  EXPECT_MENTIONS(refusal_of([] { ModuleFile("no-such-file.c", options()); }), "no such file: no-such-file.c");
}

TEST(ModuleFile, RefusesALanguageThatItDoesNotKnow) {
  const ScratchFile scratch("f.py", "print(1)");
  EXPECT_MENTIONS(refusal_of([&] { ModuleFile(scratch.path, options()); }), "neither C");
}

TEST(ModuleFile, PassesOnTheCompilersFirstError) {
  const ScratchFile scratch("broken.c", "double f(double x) { return y; }");
  EXPECT_MENTIONS(refusal_of([&] { ModuleFile(scratch.path, options()); }), "undeclared identifier 'y'");
}

TEST(ModuleFile, RefusesBrokenAssemblyWithAReason) {
  const ScratchFile scratch("broken.ll", "define double @f( {");
  EXPECT_MENTIONS(refusal_of([&] { ModuleFile(scratch.path, options()); }), "not readable as LLVM");
}

TEST(ModuleFile, SuggestsNamesForAnUnknownFunction) {
  EXPECT_MENTIONS(refusal_of_function("f.c", "double energy(double x) { return x; }", "enrgy"),
                  "did you mean 'energy'");
}

TEST(ModuleFile, ListsTheCandidatesOfAnAmbiguousName) {
  const std::string refusal =
      refusal_of_function("f.cpp", "double f(double x) { return x; } float f(float x) { return x; }", "f");
  EXPECT_MENTIONS(refusal, "ambiguous");
  EXPECT_MENTIONS(refusal, "f(double)");
  EXPECT_MENTIONS(refusal, "f(float)");
}

TEST(ModuleFile, RefusesStructsByValueHoweverTheyArePassed) {
  // Two doubles travel as two registers, two floats as a vector, four doubles through memory. Objects of C++ have
  // adapters; unions, bit fields and long double have no words on the command line.
  for (const char *members : {"double x, y;", "float x, y;", "double a, b, c, d;"}) {
    const std::string source = "struct Pair {" + std::string(members) + "};\ndouble f(Pair p, double s) { return s; }";
    const std::string refusal = refusal_of_function("f.cpp", source.c_str(), "f");
    EXPECT_MENTIONS(refusal, "unsupported type");
    EXPECT_MENTIONS(refusal, "Pair by value");
  }
  for (const char *members : {"union { double x; int n; } u;", "int a : 3; double x;", "long double x;"}) {
    const std::string source =
        "struct Pair {" + std::string(members) + "};\ndouble f(struct Pair p, double s) { return s; }";
    EXPECT_MENTIONS(refusal_of_function("f.c", source.c_str(), "f"), "Pair by value");
  }
}

TEST(ModuleFile, RefusesStructResults) {
  EXPECT_MENTIONS(
      refusal_of_function("f.cpp", "struct T { double a, b, c; }; T f(double x) { T t = {x, x, x}; return t; }", "f"),
      "the result of f is T by value");
}

TEST(ModuleFile, RefusesPointersToPointersAndLongDouble) {
  EXPECT_MENTIONS(refusal_of_function("f.c", "double f(double ***x) { return ***x; }", "f"), "double ***");
  EXPECT_MENTIONS(refusal_of_function("f.c", "double f(void **x) { return *(double *)*x; }", "f"), "void **");
  EXPECT_MENTIONS(refusal_of_function("f.c", "double f(long double x) { return x; }", "f"), "long double");
  EXPECT_MENTIONS(
      refusal_of_function("f.cpp", "#include <vector>\ndouble f(std::vector<double> &x) { return x[0]; }", "f"),
      "vector<double");
}

TEST(BindArguments, RefusesAWrongNumberAndSaysWhatTheParametersAre) {
  const ScratchFile scratch("dot.c", "double dot(double *x, int n) { return x[n]; }");
  const FunctionSignature dot = ModuleFile(scratch.path, options()).function("dot");
  const std::string refusal = refusal_of([&] { bind_arguments(dot, {parse_argument_spec("double[8]")}); });
  EXPECT_MENTIONS(refusal, "dot(double *x, int n) has 2 parameters, but 1 --arg was given");
  EXPECT_MENTIONS(refusal, "--arg 'double[8]' --arg 'int=8'");
}

TEST(BindArguments, RefusesAPointerWithoutExtentsAndAWrongType) {
  const ScratchFile scratch("dot.c", "double dot(double *x, float y) { return *x * y; }");
  const FunctionSignature dot = ModuleFile(scratch.path, options()).function("dot");
  const ArgumentSpec scalar = parse_argument_spec("double"), array = parse_argument_spec("double[2]"),
                     single = parse_argument_spec("float[2]");
  EXPECT_MENTIONS(refusal_of([&] { bind_arguments(dot, {scalar, scalar}); }), "no extents");
  EXPECT_MENTIONS(refusal_of([&] { bind_arguments(dot, {array, scalar}); }), "parameter 2 of dot ('y') is float");
  EXPECT_MENTIONS(refusal_of([&] { bind_arguments(dot, {single, scalar}); }), "does not fit");
}

TEST(BindArguments, NeedsNoSpecsForFloatingPointScalars) {
  const ScratchFile scratch("f.c", "double f(double x, float y) { return x * y; } double g(double *x) { return *x; }");
  const ModuleFile file(scratch.path, options());
  const std::vector<ArgumentSpec> specs = bind_arguments(file.function("f"), {});
  ASSERT_EQ(specs.size(), 2u);
  EXPECT_EQ(specs[1].type, Scalar::real32);
  EXPECT_MENTIONS(refusal_of([&] { bind_arguments(file.function("g"), {}); }), "needs one --arg for each parameter");
}

} // namespace
