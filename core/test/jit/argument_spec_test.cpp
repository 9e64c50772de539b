// Would catch: specs that are misread, accepted although they mean nothing, or refused without the place of the error.

#include "core/jit/argument_spec.hpp"

#include <gtest/gtest.h>

namespace {

using namespace assay::jit;

std::size_t position_of_error(const char *text) {
  try {
    static_cast<void>(parse_argument_spec(text));
  } catch (const SpecError &error) {
    return error.position;
  }
  ADD_FAILURE() << text << " was accepted";
  return std::string::npos;
}

struct Refused {
  const char *text;
  std::size_t position;
};

void expect_refused(std::initializer_list<Refused> specs) {
  for (const auto &[text, position] : specs)
    EXPECT_EQ(position_of_error(text), position) << text;
}

TEST(ArgumentSpec, ReadsAPlainScalar) {
  const ArgumentSpec spec = parse_argument_spec("double");
  EXPECT_EQ(spec.type, Scalar::real64);
  EXPECT_FALSE(spec.is_pointer());
  EXPECT_FALSE(spec.constant);
  EXPECT_EQ(spec.domain, Domain());
}

TEST(ArgumentSpec, ReadsNumbersOfSixteenBits) {
  for (const char *name : {"half", "__half", "_Float16"})
    EXPECT_EQ(parse_argument_spec(std::string(name) + "[8]").type, Scalar::real16) << name;
  for (const char *name : {"bfloat16", "__bf16", "__nv_bfloat16", "nv_bfloat16"})
    EXPECT_EQ(parse_argument_spec(name).type, Scalar::brain16) << name;
  EXPECT_EQ(to_string(parse_argument_spec("const __half[2]=1,0.5")), "const half[2]=1,0.5");
  expect_refused({{"half:(1,1.0009)", 5}, {"bfloat16:(1,1.007)", 9}});
  EXPECT_NO_THROW(static_cast<void>(parse_argument_spec("half:(1,1.001)")));
  EXPECT_NO_THROW(static_cast<void>(parse_argument_spec("bfloat16:(1,1.008)")));
}

TEST(ArgumentSpec, ReadsExtentsOfSeveralDimensions) {
  const ArgumentSpec spec = parse_argument_spec("float[3x4]");
  EXPECT_EQ(spec.type, Scalar::real32);
  EXPECT_EQ(spec.extents, (std::vector<std::size_t>{3, 4}));
  EXPECT_EQ(spec.elements(), 12u);
}

TEST(ArgumentSpec, RefusesRangesWithoutANumber) {
  expect_refused({{"float:(1e-60,1e-50)", 6}, {"float:(1,1.00000001)", 6}, {"double:(1,1.0000000000000002)", 7}});
  EXPECT_NO_THROW(static_cast<void>(parse_argument_spec("double:(1e-60,1e-50)")));
  EXPECT_NO_THROW(static_cast<void>(parse_argument_spec("float:(1,1.0000002)")));
}

TEST(ArgumentSpec, ReadsAFixedIntegerAndItsSign) {
  EXPECT_EQ(parse_argument_spec("int=-8").integers, std::vector<std::int64_t>{-8});
  EXPECT_EQ(parse_argument_spec("long=9007199254740993").integers, std::vector<std::int64_t>{9007199254740993});
}

TEST(ArgumentSpec, ReadsOneValueForEachElement) {
  EXPECT_EQ(parse_argument_spec("double[3]=1,-2.5,3e-2").reals, (std::vector<double>{1, -2.5, 0.03}));
  EXPECT_EQ(parse_argument_spec("int[2]=4").integers, std::vector<std::int64_t>{4});
}

TEST(ArgumentSpec, ReadsHexadecimalFloatsExactly) {
  EXPECT_EQ(parse_argument_spec("double=-0x1.8p-3").reals, std::vector<double>{-0.1875});
}

TEST(ArgumentSpec, ReadsConstAndDomains) {
  EXPECT_TRUE(parse_argument_spec("const double[2]").constant);
  EXPECT_EQ(parse_argument_spec("double:positive").domain.low, 0);
  EXPECT_EQ(parse_argument_spec("double:unit").domain.high, 1);
  EXPECT_EQ(parse_argument_spec("double:nonzero").domain.kind, Domain::Kind::nonzero);
  const Domain interval = parse_argument_spec("float[2]:(-0.5, 2)").domain;
  EXPECT_EQ(interval.low, -0.5);
  EXPECT_EQ(interval.high, 2);
}

TEST(ArgumentSpec, PointsToTheFirstCharacterThatDoesNotFit) {
  expect_refused({{"dubble", 0},
                  {"double[8", 8},
                  {"double[-1]", 7},
                  {"double[3y4]", 8},
                  {"double=x", 7},
                  {"double:sometimes", 7},
                  {"double:(2,1)", 8},
                  {"double*", 6},
                  {"", 0}});
}

TEST(ArgumentSpec, RefusesIntegersWithoutAValueOrBeyondTheirRange) {
  expect_refused({{"int", 3}, {"int=3000000000", 4}, {"int=1.5", 5}, {"int=2:positive", 6}});
}

TEST(ArgumentSpec, RefusesIntegersThatTheirTypeDoesNotHold) {
  expect_refused({{"short=40000", 6},
                  {"unsigned char[2]=1,300", 19},
                  {"uint8_t=-1", 8},
                  {"bool=2", 5},
                  {"uint16_t={1,70000}", 12},
                  {"unsigned=-5..3", 9}});
}

TEST(ArgumentSpec, TakesTheNamesOfC) {
  for (const auto &[in_c, name] :
       std::vector<std::pair<std::string, std::string>>{{"unsigned char[4]=1", "uint8_t[4]=1"},
                                                        {"unsigned=7", "uint32_t=7"},
                                                        {"unsigned long long=7", "uint64_t=7"},
                                                        {"size_t=7", "uint64_t=7"},
                                                        {"long int=7", "long=7"},
                                                        {"const short[2]=1", "const int16_t[2]=1"},
                                                        {"signed char=-7", "int8_t=-7"},
                                                        {"unsigned char file=a b.npy", "uint8_t file=a b.npy"}})
    EXPECT_EQ(to_string(parse_argument_spec(in_c)), name) << in_c;
  expect_refused({{"long double", 0}, {"unsigned double", 0}, {"short float", 6}});
}

TEST(ArgumentSpec, RefusesAWrongNumberOfValues) {
  EXPECT_EQ(position_of_error("double[3]=1,2"), 10u);
}

TEST(ArgumentSpec, RefusesMoreElementsThanMemoryHolds) {
  EXPECT_EQ(position_of_error("double[99999999x99999999]"), 7u);
}

TEST(ArgumentSpec, WritesATextThatReadsBack) {
  const std::vector<std::string> names{"n", "lda", "m"};
  for (const char *text : {"double",
                           "const float[3x4]",
                           "int=8",
                           "double[2]=1.5,-0.1:(-2,3.25)",
                           "double:nonzero",
                           "long=-3",
                           "double[0]",
                           "int=1..40",
                           "int=n..n+3",
                           "int=2*n",
                           "int[m]=0..n-1",
                           "double[n*lda]",
                           "double[n x max(1,m)]:spd*1e-06",
                           "double:log(1e-30,1)",
                           "double[4]:unit,sorted",
                           "double:quantised(0.25)",
                           "double:any*1e-23",
                           "double[2]=1,2;3,4;5,6",
                           "int=3;7",
                           "uint8_t[3]=200,0,7",
                           "const int16_t[2]=-3..4",
                           "bool={0,1}",
                           "uint64_t=n",
                           "file=x.npy",
                           "const float file=a b.csv"}) {
    const ArgumentSpec spec = parse_argument_spec(text, names);
    EXPECT_EQ(to_string(spec), text);
    EXPECT_EQ(parse_argument_spec(to_string(spec), names), spec);
  }
}

TEST(ArgumentSpec, TellsAnExtentFromANameWithAnX) {
  const auto texts = [](const char *spec, const std::vector<std::string> &names) {
    std::vector<std::string> all;
    for (const IntegerFormula &formula : parse_argument_spec(spec, names).formulas)
      all.push_back(formula.text());
    return all;
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(texts("double[nxn]", {"n"}), (Texts{"n", "n"}));
  EXPECT_EQ(texts("double[nx4]", {"n"}), (Texts{"n", "4"}));
  EXPECT_EQ(texts("double[3xn]", {"n"}), (Texts{"3", "n"}));
  EXPECT_EQ(texts("double[nxn]", {"n", "nxn"}), (Texts{"nxn"}));
  EXPECT_EQ(texts("double[nxmaxx2]", {"nx", "nxmax"}), (Texts{"nxmax", "2"}));
  EXPECT_EQ(texts("double[x]", {"x"}), (Texts{"x"}));
}

TEST(ArgumentSpec, RepeatsAShorterListOfIntegersButNotOfReals) {
  EXPECT_EQ(parse_argument_spec("int[50]=0,1,2,3").integers.size(), 4u);
  EXPECT_EQ(position_of_error("int[2]=0,1,2"), 7u);
}

TEST(ArgumentSpec, RefusesDomainsThatContradictThemselves) {
  expect_refused({{"double[3x3]:spd,positive", 16},
                  {"double:positive,unit", 16},
                  {"double:log(0,1)", 7},
                  {"double:quantised(0)", 7},
                  {"double:positive*-1", 16},
                  {"double:spd", 7},
                  {"int=5..2", 4}});
}

TEST(ArgumentSpec, ReadsAPlaceInTheMemoryOfAnother) {
  const ArgumentSpec spec = parse_argument_spec("const double[8] alias=x+3");
  EXPECT_TRUE(spec.constant);
  EXPECT_EQ(spec.elements(), 8u);
  EXPECT_EQ(spec.alias->of, "x");
  EXPECT_EQ(spec.alias->offset.text(), "3");
  EXPECT_EQ(parse_argument_spec("double[8] alias=$2").alias->of, "$2");
  EXPECT_EQ(parse_argument_spec("double[n] alias = x + n - 1", {"n"}).alias->offset.text(), "n-1");
  for (const char *text : {"double[8] alias=x+3", "float[3x4] alias=$2", "double[n] alias=x+n-1"})
    EXPECT_EQ(to_string(parse_argument_spec(text, {"n"})), text);
  EXPECT_EQ(to_string(parse_argument_spec("double[8] alias=x+0")), "double[8] alias=x");
}

TEST(ArgumentSpec, RefusesPlacesThatAreNone) {
  expect_refused({{"double alias=x", 7},
                  {"double[8] alias=", 16},
                  {"double[8] alias=2", 16},
                  {"double[8] alias=$x", 16},
                  {"double[8] alias=x-1", 17},
                  {"double[8] alias=x=1", 17},
                  {"double[8] alias=x:positive", 17},
                  {"double[8] alias", 10}});
}

TEST(ArgumentSpec, ReadsASetOfIntegers) {
  const ArgumentSpec spec = parse_argument_spec("int={-2, 1,n+1}", {"n"});
  ASSERT_EQ(spec.choices.size(), 3u);
  EXPECT_EQ(spec.choices[2].text(), "n+1");
  EXPECT_EQ(to_string(spec), "int={-2,1,n+1}");
  EXPECT_EQ(parse_argument_spec(to_string(spec), {"n"}), spec);
  expect_refused({{"int={}", 5},
                  {"int={1,2", 8},
                  {"int={1..2}", 6},
                  {"int={1,3000000000}", 7},
                  {"int[2]={1,2}", 7},
                  {"double={1,2}", 7}});
}

} // namespace
