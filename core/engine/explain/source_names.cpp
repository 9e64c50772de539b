#include "core/engine/explain/source_names.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace assay::engine {

namespace {

/// Behind the name of a C++ function stand its parameters.
StringRef without_parameters(StringRef name) {
  if (!name.ends_with(")") && !name.ends_with(") const"))
    return name;
  unsigned depth = 0;
  for (std::size_t at = name.rfind(')') + 1; at-- > 0;) {
    depth += name[at] == ')';
    depth -= name[at] == '(';
    if (depth == 0)
      return name.take_front(at);
  }
  return name;
}

/// Before that of a template's instance, its result.
StringRef without_result(StringRef name) {
  int depth = 0;
  for (std::size_t at = name.size(); at-- > 0;) {
    depth += name[at] == '>' || name[at] == ')';
    depth -= name[at] == '<' || name[at] == '(';
    if (depth == 0 && name[at] == ' ')
      return name.take_front(at).ends_with("operator") ? name : name.drop_front(at + 1);
  }
  return name;
}

} // namespace

std::string short_name(const Function &function) {
  const std::string name = source_name(function);
  return without_result(without_parameters(name)).str();
}

std::string intrinsic_text(const Function &intrinsic) {
  const StringRef name = intrinsic.getName().drop_front(StringRef("llvm.").size());
  return name.split('.').first.str();
}

SourcePlace source_place(const DebugLoc &place) {
  if (!place || place.getLine() == 0)
    return {};
  SourcePlace result{cast<DIScope>(place.getScope())->getFilename().str(), place.getLine(), place.getCol()};
  const DILocation *outermost = place.get();
  while (const DILocation *call = outermost->getInlinedAt())
    outermost = call;
  if (outermost != place.get())
    result.own_line = outermost->getLine();
  result.elsewhere = outermost->getFilename() != result.file;
  return result;
}

SourcePlace source_place(const Instruction &instruction) {
  if (SourcePlace own = source_place(instruction.getDebugLoc()); own.line > 0)
    return own;
  if (!isa<PHINode>(instruction))
    return {};
  for (const Instruction &other : *instruction.getParent())
    if (SourcePlace near = source_place(other.getDebugLoc()); near.line > 0)
      return near;
  return {};
}

SourcePlace source_place(const Function &function) {
  const DISubprogram *subprogram = function.getSubprogram();
  return subprogram ? SourcePlace{subprogram->getFilename().str(), subprogram->getLine(), 0} : SourcePlace();
}

std::string place_text(const SourcePlace &place) {
  if (place.line == 0)
    return "";
  if (!place.elsewhere)
    return "line " + std::to_string(place.line);
  return "line " + std::to_string(place.own_line) + ", inlined from " + sys::path::filename(place.file).str() + ":" +
         std::to_string(place.line);
}

std::string call_place_text(const SourcePlace &place) {
  const bool is_called_here = place.own_line > 0 && !place.elsewhere;
  return place_text(place) + (is_called_here ? ", inlined at line " + std::to_string(place.own_line) : "");
}

std::string SourceNames::line_text(const SourcePlace &place) {
  return place.line > 0 ? " (" + place_text(place) + ")" : "";
}

namespace {

/// Of the sign between two operands; empty for other operations.
StringRef sign_of(const Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::Add:
    return " + ";
  case Instruction::FSub:
  case Instruction::Sub:
    return " - ";
  case Instruction::FMul:
  case Instruction::Mul:
    return " * ";
  case Instruction::FDiv:
  case Instruction::SDiv:
  case Instruction::UDiv:
    return " / ";
  case Instruction::FRem:
  case Instruction::SRem:
  case Instruction::URem:
    return " % ";
  case Instruction::And:
    return " & ";
  case Instruction::Or:
    return " | ";
  case Instruction::Xor:
    return " ^ ";
  case Instruction::Shl:
    return " << ";
  case Instruction::LShr:
  case Instruction::AShr:
    return " >> ";
  case Instruction::FCmp:
  case Instruction::ICmp:
    return " ? ";
  default:
    return "";
  }
}

StringRef sign_of(CmpInst::Predicate predicate) {
  switch (predicate) {
  case CmpInst::FCMP_OEQ:
  case CmpInst::FCMP_UEQ:
  case CmpInst::ICMP_EQ:
    return " == ";
  case CmpInst::FCMP_ONE:
  case CmpInst::FCMP_UNE:
  case CmpInst::ICMP_NE:
    return " != ";
  case CmpInst::FCMP_OLT:
  case CmpInst::FCMP_ULT:
  case CmpInst::ICMP_SLT:
  case CmpInst::ICMP_ULT:
    return " < ";
  case CmpInst::FCMP_OLE:
  case CmpInst::FCMP_ULE:
  case CmpInst::ICMP_SLE:
  case CmpInst::ICMP_ULE:
    return " <= ";
  case CmpInst::FCMP_OGT:
  case CmpInst::FCMP_UGT:
  case CmpInst::ICMP_SGT:
  case CmpInst::ICMP_UGT:
    return " > ";
  case CmpInst::FCMP_OGE:
  case CmpInst::FCMP_UGE:
  case CmpInst::ICMP_SGE:
  case CmpInst::ICMP_UGE:
    return " >= ";
  default:
    return " <> ";
  }
}

std::string constant_text(const Constant &constant) {
  if (const auto *integer = dyn_cast<ConstantInt>(&constant))
    return toString(integer->getValue(), 10, true);
  if (const auto *number = dyn_cast<ConstantFP>(&constant)) {
    SmallString<16> text;
    number->getValueAPF().toString(text, 6);
    return text.str().str();
  }
  if (isa<ConstantPointerNull>(constant))
    return "null";
  const Value *without_casts = constant.stripPointerCasts();
  if (const auto *global = dyn_cast<GlobalVariable>(without_casts)) {
    SmallVector<DIGlobalVariableExpression *, 1> declared;
    global->getDebugInfo(declared);
    if (!declared.empty())
      return declared.front()->getVariable()->getName().str();
  }
  return without_casts->hasName() ? without_casts->getName().str() : "a constant";
}

/// Null where there are none, or several.
const Value *only_incoming_load(const PHINode &phi) {
  const Value *found = nullptr;
  for (const Value *incoming : phi.incoming_values()) {
    if (!isa<LoadInst>(incoming) || incoming == found)
      continue;
    if (found)
      return nullptr;
    found = incoming;
  }
  return found;
}

bool is_multiply_add(const Instruction &instruction) {
  const auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
  return intrinsic &&
         (intrinsic->getIntrinsicID() == Intrinsic::fmuladd || intrinsic->getIntrinsicID() == Intrinsic::fma);
}

/// What CUDA calls a special register of the device: `threadIdx.x`; empty for other calls.
std::string special_register(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  StringRef name = callee ? callee->getName() : StringRef();
  if (!name.consume_front("llvm.nvvm.read.ptx.sreg."))
    return "";
  const auto [reg, axis] = name.split('.');
  const StringRef variable = StringSwitch<StringRef>(reg)
                                 .Case("tid", "threadIdx.")
                                 .Case("ntid", "blockDim.")
                                 .Case("ctaid", "blockIdx.")
                                 .Case("nctaid", "gridDim.")
                                 .Case("warpsize", "warpSize")
                                 .Default("");
  return variable.empty() ? "" : (variable + axis).str();
}

/// The function's name as a program writes it; of an intrinsic, that of the operation.
std::string called_text(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  if (!callee)
    return "a function pointer";
  if (!callee->isIntrinsic())
    return short_name(*callee);
  return intrinsic_text(*callee);
}

} // namespace

/// An argument's name is that of what the caller passed: with another value beside it, it may stand for anything.
std::string SourceNames::variable_behind_phis(const PHINode &phi, unsigned depth) const {
  for (const Value *incoming : phi.incoming_values()) {
    if (isa<Constant, Argument>(incoming))
      continue;
    if (std::string name = variable(*incoming); !name.empty())
      return name;
    if (const auto *other = dyn_cast<PHINode>(incoming); other && depth > 0)
      if (std::string name = variable_behind_phis(*other, depth - 1); !name.empty())
        return name;
  }
  return {};
}

/// Where it is the same on all ways, as what is loaded once before a loop and again in it.
std::string SourceNames::common_text(const PHINode &phi, unsigned depth) const {
  std::string common;
  const auto *only_load = dyn_cast_or_null<LoadInst>(only_incoming_load(phi)); // then a register holds the memory
  if (only_load && depth > 0)
    return expression(*only_load, depth - 1);
  for (const Value *incoming : phi.incoming_values()) {
    if (isa<PHINode>(incoming) || isa<Constant>(incoming))
      continue;
    std::string text = depth > 0 ? expression(*incoming, depth - 1) : std::string();
    if (text.empty() || (!common.empty() && text != common))
      return {};
    common = std::move(text);
  }
  return common;
}

const DIType *SourceNames::type_of(const Value &value, unsigned depth) const {
  if (const DIType *declared = variables_.type(value))
    return declared;
  const auto *load = dyn_cast<LoadInst>(&value);
  return load && depth > 0 ? pointee_of(*load->getPointerOperand(), depth - 1) : nullptr;
}

const DIType *SourceNames::pointee_of(const Value &pointer, unsigned depth) const {
  const Value *base = nullptr;
  if (const std::optional<SourceMember> member = member_behind(pointer, base, depth))
    return member->type;
  const auto *type = dyn_cast_or_null<DIDerivedType>(without_qualifiers(type_of(pointer, depth)));
  return type ? type->getBaseType() : nullptr;
}

std::optional<SourceMember> SourceNames::member_behind(const Value &pointer, const Value *&base, unsigned depth) const {
  APInt offset(64, 0);
  base = &pointer;
  if (const auto *gep = dyn_cast<GEPOperator>(&pointer)) {
    const auto *instruction = dyn_cast<Instruction>(&pointer);
    if (!instruction || !gep->accumulateConstantOffset(instruction->getDataLayout(), offset))
      return std::nullopt;
    base = gep->getPointerOperand();
  }
  const auto *behind = dyn_cast_or_null<DIDerivedType>(without_qualifiers(type_of(*base, depth)));
  return behind ? member_at(behind->getBaseType(), offset.getZExtValue() * 8) : std::nullopt;
}

std::string SourceNames::element(const Value &pointer, Type &type, unsigned depth) const {
  const Value *base = nullptr;
  if (const std::optional<SourceMember> member = member_behind(pointer, base, deepest))
    return expression(*base, depth) + "->" + member->path;
  const auto *gep = dyn_cast<GEPOperator>(&pointer);
  if (!gep || gep->getNumIndices() != 1)
    return "*" + expression(pointer, depth);
  const auto *index = dyn_cast<ConstantInt>(gep->getOperand(1));
  std::string place;
  if (!index) {
    place = expression(*gep->getOperand(1), depth);
  } else {
    const Module *module = isa<Instruction>(pointer) ? cast<Instruction>(pointer).getModule() : nullptr;
    const std::uint64_t unit = gep->getSourceElementType()->isIntegerTy(8) ? 1 : 0;
    const std::uint64_t size = module && type.isSized() ? module->getDataLayout().getTypeStoreSize(&type) : 0;
    const std::int64_t number = index->getSExtValue();
    if (unit == 0)
      place = std::to_string(number);
    else if (size > 0 && number % static_cast<std::int64_t>(size) == 0)
      place = std::to_string(number / static_cast<std::int64_t>(size));
    else
      return "*(" + expression(*gep->getPointerOperand(), depth) + " + " + std::to_string(number) + " bytes)";
  }
  const std::string array = expression(*gep->getPointerOperand(), depth);
  if (StringRef(array).starts_with("&") && StringRef(array).ends_with("]"))
    return array.substr(1, array.size() - 2) + " + " + place + "]";
  return array + "[" + place + "]";
}

std::string SourceNames::operation(const Instruction &instruction, unsigned depth) const {
  const auto operand = [&](unsigned index) { return expression(*instruction.getOperand(index), depth - 1); };
  const auto bracketed = [&](unsigned index) {
    const auto *part = dyn_cast<Instruction>(instruction.getOperand(index));
    const bool is_sum = part && variable(*part).empty() && (!sign_of(*part).empty() || is_multiply_add(*part));
    return is_sum && depth > 1 ? "(" + operand(index) + ")" : operand(index);
  };
  if (const auto *load = dyn_cast<LoadInst>(&instruction))
    return element(*load->getPointerOperand(), *load->getType(), depth - 1);
  if (const auto *compared = dyn_cast<CmpInst>(&instruction))
    return operand(0) + sign_of(compared->getPredicate()).str() + operand(1);
  if (const StringRef sign = sign_of(instruction); !sign.empty()) {
    const auto *added = dyn_cast<ConstantInt>(instruction.getOperand(1));
    if (instruction.getOpcode() == Instruction::Add && added && added->isNegative())
      return bracketed(0) + " - " + toString(-added->getValue(), 10, true);
    return bracketed(0) + sign.str() + bracketed(1);
  }
  if (isa<CastInst, FreezeInst>(instruction))
    return expression(*instruction.getOperand(0), depth);
  if (instruction.getOpcode() == Instruction::FNeg)
    return "-" + operand(0);
  if (isa<GetElementPtrInst>(instruction))
    return "&" + element(instruction, *instruction.getType(), depth);
  if (is_multiply_add(instruction))
    return bracketed(0) + " * " + bracketed(1) + " + " + operand(2);
  if (const auto *call = dyn_cast<CallBase>(&instruction)) {
    if (std::string name = special_register(*call); !name.empty())
      return name;
    std::string arguments;
    for (const Use &argument : call->args())
      arguments += (arguments.empty() ? "" : ", ") + expression(*argument, depth - 1);
    return called_text(*call) + "(" + arguments + ")";
  }
  if (isa<SelectInst>(instruction))
    return operand(0) + " ? " + operand(1) + " : " + operand(2);
  return "";
}

/// What a counter becomes in the next iteration: the debug information calls it by the same name.
bool SourceNames::is_next_of(const Value &value, StringRef name) const {
  const auto *sum = dyn_cast<BinaryOperator>(&value);
  return sum && sum->getOpcode() == Instruction::Add && isa<ConstantInt>(sum->getOperand(1)) &&
         variable(*sum->getOperand(0)) == name;
}

std::string SourceNames::definition(const Value &value) const {
  const auto *instruction = dyn_cast<Instruction>(&value);
  std::string text = instruction ? operation(*instruction, deepest) : std::string();
  return text.empty() ? this->text(value) : text;
}

std::string SourceNames::expression(const Value &value, unsigned depth) const {
  if (std::string name = variable(value); !name.empty())
    return depth > 0 && is_next_of(value, name) ? operation(*cast<Instruction>(&value), depth) : name;
  if (const auto *constant = dyn_cast<Constant>(&value))
    return constant_text(*constant);
  if (const auto *argument = dyn_cast<Argument>(&value))
    return "argument " + std::to_string(argument->getArgNo() + 1);
  const auto *instruction = dyn_cast<Instruction>(&value);
  if (!instruction)
    return "a value";
  if (const auto *phi = dyn_cast<PHINode>(instruction); phi && phi->getNumIncomingValues() == 1 && depth > 0)
    return expression(*phi->getIncomingValue(0), depth - 1);
  if (depth > 0)
    if (std::string text = operation(*instruction, depth); !text.empty())
      return text;
  const SourcePlace place = source_place(*instruction);
  if (const auto *phi = dyn_cast<PHINode>(instruction)) {
    if (std::string name = variable_behind_phis(*phi, deepest); !name.empty())
      return name;
    if (std::string text = common_text(*phi, depth); !text.empty())
      return text;
    return place.line > 0 ? "a value joined at " + place_text(place) : "a joined value";
  }
  return depth == 0 ? "..." : "a value" + line_text(place);
}

} // namespace assay::engine
