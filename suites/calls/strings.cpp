// Strings beside numbers, with the functions of string.h: a list whose entries have names, commands in a text, a parser
// that walks through a text and computes.
#include "support/vector_program.hpp"
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

struct Entry {
  char *name;
  double value;
  Entry *next;
  char tag[12];
};

Entry *push(Entry *list, const char *name, double value) {
  auto *entry = static_cast<Entry *>(std::malloc(sizeof(Entry)));
  entry->name = strdup(name);
  entry->value = value;
  entry->next = list;
  std::strncpy(entry->tag, "tag_", sizeof entry->tag);
  std::strncat(entry->tag, name, 5);
  return entry;
}
double value_of(const Entry *list, const char *name) {
  for (; list; list = list->next)
    if (!std::strcmp(list->name, name) && std::strstr(list->tag, name))
      return list->value;
  return 0;
}
double named_list(const double *x, int n) {
  Entry *list = nullptr;
  char name[8];
  for (int i = 0; i < n; ++i) {
    std::snprintf(name, sizeof name, "v%02d", i);
    list = push(list, name, x[i] * x[i]);
  }
  const double result = value_of(list, "v00") * value_of(list, "v02") + value_of(list, "v01") + value_of(list, "?");
  for (Entry *next; list; list = next) {
    next = list->next;
    std::free(list->name);
    std::free(list);
  }
  return result;
}

double commands(const double *x, int) {
  char text[] = "add 0 mul 1 add 2 mul 0", *rest;
  double result = 1;
  for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(nullptr, " ", &rest)) {
    char name[8];
    std::strcpy(name, word);
    for (char *letter = name; *letter; ++letter)
      *letter = char(std::toupper(*letter));
    const double argument = x[std::atoi(strtok_r(nullptr, " ", &rest))];
    result = std::strcmp(name, "ADD") == 0 ? result + argument : result * argument;
  }
  return result;
}

struct Parser {
  const char *text;
  const double *variables;
};

double sum(Parser &parser);
double atom(Parser &parser) {
  if (*parser.text == '(') {
    ++parser.text;
    const double value = sum(parser);
    ++parser.text;
    return value;
  }
  if (std::strchr("abc", *parser.text))
    return parser.variables[*parser.text++ - 'a'];
  char *end;
  const double value = std::strtod(parser.text, &end);
  parser.text = end;
  return value;
}
double product(Parser &parser) {
  double value = atom(parser);
  while (*parser.text == '*') {
    ++parser.text;
    value *= atom(parser);
  }
  return value;
}
double sum(Parser &parser) {
  double value = product(parser);
  while (*parser.text == '+') {
    ++parser.text;
    value += product(parser);
  }
  return value;
}
double parsed(const double *x, int) {
  Parser parser{"a*(b+2.5*c)+(c+1e1)*a*a", x};
  return sum(parser);
}

} // namespace

PLUGIN_TEST(Strings, NameNumbers) {
  CHECK_FUNCTION(named_list, 0.7, -1.2, 0.4);
}
PLUGIN_TEST(Strings, AreCommands) {
  CHECK_FUNCTION(commands, 0.7, -1.2, 0.4);
}
PLUGIN_TEST(Strings, AreParsedByAPointerThatMovesThroughThem) {
  CHECK_FUNCTION(parsed, 0.7, -1.2, 0.4);
}
