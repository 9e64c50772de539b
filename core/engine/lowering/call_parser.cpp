#include "core/engine/lowering/call_parser.hpp"
#include "core/engine/lowering/parsed_return.hpp"
#include "core/engine/support/constant_resolution.hpp"
#include "core/engine/support/device_target.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "core/engine/support/type_content.hpp"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace assay::engine {
namespace {

bool is_forward(ConventionCall kind) {
  return kind == ConventionCall::fwddiff;
}

Mode mode_of(ConventionCall kind) {
  switch (kind) {
  case ConventionCall::fwddiff:
    return Mode::forward;
  case ConventionCall::augmentfwd:
  case ConventionCall::augmentsize:
    return Mode::augmented;
  case ConventionCall::reverse:
    return Mode::split_reverse;
  default:
    return Mode::reverse;
  }
}

class CallParser {
public:
  CallParser(CallBase &call, ConventionCall kind, Function &function)
      : function_(function), reader_(call, name_of(kind), function) {
    parsed_.kind = kind;
    parsed_.request.function = &function;
    parsed_.request.mode = mode_of(kind);
    parsed_.request.argument_activity.assign(function.arg_size(), Activity::constant);
    parsed_.request.not_overwritten.resize(function.arg_size());
  }

  Expected<ParsedCall> parse() {
    if (function_.isVarArg())
      return error("the variadic function '" + source_name(function_) + "' is given to " + call_name(),
                   "give it a function with a fixed parameter list, which may call the variadic one");
    if (Error error = reader_.read_width())
      return error;
    parsed_.request.width = reader_.width();
    if (reader_.contains(Marker::interleave))
      shadows_ = Shadows::behind_all_values;
    if (Error error = read_arguments())
      return error;
    if (Error error = decide_return(parsed_, return_markers_, reader_))
      return error;
    if (Error error = read_seeds_and_tape())
      return error;
    if (!reader_.at_end())
      return reader_.too_many();
    return std::move(parsed_);
  }

private:
  /// What markers said about the argument that follows.
  struct Pending {
    std::optional<Marker> activity;
    Value *stride = nullptr;
    bool by_reference = false;
    bool not_overwritten = false;
  };

  /// An argument whose value is read.
  struct Described {
    unsigned source = 0;
    size_t first = 0; ///< Of its parts among the parsed arguments.
    Marker activity = Marker::constant;
    Pending pending = {};
  };

  enum class Shadows : std::uint8_t { behind_each_value, behind_all_values };

  // ---- errors

  Error error(const Twine &reason, const Twine &remedy) const { return reader_.error(reason, remedy); }

  std::string call_name() const { return name_of(parsed_.kind).str(); }

  // ---- markers

  Error read_markers(Pending &pending) {
    while (const std::optional<Marker> kind = reader_.next_marker()) {
      reader_.skip();
      if (Error error = read_marker(*kind, pending))
        return error;
    }
    if (const std::optional<StringRef> name = reader_.next_unknown_marker())
      return error(
          "there is no marker '" + *name + "'",
          "the markers of arguments are enzyme_const, enzyme_dup, enzyme_dupnoneed, enzyme_dupv and enzyme_out");
    return Error::success();
  }

  Error read_marker(Marker kind, Pending &pending) {
    switch (kind) {
    case Marker::width:
      return reader_.take_written("enzyme_width").takeError();
    case Marker::constant:
    case Marker::duplicated:
    case Marker::duplicated_no_need:
    case Marker::out:
    case Marker::vector:
    case Marker::scalar:
      return set_activity(pending, kind);
    case Marker::strided:
    case Marker::strided_no_need:
      if (Error error =
              set_activity(pending, kind == Marker::strided ? Marker::duplicated : Marker::duplicated_no_need))
        return error;
      return reader_.take_written("enzyme_dupv").moveInto(pending.stride);
    case Marker::tape:
      return reader_.take_written("enzyme_tape").moveInto(parsed_.tape);
    case Marker::allocated:
      return read_allocated();
    case Marker::byref:
      pending.by_reference = true;
      return reader_.take_written("enzyme_byref").takeError();
    case Marker::nofree:
      parsed_.request.options.free_tape = false;
      return Error::success();
    case Marker::runtime_activity:
      parsed_.request.options.runtime_activity = true;
      return Error::success();
    case Marker::strong_zero:
      parsed_.request.options.strong_zero = true;
      return Error::success();
    case Marker::tape_memory:
      return read_tape_memory();
    case Marker::interleave:
      return begin_shadows();
    case Marker::loose_types:
      parsed_.request.options.loose_types = true;
      return Error::success();
    case Marker::no_strict_aliasing:
      parsed_.request.options.strict_aliasing = false;
      return Error::success();
    case Marker::no_type_warning:
      parsed_.request.options.type_warning = false;
      return Error::success();
    case Marker::drop_list:
      return read_drop_list();
    case Marker::seed:
      explicit_seed_ = true;
      return read_seeds();
    case Marker::not_overwritten:
      pending.not_overwritten = true;
      return Error::success();
    case Marker::primal_return:
    case Marker::noret:
    case Marker::const_return:
    case Marker::dup_return:
    case Marker::active_return:
      return_markers_.push_back(kind);
      return Error::success();
    }
    llvm_unreachable("unknown marker");
  }

  Error set_activity(Pending &pending, Marker kind) {
    if (pending.activity)
      return error("two markers, " + name_of(*pending.activity) + " and " + name_of(kind) +
                       ", stand before one argument",
                   "give each marker the value that it describes");
    pending.activity = kind;
    return Error::success();
  }

  Error read_tape_memory() {
    if (is_split())
      return error("enzyme_tape_memory stands in a call of " + call_name() + ", whose tape outlives it",
                   "give memory for tapes to __enzyme_autodiff");
    if (!is_device_code(*function_.getParent()))
      return error("enzyme_tape_memory stands in code of the host", "it is for the threads of a device: leave it out");
    return reader_.take_written("enzyme_tape_memory").moveInto(parsed_.thread_tapes);
  }

  Error read_allocated() {
    Value *size = nullptr;
    if (Error error = reader_.take_written("enzyme_allocated").moveInto(size))
      return error;
    parsed_.tape_memory = TapeMemory::caller;
    const std::optional<std::int64_t> known = resolve_integer(size);
    if (known && *known < std::int64_t(tape_size))
      return error("the tape memory given by enzyme_allocated has " + Twine(*known) + " bytes, but the tape needs " +
                       Twine(tape_size),
                   "allocate what __enzyme_augmentsize returns");
    return Error::success();
  }

  Error read_drop_list() {
    if (!is_split())
      return error("enzyme_drop_list has no meaning for " + call_name(),
                   "it is for __enzyme_augmentfwd and __enzyme_reverse");
    return reader_.take_written("enzyme_drop_list").moveInto(parsed_.drop_list);
  }

  Error begin_shadows() {
    if (values_read_ < reader_.sources().size())
      return error("enzyme_interleave stands before the value of argument " + Twine(values_read_ + 1) + " of '" +
                       source_name(function_) + "'",
                   "put the values of all arguments before it and the shadows behind it");
    if (interleave_read_)
      return error("enzyme_interleave stands twice in one call", "put the shadows of all arguments behind the first");
    interleave_read_ = true;
    return Error::success();
  }

  bool is_split() const {
    return parsed_.request.mode == Mode::augmented || parsed_.request.mode == Mode::split_reverse;
  }

  // ---- arguments

  Error read_arguments() {
    SmallVector<Described, 8> arguments;
    for (unsigned source = 0; source < reader_.sources().size(); ++source) {
      Described argument{.source = source, .first = parsed_.arguments.size()};
      if (Error error = read_markers(argument.pending))
        return error;
      argument.activity = marker_for(argument, arguments.empty() ? nullptr : &arguments.back());
      if (Error error = read_value(argument))
        return error;
      if (shadows_ == Shadows::behind_each_value)
        if (Error error = read_shadows(argument))
          return error;
      arguments.push_back(argument);
    }
    if (Error error = read_trailing_markers())
      return error;
    if (shadows_ == Shadows::behind_all_values)
      for (const Described &argument : arguments)
        if (Error error = read_shadows(argument))
          return error;
    return read_trailing_markers();
  }

  Error read_trailing_markers() {
    Pending trailing;
    if (Error error = read_markers(trailing))
      return error;
    if (trailing.activity)
      return error("a marker " + name_of(*trailing.activity) + " stands behind the last argument",
                   "put it before the argument that it describes");
    return Error::success();
  }

  /// What the marker says; among values that stand together, an unmarked one is like the value before it.
  Marker marker_for(const Described &argument, const Described *before) const {
    if (argument.pending.activity)
      return *argument.pending.activity;
    const Marker by_type = default_activity(reader_.source(argument.source));
    if (shadows_ == Shadows::behind_each_value || !before)
      return by_type;
    const bool has_no_gradient = before->activity == Marker::out && by_type == Marker::constant;
    return has_no_gradient ? by_type : before->activity;
  }

  Type *content(const Argument &parameter) const {
    return parameter.hasByValAttr() ? parameter.getParamByValType() : parameter.getType();
  }

  Marker default_activity(const SourceParameter &source) const {
    bool floating = false, pointer = false;
    for (unsigned index = source.first; index < source.first + source.count; ++index) {
      floating |= contains_floating(content(*function_.getArg(index)));
      pointer |= contains_pointer(content(*function_.getArg(index)));
    }
    if (pointer)
      return Marker::duplicated;
    if (!floating)
      return Marker::constant;
    return parsed_.request.mode == Mode::forward ? Marker::duplicated : Marker::out;
  }

  Error read_value(const Described &argument) {
    const SourceParameter &source = reader_.source(argument.source);
    SmallVector<ArgumentValue, 2> primals;
    if (Error error = reader_.take_values(argument.source, "value", argument.pending.by_reference, primals))
      return error;
    for (unsigned part = 0; part < source.count; ++part) {
      const Argument &parameter = *function_.getArg(source.first + part);
      ParsedArgument parsed;
      parsed.parameter = parameter.getArgNo();
      parsed.source = argument.source;
      parsed.primal = primals[part];
      parsed.by_value = parameter.getParamByValType();
      parsed.by_reference = argument.pending.by_reference;
      if (argument.pending.not_overwritten && is_split())
        parsed_.request.not_overwritten.set(parameter.getArgNo());
      parsed_.arguments.push_back(parsed);
    }
    ++values_read_;
    return Error::success();
  }

  MutableArrayRef<ParsedArgument> parts_of(const Described &argument) {
    return MutableArrayRef(parsed_.arguments).slice(argument.first, reader_.source(argument.source).count);
  }

  Error read_shadows(const Described &argument) {
    switch (argument.activity) {
    case Marker::constant:
      return Error::success();
    case Marker::out:
      return make_active(argument);
    case Marker::duplicated:
    case Marker::duplicated_no_need:
      return make_duplicated(argument);
    default:
      return error(name_of(argument.activity) + " has no meaning for " + call_name(),
                   "use enzyme_const, enzyme_dup or enzyme_out");
    }
  }

  Activity &activity_of(const ParsedArgument &argument) {
    return parsed_.request.argument_activity[argument.parameter];
  }

  Error make_active(const Described &described) {
    const unsigned source = described.source;
    if (is_forward(parsed_.kind))
      return error("argument " + Twine(source + 1) + " of '" + source_name(function_) +
                       "' is marked enzyme_out, which has no meaning in forward mode",
                   "use enzyme_dup with a value and a tangent, or enzyme_const");
    for (ParsedArgument &argument : parts_of(described)) {
      Type *type = content(*function_.getArg(argument.parameter));
      if (contains_floating(type) && !contains_pointer(type)) {
        argument.collects_gradient = argument.by_value != nullptr;
        activity_of(argument) = argument.by_value ? Activity::duplicated : Activity::active;
      } else if (reader_.source(source).count == 1) {
        return error("argument " + Twine(source + 1) + " of '" + source_name(function_) +
                         "' is marked enzyme_out, but is not a floating-point value",
                     "use enzyme_dup with a shadow for a pointer, enzyme_const for an integer");
      }
    }
    return Error::success();
  }

  Error make_duplicated(const Described &described) {
    const unsigned source = described.source;
    const Marker kind = described.activity;
    const Pending &pending = described.pending;
    const auto arguments = parts_of(described);
    const bool is_struct = arguments.size() > 1;
    for (ParsedArgument &argument : arguments) {
      const Type *type = function_.getArg(argument.parameter)->getType();
      if (!is_forward(parsed_.kind) && contains_floating(type) && !contains_pointer(type))
        return error("argument " + Twine(source + 1) + " of '" + source_name(function_) +
                         "' is a floating-point value, and " + name_of(kind) +
                         " cannot add a gradient to a shadow that is passed by value",
                     "mark it enzyme_out, which returns the gradient");
      if (is_struct && type->isIntegerTy())
        continue; // a length or flag beside floats and pointers
      activity_of(argument) = kind == Marker::duplicated ? Activity::duplicated : Activity::duplicated_no_need;
    }
    if (pending.stride)
      return read_strided(source, arguments, pending.stride);
    for (unsigned lane = 0; lane < parsed_.request.width; ++lane) {
      SmallVector<ArgumentValue, 2> shadows;
      if (Error error = reader_.take_values(source, "shadow", pending.by_reference, shadows))
        return error;
      for (auto [argument, shadow] : zip(arguments, shadows))
        if (is_duplicated(argument))
          argument.shadows.push_back(shadow);
    }
    return Error::success();
  }

  bool is_duplicated(const ParsedArgument &argument) { return activity_of(argument) != Activity::constant; }

  Error read_strided(unsigned source, MutableArrayRef<ParsedArgument> arguments, Value *stride) {
    SmallVector<ArgumentValue, 2> base;
    if (Error error = reader_.take_values(source, "shadow", false, base))
      return error;
    if (arguments.size() != 1 || !function_.getArg(arguments[0].parameter)->getType()->isPointerTy())
      return error("argument " + Twine(source + 1) + " of '" + source_name(function_) +
                       "' is marked enzyme_dupv, but is not a pointer",
                   "strided shadows are for pointers; give the shadows one by one with enzyme_dup");
    arguments[0].strided = StridedShadow{base[0].value, stride};
    return Error::success();
  }

  // ---- seeds and tape

  /// One for each lane.
  Error read_seeds() {
    for (unsigned lane = 0; lane < parsed_.request.width; ++lane) {
      if (reader_.at_end())
        return error("the seed of the result of '" + source_name(function_) + "' is missing",
                     "give the adjoint of the result after the arguments, one for each lane");
      Expected<Seed> seed = reader_.take_seed();
      if (!seed)
        return seed.takeError();
      parsed_.seeds.push_back(std::move(*seed));
    }
    return Error::success();
  }

  Error read_seeds_and_tape() {
    if (parsed_.kind != ConventionCall::reverse) {
      if (parsed_.tape && parsed_.kind != ConventionCall::augmentfwd)
        return error("enzyme_tape has no meaning for " + call_name(), "leave it out");
      if (explicit_seed_ && parsed_.request.return_activity != Activity::active)
        return error("enzyme_seed stands at a call whose result has no adjoint", "leave it and the value after it out");
      return Error::success();
    }
    const bool has_seed = parsed_.request.return_activity == Activity::active || parsed_.struct_takes_seed;
    if (has_seed && parsed_.seeds.empty())
      if (Error error = read_seeds())
        return error;
    Pending trailing;
    if (Error error = read_markers(trailing))
      return error;
    if (!parsed_.tape && reader_.at_end())
      return error("the tape is missing", "give what __enzyme_augmentfwd returned as the last argument");
    if (!parsed_.tape)
      parsed_.tape = reader_.take();
    return Error::success();
  }

  Function &function_;
  OperandReader reader_;
  SmallVector<Marker, 2> return_markers_;
  ParsedCall parsed_;
  Shadows shadows_ = Shadows::behind_each_value;
  unsigned values_read_ = 0;
  bool interleave_read_ = false;
  bool explicit_seed_ = false;
};

} // namespace

Expected<ParsedCall> parse_call(CallBase &call, ConventionCall kind, Function &function) {
  return CallParser(call, kind, function).parse();
}

} // namespace assay::engine
