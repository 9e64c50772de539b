#include "core/engine/rules/reduction.hpp"
#include "llvm/IR/DerivedTypes.h"

using namespace llvm;

namespace assay::engine {

static Value *sum(IRBuilderBase &builder, Value *vector) {
  return builder.CreateFAddReduce(ConstantFP::getNegativeZero(vector->getType()->getScalarType()), vector);
}

/// For each lane the product of the start value and all other lanes: products from the left times products from the
/// right.
static Value *products_of_others(IRBuilderBase &builder, Value *start, Value *vector, FixedVectorType *type) {
  const unsigned lanes = type->getNumElements();
  SmallVector<Value *, 8> elements;
  for (unsigned lane = 0; lane < lanes; ++lane)
    elements.push_back(builder.CreateExtractElement(vector, lane));
  SmallVector<Value *, 8> from_left = {start};
  for (unsigned lane = 0; lane + 1 < lanes; ++lane)
    from_left.push_back(builder.CreateFMul(from_left.back(), elements[lane]));

  Value *result = PoisonValue::get(type);
  Value *from_right = ConstantFP::get(type->getElementType(), 1.0);
  for (unsigned lane = lanes; lane-- > 0;) {
    result = builder.CreateInsertElement(result, builder.CreateFMul(from_left[lane], from_right), lane);
    from_right = builder.CreateFMul(from_right, elements[lane]);
  }
  return result;
}

Value *emit_reduction_product(IRBuilderBase &builder, Shape shape, unsigned index, ArrayRef<Value *> operands,
                              FixedVectorType *vector, Value *seed) {
  const bool is_tangent = seed->getType()->isVectorTy();
  if (index == 0) {
    if (shape == Shape::sum_reduction)
      return seed;
    return builder.CreateFMul(seed, builder.CreateFMulReduce(ConstantFP::get(seed->getType(), 1.0), operands[1]));
  }
  Value *spread = is_tangent ? seed : builder.CreateVectorSplat(vector->getElementCount(), seed);
  if (shape == Shape::product_reduction)
    spread = builder.CreateFMul(spread, products_of_others(builder, operands[0], operands[1], vector));
  return is_tangent ? sum(builder, spread) : spread;
}

} // namespace assay::engine
