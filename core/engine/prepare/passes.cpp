#include "core/engine/prepare/passes.hpp"
#include "core/engine/prepare/aligned_allocations.hpp"
#include "core/engine/prepare/atomic_floats.hpp"
#include "core/engine/prepare/atomic_loops.hpp"
#include "core/engine/prepare/by_value_parameters.hpp"
#include "core/engine/prepare/byte_calls.hpp"
#include "core/engine/prepare/byte_loops.hpp"
#include "core/engine/prepare/carried_bits.hpp"
#include "core/engine/prepare/caught_calls.hpp"
#include "core/engine/prepare/chosen_parts.hpp"
#include "core/engine/prepare/complex_products.hpp"
#include "core/engine/prepare/computed_addresses.hpp"
#include "core/engine/prepare/computed_goto.hpp"
#include "core/engine/prepare/copied_objects.hpp"
#include "core/engine/prepare/cut_variables.hpp"
#include "core/engine/prepare/cut_words.hpp"
#include "core/engine/prepare/default_resource.hpp"
#include "core/engine/prepare/device_calls.hpp"
#include "core/engine/prepare/dropped_tapes.hpp"
#include "core/engine/prepare/errno_writes.hpp"
#include "core/engine/prepare/flagged_words.hpp"
#include "core/engine/prepare/float_bits.hpp"
#include "core/engine/prepare/half_memory.hpp"
#include "core/engine/prepare/inline_assembly.hpp"
#include "core/engine/prepare/inline_calls.hpp"
#include "core/engine/prepare/inline_ptx.hpp"
#include "core/engine/prepare/invokes.hpp"
#include "core/engine/prepare/iterations.hpp"
#include "core/engine/prepare/joined_pieces.hpp"
#include "core/engine/prepare/joined_shuffles.hpp"
#include "core/engine/prepare/known_calls.hpp"
#include "core/engine/prepare/lifetimes.hpp"
#include "core/engine/prepare/local_throws.hpp"
#include "core/engine/prepare/loop_hints.hpp"
#include "core/engine/prepare/looped_scopes.hpp"
#include "core/engine/prepare/masked_memory.hpp"
#include "core/engine/prepare/mixed_results.hpp"
#include "core/engine/prepare/null_accesses.hpp"
#include "core/engine/prepare/number_bytes.hpp"
#include "core/engine/prepare/own_resources.hpp"
#include "core/engine/prepare/packed_halves.hpp"
#include "core/engine/prepare/parallel_regions.hpp"
#include "core/engine/prepare/repeated_pieces.hpp"
#include "core/engine/prepare/resolve_calls.hpp"
#include "core/engine/prepare/retype.hpp"
#include "core/engine/prepare/rounded_bfloats.hpp"
#include "core/engine/prepare/rounding_sums.hpp"
#include "core/engine/prepare/run_pass.hpp"
#include "core/engine/prepare/sign_bits.hpp"
#include "core/engine/prepare/simplify.hpp"
#include "core/engine/prepare/split_joins.hpp"
#include "core/engine/prepare/split_loads.hpp"
#include "core/engine/prepare/split_vector_loads.hpp"
#include "core/engine/prepare/stack_memory.hpp"
#include "core/engine/prepare/started_threads.hpp"
#include "core/engine/prepare/stored_bits.hpp"
#include "core/engine/prepare/text_input.hpp"
#include "core/engine/prepare/transfer_tags.hpp"
#include "core/engine/prepare/type_memory.hpp"
#include "core/engine/prepare/unused_lanes.hpp"
#include "core/engine/prepare/variadic_calls.hpp"
#include "core/engine/prepare/vector_element_moves.hpp"
#include "core/engine/prepare/vector_intrinsics.hpp"
#include "core/engine/prepare/word_arguments.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "core/engine/support/lanes_together.hpp"
#include "core/engine/support/memory_stack_calls.hpp"
#include "core/engine/support/rule_adapters.hpp"
#include "llvm/ADT/SetOperations.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace assay::engine {
namespace {

Effect effect_of(bool changed, Effect effect = Effect::changed) {
  return changed ? effect : Effect::none;
}

/// A rewriter as a pass. One that does not tell whether it changed anything is taken to have.
template <auto rewrite, Effect effect = Effect::changed>
Expected<Effect> plain(Function &function, Preparation &preparation) {
  const auto call = [&] {
    if constexpr (std::is_invocable_v<decltype(rewrite), Function &, const FunctionInfo &>)
      return rewrite(function, preparation.context.function_info);
    else if constexpr (std::is_invocable_v<decltype(rewrite), Function &, FunctionAnalysisManager &>)
      return rewrite(function, preparation.context.analyses);
    else
      return rewrite(function);
  };
  if constexpr (std::is_same_v<decltype(call()), bool>)
    return effect_of(call(), effect);
  else
    call();
  return effect;
}

template <auto rewrite>
constexpr auto simplifying = plain<rewrite, Effect::asks_for_simplification>;

Expected<Effect> run_merge_callees(Function &function, Preparation &preparation) {
  merge_callees(function, preparation.source, preparation.context);
  return Effect::changed;
}

Expected<Effect> run_parallel_regions(Function &function, Preparation &preparation) {
  return effect_of(run_regions_in_one_thread(function, preparation.source));
}

bool run_started_threads(Function &function) {
  return run_threads_where_started(function);
}

Expected<Effect> run_computed_gotos(Function &function, Preparation &preparation) {
  expand_computed_gotos(function, preparation.source, preparation.clones);
  return Effect::changed;
}

Expected<Effect> run_variadic_calls(Function &function, Preparation &) {
  if (Error error = fix_variadic_calls(function))
    return error;
  return Effect::changed;
}

Expected<Effect> run_inline_ptx(Function &function, Preparation &) {
  Expected<bool> changed = rewrite_inline_ptx(function);
  if (!changed)
    return changed.takeError();
  return effect_of(*changed);
}

Expected<Effect> run_simple_forms(Function &function, Preparation &preparation) {
  call_simple_forms(function, preparation.source, preparation.context.function_info);
  return Effect::changed;
}

Expected<Effect> run_inline_calls(Function &function, Preparation &preparation) {
  if (Error error = inline_calls(function, preparation.context))
    return error;
  return Effect::asks_for_simplification;
}

SmallPtrSet<const Function *, 16> direct_callees(Function &function) {
  SmallPtrSet<const Function *, 16> callees;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction); call && call->getCalledFunction())
      callees.insert(call->getCalledFunction());
  return callees;
}

std::uint64_t simplifications_of(const Function &function) {
  return function.getFnAttributeAsParsedInteger(simplifications_attribute);
}

Expected<Effect> run_simplify(Function &function, Preparation &preparation) {
  function.addFnAttr(simplifications_attribute, utostr(simplifications_of(function) + 1));
  preparation.known_callees = direct_callees(function);
  preparation.asks_for_simplification = false;
  simplify(function, preparation.context.analyses);
  return Effect::changed;
}

/// What is called through a pointer may become known by simplification, or is one of some candidates; then it may be
/// inlined, and more becomes known.
Expected<Effect> run_indirect_calls(Function &function, Preparation &preparation) {
  const bool resolved = resolve_indirect_calls(function, preparation.context.function_info);
  preparation.knows_more_callees = resolved || !set_is_subset(direct_callees(function), preparation.known_callees);
  return effect_of(resolved);
}

/// Functions that move the bytes of numbers one by one are inlined where these are cut.
Expected<Effect> run_byte_calls(Function &function, Preparation &preparation) {
  return handles_bytes_of_numbers(function) ? run_inline_calls(function, preparation) : Expected<Effect>(Effect::none);
}

Expected<Effect> run_tagged_copies(Function &function, Preparation &preparation) {
  if (preparation.moves == TaggedCopies::kept)
    return Effect::none;
  Expected<bool> inlined = inline_tagged_copies(function, preparation.context);
  if (!inlined)
    return inlined.takeError();
  return effect_of(*inlined, Effect::asks_for_simplification);
}

Expected<Effect> run_type_memory(Function &function, Preparation &preparation) {
  type_memory(function, preparation.source, preparation.context);
  return Effect::changed;
}

Expected<Effect> run_words_left(Function &function, Preparation &preparation) {
  preparation.types = retype_words_left(function, preparation.context.body_of);
  return Effect::changed;
}

Expected<Effect> run_opaque_bits(Function &function, Preparation &preparation) {
  if (Error error = refuse_flagged_words(function))
    return error;
  const bool changed = refuse_float_bits(function);
  if (changed)
    preparation.types.reset();
  return effect_of(changed);
}

using enum Property;
constexpr Properties loop_form = {reducible, simplified_loops, lcssa, one_return};
constexpr Properties invoke_form = {no_invoked_allocations, own_normal_destinations};
/// Blocks are joined, and edges go other ways.
constexpr Properties lost_by_simplification = loop_form.with({own_normal_destinations});

// Passes that the list has more than once.
constexpr PreparePass simple_forms = {.name = "simple-forms", .run = run_simple_forms, .loses = invoke_form};
constexpr PreparePass known_calls = {.name = "known-calls", .run = plain<expand_known_calls>, .loses = loop_form};
constexpr PreparePass aligned_allocations = {.name = "aligned-allocations", .run = plain<call_aligned_allocators>};
constexpr PreparePass own_resources = {.name = "own-resources", .run = plain<use_own_resources>};
constexpr PreparePass cut_variables = {.name = "cut-variables", .run = simplifying<rejoin_cut_variables>};
constexpr PreparePass cut_words = {.name = "cut-words", .run = simplifying<rejoin_cut_words>};
constexpr PreparePass inline_callees = {.name = "inline-calls",
                                        .run = run_inline_calls,
                                        .needs = {no_computed_gotos},
                                        .loses = loop_form.with(invoke_form).with({no_lifetimes})};
constexpr PreparePass invokes = {.name = "invokes", .run = plain<simplify_invokes>, .leaves = invoke_form};
constexpr PreparePass simplification = {
    .name = "simplify", .run = run_simplify, .needs = {no_computed_gotos}, .loses = lost_by_simplification};
constexpr PreparePass indirect_calls = {
    .name = "indirect-calls", .run = run_indirect_calls, .loses = loop_form.with(invoke_form)};
constexpr PreparePass rounded_bfloats = {.name = "rounded-bfloats", .run = plain<rewrite_rounded_bfloats>};
constexpr PreparePass transfer_tags = {.name = "transfer-tags", .run = simplifying<tag_transfers_of_floats>};
constexpr PreparePass sign_bits = {.name = "sign-bits", .run = simplifying<rewrite_sign_bits>};
constexpr PreparePass carried_bits = {.name = "carried-bits", .run = plain<carry_bits_as_floats>};
constexpr PreparePass float_bits = {.name = "float-bits", .run = plain<rewrite_float_bits>};
constexpr PreparePass single_lanes = {.name = "single-lanes", .run = plain<rewrite_single_lanes>};
constexpr PreparePass number_bytes = {.name = "number-bytes", .run = plain<move_bytes_of_numbers>};
constexpr PreparePass stored_bits = {.name = "stored-bits", .run = plain<store_floats_as_floats>};
constexpr PreparePass atomic_floats = {.name = "atomic-floats", .run = simplifying<rewrite_atomic_floats>};
constexpr PreparePass canonical_loops = {.name = "canonical-loops",
                                         .run = plain<make_loops_canonical>,
                                         .needs = {no_computed_gotos, no_lifetimes},
                                         .leaves = loop_form};

constexpr PrepareStep inlinable[] = {
    {{.name = "merge-callees", .run = run_merge_callees}},
    {{.name = "parallel-regions", .run = run_parallel_regions}},
    {{.name = "started-threads", .run = plain<run_started_threads>}},
    {{.name = "loop-hints", .run = plain<drop_loop_hints>}},
    {{.name = "memory-stack", .run = plain<replace_memory_stack>}},
    {{.name = "computed-gotos", .run = run_computed_gotos, .leaves = {no_computed_gotos}}},
    {{.name = "inline-assembly", .run = plain<rewrite_inline_assembly>}},
    {{.name = "inline-ptx", .run = run_inline_ptx}},
    {{.name = "variadic-calls", .run = run_variadic_calls, .leaves = {no_variadic_calls}}},
    {{.name = "iterations", .run = plain<add_iterations>}},
    {{.name = "dropped-tapes", .run = plain<keep_dropped_tapes>}},
    {simple_forms},
    {known_calls},
    {{.name = "complex-products", .run = plain<join_complex_products>, .loses = loop_form}},
    {aligned_allocations},
    {{.name = "lone-lanes", .run = plain<assume_lone_lanes>}},
    {{.name = "device-calls", .run = plain<expand_device_calls>}},
    {{.name = "text-input", .run = plain<read_text_apart>}},
    {cut_variables},
    {cut_words},
    {own_resources},
    {{.name = "vector-intrinsics", .run = plain<expand_vector_intrinsics>}},
    {{.name = "masked-memory", .run = plain<expand_masked_memory>, .leaves = {no_masked_memory}}},
    {inline_callees},
    {{.name = "by-value-parameters", .run = plain<copy_by_value_parameters>, .leaves = {no_by_value_parameters}}},
    {{.name = "dynamic-stack", .run = plain<move_dynamic_stack_to_heap>, .leaves = {static_stack}}},
    {invokes},
    {{.name = "local-throws", .run = plain<branch_to_handlers>, .loses = loop_form.with(invoke_form)}},
    {{.name = "errno-writes", .run = plain<drop_errno_writes>}},
    {transfer_tags}, // loads that are moved out of loops lose their tags
    {simplification},
    {{.name = "default-resource", .run = plain<allocate_by_default_resource>, .loses = loop_form.with(invoke_form)}},
    {indirect_calls},
    {own_resources}, // of classes that derive from them
    {inline_callees, Due::if_more_callees_are_known},
    {simplification, Due::if_asked},
    {indirect_calls}, // of what was inlined
    {inline_callees, Due::if_more_callees_are_known},
    {rounded_bfloats},
    {{.name = "joined-shuffles", .run = simplifying<join_shuffles>}},
    {known_calls},         // those that simplification made of others
    {aligned_allocations}, // whose alignment is known now
    {{.name = "null-accesses", .run = simplifying<end_at_null_accesses>}},
    {cut_variables},
    {cut_words},
    {{.name = "atomic-loops", .run = simplifying<rewrite_atomic_loops>, .loses = loop_form}},
    {atomic_floats},
    {{.name = "byte-loops", .run = simplifying<rewrite_byte_loops>, .loses = loop_form}},
    {{.name = "byte-calls",
      .run = run_byte_calls,
      .needs = {no_computed_gotos},
      .loses = loop_form.with(invoke_form).with({no_lifetimes})}},
    {sign_bits},
    {transfer_tags},
    {simplification, Due::if_asked}, // for all of these
    {indirect_calls},
    {inline_callees, Due::if_more_callees_are_known}, // prepared clones are simple themselves
    {{.name = "repeated-pieces", .run = plain<place_repeated_pieces>}},
    {{.name = "joined-pieces", .run = plain<join_pieces>}},
    {{.name = "computed-addresses", .run = plain<rewrite_computed_addresses>}},
    {{.name = "chosen-parts", .run = plain<choose_parts>}},
    {{.name = "copied-objects", .run = plain<separate_copied_objects>}},
    {{.name = "split-joins", .run = plain<split_joins>}},
    {{.name = "split-loads", .run = plain<split_loads>}},
    {{.name = "split-vector-loads", .run = plain<split_vector_loads>}},
    {{.name = "vector-element-moves", .run = plain<rewrite_vector_element_moves>}},
    {single_lanes}, // the combiner would make moves of integers again
    {{.name = "half-memory", .run = plain<type_half_memory>}},
    {rounded_bfloats}, // of what is known as numbers now
    {{.name = "packed-halves", .run = plain<rewrite_packed_halves>}},
    {stored_bits},
    {number_bytes},
    {{.name = "rounding-sums", .run = plain<rewrite_rounding_sums>}},
    {carried_bits},
    {float_bits},
    {{.name = "unused-lanes", .run = plain<fill_unused_lanes>}},
    {simple_forms},                                                         // pointers to functions are known now
    {{.name = "word-arguments", .run = plain<pass_words_through_memory>}},  // of what is not inlined by now
    {{.name = "mixed-results", .run = plain<return_mixed_through_memory>}}, // what is not inlined by now
    {{.name = "caught-calls", .run = plain<return_caught_exceptions>, .loses = loop_form.with(invoke_form)}},
    {{.name = "looped-scopes", .run = plain<drop_looped_scopes>}},
    {{.name = "lifetimes", .run = plain<drop_lifetimes>, .leaves = {no_lifetimes}}},
    {invokes},
    {canonical_loops},
};

constexpr PrepareStep typed[] = {
    {{.name = "tagged-copies", .run = run_tagged_copies, .loses = loop_form.with(invoke_form)}},
    {simplification, Due::if_asked},
    {number_bytes}, // that simplification has cut again
    {{.name = "type-memory", .run = run_type_memory, .needs = {no_by_value_parameters, static_stack}}},
    {stored_bits},  // of words that have got a place
    {single_lanes}, // of loads that have become loads of floats
    {atomic_floats},
    {sign_bits},
    {carried_bits},
    {float_bits},
    {invokes},
    {canonical_loops},
};

constexpr PrepareStep recursive[] = {
    {{.name = "words-left", .run = run_words_left, .needs = {no_by_value_parameters, static_stack}}},
};

constexpr PrepareStep differentiated[] = {
    {{.name = "opaque-bits", .run = run_opaque_bits}},
};

bool is_due(Due due, const Function &function, const Preparation &preparation) {
  switch (due) {
  case Due::always:
    return true;
  case Due::if_more_callees_are_known:
    return preparation.knows_more_callees;
  case Due::if_asked:
    return preparation.asks_for_simplification && simplifications_of(function) < most_simplifications;
  }
  llvm_unreachable("unknown condition");
}

/// Code without what a pass needs or leaves is a fault of the engine, reported like any other reason why there is no
/// derivative.
Error check(Properties properties, const Twine &culprit, Function &function, const Preparation &preparation) {
#ifdef ASSAY_VERIFY_IR
  for (unsigned index = 0; index < number_of_properties; ++index)
    if (const auto property = static_cast<Property>(index);
        properties.contains(property) &&
        !holds(property, function, preparation.context.function_info, preparation.context.analyses))
      return unsupported(preparation.source, nullptr, culprit + " the property " + name_of(property),
                         "this is a fault of the engine: please report it with the source");
#endif
  return Error::success();
}

} // namespace

ArrayRef<PrepareStep> preparations(PrepareStage stage) {
  switch (stage) {
  case PrepareStage::inlinable:
    return inlinable;
  case PrepareStage::typed:
    return typed;
  case PrepareStage::recursive:
    return recursive;
  case PrepareStage::differentiated:
    return differentiated;
  }
  llvm_unreachable("unknown stage");
}

Properties prepared_properties() {
  Properties properties;
  for (const PrepareStage stage : prepare_stages)
    for (const PrepareStep &step : preparations(stage))
      properties = properties.without(step.pass.loses).with(step.pass.leaves);
  return properties;
}

const PreparePass *find_preparation(StringRef name) {
  for (const PrepareStage stage : prepare_stages)
    for (const PrepareStep &step : preparations(stage))
      if (step.pass.name == name)
        return &step.pass;
  return nullptr;
}

std::vector<StringRef> preparation_names() {
  std::vector<StringRef> names;
  for (const PrepareStage stage : prepare_stages)
    for (const PrepareStep &step : preparations(stage))
      if (!is_contained(names, step.pass.name))
        names.push_back(step.pass.name);
  return names;
}

Error run_preparation(const PreparePass &pass, Function &function, Preparation &preparation) {
  if (Error missing = check(pass.needs, full_name(prepare_list, pass.name) + " does not find", function, preparation))
    return missing;
  Expected<Effect> effect = Effect::none;
  ListedPass(prepare_list, pass.name).run(function, preparation.context.analyses, [&] {
    effect = pass.run(function, preparation);
    return effect && *effect == Effect::none ? PreservedAnalyses::all() : PreservedAnalyses::none();
  });
  if (!effect)
    return effect.takeError();
  if (*effect == Effect::asks_for_simplification)
    preparation.asks_for_simplification = true;
  return check(pass.leaves, full_name(prepare_list, pass.name) + " does not leave", function, preparation);
}

Error run_preparations(PrepareStage stage, Function &function, Preparation &preparation) {
  for (const PrepareStep &step : preparations(stage))
    if (is_due(step.due, function, preparation))
      if (Error error = run_preparation(step.pass, function, preparation))
        return error;
  const bool is_last = stage == PrepareStage::differentiated;
  return is_last ? check(prepared_properties(), "the list of preparations does not leave", function, preparation)
                 : Error::success();
}

} // namespace assay::engine
