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

struct Cell {
  char *name;
  double value;
  Cell *next;
};
struct Table {
  Cell **cells;
  int size, used;
};
double &value_in(Table &table, const char *name) {
  unsigned hash = 5381;
  for (const char *letter = name; *letter; ++letter)
    hash = hash * 33 + static_cast<unsigned char>(*letter);
  Cell **place = &table.cells[hash % table.size];
  while (*place && std::strcmp((*place)->name, name))
    place = &(*place)->next;
  if (!*place) {
    *place = static_cast<Cell *>(std::calloc(1, sizeof(Cell)));
    (*place)->name = table.used++ % 2 ? strdup(name) : strndup(name, 3);
  }
  return (*place)->value;
}
double table_of_names(const double *x, int n) {
  Table table{static_cast<Cell **>(std::calloc(7, sizeof(Cell *))), 7, 0};
  for (int i = 0; i < 3 * n; ++i) {
    char name[16];
    std::snprintf(name, sizeof name, "k%d", i % (n + 1));
    value_in(table, name) += x[i % n] * (i + 1);
  }
  double result = 0;
  for (int i = 0; i < table.size; ++i)
    for (Cell *cell = table.cells[i], *next; cell; cell = next) {
      next = cell->next;
      result += cell->value * cell->value;
      std::free(cell->name);
      std::free(cell);
    }
  std::free(table.cells);
  return result * table.used;
}
double grown_by_elements(const double *x, int n) {
  double *values = nullptr, result = 0;
  for (int i = 0; i < n; ++i) {
    values = static_cast<double *>(reallocarray(values, i + 1, sizeof(double)));
    values[i] = x[i] * x[n - 1 - i] + (i ? values[i - 1] : 0);
  }
  for (int i = 0; i < n; ++i)
    result += values[i] * values[i];
  std::free(values);
  return result;
}
/// A number before its text, in one block.
double searched_records(const double *x, int n) {
  double result = 0;
  for (int i = 0; i < n; ++i) {
    char *record = static_cast<char *>(std::calloc(64, 1));
    const double value = x[i] * x[n - 1 - i];
    std::memcpy(record, &value, sizeof value);
    std::snprintf(record + sizeof value, 40, "%0*d;rest", i + 1, i);
    const char *const found = static_cast<char *>(std::memchr(record + sizeof value, ';', 40));
    double kept;
    std::memcpy(&kept, record, sizeof kept);
    if (found != nullptr && std::strchr(found, 'r') == found + 1)
      result += kept * kept * double(found - record);
    std::free(record);
  }
  return result;
}

} // namespace

PLUGIN_TEST(Strings, AreSearchedBesideNumbers) {
  CHECK_FUNCTION(searched_records, 2.7, 0.9, 1.3, 0.4);
}
PLUGIN_TEST(Strings, AreKeysOfAHashTable) {
  CHECK_FUNCTION(table_of_names, 2.7, 0.9, 1.3, 0.4);
}
PLUGIN_TEST(Strings, StandBesideArraysThatGrowByElements) {
  CHECK_FUNCTION(grown_by_elements, 2.7, 0.9, 1.3, 0.4);
}
PLUGIN_TEST(Strings, NameNumbers) {
  CHECK_FUNCTION(named_list, 0.7, -1.2, 0.4);
}
PLUGIN_TEST(Strings, AreCommands) {
  CHECK_FUNCTION(commands, 0.7, -1.2, 0.4);
}
PLUGIN_TEST(Strings, AreParsedByAPointerThatMovesThroughThem) {
  CHECK_FUNCTION(parsed, 0.7, -1.2, 0.4);
}
