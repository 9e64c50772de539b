#include "core/engine/lowering/engine.hpp"
#include "core/engine/analysis/activity.hpp"
#include "core/engine/analysis/tagged_copies.hpp"
#include "core/engine/analysis/types.hpp"
#include "core/engine/analysis/uses_only_double.hpp"
#include "core/engine/emit/debug_info.hpp"
#include "core/engine/emit/forward.hpp"
#include "core/engine/emit/reverse.hpp"
#include "core/engine/lowering/call_site.hpp"
#include "core/engine/lowering/request_forms.hpp"
#include "core/engine/prepare/prepare.hpp"
#include "core/engine/support/derivative_abi.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "core/engine/support/observer.hpp"
#include "core/engine/support/undivided_sums.hpp"
#include "core/engine/tidy/inline_derivatives.hpp"
#include "core/engine/tidy/passes.hpp"
#include "llvm/ADT/StringMap.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InstIterator.h"
#include <memory>

using namespace llvm;

namespace assay::engine {
namespace {

struct Derivative {
  Function *function = nullptr;
  std::string failure;  // not empty: asking again gives the same error
  bool is_half = false; // of a split derivative that the program itself asked for
};

/// A function that could not be written keeps a body, so that nothing that refers to it fails to link or to verify.
void make_unreachable(Function &function) {
  function.deleteBody();
  new UnreachableInst(function.getContext(), BasicBlock::Create(function.getContext(), "", &function));
  function.setLinkage(GlobalValue::InternalLinkage);
}

bool moves_words(const Function &function) {
  return any_of(instructions(function), [](const Instruction &instruction) {
    const auto *call = dyn_cast<CallBase>(&instruction);
    return call && tagged_copy(*call) != TaggedCopy::none;
  });
}

/// Which argument, where it is one.
std::string text_of(const Value &value) {
  const auto *argument = dyn_cast<Argument>(&value);
  return argument ? (" (argument " + Twine(argument->getArgNo() + 1) + ")").str() : "";
}

Error no_shadow_of(const Function &function, const GlobalVariable &global) {
  const std::string name = "'" + demangle(global.getName()) + "'";
  if (global.isConstant())
    return unsupported(function, nullptr,
                       "what " + name + " points to carries a derivative, but is not known in this file",
                       "define it in this file, so that it can have a shadow");
  return unsupported(function, nullptr, name + " keeps values with a derivative, but is declared without its size",
                     "declare it with its size, so that it can have a shadow");
}

#ifdef ASSAY_VERIFY_IR
/// Invalid IR is a fault of the engine; it is reported like any other reason why there is no derivative.
Error verify(const Function &written, const Function &source) {
  std::string problem;
  raw_string_ostream out(problem);
  if (!verifyFunction(written, &out))
    return Error::success();
  replace(problem, '\n', ' ');
  return unsupported(source, nullptr, "the engine wrote invalid code (" + StringRef(problem).trim() + ")",
                     "this is a fault of the engine: please report it with the source");
}
#endif

/// The types of a function as it is differentiated, and the bodies that they were found in.
struct KnownTypes {
  struct Body {
    const Function *function;
    unsigned instructions;
  };
  const Function *function;
  bool loose;
  TypeOptions options;
  std::size_t ready; // how many functions were ready to be differentiated by then
  DenseMap<const Function *, Body> bodies;
  TypeAnalysis types;
};

} // namespace

struct Engine::State {
  Module &module;
  FunctionInfo function_info;
  FunctionAnalysisManager &analyses;
  StringMap<Derivative> derivatives;
  DenseMap<const Function *, DerivativeInterface> interfaces; // of the halves of split derivatives
  DenseMap<const Function *, Function *> inlinable;           // null while being prepared
  DenseMap<const Function *, Function *> prepared;
  DenseMap<const Function *, Function *> prepared_for_forward;    // those that move words, where they differ
  std::vector<std::pair<const Function *, Function *>> forgotten; // prepared for other callers
  std::optional<TypeAnalysis> types_of_prepared;                  // of the last one, until something else is done
  SmallVector<std::shared_ptr<const KnownTypes>, 4> known_types;  // those of few functions: they are large
  DenseMap<const Function *, std::size_t> ready;                  // to be differentiated, in which order
  CallSite site;
  bool is_new_site = false;
  TypeOptions types_prepared_with = type_options();
  DenseMap<const Function *, std::vector<TypeHints::Float>> told; // by the callers, of functions that do not tell

  State(Module &module, FunctionInfo function_info, FunctionAnalysisManager &analyses)
      : module(module), function_info(std::move(function_info)), analyses(analyses) {}

  /// Where the clone of `inlinable` is kept that derivatives of that mode are made of.
  DenseMap<const Function *, Function *> &clones_for(const Function &inlinable, Mode mode) {
    return mode == Mode::forward && moves_words(inlinable) ? prepared_for_forward : prepared;
  }

  /// The body of `function` for the type analysis of derivatives of `subject`: the prepared clone of the subject
  /// itself, and of other functions the clone before preparation, whatever was differentiated earlier. A prepared clone
  /// moves words of unknown type as floats, which says nothing of its callers' memory. A function with a rule is only
  /// called: its rule speaks of the function of the source.
  const Function &body_of(const Function &function, const Function &subject, Mode mode) {
    const Function *inlined = inlinable.lookup(&function);
    if (!inlined || function_info.keeps_call(function))
      return function;
    const Function *clone = &function == &subject ? clones_for(*inlined, mode).lookup(&function) : nullptr;
    return clone ? *clone : *inlined;
  }

  PrepareContext prepare_context(const Function &subject, Mode mode) {
    return {
        function_info,
        analyses,
        [this](Function &callee) { return inlinable_clone(callee); },
        [this](const Function &callee) { return inlinable.contains(&callee) && !inlinable.lookup(&callee); },
        [this, &subject, mode](const Function &callee) -> const Function & { return body_of(callee, subject, mode); },
        [this](const Function &source) {
          std::optional<TypeHints> hints = site.hints_for(source);
          told[&source] = hints ? hints->floats() : std::vector<TypeHints::Float>();
          return hints;
        }};
  }

  /// Found once for all derivatives of a function, as long as neither it nor its callees change.
  std::shared_ptr<const KnownTypes> types_for(const Function &function, const Request &request) {
    constexpr std::size_t most_known = 6;
    for (const auto &known : known_types)
      if (known->function == &function && known->loose == request.options.loose_types &&
          known->options == type_options() && is_up_to_date(*known, request))
        return known;
    DenseMap<const Function *, KnownTypes::Body> bodies{{&function, {&function, function.getInstructionCount()}}};
    TypeAnalysis types(function, request.options.loose_types, [&](const Function &callee) -> const Function & {
      const Function &body = body_of(callee, *request.function, request.mode);
      bodies[&callee] = {&body, body.getInstructionCount()};
      return body;
    });
    if (known_types.size() == most_known)
      known_types.erase(known_types.begin());
    return known_types.emplace_back(std::make_shared<const KnownTypes>(KnownTypes{
        &function, request.options.loose_types, type_options(), ready.size(), std::move(bodies), std::move(types)}));
  }

  bool is_up_to_date(const KnownTypes &known, const Request &request) {
    return all_of(known.bodies, [&](const auto &entry) {
      const auto &[callee, body] = entry;
      const auto changed = ready.find(body.function);
      return (callee == known.function || &body_of(*callee, *request.function, request.mode) == body.function) &&
             body.function->getInstructionCount() == body.instructions &&
             (changed == ready.end() || changed->second < known.ready);
    });
  }

  /// True where the callers on the way from the new site keep floats where others kept none, or the other way round.
  bool site_tells_otherwise() {
    return any_of(told, [&](const auto &known) {
      const std::optional<TypeHints> hints = site.hints_for(*known.first);
      return hints && !hints->actuals.empty() && hints->floats() != known.second;
    });
  }

  /// What was written for other callers stays; it is not used any more. Both halves of a split derivative are used by
  /// the program together.
  void forget_other_callers() {
    for (auto &entry : make_early_inc_range(derivatives))
      if (!entry.second.is_half)
        derivatives.erase(entry.getKey());
    forget_prepared();
  }

  void forget_prepared() {
    forgotten.insert(forgotten.end(), prepared.begin(), prepared.end());
    forgotten.insert(forgotten.end(), prepared_for_forward.begin(), prepared_for_forward.end());
    prepared.clear();
    prepared_for_forward.clear();
    told.clear();
  }

  /// Memory is typed when a function is prepared.
  void prepare_with(const TypeOptions &options) {
    if (options != types_prepared_with)
      forget_prepared();
    types_prepared_with = options;
  }

  Expected<Function *> inlinable_clone(Function &function) {
    if (auto found = inlinable.find(&function); found != inlinable.end())
      return found->second;
    inlinable[&function] = nullptr;
    Expected<Function *> clone = prepare(function, prepare_context(function, Mode::reverse));
    if (!clone) {
      inlinable.erase(&function); // whoever asks again is told the same reason
      return clone.takeError();
    }
    return inlinable[&function] = *clone;
  }

  template <class Clones>
  void erase(Clones &clones) {
    for (auto [source, clone] : clones)
      if (clone && clone->use_empty()) {
        analyses.clear(*clone, clone->getName());
        clone->eraseFromParent();
      }
    clones.clear();
  }

  Function *declare(const Request &request) {
    const DerivativeAbi abi(request);
    Function *function = Function::Create(abi.type(), GlobalValue::InternalLinkage,
                                          name_prefix(request.mode) + request.function->getName(), module);
    if (request.mode != Mode::split_reverse)                        // which is no clone of the function
      function->setCallingConv(request.function->getCallingConv()); // calls may be written before the body
    for (StringRef attribute : std::initializer_list<StringRef>{"target-cpu", "target-features", "tune-cpu",
                                                                "frame-pointer", undivided_sums_attribute})
      if (Attribute value = request.function->getFnAttribute(attribute); value.isValid())
        function->addFnAttr(value);
    if (request.function->doesNotThrow())
      function->setDoesNotThrow();
    if (request.function->hasUWTable())
      function->setUWTableKind(request.function->getUWTableKind());
    if (request.function->hasPersonalityFn())
      function->setPersonalityFn(request.function->getPersonalityFn());
    for (Attribute::AttrKind kind : {Attribute::SanitizeAddress, Attribute::SanitizeThread, Attribute::SanitizeMemory})
      if (request.function->hasFnAttribute(kind))
        function->addFnAttr(kind);
    function->addFnAttr(Attribute::MustProgress);
    function->addFnAttr(derivative_attribute);
    return function;
  }
};

Engine::Engine(Module &module, FunctionInfo function_info, ModuleAnalysisManager &analyses)
    : state_(new State(module, std::move(function_info),
                       analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager())) {
  note_uses_only_double(module);
}

Engine::~Engine() {
  forget_uses_only_double(state_->module);
  state_->known_types.clear(); // before the functions that they speak of
  state_->erase(state_->forgotten);
  state_->erase(state_->prepared);
  state_->erase(state_->prepared_for_forward);
  state_->erase(state_->inlinable);
}

void Engine::note_call(const Function &caller, const Function &subject,
                       ArrayRef<std::pair<unsigned, const Value *>> actuals) {
  CallSite site(caller, subject, actuals);
  site.reuse_hints(state_->site);
  state_->site = std::move(site);
  state_->is_new_site = true;
}

const DerivativeInterface *Engine::interface_of(const Function &half) const {
  auto found = state_->interfaces.find(&half);
  return found == state_->interfaces.end() ? nullptr : &found->second;
}

void Engine::note_interface(const Function &half, DerivativeInterface interface) {
  state_->interfaces[&half] = std::move(interface);
}

const FunctionInfo &Engine::function_info() const {
  return state_->function_info;
}
Module &Engine::module() const {
  return state_->module;
}
FunctionAnalysisManager &Engine::function_analyses() const {
  return state_->analyses;
}

Expected<Function *> Engine::prepared(Function &function, Mode mode) {
  Expected<Function *> inlinable = state_->inlinable_clone(function);
  if (!inlinable || !*inlinable)
    return inlinable;
  auto &prepared = state_->clones_for(**inlinable, mode);
  const bool keeps_moves = &prepared == &state_->prepared_for_forward;
  if (Function *found = prepared.lookup(&function))
    return found;
  Expected<Function *> clone =
      with_typed_memory(**inlinable, function, keeps_moves ? TaggedCopies::kept : TaggedCopies::inlined,
                        state_->prepare_context(function, mode));
  if (!clone)
    return clone.takeError();
  prepared[&function] = *clone; // first: where it calls itself, the callee has types as well
  Expected<std::optional<TypeAnalysis>> types =
      type_words_left(**clone, function, state_->prepare_context(function, mode));
  if (!types)
    return types.takeError();
  state_->types_of_prepared = std::move(*types);
  return *clone;
}

Expected<Function *> Engine::derivative(const Request &asked) {
  const Request request = normalised(asked);
  // What reads a tape is written for the site that fills it, whatever its own tells.
  const bool reads_written_tape =
      request.mode == Mode::split_reverse && state_->derivatives.contains(fingerprint(normalised(other_half(request))));
  if (std::exchange(state_->is_new_site, false) && !reads_written_tape && state_->site_tells_otherwise())
    state_->forget_other_callers();
  const std::string key = fingerprint(request);
  if (auto found = state_->derivatives.find(key); found != state_->derivatives.end()) {
    if (!found->second.failure.empty())
      return createStringError(found->second.failure);
    return found->second.function;
  }
  if (request.function->isDeclaration())
    return unsupported(*request.function, nullptr, "the function has no body to differentiate",
                       "define it in this file, mark it inactive, or register a derivative for it");
  if (request.function->isVarArg())
    return unsupported(*request.function, nullptr, "a variadic function cannot be differentiated",
                       "give it a fixed parameter list or register a derivative for it");

  const TypeOptionsScope scope(options_of_types(request));
  state_->prepare_with(type_options());
  Function *function = state_->declare(request);
  const bool is_half = is_split(request.mode) && request.caller == Caller::program;
  state_->derivatives[key] = {function, "", is_half};
  Function *partner = nullptr;
  std::string partner_key;
  const Request other = normalised(other_half(request));
  if (is_split(request.mode)) {
    partner = state_->declare(other);
    partner_key = fingerprint(other);
    state_->derivatives.try_emplace(partner_key, Derivative{partner, "", is_half}); // one that is there is in use
  }

  Error error = [&]() -> Error {
    state_->types_of_prepared.reset();
    Expected<Function *> prepared_function = prepared(*request.function, request.mode);
    if (!prepared_function)
      return prepared_function.takeError();
    if (!*prepared_function)
      return unsupported(*request.function, nullptr, "the function is being prepared while it is differentiated",
                         "report this as a bug of the engine");
    std::optional<TypeAnalysis> found = std::exchange(state_->types_of_prepared, std::nullopt);
    if (Error failure = prepare_to_differentiate(**prepared_function, *request.function, found,
                                                 state_->prepare_context(*request.function, request.mode)))
      return failure;
    state_->ready.try_emplace(*prepared_function, state_->ready.size());
    Request of_clone = request;
    of_clone.function = *prepared_function;
    const bool is_fresh = found && !request.options.loose_types;
    const auto known = is_fresh ? nullptr : state_->types_for(**prepared_function, request);
    const TypeAnalysis &types = is_fresh ? *found : known->types;
    ActivityAnalysis activity(of_clone, state_->function_info, types);
    Request effective = request;
    effective.options.runtime_activity |= activity.reads_constant_beside_active(of_clone);
    if (Observer *observer = function_info().test_hooks().observer)
      observer->analysed({effective, **prepared_function, types, activity});
    if (const Value *memory = request.options.runtime_activity ? activity.kept_in_constant() : nullptr)
      return unsupported(*request.function, dyn_cast<Instruction>(memory),
                         "memory declared constant keeps values that carry a derivative" + text_of(*memory),
                         "pass a shadow for it (enzyme_dup): run-time activity only tells memory apart that has one");
    if (const GlobalVariable *global = activity.without_known_shadow())
      return no_shadow_of(*request.function, *global);
    if (const GlobalVariable *variable = activity.device_variable_without_shadow(request, state_->function_info))
      return unsupported(*request.function, nullptr,
                         "derivatives flow through the variable '" + variable->getName() +
                             "' in device memory, which has no shadow",
                         "give it one for each lane by a table __enzyme_shadow_global, pass it as an argument with its "
                         "shadow, or mark it inactive");
    if (const CallBase *caught = activity.caught_derivative())
      return unsupported(*caught, "an exception carries a value with a derivative to this handler",
                         "return the value, or store it where the handler finds it");
    if (request.mode == Mode::forward)
      return emit_forward(*this, effective, **prepared_function, types, activity, *function);
    ReverseFunctions functions{function, function};
    if (partner)
      functions =
          request.mode == Mode::augmented ? ReverseFunctions{function, partner} : ReverseFunctions{partner, function};
    return emit_reverse(*this, effective, **prepared_function, types, activity, functions);
  }();
  if (!error) {
    finish_debug_info(*function, name_prefix(request.mode));
    if (partner)
      finish_debug_info(*partner, name_prefix(other.mode));
  }
#ifdef ASSAY_VERIFY_IR
  for (Function *written : {function, partner})
    if (written && !error)
      error = verify(*written, *request.function);
#endif

  if (error) {
    std::string text = toString(std::move(error));
    if (Observer *observer = function_info().test_hooks().observer)
      observer->refused(request, text);
    for (auto [written, written_key] : {std::pair(function, key), std::pair(partner, partner_key)})
      if (written) {
        make_unreachable(*written);
        state_->derivatives[written_key].failure = text;
      }
    return createStringError(text);
  }
  for (Function *written : {function, partner})
    if (written) {
      if (function_info().test_hooks().written)
        function_info().test_hooks().written(*written);
      tidy_new_derivative(*written, state_->analyses);
    }
  return function;
}

} // namespace assay::engine
