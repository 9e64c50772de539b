#include "core/trace/comparisons.hpp"

#include "core/engine/support/extremum.hpp"
#include "core/engine/support/function_info.hpp"
#include "core/passes/library_names.hpp"
#include "core/trace/describe.hpp"
#include "core/trace/runtime_functions.hpp"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace assay::trace {

namespace {

using engine::FunctionInfo;
using engine::UserRule;

constexpr unsigned most_cases = 32;
constexpr unsigned widest_integer = 64;

/// The function that is called with each comparison.
FunctionCallee recorder(Module &module) {
  LLVMContext &context = module.getContext();
  Type *number = Type::getInt32Ty(context), *real = Type::getDoubleTy(context);
  return inactive_runtime_function(module, "comparison", {number, real, real, number});
}

bool is_real(const Type *type) {
  return type->isDoubleTy() || type->isFloatTy() || type->isX86_FP80Ty();
}

bool is_never_met(const Value *operand) {
  const auto *constant = dyn_cast<ConstantFP>(operand);
  return constant && !constant->getValueAPF().isFinite();
}

bool is_recorded(const FCmpInst &comparison) {
  const FCmpInst::Predicate predicate = comparison.getPredicate();
  return is_real(comparison.getOperand(0)->getType()) && predicate != FCmpInst::FCMP_ORD &&
         predicate != FCmpInst::FCMP_UNO && predicate != FCmpInst::FCMP_TRUE && predicate != FCmpInst::FCMP_FALSE &&
         !is_never_met(comparison.getOperand(0)) && !is_never_met(comparison.getOperand(1));
}

/// Truth values are no numbers: they were recorded where they came to be. The bits of a real are none either.
bool is_recorded(const ICmpInst &comparison) {
  const auto *type = dyn_cast<IntegerType>(comparison.getOperand(0)->getType());
  if (!type || type->getBitWidth() == 1 || type->getBitWidth() > widest_integer)
    return false;
  const auto *type_number = dyn_cast<IntrinsicInst>(comparison.getOperand(1));
  if (type_number && type_number->getIntrinsicID() == Intrinsic::eh_typeid_for)
    return false;
  const auto *bits = dyn_cast<BitCastInst>(comparison.getOperand(0));
  if (bits && is_real(bits->getSrcTy()))
    return false;
  const auto *widened = dyn_cast<ZExtInst>(comparison.getOperand(0));
  return !(widened && widened->getSrcTy()->isIntegerTy(1));
}

enum class LibraryFunction : std::uint8_t { none, absolute, copied_sign, extremum };

LibraryFunction library_function(const CallBase &call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::fabs:
    return LibraryFunction::absolute;
  case Intrinsic::copysign:
    return LibraryFunction::copied_sign;
  default:
    break;
  }
  const Function *callee = call.getCalledFunction();
  if (!callee || !callee->isDeclaration())
    return LibraryFunction::none;
  if (engine::is_extremum(call))
    return LibraryFunction::extremum;
  return StringSwitch<LibraryFunction>(callee->getName())
      .Cases({"fabs", "fabsf", "fabsl"}, LibraryFunction::absolute)
      .Cases({"copysign", "copysignf", "copysignl"}, LibraryFunction::copied_sign)
      .Cases({"fdim", "fdimf", "fdiml"}, LibraryFunction::extremum)
      .Default(LibraryFunction::none);
}

/// True for the comparisons that clang adds to a parallel loop: its precondition and the clamping of a thread's bounds.
bool is_of_parallel_loop(const ICmpInst &comparison) {
  return any_of(comparison.operands(), [](const Value *operand) {
    const auto *load = dyn_cast<LoadInst>(operand);
    const StringRef name = load ? load->getPointerOperand()->getName() : StringRef();
    return name.starts_with(".omp.") || name.starts_with(".capture_expr.");
  });
}

/// Code of the templates that call rules: of namespace assay, whatever it is instantiated for.
bool is_of_assay(StringRef name) {
  return name.consume_front("_Z") && name.ltrim("ZNK").starts_with("5assay");
}

/// The file itself, and what stands beside or beneath it.
bool is_own(const Instruction &instruction) {
  const DILocation *location = instruction.getDebugLoc().get();
  const DISubprogram *program = instruction.getFunction()->getSubprogram();
  const StringRef name = instruction.getFunction()->getName();
  if (is_of_standard_library(name) || is_of_assay(name))
    return false;
  if (!location || !program || !program->getUnit())
    return true;
  const auto folder = [](const DIFile *file) {
    SmallString<128> path(file->getFilename());
    if (sys::path::is_relative(path)) {
      path = file->getDirectory();
      sys::path::append(path, file->getFilename());
    }
    sys::path::remove_dots(path, true);
    return sys::path::parent_path(path).str();
  };
  const std::string unit = folder(program->getUnit()->getFile()), here = folder(location->getFile());
  return here == unit || StringRef(here).starts_with(unit + "/");
}

class FunctionRecorder {
public:
  FunctionRecorder(Function &function, FunctionCallee recorder, bool is_in_rule, std::vector<ComparisonSite> &sites)
      : function_(function), recorder_(recorder), is_in_rule_(is_in_rule), sites_(sites) {}

  void run() {
    SmallVector<Instruction *, 64> all;
    for (Instruction &instruction : instructions(function_))
      all.push_back(&instruction);
    for (Instruction *instruction : all)
      record(*instruction);
    add_runtime_effects(function_);
  }

  void run_divisors() {
    SmallVector<BinaryOperator *, 16> divisions;
    for (Instruction &instruction : instructions(function_))
      if (instruction.getOpcode() == Instruction::FDiv && is_real(instruction.getType()) &&
          !isa<Constant>(instruction.getOperand(1)))
        divisions.push_back(cast<BinaryOperator>(&instruction));
    for (BinaryOperator *division : divisions) {
      IRBuilder<> builder(division);
      Value *divisor = as_double(builder, division->getOperand(1)), *zero = ConstantFP::get(builder.getDoubleTy(), 0);
      write(builder, ComparisonSite::Kind::divisor, *division, divisor, zero, builder.CreateFCmpOGT(divisor, zero));
    }
  }

private:
  void record(Instruction &instruction) {
    if (auto *numbers = dyn_cast<FCmpInst>(&instruction); numbers && is_recorded(*numbers))
      return record_numbers(*numbers);
    if (auto *integers = dyn_cast<ICmpInst>(&instruction);
        integers && is_recorded(*integers) && !is_of_parallel_loop(*integers))
      return record_integers(*integers);
    if (auto *choice = dyn_cast<SwitchInst>(&instruction))
      return record_cases(*choice);
    if (auto *call = dyn_cast<CallBase>(&instruction)) {
      if (!isa<IntrinsicInst>(call) && !call->isInlineAsm())
        add_runtime_effects(*call);
      record_library(*call);
    }
  }

  void record_numbers(FCmpInst &comparison) {
    IRBuilder<> builder(comparison.getNextNode());
    write(builder, ComparisonSite::Kind::numbers, comparison, as_double(builder, comparison.getOperand(0)),
          as_double(builder, comparison.getOperand(1)), &comparison);
  }

  void record_integers(ICmpInst &comparison) {
    IRBuilder<> builder(comparison.getNextNode());
    const bool is_signed = !comparison.isUnsigned();
    write(builder, ComparisonSite::Kind::integers, comparison, as_double(builder, comparison.getOperand(0), is_signed),
          as_double(builder, comparison.getOperand(1), is_signed), &comparison);
  }

  void record_cases(SwitchInst &choice) {
    Value *value = choice.getCondition();
    if (isa<Constant>(value) || choice.getNumCases() > most_cases ||
        value->getType()->getIntegerBitWidth() > widest_integer)
      return;
    IRBuilder<> builder(&choice);
    Value *as_real = as_double(builder, value, true);
    for (const auto &one : choice.cases())
      write(builder, ComparisonSite::Kind::choice, choice, as_real, as_double(builder, one.getCaseValue(), true),
            builder.CreateICmpEQ(value, one.getCaseValue()));
  }

  void record_library(CallBase &call) {
    const LibraryFunction which = library_function(call);
    if (which == LibraryFunction::none || !is_real(call.getType()))
      return;
    IRBuilder<> builder(&call);
    Value *left = as_double(builder, call.getArgOperand(which == LibraryFunction::copied_sign ? 1 : 0));
    Value *right = which == LibraryFunction::extremum ? as_double(builder, call.getArgOperand(1))
                                                      : ConstantFP::get(builder.getDoubleTy(), 0);
    write(builder, ComparisonSite::Kind::library, call, left, right, builder.CreateFCmpOGT(left, right));
  }

  static Value *as_double(IRBuilder<> &builder, Value *value) {
    return builder.CreateFPCast(value, builder.getDoubleTy());
  }

  static Value *as_double(IRBuilder<> &builder, Value *value, bool is_signed) {
    return is_signed ? builder.CreateSIToFP(value, builder.getDoubleTy())
                     : builder.CreateUIToFP(value, builder.getDoubleTy());
  }

  void write(IRBuilder<> &builder, ComparisonSite::Kind kind, const Instruction &instruction, Value *left, Value *right,
             Value *outcome) {
    Value *site = builder.getInt32(static_cast<std::uint32_t>(sites_.size()));
    const bool is_divisor = kind == ComparisonSite::Kind::divisor; // Nobody expects it to have both signs.
    sites_.push_back({kind, place_of(instruction), !is_divisor && is_own(instruction), is_in_rule_});
    builder.CreateCall(recorder_, {site, left, right, builder.CreateZExt(outcome, builder.getInt32Ty())});
  }

  Function &function_;
  FunctionCallee recorder_;
  bool is_in_rule_;
  std::vector<ComparisonSite> &sites_;
};

/// Adds `start` and all functions that it mentions, directly or not, without entering registration tables.
void reach(Function &start, DenseSet<const Function *> &reached) {
  SmallVector<const Value *, 32> pending{&start};
  DenseSet<const Value *> seen;
  while (!pending.empty()) {
    const Value *next = pending.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    if (const auto *function = dyn_cast<Function>(next)) {
      reached.insert(function);
      for (const Instruction &instruction : instructions(*function))
        for (const Value *operand : instruction.operands())
          if (isa<Constant>(operand))
            pending.push_back(operand);
    } else if (const auto *constant = dyn_cast<Constant>(next)) {
      for (const Value *operand : constant->operands())
        pending.push_back(operand);
    }
  }
}

/// Reached from rules and from no entry but through them.
DenseSet<const Function *> code_of_rules_alone(Module &module) {
  DenseSet<const Function *> of_rules, of_entries;
  Expected<FunctionInfo> function_info = FunctionInfo::read(module);
  if (!function_info) { // The engine will say so.
    consumeError(function_info.takeError());
    return of_rules;
  }
  for (Function &function : module) {
    if (function.getName().starts_with("assay_entry_"))
      reach(function, of_entries);
    if (const UserRule *rule = function_info->rule(function))
      for (Function *part : {rule->forward, rule->augmented, rule->reverse, rule->split_augmented, rule->split_forward})
        if (part)
          reach(*part, of_rules);
  }
  for (const Function *function : of_entries)
    of_rules.erase(function);
  return of_rules;
}

} // namespace

std::vector<ComparisonSite> record_comparisons(Module &module) {
  std::vector<ComparisonSite> sites;
  const DenseSet<const Function *> of_rules = code_of_rules_alone(module);
  SmallVector<Function *, 32> recorded;
  for (Function &function : module)
    if (!function.isDeclaration() && !function.getName().starts_with("assay_entry_"))
      recorded.push_back(&function);
  const FunctionCallee called = recorder(module);
  for (Function *function : recorded)
    FunctionRecorder(*function, called, of_rules.contains(function), sites).run();
  for (Function *function : recorded) // Behind all comparisons, which are searched first.
    if (of_rules.contains(function))
      FunctionRecorder(*function, called, true, sites).run_divisors();
  return sites;
}

} // namespace assay::trace
