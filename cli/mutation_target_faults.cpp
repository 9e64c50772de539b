// The faults that can be planted in the derivatives of one function, and in the rules that they use.

#include "cli/mutation_target.hpp"

#include "core/jit/mutate/registered_faults.hpp"
#include "core/jit/mutate/rule_faults.hpp"
#include "core/jit/mutate/sites.hpp"
#include <algorithm>
#include <array>
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>
#include <set>

namespace assay::cli {

namespace {

using testutils::Combination;

Variant variant_of(const Combination &combination) {
  return {combination.mode, combination.form, combination.width};
}

/// Faults in the state that one sweep leaves to the other, and in its release.
bool concerns_two_sweeps(jit::FaultClass kind) {
  using enum jit::FaultClass;
  constexpr std::array classes{overwritten_sum, wrong_iteration, missing_zeroing, tape_slot,       argument_mutation,
                               callable,        tape_store,      primal_return,   missing_release, double_release,
                               last_call,       cached_address,  early_release,   read_late,       mismatched_release};
  return std::ranges::find(classes, kind) != classes.end();
}

} // namespace

/// A derivative that the function computes itself is part of it: a fault there changes what is checked, unless it shows
/// in second derivatives alone.
std::vector<Mutant> MutationTarget::derivative_faults() {
  std::vector<Mutant> mutants;
  std::vector<Combination> all = combinations_;
  all.insert(all.end(), variants_.begin(), variants_.end());
  for (const Combination &combination : all) {
    std::set<std::string> places;
    llvm::StringSet<> own;
    std::vector<Mutant> found;
    jit::Interference look;
    look.differentiated = [&](llvm::Module &module) {
      if (llvm::Function *checked = module.getFunction(request_.function.linkage_name))
        own = jit::places_reached_from(*checked);
    };
    look.test_hooks.written = [&](llvm::Function &written) {
      if (!places.insert(jit::place_of(written).str()).second)
        return;
      for (jit::Fault &fault : jit::faults_of(written, combination.width))
        if (combination.form == testutils::Form::combined || concerns_two_sweeps(fault.kind))
          found.push_back({0, variant_of(combination), std::move(fault)});
    };
    const jit::Derivative derivative = derivatives_of(combination).front();
    program_.interfere(look);
    program_.forget(derivative);
    static_cast<void>(program_.derivative(derivative));
    for (Mutant &mutant : found)
      if (own.contains(mutant.fault.place) == (mutant.fault.kind == jit::FaultClass::detached))
        mutants.push_back(std::move(mutant));
  }
  program_.interfere({});
  return mutants;
}

std::vector<jit::RegisteredRule> MutationTarget::rules_in(testutils::Mode mode) const {
  const jit::Mode wanted = mode == testutils::Mode::forward ? jit::Mode::forward : jit::Mode::reverse;
  std::vector<jit::RegisteredRule> rules = program_.rules();
  const std::vector<std::string> &asked = request_.asked_tables;
  std::erase_if(rules, [&](const jit::RegisteredRule &rule) {
    return !rule.is_reached || rule.mode != wanted ||
           (!asked.empty() && std::ranges::find(asked, rule.symbol) == asked.end());
  });
  return rules;
}

std::vector<Mutant> MutationTarget::registered_faults() {
  std::vector<Mutant> mutants;
  for (const Combination &combination : combinations_) {
    const std::vector<jit::RegisteredRule> rules = rules_in(combination.mode);
    jit::Interference look;
    look.simplified = [&](llvm::Module &module) {
      for (const jit::RegisteredRule &rule : rules)
        for (jit::Fault &fault : jit::faults_of_registered(module, rule))
          if (fault.kind != jit::FaultClass::detached)
            mutants.push_back({0, variant_of(combination), std::move(fault)});
    };
    const jit::Derivative derivative = derivatives_of(combination).front();
    program_.interfere(look);
    program_.forget(derivative);
    static_cast<void>(program_.derivative(derivative));
  }
  program_.interfere({});
  return mutants;
}

/// True when the derivatives change with the rule.
bool MutationTarget::uses_rule(const std::string &name) {
  const engine::RuleTable &table = engine::RuleTable::get();
  for (const jit::Fault &fault : jit::faults_of_rule(table, name)) {
    if (fault.number != 0)
      continue;
    alter({0, std::nullopt, fault});
    for (const Combination &combination : combinations_)
      if (compile_altered({derivatives_of(combination).front()}))
        return true;
  }
  return false;
}

std::vector<Mutant> MutationTarget::rule_faults() {
  std::set<std::string> names;
  jit::Interference look;
  look.test_hooks.written = [&](llvm::Function &written) {
    jit::collect_rules(written, engine::RuleTable::get(), names);
  };
  program_.interfere(look);
  for (const Combination &combination : combinations_) {
    program_.forget(derivatives_of(combination).front());
    static_cast<void>(program_.derivative(derivatives_of(combination).front()));
  }
  std::vector<Mutant> mutants;
  for (const std::string &name : names)
    if (uses_rule(name))
      for (jit::Fault &fault : jit::faults_of_rule(engine::RuleTable::get(), name))
        mutants.push_back({0, std::nullopt, std::move(fault)});
  program_.interfere({});
  return mutants;
}

} // namespace assay::cli
