#include "core/jit/struct_parameters.hpp"

#include "core/engine/explain/source_variables.hpp"
#include "core/engine/support/convention_names.hpp"
#include "core/engine/support/device_target.hpp"
#include "core/jit/flat_function.hpp"
#include "core/jit/signature.hpp"
#include "core/jit/source_interface.hpp"
#include "core/jit/type_text.hpp"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace assay::jit {

namespace {

namespace dwarf = llvm::dwarf;

bool can_be_called(const llvm::Function &function) {
  return function.getSubprogram() && !function.isVarArg() && !function.isDeclaration() &&
         (is_kernel(function) || !engine::is_device_code(*function.getParent()));
}

/// The function of the members.
class FlatFunction {
public:
  FlatFunction(llvm::Function &function, const SourceInterface &interface, const Callables &callables,
               const std::string &name)
      : function_(function), interface_(interface), callables_(callables), name_(name),
        builder_(function.getContext()) {}

  llvm::Function &write() {
    llvm::Function &flat = declare();
    builder_.SetInsertPoint(llvm::BasicBlock::Create(function_.getContext(), "", &flat));
    builder_.SetCurrentDebugLocation(
        llvm::DILocation::get(function_.getContext(), function_.getSubprogram()->getLine(), 0, flat.getSubprogram()));
    llvm::SmallVector<llvm::Value *, 8> values;
    llvm::Value *result = interface_.numbers ? flat.getArg(static_cast<unsigned>(flat.arg_size()) - 1) : nullptr;
    llvm::Value *returned =
        function_.hasStructRetAttr() ? values.emplace_back(slot(size_of_type(*interface_.result))) : nullptr;
    llvm::Argument *next = flat.arg_begin();
    llvm::SmallVector<Written, 4> written;
    for (const Parameter &parameter : interface_.parameters)
      if (parameter.members)
        pass(parameter, put_together(parameter, next, written), values);
      else if (parameter.row)
        values.push_back(pointers_to_rows(parameter, next));
      else if (parameter.is_callable)
        values.push_back(&callable(*next++));
      else
        values.push_back(next++);
    llvm::Function &called = callee();
    llvm::CallInst *call = builder_.CreateCall(&called, values);
    call->setAttributes(called.getAttributes().removeFnAttributes(function_.getContext()));
    for (const Written &each : written)
      builder_.CreateMemCpy(each.target, llvm::MaybeAlign(), each.place, llvm::MaybeAlign(), each.bytes);
    if (!result)
      return_value(*call);
    else
      give(*call, returned, *result);
    return flat;
  }

private:
  llvm::Function &declare() {
    llvm::LLVMContext &context = function_.getContext();
    llvm::SmallVector<llvm::Type *, 16> types;
    for (const Parameter &parameter : interface_.parameters) {
      if (parameter.row)
        types.append({builder_.getPtrTy(), builder_.getInt32Ty(), builder_.getInt32Ty()});
      else if (parameter.is_callable)
        types.push_back(builder_.getInt32Ty());
      else if (!parameter.members)
        types.push_back(function_.getArg(parameter.first)->getType());
      else
        for (const Member &member : *parameter.members)
          types.push_back(is_written(parameter, member) ? builder_.getPtrTy() : type_of_member(member, context));
    }
    if (interface_.numbers)
      types.push_back(builder_.getPtrTy());
    llvm::Function &flat =
        declare_flat(function_, name_, types, interface_.numbers ? *builder_.getVoidTy() : *function_.getReturnType());
    flat.removeFnAttr(engine::parameters_annotation);
    describe(flat);
    return flat;
  }

  /// Names and debug information, by which the types of parameters are known.
  void describe(llvm::Function &flat) {
    llvm::DIBuilder debug(*function_.getParent(), false, function_.getSubprogram()->getUnit());
    llvm::SmallVector<llvm::Metadata *, 16> types;
    types.push_back(interface_.numbers ? nullptr : const_cast<llvm::DIType *>(interface_.result));
    llvm::Argument *next = flat.arg_begin();
    const auto add = [&](const std::string &name, const llvm::DIType *type) {
      types.push_back(const_cast<llvm::DIType *>(type));
      next++->setName(name);
    };
    for (const Parameter &parameter : interface_.parameters) {
      if (parameter.row) {
        add(parameter.name, parameter.row);
        for (const char *extent : {".rows", ".columns"})
          add(parameter.name + extent, debug.createBasicType("int", 32, dwarf::DW_ATE_signed));
        continue;
      }
      if (parameter.is_callable) {
        add(parameter.name, place_of_function(debug, *parameter.type));
        continue;
      }
      if (!parameter.members) {
        if (function_.hasParamAttribute(parameter.first, llvm::Attribute::NoAlias))
          next->addAttr(llvm::Attribute::NoAlias);
        add(parameter.name, parameter.type);
        continue;
      }
      for (const Member &member : *parameter.members)
        add(member.name, type_of_parameter(debug, parameter, member));
    }
    if (interface_.numbers)
      add("result", pointer_to(debug, *array_of(debug, *interface_.numbers)));
    describe_flat(flat, function_, debug, types);
  }

  static llvm::DIType *pointer_to_const(llvm::DIBuilder &debug, const llvm::DIType *type) {
    return pointer_to(debug, *debug.createQualifiedType(dwarf::DW_TAG_const_type, const_cast<llvm::DIType *>(type)));
  }
  static llvm::DIType *array_of(llvm::DIBuilder &debug, const UniformNumbers &numbers) {
    return jit::array_of(debug, *numbers.type, 8 * size_of_type(*numbers.type), numbers.count);
  }

  /// An integer, called as the pointer's type is: `double (*)(double)`.
  static llvm::DIType *place_of_function(llvm::DIBuilder &debug, const llvm::DIType &pointer) {
    auto *type = const_cast<llvm::DIType *>(engine::without_qualifiers(&pointer));
    return debug.createTypedef(debug.createBasicType("int", 32, dwarf::DW_ATE_signed), text_of(type), nullptr, 0,
                               nullptr);
  }

  /// The function for the parameter.
  llvm::Constant &callable(const llvm::Argument &parameter) const {
    const auto found = callables_.find(parameter.getArgNo());
    return found == callables_.end()
               ? *llvm::ConstantPointerNull::get(llvm::PointerType::getUnqual(parameter.getContext()))
               : *found->second;
  }

  llvm::Value *value_of(const Member &member, llvm::Argument &parameter) const {
    return is_pointer_to_function(*member.type) ? static_cast<llvm::Value *>(&callable(parameter)) : &parameter;
  }

  static const llvm::DIType *type_of_parameter(llvm::DIBuilder &debug, const Parameter &parameter,
                                               const Member &member) {
    if (is_pointer_to_function(*member.type))
      return place_of_function(debug, *member.type);
    if (is_written(parameter, member))
      return pointer_to(debug, member.is_array ? *member.type : *array_of(debug, {member.type, 1}));
    return member.is_array ? pointer_to_const(debug, member.type) : member.type;
  }

  /// Bytes: members that are stored to a variable of the struct's type would be taken for one parameter of the source.
  llvm::AllocaInst *slot(std::uint64_t bytes) {
    const std::uint64_t whole = std::max(llvm::alignTo(bytes, word_size), word_size);
    llvm::AllocaInst *memory = builder_.CreateAlloca(llvm::ArrayType::get(builder_.getInt8Ty(), whole));
    memory->setAlignment(llvm::Align(2 * word_size));
    return memory;
  }

  llvm::Value *place(llvm::Value *memory, std::uint64_t offset) {
    return offset == 0 ? memory : builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), memory, offset);
  }

  /// A copy back to the caller's memory, of structs that the function may write to.
  struct Written {
    llvm::Value *target, *place;
    std::uint64_t bytes;
  };

  static bool is_written(const Parameter &parameter, const Member &member) {
    return parameter.passed == Passed::by_pointer && (member.is_array || is_real_number(*member.type));
  }

  /// The struct in memory; `next` goes on behind its members.
  llvm::AllocaInst *put_together(const Parameter &parameter, llvm::Argument *&next,
                                 llvm::SmallVectorImpl<Written> &written) {
    llvm::AllocaInst *memory = slot(size_of_type(*parameter.structure));
    for (const Member &member : *parameter.members) {
      llvm::Value *target = place(memory, member.offset);
      const llvm::Align alignment = llvm::commonAlignment(memory->getAlign(), member.offset);
      const bool is_changed = is_written(parameter, member);
      if (member.is_array || is_changed)
        builder_.CreateMemCpy(target, alignment, next, llvm::MaybeAlign(), member.bytes);
      else
        builder_.CreateAlignedStore(value_of(member, *next), target, alignment);
      if (is_changed)
        written.push_back({next, target, member.bytes});
      ++next;
    }
    return memory;
  }

  /// Of rows that lie one behind the other.
  llvm::Value *pointers_to_rows(const Parameter &parameter, llvm::Argument *&next) {
    llvm::Value *numbers = next++, *rows = next++, *columns = next++;
    llvm::IRBuilder<> &builder = builder_;
    llvm::Function &flat = *builder.GetInsertBlock()->getParent();
    llvm::Value *count = builder.CreateSExt(rows, builder.getInt64Ty());
    llvm::Value *bytes = builder.CreateMul(builder.CreateSExt(columns, builder.getInt64Ty()),
                                           builder.getInt64(size_of_type(*target_of(parameter.row))));
    llvm::Value *pointers = builder.CreateAlloca(builder.getPtrTy(), count, parameter.name);
    llvm::BasicBlock *before = builder.GetInsertBlock();
    auto *head = llvm::BasicBlock::Create(flat.getContext(), "", &flat);
    auto *body = llvm::BasicBlock::Create(flat.getContext(), "", &flat);
    auto *behind = llvm::BasicBlock::Create(flat.getContext(), "", &flat);
    builder.CreateBr(head);
    builder.SetInsertPoint(head);
    llvm::PHINode *row = builder.CreatePHI(builder.getInt64Ty(), 2);
    row->addIncoming(builder.getInt64(0), before);
    builder.CreateCondBr(builder.CreateICmpSLT(row, count), body, behind);
    builder.SetInsertPoint(body);
    llvm::Value *first = builder.CreateGEP(builder.getInt8Ty(), numbers, builder.CreateMul(row, bytes));
    builder.CreateStore(first, builder.CreateGEP(builder.getPtrTy(), pointers, row));
    row->addIncoming(builder.CreateAdd(row, builder.getInt64(1)), body);
    builder.CreateBr(head);
    builder.SetInsertPoint(behind);
    return pointers;
  }

  /// In memory, or word by word.
  void pass(const Parameter &parameter, llvm::AllocaInst *memory, llvm::SmallVectorImpl<llvm::Value *> &values) {
    for (unsigned index = 0; index < parameter.count; ++index) {
      const llvm::Argument &argument = *function_.getArg(parameter.first + index);
      values.push_back(argument.hasByValAttr() || parameter.passed != Passed::by_value
                           ? memory
                           : static_cast<llvm::Value *>(builder_.CreateAlignedLoad(
                                 argument.getType(), place(memory, index * word_size), llvm::Align(word_size))));
    }
  }

  /// A kernel cannot be called: its threads call a copy that is a function.
  llvm::Function &callee() {
    if (!is_kernel(function_))
      return function_;
    const std::string name = "body.of." + function_.getName().str();
    if (llvm::Function *known = function_.getParent()->getFunction(name))
      return *known;
    llvm::ValueToValueMapTy values;
    llvm::Function &body = *llvm::CloneFunction(&function_, values);
    body.setName(name);
    body.setCallingConv(llvm::CallingConv::C);
    body.setLinkage(llvm::GlobalValue::InternalLinkage);
    body.setComdat(nullptr);
    for (llvm::Argument &argument : body.args()) {
      argument.removeAttr(llvm::Attribute::ByVal);
      if (argument.hasAttribute("nvvm.grid_constant"))
        body.removeParamAttr(argument.getArgNo(), "nvvm.grid_constant");
    }
    return body;
  }

  void return_value(llvm::CallInst &call) {
    if (call.getType()->isVoidTy())
      builder_.CreateRetVoid();
    else
      builder_.CreateRet(&call);
  }

  /// Stores the returned struct at `result`, without the padding of registers.
  void give(llvm::CallInst &call, llvm::Value *returned, llvm::Value &result) {
    if (!returned) {
      const llvm::DataLayout &layout = function_.getDataLayout();
      returned = slot(layout.getTypeStoreSize(call.getType()));
      builder_.CreateAlignedStore(&call, returned, llvm::Align(word_size));
    }
    builder_.CreateMemCpy(&result, llvm::MaybeAlign(), returned, llvm::MaybeAlign(), size_of_type(*interface_.result));
    builder_.CreateRetVoid();
  }

  llvm::Function &function_;
  const SourceInterface &interface_;
  const Callables &callables_;
  std::string name_;
  llvm::IRBuilder<> builder_;
};

} // namespace

llvm::Function *function_of_members(llvm::Function &function, const Callables &callables) {
  std::string name = members_prefix + function.getName().str(); // No mangled name: it would tell other parameters.
  for (const auto &[place, callable] : callables)
    name += ".with." + (callable->isNullValue() ? "nothing" : callable->getName().str());
  if (llvm::Function *written = function.getParent()->getFunction(name))
    return written;
  const std::optional<SourceInterface> interface = can_be_called(function) ? interface_of(function) : std::nullopt;
  return interface ? &FlatFunction(function, *interface, callables, name).write() : nullptr;
}

std::map<unsigned, const llvm::DIType *> pointers_to_functions(const llvm::Function &function) {
  std::map<unsigned, const llvm::DIType *> pointers;
  unsigned place = 0;
  const std::optional<SourceInterface> interface = can_be_called(function) ? interface_of(function) : std::nullopt;
  for (const Parameter &parameter : interface ? interface->parameters : std::vector<Parameter>()) {
    if (parameter.is_callable)
      pointers[place] = parameter.type;
    for (unsigned index = 0; parameter.members && index < parameter.members->size(); ++index)
      if (const llvm::DIType *type = (*parameter.members)[index].type; is_pointer_to_function(*type))
        pointers[place + index] = type;
    place += parameter.row ? 3 : parameter.members ? static_cast<unsigned>(parameter.members->size()) : 1;
  }
  return pointers;
}

} // namespace assay::jit
