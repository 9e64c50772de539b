#include "core/engine/explain/activity_paths.hpp"
#include "core/engine/analysis/memory_access.hpp"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include <deque>

using namespace llvm;

namespace assay::engine {

ActivityPaths::ActivityPaths(const ActivityAnalysis &activity, const SourceNames &names)
    : activity_(activity.implementation()), flow_(activity_.flow), memory_(activity_.memory), names_(names) {
  note_values();
  from_ = search(activity_.shadows.sources(), Direction::along);
  to_ = search(activity_.shadows.sinks(), Direction::against);
}

void ActivityPaths::note_values() {
  values_.resize(flow_.vertex_count(), {root_frame, nullptr});
  const CallTree &calls = memory_.calls();
  const auto note = [&](FrameId frame, const Value &value) {
    if (const auto vertex = flow_.vertex(value, frame))
      values_[*vertex] = {frame, &value};
  };
  for (FrameId frame = root_frame; frame < calls.size(); ++frame) {
    for (const Argument &argument : calls.function(frame).args())
      note(frame, argument);
    for (const Instruction &instruction : instructions(calls.function(frame)))
      note(frame, instruction);
  }
}

ArrayRef<DerivativeFlow::Vertex> ActivityPaths::neighbours(Vertex vertex, Direction direction) const {
  return direction == Direction::along ? flow_.successors(vertex) : flow_.predecessors(vertex);
}

ActivityPaths::Search ActivityPaths::search(ArrayRef<Vertex> starts, Direction direction) const {
  Search search;
  search.reached.resize(flow_.vertex_count());
  search.before.resize(flow_.vertex_count(), nowhere);
  std::deque<Vertex> queue;
  for (Vertex start : starts)
    if (!search.reached[start]) {
      search.reached[start] = true;
      queue.push_back(start);
    }
  while (!queue.empty()) {
    const Vertex vertex = queue.front();
    queue.pop_front();
    for (Vertex next : neighbours(vertex, direction))
      if (!search.reached[next]) {
        search.reached[next] = true;
        search.before[next] = vertex;
        queue.push_back(next);
      }
  }
  return search;
}

std::optional<DerivativeFlow::Vertex> ActivityPaths::vertex(const Value &value) const {
  if (!value.getType()->isPtrOrPtrVectorTy())
    return flow_.vertex(value);
  const auto at = memory_.location(value);
  return at ? std::optional(flow_.content(at->node)) : std::nullopt;
}

std::vector<ExplainedStep> ActivityPaths::from_input(Vertex vertex) const {
  if (!from_.reached[vertex])
    return {};
  SmallVector<Vertex, 16> way;
  for (Vertex at = vertex; at != nowhere; at = from_.before[at])
    way.push_back(at);
  return steps(SmallVector<Vertex, 16>(way.rbegin(), way.rend()));
}

std::vector<ExplainedStep> ActivityPaths::to_output(Vertex vertex) const {
  if (!to_.reached[vertex])
    return {};
  SmallVector<Vertex, 16> way;
  for (Vertex at = vertex; at != nowhere; at = to_.before[at])
    way.push_back(at);
  std::vector<ExplainedStep> result = steps(way);
  const Value *last = values_[way.back()].second;
  if (last)
    result.push_back({"the result of the function", {}});
  return result;
}

std::vector<ExplainedStep> ActivityPaths::steps(ArrayRef<Vertex> way) const {
  constexpr std::size_t most = 32; // of a long way, the two ends
  std::vector<ExplainedStep> result;
  std::optional<Vertex> before;
  for (const auto [index, vertex] : enumerate(way)) {
    if (way.size() > most && index >= most / 2 && index + most / 2 < way.size()) {
      if (index == most / 2)
        result.push_back({std::to_string(way.size() - most) + " more steps", {}});
      before = vertex;
      continue;
    }
    if (std::optional<ExplainedStep> next = step(vertex, before);
        next && (result.empty() || result.back().text != next->text || result.back().place.line != next->place.line))
      result.push_back(std::move(*next));
    before = vertex;
  }
  return result;
}

/// By a store of the value itself: where it was put into the memory.
const Instruction *ActivityPaths::store_between(Vertex value, NodeId node) const {
  const auto [frame, stored] = values_[value];
  if (!stored)
    return nullptr;
  for (const User *user : stored->users()) {
    const auto *instruction = dyn_cast<Instruction>(user);
    const auto access = instruction ? memory_access(*instruction) : std::nullopt;
    if (!access || access->written != stored)
      continue;
    if (const auto at = memory_.location(*access->pointer, frame);
        at && memory_.graph().find(at->node) == memory_.graph().find(node))
      return instruction;
  }
  return nullptr;
}

const SourceNames &ActivityPaths::names_in(FrameId frame) const {
  if (frame == root_frame)
    return names_;
  const Function &function = memory_.calls().function(frame);
  std::unique_ptr<SourceNames> &names = names_of_callees_[&function];
  if (!names)
    names = std::make_unique<SourceNames>(function);
  return *names;
}

std::optional<ExplainedStep> ActivityPaths::step(Vertex vertex, std::optional<Vertex> before) const {
  if (vertex < memory_.graph().node_count()) {
    const Instruction *store = before ? store_between(*before, vertex) : nullptr;
    return ExplainedStep{(store ? "stored in the " : "the ") + memory_text(vertex),
                         store ? source_place(*store) : SourcePlace()};
  }
  const auto [frame, value] = values_[vertex];
  if (!value)
    return std::nullopt;
  if (const auto *argument = dyn_cast<Argument>(value)) {
    std::string name = "the argument '" + names_.text(*argument) + "'";
    if (frame != root_frame)
      name += " of " + short_name(*argument->getParent());
    return ExplainedStep{std::move(name), source_place(*argument->getParent())};
  }
  const auto &instruction = *cast<Instruction>(value);
  const auto [known, is_new] = steps_.try_emplace(vertex); // Most ways share their ends.
  if (is_new)
    known->second = {names_in(frame).text(instruction), source_place(instruction)};
  return known->second;
}

static std::string object_text(const Value &object, const SourceNames &names) {
  if (const auto *argument = dyn_cast<Argument>(&object))
    return "memory of '" + names.text(*argument) + "'";
  if (isa<AllocaInst>(object))
    return "variable '" + names.text(object) + "'";
  if (isa<GlobalVariable>(object))
    return "global '" + object.getName().str() + "'";
  const auto *call = dyn_cast<CallBase>(&object);
  if (!call)
    return "";
  const std::string variable = names.variable(*call);
  return (variable.empty() ? "memory that " + names.text(*call) + " made" : "memory of '" + variable + "'") +
         SourceNames::line_text(source_place(*call));
}

/// `memory of 'x'`, or of objects that one pointer may mean `memory of 'x', the variable 'y' and 2 more`.
std::string ActivityPaths::memory_text(NodeId node) const {
  constexpr std::size_t most = 3;
  const NodeId wanted = memory_.graph().find(node);
  std::vector<std::string> objects;
  for (auto [frame, object] : memory_.objects())
    if (const auto at = memory_.location(*object, frame); at && memory_.graph().find(at->node) == wanted)
      if (std::string text = object_text(*object, names_); !text.empty() && !is_contained(objects, text))
        objects.push_back(std::move(text));
  if (objects.empty())
    return "memory behind a pointer";
  std::string text = objects.front();
  for (std::size_t index = 1; index < objects.size() && index < most; ++index)
    text += (index + 1 == objects.size() ? " and the " : ", the ") + objects[index];
  return objects.size() > most ? text + " and " + std::to_string(objects.size() - most) + " more" : text;
}

std::vector<std::string> ActivityPaths::depends_on(Vertex vertex) const {
  SetVector<Vertex> reached;
  reached.insert(vertex);
  for (std::size_t next = 0; next < reached.size(); ++next)
    for (Vertex before : flow_.predecessors(reached[next]))
      reached.insert(before);
  std::vector<std::string> found;
  for (const Argument &argument : memory_.root().args()) {
    const auto at = this->vertex(argument);
    if (at && reached.contains(*at))
      found.push_back("'" + names_.text(argument) + "'");
  }
  for (auto [frame, object] : memory_.objects())
    if (const auto *global = dyn_cast<GlobalVariable>(object))
      if (const auto at = memory_.location(*global); at && reached.contains(flow_.content(at->node)))
        found.push_back("the global '" + global->getName().str() + "'");
  return found;
}

SmallVector<DerivativeFlow::Vertex, 8> ActivityPaths::next_to(ArrayRef<Vertex> own, Direction direction) const {
  SmallVector<Vertex, 8> next;
  for (Vertex vertex : own)
    append_range(next, neighbours(vertex, direction));
  return next;
}

bool ActivityPaths::leads_to_output(ArrayRef<Vertex> own) const {
  const Search search = this->search(next_to(own, Direction::along), Direction::along);
  return any_of(activity_.shadows.sinks(), [&](Vertex sink) { return search.reached[sink]; });
}

bool ActivityPaths::comes_from_input(ArrayRef<Vertex> own) const {
  const Search search = this->search(next_to(own, Direction::against), Direction::against);
  return any_of(activity_.shadows.sources(), [&](Vertex source) { return search.reached[source]; });
}

} // namespace assay::engine
