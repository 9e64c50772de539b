#include "core/engine/lowering/result_packing.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "core/engine/support/type_content.hpp"

using namespace llvm;

namespace assay::engine {
namespace {

bool same_kind(Type *from, Type *to) {
  const auto kind = [](Type *type) { return type->isFloatingPointTy() ? 0 : type->isPointerTy() ? 1 : 2; };
  return kind(from) == kind(to) || (!from->isFloatingPointTy() && !to->isFloatingPointTy());
}

Value *convert_scalar(IRBuilderBase &builder, Value *value, Type *to) {
  Type *from = value->getType();
  if (from == to)
    return value;
  if (from->isFloatingPointTy())
    return builder.CreateFPCast(value, to);
  if (from->isPointerTy())
    return to->isPointerTy() ? builder.CreateAddrSpaceCast(value, to) : builder.CreatePtrToInt(value, to);
  return to->isPointerTy() ? builder.CreateIntToPtr(value, to) : builder.CreateIntCast(value, to, true);
}

SmallVector<Type *, 8> scalar_types(ArrayRef<Type *> pieces, const DataLayout &layout) {
  SmallVector<Type *, 8> types;
  for (Type *piece : pieces)
    for (const Leaf &leaf : leaves_of(piece, layout))
      types.push_back(leaf.type);
  return types;
}

SmallVector<Value *, 8> scalars(IRBuilderBase &builder, ArrayRef<Value *> pieces, const DataLayout &layout) {
  SmallVector<Value *, 8> values;
  for (Value *piece : pieces)
    for (const Leaf &leaf : leaves_of(piece->getType(), layout))
      values.push_back(extract_leaf(builder, piece, leaf.path));
  return values;
}

bool correspond(ArrayRef<Type *> from, ArrayRef<Leaf> to) {
  return from.size() == to.size() &&
         all_of(zip(from, to), [](const auto &pair) { return same_kind(std::get<0>(pair), std::get<1>(pair).type); });
}

/// The pieces as one C struct: for results that the platform passes as bits of integers.
StructType *image_of(ArrayRef<Type *> pieces, LLVMContext &context) {
  return StructType::get(context, pieces);
}

/// Where the last member of `type` ends: three 32-bit integers are returned as {i64, i32}, which has padding behind it.
std::uint64_t end_of_members(Type *type, const DataLayout &layout) {
  auto *structure = dyn_cast<StructType>(type);
  if (!structure || structure->getNumElements() == 0)
    return layout.getTypeStoreSize(type);
  const unsigned last = structure->getNumElements() - 1;
  return layout.getStructLayout(structure)->getElementOffset(last) +
         layout.getTypeStoreSize(structure->getElementType(last));
}

bool fits_as_image(ArrayRef<Type *> pieces, Type *declared, const DataLayout &layout) {
  const std::uint64_t image = layout.getTypeAllocSize(image_of(pieces, declared->getContext()));
  return image == layout.getTypeStoreSize(declared) || image == layout.getTypeAllocSize(declared) ||
         image == end_of_members(declared, layout);
}

AllocaInst *stack_slot(IRBuilderBase &builder, Type *type) {
  BasicBlock &entry = builder.GetInsertBlock()->getParent()->getEntryBlock();
  IRBuilder<> at_entry(&entry, entry.getFirstInsertionPt());
  return at_entry.CreateAlloca(type);
}

void write_to(IRBuilderBase &builder, Value *pointer, Type *type, ArrayRef<Value *> values, const DataLayout &layout) {
  for (auto [leaf, value] : zip(leaves_of(type, layout), values)) {
    Value *address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), pointer, leaf.offset);
    builder.CreateAlignedStore(convert_scalar(builder, value, leaf.type), address, Align(1));
  }
}

Value *load_as(IRBuilderBase &builder, Type *declared, ArrayRef<Value *> pieces, const DataLayout &layout) {
  SmallVector<Type *, 4> types;
  for (Value *piece : pieces)
    types.push_back(piece->getType());
  StructType *image = image_of(types, builder.getContext());
  const bool larger = layout.getTypeAllocSize(declared) > layout.getTypeAllocSize(image);
  Value *slot = stack_slot(builder, larger ? declared : image);
  for (auto [index, piece] : enumerate(pieces))
    builder.CreateStore(piece, builder.CreateStructGEP(image, slot, index));
  return builder.CreateLoad(declared, slot);
}

} // namespace

Value *extract_leaf(IRBuilderBase &builder, Value *value, ArrayRef<unsigned> path) {
  for (unsigned index : path)
    value = value->getType()->isVectorTy() ? builder.CreateExtractElement(value, index)
                                           : builder.CreateExtractValue(value, index);
  return value;
}

Value *insert_leaf(IRBuilderBase &builder, Value *value, Value *leaf, ArrayRef<unsigned> path) {
  if (path.empty())
    return leaf;
  const unsigned index = path.front();
  if (value->getType()->isVectorTy())
    return builder.CreateInsertElement(value, leaf, index);
  Value *inner = insert_leaf(builder, builder.CreateExtractValue(value, index), leaf, path.drop_front());
  return builder.CreateInsertValue(value, inner, index);
}

Type *declared_result(const CallBase &call) {
  return call.hasStructRetAttr() ? call.getParamStructRetType(0) : call.getType();
}

Error check_packing(const CallBase &call, ArrayRef<Type *> pieces) {
  Type *declared = declared_result(call);
  if (declared->isVoidTy() || pieces.empty())
    return Error::success();
  const DataLayout &layout = call.getDataLayout();
  const auto from = scalar_types(pieces, layout);
  const auto to = leaves_of(declared, layout);
  if (correspond(from, to) || fits_as_image(pieces, declared, layout))
    return Error::success();
  std::string text;
  raw_string_ostream out(text);
  out << "the derivative returns " << from.size() << (from.size() == 1 ? " value (" : " values (");
  for (auto [index, type] : enumerate(from))
    out << (index ? ", " : "") << *type;
  out << "), but the call is declared to return " << *declared;
  return unsupported(call, text, "declare the call to return a struct with one member for each gradient, in order");
}

Value *pack_result(IRBuilderBase &builder, CallBase &call, ArrayRef<Value *> pieces) {
  Type *declared = declared_result(call);
  if (declared->isVoidTy())
    return nullptr;
  const DataLayout &layout = call.getDataLayout();
  const auto values = scalars(builder, pieces, layout);
  const auto leaves = leaves_of(declared, layout);
  if (call.hasStructRetAttr()) {
    write_to(builder, call.getArgOperand(0), declared, values, layout);
    return nullptr;
  }
  if (pieces.empty())
    return Constant::getNullValue(declared);
  if (leaves.size() != values.size())
    return load_as(builder, declared, pieces, layout);
  Value *result = PoisonValue::get(declared);
  for (auto [leaf, value] : zip(leaves, values)) {
    if (!same_kind(value->getType(), leaf.type))
      return load_as(builder, declared, pieces, layout);
    result = insert_leaf(builder, result, convert_scalar(builder, value, leaf.type), leaf.path);
  }
  return result;
}

} // namespace assay::engine
