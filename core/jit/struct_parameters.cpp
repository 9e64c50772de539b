#include "core/jit/struct_parameters.hpp"

#include "core/engine/explain/source_variables.hpp"
#include "core/engine/support/convention_names.hpp"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include <optional>
#include <string>

namespace assay::jit {

namespace {

namespace dwarf = llvm::dwarf;
using engine::without_qualifiers;

/// A number, a pointer or an array of numbers in a struct.
struct Member {
  std::string name;
  const llvm::DIType *type = nullptr;
  std::uint64_t offset = 0, bytes = 0;
  bool is_array = false;
};
using Members = std::vector<Member>;

bool is_pointer(const llvm::DIType &type) {
  return type.getTag() == dwarf::DW_TAG_pointer_type;
}

bool is_array(const llvm::DIType &type) {
  return type.getTag() == dwarf::DW_TAG_array_type;
}

bool is_enumeration(const llvm::DIType &type) {
  return type.getTag() == dwarf::DW_TAG_enumeration_type;
}

bool is_number(const llvm::DIType &type) {
  const auto *basic = llvm::dyn_cast<llvm::DIBasicType>(&type);
  const bool is_float = basic && basic->getEncoding() == dwarf::DW_ATE_float;
  return (is_float && (type.getSizeInBits() == 32 || type.getSizeInBits() == 64)) || (basic && !is_float) ||
         is_enumeration(type);
}

bool add_members(const llvm::DICompositeType &structure, const std::string &name, std::uint64_t offset,
                 Members &members);

/// False for what is none of the kinds of a Member.
bool add_member(const llvm::DIType *source, const std::string &name, std::uint64_t offset, Members &members) {
  const llvm::DIType *type = without_qualifiers(source);
  if (!type)
    return false;
  const std::uint64_t bytes = type->getSizeInBits() / 8;
  if (is_number(*type) || is_pointer(*type)) {
    members.push_back({name, source, offset, bytes});
    return true;
  }
  const auto *composite = llvm::dyn_cast<llvm::DICompositeType>(type);
  if (!composite)
    return false;
  if (!is_array(*type))
    return add_members(*composite, name, offset, members);
  const llvm::DIType *element = without_qualifiers(composite->getBaseType());
  if (!element || is_pointer(*element))
    return false;
  members.push_back({name, composite->getBaseType(), offset, bytes, true});
  return true;
}

bool add_members(const llvm::DICompositeType &structure, const std::string &name, std::uint64_t offset,
                 Members &members) {
  if (structure.getTag() == dwarf::DW_TAG_union_type || structure.isForwardDecl())
    return false;
  for (const llvm::DINode *element : structure.getElements()) {
    const auto *member = llvm::dyn_cast<llvm::DIDerivedType>(element);
    const bool is_base = member && member->getTag() == dwarf::DW_TAG_inheritance;
    if (!member || member->isStaticMember() || (!is_base && member->getTag() != dwarf::DW_TAG_member))
      continue;
    if (member->isBitField() || member->isVirtual())
      return false;
    const std::string path = member->getName().empty() ? name : name + "." + member->getName().str();
    if (!add_member(member->getBaseType(), path, offset + member->getOffsetInBits() / 8, members))
      return false;
  }
  return true;
}

/// A parameter of the kernel, and the members of the struct that it is; none for any other.
struct Parameter {
  const llvm::DIType *type = nullptr;
  std::string name;
  llvm::Type *structure = nullptr;
  Members members = {};
};
using Parameters = std::vector<Parameter>;

std::string name_of(const llvm::Function &kernel, unsigned parameter) {
  for (const llvm::Instruction &instruction : llvm::instructions(kernel))
    for (const llvm::DbgVariableRecord &record : llvm::filterDbgVars(instruction.getDbgRecordRange()))
      if (const llvm::DILocalVariable *variable = record.getVariable();
          variable->getArg() == parameter + 1 && variable->getScope()->getSubprogram() == kernel.getSubprogram())
        return variable->getName().str();
  return kernel.getArg(parameter)->getName().str();
}

/// Nothing where no parameter is a struct, or one cannot be taken apart.
std::optional<Parameters> parameters_of(const llvm::Function &kernel) {
  const llvm::DISubprogram *subprogram = kernel.getSubprogram();
  if (!subprogram || subprogram->getType()->getTypeArray().size() != kernel.arg_size() + 1)
    return std::nullopt;
  Parameters parameters;
  bool has_struct = false;
  for (const llvm::Argument &argument : kernel.args()) {
    const unsigned index = argument.getArgNo();
    Parameter parameter{subprogram->getType()->getTypeArray()[index + 1], name_of(kernel, index)};
    if (argument.hasByValAttr()) {
      const auto *structure = llvm::dyn_cast_or_null<llvm::DICompositeType>(without_qualifiers(parameter.type));
      if (!structure || !add_members(*structure, parameter.name, 0, parameter.members))
        return std::nullopt;
      parameter.structure = argument.getParamByValType();
      has_struct = true;
    }
    parameters.push_back(std::move(parameter));
  }
  return has_struct ? std::optional(std::move(parameters)) : std::nullopt;
}

/// Of a parameter of its own.
llvm::Type *type_of(const Member &member, llvm::LLVMContext &context) {
  const llvm::DIType &type = *without_qualifiers(member.type);
  if (member.is_array || is_pointer(type))
    return llvm::PointerType::getUnqual(context);
  const auto *basic = llvm::dyn_cast<llvm::DIBasicType>(&type);
  if (!basic || basic->getEncoding() != dwarf::DW_ATE_float)
    return llvm::IntegerType::get(context, static_cast<unsigned>(8 * member.bytes));
  return member.bytes == sizeof(float) ? llvm::Type::getFloatTy(context) : llvm::Type::getDoubleTy(context);
}

/// The kernel of the members, whose threads call what the kernel was.
class FlatKernel {
public:
  FlatKernel(llvm::Function &kernel, const Parameters &parameters)
      : kernel_(kernel), parameters_(parameters), builder_(kernel.getContext()) {}

  void write() {
    llvm::Function &flat = declare();
    builder_.SetInsertPoint(llvm::BasicBlock::Create(kernel_.getContext(), "", &flat));
    builder_.SetCurrentDebugLocation(
        llvm::DILocation::get(kernel_.getContext(), kernel_.getSubprogram()->getLine(), 0, flat.getSubprogram()));
    llvm::SmallVector<llvm::Value *, 8> values;
    llvm::Argument *next = flat.arg_begin();
    for (const Parameter &parameter : parameters_)
      values.push_back(parameter.structure ? put_together(parameter, next) : next++);
    make_function();
    builder_.CreateCall(&kernel_, values)->setCallingConv(kernel_.getCallingConv());
    builder_.CreateRetVoid();
  }

private:
  llvm::Function &declare() {
    llvm::SmallVector<llvm::Type *, 16> types;
    for (const Parameter &parameter : parameters_) {
      if (!parameter.structure)
        types.push_back(kernel_.getArg(parameter_number(parameter))->getType());
      for (const Member &member : parameter.members)
        types.push_back(type_of(member, kernel_.getContext()));
    }
    auto *type = llvm::FunctionType::get(kernel_.getReturnType(), types, false);
    auto *flat = llvm::Function::Create(type, kernel_.getLinkage(), "", kernel_.getParent());
    flat->setCallingConv(kernel_.getCallingConv());
    flat->setAttributes(
        llvm::AttributeList::get(kernel_.getContext(), llvm::AttributeList::FunctionIndex,
                                 llvm::AttrBuilder(kernel_.getContext(), kernel_.getAttributes().getFnAttrs())));
    flat->takeName(&kernel_);
    kernel_.setName(flat->getName() + ".of.structs");
    describe(*flat);
    return *flat;
  }

  /// Names and debug information, by which the types of parameters are known.
  void describe(llvm::Function &flat) {
    const llvm::DISubprogram &source = *kernel_.getSubprogram();
    llvm::DIBuilder debug(*kernel_.getParent(), false, source.getUnit());
    llvm::SmallVector<llvm::Metadata *, 16> types{source.getType()->getTypeArray()[0]};
    llvm::Argument *next = flat.arg_begin();
    const auto add = [&](const std::string &name, const llvm::DIType *type) {
      types.push_back(const_cast<llvm::DIType *>(type));
      next++->setName(name);
    };
    for (const Parameter &parameter : parameters_) {
      if (!parameter.structure) {
        const llvm::Argument &argument = *kernel_.getArg(parameter_number(parameter));
        if (argument.hasNoAliasAttr())
          next->addAttr(llvm::Attribute::NoAlias);
        add(parameter.name, parameter.type);
      }
      for (const Member &member : parameter.members)
        add(member.name, member.is_array ? pointer_to_const(debug, member.type) : member.type);
    }
    flat.setSubprogram(debug.createFunction(source.getScope(), source.getName(), source.getLinkageName(),
                                            source.getFile(), source.getLine(),
                                            debug.createSubroutineType(debug.getOrCreateTypeArray(types)),
                                            source.getScopeLine(), source.getFlags(), source.getSPFlags()));
    debug.finalize();
    flat.addFnAttr(engine::parameters_annotation, text_of_types(flat));
  }

  /// The name of a C++ kernel has the types of its structs.
  static std::string text_of_types(const llvm::Function &flat) {
    const auto text = [](const llvm::Argument &argument) -> std::string {
      const llvm::Type &type = *argument.getType();
      return type.isPointerTy() ? "void*" : type.isDoubleTy() ? "double" : type.isFloatTy() ? "float" : "int";
    };
    return "(" + llvm::join(llvm::map_range(flat.args(), text), ", ") + ")";
  }

  unsigned parameter_number(const Parameter &parameter) const {
    return static_cast<unsigned>(&parameter - parameters_.data());
  }

  static llvm::DIType *pointer_to_const(llvm::DIBuilder &debug, const llvm::DIType *element) {
    return debug.createPointerType(
        debug.createQualifiedType(dwarf::DW_TAG_const_type, const_cast<llvm::DIType *>(element)), 64);
  }

  /// The struct in memory of the thread; `next` goes on behind its members.
  llvm::Value *put_together(const Parameter &parameter, llvm::Argument *&next) {
    const llvm::DataLayout &layout = kernel_.getDataLayout();
    // Bytes: members that are stored to a variable of the struct's type are taken for one parameter of the source.
    auto *bytes = llvm::ArrayType::get(builder_.getInt8Ty(), layout.getTypeAllocSize(parameter.structure));
    llvm::AllocaInst *slot = builder_.CreateAlloca(bytes, nullptr, parameter.name);
    slot->setAlignment(
        kernel_.getParamAlign(parameter_number(parameter)).value_or(layout.getPrefTypeAlign(parameter.structure)));
    for (const Member &member : parameter.members) {
      llvm::Value *place = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), slot, member.offset);
      const llvm::Align alignment = llvm::commonAlignment(slot->getAlign(), member.offset);
      if (member.is_array)
        builder_.CreateMemCpy(place, alignment, next, llvm::MaybeAlign(), member.bytes);
      else
        builder_.CreateAlignedStore(next, place, alignment);
      ++next;
    }
    return slot;
  }

  /// What was the kernel is called by each thread; its structs are the caller's, and nobody else's.
  void make_function() {
    kernel_.setCallingConv(llvm::CallingConv::C);
    kernel_.setLinkage(llvm::GlobalValue::InternalLinkage);
    kernel_.setComdat(nullptr);
    for (llvm::Argument &argument : kernel_.args()) {
      argument.removeAttr(llvm::Attribute::ByVal);
      if (argument.hasAttribute("nvvm.grid_constant"))
        kernel_.removeParamAttr(argument.getArgNo(), "nvvm.grid_constant");
    }
  }

  llvm::Function &kernel_;
  const Parameters &parameters_;
  llvm::IRBuilder<> builder_;
};

} // namespace

void take_apart_structs(llvm::Module &module) {
  llvm::SmallVector<llvm::Function *, 8> kernels;
  for (llvm::Function &function : module)
    if (!function.isDeclaration() && function.getCallingConv() == llvm::CallingConv::PTX_Kernel)
      kernels.push_back(&function);
  for (llvm::Function *kernel : kernels)
    if (const std::optional<Parameters> parameters = parameters_of(*kernel))
      FlatKernel(*kernel, *parameters).write();
}

} // namespace assay::jit
