#include "core/engine/analysis/type_collector.hpp"
#include "core/engine/analysis/library_effects.hpp"
#include "core/engine/analysis/tbaa_types.hpp"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include <numeric>

namespace assay::engine {
namespace {

constexpr unsigned most_rounds = 12;

bool is_integer(const llvm::Value &value) { return value.getType()->isIntOrIntVectorTy(); }

/// What the definition of an integer says of it: results of arithmetic are integers, moved ones say nothing.
BasicType type_by_definition(const llvm::Value &value) {
  if (llvm::isa<llvm::Constant, llvm::Argument>(value))
    return {};
  const auto *operation = llvm::dyn_cast<llvm::Operator>(&value);
  if (operation == nullptr)
    return {};
  switch (operation->getOpcode()) {
  case llvm::Instruction::Load:
  case llvm::Instruction::PHI:
  case llvm::Instruction::Select:
  case llvm::Instruction::Freeze:
  case llvm::Instruction::ExtractValue:
  case llvm::Instruction::ExtractElement:
  case llvm::Instruction::InsertElement:
  case llvm::Instruction::ShuffleVector:
  case llvm::Instruction::AtomicRMW:
  case llvm::Instruction::Trunc: // These five take words apart and put them together.
  case llvm::Instruction::LShr:
  case llvm::Instruction::Shl:
  case llvm::Instruction::Or:
  case llvm::Instruction::ZExt:
    return {};
  case llvm::Instruction::Call:
  case llvm::Instruction::Invoke:
    return {};
  case llvm::Instruction::PtrToInt:
    return pointer_type();
  case llvm::Instruction::BitCast:
    return operation->getOperand(0)->getType()->isFPOrFPVectorTy()
               ? basic_type(operation->getOperand(0)->getType()->getScalarType())
               : BasicType{};
  default:
    return integer_type();
  }
}

/// What one use says of an integer.
BasicType type_by_use(const llvm::Use &use) {
  const auto *user = llvm::dyn_cast<llvm::Operator>(use.getUser());
  if (user == nullptr)
    return {};
  switch (user->getOpcode()) {
  case llvm::Instruction::Add:
  case llvm::Instruction::Sub:
  case llvm::Instruction::Mul:
  case llvm::Instruction::SDiv:
  case llvm::Instruction::UDiv:
  case llvm::Instruction::SRem:
  case llvm::Instruction::URem:
  case llvm::Instruction::AShr:
  case llvm::Instruction::ICmp:
  case llvm::Instruction::SIToFP:
  case llvm::Instruction::UIToFP:
  case llvm::Instruction::SExt:
  case llvm::Instruction::Switch:
    return integer_type();
  case llvm::Instruction::GetElementPtr:
    return use.getOperandNo() > 0 ? integer_type() : BasicType{};
  case llvm::Instruction::IntToPtr:
    return pointer_type();
  case llvm::Instruction::BitCast:
    return user->getType()->isFPOrFPVectorTy() ? basic_type(user->getType()->getScalarType()) : BasicType{};
  default:
    return {};
  }
}

} // namespace

TypeCollector::TypeCollector(const MemoryClasses &memory)
    : memory_(memory), layout_(memory.layout()), context_(memory.functions().front()->getContext()),
      trees_(memory.graph().node_count()) {
  for (const llvm::Value *object : memory.objects())
    if (const auto *global = llvm::dyn_cast<llvm::GlobalVariable>(object))
      add_layout(*memory_.location(*global), global->getValueType(), Rank::layout);
  for (const llvm::Function *function : memory.functions()) {
    for (const llvm::Argument &argument : function->args())
      if (is_integer(argument))
        visit_uses(argument);
    for (const llvm::Instruction &instruction : llvm::instructions(*function))
      visit(instruction);
  }
  copied_.resize(trees_.size());
  for (const Copy &copy : copies_)
    copied_[copy.source.node] = copied_[copy.target.node] = true;
  for (const Move &move : moves_)
    moved_.insert(leader(*move.value));
  for (unsigned round = 0; round < most_rounds; ++round) {
    bool changed = false;
    for (const Move &move : moves_)
      changed |= exchange(move);
    for (const Copy &copy : copies_) {
      changed |= copy_evidence(copy.source, copy.target, copy.size);
      changed |= copy_evidence(copy.target, copy.source, copy.size);
    }
    if (!changed)
      return;
  }
}

const TypeTree &TypeCollector::tree(NodeId node) const { return trees_[memory_.graph().find(node)]; }

Evidence TypeCollector::of_integer(const llvm::Value &value) const { return integers_.lookup(leader(value)); }

bool TypeCollector::is_moved(const llvm::Value &integer) const { return moved_.contains(leader(integer)); }

bool TypeCollector::is_without_floating(NodeId node) const {
  const TypeTree &known = tree(node);
  Evidence all = known.everything(OffsetSet::anywhere());
  if (all.empty() || all.mentions_floating())
    return false;
  // Copied memory may hold more than what is accessed here, unless it is an array.
  return !copied_[memory_.graph().find(node)] || !known.strided().empty();
}

const llvm::Value *TypeCollector::leader(const llvm::Value &value) const {
  const llvm::Value *top = &value;
  for (auto found = leaders_.find(top); found != leaders_.end(); found = leaders_.find(top))
    top = found->second;
  for (const llvm::Value *step = &value; step != top;)
    step = std::exchange(leaders_[step], top);
  return top;
}

void TypeCollector::join(const llvm::Value &one, const llvm::Value &other) {
  if (llvm::isa<llvm::Constant>(one) || llvm::isa<llvm::Constant>(other))
    return;
  const llvm::Value *first = leader(one), *second = leader(other);
  if (first == second)
    return;
  leaders_[second] = first;
  Evidence merged = integers_.lookup(second);
  integers_[first].merge(merged);
}

void TypeCollector::add(Location at, BasicType type, Rank rank, std::uint64_t size) {
  TypeTree &tree = trees_[at.node];
  std::uint64_t step = type.kind == ByteKind::integer ? 4 : std::max<std::uint64_t>(byte_size(type, layout_), 1);
  for (std::uint64_t offset = 0; offset < std::max<std::uint64_t>(size, 1); offset += step)
    tree.add(at.at.plus({static_cast<std::int64_t>(offset), 0}), Evidence::of(type, rank));
}

void TypeCollector::add_layout(Location at, llvm::Type *type, Rank rank) {
  for_each_scalar(type, at.at, layout_, [&](OffsetSet offset, llvm::Type *scalar) {
    // A plain integer array may be raw storage, and an integer a coerced struct: only floats and pointers say enough, and
    // integers inside of structs that have names.
    add({at.node, offset}, basic_type(scalar), rank, layout_.getTypeStoreSize(scalar).getFixedValue());
  });
}

void TypeCollector::visit_tag(const llvm::Instruction &access, Location at) {
  for (const TaggedField &field : fields_of_tag(access)) {
    BasicType type = field.type;
    add({at.node, at.at.plus({field.offset, 0})}, type, Rank::declaration, byte_size(type, layout_));
  }
}

void TypeCollector::visit_access(const llvm::Instruction &access, const llvm::Value &pointer, const llvm::Value &moved) {
  auto at = memory_.location(pointer);
  if (!at)
    return;
  visit_tag(access, *at);
  llvm::Type *type = moved.getType();
  if (!type->isSized() || type->isScalableTy())
    return;
  if (is_integer(moved)) {
    moves_.push_back({&moved, *at, layout_.getTypeStoreSize(type).getFixedValue()});
    return;
  }
  for_each_scalar(type, {0, 0}, layout_, [&](OffsetSet offset, llvm::Type *scalar) {
    std::uint64_t size = layout_.getTypeStoreSize(type).getFixedValue();
    std::uint64_t step = offset.stride == 0 ? size : offset.stride;
    for (auto byte = static_cast<std::uint64_t>(offset.base); byte < size; byte += step)
      if (!scalar->isIntegerTy())
        add({at->node, at->at.plus({static_cast<std::int64_t>(byte), 0})}, basic_type(scalar), Rank::access, 1);
  });
}

void TypeCollector::visit_uses(const llvm::Value &integer) {
  Evidence seen = Evidence::of(type_by_definition(integer), Rank::access);
  for (const llvm::Use &use : integer.uses())
    seen.merge(Evidence::of(type_by_use(use), Rank::access));
  if (!seen.empty())
    integers_[leader(integer)].merge(seen);
}

void TypeCollector::visit(const llvm::Instruction &instruction) {
  if (is_integer(instruction))
    visit_uses(instruction);
  if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    visit_access(*load, *load->getPointerOperand(), *load);
  } else if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    visit_access(*store, *store->getPointerOperand(), *store->getValueOperand());
  } else if (const auto *exchange = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    visit_access(*exchange, *exchange->getPointerOperand(), *exchange->getValOperand());
  } else if (const auto *alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
    Location at = *memory_.location(*alloca);
    if (alloca->isArrayAllocation())
      at.at.stride = layout_.getTypeAllocSize(alloca->getAllocatedType()).getFixedValue();
    add_layout(at, alloca->getAllocatedType(), Rank::layout);
  } else if (const auto *gep = llvm::dyn_cast<llvm::GEPOperator>(&instruction)) {
    auto at = memory_.location(*gep->getPointerOperand());
    bool says_something = gep->getSourceElementType()->isStructTy() || gep->getSourceElementType()->isFloatingPointTy();
    if (at && says_something) {
      if (!gep->hasAllConstantIndices() || gep->getSourceElementType()->isFloatingPointTy())
        at->at = at->at.plus({0, layout_.getTypeAllocSize(gep->getSourceElementType()).getFixedValue()});
      add_layout(*at, gep->getSourceElementType(), Rank::layout);
    }
  } else if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    visit_call(*call);
  } else if (is_integer(instruction)) {
    switch (instruction.getOpcode()) {
    case llvm::Instruction::PHI:
    case llvm::Instruction::Freeze:
    case llvm::Instruction::ShuffleVector:
      for (const llvm::Use &operand : instruction.operands())
        join(instruction, *operand);
      break;
    case llvm::Instruction::Select:
      join(instruction, *instruction.getOperand(1));
      join(instruction, *instruction.getOperand(2));
      break;
    case llvm::Instruction::InsertElement:
      join(instruction, *instruction.getOperand(0));
      join(instruction, *instruction.getOperand(1));
      break;
    case llvm::Instruction::ExtractElement:
      join(instruction, *instruction.getOperand(0));
      break;
    case llvm::Instruction::BitCast:
      if (is_integer(*instruction.getOperand(0)))
        join(instruction, *instruction.getOperand(0));
      break;
    default:
      break;
    }
  }
}

void TypeCollector::visit_call(const llvm::CallBase &call) {
  const llvm::Function *callee = call.getCalledFunction();
  if (library_effect(call) == LibraryEffect::copy) {
    auto target = memory_.location(*call.getArgOperand(0)), source = memory_.location(*call.getArgOperand(1));
    const auto *size = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(2));
    if (target && source)
      copies_.push_back({*target, *source, size != nullptr ? std::optional(size->getZExtValue()) : std::nullopt});
    for (const llvm::Use &argument : {std::cref(call.getArgOperandUse(0)), std::cref(call.getArgOperandUse(1))})
      if (auto at = memory_.location(*argument))
        visit_tag(call, *at);
    return;
  }
  if (callee == nullptr)
    return;
  for (unsigned index = 0; index < call.arg_size(); ++index) {
    const llvm::Value &actual = *call.getArgOperand(index);
    if (!callee->isDeclaration() && index < callee->arg_size() && is_integer(actual) &&
        actual.getType() == callee->getArg(index)->getType())
      join(*callee->getArg(index), actual);
    if (!actual.getType()->isPointerTy() || !writes_floating_result(callee->getName(), index))
      continue;
    if (auto at = memory_.location(actual))
      add(*at, basic_type(call.getArgOperand(0)->getType()), Rank::access, 1);
  }
  if (!callee->isDeclaration() && is_integer(call))
    for (const llvm::BasicBlock &block : *callee)
      if (const auto *exit = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator()))
        if (exit->getReturnValue() != nullptr && exit->getReturnValue()->getType() == call.getType())
          join(call, *exit->getReturnValue());
}

bool TypeCollector::exchange(const Move &move) {
  TypeTree &tree = trees_[move.memory.node];
  Evidence &moved = integers_[leader(*move.value)];
  bool changed = false;
  for (std::uint64_t offset = 0; offset < move.size; offset += 4)
    changed |= moved.merge(tree.look_up(move.memory.at.plus({static_cast<std::int64_t>(offset), 0})));
  BasicType type = moved.resolve(context_);
  std::uint64_t step = std::max<std::uint64_t>(1, type.kind == ByteKind::integer ? 4 : byte_size(type, layout_));
  for (std::uint64_t offset = 0; offset < move.size; offset += step)
    changed |= tree.add(move.memory.at.plus({static_cast<std::int64_t>(offset), 0}), moved);
  return changed;
}

bool TypeCollector::copy_evidence(Location from, Location to, std::optional<std::uint64_t> size) {
  bool changed = false;
  TypeTree source = trees_[from.node]; // A copy: the two may be the same.
  std::uint64_t moving = from.node == to.node ? static_cast<std::uint64_t>(std::abs(from.at.base - to.at.base)) : 0;
  std::uint64_t blur = std::gcd(std::gcd(from.at.stride, to.at.stride), moving);
  auto transfer = [&](OffsetSet entry, Evidence evidence) {
    std::uint64_t stride = std::gcd(entry.stride, blur);
    std::int64_t relative = entry.base - from.at.base;
    if (stride != 0 && (relative < 0 || from.at.stride != 0))
      relative = floor_modulo(relative, stride);
    if (relative < 0 || (size && relative >= static_cast<std::int64_t>(*size)))
      return;
    if (size && entry.stride != 0 && blur == 0) {
      // Elements of an array inside of what is copied: each by itself, unless there are many.
      constexpr std::int64_t most_elements = 64;
      std::int64_t count = (static_cast<std::int64_t>(*size) - relative - 1) / static_cast<std::int64_t>(stride) + 1;
      if (count <= most_elements) {
        for (std::int64_t element = 0; element < count; ++element)
          changed |= trees_[to.node].add(
              {to.at.base + relative + element * static_cast<std::int64_t>(stride), 0},
              source.look_up({from.at.base + relative + element * static_cast<std::int64_t>(stride), 0}));
        return;
      }
    }
    changed |= trees_[to.node].add({to.at.base + relative, stride}, evidence);
  };
  for (const auto &[offset, evidence] : source.exact())
    transfer({offset, 0}, evidence);
  for (const auto &[key, entry] : source.strided())
    transfer({entry.base, key.first}, entry.evidence);
  return changed;
}

} // namespace assay::engine
