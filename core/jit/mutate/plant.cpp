// Each class changes one instruction.

#include "core/jit/mutate/find_sites.hpp"
#include "core/jit/mutate/lane_sites.hpp"
#include "core/jit/mutate/planted_sites.hpp"
#include "core/jit/mutate/registered_faults.hpp"
#include "core/jit/mutate/sites.hpp"
#include "core/jit/mutate/transposed_index.hpp"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <numeric>

using namespace llvm;

namespace assay::jit {

namespace {

std::string text_of(const Site &site) {
  std::string text;
  raw_string_ostream out(text);
  site.place->print(out);
  StringRef shown = StringRef(text).split(", !").first.trim();
  std::string result = shown.str();
  if (!site.text.empty())
    return result + "  " + site.text;
  if (site.other) {
    std::string other;
    raw_string_ostream name(other);
    site.other->printAsOperand(name, false);
    result += "  with " + other;
  } else if (site.kind == FaultClass::dropped_term) {
    result += site.operand == 0 ? "  without its first term" : "  without its second term";
  }
  return result;
}

unsigned line_of(const Instruction &instruction) {
  DebugLoc place = instruction.getDebugLoc();
  return place ? place.getLine() : 0;
}

void replace_by(Instruction &place, Value *other) {
  if (other == &place)
    return;
  place.replaceAllUsesWith(other);
}

void negate(Instruction &place) {
  IRBuilder<> builder(place.getParent(), std::next(place.getIterator()));
  auto *negative = builder.CreateFNeg(PoisonValue::get(place.getType()));
  auto *instruction = dyn_cast<Instruction>(negative);
  if (!instruction) { // folded: poison has no negation
    instruction = UnaryOperator::CreateFNeg(PoisonValue::get(place.getType()));
    builder.Insert(instruction);
  }
  place.replaceAllUsesWith(instruction);
  instruction->setOperand(0, &place);
}

void change_sign(Instruction &place) {
  if (place.getOpcode() != Instruction::FSub && place.getOpcode() != Instruction::FAdd)
    return negate(place);
  const auto opcode = place.getOpcode() == Instruction::FSub ? Instruction::FAdd : Instruction::FSub;
  auto *changed = BinaryOperator::Create(opcode, place.getOperand(0), place.getOperand(1), "", place.getIterator());
  changed->copyIRFlags(&place);
  replace_by(place, changed);
}

void remove_negation(Instruction &place) {
  replace_by(place, place.getOperand(0));
}

/// An address with the last index one lower, and the first iteration's own for the first.
void step_back(LoadInst &load) {
  IRBuilder<> builder(&load);
  auto *address = cast<GetElementPtrInst>(load.getPointerOperand());
  auto *stepped = cast<GetElementPtrInst>(address->clone());
  const unsigned last = address->getNumOperands() - 1;
  Value *index = address->getOperand(last);
  Value *zero = Constant::getNullValue(index->getType());
  Value *lower = builder.CreateSub(index, ConstantInt::get(index->getType(), 1));
  stepped->setOperand(last, builder.CreateSelect(builder.CreateICmpEQ(index, zero), zero, lower));
  builder.Insert(stepped);
  load.setOperand(0, stepped);
}

void lower_counter(LoadInst &counter) {
  IRBuilder<> builder(counter.getParent(), std::next(counter.getIterator()));
  auto *is_zero = cast<Instruction>(builder.CreateICmpEQ(&counter, builder.getInt64(0)));
  auto *lower = cast<Instruction>(builder.CreateSub(&counter, builder.getInt64(1)));
  Value *changed = builder.CreateSelect(is_zero, builder.getInt64(0), lower);
  counter.replaceUsesWithIf(changed,
                            [&](const Use &use) { return use.getUser() != is_zero && use.getUser() != lower; });
}

void change_iteration(Instruction &place) {
  auto *load = dyn_cast<LoadInst>(&place);
  if (!load)
    replace_by(place, place.getOperand(0)); // the position on a tape of records stays
  else if (load->getPointerOperand()->getName().starts_with("iteration"))
    lower_counter(*load);
  else
    step_back(*load);
}

/// What was never written holds garbage. Left undefined, the optimiser may take what suits it, also the right value.
void put_garbage_into(Value &memory) {
  auto *slot = dyn_cast<AllocaInst>(&memory);
  const std::optional<TypeSize> size = slot ? slot->getAllocationSize(slot->getDataLayout()) : std::nullopt;
  if (!size)
    return;
  IRBuilder<> builder(slot->getParent(), std::next(slot->getIterator()));
  Type *type = slot->getAllocatedType();
  if (type->isFPOrFPVectorTy())
    builder.CreateStore(ConstantFP::getNaN(type), slot);
  else
    builder.CreateMemSet(slot, builder.getInt8(0xff), size->getFixedValue(), slot->getAlign());
}

void leave_out(Instruction &place) {
  Value *memory = nullptr;
  if (auto *store = dyn_cast<StoreInst>(&place))
    memory = getUnderlyingObject(store->getPointerOperand());
  else if (auto *transfer = dyn_cast<MemIntrinsic>(&place))
    memory = getUnderlyingObject(transfer->getRawDest());
  place.eraseFromParent();
  if (memory)
    put_garbage_into(*memory);
}

void repeat(Instruction &place) {
  place.clone()->insertAfter(place.getIterator());
}

/// All lanes side by side: the lane that each takes its number from.
void permute_lanes(StoreInst &store, FaultClass kind) {
  Value *value = store.getValueOperand();
  const int width = int(cast<FixedVectorType>(value->getType())->getNumElements());
  IRBuilder<> builder(&store);
  if (kind == FaultClass::lane_dropped) {
    Value *zero = Constant::getNullValue(value->getType()->getScalarType());
    return store.setOperand(0, builder.CreateInsertElement(value, zero, std::uint64_t(width - 1)));
  }
  SmallVector<int, 8> from(width);
  std::iota(from.begin(), from.end(), 0);
  if (kind == FaultClass::lane_swapped)
    from[width - 1] = width - 2;
  else
    from[width / 2] = 0;
  store.setOperand(0, builder.CreateShuffleVector(value, from));
}

void confuse_lanes(const Site &site) {
  if (site.other)
    return site.place->setOperand(site.operand, site.other);
  if (auto *store = dyn_cast<StoreInst>(site.place); store && store->getValueOperand()->getType()->isVectorTy())
    return permute_lanes(*store, site.kind);
  if (isa<InsertValueInst>(site.place))
    return site.place->setOperand(1, Constant::getNullValue(site.place->getOperand(1)->getType()));
  leave_out(*site.place);
}

void drop_result(Instruction &place) {
  if (!place.getType()->isVoidTy())
    replace_by(place, Constant::getNullValue(place.getType()));
  if (isa<CallInst>(place))
    place.eraseFromParent();
}

void apply(const Site &site) {
  if (site.change)
    return site.change();
  Instruction &place = *site.place;
  switch (site.kind) {
  case FaultClass::sign:
  case FaultClass::primal_changed:
    return change_sign(place);
  case FaultClass::dropped_term:
  case FaultClass::overwritten_sum:
    return replace_by(place, place.getOperand(1 - site.operand));
  case FaultClass::wrong_operand:
  case FaultClass::tape_slot:
    return place.setOperand(site.operand, site.other);
  case FaultClass::transposed_index:
    return exchange_row_and_column(cast<GetElementPtrInst>(place));
  case FaultClass::conjugate:
    return remove_negation(place);
  case FaultClass::wrong_iteration:
    return change_iteration(place);
  case FaultClass::argument_mutation:
  case FaultClass::missing_release:
    place.eraseFromParent();
    return;
  case FaultClass::missing_zeroing:
  case FaultClass::tape_store:
    return leave_out(place);
  case FaultClass::primal_return:
    return place.setOperand(site.operand, Constant::getNullValue(place.getOperand(site.operand)->getType()));
  case FaultClass::double_release:
    return repeat(place);
  case FaultClass::lane_swapped:
  case FaultClass::lane_broadcast:
  case FaultClass::lane_dropped:
    return confuse_lanes(site);
  case FaultClass::callable:
    return drop_result(place);
  default:
    return;
  }
}

} // namespace

/// The split form may be written several times, with and without the primal result: `splitdiffe.f`, `splitdiffe.f.4`.
StringRef place_of(const Function &written) {
  const auto [name, suffix] = written.getName().rsplit('.');
  return !suffix.empty() && all_of(suffix, isDigit) ? name : written.getName();
}

StringSet<> places_reached_from(Function &function) {
  StringSet<> places;
  SetVector<Function *> reached;
  reached.insert(&function);
  for (size_t next = 0; next < reached.size(); ++next)
    for (const Instruction &instruction : instructions(*reached[next])) {
      const auto *call = dyn_cast<CallBase>(&instruction);
      if (Function *callee = call ? call->getCalledFunction() : nullptr; callee && reached.insert(callee))
        places.insert(place_of(*callee));
    }
  return places;
}

static SmallVector<Site, 64> sites_of(Function &written, unsigned lanes) {
  return lanes == 1 ? find_sites(written) : find_lane_sites(written, lanes);
}

static std::vector<Fault> faults_at(ArrayRef<Site> sites, StringRef place) {
  std::vector<Fault> faults;
  std::map<FaultClass, unsigned> counts;
  for (const Site &site : sites)
    faults.push_back({site.kind, place.str(), counts[site.kind]++, line_of(*site.place), text_of(site)});
  return faults;
}

static bool plant_at(ArrayRef<Site> sites, const Fault &fault) {
  unsigned number = 0;
  for (const Site &site : sites)
    if (site.kind == fault.kind && number++ == fault.number) {
      apply(site);
      return true;
    }
  return false;
}

std::vector<Fault> faults_of(Function &written, unsigned lanes) {
  return faults_at(sites_of(written, lanes), place_of(written));
}

bool plant(Function &written, const Fault &fault, unsigned lanes) {
  return place_of(written) == fault.place && plant_at(sites_of(written, lanes), fault);
}

/// The functions of a rule, in their order.
static SmallVector<Function *, 2> parts_of(Module &module, const RegisteredRule &rule) {
  SmallVector<Function *, 2> parts;
  for (const std::string &symbol : rule.part_symbols)
    if (Function *part = module.getFunction(symbol); part && !part->isDeclaration() && !is_contained(parts, part))
      parts.push_back(part);
  return parts;
}

static SmallVector<Site, 64> sites_of_registered(Module &module, const RegisteredRule &rule, Function &part) {
  const Function *primal = module.getFunction(rule.function_symbol);
  if (!primal)
    return {};
  const bool is_second_half = rule.mode == Mode::reverse && rule.part_symbols.back() == part.getName();
  const bool has_derivatives = rule.mode == Mode::forward || is_second_half;
  const Roles roles = !has_derivatives             ? Roles()
                      : !rule.name.empty()         ? roles_of_template(part, rule)
                      : rule.mode == Mode::forward ? roles_of_tangent(part, *primal)
                                                   : roles_of_reverse(part, *primal);
  SmallVector<Site, 64> sites = find_arithmetic_faults(part, roles);
  append_range(sites, find_general_faults(part, roles));
  return sites;
}

std::vector<Fault> faults_of_registered(Module &module, const RegisteredRule &rule) {
  std::vector<Fault> faults;
  for (Function *part : parts_of(module, rule))
    append_range(faults, faults_at(sites_of_registered(module, rule, *part), part->getName()));
  return faults;
}

bool plant_in_registered(Module &module, const RegisteredRule &rule, const Fault &fault) {
  for (Function *part : parts_of(module, rule))
    if (part->getName() == fault.place)
      return plant_at(sites_of_registered(module, rule, *part), fault);
  return false;
}

} // namespace assay::jit
