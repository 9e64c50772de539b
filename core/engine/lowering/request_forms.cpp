#include "core/engine/lowering/request_forms.hpp"

using namespace llvm;

namespace assay::engine {

StringRef name_prefix(Mode mode) {
  switch (mode) {
  case Mode::forward:
    return "fwddiffe.";
  case Mode::reverse:
    return "diffe.";
  case Mode::augmented:
    return "augmented.";
  case Mode::split_reverse:
    return "splitdiffe.";
  }
  llvm_unreachable("unknown mode");
}

bool is_split(Mode mode) {
  return mode == Mode::augmented || mode == Mode::split_reverse;
}

Request normalised(const Request &request) {
  Request result = request;
  for (Activity &activity : result.argument_activity)
    if (activity == Activity::duplicated_no_need)
      activity = Activity::duplicated;
  if (result.return_activity == Activity::duplicated_no_need)
    result.return_activity = Activity::duplicated;
  if (result.mode != Mode::split_reverse)
    result.options.free_tape = true;
  if (!is_split(result.mode))
    result.not_overwritten.reset();
  return result;
}

Request other_half(const Request &request) {
  Request result = request;
  result.mode = request.mode == Mode::augmented ? Mode::split_reverse : Mode::augmented;
  return result;
}

TypeOptions options_of_types(const Request &request) {
  TypeOptions options = type_options();
  options.loose |= request.options.loose_types;
  options.strict_aliasing &= request.options.strict_aliasing;
  options.warnings &= request.options.type_warning;
  return options;
}

} // namespace assay::engine
