#pragma once
// How much the tests of the command do: all of it in the run at all levels, a part by default
// (cmake/AssayLongTests.cmake has the rule).

#include <string>
#include <vector>

namespace assay::cli::test {

/// The levels, as in `--opt-level`, of a program that behaves alike at each: "2", at all levels "0" as well.
const std::vector<std::string> &optimisation_levels();

/// All four levels; by default "2".
const std::vector<std::string> &every_optimisation_level();

/// The size of a campaign of random programs, points or faults: `part` by default.
int campaign_size(int part, int whole);

/// Words that make a check smaller, " --budget 12" for example; none at all levels.
std::string by_default(const std::string &words);

} // namespace assay::cli::test
