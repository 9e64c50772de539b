#include "core/engine/support/type_options.hpp"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"
#include <cstdlib>
#include <utility>

using namespace llvm;

namespace assay::engine {
namespace {

cl::opt<bool> loose_types("assay-loose-types", cl::desc("Guess types of memory that nothing tells"));
cl::opt<bool> strict_aliasing("assay-strict-aliasing", cl::init(true), cl::desc("Believe what TBAA says of types"));
cl::opt<bool> type_warning("assay-type-warning", cl::init(true), cl::desc("Warn where a type is guessed"));
cl::opt<unsigned> type_depth("assay-max-type-depth", cl::init(TypeOptions().depth),
                             cl::desc("How deep structures are looked into"));

/// -assay-NAME or -assay-NAME=VALUE; what it does not know it leaves alone.
void read_word(StringRef word, TypeOptions &options) {
  auto [name, value] = word.ltrim('-').split('=');
  unsigned number = 1;
  if (!value.empty() && value.getAsInteger(10, number))
    number = value == "true" ? 1 : 0;
  if (name == "assay-loose-types")
    options.loose = number != 0;
  else if (name == "assay-strict-aliasing")
    options.strict_aliasing = number != 0;
  else if (name == "assay-type-warning")
    options.warnings = number != 0;
  else if (name == "assay-max-type-depth")
    options.depth = number;
}

TypeOptions read_options() {
  TypeOptions options{loose_types, strict_aliasing, type_warning, type_depth};
  if (const char *words = std::getenv("ASSAY_OPTIONS")) {
    SmallVector<StringRef, 4> list;
    StringRef(words).split(list, ' ', -1, /*KeepEmpty=*/false);
    for (StringRef word : list)
      read_word(word, options);
  }
  return options;
}

const TypeOptions &options_of_file() {
  static const TypeOptions options = read_options();
  return options;
}

thread_local const TypeOptions *of_request = nullptr;

} // namespace

const TypeOptions &type_options() {
  return of_request ? *of_request : options_of_file();
}

TypeOptionsScope::TypeOptionsScope(TypeOptions options)
    : options_(options), before_(std::exchange(of_request, &options_)) {}
TypeOptionsScope::~TypeOptionsScope() {
  of_request = before_;
}

} // namespace assay::engine
