#include "core/engine/prepare/complex_products.hpp"
#include "core/engine/rules/own_function.hpp"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace assay::engine {
namespace {

/// The library's call, its parts by name, and their values on the other paths.
struct Product {
  CallInst *call = nullptr; ///< Of the factors' four numbers.
  CallInst *real = nullptr, *imag = nullptr;
  Instruction *plain_real = nullptr, *plain_imag = nullptr;
  SmallVector<BasicBlock *, 2> tests{}; ///< From the call backwards; the last one computes or sees the plain product.
  BasicBlock *end = nullptr;
};

bool is_part(const Value &value, StringRef part) {
  const auto *call = dyn_cast<CallInst>(&value);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  StringRef name = callee ? callee->getName() : "";
  return name.consume_front("assay.complex.multiply.") && name.consume_front(part) && name.starts_with(".");
}

bool is_library_product(const CallInst &call) {
  const Function *callee = call.getCalledFunction();
  return callee && callee->hasLocalLinkage() && callee->getName().starts_with("assay.primal.__mul") &&
         call.arg_size() == 4;
}

/// What was put into a pair where it is taken out again.
const Value *unpacked(Value &value) {
  Value *part = nullptr;
  if (auto *extract = dyn_cast<ExtractValueInst>(&value))
    part = FindInsertedValue(extract->getAggregateOperand(), extract->getIndices());
  else if (auto *element = dyn_cast<ExtractElementInst>(&value))
    if (const auto *index = dyn_cast<ConstantInt>(element->getIndexOperand()))
      part = findScalarElement(element->getVectorOperand(), index->getZExtValue());
  return part ? part : &value;
}

/// The only use of a part of the call by name.
CallInst *part_of(CallInst &call, StringRef part) {
  for (User *user : call.users())
    for (User *named : user->users())
      if (is_part(*named, part))
        return cast<CallInst>(named);
  return nullptr;
}

/// All that the blocks between compute is used in them alone.
bool is_only_tested(const Product &product) {
  const auto is_inside = [&](const BasicBlock *block) {
    return block == product.call->getParent() || is_contained(product.tests, block);
  };
  for (BasicBlock *block : ArrayRef(product.tests).drop_back())
    for (Instruction &instruction : *block)
      if (!instruction.isTerminator() && (instruction.mayHaveSideEffects() || instruction.mayReadFromMemory() ||
                                          any_of(instruction.users(), [&](const User *user) {
                                            return !is_inside(cast<Instruction>(user)->getParent());
                                          })))
        return false;
  return all_of(*product.call->getParent(), [&](Instruction &instruction) {
    return instruction.isTerminator() ||
           isa<ExtractValueInst, ExtractElementInst, InsertValueInst, InsertElementInst>(instruction) ||
           &instruction == product.call || &instruction == product.real || &instruction == product.imag;
  });
}

/// Whether each is NaN, or whether both are.
bool asks_for_nan(Value &condition, const Product &product) {
  Value *first = nullptr, *second = nullptr;
  if (match(&condition, m_LogicalAnd(m_Value(first), m_Value(second))))
    return asks_for_nan(*first, product) && asks_for_nan(*second, product);
  return match(&condition, m_SpecificFCmp(FCmpInst::FCMP_UNO,
                                          m_CombineOr(m_Specific(product.plain_real), m_Specific(product.plain_imag)),
                                          m_Value(second))) &&
         (isa<ConstantFP>(second) || second == product.plain_real || second == product.plain_imag);
}

/// But for the parts, which are the plain ones on all paths without the call.
bool is_same_on_all_paths(const Product &product, const PHINode &phi) {
  Value *with_call = phi.getIncomingValueForBlock(product.call->getParent());
  const Value *named = unpacked(*with_call);
  const Value *plain = named == product.real   ? product.plain_real
                       : named == product.imag ? product.plain_imag
                                               : with_call;
  return all_of(product.tests, [&](const BasicBlock *test) { return phi.getIncomingValueForBlock(test) == plain; });
}

/// ac - bd and ad + bc.
bool is_plain_product(const Product &product) {
  Value *a = product.call->getArgOperand(0), *b = product.call->getArgOperand(1), *c = product.call->getArgOperand(2),
        *d = product.call->getArgOperand(3);
  const auto times = [](Value *x, Value *y) { return m_c_FMul(m_Specific(x), m_Specific(y)); };
  return match(product.plain_real, m_FSub(times(a, c), times(b, d))) &&
         match(product.plain_imag, m_c_FAdd(times(a, d), times(b, c)));
}

/// One set of flags for all operations: none, or that they may be contracted.
std::optional<FastMathFlags> flags_of(const Product &product) {
  const FastMathFlags flags = product.plain_real->getFastMathFlags();
  FastMathFlags others = flags;
  others.setAllowContract(false);
  if (others.any())
    return std::nullopt;
  for (const Instruction *part : {product.plain_real, product.plain_imag})
    for (const Value *operand : std::initializer_list<const Value *>{part, part->getOperand(0), part->getOperand(1)})
      if (cast<Instruction>(operand)->getFastMathFlags() != flags)
        return std::nullopt;
  return flags;
}

/// The branch at the end of the only block before, which goes to `block` where a part is NaN, else to the end.
BasicBlock *test_before(const BasicBlock &block, const Product &product) {
  auto *before = const_cast<BasicBlock *>(block.getSinglePredecessor());
  const auto *branch = before ? dyn_cast<BranchInst>(before->getTerminator()) : nullptr;
  return branch && branch->isConditional() && branch->getSuccessor(1) == product.end ? before : nullptr;
}

/// The parts on the path of the test are the plain ones.
bool find_plain(Product &product, const BasicBlock &test) {
  for (const PHINode &phi : product.end->phis()) {
    const Value *named = unpacked(*phi.getIncomingValueForBlock(product.call->getParent()));
    auto *plain = dyn_cast<Instruction>(phi.getIncomingValueForBlock(&test));
    if (named == product.real)
      product.plain_real = plain;
    else if (named == product.imag)
      product.plain_imag = plain;
  }
  return product.plain_real && product.plain_imag;
}

void find_tests(Product &product) {
  const BasicBlock *block = product.call->getParent();
  while (BasicBlock *test = test_before(*block, product)) {
    if ((product.tests.empty() && !find_plain(product, *test)) ||
        !asks_for_nan(*cast<BranchInst>(test->getTerminator())->getCondition(), product))
      return;
    product.tests.push_back(test);
    block = test;
  }
}

std::optional<Product> product_of(CallInst &call) {
  Product product{&call, part_of(call, "real"), part_of(call, "imag")};
  product.end = call.getParent()->getSingleSuccessor();
  if (!product.real || !product.imag || !product.end || product.end == call.getParent())
    return std::nullopt;
  find_tests(product);
  if (product.tests.empty() || !is_plain_product(product) || !is_only_tested(product) ||
      !all_of(product.end->phis(), [&](const PHINode &phi) { return is_same_on_all_paths(product, phi); }))
    return std::nullopt;
  return product;
}

/// The product of its four arguments in the form that the library's function returns.
Function *product_function(const CallInst &call, FastMathFlags flags) {
  Module &module = *const_cast<Module *>(call.getModule());
  Type *number = call.getArgOperand(0)->getType();
  std::string name;
  raw_string_ostream(name) << "assay.primal.product." << *number << (flags.allowContract() ? ".contract" : "");
  return own_function(module, name, call.getFunctionType(), [&](Function &function) {
    function.setDoesNotAccessMemory();
    function.setWillReturn();
    function.addFnAttr(Attribute::NoInline);
    LLVMContext &context = module.getContext();
    auto *entry = BasicBlock::Create(context, "", &function);
    auto *library = BasicBlock::Create(context, "library", &function);
    auto *plain = BasicBlock::Create(context, "plain", &function);
    Value *a = function.getArg(0), *b = function.getArg(1), *c = function.getArg(2), *d = function.getArg(3);
    IRBuilder<> builder(entry);
    builder.setFastMathFlags(flags);
    Value *real = builder.CreateFSub(builder.CreateFMul(a, c), builder.CreateFMul(b, d));
    Value *imag = builder.CreateFAdd(builder.CreateFMul(a, d), builder.CreateFMul(b, c));
    builder.clearFastMathFlags();
    Value *undefined = builder.CreateAnd(builder.CreateFCmpUNO(real, real), builder.CreateFCmpUNO(imag, imag));
    builder.CreateCondBr(undefined, library, plain, MDBuilder(context).createUnlikelyBranchWeights());
    builder.SetInsertPoint(plain);
    Value *pair = PoisonValue::get(call.getType());
    const bool is_vector = call.getType()->isVectorTy();
    for (const auto &[index, part] : {std::pair(0u, real), std::pair(1u, imag)})
      pair = is_vector ? builder.CreateInsertElement(pair, part, std::uint64_t(index))
                       : builder.CreateInsertValue(pair, part, index);
    builder.CreateRet(pair);
    builder.SetInsertPoint(library);
    CallInst *inner = builder.CreateCall(call.getCalledFunction(), {a, b, c, d});
    builder.CreateRet(inner);
    InlineFunctionInfo information;
    InlineFunction(*inner, information);
  });
}

/// The parts are computed where the tests began, and the paths are gone.
void join(const Product &product, FastMathFlags flags) {
  BasicBlock *start = product.tests.back();
  IRBuilder<> builder(start->getTerminator());
  builder.SetCurrentDebugLocation(product.plain_real->getDebugLoc());
  Value *whole =
      builder.CreateCall(product_function(*product.call, flags), SmallVector<Value *, 4>(product.call->args()));
  product.call->replaceAllUsesWith(whole);
  BasicBlock *library = product.call->getParent();
  for (Instruction &instruction : make_early_inc_range(*library))
    if (!instruction.isTerminator() && &instruction != product.call)
      instruction.moveBefore(start->getTerminator()->getIterator());
  product.call->eraseFromParent();
  for (PHINode &phi : product.end->phis())
    phi.setIncomingValueForBlock(start, phi.getIncomingValueForBlock(library));
  start->getTerminator()->eraseFromParent();
  BranchInst::Create(product.end, start);
  SmallVector<BasicBlock *, 3> left(ArrayRef(product.tests).drop_back());
  left.push_back(library);
  DeleteDeadBlocks(left);
}

} // namespace

void join_complex_products(Function &function) {
  SmallVector<CallInst *, 4> calls;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&instruction); call && is_library_product(*call))
      calls.push_back(call);
  for (CallInst *call : calls)
    if (const std::optional<Product> product = product_of(*call))
      if (const std::optional<FastMathFlags> flags = flags_of(*product))
        join(*product, *flags);
}

} // namespace assay::engine
