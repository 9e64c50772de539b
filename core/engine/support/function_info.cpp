// Reads registration tables, annotations and attributes. One method of the reader for each kind of table.

#include "core/engine/support/function_info.hpp"
#include "core/engine/support/aligned_allocators.hpp"
#include "core/engine/support/annotations.hpp"
#include "core/engine/support/constant_resolution.hpp"
#include "core/engine/support/convention_names.hpp"
#include "core/engine/support/device_target.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "core/engine/support/registration_table.hpp"
#include "core/engine/support/split_rule.hpp"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace assay::engine {

class FunctionInfoReader {
public:
  Error read(Module &module) {
    Error errors = Error::success();
    for (GlobalVariable &global : module.globals())
      if (std::optional<Table> kind = registration_table(global); kind && global.hasInitializer())
        errors =
            joinErrors(std::move(errors), *kind == Table::rule ? read_rule_template(global)
                                                               : read_table(*kind, RegistrationTable::read(global)));
    for (const Annotation &annotation : annotations(module))
      read_property(*annotation.subject, annotation.text);
    for (Function &function : module)
      read_attributes(function);
    read_aligned_allocators(module);
    errors = joinErrors(std::move(errors), join_split_rules());
    for (GlobalVariable &global : module.globals())
      for (StringRef name : {"enzyme_inactive", "enzyme_inactive_noblock"})
        if (global.hasMetadata(name) || global.hasAttribute(name))
          function_info_.inactive_.insert(&global);
    for (Function &function : module) // They carry no derivative, so they move no memory that has a shadow.
      if (function_info_.inactive_.contains(&function) || function_info_.inactive_inlined_.contains(&function))
        function.addFnAttr(keeps_pointers_apart_attribute);
    return errors;
  }
  FunctionInfo take() { return std::move(function_info_); }

private:
  Error read_table(Table kind, const RegistrationTable &table) {
    switch (kind) {
    case Table::gradient:
      return read_gradient(table);
    case Table::derivative:
      return read_derivative(table);
    case Table::splitderivative:
      return read_split_derivative(table);
    case Table::inactive_function:
      return read_functions(table, function_info_.inactive_);
    case Table::nofree:
      return read_functions(table, function_info_.nofree_);
    case Table::function_like:
      return read_function_like(table);
    case Table::allocation_like:
      return read_allocation_like(table);
    case Table::inactive_global:
      return read_inactive_global(table);
    case Table::shadow_global:
      return read_shadow_global(table);
    case Table::rule:
      break;
    }
    llvm_unreachable("unknown table");
  }

  Error read_rule_template(const GlobalVariable &table) {
    Expected<RuleTableContent> content = read_rule_table(table);
    if (!content)
      return content.takeError();
    if (!content->function)
      return Error::success();
    switch (content->kind) {
    case RuleTableContent::Kind::nothing:
      return Error::success();
    case RuleTableContent::Kind::inactive:
      function_info_.inactive_.insert(content->function);
      return Error::success();
    case RuleTableContent::Kind::inactive_noinl:
      function_info_.inactive_inlined_.insert(content->function);
      return Error::success();
    case RuleTableContent::Kind::rule:
      return add_rule_template(std::move(content->rule));
    }
    llvm_unreachable("unknown content of a rule's table");
  }

  /// By more than the table of its rule, or by a virtual call.
  static bool may_be_called(const Function &function) {
    return any_of(function.users(), [](const User *user) { return isa<Instruction>(user); }) ||
           function.getNumUses() > 1;
  }

  Error add_rule_template(std::shared_ptr<const RuleTemplate> added) {
    UserRule &rule = function_info_.rules_[added->primal];
    const std::string function = source_name(*added->primal);
    if (rule.rule_template)
      return createStringError("the function '" + function + "' has two rules, '" + rule.rule_template->name +
                               "' and '" + added->name + "': keep one of them");
    if (rule.primal)
      return createStringError("the function '" + function + "' has the rule '" + added->name +
                               "' and a registration table of the C convention: keep one of them");
    rule.primal = added->primal;
    added->note_on_function();
    if (added->reverse && may_be_called(*added->primal)) {
      function_info_.keeps_address_log_ |= added->leads_to_others;
      function_info_.mirrors_integers_ |= added->takes_objects();
    }
    rule.rule_template = std::move(added);
    return Error::success();
  }

  Error read_rule(const RegistrationTable &table, ArrayRef<Function * UserRule::*> members) {
    SmallVector<Function *, 3> functions;
    for (unsigned index = 0; index < table.size(); ++index) {
      Expected<Function *> function = table.function(index);
      if (!function)
        return function.takeError();
      functions.push_back(*function);
    }
    UserRule &rule = function_info_.rules_[functions[0]];
    if (rule.rule_template)
      return createStringError("the function '" + source_name(*functions[0]) + "' has the rule '" +
                               rule.rule_template->name +
                               "' and a registration table of the C convention: keep one of them");
    rule.primal = functions[0];
    for (auto [member, function] : zip(members, ArrayRef(functions).drop_front()))
      rule.*member = function;
    return Error::success();
  }

  Error read_gradient(const RegistrationTable &table) {
    if (Error error = table.expect_size(3, "the function, its augmented forward pass, its reverse pass"))
      return error;
    return read_rule(table, {&UserRule::augmented, &UserRule::reverse});
  }

  Error read_derivative(const RegistrationTable &table) {
    if (Error error = table.expect_size(2, "the function, its forward derivative"))
      return error;
    return read_rule(table, {&UserRule::forward});
  }

  Error read_split_derivative(const RegistrationTable &table) {
    if (Error error =
            table.expect_size(3, "the function, its augmented forward pass, its forward derivative with tape"))
      return error;
    return read_rule(table, {&UserRule::split_augmented, &UserRule::split_forward});
  }

  /// Where there is no forward rule in one piece.
  Error join_split_rules() {
    for (auto &[function, rule] : function_info_.rules_)
      if (rule.split_forward && !rule.forward)
        if (Error error = joined_forward(rule).moveInto(rule.forward))
          return error;
    return Error::success();
  }

  static Error read_functions(const RegistrationTable &table, DenseSet<const Value *> &functions) {
    if (table.size() == 0)
      return table.expect_size(1, "the function");
    for (unsigned index = 0; index < table.size(); ++index) {
      Expected<Function *> function = table.function(index);
      if (!function)
        return function.takeError();
      functions.insert(*function);
    }
    return Error::success();
  }

  Error read_inactive_global(const RegistrationTable &table) {
    if (table.size() == 0)
      return table.expect_size(1, "the address of the global variable");
    for (unsigned index = 0; index < table.size(); ++index) {
      Expected<GlobalVariable *> global = table.global(index);
      if (!global)
        return global.takeError();
      function_info_.inactive_.insert(*global);
    }
    return Error::success();
  }

  Error read_shadow_global(const RegistrationTable &table) {
    if (table.size() < 2)
      return table.expect_size(2, "the address of the global variable, that of its shadow");
    Expected<GlobalVariable *> global = table.global(0);
    if (!global)
      return global.takeError();
    for (unsigned index = 1; index < table.size(); ++index) {
      Expected<GlobalVariable *> shadow = table.global(index);
      if (!shadow)
        return shadow.takeError();
      if ((*shadow)->getValueType() == (*global)->getValueType() && (*shadow)->getType() != (*global)->getType())
        return table.malformed("'" + (*global)->getName() + "' and its shadow '" + (*shadow)->getName() +
                               "' lie in different kinds of memory; a variable with derivatives is a __device__ one, "
                               "not __constant__");
      if ((*shadow)->getValueType() != (*global)->getValueType())
        return table.malformed("the shadow '" + (*shadow)->getName() + "' is not of the type of '" +
                               (*global)->getName() + "'");
      function_info_.shadows_[*global].push_back(*shadow);
    }
    return Error::success();
  }

  Error read_function_like(const RegistrationTable &table) {
    if (Error error = table.expect_size(2, "the function, the name of the library function that it is like"))
      return error;
    Expected<Function *> function = table.function(0);
    if (!function)
      return function.takeError();
    Expected<std::string> name = table.text(1);
    if (!name)
      return name.takeError();
    function_info_.like_[*function] = *name;
    return Error::success();
  }

  Error read_allocation_like(const RegistrationTable &table) {
    if (Error error = table.expect_size(4, "the allocator, the number of its size argument, the argument list of the "
                                           "deallocator, the deallocator"))
      return error;
    UserAllocator allocator;
    if (Error error = table.function(0).moveInto(allocator.allocate))
      return error;
    std::int64_t size_argument = 0;
    if (Error error = table.number(1).moveInto(size_argument))
      return error;
    allocator.size_argument = size_argument;
    std::string list;
    if (Error error = table.text(2).moveInto(list))
      return error;
    if (Error error = table.function(3).moveInto(allocator.release))
      return error;
    if (size_argument < 0 || size_argument >= std::int64_t(allocator.allocate->arg_size()))
      return createStringError("registration table '" + table.name() + "': the allocator has no argument " +
                               Twine(size_argument).str());
    for (StringRef item : split(list, ',')) {
      int argument = 0;
      if (item.trim().getAsInteger(10, argument) || argument < -1 || argument >= int(allocator.allocate->arg_size()))
        return createStringError("registration table '" + table.name() + "': '" + list +
                                 "' is not a list of the allocator's arguments (-1 is the allocated pointer)");
      allocator.release_arguments.push_back(argument);
    }
    if (!is_contained(allocator.release_arguments, -1))
      return createStringError("registration table '" + table.name() + "': '" + list +
                               "' does not hand the allocated pointer (-1) to the deallocator");
    add_allocator(allocator);
    return Error::success();
  }

  /// Those that the engine wrote itself (aligned_allocators.hpp).
  void read_aligned_allocators(Module &module) {
    Function *allocate = module.getFunction(aligned_allocate_name), *release = module.getFunction(aligned_release_name);
    if (allocate && release)
      add_allocator({.allocate = allocate, .size_argument = 0, .release_arguments = {-1}, .release = release});
  }

  void add_allocator(const UserAllocator &allocator) {
    allocator.allocate->addFnAttr(allocates_attribute); // for those who see the program alone
    allocator.release->addFnAttr(releases_attribute);
    function_info_.released_[allocator.release] = allocator.allocate;
    function_info_.allocators_[allocator.allocate] = allocator;
  }

  void read_property(GlobalObject &subject, StringRef property) {
    const auto [name, value] = property.split('=');
    auto *function = dyn_cast<Function>(&subject);
    if (name == "enzyme_inactive" || name == "enzyme_inactive_noblock")
      function_info_.inactive_.insert(&subject);
    if (name == "enzyme_inactive_noblock")
      function_info_.open_.insert(&subject);
    else if (name == "enzyme_nofree")
      function_info_.nofree_.insert(&subject);
    else if (function && (name == "enzyme_function_like" || name == "enzyme_math") && !value.empty())
      function_info_.like_[function] = value.str();
    else if (function && name == gathers_numbers)
      function->addFnAttr(gathers_numbers);
  }

  void read_attributes(Function &function) {
    for (StringRef name : {"enzyme_inactive", "enzyme_inactive_noblock", "enzyme_nofree"})
      if (function.hasFnAttribute(name))
        read_property(function, name);
    for (StringRef name : {"enzyme_function_like", "enzyme_math"})
      if (function.hasFnAttribute(name))
        read_property(function, (name + "=" + function.getFnAttribute(name).getValueAsString()).str());
  }

  FunctionInfo function_info_;
};

Expected<FunctionInfo> FunctionInfo::read(Module &module) {
  FunctionInfoReader reader;
  if (Error error = reader.read(module))
    return error;
  return reader.take();
}

const UserRule *FunctionInfo::rule(const Function &function) const {
  const auto found = rules_.find(&function);
  return found == rules_.end() ? nullptr : &found->second;
}

void FunctionInfo::adapt_rule(const Function &function, UserRule rule, Function &simple_form) {
  if (&simple_form != &function)
    simple_forms_[&function] = &simple_form;
  rule.primal = &simple_form;
  rules_[&simple_form] = rule;
}

bool FunctionInfo::is_inactive(const Function &function) const {
  if (inactive_.contains(&function) || inactive_inlined_.contains(&function) ||
      function.getName().starts_with(primal_prefix))
    return true;
  if (const std::optional<ConventionCall> call = convention_call(function))
    return !asks_for_derivative(*call);
  // A function of the user's own may have the name of a C library function, so a body speaks for itself.
  if (!function.isDeclaration() && !is_mangled(function.getName()))
    return false;
  const LibraryFunction *known = engine::library_function(function);
  return known && known->is_inactive();
}

StringRef FunctionInfo::library_name(const Function &function) const {
  if (const auto found = like_.find(&function); found != like_.end())
    return found->second;
  const auto rule = rules_.find(&function);
  if (rule != rules_.end() && rule->second.rule_template)
    return StringRef(); // it speaks before the engine's own rules
  const StringRef name = function.getName();
  return function.isDeclaration() || is_pool_function(name) ? name : StringRef();
}

const LibraryFunction *FunctionInfo::library_function(const Function &function) const {
  if (const auto found = like_.find(&function); found != like_.end())
    return library_table().find_like(function, found->second);
  return library_name(function).empty() ? nullptr : engine::library_function(function);
}

bool FunctionInfo::is_inactive_global(const GlobalVariable &global) const {
  return inactive_.contains(&global);
}

ArrayRef<GlobalVariable *> FunctionInfo::registered_shadows(const GlobalVariable &global) const {
  const auto found = shadows_.find(&global);
  return found == shadows_.end() ? ArrayRef<GlobalVariable *>() : found->second;
}

const UserAllocator *FunctionInfo::allocator(const Function &function) const {
  const auto found = allocators_.find(&function);
  return found == allocators_.end() ? nullptr : &found->second;
}

const UserAllocator *FunctionInfo::allocator_released_by(const Function &function) const {
  const Function *allocate = released_.lookup(&function);
  return allocate ? allocator(*allocate) : nullptr;
}

bool FunctionInfo::never_frees(const Function &function) const {
  return nofree_.contains(&function);
}

bool FunctionInfo::keeps_call(const Function &function) const {
  return rules_.contains(&function) || inactive_.contains(&function) || inactive_inlined_.contains(&function) ||
         like_.contains(&function) || allocators_.contains(&function) || released_.contains(&function) ||
         function.getName().starts_with(primal_prefix) || is_pool_function(function.getName()) ||
         is_device_library_function(function);
}

} // namespace assay::engine
