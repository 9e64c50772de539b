#include "cli/needed_libraries.hpp"

#include "cli/installation.hpp"
#include "llvm/Object/ObjectFile.h"

namespace assay::cli {

namespace {

struct Needs {
  bool googletest = false, harness = false, rapidcheck = false;
};

bool is_undefined(const llvm::object::SymbolRef &symbol) {
  llvm::Expected<std::uint32_t> flags = symbol.getFlags();
  if (flags)
    return (*flags & llvm::object::BasicSymbolRef::SF_Undefined) != 0;
  llvm::consumeError(flags.takeError());
  return false;
}

void note(const llvm::object::SymbolRef &symbol, Needs &needs) {
  llvm::Expected<llvm::StringRef> name = symbol.getName();
  if (!name) {
    llvm::consumeError(name.takeError());
    return;
  }
  if (!is_undefined(symbol))
    return;
  needs.googletest |= name->starts_with("_ZN7testing") || name->starts_with("_ZNK7testing");
  needs.harness |= name->contains("N5assay9testutils");
  needs.rapidcheck |= name->starts_with("_ZN2rc") || name->starts_with("_ZNK2rc");
}

Needs needs_of(const std::vector<std::filesystem::path> &objects) {
  Needs needs;
  for (const std::filesystem::path &file : objects) {
    auto object = llvm::object::ObjectFile::createObjectFile(file.string());
    if (!object) {
      llvm::consumeError(object.takeError()); // The linker says what is wrong with it.
      continue;
    }
    for (const llvm::object::SymbolRef &symbol : object->getBinary()->symbols())
      note(symbol, needs);
  }
  return needs;
}

void append(std::vector<std::string> &words, const std::vector<std::string> &more) {
  words.insert(words.end(), more.begin(), more.end());
}

std::vector<std::string> harness() {
  std::vector<std::string> words{"-Wl,--start-group"};
  for (const char *name : {"testing", "generators", "reports", "fdm", "wide-runtime"})
    words.push_back(library(name).string());
  append(words, {"-Wl,--end-group", "-lfmt", "-lrapidcheck"});
  return words;
}

const std::vector<std::string> googletest{"-lgtest_main", "-lgtest", "-lpthread"};

} // namespace

std::vector<std::string> harness_libraries() {
  std::vector<std::string> words = harness();
  append(words, googletest);
  return words;
}

std::vector<std::string> needed_libraries(const std::vector<std::filesystem::path> &objects) {
  const Needs needs = needs_of(objects);
  std::vector<std::string> words;
  if (needs.harness) {
    words.emplace_back("-Wl,-u,assay_gpu_kernel_tests"); // The harness refers to it weakly.
    append(words, harness());
  } else if (needs.rapidcheck) {
    words.emplace_back("-lrapidcheck");
  }
  if (needs.googletest)
    append(words, googletest);
  // Where it lay when this was built is but one of the folders: it may be another machine.
  const std::string folder = std::filesystem::path(ASSAY_BOOST_CONTEXT).parent_path().string();
  append(words, {library("emulation").string(), "-L" + folder, "-lboost_context", "-lm"});
  return words;
}

} // namespace assay::cli
