#include "core/jit/struct_parameters.hpp"

#include "core/engine/support/convention_names.hpp"
#include "core/engine/support/device_target.hpp"
#include "core/jit/struct_members.hpp"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include <optional>

namespace assay::jit {

namespace {

namespace dwarf = llvm::dwarf;

constexpr std::uint64_t word_size = 8;

/// A parameter of the source: arguments [first, first + count) of the compiled function.
struct Parameter {
  const llvm::DIType *type = nullptr;
  unsigned first = 0, count = 1;
  std::optional<Members> members = std::nullopt; ///< Of a struct.
  const llvm::DIType *row = nullptr;             ///< Of a pointer to pointers to numbers, what these are.
  std::string name = {};

  bool is_changed() const { return members || row; }
};

/// What the compiled function takes and returns.
struct Interface {
  std::vector<Parameter> parameters;
  const llvm::DIType *result = nullptr;
  std::optional<ResultOfNumbers> numbers = std::nullopt; ///< Of a struct that is returned.
};

bool is_kernel(const llvm::Function &function) {
  return function.getCallingConv() == llvm::CallingConv::PTX_Kernel;
}

/// How many arguments a struct is: as clang passes it on x86-64 and to kernels of CUDA, one in memory or one for each
/// of up to two words.
std::optional<unsigned> arguments_of(const llvm::Function &function, unsigned first, std::uint64_t bytes) {
  if (bytes == 0 && !is_kernel(function))
    return 0;
  if (first >= function.arg_size())
    return std::nullopt;
  if (function.hasParamAttribute(first, llvm::Attribute::ByVal))
    return 1;
  if (is_kernel(function) || bytes > 2 * word_size)
    return std::nullopt;
  const llvm::DataLayout &layout = function.getDataLayout();
  if (layout.getTypeStoreSize(function.getArg(first)->getType()) > word_size)
    return std::nullopt;
  return bytes > word_size ? 2 : 1;
}

std::string name_of(const llvm::Function &function, unsigned parameter) {
  for (const llvm::Instruction &instruction : llvm::instructions(function))
    for (const llvm::DbgVariableRecord &record : llvm::filterDbgVars(instruction.getDbgRecordRange()))
      if (const llvm::DILocalVariable *variable = record.getVariable();
          variable->getArg() == parameter + 1 && variable->getScope()->getSubprogram() == function.getSubprogram())
        return variable->getName().str();
  return "argument" + llvm::utostr(parameter + 1);
}

bool can_be_called(const llvm::Function &function) {
  return function.getSubprogram() && !function.isVarArg() && !function.isDeclaration() &&
         (is_kernel(function) || !engine::is_device_code(*function.getParent()));
}

/// `double *` for `double **`; null for other types.
const llvm::DIType *row_of(const llvm::DIType *type) {
  const llvm::DIType *row = target_of(type);
  return row && is_pointer_to_numbers(*row) ? row : nullptr;
}

/// Nothing where no struct and no pointer to rows takes part, or one cannot be taken apart.
std::optional<Interface> interface_of(const llvm::Function &function) {
  const bool takes_structs = is_kernel(function) || is_of_c(function);
  Interface interface;
  const llvm::DITypeRefArray types = function.getSubprogram()->getType()->getTypeArray();
  if (types.size() == 0)
    return std::nullopt;
  interface.result = types[0];
  bool is_changed = false;
  if (is_structure(interface.result)) {
    interface.numbers = takes_structs ? numbers_of_result(*interface.result) : std::nullopt;
    if (!interface.numbers)
      return std::nullopt;
    is_changed = true;
  }
  unsigned next = function.hasStructRetAttr() ? 1 : 0;
  for (unsigned index = 1; index < types.size(); ++index) {
    Parameter parameter{types[index], next};
    parameter.name = name_of(function, index - 1);
    parameter.row = row_of(types[index]);
    if (is_structure(types[index])) {
      if (takes_structs)
        parameter.members = members_of_struct(*types[index], parameter.name);
      const std::optional<unsigned> count =
          parameter.members ? arguments_of(function, next, size_of_type(*types[index])) : std::nullopt;
      if (!count)
        return std::nullopt;
      parameter.count = *count;
    }
    is_changed |= parameter.is_changed();
    next += parameter.count;
    interface.parameters.push_back(std::move(parameter));
  }
  return is_changed && next == function.arg_size() ? std::optional(std::move(interface)) : std::nullopt;
}

/// The function of the members.
class FlatFunction {
public:
  FlatFunction(llvm::Function &function, const Interface &interface, const std::string &name)
      : function_(function), interface_(interface), name_(name), builder_(function.getContext()) {}

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
    for (const Parameter &parameter : interface_.parameters)
      if (parameter.members)
        pass(parameter, put_together(*parameter.members, size_of_type(*parameter.type), next), values);
      else if (parameter.row)
        values.push_back(pointers_to_rows(parameter, next));
      else
        values.push_back(next++);
    llvm::CallInst *call = builder_.CreateCall(&callee(), values);
    call->setAttributes(function_.getAttributes().removeFnAttributes(function_.getContext()));
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
      else if (!parameter.members)
        types.push_back(function_.getArg(parameter.first)->getType());
      else
        for (const Member &member : *parameter.members)
          types.push_back(type_of_member(member, context));
    }
    if (interface_.numbers)
      types.push_back(builder_.getPtrTy());
    llvm::Type *result = interface_.numbers ? builder_.getVoidTy() : function_.getReturnType();
    auto *flat = llvm::Function::Create(llvm::FunctionType::get(result, types, false),
                                        llvm::GlobalValue::ExternalLinkage, name_, function_.getParent());
    flat->setCallingConv(function_.getCallingConv());
    flat->setAttributes(llvm::AttributeList::get(context, llvm::AttributeList::FunctionIndex,
                                                 llvm::AttrBuilder(context, function_.getAttributes().getFnAttrs())));
    flat->removeFnAttr(engine::parameters_annotation);
    describe(*flat);
    return *flat;
  }

  /// Names and debug information, by which the types of parameters are known.
  void describe(llvm::Function &flat) {
    const llvm::DISubprogram &source = *function_.getSubprogram();
    llvm::DIBuilder debug(*function_.getParent(), false, source.getUnit());
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
      if (!parameter.members) {
        if (function_.hasParamAttribute(parameter.first, llvm::Attribute::NoAlias))
          next->addAttr(llvm::Attribute::NoAlias);
        add(parameter.name, parameter.type);
        continue;
      }
      for (const Member &member : *parameter.members)
        add(member.name, member.is_array ? pointer_to_const(debug, member.type) : member.type);
    }
    if (interface_.numbers)
      add("result", pointer_to(debug, *array_of(debug, *interface_.numbers)));
    flat.setSubprogram(debug.createFunction(source.getScope(), source.getName(), name_, source.getFile(),
                                            source.getLine(),
                                            debug.createSubroutineType(debug.getOrCreateTypeArray(types)),
                                            source.getScopeLine(), source.getFlags(), source.getSPFlags()));
    debug.finalize();
  }

  static llvm::DIType *pointer_to(llvm::DIBuilder &debug, const llvm::DIType &type) {
    return debug.createPointerType(const_cast<llvm::DIType *>(&type), 8 * word_size);
  }
  static llvm::DIType *pointer_to_const(llvm::DIBuilder &debug, const llvm::DIType *type) {
    return pointer_to(debug, *debug.createQualifiedType(dwarf::DW_TAG_const_type, const_cast<llvm::DIType *>(type)));
  }
  static llvm::DIType *array_of(llvm::DIBuilder &debug, const ResultOfNumbers &numbers) {
    const std::uint64_t bits = numbers.type->getSizeInBits();
    llvm::Metadata *extent = debug.getOrCreateSubrange(0, static_cast<std::int64_t>(numbers.count));
    return debug.createArrayType(bits * numbers.count, static_cast<std::uint32_t>(bits),
                                 const_cast<llvm::DIType *>(numbers.type), debug.getOrCreateArray({extent}));
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

  /// The struct in memory; `next` goes on behind its members.
  llvm::AllocaInst *put_together(const Members &members, std::uint64_t bytes, llvm::Argument *&next) {
    llvm::AllocaInst *memory = slot(bytes);
    for (const Member &member : members) {
      const llvm::Align alignment = llvm::commonAlignment(memory->getAlign(), member.offset);
      if (member.is_array)
        builder_.CreateMemCpy(place(memory, member.offset), alignment, next, llvm::MaybeAlign(), member.bytes);
      else
        builder_.CreateAlignedStore(next, place(memory, member.offset), alignment);
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
      values.push_back(argument.hasByValAttr()
                           ? memory
                           : static_cast<llvm::Value *>(builder_.CreateAlignedLoad(
                                 argument.getType(), place(memory, index * word_size), llvm::Align(word_size))));
    }
  }

  /// A kernel cannot be called: its threads call a copy that is a function.
  llvm::Function &callee() {
    if (!is_kernel(function_))
      return function_;
    function_.setCallingConv(llvm::CallingConv::C);
    function_.setLinkage(llvm::GlobalValue::InternalLinkage);
    function_.setComdat(nullptr);
    for (llvm::Argument &argument : function_.args()) {
      argument.removeAttr(llvm::Attribute::ByVal);
      if (argument.hasAttribute("nvvm.grid_constant"))
        function_.removeParamAttr(argument.getArgNo(), "nvvm.grid_constant");
    }
    return function_;
  }

  void return_value(llvm::CallInst &call) {
    if (call.getType()->isVoidTy())
      builder_.CreateRetVoid();
    else
      builder_.CreateRet(&call);
  }

  /// What the call returned goes to `result`, without the padding of registers.
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
  const Interface &interface_;
  std::string name_;
  llvm::IRBuilder<> builder_;
};

} // namespace

llvm::Function *function_of_members(llvm::Function &function) {
  if (!can_be_called(function))
    return nullptr;
  const std::string name = "members.of." + function.getName().str(); // No mangled name: it would tell other parameters.
  if (llvm::Function *written = function.getParent()->getFunction(name))
    return written;
  const std::optional<Interface> interface = interface_of(function);
  return interface ? &FlatFunction(function, *interface, name).write() : nullptr;
}

} // namespace assay::jit
