// Functions that only the library of the device has (libdevice), in the spelling after its prefix.

#include "core/engine/rules/functions.hpp"
#include "core/engine/rules/rule_table.hpp"

namespace assay::engine {
using namespace functions;

static void add_norms(RuleTable &table) {
  const auto cube = [](const Expression &x) { return x * x * x; };
  table.rule("rsqrt", [](Partials &partial, Operand x) { partial(x, Expression("-0.5") * (result() / x)); });
  table.rule("rcbrt", [](Partials &partial, Operand x) { partial(x, -(third() * (result() / x))); });
  table.rule("rhypot", [=](Partials &partial, Operand x, Operand y) {
    partial(x, -(x * cube(result())));
    partial(y, -(y * cube(result())));
  });
  const auto component = [](const Expression &x) { return select(equal(result(), 0), 0, x / result()); };
  table.rule("norm3d", [=](Partials &partial, Operand x, Operand y, Operand z) {
    for (const Expression &coordinate : {x, y, z})
      partial(coordinate, component(coordinate));
  });
  table.rule("norm4d", [=](Partials &partial, Operand x, Operand y, Operand z, Operand w) {
    for (const Expression &coordinate : {x, y, z, w})
      partial(coordinate, component(coordinate));
  });
  table.rule("rnorm3d", [=](Partials &partial, Operand x, Operand y, Operand z) {
    for (const Expression &coordinate : {x, y, z})
      partial(coordinate, -(coordinate * cube(result())));
  });
  table.rule("rnorm4d", [=](Partials &partial, Operand x, Operand y, Operand z, Operand w) {
    for (const Expression &coordinate : {x, y, z, w})
      partial(coordinate, -(coordinate * cube(result())));
  });
}

static void add_distributions(RuleTable &table) {
  table.rule("normcdf",
             [](Partials &partial, Operand x) { partial(x, inverse_sqrt_two_pi() * exp(-(half() * x * x))); });
  table.rule("normcdfinv",
             [](Partials &partial, Operand x) { partial(x, sqrt_two_pi() * exp(half() * result() * result())); });
  table.rule("erfinv", [](Partials &partial, Operand x) { partial(x, half_sqrt_pi() * exp(result() * result())); });
  table.rule("erfcinv", [](Partials &partial, Operand x) { partial(x, -(half_sqrt_pi() * exp(result() * result()))); });
  table.rule("erfcx", [](Partials &partial, Operand x) { partial(x, 2 * x * result() - two_over_sqrt_pi()); });
}

/// Arithmetic in a given rounding: `fadd_rn`, `dmul_rz`, `__fsqrt_ru`, ...
static void add_rounded_arithmetic(RuleTable &table) {
  for (const char *mode : {"_rn", "_rz", "_ru", "_rd"}) {
    for (const char *type : {"f", "d"}) {
      table.alias((llvm::Twine(type) + "add" + mode).str(), "fadd");
      table.alias((llvm::Twine(type) + "sub" + mode).str(), "fsub");
      table.alias((llvm::Twine(type) + "mul" + mode).str(), "fmul");
      table.alias((llvm::Twine(type) + "div" + mode).str(), "fdiv");
      table.alias((llvm::Twine(type) + "sqrt" + mode).str(), "sqrt");
    }
    table.alias((llvm::Twine("fma") + mode).str(), "fma");
    table.alias((llvm::Twine("fmaf") + mode).str(), "fma");
  }
  table.alias("fdivide", "fdiv");
  table.cheap("rcp", [](Partials &partial, Operand x) { partial(x, -(result() * result())); });
  for (const char *mode : {"_rn", "_rz", "_ru", "_rd"}) {
    table.alias((llvm::Twine("frcp") + mode).str(), "rcp");
    table.alias((llvm::Twine("drcp") + mode).str(), "rcp");
    table.cheap((llvm::Twine("double2float") + mode).str(), [](Partials &partial, Operand x) { partial(x, 1); });
    table.alias((llvm::Twine("fmaf_ieee") + mode).str(), "fma");
  }
  table.alias("frsqrt_rn", "rsqrt");
  table.alias("rcp64h", "rcp");
  table.cheap("half2float", [](Partials &partial, Operand x) { partial(x, 1); });
}

void add_device_rules(RuleTable &table) {
  add_norms(table);
  add_distributions(table);
  add_rounded_arithmetic(table);
  table.cheap("saturate", [](Partials &partial, Operand x) { partial(x, select(both(x >= 0, x <= 1), 1, 0)); });
}

} // namespace assay::engine
