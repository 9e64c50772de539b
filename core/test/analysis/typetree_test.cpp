// What <assay/typetree.hpp> lists by the layout of a type agrees with what the analysis finds in a function that
// touches every byte of it (typetree/types.cpp).

#include "core/engine/analysis/types.hpp"
#include "core/test/analysis/parsed_function.hpp"
#include "core/test/support/compile_and_run.hpp"
#include <fstream>
#include <map>
#include <sstream>

namespace assay::test {
namespace {

struct Listed {
  std::size_t size = 0;
  std::map<std::size_t, std::string> kinds; ///< By offset.
};

Program program_of_types() {
  std::ostringstream text;
  text << std::ifstream(ASSAY_TYPETREE_TYPES).rdbuf();
  return {.source = text.str(), .language = Language::cpp, .level = "-O1", .plugin = Plugin::absent};
}

std::map<std::string, Listed> listed_by_the_library() {
  const RunResult run = compile_and_run(program_of_types());
  EXPECT_TRUE(run.succeeded()) << run;
  std::istringstream lines(run.output());
  std::map<std::string, Listed> all;
  std::string name, kind;
  for (std::size_t size = 0, offset = 0; lines >> name >> size >> offset && std::getline(lines >> std::ws, kind);) {
    all[name].size = size;
    all[name].kinds[offset] = kind == "long double" ? "x86_fp80" : kind;
  }
  return all;
}

/// What the analysis finds where the library lists something.
std::string found_at(const engine::TypeAnalysis &types, llvm::Value &object, const Listed &listed) {
  std::map<std::size_t, std::string> found;
  for (const engine::TypedField &field : types.fields(object, listed.size))
    found[static_cast<std::size_t>(field.offset)] = text(field.type);
  std::string all;
  for (const auto &[offset, kind] : listed.kinds)
    all += std::to_string(offset) + ": " + (found.contains(offset) ? found[offset] : "nothing") + ", ";
  return all;
}
std::string text_of(const Listed &listed) {
  std::string all;
  for (const auto &[offset, kind] : listed.kinds)
    all += std::to_string(offset) + ": " + kind + ", ";
  return all;
}

TEST(TypeTree, agrees_with_what_is_found_in_code) {
  const auto all = listed_by_the_library();
  EXPECT_GE(all.size(), 14U);
  Program program = program_of_types();
  program.flags = {"-S", "-emit-llvm", "-o", "-", "-fno-discard-value-names"};
  const ProcessResult compiled = compile(program);
  ASSERT_EQ(compiled.exit_code, 0) << compiled.err;
  llvm::LLVMContext context;
  const std::unique_ptr<llvm::Module> module = parsed(compiled.out, context);
  for (const auto &[name, listed] : all) {
    llvm::Function *function = module->getFunction("touch_" + name);
    ASSERT_NE(function, nullptr) << name;
    const engine::TypeAnalysis types(*function, false);
    EXPECT_EQ(found_at(types, *function->getArg(0), listed), text_of(listed)) << name;
  }
}

} // namespace
} // namespace assay::test
