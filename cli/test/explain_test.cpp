// `assay explain`, as users run it: why is my tape large, why is this constant, why does it ask for runtime activity.

#include "cli/test/run_command.hpp"

#include <algorithm>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

namespace {

using assay::cli::test::Outcome;
using assay::cli::test::Workplace;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

/// Lines 1 to 7 are `chain`, 8 to 11 `scaled`, 12 to 15 `either`.
constexpr const char *program = R"(#include <math.h>
double chain(const double *x, int n, int m) {
  double s = 1;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j)
      s = sin(s) * x[j];
  return s; }
double scaled(double x, double y) {
  double scale = y * y + 1;
  double unused = x * 3;
  return unused > 1 ? x * scale : scale; }
void either(double *x, double *c, int flag, double *out) {
  double *p = flag ? x : c;
  for (int i = 0; i < 4; ++i)
    out[i] = p[i] *= p[i]; }
static double parts(double x) { return x * x; }
struct pair { double first, second; };
double product(struct pair *p) { return p->first * p->second; }
)";

class Explain : public testing::Test {
protected:
  Explain() { place.write("program.c", program); }
  Outcome explain(const std::string &words) const { return place.assay("explain program.c " + words); }
  std::string contents(const std::string &name) const {
    std::ostringstream text;
    text << std::ifstream(place.path() / name).rdbuf();
    return text.str();
  }
  Workplace place;
};

/// Lines 3 to 5 read places of the thread and its neighbours, line 6 one that all threads read.
constexpr const char *kernel = R"(__global__ void blur(const float *x, const float *w, float *y, float *most) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float left = x[i];
  float here = x[i + 1];
  float right = x[i + 2];
  float sum = w[0] * left + w[1] * here + w[2] * right;
  y[i] = sum * sum;
  atomicAdd(most, fmaxf(sum, 0.5f * here));
}
)";

// Would catch: a way of adding that is only chosen while code is written, and seen nowhere.
TEST_F(Explain, SaysHowAKernelAddsToSharedMemory) {
  place.write("kernel.cu", kernel);
  const Outcome outcome = place.assay("explain kernel.cu --function blur");
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("  adjoints in memory that threads share\n"));
  EXPECT_THAT(
      outcome.output,
      HasSubstr("left (line 3), here (line 4), right (line 5): 3 numbers at bytes 0, 4, 8, added by one shifted "
                "sum of a warp, unless the memory is the thread's own\n"));
  EXPECT_THAT(outcome.output, HasSubstr("*w (line 6), w[1] (line 6), w[2] (line 6): 3 numbers at bytes 0, 4, 8, added "
                                        "by one grouped sum of a warp, unless the memory is the thread's own\n"));
  EXPECT_THAT(outcome.output,
              testing::ContainsRegex(
                  "atomic sum of .* \\(line 8, inlined from .*\\): its adjoint reads the shadow of its place\n"));
  EXPECT_THAT(outcome.output, testing::ContainsRegex("maximum .*: its adjoint reads which operand was taken\n"));
}

TEST_F(Explain, GivesTheSumsOfAKernelAsJsonAndOnThePage) {
  place.write("kernel.cu", kernel);
  const Outcome outcome = place.assay("explain kernel.cu --function blur --plan --json --html page.html");
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  const json derivative = json::parse(outcome.output)["functions"][0]["derivatives"][0];
  const json &sums = derivative["sums"];
  ASSERT_EQ(sums["groups"].size(), 2U) << sums.dump(2);
  EXPECT_EQ(sums["groups"][0]["unless_local"], true);
  std::map<std::string, std::vector<int>> offsets;
  for (const json &load : sums["loads"]) {
    EXPECT_EQ(load["add"], "atomic unless local");
    offsets[sums["groups"][load["group"].get<std::size_t>()]["kind"]].push_back(load["offset"]);
  }
  EXPECT_EQ(offsets["grouped"], (std::vector{0, 4, 8}));
  EXPECT_EQ(offsets["shifted"], (std::vector{0, 4, 8}));
  ASSERT_EQ(sums["updates"].size(), 2U);
  EXPECT_EQ(sums["updates"][0]["form"], "atomic sum of");
  EXPECT_EQ(sums["updates"][0]["place"]["inlined_at"], 8);
  const std::vector<std::string> plan = derivative["plan"];
  EXPECT_THAT(plan, testing::Contains(testing::StartsWith("shifted sum of a warp unless local: ")));
  EXPECT_THAT(contents("page.html"), HasSubstr("<h3>Adjoints in memory that threads share</h3>"));
  EXPECT_THAT(contents("page.html"), HasSubstr("added by one grouped sum of a warp"));
}

Outcome explain_trial(const std::string &words) {
  return Workplace().assay(std::string("explain ") + ASSAY_PROGRAMS + "/explained_" + words);
}

// Three programs that were explained without a look at the engine: what the answers lacked.

// Would catch: three loops of one template that cannot be told apart.
TEST(ExplainTrials, TellsInlinedLoopsApart) {
  const Outcome outcome = explain_trial("kalman_filter.cpp --function log_likelihood");
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr(" in the inner loop at line 16, inlined at line 63: 32 in each iteration"));
  EXPECT_THAT(outcome.output, HasSubstr(" in the inner loop at line 16, inlined at line 82: 32 in each iteration"));
}

// Would catch: a multiply-add that is said to be too costly to compute again, by the name of an intrinsic.
TEST(ExplainTrials, GivesTheReasonOfWhatIsCheapToCompute) {
  const Outcome outcome = explain_trial("adaptive_steps.cpp --function final_position");
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("+ y._M_start[1] (line 28): it is less to keep than what it is computed from"));
  EXPECT_THAT(outcome.output, Not(HasSubstr("fmuladd")));
}

// Would catch: the result, which is y[0] or y0, called y0 alone.
TEST(ExplainTrials, NamesNoJoinedValueAfterAnArgument) {
  const Outcome outcome = explain_trial("adaptive_steps.cpp --function final_position --why factor");
  EXPECT_THAT(outcome.output, HasSubstr("-> *y._M_start (line 52) -> the result of the function\n"));
}

// Would catch: an unused variable that seems to be misspelt.
TEST(ExplainTrials, SaysThatTheOptimiserRemovesVariables) {
  const Outcome outcome = explain_trial("adaptive_steps.cpp --function final_position --why rejected");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.errors, HasSubstr("is called 'rejected'; the optimiser may have removed it, or joined it"));
}

// Would catch: names of the engine's own functions, and `a value joined at line 46 (line 46)`.
TEST(ExplainTrials, SpeaksOfTheProgramAlone) {
  const Outcome outcome = explain_trial("tree_of_records.c --function energy");
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_THAT(outcome.output,
              HasSubstr("8 root->mass (line 14): the release of memory at line 47 may overwrite its memory"));
  EXPECT_THAT(outcome.output,
              HasSubstr("its place may hold a number at other times, and then an adjoint stands there"));
  EXPECT_THAT(outcome.output, HasSubstr("8 a value joined at line 46: it depends on the branch"));
  EXPECT_THAT(outcome.output, Not(HasSubstr("assay.")));
}

// Would catch: constant and active memory that meet in a record, without a word of where.
TEST(ExplainTrials, SaysWhereAConstantAddressIsStored) {
  const Outcome outcome = explain_trial("tree_of_records.c --function energy --activities dup,const,const,const,const");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.output,
              HasSubstr("the address of 'weights' is stored among pointers to other memory (line 34)\n"));
  EXPECT_THAT(outcome.output, HasSubstr("-> the memory of 'weights', the variable 'place' and the memory of 'nodes'"));
}

// Would catch: what is kept for a rule, read off the code that was written for it and shown nowhere.
TEST_F(Explain, PlansTheCallsOfRules) {
  place.write("rule.cpp", "#include <assay/rules.hpp>\n"
                          "double cube(double x, double) { return x * x * x; }\n"
                          "struct CubeRule {\n"
                          "  static auto augmented_primal(const auto &, auto x, auto) {\n"
                          "    return assay::AugmentedReturn{cube(x.value, 0)};\n"
                          "  }\n"
                          "  static auto reverse(const auto &, auto dy, assay::None, auto x, auto) {\n"
                          "    return std::tuple(3 * x.value * x.value * dy, 0.0);\n"
                          "  }\n"
                          "};\n"
                          "ASSAY_RULE(CubeRule, cube);\n"
                          "double f(double x, double y) { return cube(x, y); }\n");
  const Outcome outcome = place.assay("explain rule.cpp --function f --plan");
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_THAT(outcome.output,
              HasSubstr("\nrule CubeRule, forward in place, reverse in place, keeps argument 1 and 3: "));
}

// Would catch: a store that is said to overwrite what it overwrites only where the arguments overlap.
TEST_F(Explain, SaysWhatATestOfOverlapDecides) {
  place.write("norm.c", "void norm(double *x, const double *w, int n) {\n"
                        "  for (int i = 0; i < n; ++i) {\n"
                        "    double s = 0;\n"
                        "    for (int k = 0; k < 8; ++k)\n"
                        "      s += x[k] * x[k] * w[k];\n"
                        "    x[0] = s; } }\n");
  const Outcome outcome = place.assay("explain norm.c --function norm --values");
  EXPECT_THAT(outcome.output,
              HasSubstr("recomputed: nothing overwrites its memory before it is read again, unless a test finds that "
                        "the store at line 6 does: then that is restored on the way back\n"));
  EXPECT_THAT(outcome.output, HasSubstr("; what the program stored is put there again in the end\n"));
  EXPECT_THAT(place.assay("explain norm.c --function norm --plan").output,
              HasSubstr("\nrestored on overlap 0, done again from a log: store "));
}

// Would catch: eight lines that say the same of the copies of an unrolled loop.
TEST_F(Explain, TellsOfEqualCopiesOnce) {
  place.write("copies.c", "#include <math.h>\n"
                          "double copies(double x) {\n"
                          "  for (int i = 0; i < 4; ++i)\n"
                          "    x = sin(x) + 1;\n"
                          "  return x; }\n");
  const Outcome outcome = place.assay("explain copies.c --function copies --mode split");
  EXPECT_THAT(outcome.output, HasSubstr("3 times 8 x (line 4): "));
}

// Would catch: the halves of a split derivative that are asked for in different ways, told of twice.
TEST_F(Explain, TellsOfEqualDerivativesOnce) {
  const Outcome outcome = explain("--function scaled --mode split");
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  const std::size_t first = outcome.output.find("scaled(");
  EXPECT_NE(first, std::string::npos);
  EXPECT_EQ(outcome.output.find("scaled(", first + 1), std::string::npos) << outcome.output;
}

// Would catch: a plan that is not printed whole, in the engine's own terms.
TEST_F(Explain, PrintsThePlan) {
  const Outcome outcome = explain("--function chain --arg 'double[4]' --arg int=10 --arg int=4 --plan");
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("chain(dup x, const n, const m) -> active, reverse\n"));
  EXPECT_THAT(outcome.output, HasSubstr("\ntape: "));
  EXPECT_THAT(outcome.output, HasSubstr("\nclosed form: "));
  EXPECT_THAT(outcome.output,
              testing::ContainsRegex("segment of %[^ ]+: 16 \\* iterations of %[^ ]+ \\* iterations of %"));
  EXPECT_THAT(explain("--function scaled --mode forward --plan").output, HasSubstr("forward mode has no plan"));
}

// Would catch: a tape without the loop that makes it large, its size, or the reason.
TEST_F(Explain, AnswersWhyTheTapeIsLarge) {
  const Outcome outcome = explain("--function chain --arg 'double[4]' --arg int=10 --arg int=4");
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("chain(dup x, const n, const m) -> active, reverse"));
  EXPECT_THAT(outcome.output, HasSubstr("= 640 in the inner loop at line 5: 16 in each iteration"));
  EXPECT_THAT(outcome.output,
              HasSubstr("8 s (line 6): each iteration of the loop at line 5 computes it from the one "
                        "before, by no fixed step\n        needed for the derivative of sin(s) (line 6)"));
}

TEST_F(Explain, WritesTheTapeAsAFormulaWithoutValues) {
  const Outcome outcome = explain("--function chain");
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("  tape: 16 * n * m bytes\n"));
}

TEST_F(Explain, AnswersWhyAValueIsConstant) {
  const Outcome input = explain("--function scaled --activities active,const --why scale");
  EXPECT_EQ(input.code, 0) << input.errors;
  EXPECT_THAT(input.output, HasSubstr("scale (line 9)\n  type: double\n  constant: no active input reaches it; it "
                                      "depends on 'y', which is constant"));
  const Outcome output = explain("--function scaled --why unused:10");
  EXPECT_THAT(output.output, HasSubstr("constant: no active output depends on it"));
  EXPECT_THAT(output.output, HasSubstr("from an input: the argument 'x' (line 8) -> unused (line 10)"));
}

TEST_F(Explain, AnswersWhyItAsksForRuntimeActivity) {
  const std::string request = "--function either --activities dup,const,const,dup";
  for (const char *mode : {"reverse", "forward", "split"}) {
    const Outcome outcome = explain(request + " --mode " + mode);
    EXPECT_EQ(outcome.code, 1) << mode;
    EXPECT_THAT(outcome.output, HasSubstr("no derivative: ")) << mode;
    EXPECT_THAT(outcome.output, HasSubstr("'c' (argument 2) was declared constant (line 12)\n"
                                          "    one pointer may mean 'x' or 'c' (line 13)\n"))
        << mode;
  }
  EXPECT_EQ(explain(request + " --runtime-activity").code, 0);
}

TEST_F(Explain, NamesInputsThatTakeNoPart) {
  place.write("idle.c", "double idle(double x, double y) { return x * x; }\n");
  const Outcome outcome = place.assay("explain idle.c --function idle");
  EXPECT_THAT(outcome.output, HasSubstr("'y' is active, but no active output depends on it (line 1)"));
}

TEST_F(Explain, TakesFunctionsThatCheckCannotCall) {
  const Outcome members = explain("--function product --why 'p->first'");
  EXPECT_EQ(members.code, 0) << members.errors;
  EXPECT_THAT(members.output, HasSubstr("p->first (line 18)"));
  EXPECT_EQ(explain("--function parts").code, 0) << "an unused static function";
}

// Would catch: names as the linker or the standard library has them.
TEST_F(Explain, NamesTemplatesAndMembersAsTheSourceDoes) {
  place.write("model.cpp", R"(#include <cmath>
struct Layer { int width; struct { double *values; } weights; };
namespace model {
template <class T> T energy(const Layer &layer, T x) {
  for (int i = 0; i < layer.width; ++i)
    x = std::sin(x) * layer.weights.values[i];
  return x;
}
}
double use(const Layer &layer) { return model::energy<double>(layer, 1.0); }
)");
  const Outcome outcome = place.assay("explain model.cpp --function 'model::energy<double>'");
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("model::energy<double>(dup layer, active x) -> active, reverse"));
  EXPECT_THAT(outcome.output, HasSubstr("for the derivative of sin(x) * layer->weights.values[i] (line 6)"));
}

TEST_F(Explain, ListsAllValues) {
  const Outcome outcome = explain("--function scaled --values");
  EXPECT_EQ(outcome.code, 0);
  for (const char *part : {"scale ", "unused ", "x ", "active", "constant"})
    EXPECT_THAT(outcome.output, HasSubstr(part));
}

// Would catch: JSON that a program cannot read, or that leaves out what the text says.
TEST_F(Explain, IsJson) {
  const Outcome outcome = explain("--function chain --arg 'double[4]' --arg int=10 --arg int=4 --json");
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  const json document = json::parse(outcome.output);
  const json &derivative = document.at("functions").at(0).at("derivatives").at(0);
  EXPECT_EQ(derivative.at("tape").at("value"), 640);
  EXPECT_EQ(derivative.at("mode"), "reverse");
  std::size_t taped = 0;
  for (const json &value : derivative.at("values")) {
    for (const char *key : {"name", "ir", "place", "kind", "type", "activity", "storage"})
      EXPECT_TRUE(value.contains(key)) << key << " of " << value;
    taped += value.at("storage").at("kind") == "taped";
  }
  EXPECT_EQ(taped, 2u);
  std::int64_t bytes = derivative.at("tape").at("bytes_once");
  for (const json &loop : derivative.at("loops"))
    bytes += loop.at("tape").at("value").get<std::int64_t>();
  EXPECT_EQ(bytes, 640) << "the loops do not add up to the tape";
}

/// Each opening tag has its closing one, in the right order.
void expect_well_formed(const std::string &page) {
  std::vector<std::string> open;
  for (std::size_t at = page.find('<'); at != std::string::npos; at = page.find('<', at + 1)) {
    const std::size_t end = page.find('>', at);
    ASSERT_NE(end, std::string::npos);
    const std::string tag = page.substr(at + 1, page.find_first_of(" >\n", at) - at - 1);
    if (tag.starts_with("!") || tag == "meta")
      continue;
    if (!tag.starts_with("/")) {
      open.push_back(tag);
      continue;
    }
    ASSERT_FALSE(open.empty()) << tag;
    ASSERT_EQ("/" + open.back(), tag) << page.substr(at > 200 ? at - 200 : 0, 240);
    open.pop_back();
  }
  EXPECT_TRUE(open.empty());
}

TEST_F(Explain, WritesAPageWithTheSource) {
  const Outcome outcome = explain("--function chain --html page.html");
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  const std::string page = contents("page.html");
  EXPECT_THAT(page, HasSubstr("s = sin(s) * x[j];"));
  EXPECT_THAT(page, HasSubstr("16 bytes of tape"));
  EXPECT_THAT(page, HasSubstr("for (int j = 0; j &lt; m; ++j)")) << "the source is not escaped";
  EXPECT_THAT(page, HasSubstr("class=\"code taped\""));
  EXPECT_THAT(page, Not(HasSubstr("{{")));
  EXPECT_THAT(page, Not(HasSubstr("http"))) << "a page is one file";
  expect_well_formed(page);
}

TEST_F(Explain, WritesAPageOfARefusal) {
  explain("--function either --activities dup,const,const,dup --html page.html");
  const std::string page = contents("page.html");
  EXPECT_THAT(page, HasSubstr("No derivative."));
  EXPECT_THAT(page, HasSubstr("one pointer may mean &#39;x&#39; or &#39;c&#39;"));
  expect_well_formed(page);
}

TEST_F(Explain, RefusesInOneClearLine) {
  const std::pair<const char *, const char *> cases[] = {
      {"explain missing.c --function f", "no such file: missing.c"},
      {"explain program.c --function missing", "no function 'missing' in program.c"},
      {"explain program.c", "marks no function with ASSAY_CHECK"},
      {"explain", "FILE is required"},
      {"explain program.c --function scaled --why nothing", "no value of scaled is called 'nothing'"},
      {"explain program.c --function scaled --activities dup", "--activities has 1 entries"},
      {"explain program.c --function scaled --activities dup,const", "x is a number: active or const"},
      {"explain program.c --function scaled --activities some,const", "'some' is none of"},
      {"explain program.c --function chain --activities active,const,const", "x cannot be active"},
      {"explain program.c --function chain --arg double", "parameter"},
      {"explain program.c --function scaled --html /nowhere/page.html", "cannot write /nowhere/page.html"}};
  for (const auto &[words, message] : cases) {
    const Outcome outcome = place.assay(words);
    EXPECT_EQ(outcome.code, 2) << words;
    EXPECT_THAT(outcome.errors, HasSubstr(message)) << words;
    EXPECT_EQ(std::count(outcome.errors.begin(), outcome.errors.end(), '\n'), 1) << outcome.errors;
  }
}

/// The output that a page of the documentation shows behind a command.
std::string documented_output(const std::string &command, const std::string &page = "cli.md") {
  std::ifstream stream(std::string(ASSAY_DOCUMENTATION "/") + page);
  std::string output;
  bool inside = false;
  for (std::string line; std::getline(stream, line);) {
    if (line == "    " + command)
      inside = true;
    else if (inside && line.starts_with("    "))
      output += line.substr(4) + "\n";
    else if (inside && !line.empty())
      break;
  }
  return output;
}

// Would catch: documentation that shows what the command no longer says.
TEST_F(Explain, SaysWhatTheDocumentationShows) {
  const std::string command = "./assay explain examples/heat_stencil.c";
  const std::string documented = documented_output(command);
  ASSERT_FALSE(documented.empty());
  EXPECT_EQ(place.assay("explain " ASSAY_EXAMPLES "/heat_stencil.c").output, documented);
  const std::string question = documented_output(command + " --why conductivity");
  ASSERT_FALSE(question.empty());
  EXPECT_EQ(place.assay("explain " ASSAY_EXAMPLES "/heat_stencil.c --why conductivity").output, question);
}

// Would catch: a plan of a shipped example that is not the one that the documentation explains.
TEST_F(Explain, PrintsThePlansThatTheDocumentationExplains) {
  for (const std::string words : {"rosenbrock.c --function rosenbrock --plan", "heat_stencil.c --plan",
                                  "newton_kepler.c --function eccentric_anomaly --plan"}) {
    const std::string documented = documented_output("./assay explain examples/" + words, "plans.md");
    ASSERT_FALSE(documented.empty()) << words;
    EXPECT_EQ(place.assay("explain " ASSAY_EXAMPLES "/" + words).output, documented);
  }
}

} // namespace
