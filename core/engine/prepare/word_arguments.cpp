#include "core/engine/prepare/word_arguments.hpp"
#include "core/engine/prepare/split_joins.hpp"
#include "core/engine/rules/scalar_rule.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr unsigned float_bits = 32;
constexpr std::int64_t half_word = 4;
constexpr const char *suffix = ".words_in_memory";

using Indices = SmallVector<unsigned, 4>;

bool is_floating(const Type &type) {
  return type.isFPOrFPVectorTy();
}

/// Bytes of a variable.
struct Piece {
  const AllocaInst *variable;
  std::int64_t begin;
  std::int64_t end;
};

std::optional<Piece> piece_behind(const Value &pointer, std::uint64_t size, const DataLayout &layout) {
  APInt offset(layout.getIndexTypeSizeInBits(pointer.getType()), 0);
  const auto *variable = dyn_cast<AllocaInst>(pointer.stripAndAccumulateConstantOffsets(layout, offset, true));
  if (!variable)
    return std::nullopt;
  return Piece{variable, offset.getSExtValue(), offset.getSExtValue() + static_cast<std::int64_t>(size)};
}

bool overlap(const std::optional<Piece> &one, const Piece &other) {
  return one && one->variable == other.variable && one->begin < other.end && other.begin < one->end;
}

/// True where a number is read from the variable that a word was stored in, or the word is copied on: code that is not
/// optimised has parameters there. What is half as wide and only copied is taken for a tag.
bool may_hold_number(const Piece &word, const Function &function) {
  const DataLayout &layout = function.getDataLayout();
  return any_of(instructions(function), [&](const Instruction &instruction) {
    if (const auto *load = dyn_cast<LoadInst>(&instruction); load && is_floating(*load->getType()))
      return overlap(piece_behind(*load->getPointerOperand(), layout.getTypeStoreSize(load->getType()), layout), word);
    const auto *copy = dyn_cast<MemTransferInst>(&instruction);
    const auto *size = copy && word.end - word.begin > half_word ? dyn_cast<ConstantInt>(copy->getLength()) : nullptr;
    return size && overlap(piece_behind(*copy->getSource(), size->getZExtValue(), layout), word);
  });
}

/// True where the bits of a parameter become a number.
bool may_be_number(const Argument &parameter) {
  const DataLayout &layout = parameter.getParent()->getDataLayout();
  SmallSetVector<const Value *, 8> words;
  words.insert(&parameter);
  for (unsigned next = 0; next < words.size(); ++next)
    for (const User *user : words[next]->users()) {
      if (isa<BitCastInst>(user) && is_floating(*user->getType()))
        return true;
      if (isa<PHINode, SelectInst, FreezeInst>(user))
        words.insert(user);
      const auto *store = dyn_cast<StoreInst>(user);
      if (!store || store->getValueOperand() != words[next])
        continue;
      const auto place =
          piece_behind(*store->getPointerOperand(), layout.getTypeStoreSize(words[next]->getType()), layout);
      if (place && may_hold_number(*place, *parameter.getParent()))
        return true;
    }
  return false;
}

bool is_word(const Type &type) {
  return type.isIntegerTy() && type.getIntegerBitWidth() >= float_bits;
}

Indices words_of(const Function &callee) {
  Indices words;
  for (const Argument &parameter : callee.args())
    if (is_word(*parameter.getType()) && may_be_number(parameter))
      words.push_back(parameter.getArgNo());
  return words;
}

/// The same function, which loads its words, as a number where they become one; its own calls are left as they are.
Function &copy_that_loads(Function &callee, ArrayRef<unsigned> words) {
  Module &module = *callee.getParent();
  SmallVector<Type *, 8> parameters(callee.getFunctionType()->params());
  for (const unsigned word : words)
    parameters[word] = PointerType::getUnqual(module.getContext());
  Function *copy = Function::Create(FunctionType::get(callee.getReturnType(), parameters, false),
                                    GlobalValue::InternalLinkage, callee.getName() + suffix, module);
  SmallVector<Argument *, 4> stand_ins; // for the words, until there is a block to load them in
  ValueToValueMapTy map;
  for (Argument &parameter : callee.args()) {
    copy->getArg(parameter.getArgNo())->setName(parameter.getName());
    map[&parameter] = is_contained(words, parameter.getArgNo())
                          ? stand_ins.emplace_back(new Argument(parameter.getType(), parameter.getName()))
                          : copy->getArg(parameter.getArgNo());
  }
  SmallVector<ReturnInst *, 4> exits;
  CloneFunctionInto(copy, &callee, map, CloneFunctionChangeType::LocalChangesOnly, exits);
  copy->setLinkage(GlobalValue::InternalLinkage);
  copy->setVisibility(GlobalValue::DefaultVisibility);
  copy->setComdat(nullptr);
  copy->removeFnAttr(Attribute::Memory);
  IRBuilder<> builder(&copy->getEntryBlock(), copy->getEntryBlock().getFirstInsertionPt());
  for (const auto [word, stand_in] : zip(words, stand_ins)) {
    copy->setAttributes(copy->getAttributes().removeParamAttributes(module.getContext(), word));
    stand_in->replaceAllUsesWith(builder.CreateLoad(stand_in->getType(), copy->getArg(word), stand_in->getName()));
    delete stand_in;
  }
  split_joins(*copy);
  return *copy;
}

/// The number or the address of which `word` has the bits, or the word itself.
Value *origin_of(Value *word) {
  const auto *cast = dyn_cast<CastInst>(word);
  if (!cast || !isa<PtrToIntInst, BitCastInst>(cast))
    return word;
  const DataLayout &layout = cast->getDataLayout();
  Value *origin = cast->getOperand(0);
  return layout.getTypeStoreSize(origin->getType()) == layout.getTypeStoreSize(word->getType()) ? origin : word;
}

void redirect(CallBase &call, Function &copy, ArrayRef<unsigned> words) {
  BasicBlock &entry = call.getFunction()->getEntryBlock();
  SmallVector<Value *, 8> arguments(call.args());
  AttributeList attributes = call.getAttributes().removeFnAttribute(call.getContext(), Attribute::Memory);
  IRBuilder<> builder(&call);
  for (const unsigned word : words) {
    Value *origin = origin_of(arguments[word]);
    arguments[word] =
        IRBuilder<>(&entry, entry.begin()).CreateAlloca(call.getArgOperand(word)->getType(), nullptr, "word");
    builder.CreateStore(origin, arguments[word]);
    attributes = attributes.removeParamAttributes(call.getContext(), word);
  }
  CallBase *redirected = nullptr;
  if (auto *invoke = dyn_cast<InvokeInst>(&call))
    redirected = builder.CreateInvoke(&copy, invoke->getNormalDest(), invoke->getUnwindDest(), arguments);
  else
    redirected = builder.CreateCall(&copy, arguments);
  redirected->setAttributes(attributes);
  redirected->setCallingConv(call.getCallingConv());
  redirected->setDebugLoc(call.getDebugLoc());
  call.replaceAllUsesWith(redirected);
  call.eraseFromParent();
}

struct CallOfWords {
  CallBase *call;
  Indices words;
};

SmallVector<CallOfWords, 4> calls_of_words(Function &function, const FunctionInfo &function_info) {
  SmallVector<CallOfWords, 4> calls;
  for (Instruction &instruction : instructions(function)) {
    auto *call = dyn_cast<CallBase>(&instruction);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || is_derivative_free(*call, function_info) || callee->isDeclaration() || callee->isVarArg() ||
        function_info.keeps_call(*callee) || callee->getFunctionType() != call->getFunctionType())
      continue;
    if (Indices words = words_of(*callee); !words.empty())
      calls.push_back({call, std::move(words)});
  }
  return calls;
}

} // namespace

void pass_words_through_memory(Function &function, const FunctionInfo &function_info) {
  for (const CallOfWords &found : calls_of_words(function, function_info)) {
    Function &callee = *found.call->getCalledFunction();
    Function *copy = function.getParent()->getFunction((callee.getName() + suffix).str());
    const bool is_new = copy == nullptr;
    if (is_new)
      copy = &copy_that_loads(callee, found.words);
    redirect(*found.call, *copy, found.words);
    if (is_new)
      pass_words_through_memory(*copy, function_info); // what it calls is seen before it is prepared
  }
}

} // namespace assay::engine
