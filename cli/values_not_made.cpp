#include "cli/values_not_made.hpp"

#include <cstdlib>
#include <fmt/format.h>
#include <string_view>

namespace assay::cli {

namespace {

/// Between `begin` and `end` in `text`; empty where it has none.
std::string between(const std::string &text, const std::string &begin, const std::string &end) {
  const std::size_t from = text.find(begin), first = from + begin.size();
  const std::size_t to = from == std::string::npos ? from : text.find(end, first);
  return to == std::string::npos ? std::string() : text.substr(first, to - first);
}

/// The parameter that the adapter's `Shape2` is for; a class of the user may be called Shape.
std::size_t parameter_in(const std::string &messages) {
  constexpr std::string_view shape = "::Shape";
  for (std::size_t at = messages.find(shape); at != std::string::npos; at = messages.find(shape, at + 1))
    if (const char next = messages[at + shape.size()]; next >= '0' && next <= '9')
      return std::strtoul(messages.c_str() + at + shape.size(), nullptr, 10);
  return messages.size();
}

/// Words that fit behind the name of a class of which no values can be made; empty: the compiler says something else.
std::string why_not_made(const std::string &messages, const std::string &parameter) {
  const auto says = [&](std::string_view words) { return messages.find(words) != std::string::npos; };
  if (says("is an abstract class"))
    return fmt::format("is abstract, and Assay cannot make values of it: give an object of a derived class, "
                       "--arg '{}=Derived(...)'",
                       parameter);
  if (says("can be made neither by default nor from integers"))
    return fmt::format("has no constructor without parameters or of integers, and Assay cannot make values of it: give "
                       "one, --arg '{}=EXPRESSION', or write a function that takes its numbers and makes it",
                       parameter);
  if (!says("what is in this type cannot be seen"))
    return says("nothing in this type can be differentiated")
               ? fmt::format("has no numbers that can be seen: give an object, --arg '{}=EXPRESSION'", parameter)
               : std::string();
  const std::string type =
      between(messages.substr(messages.find("what is in this type cannot be seen")), "walk<", ", assay::detail::");
  if (type.find("std::function<") != std::string::npos)
    return fmt::format("holds a callable, and Assay cannot make one: give an expression that makes it, "
                       "--arg '{}=EXPRESSION'",
                       parameter);
  return fmt::format("has private members, a base, a bit field, a union or a pointer{}, and Assay cannot make values "
                     "of it: give it public "
                     "members or assay_fields, write a function that takes its numbers and makes it, or give one whose "
                     "numbers are constant, --arg '{}=EXPRESSION'",
                     type.empty() ? "" : fmt::format(" ({})", type), parameter);
}

/// clang's words without the place, which nobody wrote.
std::string reason_in(const jit::BadRequest &error) {
  const std::string line = error.what();
  const std::size_t at = line.find("error: ");
  return at == std::string::npos ? line : line.substr(at + 7);
}

} // namespace

jit::BadRequest in_terms_of_user(const DescribedFunction &function, const jit::BadRequest &error, bool shows_details) {
  const jit::SourceParameters &source = function.source;
  const auto sentence = [&](const std::string &text) {
    return jit::BadRequest(text, shows_details ? error.details : "");
  };
  for (std::size_t index = 0; index < function.shapes.size(); ++index)
    if (const std::string &expression = function.shapes[index].expression;
        !expression.empty() && error.details.find(" return " + expression + "; }") != std::string::npos)
      return sentence(fmt::format("--arg '{}' for '{}' of {} ({}): {}", function.specs[index], source.names[index],
                                  function.name, source.types[index], reason_in(error)));
  const std::size_t index = parameter_in(error.details);
  if (index < source.names.size())
    if (const std::string why = why_not_made(error.details, source.names[index]); !why.empty())
      return sentence(fmt::format("'{}' of {} ({}) {}", source.names[index], function.name, source.types[index], why));
  return jit::BadRequest(
      fmt::format("{} cannot be called with values made for it: {}", function.name, reason_in(error)), error.details);
}

} // namespace assay::cli
