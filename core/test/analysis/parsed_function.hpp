#pragma once
// IR text, the analyses over its function `f`, and its values by name.

#include "core/engine/analysis/activity.hpp"
#include "core/test/support/ir.hpp"
#include "llvm/IR/InstIterator.h"
#include <gtest/gtest.h>

namespace assay::test {

class ParsedModule {
public:
  explicit ParsedModule(const std::string &text)
      : module_(parsed("target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-"
                       "f80:128-n8:16:32:64-S128\"\n" +
                           text,
                       context_)) {}

  llvm::LLVMContext &context() { return context_; }
  llvm::Module &module() { return *module_; }
  llvm::Function &function(llvm::StringRef name = "f") { return *module_->getFunction(name); }
  /// An argument, instruction or global by its name in the text.
  llvm::Value &value(llvm::StringRef name, llvm::StringRef function_name = "f") {
    llvm::Function &owner = function(function_name);
    for (llvm::Argument &argument : owner.args())
      if (argument.getName() == name)
        return argument;
    for (llvm::Instruction &instruction : llvm::instructions(owner))
      if (instruction.getName() == name)
        return instruction;
    if (llvm::GlobalVariable *global = module_->getGlobalVariable(name, true))
      return *global;
    throw std::runtime_error("no value named " + name.str());
  }

private:
  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
};

/// "double", "float", "integer", "pointer", "unknown".
inline std::string text(engine::BasicType type) {
  switch (type.kind) {
  case engine::ByteKind::unknown:
    return "unknown";
  case engine::ByteKind::integer:
    return "integer";
  case engine::ByteKind::pointer:
    return "pointer";
  case engine::ByteKind::floating:
    break;
  }
  std::string name;
  llvm::raw_string_ostream(name) << *type.floating;
  return name;
}

inline std::string text(llvm::ArrayRef<engine::TypedField> fields) {
  std::string all;
  for (const engine::TypedField &field : fields)
    all += (all.empty() ? "" : " ") + std::to_string(field.offset) + ":" + text(field.type);
  return all;
}

/// The types of `f`.
struct Typed : ParsedModule {
  explicit Typed(const std::string &ir, bool loose_types = false) : ParsedModule(ir), types(function(), loose_types) {}

  std::string of(llvm::StringRef name) { return text(types.of(value(name))); }
  std::string uniform(llvm::StringRef name) { return text(types.uniform(value(name))); }
  std::string fields(llvm::StringRef name, std::uint64_t size) { return text(types.fields(value(name), size)); }

  engine::TypeAnalysis types;
};

/// The activity of `f`: one letter for each argument (c constant, a active, d duplicated), then one for the result.
struct Analysed : Typed {
  Analysed(const std::string &ir, const std::string &activities, engine::Mode mode = engine::Mode::reverse,
           engine::Caller caller = engine::Caller::program)
      : Typed(ir), function_info(read(module())),
        activity(request(function(), activities, mode, caller), function_info, types) {}

  bool carries(llvm::StringRef name) { return activity.carries_derivative(value(name)); }
  bool shadowed(llvm::StringRef name) { return activity.has_shadow(value(name)); }
  bool contradicts(llvm::StringRef name) { return activity.contradiction(value(name)).has_value(); }
  bool consistent() { return activity.first_contradiction() == nullptr; }
  llvm::CallBase &call(llvm::StringRef callee) {
    for (llvm::Instruction &instruction : llvm::instructions(function()))
      if (auto *found = llvm::dyn_cast<llvm::CallBase>(&instruction))
        if (found->getCalledFunction() != nullptr && found->getCalledFunction()->getName() == callee)
          return *found;
    throw std::runtime_error("no call of " + callee.str());
  }
  /// "inactive", or the letters of the arguments, "->", the letter of the result.
  std::string call_of(llvm::StringRef callee) {
    llvm::CallBase &found = call(callee);
    if (!activity.is_active_call(found))
      return "inactive";
    std::string letters;
    for (engine::Activity argument : activity.call_arguments(found))
      letters += letter(argument);
    return letters + "->" + letter(activity.call_result(found));
  }

  static char letter(engine::Activity activity) {
    switch (activity) {
    case engine::Activity::constant:
      return 'c';
    case engine::Activity::active:
      return 'a';
    default:
      return 'd';
    }
  }
  static engine::Activity activity_of(char letter) {
    return letter == 'a'   ? engine::Activity::active
           : letter == 'd' ? engine::Activity::duplicated
                           : engine::Activity::constant;
  }
  static engine::FunctionInfo read(llvm::Module &module) { return llvm::cantFail(engine::FunctionInfo::read(module)); }
  static engine::Request request(llvm::Function &function, const std::string &activities, engine::Mode mode,
                                 engine::Caller caller) {
    engine::Request made;
    made.caller = caller;
    made.function = &function;
    made.mode = mode;
    for (unsigned index = 0; index < function.arg_size(); ++index)
      made.argument_activity.push_back(activity_of(activities.at(index)));
    made.return_activity = activity_of(activities.at(function.arg_size()));
    return made;
  }

  engine::FunctionInfo function_info;
  engine::ActivityAnalysis activity;
};

} // namespace assay::test
