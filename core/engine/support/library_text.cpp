// Functions of text: searches, conversions, numbers and strings that are read.

#include "core/engine/support/library_table.hpp"

using namespace llvm;

namespace assay::engine {
namespace {

/// What is found is a part of the object of argument 0, or nothing.
constexpr NamedPrototype searches[] = {{"memchr", ""},          {"memrchr", ""}, {"strchr", ""},
                                       {"strrchr", ""},         {"strstr", ""},  {"strchrnul", "p(pi)"},
                                       {"strcasestr", "p(pp)"}, {"strpbrk", ""}};

/// What is returned is argument 0 or a place in it.
constexpr StringLiteral copies[] = {"strcpy",       "strncpy",       "strcat",       "strncat",
                                    "stpcpy",       "stpncpy",       "__strcpy_chk", "__strncpy_chk",
                                    "__strcat_chk", "__strncat_chk", "__stpcpy_chk"};

constexpr NamedPrototype conversions[] = {{"strtod", "f(pp)"},   {"strtof", "f(pp)"},   {"strtold", "f(pp)"},
                                          {"strtol", "i(ppi)"},  {"strtoll", "i(ppi)"}, {"strtoul", "i(ppi)"},
                                          {"strtoull", "i(ppi)"}};

struct Scan {
  StringLiteral name, prototype;
  unsigned format;
};
constexpr Scan scans[] = {{"scanf", "i(p.)", 0}, {"sscanf", "i(pp.)", 1}, {"fscanf", "i(pp.)", 1}};

// What the C library's headers call these two groups where newer standards are asked for.
constexpr StringLiteral dialects[] = {"", "__isoc99_", "__isoc23_"};

void add_c_text(LibraryTable &table) {
  for (const NamedPrototype &search : searches)
    table.add({.name = search.name,
               .prototype = search.prototype,
               .activity = LibraryActivity::inactive,
               .effect = LibraryEffect::identity,
               .role = LibraryRole::search});
  for (StringRef name : copies)
    table.add({.name = name, .activity = LibraryActivity::inactive, .effect = LibraryEffect::identity});
  for (StringRef dialect : dialects) {
    for (const NamedPrototype &conversion : conversions)
      table.add({.name = table.keep((dialect + conversion.name).str()),
                 .prototype = conversion.prototype,
                 .activity = LibraryActivity::inactive,
                 .effect = LibraryEffect::none,
                 .role = LibraryRole::convert_text});
    for (const Scan &scan : scans)
      table.add({.name = table.keep((dialect + scan.name).str()),
                 .prototype = scan.prototype,
                 .role = LibraryRole::scan_format,
                 .format = scan.format});
  }
}

/// Members of streams that read one number, and from_chars: the type is a letter of the name.
void add_read_numbers(LibraryTable &table) {
  struct Pattern {
    StringLiteral before, after;
    unsigned argument;
  };
  constexpr Pattern patterns[] = {
      {"_ZNSi10_M_extractI", "EERSiRT_", 1},
      {"_ZNSirsER", "", 1},
      {"_ZNSt13basic_istreamIwSt11char_traitsIwEE10_M_extractI", "EERS2_RT_", 1},
      {"_ZNSt13basic_istreamIwSt11char_traitsIwEErsER", "", 1},
      {"_ZSt10from_charsPKcS0_R", "St12chars_format", 2},
  };
  constexpr std::pair<StringLiteral, OutParameter::Number> letters[] = {
      {"f", OutParameter::Number::single_precision},
      {"d", OutParameter::Number::double_precision},
      {"e", OutParameter::Number::extended_precision}};
  for (const Pattern &pattern : patterns)
    for (const auto &[letter, number] : letters)
      table.add({.name = table.keep((pattern.before + letter + pattern.after).str()),
                 .prototype = "~",
                 .activity = LibraryActivity::inactive,
                 .role = LibraryRole::read_number,
                 .results = {{pattern.argument, number}}});
}

/// operator>>(istream &, string &), getline(istream &, string &) and with a character that ends the line.
void add_read_strings(LibraryTable &table) {
  constexpr StringLiteral string =
      "IcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE";
  const auto add = [&](StringRef before, StringRef after, LibraryRole role) {
    table.add({.name = table.keep((before + string + after).str()),
               .prototype = "~",
               .activity = LibraryActivity::inactive,
               .role = role});
  };
  add("_ZStrs", "", LibraryRole::read_word);
  add("_ZSt7getline", "", LibraryRole::read_line);
  add("_ZSt7getline", "S4_", LibraryRole::read_line_until);
}

} // namespace

void add_text_functions(LibraryTable &table) {
  add_c_text(table);
  add_read_numbers(table);
  add_read_strings(table);
  for (StringRef name : {"_ZNSi4readEPcl", "_ZNSi8readsomeEPcl"}) // istream's
    table.add({.name = name, .prototype = "~", .role = LibraryRole::read_bytes});
}

} // namespace assay::engine
