#include "core/jit/function_names.hpp"

#include "llvm/ADT/StringRef.h"
#include "llvm/Demangle/Demangle.h"
#include <algorithm>
#include <cctype>
#include <tuple>

namespace assay::jit {

namespace {

/// The forms under which a function is known, from the fullest to the shortest.
struct Forms {
  std::string with_parameters; ///< ns::f<double>(double)
  std::string qualified;       ///< ns::f<double>
  std::string plain;           ///< ns::f
};

bool is_rust_hash(std::string_view part) {
  return part.size() == 17 && part.front() == 'h' &&
         std::all_of(part.begin() + 1, part.end(), [](unsigned char c) { return std::isxdigit(c); });
}

/// `solver::step` for `_QMsolverPstep` of flang, `outer::inner` for an internal procedure; empty for other names.
std::string demangled_fortran(std::string_view name) {
  if (!name.starts_with("_Q"))
    return {};
  std::string result;
  for (std::size_t position = 2; position < name.size();) {
    if (std::string_view("MSFP").find(name[position]) == std::string_view::npos)
      return {};
    const auto *end =
        std::find_if(name.begin() + position + 1, name.end(), [](unsigned char c) { return std::isupper(c) != 0; });
    const std::string_view part(name.begin() + position + 1, end);
    if (part.empty())
      return {};
    result += (result.empty() ? "" : "::") + std::string(part);
    position += 1 + part.size();
  }
  return result;
}

/// Where the parameter list of a demangled name begins; anonymous namespaces have parentheses too.
std::size_t parameter_list(std::string_view name) {
  int depth = 0;
  std::string_view body = name;
  while (body.ends_with(" const") || body.ends_with(" &"))
    body = body.substr(0, body.rfind(' '));
  if (!body.ends_with(')'))
    return name.size();
  for (std::size_t position = body.size(); position-- > 0;) {
    depth += body[position] == ')';
    depth -= body[position] == '(';
    if (depth == 0)
      return position;
  }
  return name.size();
}

std::string without_template_arguments(std::string_view name) {
  std::string result;
  int depth = 0;
  for (const char c : name) {
    depth += c == '<';
    if (depth == 0)
      result += c;
    depth -= c == '>';
  }
  return result;
}

/// Demangled templates begin with their return type.
std::string_view without_return_type(std::string_view name) {
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t position = 0; position < name.size(); ++position) {
    depth += name[position] == '<' || name[position] == '(';
    depth -= name[position] == '>' || name[position] == ')';
    if (name[position] == ' ' && depth == 0)
      begin = position + 1;
  }
  return name.substr(begin);
}

/// `poly<double,3>` is `poly<double, 3>`.
std::string without_blanks(std::string_view name) {
  std::string result(name);
  std::erase(result, ' ');
  return result;
}

Forms forms_of(std::string_view linkage_name) {
  const std::string readable = readable_name(linkage_name);
  const std::size_t parameters = parameter_list(readable);
  Forms forms;
  forms.qualified = without_return_type(std::string_view(readable).substr(0, parameters));
  forms.with_parameters = forms.qualified + readable.substr(parameters);
  forms.plain = without_template_arguments(forms.qualified);
  return forms;
}

bool ends_as_qualified(const std::string &name, std::string_view suffix) {
  return name.size() > suffix.size() + 2 && std::string_view(name).ends_with(suffix) &&
         std::string_view(name).substr(0, name.size() - suffix.size()).ends_with("::");
}

} // namespace

std::string readable_name(std::string_view linkage_name) {
  if (std::string name = demangled_fortran(linkage_name); !name.empty())
    return name;
  std::string name = llvm::demangle(linkage_name);
  const std::size_t last = name.rfind("::");
  if (last != std::string::npos && is_rust_hash(std::string_view(name).substr(last + 2)))
    name.resize(last);
  return name;
}

std::string qualified_name(std::string_view linkage_name) {
  return forms_of(linkage_name).qualified;
}

static std::vector<std::string> functions_spelled(std::string_view given, const std::vector<std::string> &candidates) {
  const std::string name = without_blanks(given);
  std::vector<std::string> in_full, in_part;
  for (const std::string &candidate : candidates) {
    if (candidate == given)
      return {candidate};
    Forms forms = forms_of(candidate);
    for (std::string *form : {&forms.with_parameters, &forms.qualified, &forms.plain})
      *form = without_blanks(*form);
    if (forms.with_parameters == name || forms.qualified == name || forms.plain == name)
      in_full.push_back(candidate);
    else if (ends_as_qualified(forms.with_parameters, name) || ends_as_qualified(forms.qualified, name) ||
             ends_as_qualified(forms.plain, name))
      in_part.push_back(candidate);
  }
  return in_full.empty() ? in_part : in_full;
}

std::vector<std::string> functions_named(std::string_view given, const std::vector<std::string> &candidates) {
  std::vector<std::string> found = functions_spelled(given, candidates);
  if (!found.empty())
    return found;
  // Fortran does not tell capitals, and the symbol of an external procedure ends with an underscore.
  std::string name(given);
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  found = functions_spelled(name + "_", candidates);
  if (found.empty() && name != given)
    found = functions_spelled(name, candidates);
  std::erase_if(found,
                [](const std::string &candidate) { return !candidate.ends_with("_") && !candidate.starts_with("_Q"); });
  return found;
}

std::vector<std::string> names_near(std::string_view name, const std::vector<std::string> &candidates) {
  struct Scored {
    unsigned distance;
    std::string name;
  };
  std::vector<Scored> scored;
  for (const std::string &candidate : candidates) {
    const Forms forms = forms_of(candidate);
    const std::size_t last = forms.plain.rfind("::");
    const std::string base = last == std::string::npos ? forms.plain : forms.plain.substr(last + 2);
    const unsigned distance =
        std::min(llvm::StringRef(base).edit_distance(name), llvm::StringRef(forms.plain).edit_distance(name));
    scored.push_back({distance, forms.with_parameters});
  }
  std::sort(scored.begin(), scored.end(), [](const Scored &a, const Scored &b) {
    return std::tie(a.distance, a.name) < std::tie(b.distance, b.name);
  });
  std::vector<std::string> near;
  for (const Scored &entry : scored) {
    if (near.size() == 3 || entry.distance > std::max<std::size_t>(2, name.size() / 2))
      break;
    near.push_back(entry.name);
  }
  return near;
}

} // namespace assay::jit
