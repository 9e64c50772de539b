#include "core/engine/support/rule_template.hpp"
#include "core/engine/support/constant_resolution.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace assay::engine {
namespace {

enum Entry : unsigned {
  signature,
  rule_name,
  forward,
  augmented,
  reverse,
  applies,
  tape_type,
  release,
  leads_to_others,
  type_information,
  primal
};

Constant *entry_of(const GlobalVariable &table, unsigned index) {
  return table.getInitializer()->getAggregateElement(index);
}

StringRef text_of(Constant *entry) {
  const auto *global = dyn_cast<GlobalVariable>(entry->stripPointerCasts());
  if (!global || !global->hasInitializer())
    return "";
  const Constant *text = global->getInitializer();
  if (isa<StructType>(text->getType()))
    text = text->getAggregateElement(0U);
  const auto *data = dyn_cast<ConstantDataSequential>(text);
  return data && data->isCString() ? data->getAsCString() : "";
}

Function *function_of(Constant *entry) {
  return dyn_cast_or_null<Function>(resolve_constant(entry));
}

/// What a table of virtual functions has at a byte offset from its address point.
Function *virtual_function(const Module &module, Constant *type, std::uint64_t offset) {
  const auto *information = dyn_cast<GlobalVariable>(type->stripPointerCasts());
  if (!information)
    return nullptr;
  StringRef name = information->getName();
  if (!name.consume_front("_ZTI"))
    return nullptr;
  const GlobalVariable *table = module.getGlobalVariable(("_ZTV" + name).str(), true);
  if (!table || !table->hasInitializer())
    return nullptr;
  constexpr unsigned before_functions = 2; // the offset to the top and the type
  Constant *functions = table->getInitializer()->getAggregateElement(0U);
  return functions ? function_of(functions->getAggregateElement(before_functions + offset / sizeof(void *))) : nullptr;
}

/// A pointer to a member function is an address, or one more than the offset in the table of virtual functions.
Function *registered_function(const GlobalVariable &table, unsigned index) {
  Constant *entry = entry_of(table, index);
  if (isa<StructType>(entry->getType()))
    entry = entry->getAggregateElement(0U);
  if (const auto *offset = dyn_cast<ConstantInt>(entry))
    return index == primal
               ? virtual_function(*table.getParent(), entry_of(table, type_information), offset->getZExtValue() - 1)
               : nullptr;
  return function_of(entry);
}

RuleValue value_of(StringRef word) {
  RuleValue value;
  const char letter = word.front();
  value.only_read = letter == 'P' || letter == 'N' || letter == 'R';
  value.without_pointers = letter == 'n' || letter == 'N' || letter == 'd';
  value.constant_object = letter == 'k' || letter == 'R';
  switch (letter) {
  case 'f':
    value.kind = RuleValue::Kind::number;
    break;
  case 'i':
    value.kind = RuleValue::Kind::integer;
    break;
  case 'p':
  case 'P':
  case 'n':
  case 'N':
    value.kind = RuleValue::Kind::pointer;
    value.numbers = word.drop_front().str();
    break;
  case 'r':
  case 'k':
  case 'R':
    value.kind = RuleValue::Kind::address;
    value.numbers = word.drop_front().str();
    break;
  case 'e':
    value.kind = RuleValue::Kind::empty;
    break;
  case 'c':
  case 'd': {
    value.kind = RuleValue::Kind::object;
    const auto [size, alignment] = word.drop_front().split(',');
    size.getAsInteger(10, value.size);
    alignment.getAsInteger(10, value.alignment);
    break;
  }
  default:
    break;
  }
  return value;
}

/// Whether the registers of an object are those of its fields alone, or of its padding as well. The convention has none
/// for eight bytes of padding, which an alignment of 16 may leave at the end, and the size does not tell them from a
/// field.
enum class EndOfObject { may_be_padding, is_field };

/// The LLVM parameters from `first` on that hold the object.
RulePlace place_of_object(const Function &function, unsigned first, const RuleValue &value, EndOfObject at_end) {
  constexpr std::uint64_t register_bytes = 8;
  const DataLayout &layout = function.getDataLayout();
  const std::uint64_t step =
      at_end == EndOfObject::is_field ? std::min<std::uint64_t>(value.alignment, register_bytes) : value.alignment;
  RulePlace place{first, 0, false};
  std::uint64_t end = 0;
  while (first + place.count < function.arg_size() && alignTo(end, step) < value.size) {
    const Argument &argument = *function.getArg(first + place.count++);
    if (place.count == 1 && argument.hasByValAttr()) {
      place.in_memory = true;
      return place;
    }
    end = alignTo(end, layout.getABITypeAlign(argument.getType())) +
          layout.getTypeStoreSize(argument.getType()).getFixedValue();
  }
  return place;
}

bool find_places(RuleTemplate &rule, EndOfObject at_end) {
  unsigned next = rule.returns_in_memory() ? 1 : 0;
  rule.places.clear();
  for (const RuleValue &value : rule.parameters) {
    RulePlace place{next, 1, false};
    if (value.kind == RuleValue::Kind::empty)
      place.count = 0;
    else if (value.kind == RuleValue::Kind::object)
      place = place_of_object(*rule.primal, next, value, at_end);
    next += place.count;
    rule.places.push_back(place);
  }
  return next == rule.primal->arg_size();
}

/// False where the LLVM function has other parameters than the signature says.
bool find_places(RuleTemplate &rule) {
  return find_places(rule, EndOfObject::is_field) || find_places(rule, EndOfObject::may_be_padding);
}

Type *tape_of(Constant *entry) {
  const Function *function = function_of(entry);
  if (!function)
    return nullptr;
  return function->getParamStructRetType(0)->getStructElementType(0);
}

} // namespace

const RuleValue *RuleTemplate::parameter_at(unsigned index) const {
  for (const auto &[value, place] : zip(parameters, places))
    if (index >= place.first && index < place.first + place.count)
      return &value;
  return nullptr;
}

bool RuleTemplate::only_reads(unsigned index) const {
  const RuleValue *parameter = parameter_at(index);
  return parameter && parameter->only_read;
}

bool RuleTemplate::keeps_pointers_apart() const {
  const auto passes_none_on = [](const RuleValue &value) {
    switch (value.kind) {
    case RuleValue::Kind::nothing:
    case RuleValue::Kind::number:
    case RuleValue::Kind::integer:
    case RuleValue::Kind::empty:
      return true;
    case RuleValue::Kind::pointer:
    case RuleValue::Kind::object:
      return value.without_pointers;
    case RuleValue::Kind::address:
      return false;
    }
    llvm_unreachable("unknown kind of a value");
  };
  if (hides_body)
    return result.kind != RuleValue::Kind::pointer;
  return result.kind != RuleValue::Kind::pointer && passes_none_on(result) && all_of(parameters, passes_none_on);
}

void RuleTemplate::note_on_function() const {
  if (hides_body)
    primal->addFnAttr(hidden_body_attribute);
  if (keeps_pointers_apart())
    primal->addFnAttr(keeps_pointers_apart_attribute);
  for (const auto &[value, place] : zip(parameters, places))
    if (!value.numbers.empty())
      primal->addParamAttr(place.first, Attribute::get(primal->getContext(), numbers_behind_attribute, value.numbers));
}

bool RuleTemplate::takes_objects() const {
  return any_of(parameters, [](const RuleValue &parameter) {
    using enum RuleValue::Kind;
    return is_contained({pointer, address, object}, parameter.kind);
  });
}

bool RuleTemplate::takes_integer(unsigned index) const {
  const RuleValue *parameter = parameter_at(index);
  return parameter && parameter->kind == RuleValue::Kind::integer;
}

bool RuleTemplate::takes_constant_object(unsigned index) const {
  const RuleValue *parameter = parameter_at(index);
  return parameter && parameter->constant_object;
}

Expected<RuleTableContent> read_rule_table(const GlobalVariable &table) {
  if (!table.hasInitializer() || !isa<ConstantStruct>(table.getInitializer()))
    return createStringError("the table of the rule '" + table.getName() + "' is not known when compiling");
  StringRef text = text_of(entry_of(table, signature));
  const bool hides_body = text.consume_front("=");
  if (text.starts_with("inactive"))
    return RuleTableContent{text == "inactive" ? RuleTableContent::Kind::inactive
                                               : RuleTableContent::Kind::inactive_noinl,
                            registered_function(table, rule_name + 1), nullptr};
  Function *function = registered_function(table, primal);
  if (!function)
    return RuleTableContent{};
  auto rule = std::make_shared<RuleTemplate>();
  rule->name = text_of(entry_of(table, rule_name)).str();
  rule->primal = function;
  rule->forward = function_of(entry_of(table, forward));
  rule->augmented = function_of(entry_of(table, augmented));
  rule->reverse = function_of(entry_of(table, reverse));
  rule->applies = function_of(entry_of(table, applies));
  rule->tape = tape_of(entry_of(table, tape_type));
  rule->release = function_of(entry_of(table, release));
  rule->hides_body = hides_body;
  rule->leads_to_others = !entry_of(table, leads_to_others)->isNullValue();
  SmallVector<StringRef, 8> words;
  text.drop_back().split(words, ';');
  rule->result = value_of(words.front());
  for (const StringRef word : drop_begin(words))
    rule->parameters.push_back(value_of(word));
  if (!find_places(*rule))
    return createStringError("the rule '" + rule->name + "' does not fit the function '" + source_name(*function) +
                             "': its parameters are passed in a way that rules do not know; take what is passed by "
                             "value by reference");
  return RuleTableContent{RuleTableContent::Kind::rule, function, std::move(rule)};
}

} // namespace assay::engine
