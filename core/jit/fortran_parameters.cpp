#include "core/jit/fortran_parameters.hpp"

#include "core/jit/argument_spec.hpp"
#include "core/jit/bad_request.hpp"
#include "core/jit/callables.hpp"
#include "core/jit/flat_function.hpp"
#include "core/jit/fortran_interface.hpp"
#include "core/jit/function_names.hpp"
#include "core/jit/read_signature.hpp"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace assay::jit {

namespace {

namespace dwarf = llvm::dwarf;
using Kind = FortranParameter::Kind;

/// Of the descriptors of flang, ISO_Fortran_binding.h.
constexpr std::int32_t descriptor_version = 20240719;
enum TypeCode : std::int8_t { integers = 7, single = 27, double_precision = 28, single_complex = 34, double_complex };
constexpr std::uint8_t pointer_attribute = 1;

TypeCode code_of(const FortranParameter &parameter) {
  const std::uint64_t bits = parameter.of->getSizeInBits();
  if (parameter.of->getEncoding() != dwarf::DW_ATE_float)
    return static_cast<TypeCode>(integers + llvm::Log2_64(bits / 8));
  if (parameter.parts == 2)
    return bits == 32 ? single_complex : double_complex;
  return bits == 32 ? single : double_precision;
}

/// What the specs say of parameters whose size the procedure is told.
struct Given {
  std::vector<IntegerFormula> extents; ///< Of a section, and of characters.
  llvm::Constant *procedure = nullptr;
};

std::vector<std::string> integer_names_of(const FortranInterface &interface) {
  std::vector<std::string> names;
  for (const FortranParameter &parameter : interface.parameters)
    if (parameter.kind == Kind::integer)
      names.push_back(parameter.name);
  return names;
}

class GivenReader {
public:
  GivenReader(llvm::Function &function, const FortranInterface &interface, const std::vector<std::string> &specs)
      : function_(function), interface_(interface), specs_(specs), integers_(integer_names_of(interface)) {}

  std::vector<Given> read() const {
    std::vector<Given> all(interface_.parameters.size());
    for (std::size_t index = 0; index < all.size(); ++index) {
      const Kind kind = interface_.parameters[index].kind;
      if (kind == Kind::procedure)
        all[index].procedure = &procedure(index);
      else if (kind == Kind::section || kind == Kind::text)
        all[index].extents = extents(index);
    }
    return all;
  }

private:
  std::string subject(std::size_t index) const {
    return fmt::format("parameter {} ('{}') of {}", index + 1, interface_.parameters[index].name,
                       qualified_name(function_.getName().str()));
  }

  llvm::Constant &procedure(std::size_t index) const {
    const std::string name = callable_in(specs_[index]);
    std::vector<std::string> candidates;
    for (const llvm::Function &each : *function_.getParent())
      if (!each.isDeclaration())
        candidates.push_back(each.getName().str());
    const std::vector<std::string> found = functions_named(name, candidates);
    if (found.size() == 1)
      return *function_.getParent()->getFunction(found.front());
    throw BadRequest(fmt::format(
        "--arg '{}': there is {} procedure '{}'; {} is a procedure: name one of the file, {}=NAME", specs_[index],
        found.empty() ? "no" : "more than one", name, subject(index), interface_.parameters[index].name));
  }

  std::vector<IntegerFormula> extents(std::size_t index) const {
    const FortranParameter &parameter = interface_.parameters[index];
    ArgumentSpec spec;
    try {
      spec = parse_argument_spec(specs_[index], integers_);
    } catch (const SpecError &) {
      return {}; // Told where all are read.
    }
    std::vector<IntegerFormula> extents = spec.formulas;
    if (extents.empty())
      for (const std::size_t extent : spec.extents)
        extents.emplace_back(static_cast<std::int64_t>(extent));
    if (parameter.kind == Kind::text)
      return extents;
    const std::size_t expected = parameter.rank + (parameter.parts > 1 ? 1 : 0);
    if (extents.size() != expected)
      throw BadRequest(fmt::format("--arg '{}': {} is an array of assumed shape and has {} extents{}, for example {}",
                                   specs_[index], subject(index), expected,
                                   parameter.parts > 1 ? " (2 for the parts of a complex number before them)" : "",
                                   example(parameter)));
    return extents;
  }

  static std::string example(const FortranParameter &parameter) {
    std::vector<std::string> extents(parameter.rank, "3");
    if (parameter.parts > 1)
      extents.insert(extents.begin(), "2");
    const bool is_real = parameter.of->getEncoding() == dwarf::DW_ATE_float;
    const char *name = !is_real ? "int" : parameter.of->getSizeInBits() == 32 ? "float" : "double";
    return fmt::format("{}[{}]", name, fmt::join(extents, "x"));
  }

  llvm::Function &function_;
  const FortranInterface &interface_;
  const std::vector<std::string> &specs_;
  std::vector<std::string> integers_;
};

/// The function of numbers.
class NumbersFunction {
public:
  NumbersFunction(llvm::Function &function, const FortranInterface &interface, const std::vector<Given> &given,
                  const std::string &name)
      : function_(function), interface_(interface), given_(given), name_(name), builder_(function.getContext()) {}

  llvm::Function &write() {
    llvm::Function &flat = declare();
    builder_.SetInsertPoint(llvm::BasicBlock::Create(function_.getContext(), "", &flat));
    builder_.SetCurrentDebugLocation(
        llvm::DILocation::get(function_.getContext(), function_.getSubprogram()->getLine(), 0, flat.getSubprogram()));
    llvm::SmallVector<llvm::Value *, 8> values, lengths;
    for (unsigned index = 0; index < interface_.parameters.size(); ++index) {
      values.push_back(passed(index, *flat.getArg(index)));
      if (interface_.parameters[index].kind == Kind::text)
        lengths.push_back(length(index));
    }
    values.append(lengths);
    llvm::CallInst *call = builder_.CreateCall(&function_, values);
    call->setAttributes(function_.getAttributes().removeFnAttributes(function_.getContext()));
    if (interface_.has_complex_result)
      builder_.CreateAlignedStore(call, flat.getArg(static_cast<unsigned>(flat.arg_size()) - 1), llvm::Align(4));
    if (interface_.has_complex_result || call->getType()->isVoidTy())
      builder_.CreateRetVoid();
    else
      builder_.CreateRet(call);
    return flat;
  }

private:
  llvm::Type *type_of(unsigned index) {
    const FortranParameter &parameter = interface_.parameters[index];
    switch (parameter.kind) {
    case Kind::value:
      return function_.getArg(index)->getType();
    case Kind::integer:
      return builder_.getIntNTy(static_cast<unsigned>(parameter.of->getSizeInBits()));
    case Kind::logical:
      return builder_.getInt1Ty();
    case Kind::procedure:
      return builder_.getInt32Ty();
    case Kind::numbers:
    case Kind::section:
    case Kind::text:
      return builder_.getPtrTy();
    }
    llvm_unreachable("unknown kind");
  }

  llvm::Function &declare() {
    llvm::SmallVector<llvm::Type *, 16> types;
    for (unsigned index = 0; index < interface_.parameters.size(); ++index)
      types.push_back(type_of(index));
    if (interface_.has_complex_result)
      types.push_back(builder_.getPtrTy());
    llvm::Function &flat = declare_flat(
        function_, name_, types, interface_.has_complex_result ? *builder_.getVoidTy() : *function_.getReturnType());
    flat.removeFnAttr(llvm::Attribute::Memory);
    describe(flat);
    return flat;
  }

  void describe(llvm::Function &flat) {
    llvm::DIBuilder debug(*function_.getParent(), false, function_.getSubprogram()->getUnit());
    llvm::SmallVector<llvm::Metadata *, 16> types;
    types.push_back(interface_.has_complex_result ? nullptr : const_cast<llvm::DIType *>(interface_.result));
    for (unsigned index = 0; index < interface_.parameters.size(); ++index) {
      flat.getArg(index)->setName(interface_.parameters[index].name);
      if (type_of(index)->isPointerTy() && function_.hasParamAttribute(index, llvm::Attribute::NoAlias))
        flat.addParamAttr(index, llvm::Attribute::NoAlias);
      types.push_back(type_in_debug(debug, interface_.parameters[index]));
    }
    if (interface_.has_complex_result) {
      const auto bits = static_cast<unsigned>(interface_.result->getSizeInBits() / 2);
      flat.getArg(static_cast<unsigned>(flat.arg_size()) - 1)->setName("result");
      types.push_back(
          pointer_to(debug, *array_of(debug, *debug.createBasicType("real", bits, dwarf::DW_ATE_float), bits, 2)));
    }
    describe_flat(flat, function_, debug, types);
  }

  static llvm::DIType *type_in_debug(llvm::DIBuilder &debug, const FortranParameter &parameter) {
    switch (parameter.kind) {
    case Kind::value:
    case Kind::integer:
      return const_cast<llvm::DIType *>(parameter.type);
    case Kind::logical:
      return debug.createBasicType("logical", 8, dwarf::DW_ATE_boolean);
    case Kind::procedure:
      return debug.createBasicType("procedure", 32, dwarf::DW_ATE_signed);
    case Kind::text:
      return pointer_to(debug, *debug.createBasicType("character", 8, dwarf::DW_ATE_signed_char));
    case Kind::numbers:
    case Kind::section:
      break;
    }
    const bool is_logical = parameter.of->getEncoding() == dwarf::DW_ATE_boolean;
    const llvm::DIBasicType &number =
        is_logical ? *debug.createBasicType("logical", parameter.of->getSizeInBits(), dwarf::DW_ATE_signed)
                   : *parameter.of;
    const std::uint64_t count =
        parameter.rank == 0 || parameter.kind == Kind::section ? parameter.parts : parameter.parts * parameter.elements;
    return pointer_to(debug, count > 1 ? *array_of(debug, number, number.getSizeInBits(), count)
                                       : static_cast<const llvm::DIType &>(number));
  }

  llvm::Value *passed(unsigned index, llvm::Argument &argument) {
    const FortranParameter &parameter = interface_.parameters[index];
    switch (parameter.kind) {
    case Kind::value:
    case Kind::numbers:
    case Kind::text:
      return &argument;
    case Kind::integer:
      return stored(argument);
    case Kind::logical:
      return stored(
          *builder_.CreateZExt(&argument, builder_.getIntNTy(static_cast<unsigned>(parameter.of->getSizeInBits()))));
    case Kind::procedure:
      return given_[index].procedure ? given_[index].procedure : llvm::ConstantPointerNull::get(builder_.getPtrTy());
    case Kind::section:
      return descriptor(index, argument);
    }
    llvm_unreachable("unknown kind");
  }

  llvm::Value *stored(llvm::Value &value) {
    llvm::AllocaInst *memory = builder_.CreateAlloca(value.getType());
    builder_.CreateStore(&value, memory);
    return memory;
  }

  llvm::Value *length(unsigned index) {
    llvm::Value *product = builder_.getInt64(1);
    for (const IntegerFormula &extent : given_[index].extents)
      product = builder_.CreateMul(product, value_of(extent));
    return product;
  }

  /// Of contiguous numbers.
  llvm::Value *descriptor(unsigned index, llvm::Argument &numbers) {
    const FortranParameter &parameter = interface_.parameters[index];
    llvm::Type *bytes = builder_.getInt8Ty(), *word = builder_.getInt64Ty();
    llvm::Type *dimensions = llvm::ArrayType::get(llvm::ArrayType::get(word, 3), parameter.rank);
    auto *type = llvm::StructType::get(builder_.getContext(), {builder_.getPtrTy(), word, builder_.getInt32Ty(), bytes,
                                                               bytes, bytes, bytes, dimensions});
    llvm::AllocaInst *memory = builder_.CreateAlloca(type);
    const std::uint64_t size = parameter.parts * parameter.of->getSizeInBits() / 8;
    llvm::Value *const members[] = {&numbers,
                                    builder_.getInt64(size),
                                    builder_.getInt32(descriptor_version),
                                    builder_.getInt8(static_cast<std::uint8_t>(parameter.rank)),
                                    builder_.getInt8(code_of(parameter)),
                                    builder_.getInt8(parameter.is_pointer ? pointer_attribute : 0),
                                    builder_.getInt8(0)};
    for (auto [place, member] : llvm::enumerate(members))
      builder_.CreateStore(member, builder_.CreateStructGEP(type, memory, static_cast<unsigned>(place)));
    const std::vector<IntegerFormula> &extents = given_[index].extents;
    llvm::Value *stride = builder_.getInt64(size);
    for (unsigned dimension = 0; dimension < parameter.rank; ++dimension) {
      const std::size_t place = dimension + (parameter.parts > 1 ? 1 : 0);
      llvm::Value *extent = place < extents.size() ? value_of(extents[place]) : builder_.getInt64(1);
      llvm::Value *const bounds[] = {builder_.getInt64(1), extent, stride};
      for (unsigned part = 0; part < 3; ++part)
        builder_.CreateStore(bounds[part],
                             builder_.CreateInBoundsGEP(type, memory,
                                                        {builder_.getInt64(0), builder_.getInt32(7),
                                                         builder_.getInt64(dimension), builder_.getInt64(part)}));
      stride = builder_.CreateMul(stride, extent);
    }
    return memory;
  }

  llvm::Value *integer_named(const std::string &name) {
    llvm::Function &flat = *builder_.GetInsertBlock()->getParent();
    for (unsigned index = 0; index < interface_.parameters.size(); ++index) {
      const FortranParameter &parameter = interface_.parameters[index];
      const bool is_named = name == parameter.name || name == fmt::format("${}", index + 1);
      if (is_named && flat.getArg(index)->getType()->isIntegerTy())
        return builder_.CreateSExt(flat.getArg(index), builder_.getInt64Ty());
    }
    return builder_.getInt64(0); // Refused where the specs are resolved.
  }

  llvm::Value *value_of(const IntegerFormula &formula) {
    using Step = FormulaStep::Kind;
    llvm::SmallVector<llvm::Value *, 8> stack;
    for (const FormulaStep &step : formula.steps()) {
      if (step.kind == Step::number || step.kind == Step::name) {
        stack.push_back(step.kind == Step::number ? builder_.getInt64(static_cast<std::uint64_t>(step.number))
                                                  : integer_named(step.name));
        continue;
      }
      llvm::Value *right = stack.pop_back_val();
      if (step.kind == Step::negate || step.kind == Step::magnitude) {
        stack.push_back(step.kind == Step::negate
                            ? builder_.CreateNeg(right)
                            : builder_.CreateBinaryIntrinsic(llvm::Intrinsic::abs, right, builder_.getFalse()));
        continue;
      }
      stack.push_back(combined(step.kind, stack.pop_back_val(), right));
    }
    return stack.back();
  }

  llvm::Value *combined(FormulaStep::Kind kind, llvm::Value *left, llvm::Value *right) {
    using Step = FormulaStep::Kind;
    switch (kind) {
    case Step::add:
      return builder_.CreateAdd(left, right);
    case Step::subtract:
      return builder_.CreateSub(left, right);
    case Step::multiply:
      return builder_.CreateMul(left, right);
    case Step::divide:
      return builder_.CreateSDiv(left, right);
    case Step::least:
      return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, left, right);
    case Step::greatest:
      return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, left, right);
    case Step::number:
    case Step::name:
    case Step::negate:
    case Step::magnitude:
      break;
    }
    llvm_unreachable("no binary step");
  }

  llvm::Function &function_;
  const FortranInterface &interface_;
  const std::vector<Given> &given_;
  std::string name_;
  llvm::IRBuilder<> builder_;
};

std::string name_of_numbers(const llvm::Function &function, const std::vector<Given> &given) {
  std::string name = members_prefix + function.getName().str();
  for (std::size_t index = 0; index < given.size(); ++index) {
    if (given[index].procedure)
      name += ".with." + given[index].procedure->getName().str();
    for (const IntegerFormula &extent : given[index].extents)
      name += fmt::format(".{}.{}", index + 1, extent.text());
  }
  return name;
}

} // namespace

llvm::Function *function_of_numbers(llvm::Function &function, const std::vector<std::string> &specs,
                                    FunctionSignature &signature, Pointees pointees) {
  const std::optional<FortranInterface> interface =
      is_of_fortran(function) ? fortran_interface(function) : std::nullopt;
  if (!interface)
    return nullptr;
  const std::size_t count = interface->parameters.size() + (interface->has_complex_result ? 1 : 0);
  const std::vector<Given> given = specs.size() == count ? GivenReader(function, *interface, specs).read()
                                                         : std::vector<Given>(interface->parameters.size());
  const std::string name = name_of_numbers(function, given);
  llvm::Function *flat = function.getParent()->getFunction(name);
  if (!flat)
    flat = &NumbersFunction(function, *interface, given, name).write();
  signature = read_signature(*flat, pointees, function.getName());
  for (std::size_t index = 0; index < interface->parameters.size(); ++index) {
    signature.parameters[index].is_callable = interface->parameters[index].kind == Kind::procedure;
    signature.parameters[index].is_reference = interface->parameters[index].is_one_number();
  }
  return flat;
}

} // namespace assay::jit
