#include "core/widen/twins.hpp"

#include "core/widen/widen.hpp"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace assay::widen {

namespace {

/// What a program calls for a copy, and what the numbers of the copy carry.
struct Request {
  llvm::StringLiteral name, suffix;
  TwinKind kind;
};
constexpr Request requests[] = {{"__assay_widened", twin_suffixes[0], TwinKind::movement},
                                {"__assay_corrected", twin_suffixes[1], TwinKind::correction}};

llvm::Function *function_in(llvm::Value *value) {
  return llvm::dyn_cast<llvm::Function>(value->stripPointerCastsAndAliases());
}

llvm::SmallVector<llvm::CallBase *, 8> calls_of(llvm::Function &function) {
  llvm::SmallVector<llvm::CallBase *, 8> calls;
  for (llvm::User *user : function.users())
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(user); call && call->getCalledOperand() == &function)
      calls.push_back(call);
  return calls;
}

/// Labels in the program's memory are those of the function itself, not of a copy.
bool jumps_to_labels(llvm::Function &function) {
  return llvm::any_of(llvm::instructions(function),
                      [](const llvm::Instruction &each) { return llvm::isa<llvm::IndirectBrInst>(each); });
}

/// A call through a pointer, of which only the type says where it leads.
const llvm::FunctionType *type_of_unknown_callee(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call && call->isIndirectCall() ? call->getFunctionType() : nullptr;
}

bool has_numbers(const llvm::FunctionType &type) {
  return llvm::any_of(type.subtypes(), [](const llvm::Type *part) { return part->isFPOrFPVectorTy(); });
}

bool is_copy(const llvm::Function &function) {
  return name_without_suffix(function).size() != function.getName().size();
}

/// Code takes the address, as one does who passes a function on. Tables of virtual functions are reached through their
/// objects.
bool is_passed_on(const llvm::Function &function) {
  return !is_copy(function) && llvm::any_of(function.uses(), [](const llvm::Use &use) {
    const auto *call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
    return llvm::isa<llvm::Instruction>(use.getUser()) && !(call && call->isCallee(&use));
  });
}

/// The functions that are reached from roots, through code and through constants. What is called through a pointer may
/// be any function of the type that is passed on; where the type has no numbers, too many fit, and only a root's own
/// calls count.
class Reach {
public:
  explicit Reach(llvm::Module &module) : module_(module) {}

  void add(llvm::Function &root) {
    pending_.push_back(&root);
    for (const llvm::Instruction &instruction : llvm::instructions(root))
      add_fitting(type_of_unknown_callee(instruction));
    while (!pending_.empty()) {
      llvm::Value *next = pending_.pop_back_val();
      if (llvm::isa<llvm::Constant>(next) && seen_.insert(next).second)
        visit(*llvm::cast<llvm::Constant>(next));
    }
  }

  llvm::SmallVector<llvm::Function *, 32> functions;

private:
  void visit(llvm::Constant &constant) {
    auto *function = llvm::dyn_cast<llvm::Function>(&constant);
    if (!function) {
      pending_.append(constant.value_op_begin(), constant.value_op_end());
      return;
    }
    functions.push_back(function);
    for (llvm::Instruction &instruction : llvm::instructions(*function)) {
      pending_.append(instruction.value_op_begin(), instruction.value_op_end());
      if (const llvm::FunctionType *type = type_of_unknown_callee(instruction); type && has_numbers(*type))
        add_fitting(type);
    }
  }

  void add_fitting(const llvm::FunctionType *type) {
    if (!type || !types_.insert(type).second)
      return;
    for (llvm::Function &function : module_)
      if (function.getFunctionType() == type && is_passed_on(function))
        pending_.push_back(&function);
  }

  llvm::Module &module_;
  llvm::SmallVector<llvm::Value *, 32> pending_;
  llvm::DenseSet<const llvm::Value *> seen_;
  llvm::DenseSet<const llvm::FunctionType *> types_;
};

class Twins {
public:
  Twins(llvm::Module &module, const Request &request)
      : module_(module), context_(module.getContext()), request_(request) {}

  void make(llvm::ArrayRef<llvm::Function *> roots) {
    Reach reach(module_);
    for (llvm::Function *root : roots)
      reach.add(*root);
    for (llvm::Function *function : reach.functions)
      if (llvm::Function *twin = twin_for(*function))
        twins_[function] = twin;
    llvm::SmallVector<llvm::Function *, 32> copies;
    for (const auto &[function, twin] : twins_)
      copies.push_back(twin);
    for (llvm::Function *copy : copies)
      send_calls_to_twins(*copy);
    widen(module_, copies, request_.kind);
    for (llvm::Function *copy : copies)
      leave_as_it_is(*copy);
    fill_table();
  }

  llvm::Function *of(llvm::Function *function) const { return twins_.lookup(function); }

private:
  llvm::Function *twin_for(llvm::Function &function) {
    if (is_mathematics(function))
      return function.hasAddressTaken() ? wrapper_of(function) : nullptr;
    if (!can_be_widened(function) || jumps_to_labels(function))
      return nullptr;
    llvm::ValueToValueMapTy values;
    llvm::Function *twin = llvm::CloneFunction(&function, values);
    twin->setName(function.getName() + request_.suffix);
    twin->setLinkage(llvm::GlobalValue::InternalLinkage);
    twin->setVisibility(llvm::GlobalValue::DefaultVisibility);
    twin->setComdat(nullptr);
    return twin;
  }

  void send_calls_to_twins(llvm::Function &copy) {
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(copy)))
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction); call && !call->isInlineAsm())
        send_to_twin(*call);
  }

  void send_to_twin(llvm::CallBase &call) {
    llvm::Function *callee = function_in(call.getCalledOperand());
    if (callee && callee->isDeclaration())
      return hand_over_twins(call);
    if (callee) {
      if (llvm::Function *twin = of(callee))
        call.setCalledOperand(twin);
      else
        leave_to_program(call, "code that cannot be copied");
      return;
    }
    // What is not followed takes such a struct in another way than what is.
    for (unsigned index = 0; index < call.arg_size(); ++index)
      if (call.isByValArgument(index))
        return leave_to_program(call, "a call through a pointer with a struct by value");
    call.setCalledOperand(look_up(call, call.getCalledOperand()));
  }

  static void leave_to_program(llvm::CallBase &call, llvm::StringRef reason) {
    call.addFnAttr(llvm::Attribute::get(call.getContext(), not_followed_attribute, reason));
  }

  /// A library function, as qsort, calls what it is given.
  void hand_over_twins(llvm::CallBase &call) {
    for (llvm::Use &argument : call.args())
      if (llvm::Function *function = function_in(argument); function && of(function))
        argument.set(of(function));
  }

  llvm::Value *look_up(llvm::CallBase &call, llvm::Value *pointer) {
    auto *address = llvm::PointerType::getUnqual(context_);
    auto *type = llvm::FunctionType::get(address, {address, address}, false);
    llvm::FunctionCallee find = module_.getOrInsertFunction("assay_wide_twin", type);
    llvm::IRBuilder<> builder(&call);
    return builder.CreateCall(find, {pointer, table()});
  }

  /// Pairs of functions and copies, after their number.
  llvm::GlobalVariable *table() {
    if (!table_)
      table_ = new llvm::GlobalVariable(module_, llvm::Type::getInt64Ty(context_), true,
                                        llvm::GlobalValue::InternalLinkage, nullptr, "assay.widened");
    return table_;
  }

  void fill_table() {
    if (!table_)
      return;
    auto *address = llvm::PointerType::getUnqual(context_);
    llvm::SmallVector<llvm::Constant *, 32> pointers;
    for (const auto &[function, twin] : twins_)
      if (function->hasAddressTaken())
        pointers.append({function, twin});
    llvm::Constant *content = llvm::ConstantStruct::getAnon(
        {llvm::ConstantInt::get(llvm::Type::getInt64Ty(context_), pointers.size() / 2),
         llvm::ConstantArray::get(llvm::ArrayType::get(address, pointers.size()), pointers)});
    auto *filled = new llvm::GlobalVariable(module_, content->getType(), true, llvm::GlobalValue::InternalLinkage,
                                            content, "assay.widened");
    table_->replaceAllUsesWith(filled);
    table_->eraseFromParent();
  }

  /// Nearly all of it is calls: optimising them takes time and gives none back.
  static void leave_as_it_is(llvm::Function &copy) {
    for (const llvm::Attribute::AttrKind kind : {llvm::Attribute::AlwaysInline, llvm::Attribute::OptimizeForSize,
                                                 llvm::Attribute::MinSize, llvm::Attribute::OptimizeForDebugging})
      copy.removeFnAttr(kind);
    copy.addFnAttr(llvm::Attribute::NoInline);
    copy.addFnAttr(llvm::Attribute::OptimizeNone);
  }

  llvm::Module &module_;
  llvm::LLVMContext &context_;
  const Request &request_;
  llvm::MapVector<llvm::Function *, llvm::Function *> twins_;
  llvm::GlobalVariable *table_ = nullptr;
};

void replace(llvm::CallBase &request, llvm::Constant *address) {
  request.replaceAllUsesWith(address ? address : llvm::Constant::getNullValue(request.getType()));
  if (auto *invoke = llvm::dyn_cast<llvm::InvokeInst>(&request)) {
    llvm::BranchInst::Create(invoke->getNormalDest(), invoke->getIterator());
    invoke->getUnwindDest()->removePredecessor(invoke->getParent());
  }
  request.eraseFromParent();
}

/// The functions that are asked for, each once.
llvm::SmallSetVector<llvm::Function *, 8> roots_of(llvm::ArrayRef<llvm::CallBase *> requests) {
  llvm::SmallSetVector<llvm::Function *, 8> roots;
  for (llvm::CallBase *request : requests)
    if (llvm::Function *root = function_in(request->getArgOperand(0)); root && !root->isDeclaration())
      roots.insert(root);
  return roots;
}

bool write_twins(llvm::Module &module, const Request &request) {
  llvm::Function *marker = module.getFunction(request.name);
  if (!marker)
    return false;
  const llvm::SmallVector<llvm::CallBase *, 8> calls = calls_of(*marker);
  Twins twins(module, request);
  twins.make(roots_of(calls).getArrayRef());
  for (llvm::CallBase *call : calls) {
    llvm::Function *root = function_in(call->getArgOperand(0));
    replace(*call, root ? twins.of(root) : nullptr);
  }
  marker->eraseFromParent();
  return true;
}

} // namespace

llvm::StringRef name_without_suffix(const llvm::Function &function) {
  llvm::StringRef name = function.getName();
  for (const llvm::StringRef suffix : twin_suffixes)
    if (name.consume_back(suffix))
      return name;
  return name;
}

bool write_twins(llvm::Module &module) {
  bool any = false;
  for (const Request &request : requests)
    any = write_twins(module, request) || any;
  return any;
}

} // namespace assay::widen
