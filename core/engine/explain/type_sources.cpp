#include "core/engine/explain/type_sources.hpp"
#include "core/engine/analysis/debug_types.hpp"
#include "core/engine/analysis/memory_access.hpp"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr std::size_t most_sources = 4; // of one piece of memory
constexpr std::uint64_t shown_bytes = 64;

std::string ir_type(const Type &type) {
  std::string text;
  raw_string_ostream(text) << type;
  return text;
}

std::string text_of(const BasicType &type) {
  switch (type.kind) {
  case ByteKind::unknown:
    return "unknown";
  case ByteKind::integer:
    return "integer";
  case ByteKind::pointer:
    return "pointer";
  case ByteKind::floating:
    return ir_type(*type.floating);
  }
  return "";
}

/// What the program's language calls the accessed type; empty where the access says nothing of it.
std::string tbaa_name(const Instruction &access) {
  const MDNode *tag = access.getMetadata(LLVMContext::MD_tbaa);
  if (!tag || tag->getNumOperands() < 3)
    return {};
  const auto *type = dyn_cast_or_null<MDNode>(tag->getOperand(1));
  const auto *name = type && type->getNumOperands() > 0 ? dyn_cast_or_null<MDString>(type->getOperand(0)) : nullptr;
  return name ? name->getString().str() : std::string();
}

/// Integer accesses move anything.
Rank rank_of_access(const Type &type) {
  return type.isIntOrIntVectorTy() ? Rank::hint : Rank::access;
}

} // namespace

TypeSources::TypeSources(const TypeAnalysis &types) : types_(types), memory_(types.implementation().memory) {
  for (FrameId frame = root_frame; frame < memory_.calls().size(); ++frame)
    visit_frame(frame);
  for (auto [frame, object] : memory_.objects())
    if (const auto *variable = dyn_cast<AllocaInst>(object))
      if (const auto at = memory_.location(*variable, frame))
        add(at->node, Rank::layout,
            {"allocated as " + ir_type(*variable->getAllocatedType()), source_place(*variable)});
}

void TypeSources::add(NodeId node, Rank rank, ExplainedStep step) {
  std::vector<Source> &known = sources_[memory_.graph().find(node)];
  if (any_of(known, [&](const Source &source) {
        return source.step.text == step.text && source.step.place.line == step.place.line;
      }))
    return;
  known.push_back({rank, std::move(step)});
}

void TypeSources::visit_frame(FrameId frame) {
  for (const Instruction &instruction : instructions(memory_.calls().function(frame))) {
    visit_access(frame, instruction);
    for_each_debug_evidence(instruction, frame, memory_, [&](Location at, BasicType type, Rank rank) {
      add(at.node, rank, {"declared as " + text_of(type), source_place(*instruction.getFunction())});
    });
  }
}

void TypeSources::visit_access(FrameId frame, const Instruction &instruction) {
  const auto access = memory_access(instruction);
  const auto at = access ? memory_.location(*access->pointer, frame) : std::nullopt;
  if (!at)
    return;
  const Value *moved = access->read ? access->read : access->written;
  const std::string verb = access->read ? "read as " : "written as ";
  std::string text = verb + ir_type(*moved->getType());
  if (frame != root_frame)
    text += " in " + short_name(*instruction.getFunction());
  if (const std::string tag = tbaa_name(instruction); !tag.empty())
    text += " (TBAA: " + tag + ")";
  add(at->node, rank_of_access(*moved->getType()), {std::move(text), source_place(instruction)});
}

std::string TypeSources::pointer_text(const Value &pointer) const {
  if (const BasicType uniform = types_.uniform(pointer); uniform.kind != ByteKind::unknown)
    return "pointer to " + text_of(uniform);
  const SmallVector<TypedField, 8> fields = types_.fields(pointer, shown_bytes);
  if (fields.empty())
    return "pointer to memory of unknown type";
  std::string text;
  for (const TypedField &field : fields)
    text += (text.empty() ? "" : ", ") + std::to_string(field.offset) + ": " +
            (field.is_mixed ? "floating or pointer" : text_of(field.type));
  return "pointer to {" + text + "}";
}

std::string TypeSources::type_text(const Value &value) const {
  Type *type = value.getType();
  if (type->isPointerTy())
    return pointer_text(value);
  if (type->isFPOrFPVectorTy() || type->isIntegerTy(1) || type->isVoidTy() || type->isAggregateType())
    return ir_type(*type);
  const BasicType found = types_.of(value);
  return found.kind == ByteKind::integer ? ir_type(*type) : ir_type(*type) + " that carries " + text_of(found);
}

std::vector<ExplainedStep> TypeSources::evidence(const Value &value) const {
  const auto *load = dyn_cast<LoadInst>(&value);
  const bool is_moved = load && value.getType()->isIntOrIntVectorTy(); // its memory tells
  if (!is_moved && !value.getType()->isPointerTy())
    return {};
  const Value &pointer = is_moved ? *load->getPointerOperand() : value;
  const auto at = memory_.location(pointer);
  const auto found = at ? sources_.find(memory_.graph().find(at->node)) : sources_.end();
  std::vector<ExplainedStep> steps;
  if (found != sources_.end())
    for (Rank rank : {Rank::access, Rank::declaration, Rank::layout, Rank::hint})
      for (const Source &source : found->second)
        if (source.rank == rank && steps.size() < most_sources)
          steps.push_back(source.step);
  if (steps.empty() && types_.uniform(pointer).kind != ByteKind::unknown)
    steps.push_back({"not by an access: a layout, a called function or the caller tells", {}});
  return steps;
}

} // namespace assay::engine
