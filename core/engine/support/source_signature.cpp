// Method: the demangled parameter types are matched against the LLVM parameter types by search. A fundamental or
// pointer type takes the one LLVM parameter of its type, a class type any number up to four, the same number wherever
// the same class stands. The match counts only if it is the only one. Where there are no types, or several matches,
// what was noted of the function's body decides.

#include "core/engine/support/source_signature.hpp"
#include "core/engine/support/annotations.hpp"
#include "core/engine/support/convention_names.hpp"
#include "core/engine/support/spread_parameters.hpp"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/BasicBlock.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr unsigned most_registers = 4; // a homogeneous aggregate of four floats

struct Slot {
  Type *type;
  bool by_value_in_memory; ///< Attribute byval: a whole struct behind one pointer.
};

/// "(void*, int&, std::map<int, int>)" becomes its parts; a variadic rest is left out.
SmallVector<std::string, 8> split_parameters(StringRef text) {
  SmallVector<std::string, 8> parts;
  if (!text.consume_front("(") || !text.consume_back(")"))
    return parts;
  int depth = 0;
  size_t start = 0;
  const auto take = [&](size_t end) {
    const StringRef part = text.slice(start, end).trim();
    if (!part.empty() && part != "..." && part != "void")
      parts.push_back(part.str());
    start = end + 1;
  };
  for (size_t at = 0; at < text.size(); ++at) {
    if (StringRef("<([{").contains(text[at]))
      ++depth;
    else if (StringRef(">)]}").contains(text[at]))
      --depth;
    else if (text[at] == ',' && depth == 0)
      take(at);
  }
  take(text.size());
  return parts;
}

/// The notes that the frontend made for C functions.
std::optional<SmallVector<std::string, 8>> noted_parameters(const Function &function) {
  StringRef list = function.getFnAttribute(parameters_annotation).getValueAsString();
  return list.empty() ? std::nullopt : std::optional(split_parameters(list));
}

bool is_pointer_text(StringRef type) {
  return type.ends_with("*") || type.ends_with("&") || type.contains("(*") || type.contains("(&") ||
         type == "std::nullptr_t" || type == "decltype(nullptr)";
}

class Matcher {
public:
  /// `known`: how many slots each parameter that takes any has, or empty.
  Matcher(ArrayRef<std::string> texts, ArrayRef<Slot> slots, ArrayRef<unsigned> known)
      : texts_(texts), slots_(slots), known_(known), counts_(texts.size()) {}

  /// How many slots each text takes, if there is exactly one way.
  std::optional<SmallVector<unsigned, 8>> only_match() {
    search(0, 0);
    return found_ == 1 ? std::optional(match_) : std::nullopt;
  }

private:
  void search(unsigned text, unsigned slot) {
    if (found_ > 1)
      return;
    if (text == texts_.size()) {
      if (slot == slots_.size() && is_as_known() && ++found_ == 1)
        match_ = counts_;
      return;
    }
    for (unsigned count = 0; count <= most_registers && slot + count <= slots_.size(); ++count)
      if (fits(text, slot, count)) {
        counts_[text] = count;
        search(text + 1, slot + count);
      }
  }

  bool fits(unsigned text, unsigned slot, unsigned count) const {
    const std::string &type = texts_[text];
    const auto slots = slots_.slice(slot, count);
    if (is_pointer_text(type))
      return count == 1 && slots[0].type->isPointerTy() && !slots[0].by_value_in_memory;
    if (!slots_.empty())
      if (Type *fundamental = fundamental_type(type, slots_[0].type->getContext()))
        return count == 1 && same_kind(*fundamental, *slots[0].type);
    for (unsigned earlier = 0; earlier < text; ++earlier)
      if (texts_[earlier] == type && counts_[earlier] != count)
        return false;
    const bool in_memory = any_of(slots, [](const Slot &each) { return each.by_value_in_memory; });
    return !in_memory || count == 1;
  }

  bool is_as_known() const {
    return known_.empty() || equal(make_filter_range(counts_, [](unsigned count) { return count > 0; }), known_);
  }

  static bool same_kind(Type &expected, Type &actual) {
    return &expected == &actual || (expected.isIntegerTy() && actual.isIntegerTy());
  }

  ArrayRef<std::string> texts_;
  ArrayRef<Slot> slots_;
  ArrayRef<unsigned> known_;
  SmallVector<unsigned, 8> counts_;
  SmallVector<unsigned, 8> match_;
  unsigned found_ = 0;
};

SourceParameter described(StringRef text, unsigned first, unsigned count) {
  SourceParameter parameter{first, count, "", false};
  parameter.reference = text.consume_back("&") || text.contains("(*&");
  text.consume_back("&"); // T&&
  text = text.trim();
  text.consume_back(" const");
  parameter.type = text.str();
  return parameter;
}

SmallVector<SourceParameter, 8> without_types(unsigned slots, unsigned offset, ArrayRef<unsigned> known) {
  const SmallVector<unsigned, 8> alone(slots, 1);
  SmallVector<SourceParameter, 8> result;
  for (const unsigned count : known.empty() ? ArrayRef(alone) : known) {
    result.push_back({offset, count, "", false});
    offset += count;
  }
  return result;
}

SmallVector<SourceParameter, 8> matched(const std::optional<SmallVector<std::string, 8>> &texts, ArrayRef<Slot> slots,
                                        unsigned offset, ArrayRef<unsigned> known) {
  const auto counts = texts ? Matcher(*texts, slots, known).only_match() : std::nullopt;
  if (!counts)
    return without_types(slots.size(), offset, known);
  SmallVector<SourceParameter, 8> result;
  unsigned slot = offset;
  for (auto [text, count] : zip(*texts, *counts)) {
    if (count > 0)
      result.push_back(described(text, slot, count));
    slot += count;
  }
  return result;
}

} // namespace

std::optional<SmallVector<std::string, 8>> demangled_parameters(StringRef name) {
  ItaniumPartialDemangler demangler;
  const std::string mangled = name.str();
  if (demangler.partialDemangle(mangled.c_str()) || !demangler.isFunction())
    return std::nullopt;
  size_t size = 0;
  char *text = demangler.getFunctionParameters(nullptr, &size);
  if (!text)
    return std::nullopt;
  auto parts = split_parameters(text);
  std::free(text);
  return parts;
}

unsigned pointer_depth(StringRef type) {
  unsigned depth = 0;
  for (type.consume_back(" const"); type.consume_back("*"); type.consume_back(" const"))
    ++depth;
  return depth;
}

Type *fundamental_type(StringRef name, LLVMContext &context) {
  name.consume_back(" const");
  return StringSwitch<Type *>(name)
      .Case("double", Type::getDoubleTy(context))
      .Case("float", Type::getFloatTy(context))
      .Case("long double", Type::getX86_FP80Ty(context))
      .Cases({"bool", "_Bool"}, Type::getInt1Ty(context))
      .Cases({"char", "signed char", "unsigned char", "char8_t"}, Type::getInt8Ty(context))
      .Cases({"short", "unsigned short", "char16_t"}, Type::getInt16Ty(context))
      .Cases({"int", "unsigned int", "wchar_t", "char32_t"}, Type::getInt32Ty(context))
      .Cases({"long", "unsigned long", "long long", "unsigned long long"}, Type::getInt64Ty(context))
      .Default(nullptr);
}

bool points_to_integers(const Function &function, unsigned parameter) {
  constexpr unsigned bits_of_byte = 8;
  for (const SourceParameter &declared : source_parameters(function)) {
    if (declared.first != parameter || declared.count != 1 || declared.reference || pointer_depth(declared.type) != 1)
      continue;
    const StringRef object = StringRef(declared.type).rtrim("*");
    const Type *type = fundamental_type(object.rtrim(), function.getContext());
    return type && type->isIntegerTy() && type->getIntegerBitWidth() > bits_of_byte;
  }
  return false;
}

unsigned first_parameter(const Function &function) {
  return function.hasStructRetAttr() ? 1 : 0;
}
unsigned first_argument(const CallBase &call) {
  return call.hasStructRetAttr() ? 1 : 0;
}

SmallVector<SourceParameter, 8> source_parameters(const Function &function) {
  SmallVector<Slot, 8> slots;
  const unsigned first = first_parameter(function);
  for (unsigned index = first; index < function.arg_size(); ++index)
    slots.push_back({function.getArg(index)->getType(), function.getArg(index)->hasByValAttr()});
  const auto noted = noted_parameters(function);
  const auto known = spread_parameters(function);
  return matched(noted ? noted : demangled_parameters(function.getName()), slots, first,
                 known ? ArrayRef(*known) : ArrayRef<unsigned>());
}

SmallVector<SourceParameter, 8> source_arguments(const CallBase &call) {
  SmallVector<Slot, 8> slots;
  const unsigned first = first_argument(call);
  for (unsigned index = first; index < call.arg_size(); ++index)
    slots.push_back({call.getArgOperand(index)->getType(), call.isByValArgument(index)});
  return matched(demangled_parameters(call.getCalledOperand()->stripPointerCasts()->getName()), slots, first, {});
}

void absorb_parameter_notes(Module &module) {
  remove_annotations(module, [](GlobalObject &subject, StringRef text) {
    auto *function = dyn_cast<Function>(&subject);
    if (!function || !text.consume_front(parameters_annotation))
      return false;
    function->addFnAttr(parameters_annotation, text);
    return true;
  });
}

} // namespace assay::engine
