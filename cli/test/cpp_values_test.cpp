// Functions of C++ values, member functions and templates.

#include "cli/test/run_command.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::cli::test {
namespace {

using testing::HasSubstr;

class CppValues : public testing::Test {
protected:
  CppValues() {
    // Macros of one letter, as programs have them, here and among the flags.
    place.write("net.cpp", R"(#define E 1
#include <array>
#include <complex>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>
struct Layer { std::vector<double> weights; double bias; };
struct Net {
  std::vector<Layer> layers;
  double energy(std::span<const double> x) const {
    double sum = 0;
    for (const Layer &layer : layers)
      for (std::size_t i = 0; i < layer.weights.size(); ++i) sum += layer.weights[i] * x[i % x.size()] + layer.bias;
    return sum;
  }
};
double norm(const Net &net, std::vector<double> &x) {
  double sum = 0;
  for (double &value : x) { sum += value * value; value *= 2; }
  return sum + net.layers[0].bias * net.layers[1].weights[0];
}
std::complex<double> square(std::complex<double> z) { return z * z; }
double sum(const std::array<double, N> &a) { return a[0] * a[E] + a[2]; }
template <class T> T twice(T x) { return x + x * x; }
double rough(const Net &net) { return net.layers[0].weights[1] > 0 ? WRONG(net.layers[0].weights[1]) : 0; }
double id(double x) { return x; }
std::vector<double> prefixes(const std::vector<double> &x, int n) {
  std::vector<double> sums;
  for (int i = 0; i < n; ++i) sums.push_back((i == 0 ? 0 : sums.back()) + x[i] * x[i]);
  return sums;
}
double held(const std::optional<double> &x, std::shared_ptr<std::vector<double>> y, const std::unique_ptr<Layer> &z) {
  return *x * (*y)[1] + z->weights[0] * z->bias;
}
double by_name(const std::map<std::string, std::vector<double>> &rates) {
  double sum = 0;
  for (const auto &[name, values] : rates)
    for (double value : values) sum += static_cast<double>(name.size()) * value * value;
  return sum;
}
struct Mixed { double exact; float coarse[2]; std::vector<double> more; };
double mixed(const Mixed &m, double t) { return m.exact * m.coarse[0] + t * m.coarse[1] * m.more[1] * m.more[0]; }
Mixed halves(Mixed m) { m.exact /= 2; m.coarse[1] *= m.coarse[0]; return {m.exact * m.exact, {m.coarse[0], m.coarse[1]}, {}}; }
void scale(Mixed &m, int n) { for (double &x : m.more) x *= m.exact * n; m.coarse[0] *= 2; }
double owned(std::unique_ptr<double[]> x, int n) { double s = 0; for (int i = 0; i < n; ++i) s += x[i] * x[i]; return s; }
double lent(const std::unique_ptr<Layer[]> &x) { x[1].bias *= x[0].bias; return x[0].weights[1] * x[1].weights[0]; }
double length(double x) { return x; }
double length(std::complex<double> z) { return std::norm(z); }
double length(const Layer &x) { return x.bias * x.weights[1]; }
enum class Shape { sine, square };
double shaped(Shape shape, std::array<double, 2> x) { return shape == Shape::sine ? x[0] * x[1] : x[0]; }
)");
  }

  Outcome check(const std::string &words) const {
    return place.assay("check net.cpp --plain --samples 1 " + words + " -- '-DWRONG(x)=x' -DN=3");
  }

  Workplace place;
};

/// What one function of the file is called with, and what of C++ that shows.
struct Shown {
  const char *what, *function, *words;
};

constexpr Shown values_of_cpp[] = {
    {"sizes that are asked for", "norm", "--arg 'net={layers=2,weights=2}' --arg 'vector[3]'"},
    {"objects of member functions", "Net::energy", "--arg 'net={layers=2,weights=2}' --arg 'span[2]'"},
    {"complex numbers need no spec", "square", ""},
    {"arrays need no spec", "sum", ""},
    {"results of the size that a call gives", "prefixes", "--arg 'vector[4]' --arg int=3"},
    {"optionals and smart pointers", "held", "--arg x --arg 'y[3]' --arg 'z={weights=2}'"},
    {"one of several overloads", "length(Layer const&)", "--arg 'x={weights=2}'"},
    {"another of them", "length(std::complex<double>)", ""},
    {"floats beside doubles", "mixed", "--arg 'm={more=2}' --arg double"},
    {"the same in a result", "halves", ""},
    {"the same, changed", "scale", "--arg 'm={more=2}' --arg int=3"},
    {"arrays of smart pointers", "owned", "--arg 'x[3]' --arg int=3"},
    {"the same, lent", "lent", "--arg 'x[2]{weights=2}'"},
    {"maps of names", "by_name", "--arg 'rates[3x2]'"},
    {"enumerations", "shaped", "--arg int=0 --arg x"},
    {"instances of templates", "twice<double>", ""},
};

/// One command: the header that all adapters share is compiled once.
TEST_F(CppValues, of_every_kind_have_right_gradients) {
  std::string words;
  for (const Shown &shown : values_of_cpp)
    words += std::string("--function '") + shown.function + "' " + shown.words + " ";
  const Outcome outcome = check(words);
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_THAT(outcome.last_line(), HasSubstr(" 0 failed, 0 undecided"));
  for (const Shown &shown : values_of_cpp) {
    const std::string name = shown.function;
    EXPECT_THAT(outcome.output,
                testing::ContainsRegex("\n  " + name.substr(0, name.find_first_of("(<")) + "[^\n]* passed"))
        << shown.what;
  }
}

TEST_F(CppValues, are_arrays_of_smart_pointers_whose_size_is_said) {
  const Outcome outcome = check("--function owned --arg x --arg int=3");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.errors, HasSubstr("say how large it is"));
}

TEST_F(CppValues, without_numbers_say_how_to_give_their_size) {
  const Outcome outcome = check("--function norm");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.errors, HasSubstr("'net' of norm (const Net &) has no numbers as it is made by default"));
}

TEST_F(CppValues, are_named_in_messages_as_the_source_names_them) {
  place.write("wrong.cpp", R"(#include <vector>
double sq(double x) { return x * x; }
static double aug(double x) { return x * x; }
static double rev(double x, double d) { return 3 * x * d; }
extern "C" { void *__enzyme_register_gradient_sq[] = {(void *)sq, (void *)aug, (void *)rev}; }
struct Part { int n; std::vector<double> mass; };
double f(const std::vector<Part> &parts) { return parts[0].mass[0] + sq(parts[1].mass[1]); }
)");
  const Outcome outcome =
      place.assay("check wrong.cpp --plain --samples 1 --mode reverse --function f --arg 'parts[2]{mass=2}'");
  EXPECT_EQ(outcome.code, 1) << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("parts[1].mass[1]"));
  EXPECT_THAT(outcome.replay_command(), HasSubstr("--function f --arg 'parts[2]{mass=2}'"));
  EXPECT_EQ(place.shell(outcome.replay_command()).replay_command(), outcome.replay_command());
}

TEST(CppTemplates, AreFoundWhateverBlanksTheirArgumentsHave) {
  const Workplace place;
  place.write("poly.cpp",
              "template <class T, int N> T poly(T x) { T y = 1; for (int i = 0; i < N; ++i) y *= x; return y; }\n"
              "template double poly<double, 3>(double);\n");
  for (const std::string name : {"poly<double,3>", "poly<double, 3>", "poly< double,3 >(double)"}) {
    const Outcome outcome = place.assay("check poly.cpp --plain --samples 1 --function '" + name + "'");
    EXPECT_EQ(outcome.code, 0) << name << outcome.errors;
  }
}

TEST(CppValuesThatCannotBeMade, MayBeOfAClassThatIsCalledAsAnAdaptersOwn) {
  const Workplace place;
  place.write("s.cpp", "namespace geo {\nstruct Shape { virtual double area() const = 0; };\n"
                       "double scaled(double x, const Shape &s) { return s.area() * x; }\n}\n");
  const Outcome outcome = place.assay("check s.cpp --plain --function geo::scaled");
  EXPECT_EQ(outcome.code, 2) << outcome.output;
  EXPECT_THAT(outcome.errors, HasSubstr("'s' of geo::scaled (const Shape &) is abstract"));
  EXPECT_EQ(std::ranges::count(outcome.errors, '\n'), 1) << outcome.errors;
}

TEST(CppValuesMadeByDefault, AreWhatPointersInContainersLeadTo) {
  const Workplace place;
  place.write("p.cpp", "#include <memory>\n#include <optional>\n#include <vector>\n"
                       "struct Tree { std::vector<std::unique_ptr<double>> leaves; };\n"
                       "double shared(const std::vector<std::shared_ptr<double>> &v) { return *v[0] * *v[1]; }\n"
                       "double owned(const Tree &t) { double s = 1; for (auto &p : t.leaves) s *= *p; return s; }\n"
                       "double given(const std::vector<std::optional<double>> &v) { return *v[0] * v[1].value(); }\n");
  for (const std::string words : {"shared --arg 'v[2]'", "owned --arg 't={leaves=3}'", "given --arg 'v[2]'"}) {
    const Outcome outcome = place.assay("check p.cpp --plain --samples 1 --function " + words);
    EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
    EXPECT_THAT(outcome.last_line(), HasSubstr(" 0 failed, 0 undecided"));
  }
}

TEST(CppValuesMadeByDefault, AreAmongAllFunctions) {
  const Workplace place;
  place.write("a.cpp",
              "#include <array>\n#include <vector>\nstruct Point { std::array<double, 2> at; };\n"
              "double norm(const Point &p) { return p.at[0] * p.at[0] + p.at[1]; }\n"
              "double sum(const std::vector<double> &v) { double s = 0; for (double x : v) s += x; return s; }\n");
  const Outcome list = place.assay("check a.cpp --all --list");
  EXPECT_EQ(list.output, "a.cpp --function norm --arg object\n");
  EXPECT_THAT(list.errors,
              HasSubstr("'v' of sum (const vector<double, std::allocator<double> > &) has no numbers as it "
                        "is made by default; say how large it is, such as --arg 'vector[8]'"));
  const Outcome outcome = place.assay("check a.cpp --all --plain --samples 1");
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
  EXPECT_EQ(outcome.last_line(), "3 combinations checked, 3 passed, 0 failed, 0 undecided");
}

TEST(CppValuesThatCannotBeMade, AreOneSentence) {
  const Workplace place;
  place.write("p.cpp", R"(#include <functional>
#include <vector>
class Priv { double a = 1, b = 2; public: double get() const { return a * b; } };
struct Abstract { double k = 1; virtual double f(double) const = 0; };
class Made { double a; public: Made(double v) : a(v) {} double get() const { return a; } };
struct Layer { int width = 1; std::vector<double> weights; };
struct Net { int layers = 1; std::vector<double> w; std::vector<Layer> deep; };
double use(const Priv &p, double x) { return p.get() * x; }
double within(double x, const std::vector<Priv> &p) { return p[0].get() * x; }
double abstract(const Abstract &p, double x) { return p.f(x); }
double callable(const std::function<double(double)> &p, double x) { return p(x); }
double made(const Made &p, double x) { return p.get() * x; }
double net(const Net &n, double x) {
  double s = n.layers;
  for (double v : n.w) s += v * x;
  for (const Layer &each : n.deep) for (double v : each.weights) s += v * x;
  return s;
}
)");
  const auto expect_refusal = [&](const std::string &words, const std::string &part) {
    const Outcome outcome = place.assay("check p.cpp --plain --samples 1 " + words);
    EXPECT_EQ(outcome.code, 2) << words << outcome.output;
    EXPECT_THAT(outcome.errors, HasSubstr(part)) << words;
    EXPECT_EQ(std::ranges::count(outcome.errors, '\n'), 1) << outcome.errors;
  };
  expect_refusal(
      "--function use",
      "'p' of use (const Priv &) has private members, a base, a bit field, a union or a pointer (Priv), and");
  expect_refusal("--function within", "'p' of within (");
  expect_refusal("--function abstract", "'p' of abstract (const Abstract &) is abstract, and");
  expect_refusal("--function callable",
                 "'p' of callable (const function<double (double)> &) is a callable: say what it "
                 "is, such as --arg 'p=square'");
  expect_refusal("--function made", "'p' of made (const Made &) has no constructor without parameters or of integers");
  EXPECT_THAT(place.assay("check p.cpp --function use -v").errors, HasSubstr("error: static assertion failed"));
  expect_refusal("--function within --arg double --arg 'p[99999999999]'",
                 "--arg 'p[99999999999]' has more than 16777216");
  expect_refusal("--function within --arg double", "and 1 --arg is given");
  expect_refusal("--function net --arg 'net={layers=2,w=3,foo=9}' --arg double",
                 "no field 'foo' in 'n' of net (const Net &); it has layers, w, deep, width, weights");
  const Outcome outcome = place.assay(
      "check p.cpp --plain --samples 1 --function net --arg 'n={layers=2,w=3,deep=2,weights=1}' --arg double");
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
}

/// Callables, and classes that cannot be made by default, are C++ expressions; they are constant where nothing can be
/// seen in them.
TEST(CppValuesOfExpressions, AreCallablesAndObjectsThatCannotBeMadeOtherwise) {
  const Workplace place;
  place.write("e.cpp", R"(#include <assay/check.h>
#include <functional>
#include <vector>
using Map = double (*)(double);
double square(double x) { return x * x; }
double integrate(const std::function<double(double)> &f, double a, double b) {
  double s = 0;
  for (int i = 0; i < 4; ++i) s += f(a + (b - a) * (i + 0.5) / 4);
  return s * (b - a) / 4;
}
double through(Map f, double x) { return f(x) * x; }
double within(double (&f)(double), const std::vector<double> &x) { return f(x[0]) * x[1]; }
class Hidden { double a; public: explicit Hidden(double v) : a(v) {} double get() const { return a; } };
double hidden(const Hidden &h, double x) { return h.get() * x * x; }
struct Base { virtual double f(double) const = 0; };
struct Derived : Base { double k; Derived(double k) : k(k) {} double f(double x) const override { return k * x * x; } };
double base(const Base &b, double x) { return b.f(x); }
std::vector<double> three() { return {1, 2, 3}; }
double norm(const std::vector<double> &x) { double s = 0; for (double v : x) s += v * v; return s; }
ASSAY_CHECK(integrate, "f=square", "double", "double");
)");
  const auto check = [&](const std::string &words) { return place.assay("check e.cpp --plain --samples 1 " + words); };
  const std::string all =
      "--function integrate --arg 'f=[k = 2](double x) { return k * x * x; }' --arg double --arg double "
      "--function through --arg f=square --arg double --function within --arg f=square --arg 'vector[2]' "
      "--function hidden --arg 'h=Hidden(3)' --arg double --function base --arg 'b=Derived(2)' --arg double "
      "--function norm --arg 'x=three()'";
  for (const std::string &words : {std::string(), all}) {
    const Outcome outcome = check("--mode reverse " + words);
    EXPECT_EQ(outcome.code, 0) << words << outcome.errors;
    EXPECT_THAT(outcome.last_line(), HasSubstr(" 0 failed, 0 undecided")) << words;
    EXPECT_THAT(outcome.output, HasSubstr(words.empty() ? "one value alone of f=square" : "one value alone of b="));
  }
  const auto expect_sentence = [&](const std::string &words, const std::string &part) {
    const Outcome outcome = check(words);
    EXPECT_EQ(outcome.code, 2) << words << outcome.output;
    EXPECT_THAT(outcome.errors, HasSubstr(part)) << words;
    EXPECT_EQ(std::ranges::count(outcome.errors, '\n'), 1) << outcome.errors;
  };
  expect_sentence("--function integrate --arg f=sqare --arg double --arg double",
                  "--arg 'f=sqare' for 'f' of integrate (const function<double (double)> &): use of undeclared "
                  "identifier 'sqare'");
  expect_sentence("--function through", "'f' of through (Map) is a callable: say what it is, such as --arg 'f=square'");
  expect_sentence("--function base", "give an object of a derived class, --arg 'b=Derived(...)'");
}

TEST(CppTemplates, SayWhatParametersTheyHaveAndHowAnInstanceIsNamed) {
  const Workplace place;
  place.write("t.cpp", R"(#include <vector>
namespace phys {
template <typename T, int N> T energy(const T *x, T scale) { T s = 0; for (int i = 0; i < N; ++i) s += x[i] * x[i]; return s * scale; }
template <class Container> double total(const Container &c) { double s = 0; for (auto v : c) s += v * v; return s; }
template <typename T> struct Net {
  T w = 2;
  template <class F> T apply(F f, T x) const { return f(x) * w; }
  T twice(T x) const;
};
template <typename T> T Net<T>::twice(T x) const { return w * x * 2; }
}
double square(double x) { return x * x; }
)");
  const auto expect_advice = [&](const std::string &name, const std::string &declaration, const std::string &example) {
    const Outcome outcome = place.assay("check t.cpp --function '" + name + "'");
    EXPECT_EQ(outcome.code, 2) << name << outcome.output;
    EXPECT_THAT(outcome.errors,
                testing::AllOf(HasSubstr("is a template that t.cpp does not instantiate: " + declaration),
                               HasSubstr("such as --function '" + example + "'")));
    EXPECT_EQ(std::ranges::count(outcome.errors, '\n'), 1) << outcome.errors;
  };
  expect_advice("energy", "template <typename T, int N> T energy(const T *x, T scale); ", "phys::energy<double, 3>");
  expect_advice("phys::energy<double>", "template <typename T, int N> T energy(", "phys::energy<double, 3>");
  expect_advice("phys::total", "template <class Container> double total(", "phys::total<std::vector<double>>");
  expect_advice("Net::twice", "template <typename T> struct Net; ", "phys::Net<double>::twice");
  expect_advice("Net::apply", "template <typename T> struct Net; template <class F> T apply(F f, T x) const",
                "phys::Net<double>::apply<double (*)(double)>");
  const Outcome outcome = place.assay(
      "check t.cpp --plain --samples 1 --mode reverse --function 'phys::energy<double, 3>' --arg 'double[3]' "
      "--arg double --function 'phys::total<std::vector<double>>' --arg 'c[3]' --function 'phys::Net<double>::twice' "
      "--arg self --arg double --function 'phys::Net<double>::apply<double(*)(double)>' --arg self --arg f=square "
      "--arg double");
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_THAT(outcome.last_line(), HasSubstr(" 0 failed, 0 undecided"));
}

/// The values are made, and where they are objects their results are counted, by a program that runs.
TEST(CppValuesOfSeveralFiles, UseWhatTheOthersDefine) {
  const Workplace place;
  place.write("scaled.hpp", "#include <vector>\ndouble scaled(double x);\ndouble missing(double x);\n");
  place.write("scaled.cpp", "#include \"scaled.hpp\"\ndouble scaled(double x) { return 3 * x; }\n");
  place.write("sum.cpp",
              "#include \"scaled.hpp\"\n"
              "double sum(const std::vector<double> &x) { double s = 0; for (double e : x) s += scaled(e) * e; "
              "return s; }\n"
              "std::vector<double> squares(const std::vector<double> &x) { auto y = x; for (double &e : y) e *= "
              "scaled(e); return y; }\n"
              "double other(double x) { return missing(x); }\n");
  for (const char *words : {"sum.cpp scaled.cpp", "sum.cpp --with scaled.cpp"})
    for (const char *function : {"sum", "squares"}) {
      const Outcome outcome = place.assay(std::string("check ") + words + " --plain --samples 1 --function " +
                                          function + " --arg 'vector[3]'");
      EXPECT_EQ(outcome.code, 0) << words << outcome.output << outcome.errors;
      EXPECT_THAT(outcome.last_line(), HasSubstr(" 0 failed, 0 undecided"));
    }
}

} // namespace
} // namespace assay::cli::test
