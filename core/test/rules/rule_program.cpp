#include "core/test/rules/rule_program.hpp"
#include "llvm/ADT/StringExtras.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/ExecutionEngine/Orc/ThreadSafeModule.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <cmath>
#include <cstring>
#include <set>
#include <stdexcept>

using namespace llvm;

namespace assay::test {
namespace {

template <class T>
T checked(Expected<T> value) {
  if (!value)
    throw std::runtime_error(toString(value.takeError()));
  return std::move(*value);
}

std::unique_ptr<Module> parse(const std::string &text, LLVMContext &context) {
  SMDiagnostic diagnostic;
  auto module = parseAssemblyString(text, diagnostic, context);
  if (!module)
    throw std::runtime_error(diagnostic.getMessage().str() + " in\n" + text);
  return module;
}

unsigned lane_count(Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

/// The bytes of a value of `type`, each lane stored as in an array.
void store_lanes(std::byte *out, Type *type, const Lanes &lanes, const DataLayout &layout) {
  Type *element = type->getScalarType();
  const std::uint64_t stride = layout.getTypeAllocSize(element);
  for (unsigned lane = 0; lane < lane_count(type); ++lane) {
    std::byte *place = out + lane * stride;
    const auto put = [&](auto value) { std::memcpy(place, &value, std::min<std::size_t>(sizeof value, stride)); };
    if (element->isFloatTy())
      put(static_cast<float>(lanes[lane]));
    else if (element->isDoubleTy())
      put(static_cast<double>(lanes[lane]));
    else if (element->isX86_FP80Ty())
      put(lanes[lane]);
    else
      put(std::isfinite(lanes[lane]) ? static_cast<std::int64_t>(lanes[lane]) : std::int64_t{0});
  }
}

Lanes load_lanes(const std::byte *in, Type *type, const DataLayout &layout) {
  Lanes lanes;
  Type *element = type->getScalarType();
  const std::uint64_t stride = layout.getTypeAllocSize(element);
  for (unsigned lane = 0; lane < lane_count(type); ++lane) {
    const auto get = [&](auto value) {
      std::memcpy(&value, in + lane * stride, sizeof value);
      lanes.push_back(value);
    };
    if (element->isFloatTy())
      get(0.0f);
    else if (element->isDoubleTy())
      get(0.0);
    else
      get(0.0L);
  }
  return lanes;
}

using Entry = void (*)(const std::byte **arguments, std::byte *result);

/// `void NAME.entry(ptr to the arguments' places, ptr to the result's place)` around `function`.
void add_entry(Function &function) {
  LLVMContext &context = function.getContext();
  Type *pointer = PointerType::getUnqual(context);
  Function *entry = Function::Create(FunctionType::get(Type::getVoidTy(context), {pointer, pointer}, false),
                                     GlobalValue::ExternalLinkage, function.getName() + ".entry", function.getParent());
  IRBuilder<> builder(BasicBlock::Create(context, "", entry));
  SmallVector<Value *, 4> arguments;
  for (Argument &parameter : function.args()) {
    Value *slot = builder.CreateConstGEP1_64(pointer, entry->getArg(0), parameter.getArgNo());
    Value *place = builder.CreateLoad(pointer, slot);
    arguments.push_back(builder.CreateAlignedLoad(parameter.getType(), place, Align(1)));
  }
  builder.CreateAlignedStore(builder.CreateCall(&function, arguments), entry->getArg(1), Align(1));
  builder.CreateRetVoid();
}

} // namespace

struct RuleProgram::Machine {
  std::unique_ptr<orc::LLJIT> jit;
  Entry entry = nullptr;
};

RuleProgram::RuleProgram(const std::string &parameters, const std::string &instruction, const std::string &declarations)
    : context_(std::make_unique<LLVMContext>()) {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  const std::string text =
      declarations + "\ndefine void @primal(" + parameters + ") {\n  %r = " + instruction + "\n  ret void\n}\n";
  module_ = parse(text, *context_);
  const auto target = checked(orc::JITTargetMachineBuilder::detectHost());
  module_->setTargetTriple(target.getTargetTriple());
  module_->setDataLayout(checked(orc::JITTargetMachineBuilder(target).getDefaultDataLayoutForTarget()));
  instruction_ = &module_->getFunction("primal")->getEntryBlock().front();
  function_info_ = checked(engine::FunctionInfo::read(*module_));
  rule_ = engine::ScalarRule::find(*instruction_, *function_info_);
}

RuleProgram::~RuleProgram() = default;

Function &RuleProgram::emit(unsigned index, bool strong_zero) {
  const std::string name = "product" + std::to_string(index) + (strong_zero ? ".strong" : "");
  if (Function *known = module_->getFunction(name))
    return *known;
  Function &primal = *module_->getFunction("primal");
  Type *result_type = instruction_->getType();
  Type *operand_type = rule_->operand(index)->getType();
  SmallVector<Type *, 4> parameters(primal.getFunctionType()->params());
  parameters.push_back(result_type);
  Function *function = Function::Create(FunctionType::get(operand_type, parameters, false),
                                        GlobalValue::ExternalLinkage, name, *module_);
  IRBuilder<> builder(BasicBlock::Create(*context_, "", function));

  Instruction *clone = instruction_->clone();
  builder.Insert(clone);
  ValueToValueMapTy map;
  for (auto [old_argument, new_argument] : zip_first(primal.args(), function->args()))
    map[&old_argument] = &new_argument;
  RemapInstruction(clone, map, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);

  const engine::PartialNeeds needs = rule_->needs(index);
  SmallVector<Value *, 4> operands;
  for (unsigned i = 0; i < rule_->operand_count(); ++i) {
    Value *operand = rule_->operand(i);
    Value *mapped = map.count(operand) ? static_cast<Value *>(map[operand]) : operand;
    operands.push_back(needs.operands[i] ? mapped : nullptr);
  }
  Value *seed = function->getArg(function->arg_size() - 1);
  const auto zeros = strong_zero ? engine::ZeroTimesInfinity::zero : engine::ZeroTimesInfinity::undefined;
  builder.CreateRet(rule_->emit_product(builder, index, operands, needs.result ? clone : nullptr, seed, zeros));
  std::string complaint;
  raw_string_ostream out(complaint);
  if (verifyModule(*module_, &out))
    throw std::runtime_error(complaint + text());
  return *function;
}

/// Machine code is made from a copy of the module, so that more can be emitted afterwards.
RuleProgram::Machine &RuleProgram::machine(Function &function) {
  auto [known, is_new] = machines_.try_emplace(function.getName().str());
  if (!is_new)
    return known->second;
  auto context = std::make_unique<LLVMContext>();
  auto copy = parse(text(), *context);
  add_entry(*copy->getFunction(function.getName()));
  known->second.jit = checked(orc::LLJITBuilder().create());
  orc::LLJIT &jit = *known->second.jit;
  jit.getMainJITDylib().addGenerator(
      checked(orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(jit.getDataLayout().getGlobalPrefix())));
  if (Error error = jit.addIRModule(orc::ThreadSafeModule(std::move(copy), std::move(context))))
    throw std::runtime_error(toString(std::move(error)));
  known->second.entry = checked(jit.lookup((function.getName() + ".entry").str())).toPtr<Entry>();
  return known->second;
}

Lanes RuleProgram::product(unsigned index, const std::vector<Lanes> &point, const Lanes &seed, bool strong_zero) {
  Function &function = emit(index, strong_zero);
  const DataLayout &layout = module_->getDataLayout();
  const auto place_of = [&](Type *type) {
    return std::vector<std::byte>(layout.getTypeAllocSize(type->getScalarType()) * (lane_count(type) + 1));
  };
  static int scratch;
  std::vector<std::vector<std::byte>> places;
  std::vector<const std::byte *> pointers;
  pointers.reserve(function.arg_size());
  for (Argument &parameter : function.args()) {
    Type *type = parameter.getType();
    std::vector<std::byte> place = place_of(type);
    if (const auto address = reinterpret_cast<std::uintptr_t>(&scratch); type->isPointerTy())
      std::memcpy(place.data(), &address, sizeof address);
    else
      store_lanes(place.data(), type, parameter.getArgNo() < point.size() ? point[parameter.getArgNo()] : seed, layout);
    places.push_back(std::move(place));
  }
  for (const auto &place : places)
    pointers.push_back(place.data());
  std::vector<std::byte> out = place_of(function.getReturnType());
  machine(function).entry(pointers.data(), out.data());
  return load_lanes(out.data(), function.getReturnType(), layout);
}

long double RuleProgram::product(unsigned index, std::initializer_list<long double> point, long double seed,
                                 bool strong_zero) {
  std::vector<Lanes> lanes;
  for (long double coordinate : point)
    lanes.push_back({coordinate});
  return product(index, lanes, Lanes{seed}, strong_zero).front();
}

std::string RuleProgram::text() const {
  std::string text;
  raw_string_ostream(text) << *module_;
  return text;
}

static std::string in_libm(const std::string &name, const std::string &type) {
  return name + (type == "float" ? "f" : type == "x86_fp80" ? "l" : "");
}

/// "TYPE %x0, TYPE %x1, i32 %n", in the order of the call.
static Spelled spell(const std::string &callee, const std::string &type, unsigned floats, const std::string &integer,
                     bool integer_comes_first) {
  std::vector<std::string> names, types(floats, type);
  for (unsigned i = 0; i < floats; ++i)
    names.push_back(type + " %x" + std::to_string(i));
  if (!integer.empty()) {
    names.insert(integer_comes_first ? names.begin() : names.end(), integer + " %n");
    types.insert(integer_comes_first ? types.begin() : types.end(), integer);
  }
  const std::string parameters = join(names, ", ");
  return {parameters, "call " + type + " @" + callee + "(" + parameters + ")",
          "declare " + type + " @" + callee + "(" + join(types, ", ") + ")"};
}

Spelled spell_libm(const ReferenceFunction &function, const std::string &type) {
  const std::string integer = function.integers.empty() ? "" : function.name == "scalbln" ? "i64" : "i32";
  return spell(in_libm(function.name, type), type, function.domain.size(), integer, function.integer_comes_first);
}

Spelled spell_intrinsic(const ReferenceFunction &function, const std::string &type) {
  static const std::map<std::string, std::string> renamed = {{"fmin", "minnum"}, {"fmax", "maxnum"}};
  const auto found = renamed.find(function.name);
  const std::string name = found == renamed.end() ? function.name : found->second;
  const std::string suffix = type == "float" ? ".f32" : type == "double" ? ".f64" : ".f80";
  return spell("llvm." + name + suffix + (function.integers.empty() ? "" : ".i32"), type, function.domain.size(),
               function.integers.empty() ? "" : "i32", false);
}

bool has_intrinsic(const ReferenceFunction &function) {
  static const std::set<std::string> names = {
      "sin",  "cos",   "tan",  "asin",  "acos",  "atan",      "atan2", "sinh",      "cosh",     "tanh", "exp",
      "exp2", "exp10", "log",  "log2",  "log10", "pow",       "powi",  "sqrt",      "fma",      "fabs", "fmin",
      "fmax", "floor", "ceil", "trunc", "round", "roundeven", "rint",  "nearbyint", "copysign", "ldexp"};
  return names.count(function.name) != 0;
}

} // namespace assay::test
