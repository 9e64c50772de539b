#include "core/jit/members_source.hpp"

#include "core/engine/explain/source_variables.hpp"
#include "core/jit/callables.hpp"
#include "core/jit/function_names.hpp"
#include "core/jit/source_interface.hpp"
#include "core/jit/type_text.hpp"
#include "llvm/BinaryFormat/Dwarf.h"
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace assay::jit {

namespace {

using TypeKind = ParameterType::Kind;

/// `struct wave`, `vec2`; empty where it has no name.
std::string type_of_variable(const llvm::DIType *type) {
  while (const auto *derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type)) {
    if (derived->getTag() == llvm::dwarf::DW_TAG_typedef)
      return derived->getName().str();
    type = derived->getBaseType(); // Qualifiers.
  }
  if (const auto *basic = llvm::dyn_cast_or_null<llvm::DIBasicType>(type))
    return basic->getSizeInBits() == 128 ? "double _Complex" : "float _Complex";
  return type && !type->getName().empty() ? "struct " + type->getName().str() : std::string();
}

/// As the type of a parameter: the source's own differs by conversions that C makes.
std::string type_of_number(const ParameterType &parameter) {
  switch (parameter.kind) {
  case TypeKind::real64:
    return "double";
  case TypeKind::real32:
    return "float";
  case TypeKind::real16:
    return "_Float16";
  case TypeKind::brain16:
    return "__bf16";
  case TypeKind::pointer:
    return "void *";
  case TypeKind::integer:
    return parameter.bits == 1 ? "_Bool" : fmt::format("__INT{}_TYPE__", parameter.bits);
  }
  return {};
}

class Writer {
public:
  Writer(const SourceInterface &interface, const FunctionSignature &signature, const std::vector<std::string> &specs,
         const std::vector<std::string> &known)
      : interface_(interface), signature_(signature), specs_(specs), known_(known) {}

  std::string write(const std::string &function, const std::string &name) {
    for (const Parameter &parameter : interface_.parameters)
      take(parameter);
    std::vector<std::string> parameters;
    for (std::size_t index = 0; index < signature_.parameters.size(); ++index)
      parameters.push_back(fmt::format("{} a{}", type_of_number(signature_.parameters[index]), index));
    const std::string call = fmt::format("{}({})", function, fmt::join(arguments_, ", "));
    const std::string result = signature_.result ? type_of_number(*signature_.result) : "void";
    if (interface_.numbers)
      add("{} r = {};\n  __builtin_memcpy(a{}, &r, sizeof r);", variable(interface_.result), call, next_);
    else
      add("{}{};", signature_.result ? result + " r = " : std::string(), call);
    body_ += back_;
    if (signature_.result)
      add("return r;");
    return has_names_
               ? declarations_ + fmt::format("{} {}({}) {{\n{}}}\n", result, name, fmt::join(parameters, ", "), body_)
               : std::string();
  }

private:
  template <typename... Values>
  void add(fmt::format_string<Values...> text, Values &&...values) {
    body_ += "  " + fmt::format(text, std::forward<Values>(values)...) + "\n";
  }

  std::string variable(const llvm::DIType *type) {
    std::string text = type_of_variable(type);
    has_names_ = has_names_ && !text.empty();
    return text;
  }

  void take(const Parameter &parameter) {
    if (parameter.members)
      return put_together(parameter);
    if (parameter.row)
      return point_to_rows(parameter);
    arguments_.push_back(parameter.is_callable ? callable(*parameter.type) : fmt::format("a{}", next_));
    ++next_;
  }

  /// Of the next parameter.
  std::string callable(const llvm::DIType &pointer) {
    const std::string name = callable_in(specs_[next_]);
    if (is_null_callable(name))
      return "0";
    if (std::ranges::find(known_, name) == known_.end())
      declarations_ +=
          fmt::format("extern __typeof__(*({})0) {};\n", text_of(engine::without_qualifiers(&pointer)), name);
    return name;
  }

  void put_together(const Parameter &parameter) {
    const std::string structure = fmt::format("s{}", next_);
    const bool by_value = parameter.passed == Passed::by_value;
    const auto *pointer = llvm::dyn_cast<llvm::DIDerivedType>(engine::without_qualifiers(parameter.type));
    add("{} {};", variable(by_value ? parameter.type : pointer->getBaseType()), structure);
    for (const Member &member : *parameter.members) {
      const std::string place = fmt::format("(char *)&{} + {}", structure, member.offset);
      if (is_pointer_to_function(*member.type)) {
        add("void *f{} = (void *){};", next_, callable(*member.type));
        add("__builtin_memcpy({}, &f{}, sizeof f{});", place, next_, next_);
      } else {
        const bool is_behind =
            signature_.parameters[next_].kind == TypeKind::pointer && (member.is_array || is_real_number(*member.type));
        add("__builtin_memcpy({}, {}a{}, {});", place, is_behind ? "" : "&", next_, member.bytes);
        if (is_behind && parameter.passed == Passed::by_pointer)
          back_ += fmt::format("  __builtin_memcpy(a{}, {}, {});\n", next_, place, member.bytes);
      }
      ++next_;
    }
    arguments_.push_back((by_value ? "" : "&") + structure);
  }

  void point_to_rows(const Parameter &parameter) {
    add("void *s{0}[a{1} > 0 ? a{1} : 1];", next_, next_ + 1);
    add("for (int i = 0; i < a{0}; ++i)\n    s{1}[i] = (char *)a{1} + (long)i * a{2} * {3};", next_ + 1, next_,
        next_ + 2, size_of_type(*target_of(parameter.row)));
    arguments_.push_back(fmt::format("(void *)s{}", next_));
    next_ += 3;
  }

  const SourceInterface &interface_;
  const FunctionSignature &signature_;
  const std::vector<std::string> &specs_, &known_;
  std::vector<std::string> arguments_; ///< Of the call.
  std::string declarations_, body_, back_;
  std::size_t next_ = 0; ///< Of the function's own parameters.
  bool has_names_ = true;
};

} // namespace

std::string source_of_members(const llvm::Function &function, const FunctionSignature &signature,
                              const std::vector<std::string> &specs, const std::vector<std::string> &known,
                              const std::string &name) {
  const std::optional<SourceInterface> interface = interface_of(function);
  return interface ? Writer(*interface, signature, specs, known).write(qualified_name(function.getName().str()), name)
                   : std::string();
}

} // namespace assay::jit
