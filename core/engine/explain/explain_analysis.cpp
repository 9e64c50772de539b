#include "core/engine/explain/explain_analysis.hpp"
#include "core/engine/analysis/memory_access.hpp"
#include "core/engine/explain/activity_paths.hpp"
#include "core/engine/explain/ir_text.hpp"
#include "core/engine/explain/type_sources.hpp"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace assay::engine {
namespace {

const char *name_of(Mode mode) {
  switch (mode) {
  case Mode::forward:
    return "forward";
  case Mode::reverse:
    return "reverse";
  case Mode::augmented:
  case Mode::split_reverse:
    return "reverse, split";
  }
  return "";
}

const char *name_of(Activity activity) {
  switch (activity) {
  case Activity::constant:
    return "const";
  case Activity::active:
    return "active";
  case Activity::duplicated:
    return "dup";
  case Activity::duplicated_no_need:
    return "dupnoneed";
  }
  return "";
}

std::string activities_text(const Request &request) {
  const SourceNames names(*request.function);
  std::string text = "(";
  for (const Argument &argument : request.function->args()) {
    if (argument.getArgNo() >= request.argument_activity.size())
      break;
    text += (argument.getArgNo() > 0 ? ", " : "") +
            std::string(name_of(request.argument_activity[argument.getArgNo()])) + " " + names.text(argument);
  }
  text += ")";
  if (!request.function->getReturnType()->isVoidTy())
    text += std::string(" -> ") + name_of(request.return_activity);
  if (request.options.runtime_activity)
    text += ", run-time activity";
  if (request.width > 1)
    text += ", width " + std::to_string(request.width);
  return text;
}

class AnalysisExplainer {
public:
  AnalysisExplainer(const AnalysedDerivative &derivative, const SourceNames &names, ValueIndex &index, Detail detail)
      : request_(derivative.request), function_(derivative.prepared), types_(derivative.types),
        activity_(derivative.activity), names_(names), index_(index), ir_text_(derivative.prepared),

        paths_(derivative.activity, names) {
    if (detail == Detail::full)
      sources_.emplace(types_);
  }

  Explanation run() {
    Explanation result = explain_request(request_);
    for (const Argument &argument : function_.args())
      add(result, argument);
    for (const Instruction &instruction : instructions(function_))
      if (is_shown(instruction))
        add(result, instruction);
    find_surprises(result.surprises);
    find_chain(result.chain);
    return result;
  }

private:
  using Vertex = DerivativeFlow::Vertex;

  static bool is_shown(const Instruction &instruction) {
    const Type *type = instruction.getType();
    return !type->isVoidTy() && !type->isTokenTy() && !type->isLabelTy();
  }

  void add(Explanation &result, const Value &value) {
    ExplainedValue explained;
    const auto *instruction = dyn_cast<Instruction>(&value);
    explained.name = names_.text(value);
    explained.place = instruction ? source_place(*instruction) : source_place(*request_.function);
    explained.is_argument = !instruction;
    if (sources_) {
      explained.ir = ir_text_(value);
      explain_value(explained, value);
    }
    index_[&value] = result.values.size();
    result.values.push_back(std::move(explained));
  }

  void explain_value(ExplainedValue &explained, const Value &value) const {
    explained.type = sources_->type_text(value);
    explained.evidence = sources_->evidence(value);
    if (value.getType()->isPtrOrPtrVectorTy())
      explain_memory(explained, value);
    else
      explain_number(explained, value);
  }

  // --- activity ------------------------------------------------------------------------------------------------------

  std::string inactive_input_text(Vertex vertex) const {
    const std::vector<std::string> inputs = paths_.depends_on(vertex);
    return inputs.empty() ? "constant: it is computed from constants and integers alone"
                          : "constant: no active input reaches it; it depends on " + join(inputs, ", ") +
                                (inputs.size() > 1 ? ", which are constant" : ", which is constant");
  }

  void explain_number(ExplainedValue &explained, const Value &value) const {
    explained.is_active = activity_.carries_derivative(value);
    const std::optional<Vertex> vertex = paths_.vertex(value);
    if (!vertex) {
      const Type *scalar = value.getType()->getScalarType();
      explained.activity_reason = scalar->isFloatingPointTy()
                                      ? "constant: it is computed from constants and integers alone"
                                      : "constant: an integer carries no derivative";
      return;
    }
    explained.from_input = paths_.from_input(*vertex);
    explained.to_output = paths_.to_output(*vertex);
    if (explained.is_active)
      explained.activity_reason = "active: an active input reaches it, and it reaches an active output";
    else if (!paths_.is_varied(*vertex))
      explained.activity_reason = inactive_input_text(*vertex);
    else if (!paths_.is_useful(*vertex))
      explained.activity_reason = "constant: no active output depends on it";
    else
      explained.activity_reason = "constant: it carries no number";
  }

  void explain_memory(ExplainedValue &explained, const Value &pointer) const {
    explained.is_memory = true;
    explained.is_active = activity_.has_shadow(pointer);
    const auto at = types_.implementation().memory.location(pointer);
    if (!at) {
      explained.activity_reason = "constant: it points to no memory of the program";
      return;
    }
    const ShadowAnalysis &shadows = activity_.implementation().shadows;
    const Vertex content = activity_.implementation().flow.content(at->node);
    explained.from_input = paths_.from_input(content);
    explained.to_output = paths_.to_output(content);
    if (explained.is_active)
      explained.activity_reason =
          shadows.is_declared_active(at->node) ? "active: its memory was passed with a shadow"
          : paths_.is_varied(content) && paths_.is_useful(content)
              ? "active: its memory takes values from an active input to an active output"
              : "active: its memory keeps pointers to memory with a shadow, or goes to a call with such memory";
    else if (shadows.is_declared_constant(at->node))
      explained.activity_reason = "constant: its memory was declared so";
    else if (!activity_.implementation().flow.may_hold_floating(at->node))
      explained.activity_reason = "constant: its memory holds no floating-point number";
    else if (!paths_.is_varied(content))
      explained.activity_reason = inactive_input_text(content);
    else if (!paths_.is_useful(content))
      explained.activity_reason = "constant: no active output depends on its memory";
    else
      explained.activity_reason = "constant: it is only counted or compared";
  }

  // --- what takes no part --------------------------------------------------------------------------------------------

  void find_surprises(std::vector<ExplainedStep> &surprises) const {
    for (const Argument &argument : function_.args())
      if (argument.getArgNo() < request_.argument_activity.size() &&
          request_.argument_activity[argument.getArgNo()] != Activity::constant)
        check_part(argument, surprises);
    if (request_.return_activity == Activity::constant)
      return;
    for (const BasicBlock &block : function_)
      if (const auto *exit = dyn_cast<ReturnInst>(block.getTerminator()); exit && exit->getReturnValue())
        if (const Value *result = exit->getReturnValue(); result->getType()->isFPOrFPVectorTy()) {
          const std::optional<Vertex> vertex = paths_.vertex(*result);
          if (!vertex || !paths_.is_varied(*vertex))
            surprises.push_back({"the result is active, but depends on no active input", source_place(*exit)});
        }
  }

  void check_part(const Argument &argument, std::vector<ExplainedStep> &surprises) const {
    const std::string name = "'" + names_.text(argument) + "'";
    const SourcePlace place = source_place(*request_.function);
    if (!argument.getType()->isPtrOrPtrVectorTy()) {
      const std::optional<Vertex> vertex = paths_.vertex(argument);
      if (argument.getType()->isFPOrFPVectorTy() && (!vertex || !paths_.is_useful(*vertex)))
        surprises.push_back({name + " is active, but no active output depends on it", place});
      return;
    }
    const SmallVector<NodeId, 8> nodes = activity_.implementation().flow.reachable_nodes(argument);
    SmallVector<Vertex, 8> own;
    for (NodeId node : nodes)
      own.push_back(activity_.implementation().flow.content(node));
    if (!paths_.leads_to_output(own) && !paths_.comes_from_input(own))
      surprises.push_back(
          {name + " comes with a shadow, but nothing active is computed from its memory or stored in it", place});
  }

  // --- constant memory among active memory ---------------------------------------------------------------------------

  /// A pointer whose shadow is needed and cannot be, or memory without one that gets values with a derivative.
  const Value *first_conflict(std::string &reason) const {
    if (const Value *value = activity_.first_contradiction()) {
      reason = *activity_.contradiction(*value);
      return value;
    }
    for (const Instruction &instruction : instructions(function_)) {
      const auto access = memory_access(instruction);
      if (!access || !access->written || isa<Constant>(access->pointer) ||
          !activity_.carries_derivative(*access->written) || activity_.has_shadow(*access->pointer))
        continue;
      reason = "a value with a derivative is stored in memory without a shadow";
      return access->pointer;
    }
    return nullptr;
  }

  void find_chain(std::vector<ExplainedStep> &chain) const {
    std::string reason;
    const Value *conflict = first_conflict(reason);
    const auto at = conflict ? types_.implementation().memory.location(*conflict) : std::nullopt;
    if (!at)
      return;
    const auto *instruction = dyn_cast<Instruction>(conflict);
    chain.push_back({reason, instruction ? source_place(*instruction) : source_place(*request_.function)});
    add_arguments(at->node, chain);
    add_stored_addresses(at->node, chain);
    add_meetings(at->node, chain);
    const Vertex content = activity_.implementation().flow.content(at->node);
    add_way("a derivative gets there:", paths_.from_input(content), chain);
    add_way("and goes on:", paths_.to_output(content), chain);
  }

  static void add_way(const char *lead, std::vector<ExplainedStep> way, std::vector<ExplainedStep> &chain) {
    if (way.size() < 2)
      return;
    chain.push_back({lead, {}});
    for (ExplainedStep &step : way) {
      step.text = "-> " + step.text;
      chain.push_back(std::move(step));
    }
  }

  bool is_at(const Value &pointer, NodeId node) const {
    const auto at = types_.implementation().memory.location(pointer);
    const MemoryGraph &graph = types_.implementation().memory.graph();
    return at && graph.find(at->node) == graph.find(node);
  }

  void add_arguments(NodeId node, std::vector<ExplainedStep> &chain) const {
    for (const Argument &argument : function_.args()) {
      if (!argument.getType()->isPointerTy() || !is_at(argument, node) ||
          argument.getArgNo() >= request_.argument_activity.size())
        continue;
      const bool constant = request_.argument_activity[argument.getArgNo()] == Activity::constant;
      chain.push_back({"'" + names_.text(argument) + "' (argument " + std::to_string(argument.getArgNo() + 1) +
                           ") was " + (constant ? "declared constant" : "passed with a shadow"),
                       source_place(*request_.function)});
    }
  }

  /// Arguments in their order, then the others by their names.
  static std::pair<unsigned, StringRef> position(const Value &object) {
    const auto *argument = dyn_cast<Argument>(&object);
    return {argument ? argument->getArgNo() : ~0U, object.getName()};
  }

  /// Where a pointer to constant memory is stored: what is loaded from there may be any of the pointers stored there.
  void add_stored_addresses(NodeId node, std::vector<ExplainedStep> &chain) const {
    constexpr std::size_t most = 3;
    std::size_t found = 0;
    for (const Instruction &instruction : instructions(function_)) {
      const auto *store = dyn_cast<StoreInst>(&instruction);
      if (!store || found == most || !store->getValueOperand()->getType()->isPointerTy() ||
          !is_at(*store->getValueOperand(), node))
        continue;
      const auto *argument = dyn_cast<Argument>(getUnderlyingObject(store->getValueOperand(), 0));
      if (!argument || argument->getArgNo() >= request_.argument_activity.size() ||
          request_.argument_activity[argument->getArgNo()] != Activity::constant)
        continue;
      ++found;
      chain.push_back({"the address of '" + names_.text(*argument) + "' is stored among pointers to other memory",
                       source_place(*store)});
    }
  }

  /// Where a pointer may be one of several objects.
  void add_meetings(NodeId node, std::vector<ExplainedStep> &chain) const {
    constexpr std::size_t most = 3;
    std::size_t found = 0;
    for (const Instruction &instruction : instructions(function_)) {
      if (!isa<PHINode, SelectInst>(instruction) || !instruction.getType()->isPointerTy() ||
          !is_at(instruction, node) || found == most)
        continue;
      SmallVector<const Value *, 4> objects;
      getUnderlyingObjects(&instruction, objects);
      if (objects.size() < 2)
        continue;
      ++found;
      sort(objects, [](const Value *one, const Value *other) { return position(*one) < position(*other); });
      chain.push_back(
          {"one pointer may mean " +
               join(map_range(objects, [&](const Value *object) { return "'" + names_.text(*object) + "'"; }), " or "),
           source_place(instruction)});
    }
  }

  const Request &request_;
  const Function &function_;
  const TypeAnalysis &types_;
  const ActivityAnalysis &activity_;
  const SourceNames &names_;
  ValueIndex &index_;
  IrText ir_text_;
  std::optional<TypeSources> sources_; ///< Only for full detail.
  ActivityPaths paths_;
};

} // namespace

Explanation explain_request(const Request &request) {
  Explanation result;
  result.function = short_name(*request.function);
  result.linkage_name = request.function->getName().str();
  const SourcePlace place = source_place(*request.function);
  result.file = place.file;
  result.line = place.line;
  result.mode = name_of(request.mode);
  result.activities = activities_text(request);
  result.key = fingerprint(request);
  result.has_runtime_activity = request.options.runtime_activity;
  return result;
}

Explanation explain_analysis(const AnalysedDerivative &derivative, const SourceNames &names, ValueIndex &index,
                             Detail detail) {
  return AnalysisExplainer(derivative, names, index, detail).run();
}

} // namespace assay::engine
