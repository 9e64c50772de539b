// Which components a type has is read from the constant that flang describes it by, so that places in objects are
// constants in the code, as they are in any other.

#include "core/engine/support/fortran_types.hpp"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr StringLiteral prefix = "assay_fortran_";

/// Members of flang's descriptions of a derived type and a component.
enum TypeMember : std::uint8_t { components_member = 6 };
enum ComponentMember : std::uint8_t {
  genre_member = 1,
  category_member,
  kind_member,
  rank_member,
  offset_member = 6,
  derived_member = 8,
  initialization_member = 11
};
enum Genre : std::uint8_t { data = 1, pointer, allocatable, automatic };
enum Category : std::uint8_t { integer, unsigned_integer, real, complex, character, logical, derived };

constexpr unsigned allocatable_attribute = 2, pointer_attribute = 1, descriptor_version = 20240719, derived_code = 42;

struct Component {
  std::uint64_t genre = 0, category = 0, kind = 0, rank = 0, offset = 0;
  Constant *type = nullptr;           ///< Of a derived one.
  Constant *initialization = nullptr; ///< What it begins with.
};

std::uint64_t number_in(const Constant &record, unsigned member) {
  const auto *number = dyn_cast_or_null<ConstantInt>(record.getAggregateElement(member));
  return number ? number->getZExtValue() : 0;
}

Constant *address_in(const Constant &descriptor) {
  Constant *base = descriptor.getAggregateElement(0U);
  return base && !base->isNullValue() ? base : nullptr;
}

Component component_of(const Constant &record) {
  Component component{number_in(record, genre_member),
                      number_in(record, category_member),
                      number_in(record, kind_member),
                      number_in(record, rank_member),
                      number_in(record, offset_member),
                      nullptr,
                      nullptr};
  if (const Constant *type = record.getAggregateElement(derived_member))
    component.type = address_in(*type);
  const Constant *value = record.getAggregateElement(initialization_member);
  Constant *address = value ? value->getAggregateElement(0U) : nullptr;
  if (auto *expression = dyn_cast_or_null<ConstantExpr>(address);
      expression && expression->getOpcode() == Instruction::PtrToInt)
    component.initialization = expression->getOperand(0);
  return component;
}

/// Nothing where the module does not say.
std::optional<SmallVector<Component, 4>> components_of(const GlobalVariable &type) {
  if (!type.hasInitializer())
    return std::nullopt;
  const Constant *descriptor = type.getInitializer()->getAggregateElement(components_member);
  const auto *array = descriptor ? dyn_cast_or_null<GlobalVariable>(address_in(*descriptor)) : nullptr;
  SmallVector<Component, 4> components;
  if (!array)
    return components;
  if (!array->hasInitializer())
    return std::nullopt;
  const Constant &records = *array->getInitializer();
  for (unsigned index = 0; const Constant *record = records.getAggregateElement(index); ++index)
    components.push_back(component_of(*record));
  return components;
}

bool describes_type(const GlobalVariable &global) {
  const auto *type = dyn_cast<StructType>(global.getValueType());
  return type && type->hasName() && type->getName().starts_with("_QM__fortran_type_infoTderivedtype");
}

/// One of the functions, over all types.
class ObjectFunction {
public:
  ObjectFunction(Module &module, Function &function)
      : module_(module), function_(function), builder_(module.getContext()) {}

  void write() {
    builder_.SetInsertPoint(BasicBlock::Create(module_.getContext(), "entry", &function_));
    for (GlobalVariable &global : module_.globals())
      if (describes_type(global))
        add_type(global);
    stop("an object of a type that this file does not describe");
    function_.setLinkage(GlobalValue::InternalLinkage);
  }

private:
  Value *place(const Component &component) {
    return builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), function_.getArg(0), component.offset);
  }

  void stop(StringRef what) {
    FunctionCallee stop =
        module_.getOrInsertFunction((prefix + "unsupported").str(), builder_.getVoidTy(), builder_.getPtrTy());
    builder_.CreateCall(stop, builder_.CreateGlobalString(what))->setDoesNotReturn();
    builder_.CreateUnreachable();
  }

  /// The same function, of a component that is an object.
  void apply(const Component &component) { builder_.CreateCall(&function_, {place(component), component.type}); }

  void add_type(GlobalVariable &type) {
    BasicBlock *found = BasicBlock::Create(module_.getContext(), "", &function_);
    BasicBlock *next = BasicBlock::Create(module_.getContext(), "", &function_);
    builder_.CreateCondBr(builder_.CreateICmpEQ(function_.getArg(1), &type), found, next);
    builder_.SetInsertPoint(found);
    const std::optional<SmallVector<Component, 4>> components = components_of(type);
    const bool is_done =
        components && all_of(*components, [this](const Component &component) { return add_component(component); });
    if (is_done)
      builder_.CreateRetVoid();
    else
      stop("an object with components that own others in an array");
    builder_.SetInsertPoint(next);
  }

  /// False where there is no code for it.
  bool add_component(const Component &component) {
    if (component.genre == automatic)
      return false;
    const StringRef name = function_.getName().drop_front(prefix.size());
    if (name == "initialize_object")
      return initialize(component);
    if (component.genre == data && component.category == derived) {
      if (component.rank == 0)
        apply(component);
      return component.rank == 0 || owns_nothing(component);
    }
    if (component.genre == allocatable)
      name == "destroy_object" ? destroy(component) : own(component);
    return true;
  }

  static bool owns_nothing(const Component &component) {
    constexpr unsigned destruction_member = 12;
    const auto *type = dyn_cast_or_null<GlobalVariable>(component.type);
    return type && type->hasInitializer() && number_in(*type->getInitializer(), destruction_member) != 0;
  }

  bool initialize(const Component &component) {
    if (component.initialization)
      return copy_initialization(component);
    if (component.genre == allocatable || component.genre == pointer)
      return establish(component);
    if (component.category == derived && component.rank == 0)
      apply(component);
    return component.category != derived || component.rank == 0;
  }

  bool copy_initialization(const Component &component) {
    const auto *value = dyn_cast<GlobalVariable>(component.initialization);
    if (!value)
      return false;
    const TypeSize bytes = module_.getDataLayout().getTypeAllocSize(value->getValueType());
    builder_.CreateMemCpy(place(component), Align(1), component.initialization, Align(1), bytes);
    return true;
  }

  /// The descriptor of nothing.
  bool establish(const Component &component) {
    constexpr std::uint8_t integer_codes[] = {7, 8, 9, 10};
    std::uint64_t size = component.kind, code = 0;
    switch (component.category) {
    case integer:
    case logical:
      code = integer_codes[Log2_64(component.kind) & 3];
      break;
    case real:
      code = component.kind == 4 ? 27 : 28;
      break;
    case complex:
      size = 2 * component.kind;
      code = component.kind == 4 ? 34 : 35;
      break;
    case derived:
      if (!describe_type(component))
        return false;
      size = size_of_object(component);
      code = derived_code;
      break;
    default:
      return false;
    }
    Type *byte = builder_.getInt8Ty();
    auto *type = StructType::get(module_.getContext(), {builder_.getPtrTy(), builder_.getInt64Ty(),
                                                        builder_.getInt32Ty(), byte, byte, byte, byte});
    Value *const members[] = {ConstantPointerNull::get(builder_.getPtrTy()),
                              builder_.getInt64(size),
                              builder_.getInt32(descriptor_version),
                              builder_.getInt8(static_cast<std::uint8_t>(component.rank)),
                              builder_.getInt8(static_cast<std::uint8_t>(code)),
                              builder_.getInt8(component.genre == pointer ? pointer_attribute : allocatable_attribute),
                              builder_.getInt8(component.category == derived ? 1 : 0)};
    for (auto [index, member] : enumerate(members))
      builder_.CreateStore(member, builder_.CreateStructGEP(type, place(component), static_cast<unsigned>(index)));
    return true;
  }

  static std::uint64_t size_of_object(const Component &component) {
    constexpr unsigned size_member = 2;
    return number_in(*cast<GlobalVariable>(component.type)->getInitializer(), size_member);
  }

  /// Behind the dimensions of the descriptor.
  bool describe_type(const Component &component) {
    const auto *type = dyn_cast_or_null<GlobalVariable>(component.type);
    if (!type || !type->hasInitializer())
      return false;
    Component described = component;
    described.offset += 24 + 24 * component.rank;
    builder_.CreateStore(component.type, place(described));
    return true;
  }

  void destroy(const Component &component) {
    if (component.category == derived && !owns_nothing(component))
      return destroy_objects(component);
    BasicBlock *release = BasicBlock::Create(module_.getContext(), "", &function_);
    BasicBlock *next = BasicBlock::Create(module_.getContext(), "", &function_);
    Value *memory = builder_.CreateLoad(builder_.getPtrTy(), place(component));
    builder_.CreateCondBr(builder_.CreateIsNull(memory), next, release);
    builder_.SetInsertPoint(release);
    builder_.CreateCall(module_.getOrInsertFunction("free", builder_.getVoidTy(), builder_.getPtrTy()), memory);
    builder_.CreateStore(ConstantPointerNull::get(builder_.getPtrTy()), place(component));
    builder_.CreateBr(next);
    builder_.SetInsertPoint(next);
  }

  /// Behind an allocatable component, each of which owns others.
  void destroy_objects(const Component &component) {
    FunctionCallee release =
        module_.getOrInsertFunction("assay_fortran_release_component", builder_.getVoidTy(), builder_.getPtrTy());
    builder_.CreateCall(release, place(component));
  }

  void own(const Component &component) {
    FunctionCallee own =
        module_.getOrInsertFunction((prefix + "own_array").str(), builder_.getVoidTy(), builder_.getPtrTy());
    builder_.CreateCall(own, place(component));
  }

  Module &module_;
  Function &function_;
  IRBuilder<> builder_;
};

} // namespace

void add_bodies_of_derived_types(Module &module) {
  for (StringRef name : {"initialize_object", "destroy_object", "own_components"})
    if (Function *function = module.getFunction((prefix + name).str()); function && function->isDeclaration())
      ObjectFunction(module, *function).write();
}

} // namespace assay::engine
