// Functions of mathematics that give a result through an argument, and those that carry no number: classification,
// rounding to integers, the floating-point environment. Others have a rule (core/engine/rules) and need no entry.

#include "core/engine/support/library_table.hpp"

using namespace llvm;

namespace assay::engine {
namespace {

using Number = OutParameter::Number;

/// A function for double, float and long double.
void add_of_each_precision(LibraryTable &table, const LibraryFunction &entry) {
  for (StringRef suffix : {"", "f", "l"}) {
    LibraryFunction of_precision = entry;
    of_precision.name = table.keep((entry.name + suffix).str());
    table.add(std::move(of_precision));
  }
}

/// The same function of the device's library (libdevice), for double and float.
void add_of_device(LibraryTable &table, const LibraryFunction &entry) {
  for (StringRef suffix : {"", "f"}) {
    LibraryFunction of_device = entry;
    if (entry.role != LibraryRole::none)
      of_device.role = LibraryRole::device_form;
    of_device.name = table.keep(("__nv_" + entry.name + suffix).str());
    table.add(std::move(of_device));
  }
}

void add_with_results(LibraryTable &table) {
  const auto entry = [](StringRef name, StringRef prototype, LibraryRole role, SmallVector<OutParameter, 2> results) {
    return LibraryFunction{.name = name,
                           .prototype = prototype,
                           .effect = LibraryEffect::none,
                           .role = role,
                           .results = std::move(results)};
  };
  const OutParameter first{1, Number::like_argument_0}, second{2, Number::like_argument_0};
  const LibraryFunction everywhere[] = {
      entry("modf", "f(fp)", LibraryRole::fraction, {first}),
      entry("sincos", "v(fpp)", LibraryRole::sine_and_cosine, {first, second}),
      entry("frexp", "f(fp)", LibraryRole::none, {{1, Number::integer}}),
      entry("remquo", "f(ffp)", LibraryRole::none, {{2, Number::integer}}),
  };
  for (const LibraryFunction &function : everywhere) {
    add_of_each_precision(table, function);
    add_of_device(table, function);
  }
  for (StringRef name : {"lgamma", "gamma"})
    for (StringRef suffix : {"_r", "f_r", "l_r"})
      table.add(entry(table.keep((name + suffix).str()), "f(fp)", LibraryRole::none, {{1, Number::integer}}));
}

void add_extrema(LibraryTable &table) {
  for (StringRef name : {"fmax", "fmin"}) {
    const LibraryFunction entry{.name = name, .prototype = "f(ff)", .role = LibraryRole::extremum};
    add_of_each_precision(table, entry);
    for (StringRef suffix : {"", "f"}) {
      LibraryFunction of_device = entry;
      of_device.name = table.keep(("__nv_" + name + suffix).str());
      table.add(std::move(of_device));
    }
  }
}

constexpr NamedPrototype of_each_precision[] = {
    {"lround", "i(f)"},         {"llround", "i(f)"},     {"lrint", "i(f)"},      {"llrint", "i(f)"},
    {"ilogb", "i(f)"},          {"llogb", "i(f)"},       {"fpclassify", "i(f)"}, {"isnan", "i(f)"},
    {"isinf", "i(f)"},          {"isfinite", "i(f)"},    {"isnormal", "i(f)"},   {"signbit", "i(f)"},
    {"finite", "i(f)"},         {"issignaling", "i(f)"}, {"iseqsig", "i(ff)"},   {"totalorder", "i(**)"},
    {"totalordermag", "i(**)"}, {"getpayload", "f(p)"},  {"fromfp", "*(fii)"},   {"ufromfp", "*(fii)"},
    {"fromfpx", "*(fii)"},      {"ufromfpx", "*(fii)"},  {"nan", "f(p)"},        {"__fpclassify", "i(f)"},
    {"__isnan", "i(f)"},        {"__isinf", "i(f)"},     {"__finite", "i(f)"},   {"__signbit", "i(f)"},
    {"__issignaling", "i(f)"},  {"__iseqsig", "i(ff)"}};

constexpr NamedPrototype others[] = {{"abs", "i(i)"},
                                     {"labs", "i(i)"},
                                     {"llabs", "i(i)"},
                                     {"fegetround", "i()"},
                                     {"fesetround", "i(i)"},
                                     {"feclearexcept", "i(i)"},
                                     {"fetestexcept", "i(i)"},
                                     {"feraiseexcept", "i(i)"},
                                     {"feenableexcept", "i(i)"},
                                     {"fedisableexcept", "i(i)"},
                                     {"fegetenv", "i(p)"},
                                     {"fesetenv", "i(p)"},
                                     {"feholdexcept", "i(p)"},
                                     {"feupdateenv", "i(p)"}};

LibraryFunction number_free(const NamedPrototype &named) {
  return {.name = named.name, .prototype = named.prototype, .activity = LibraryActivity::number_free};
}

} // namespace

void add_number_functions(LibraryTable &table) {
  add_with_results(table);
  add_extrema(table);
  for (const NamedPrototype &named : of_each_precision)
    add_of_each_precision(table, number_free(named));
  for (const NamedPrototype &named : others)
    table.add(number_free(named));
  add_of_device(table, number_free({"nan", "f(p)"}));
}

} // namespace assay::engine
