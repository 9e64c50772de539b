#include "core/engine/tidy/passes.hpp"
#include "core/engine/prepare/float_bits.hpp"
#include "core/engine/prepare/run_pass.hpp"
#include "core/engine/rules/helper_functions.hpp"
#include "core/engine/tidy/block_sums.hpp"
#include "core/engine/tidy/conditional_clears.hpp"
#include "core/engine/tidy/distributed_sums.hpp"
#include "core/engine/tidy/grouped_sums.hpp"
#include "core/engine/tidy/hoist_loads.hpp"
#include "core/engine/tidy/inline_derivatives.hpp"
#include "core/engine/tidy/jam_loops.hpp"
#include "core/engine/tidy/joined_sums.hpp"
#include "core/engine/tidy/long_values.hpp"
#include "core/engine/tidy/nest_copies.hpp"
#include "core/engine/tidy/number_addresses.hpp"
#include "core/engine/tidy/overlap_loop_versioning.hpp"
#include "core/engine/tidy/own_places.hpp"
#include "core/engine/tidy/parameter_addresses.hpp"
#include "core/engine/tidy/register_limit.hpp"
#include "core/engine/tidy/separate_sums.hpp"
#include "core/engine/tidy/simplify_derivative.hpp"
#include "core/engine/tidy/split_lanes.hpp"
#include "core/engine/tidy/tape_pools.hpp"
#include "core/engine/tidy/zero_guards.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"

using namespace llvm;

namespace assay::engine {
namespace {

template <auto rewrite>
PreservedAnalyses plain(Function &function, FunctionAnalysisManager &analyses) {
  if constexpr (std::is_invocable_v<decltype(rewrite), Function &>)
    rewrite(function);
  else
    rewrite(function, analyses);
  return PreservedAnalyses::none();
}

PreservedAnalyses run_overlap_loop_versioning(Function &function, FunctionAnalysisManager &analyses) {
  return OverlapLoopVersioningPass().run(function, analyses);
}

constexpr TidyProperty no_float_bits = {
    "no-float-bits", [](Function &function, FunctionAnalysisManager &) { return !has_float_bits(function); }};
constexpr TidyProperty marked_loops = {"marked-loops", [](Function &function, FunctionAnalysisManager &analyses) {
                                         return all_of(analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder(),
                                                       [](const Loop *loop) { return is_marked(*loop); });
                                       }};

constexpr TidyPass after_emission[] = {
    {.name = "float-bits", .run = plain<drop_float_bits>, .leaves = &no_float_bits},
    {.name = "helpers", .run = plain<inline_helpers>},
    {.name = "scalars", .run = make_scalars, .needs = &no_float_bits},
    {.name = "overlap-loop-versioning", .run = run_overlap_loop_versioning},
    {.name = "simplify", .run = simplify_derivative, .needs = &no_float_bits},
    {.name = "number-addresses", .run = plain<separate_addresses_from_numbers>},
};

constexpr TidyPass on_new_derivatives[] = {
    {.name = "loop-marks", .run = plain<mark_loops>, .leaves = &marked_loops},
};

template <class Pass>
void add(FunctionPassManager &passes) {
  passes.addPass(Pass());
}
template <class Pass>
void add_to_modules(ModulePassManager &passes) {
  passes.addPass(Pass());
}

constexpr ModulePass over_derivatives[] = {
    {"inline-derivatives", add_to_modules<InlineDerivativesPass>},
    {"tape-pools", add_to_modules<TapePoolsPass>},
};

constexpr LatePass before_vectorisers[] = {
    {"zero-guards", add<ZeroGuardsPass>},     {"joined-sums", add<JoinedSumsPass>},
    {"own-places", add<OwnPlacesPass>},       {"grouped-sums", add<GroupedSumsPass>},
    {"block-sums", add<BlockSumsPass>},       {"hoist-loads", add<HoistLoadsPass>},
    {"split-lanes", add<SplitLanesPass>},     {"jam-loops", add<JamLoopsPass>},
    {"separate-sums", add<SeparateSumsPass>}, {"distributed-sums", add<DistributedSumsPass>},
};

constexpr LatePass at_the_end[] = {
    {"parameter-addresses", add<ParameterAddressesPass>},
    {"long-values", add<LongValuesPass>},
    {"conditional-clears", add<ConditionalClearsPass>},
    {"register-limit", add<RegisterLimitPass>},
};

void check(const TidyProperty *property, const Twine &culprit, Function &function, FunctionAnalysisManager &analyses) {
#ifdef ASSAY_VERIFY_IR
  if (property && !property->holds(function, analyses))
    function.getContext().emitError(culprit + " the property " + property->name + " in '" + function.getName() +
                                    "'; this is a fault of the engine: please report it with the source");
#endif
}

/// One of the passes that the engine runs, alone.
class AfterEmission : public PassInfoMixin<AfterEmission> {
public:
  explicit AfterEmission(const TidyPass &pass) : pass_(&pass) {}
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    run_tidy_pass(*pass_, function, analyses);
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }

private:
  const TidyPass *pass_;
};

} // namespace

ArrayRef<TidyPass> passes_after_emission() {
  return after_emission;
}
ArrayRef<TidyPass> passes_on_new_derivatives() {
  return on_new_derivatives;
}
ArrayRef<ModulePass> passes_over_derivatives() {
  return over_derivatives;
}
ArrayRef<LatePass> passes_before_vectorisers() {
  return before_vectorisers;
}
ArrayRef<LatePass> passes_at_the_end() {
  return at_the_end;
}

std::vector<StringRef> tidy_names() {
  std::vector<StringRef> names;
  for (ArrayRef<TidyPass> passes : {passes_after_emission(), passes_on_new_derivatives()})
    for (const TidyPass &pass : passes)
      names.push_back(pass.name);
  for (const ModulePass &pass : passes_over_derivatives())
    names.push_back(pass.name);
  for (ArrayRef<LatePass> passes : {passes_before_vectorisers(), passes_at_the_end()})
    for (const LatePass &pass : passes)
      names.push_back(pass.name);
  return names;
}

void run_tidy_pass(const TidyPass &pass, Function &function, FunctionAnalysisManager &analyses) {
  check(pass.needs, full_name(tidy_list, pass.name) + " does not find", function, analyses);
  ListedPass(tidy_list, pass.name).run(function, analyses, [&] { return pass.run(function, analyses); });
  check(pass.leaves, full_name(tidy_list, pass.name) + " does not leave", function, analyses);
}

void add_tidy_pass(StringRef name, ModulePassManager &passes) {
  for (const ModulePass &pass : passes_over_derivatives())
    if (pass.name == name)
      return pass.add(passes);
  FunctionPassManager alone;
  for (ArrayRef<TidyPass> written : {passes_after_emission(), passes_on_new_derivatives()})
    for (const TidyPass &pass : written)
      if (pass.name == name || name == "all")
        alone.addPass(AfterEmission(pass));
  for (ArrayRef<LatePass> late : {passes_before_vectorisers(), passes_at_the_end()})
    for (const LatePass &pass : late)
      if (pass.name == name)
        pass.add(alone);
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(alone)));
}

void tidy(Function &derivative, FunctionAnalysisManager &analyses) {
  for (const TidyPass &pass : after_emission)
    run_tidy_pass(pass, derivative, analyses);
}

void tidy_new_derivative(Function &derivative, FunctionAnalysisManager &analyses) {
  tidy(derivative, analyses);
  for (const TidyPass &pass : on_new_derivatives)
    run_tidy_pass(pass, derivative, analyses);
}

} // namespace assay::engine
