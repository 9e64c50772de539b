// Rules that do not fit are refused with a sentence: by the compiler where the types tell, by the plugin where the
// program does. A compilation says all that is wrong with it, so there are few of them.
#include "core/test/support/compile_and_run.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using assay::test::Language;
using assay::test::Plugin;
using testing::AllOf;
using testing::HasSubstr;

namespace {

const std::string beginning = R"(
#include <assay/autodiff.hpp>
#include <assay/rules.hpp>
#include <string>
using namespace assay;
double square(double x) { return x * x; }
double product(double x, double y) { return x * y; }
double norm(const std::vector<double> &x) { return x[0]; }
double pop(std::vector<double> &x) { x[0] = 0; return x[1]; }
void clear(double &x) { x = 0; }
struct Right {
  static auto reverse(const auto &, auto dy, auto, auto x) { return 2 * x.value * dy; }
};
)";

std::string errors_of(const std::string &source, Plugin plugin) {
  std::vector<std::string> flags{"-std=c++20", "-ferror-limit=0"};
  if (plugin == Plugin::absent)
    flags.emplace_back("-fsyntax-only");
  return assay::test::compile({.source = beginning + source,
                               .language = Language::cpp,
                               .level = "-O0",
                               .flags = flags,
                               .plugin = plugin})
      .err;
}

/// Each rule has one fault.
const std::string &errors_of_types() {
  static const std::string errors = errors_of(R"(
ASSAY_RULE(Right, square);

struct OfNothing {};
ASSAY_RULE(OfNothing, square);

struct Declared;
ASSAY_RULE(Declared, square);

struct NoReverse {
  static auto augmented_primal(const auto &, auto x) { return AugmentedReturn{x.value}; }
  static auto forward(const auto &, auto x) { return Duplicated{x.value, 0.0}; }
};
ASSAY_RULE(NoReverse, square);

struct ForwardOfTwo {
  static auto forward(const auto &, auto x, auto) { return Duplicated{x.value, 0.0}; }
};
ASSAY_RULE(ForwardOfTwo, square);

struct ReverseOfNone {
  static void reverse(const auto &, auto, auto) {}
};
ASSAY_RULE(ReverseOfNone, square);

struct PlainPrimal {
  static auto augmented_primal(const auto &, auto x) { return x.value; }
  static auto reverse(const auto &, auto dy, auto, auto x) { return 2 * x.value * dy; }
};
ASSAY_RULE(PlainPrimal, square);

struct NoPrimal {
  static auto augmented_primal(const auto &, auto) { return AugmentedReturn<>{}; }
  static auto reverse(const auto &, auto dy, auto, auto x) { return 2 * x.value * dy; }
};
ASSAY_RULE(NoPrimal, square);

struct NoTangent {
  static auto forward(const auto &, auto x) { return x.value; }
};
ASSAY_RULE(NoTangent, square);

struct OfVariables {
  static auto forward(const auto &, auto x) {
    const double y = x.value * x.value, dy = 2 * x.value * x.shadow();
    return Duplicated{y, dy};
  }
};
ASSAY_RULE(OfVariables, square);

struct TooFew {
  static auto reverse(const auto &, auto dy, auto, auto, auto y) { return std::tuple{dy * y.value}; }
};
ASSAY_RULE(TooFew, product);

struct ReturnsContainer {
  static auto reverse(const auto &, auto, auto, auto x) { return std::tuple{x.value}; }
};
ASSAY_RULE(ReturnsContainer, norm);

struct OneTangent {
  static auto forward(const auto &, auto x) { return Duplicated{x.value[1], x.shadow()[1]}; }
};
ASSAY_RULE(OneTangent, pop);

constexpr auto pair = [](std::vector<double> &x) {
  return std::pair{x[1], [](double) { return std::tuple{None{}}; }};
};
ASSAY_RULE(rules::import_rrule<pair>, pop);

constexpr auto no_pair = [](double x) { return x; };
ASSAY_RULE(rules::import_rrule<no_pair>, square);

constexpr auto short_pullback = [](double x) { return std::pair{x, [](double) { return std::tuple{}; }}; };
ASSAY_RULE(rules::import_rrule<short_pullback>, square);

struct ReturnsNumbers {
  static auto reverse(const auto &, auto, auto, auto x) { return std::vector<double>{1}; }
};
ASSAY_RULE(ReturnsNumbers, norm);

struct OtherValue {
  static auto augmented_primal(const auto &, auto) { return AugmentedReturn{std::string(), None{}, None{}}; }
  static auto reverse(const auto &, auto dy, auto, auto x) { return 2 * x.value * dy; }
};
ASSAY_RULE(OtherValue, square);

struct OtherTangent {
  static auto forward(const auto &, auto x) { return Duplicated{x.value, std::string()}; }
};
ASSAY_RULE(OtherTangent, square);

struct ValueOfNothing {
  static auto forward(const auto &, auto) { return 1.0; }
};
ASSAY_RULE(ValueOfNothing, clear);

constexpr auto of_two = [](double x, double) { return std::pair{x, [](double dy) { return std::tuple{dy}; }}; };
ASSAY_RULE(rules::import_rrule<of_two>, square);

constexpr auto without_pullback = [](double x) { return std::pair{x, x}; };
ASSAY_RULE(rules::import_rrule<without_pullback>, square);

ASSAY_RULE(Right);
ASSAY_RULE(Right, 7);

struct Mixed {
  float a;
  int b;
};
float weight(Mixed m) { return m.a * m.b; }
struct OfMixed {
  static void reverse(const auto &, auto dy, auto, auto m) { m.shadow().a += dy * m.value.b; }
};
ASSAY_RULE(OfMixed, weight);

std::optional<float> maybe(float x) { return x; }
struct OfMaybe {
  static void reverse(const auto &, auto dy, auto, auto x) { x.shadow() += *dy(0); }
};
ASSAY_RULE(OfMaybe, maybe);

std::variant<int, double> either(double x) { return x; }
struct OfEither {
  static void reverse(const auto &, auto dy, auto, auto x) { x.shadow() += std::get<1>(dy(0)); }
};
ASSAY_RULE(OfEither, either);

constexpr auto text_pullback = [](double x) { return std::pair{x, [](double) { return std::tuple{std::string()}; }}; };
ASSAY_RULE(rules::import_rrule<text_pullback>, square);

constexpr auto pullback_of_text = [](double x) {
  return std::pair{x, [](const char *) { return std::tuple{1.0}; }};
};
ASSAY_RULE(rules::import_rrule<pullback_of_text>, square);
constexpr auto pullback_of_nothing = [](double x) { return std::pair{x, [](double) {}}; };
ASSAY_RULE(rules::import_rrule<pullback_of_nothing>, square);
constexpr auto number_for_vector = [](const std::vector<double> &x) {
  return std::pair{x[0], [](double dy) { return std::tuple{dy}; }};
};
ASSAY_RULE(rules::import_rrule<number_for_vector>, norm);

struct Two { double a, b; };
Two both(double x) { return {x, x}; }
constexpr auto number_as_tangent = [](const auto &, double x) { return std::pair{both(x), 1.0}; };
ASSAY_RULE(rules::import_frule<number_as_tangent>, both);
std::vector<double> one(double x) { return {x}; }
struct NumberAsContainer {
  static auto augmented_primal(const auto &, auto x) { return AugmentedReturn{x.value}; }
  static void reverse(const auto &, const auto &, None, auto) {}
};
ASSAY_RULE(NumberAsContainer, one);
constexpr auto tangent_as_number = [](double tangent, double x) { return std::pair{x, tangent}; };
ASSAY_RULE(rules::import_frule<tangent_as_number>, square);

struct AppliesToArguments : Right {
  static bool applies(const auto &, auto) { return true; }
};
ASSAY_RULE(AppliesToArguments, square);

struct Final final {
  static auto reverse(const auto &, auto dy, auto, auto) { return dy; }
};
ASSAY_RULE(Final, square);
struct Unfinished {
  double factor;
  double apply(double x) { return factor * x; }
  ASSAY_RULE(Right, &Unfinished::apply);
};

double variable = 1;
ASSAY_RULE(Right, variable);

constexpr auto lambda = [](double x) { return x; };
ASSAY_RULE(Right, lambda);
)",
                                              Plugin::absent);
  return errors;
}

TEST(RuleErrors, AreNotSaidOfRightRules) {
  EXPECT_THAT(errors_of_types(), testing::Not(HasSubstr("'Right, &square'")));
}

/// What follows from a rule that is refused is not said as well.
TEST(RuleErrors, AreNotFollowedByOthers) {
  EXPECT_THAT(errors_of_types(), testing::Not(HasSubstr("is not an integral constant expression")));
  EXPECT_THAT(errors_of_types(), testing::Not(HasSubstr("static_cast")));
  EXPECT_THAT(errors_of_types(), testing::Not(HasSubstr("is marked 'final'")));
  EXPECT_THAT(errors_of_types(), testing::Not(HasSubstr("no matching function for call to 'registered'")));
}

/// Of a name that is not declared the compiler itself says all there is to say.
TEST(RuleErrors, OfNamesThatAreNotDeclared) {
  const std::string errors = errors_of("ASSAY_RULE(Wrong, square);", Plugin::absent);
  EXPECT_THAT(errors, HasSubstr("use of undeclared identifier 'Wrong'"));
  EXPECT_EQ(errors.find(" error: "), errors.rfind(" error: ")) << errors;
}

struct Sentence {
  std::string name, text;
};
class RuleErrorsOfTypes : public testing::TestWithParam<Sentence> {};

TEST_P(RuleErrorsOfTypes, AreSentences) {
  EXPECT_THAT(errors_of_types(), HasSubstr(GetParam().text));
}

INSTANTIATE_TEST_SUITE_P(
    , RuleErrorsOfTypes,
    testing::Values(
        Sentence{"OfNothing", "the rule has neither forward nor reverse"},
        Sentence{"OnlyDeclared", "the rule is declared here and not defined: include the header with its body first"},
        Sentence{"WithoutReverse", "the rule has an augmented_primal and no reverse"},
        Sentence{"ForwardOfOtherArguments", "the rule's forward does not fit the function"},
        Sentence{"ReverseOfOtherArguments", "the rule's reverse does not fit the function"},
        Sentence{"AugmentedPrimalOfANumber", "augmented_primal returns AugmentedReturn{primal, shadow, tape}"},
        Sentence{"AugmentedPrimalOfNothing", "the function returns a value, and the rule's augmented_primal does not"},
        Sentence{"ForwardOfANumber", "the rule's forward returns Duplicated{value, tangent}"},
        Sentence{"OfVariables", "write Duplicated{std::move(y), std::move(dy)}"},
        Sentence{"TooFewDerivatives", "returns a std::tuple with one derivative for each parameter"},
        Sentence{"ContainerReturned",
                 "reverse returns None for what is no number, and no object that Active takes, and adds to its shadow"},
        Sentence{"OneTangent", "the function writes to its arguments: return config.each_lane"},
        Sentence{"PairForWriter", "a rule made of a pair (value, pullback) or (value, tangent) says nothing of that"},
        Sentence{"NoPair", "the function of an imported rule returns a pair: {value, pullback} for import_rrule"},
        Sentence{"ShortPullback", "the pullback returns a tuple with one cotangent for each argument"},
        Sentence{"ValueOfAnotherType", "the rule gives a value of another type than the function returns"},
        Sentence{"TangentOfAnotherType", "gives a tangent or shadow of another type than the function returns"},
        Sentence{"ValueOfNothing", "the function returns nothing, and so does the rule's forward"},
        Sentence{"PairOfOtherArguments", "the function of an imported rule takes what the function takes"},
        Sentence{"NoPullback", "the second of the pair of import_rrule is the pullback"},
        Sentence{"NumbersReturned",
                 "static assertion failed due to requirement 'has_gradients': assay: the rule's reverse returns a"},
        Sentence{"NoFunctions", "ASSAY_RULE takes a rule and the functions that it is for"},
        Sentence{"NoFunction", "a rule is for a function or a member function"},
        Sentence{"MixedRegister", "a number and an integer share a register"},
        Sentence{"MixedOptional", "mixes_registers<std::optional<float>>()"},
        Sentence{"MixedVariant", "mixes_registers<std::variant<int, double>>()"},
        Sentence{"PullbackOfText", "a function of the adjoint of the result, which is a double; this one takes (const "
                                   "char *)"},
        Sentence{"PullbackOfNothing", "the arguments are (double), and this one returns void"},
        Sentence{"NumberForVector", "an object of its shape; that of a std::vector<double> is a double"},
        Sentence{"NumberAsTangent", "of another type than the function returns: double instead of Two"},
        Sentence{"NumberAsContainer",
                 "of another type than the function returns: double instead of std::vector<double>"},
        Sentence{"TangentAsNumber", "this one takes (double, double), and is given (std::tuple<double>, double)"},
        Sentence{"TextAsCotangent", "the derivative of a number that a rule returns is a number"},
        Sentence{"FinalClass", "a rule is a class that is not final"},
        Sentence{"InItsClass", "ASSAY_RULE stands where a class is not complete"},
        Sentence{"AppliesToArguments", "the rule's applies does not fit: it is static bool applies"},
        Sentence{"Lambda", "&Lambda::operator() with using Lambda = decltype(f)"}),
    [](const testing::TestParamInfo<Sentence> &info) { return info.param.name; });

// ---- what the plugin says ----

TEST(RuleErrors, OfTwoRulesForOneFunction) {
  EXPECT_THAT(errors_of(R"(
struct Other : Right {};
ASSAY_RULE(Right, square);
ASSAY_RULE(Other, square);
ASSAY_RULE(rules::import_rrule<[](double x, double y) {
  return std::pair{x * y, [](double) { return std::tuple{0.0, 0.0}; }};
}>, product);
double slope(double x, double dx, double y, double dy) { return y * dx + x * dy; }
void *__enzyme_register_derivative_product[] = {(void *)product, (void *)slope};
int main() { (void)autodiff<Reverse>(square, Active{3.0}); }
)",
                        Plugin::loaded),
              AllOf(HasSubstr("has two rules, '"),
                    HasSubstr("and a registration table of the C convention: keep one of them")));
}

TEST(RuleErrors, OfRulesThatDecline) {
  EXPECT_THAT(errors_of(R"(
int switched = 1;
struct ByValue : Right {
  static bool applies(const auto &) { return switched == 1; }
};
ASSAY_RULE(ByValue, square);
double elsewhere(double x);
struct Never : Right {
  static bool applies(const auto &) { return false; }
};
ASSAY_RULE(Never, elsewhere);
int main() {
  (void)autodiff<Reverse>(square, Active{3.0});
  (void)autodiff<Reverse>(elsewhere, Active{3.0});
}
)",
                        Plugin::loaded),
              AllOf(HasSubstr("'applies' may only ask its configuration"),
                    HasSubstr("the rule 'Never' declines here, and the function 'elsewhere(double)' has no body")));
}

TEST(RuleErrors, OfConstantsThatAFunctionWritesByReferenceToConst) {
  EXPECT_THAT(errors_of(R"(
struct View { double *data; int n; };
void scale(const View &v, double f) {
  for (int i = 0; i < v.n; ++i)
    v.data[i] *= f;
}
struct Scale {
  static void reverse(const auto &, const auto &, None, auto v, auto f) {}
};
ASSAY_RULE(Scale, scale);
double scaled(double *w, double f) { scale(View{w, 2}, f); return w[0] * w[1]; }
int main() {
  double w[2] = {2, 5};
  (void)autodiff<Reverse>(scaled, Const{&w[0]}, Active{1.5});
}
)",
                        Plugin::loaded),
              HasSubstr("memory that is declared constant is used where a derivative may be stored"));
}

/// What a header's functions would differentiate is not known in a file that does not call them.
TEST(RuleErrors, AreNotSaidOfHeadersThatDifferentiateWhatTheyAreGiven) {
  EXPECT_EQ(errors_of(R"(
#include <assay/rules/root.hpp>
#include <functional>
inline double root_of(double (*f)(double, double), double p) { return rules::root(f, 1.0, p); }
inline double root_of(const std::function<double(double, double)> &f, double p) { return rules::root(f, 1.0, p); }
int main() { (void)autodiff<Reverse>(square, Active{3.0}); }
)",
                      Plugin::loaded),
            "");
}

TEST(RuleErrors, OfRulesThatNothingUses) {
  const std::string warnings = errors_of(R"(
ASSAY_RULE(Right, square);
double lonely(double x) { return x * x; }
struct Unused : Right {};
ASSAY_RULE(Unused, lonely);
int main() { (void)autodiff<Reverse>(square, Active{3.0}); }
)",
                                         Plugin::loaded);
  EXPECT_THAT(warnings, HasSubstr("the rule 'Unused' is not used: nothing that is differentiated in this file calls "
                                  "'lonely(double)'"));
  EXPECT_THAT(warnings, testing::Not(HasSubstr("'Right' is not used")));
}

} // namespace
