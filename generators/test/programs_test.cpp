// Random programs as values: always valid, the same everywhere, and made smaller in an order that ends.
#include "generators/programs/draw.hpp"
#include "generators/programs/print.hpp"
#include "generators/programs/shrink.hpp"
#include "generators/programs/test_program.hpp"
#include "generators/programs/validate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

namespace assay::gen::programs {
namespace {

TEST(DrawnPrograms, AreValid) {
  for (std::uint32_t index = 0; index < 300; ++index) {
    const auto fault = validate(draw_program(5, index));
    EXPECT_FALSE(fault) << "program " << index << ": " << *fault;
  }
}

/// Every kind at this weight.
Weights all_at(const char *weight) {
  Weights weights;
  EXPECT_TRUE(set_weight(weights, std::string("all=") + weight));
  return weights;
}

// Would catch: a rare kind that is valid only without another one beside it.
TEST(DrawnPrograms, AreValidWithMuchOfEveryKind) {
  for (std::uint32_t index = 0; index < 300; ++index) {
    const auto fault = validate(draw_program(6, index, all_at("6")));
    EXPECT_FALSE(fault) << "program " << index << ": " << *fault;
  }
}

/// How many of 60 programs have this in their text.
int programs_with(const char *text, const Weights &weights) {
  int found = 0;
  for (std::uint32_t index = 0; index < 60; ++index)
    found += print(draw_program(9, index, weights), {}).find(text) != std::string::npos;
  return found;
}

// Would catch: a weight that does nothing, or a kind that is drawn where it was left out.
TEST(DrawnPrograms, HaveOfEachKindWhatItsWeightSays) {
  const std::pair<const char *, const char *> kinds[]{
      {"callbacks", "(*v"}, {"complex", "_Complex"}, {"floats", "float v"}, {"heap", "realloc"},
      {"jumps", "goto"},    {"lists", "->next"},     {"rows", "*v"},        {"structures", "typedef struct"},
      {"tagged", "tagged"}, {"unions", "union"},     {"vectors", "doubles"}};
  for (const auto &[kind, text] : kinds) {
    Weights much = all_at("0");
    ASSERT_TRUE(set_weight(much, std::string(kind) + "=10"));
    EXPECT_GE(programs_with(text, much), 15) << kind;
    if (std::string_view(kind) != "rows") // Single pointers are in every program.
      EXPECT_EQ(programs_with(text, all_at("0")), 0) << kind;
  }
}

/// Programs with a sine and a cosine of one variable.
int programs_with_partners(const Weights &weights) {
  int found = 0;
  for (std::uint32_t index = 0; index < 60; ++index) {
    const std::string text = print(draw_program(9, index, weights), {});
    const std::regex sine(R"(\bsin\((v\d+)\))");
    found += std::any_of(std::sregex_iterator(text.begin(), text.end(), sine), std::sregex_iterator(),
                         [&](const std::smatch &match) { return text.find("cos(" + match.str(1) + ")") != text.npos; });
  }
  return found;
}

TEST(DrawnPrograms, HaveFunctionsThatAreEachOthersDerivatives) {
  Weights much = all_at("0");
  ASSERT_TRUE(set_weight(much, "partners=20"));
  EXPECT_GE(programs_with_partners(much), 20);
  EXPECT_GE(programs_with_partners(much), 2 * programs_with_partners(all_at("0")));
}

TEST(DrawnPrograms, HaveFunctionsThatCallEachOther) {
  Weights weights;
  ASSERT_TRUE(set_weight(weights, "mutual=9"));
  int pairs = 0;
  for (std::uint32_t index = 0; index < 40; ++index)
    for (const Function &function : draw_program(9, index, weights).functions)
      pairs += function.partner >= 0;
  EXPECT_GE(pairs, 30);
}

TEST(Weights, OfNoKindAreRefused) {
  Weights weights;
  EXPECT_FALSE(set_weight(weights, "lists"));
  EXPECT_FALSE(set_weight(weights, "lists=often"));
  EXPECT_FALSE(set_weight(weights, "lists=-1"));
  EXPECT_FALSE(set_weight(weights, "threads=1"));
  EXPECT_EQ(weights, Weights{});
}

TEST(DrawnPrograms, FollowFromSeedAndIndexAlone) {
  const Program third = draw_program(7, 3);
  static_cast<void>(draw_program(7, 2));
  EXPECT_EQ(draw_program(7, 3), third);
  EXPECT_NE(draw_program(8, 3), third);
  EXPECT_NE(draw_program(7, 4), third);
}

TEST(DrawnPrograms, HaveAnOracleInLongDouble) {
  const Program program = draw_program(1, 0, all_at("0"));
  const std::string text = whole_test_of(program);
  EXPECT_NE(text.find("long double"), std::string::npos);
  EXPECT_NE(text.find("__enzyme_autodiff"), std::string::npos);
  EXPECT_NE(text.find("int main(void)"), std::string::npos);
}

TEST(Validation, AnIndexBeyondTheArrayIsOne) {
  Program program = draw_program(1, 0, all_at("0"));
  program.entry().body = {Operation::block, {}, 0, 0, Form::plain, {}};
  program.entry().result = {};
  const Type array = program.entry().variables[0].type;
  const Node base{Operation::variable, array, 0, 0, Form::plain, {}};
  const auto store_at = [&](int index) {
    const Node number{Operation::literal, integer(), 0, static_cast<double>(index), Form::plain, {}};
    const Node place{Operation::element, real64(), 0, 0, Form::plain, {base, number}};
    const Node value{Operation::literal, real64(), 0, 0.5, Form::plain, {}};
    program.entry().body.children = {{Operation::assign, {}, 0, 0, Form::plain, {place, value}}};
    return validate(program);
  };
  EXPECT_FALSE(store_at(array.count - 1));
  EXPECT_TRUE(store_at(array.count));
  EXPECT_TRUE(store_at(-1));
}

/// A program whose first function has these statements and no result.
Program program_of(std::vector<Node> statements, std::vector<Variable> locals) {
  Program program = draw_program(1, 0, all_at("0"));
  Function &entry = program.entry();
  entry.variables.resize(static_cast<std::size_t>(entry.parameters));
  entry.variables.insert(entry.variables.end(), locals.begin(), locals.end());
  entry.result = {};
  entry.body = {Operation::block, {}, 0, 0, Form::plain, std::move(statements)};
  return program;
}

Node node_of(Operation operation, Type type, int id = 0, std::vector<Node> children = {}) {
  return {operation, std::move(type), id, 0, Form::plain, std::move(children)};
}

// Would catch: a shrunk program that does not compile, because a goto has no label.
TEST(Validation, AJumpFromOutsideOfItsBlocksIsOne) {
  const int counter = draw_program(1, 0, all_at("0")).entry().parameters;
  const Node one = node_of(Operation::literal, integer());
  const Node jump = node_of(Operation::jump, {}, counter, {one});
  Node blocks = node_of(Operation::labelled_blocks, {}, counter, {one, node_of(Operation::block, {}, 0, {jump})});
  blocks.value = 1;
  EXPECT_FALSE(validate(program_of({blocks}, {{integer(), -1, 1}})));
  EXPECT_TRUE(validate(program_of({blocks, jump}, {{integer(), -1, 1}})));
}

// Would catch: a walk that goes on from a node that was released.
TEST(Validation, AListThatShrinksUnderAWalkIsOne) {
  const int list = draw_program(1, 0, all_at("0")).entry().parameters;
  Node declared = node_of(Operation::declare, {}, list);
  declared.form = Form::heap_of_zeros;
  const auto walk = [&](Operation change) {
    const Node head = node_of(Operation::variable, list_of(real64()), list);
    const Node body = node_of(Operation::block, {}, 0, {node_of(change, {}, list)});
    const Variable variable{list_of(real64())};
    return validate(
        program_of({declared, node_of(Operation::walk_list, {}, list + 1, {head, body})}, {variable, variable}));
  };
  EXPECT_FALSE(walk(Operation::push));
  EXPECT_TRUE(walk(Operation::pop));
  EXPECT_TRUE(walk(Operation::reverse));
}

TEST(Validation, AUnionOfSeveralTypesIsOne) {
  Program program = program_of({}, {});
  program.structures = {{{array_of(real64(), 2), complex_of(real64())}, true}};
  EXPECT_FALSE(validate(program));
  program.structures[0].fields.push_back(real32());
  EXPECT_TRUE(validate(program));
}

// Would catch: a complex function that is called across its branch cut, where differences mean nothing.
TEST(Validation, AnArgumentBeyondABranchCutIsOne) {
  const int variable = draw_program(1, 0, all_at("0")).entry().parameters;
  const auto root_of = [&](double real) {
    Node part = node_of(Operation::literal, complex_of(real64()));
    part.value = real;
    const Node root = node_of(Operation::complex_math, complex_of(real64()), 3, {part});
    return validate(program_of({node_of(Operation::declare, {}, variable, {root})}, {{complex_of(real64())}}));
  };
  EXPECT_FALSE(root_of(1));
  EXPECT_TRUE(root_of(-1));
}

/// As the shrinker does it, for a failure that every program has.
void shrink_to_the_end(Program program) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (const Edit &edit : edits_of(program))
      if (auto edited = apply(edit, program)) {
        ASSERT_FALSE(validate(*edited));
        ASSERT_LT(size_of(*edited), size_of(program));
        program = std::move(*edited);
        smaller = true;
        break;
      }
  }
  EXPECT_EQ(program.functions.size(), 1U);
  EXPECT_LE(program.entry().body.children.size(), 1U);
}

TEST(Shrinking, EndsAtTheSmallestProgram) {
  shrink_to_the_end(draw_program(3, 1));
}

TEST(Shrinking, EndsAtTheSmallestProgramWithMuchOfEveryKind) {
  for (std::uint32_t index = 0; index < 10; ++index)
    shrink_to_the_end(draw_program(3, index, all_at("5")));
}

} // namespace
} // namespace assay::gen::programs
