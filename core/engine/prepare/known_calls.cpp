#include "core/engine/prepare/known_calls.hpp"
#include "core/engine/analysis/library_effects.hpp"
#include "core/engine/prepare/complex_calls.hpp"
#include "core/engine/prepare/library_algorithms.hpp"
#include "core/engine/support/call_marks.hpp"
#include "core/engine/support/device_target.hpp"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// A declaration of a function of the C library; calls of pure ones carry the attributes that let them move.
FunctionCallee declare_function(Module &module, StringRef name, Type *result, ArrayRef<Type *> parameters) {
  return module.getOrInsertFunction(name, FunctionType::get(result, parameters, false));
}

Value *pure_call(IRBuilder<> &builder, StringRef name, Type *result, ArrayRef<Value *> arguments) {
  SmallVector<Type *, 2> types;
  for (Value *argument : arguments)
    types.push_back(argument->getType());
  CallInst *call =
      builder.CreateCall(declare_function(*builder.GetInsertBlock()->getModule(), name, result, types), arguments);
  call->setDoesNotAccessMemory();
  call->setDoesNotThrow();
  call->addFnAttr(Attribute::WillReturn);
  return call;
}

/// `sincosf` and `sinf` share their last letter: f, l, or none.
StringRef precision_suffix(Type *type) {
  return type->isFloatTy() ? "f" : type->isDoubleTy() ? "" : "l";
}

/// sincos(x, s, c): two calls and two stores.
bool expand_sincos(CallInst &call) {
  IRBuilder<> builder(&call);
  Value *x = call.getArgOperand(0);
  const std::string suffix = precision_suffix(x->getType()).str();
  builder.CreateStore(pure_call(builder, "sin" + suffix, x->getType(), {x}), call.getArgOperand(1));
  builder.CreateStore(pure_call(builder, "cos" + suffix, x->getType(), {x}), call.getArgOperand(2));
  return true;
}

Value *is_infinite(IRBuilder<> &builder, Value *x) {
  return builder.CreateFCmpOEQ(builder.CreateUnaryIntrinsic(Intrinsic::fabs, x), ConstantFP::getInfinity(x->getType()));
}

/// The fraction of x, whose derivative is that of x: x - trunc(x), with the sign of x also where that is zero.
/// Infinities give a signed zero.
Value *fraction(IRBuilder<> &builder, Value *x, Value *whole) {
  Constant *zero = Constant::getNullValue(x->getType());
  Value *sign = builder.CreateBinaryIntrinsic(Intrinsic::copysign, ConstantFP::get(x->getType(), 1.0), x);
  Value *negative = builder.CreateFNeg(builder.CreateFSub(whole, x));
  Value *rest = builder.CreateSelect(builder.CreateFCmpOLT(sign, zero), negative, builder.CreateFSub(x, whole));
  Value *signed_zero = builder.CreateBinaryIntrinsic(Intrinsic::copysign, zero, x);
  return builder.CreateSelect(is_infinite(builder, x), signed_zero, rest);
}

/// modf(x, p): the integral part has no derivative.
bool expand_modf(CallInst &call) {
  IRBuilder<> builder(&call);
  Value *x = call.getArgOperand(0);
  Value *whole = builder.CreateUnaryIntrinsic(Intrinsic::trunc, x);
  builder.CreateStore(whole, call.getArgOperand(1));
  call.replaceAllUsesWith(fraction(builder, x, whole));
  return true;
}

void replace_by_pair(IRBuilder<> &builder, CallInst &call, Value *first, Value *second) {
  Value *pair = builder.CreateInsertValue(PoisonValue::get(call.getType()), first, 0);
  call.replaceAllUsesWith(builder.CreateInsertValue(pair, second, 1));
}

/// llvm.modf(x) = {fraction, integral part}
bool expand_modf_intrinsic(CallInst &call) {
  IRBuilder<> builder(&call);
  Value *x = call.getArgOperand(0);
  Value *whole = builder.CreateUnaryIntrinsic(Intrinsic::trunc, x);
  replace_by_pair(builder, call, fraction(builder, x, whole), whole);
  return true;
}

/// llvm.sincos(x) = {sin x, cos x}
bool expand_sincos_intrinsic(CallInst &call) {
  IRBuilder<> builder(&call);
  Value *x = call.getArgOperand(0);
  Value *sine = builder.CreateUnaryIntrinsic(Intrinsic::sin, x);
  replace_by_pair(builder, call, sine, builder.CreateUnaryIntrinsic(Intrinsic::cos, x));
  return true;
}

/// llvm.frexp(x) = {fraction, exponent}, by the function of the C library. Numbers of 16 bits go through float, which
/// holds their fractions exactly.
bool expand_frexp_intrinsic(CallInst &call) {
  Value *x = call.getArgOperand(0);
  Type *type = x->getType();
  if (type->isVectorTy() || is_device_code(call))
    return false;
  IRBuilder<> slots(&*call.getFunction()->getEntryBlock().getFirstInsertionPt());
  AllocaInst *exponent = slots.CreateAlloca(slots.getInt32Ty(), nullptr, "exponent");
  IRBuilder<> builder(&call);
  Type *computed = type->is16bitFPTy() ? builder.getFloatTy() : type;
  const std::string name = "frexp" + precision_suffix(computed).str();
  const FunctionCallee function = declare_function(*call.getModule(), name, computed, {computed, exponent->getType()});
  Value *fraction = builder.CreateCall(function, {builder.CreateFPCast(x, computed), exponent});
  Value *read = builder.CreateLoad(builder.getInt32Ty(), exponent);
  replace_by_pair(builder, call, builder.CreateFPCast(fraction, type),
                  builder.CreateIntCast(read, call.getType()->getStructElementType(1), true));
  return true;
}

/// realloc(p, n) as malloc, copy, free, which differentiate each for themselves. The old block is at least as large as
/// asked for by malloc_usable_size, so the copy reads only what belongs to it; emission asks for its shadows as well.
bool expand_realloc(CallInst &call) {
  Module &module = *call.getModule();
  Type *pointer = call.getType();
  Type *size_type = call.getArgOperand(1)->getType();
  IRBuilder<> builder(&call);
  Value *old_memory = call.getArgOperand(0), *size = call.getArgOperand(1);
  if (PatternMatch::match(size, PatternMatch::m_Zero())) { // releases
    builder.CreateCall(declare_function(module, "free", builder.getVoidTy(), {pointer}), {old_memory});
    call.replaceAllUsesWith(Constant::getNullValue(pointer));
    return true;
  }
  CallInst *memory = builder.CreateCall(declare_function(module, "malloc", pointer, {size_type}), {size});
  memory->addRetAttr(Attribute::NoAlias);
  CallInst *old_size =
      builder.CreateCall(declare_function(module, "malloc_usable_size", size_type, {pointer}), {old_memory});
  old_size->setDoesNotThrow();
  Value *kept = builder.CreateBinaryIntrinsic(Intrinsic::umin, size, old_size);
  builder.CreateMemCpy(memory, Align(8), old_memory, Align(8), kept);
  builder.CreateCall(declare_function(module, "free", builder.getVoidTy(), {pointer}), {old_memory});
  call.replaceAllUsesWith(memory);
  return true;
}

/// reallocarray(p, n, size): realloc of the product, or of more than there is.
bool expand_reallocarray(CallInst &call) {
  IRBuilder<> builder(&call);
  Value *count = call.getArgOperand(1), *size = call.getArgOperand(2);
  Value *product = builder.CreateIntrinsic(Intrinsic::umul_with_overflow, {count->getType()}, {count, size});
  Value *bytes =
      builder.CreateSelect(builder.CreateExtractValue(product, 1), Constant::getAllOnesValue(count->getType()),
                           builder.CreateExtractValue(product, 0));
  CallInst *simple = builder.CreateCall(
      declare_function(*call.getModule(), "realloc", call.getType(), {call.getType(), count->getType()}),
      {call.getArgOperand(0), bytes});
  call.replaceAllUsesWith(simple);
  if (expand_realloc(*simple))
    simple->eraseFromParent();
  return true;
}

/// strdup(s), strndup(s, n): memory of its own like any other, with the text in it.
bool expand_strdup(CallInst &call) {
  Module &module = *call.getModule();
  IRBuilder<> builder(&call);
  Type *pointer = call.getType(), *word = builder.getIntPtrTy(module.getDataLayout());
  SmallVector<Value *, 2> limited(call.args());
  SmallVector<Type *, 2> types{pointer};
  if (limited.size() == 2)
    types.push_back(word);
  Value *length =
      builder.CreateCall(declare_function(module, limited.size() == 2 ? "strnlen" : "strlen", word, types), limited);
  CallInst *memory = builder.CreateCall(declare_function(module, "malloc", pointer, {word}),
                                        {builder.CreateAdd(length, ConstantInt::get(word, 1))});
  memory->addRetAttr(Attribute::NoAlias);
  builder.CreateCall(declare_function(module, "strncpy", pointer, {pointer, pointer, word}),
                     {memory, call.getArgOperand(0), length});
  builder.CreateStore(builder.getInt8(0), builder.CreateGEP(builder.getInt8Ty(), memory, length));
  call.replaceAllUsesWith(memory);
  return true;
}

/// The function beside `name`, which grows memory, of Rust's allocator or of its default one
/// (support/rust_allocators.hpp): the length stands before a name when it is mangled.
std::string beside_rust_realloc(StringRef name, StringRef wanted) {
  const std::string family = name.ends_with("__rdl_realloc") ? "__rdl_" : "__rust_";
  const std::string realloc = family + "realloc", base = family + wanted.str();
  StringRef prefix = name.drop_back(realloc.size());
  const bool is_mangled = prefix.consume_back(utostr(realloc.size()) + "_");
  return (is_mangled ? prefix.str() + utostr(base.size()) + "_" : prefix.str()) + base;
}

/// __rust_realloc(p, old size, alignment, new size), likewise.
bool expand_rust_realloc(CallInst &call) {
  Module &module = *call.getModule();
  LLVMContext &context = call.getContext();
  IRBuilder<> builder(&call);
  Type *pointer = call.getType(), *word = call.getArgOperand(1)->getType();
  Value *old_memory = call.getArgOperand(0), *old_size = call.getArgOperand(1), *alignment = call.getArgOperand(2),
        *size = call.getArgOperand(3);
  const StringRef name = call.getCalledFunction()->getName();
  CallInst *memory = builder.CreateCall(
      declare_function(module, beside_rust_realloc(name, "alloc"), pointer, {word, word}), {size, alignment});
  memory->addRetAttr(Attribute::NoAlias);
  memory->addFnAttr(Attribute::getWithAllocSizeArgs(context, 0, std::nullopt));
  memory->addFnAttr(Attribute::get(context, Attribute::AllocKind, std::uint64_t(AllocFnKind::Alloc)));
  builder.CreateMemCpy(memory, Align(1), old_memory, Align(1),
                       builder.CreateBinaryIntrinsic(Intrinsic::umin, size, old_size));
  CallInst *release = builder.CreateCall(
      declare_function(module, beside_rust_realloc(name, "dealloc"), builder.getVoidTy(), {pointer, word, word}),
      {old_memory, old_size, alignment});
  release->addParamAttr(0, Attribute::AllocatedPointer);
  release->addFnAttr(Attribute::get(context, Attribute::AllocKind, std::uint64_t(AllocFnKind::Free)));
  call.replaceAllUsesWith(memory);
  return true;
}

/// posix_memalign(p, alignment, size): the allocation of aligned memory and a store. It only fails without memory, and
/// then what is stored may be anything.
bool expand_posix_memalign(CallInst &call) {
  constexpr std::uint64_t out_of_memory = 12; // ENOMEM
  Module &module = *call.getModule();
  IRBuilder<> builder(&call);
  Type *pointer = builder.getPtrTy(), *word = call.getArgOperand(1)->getType();
  CallInst *memory = builder.CreateCall(declare_function(module, "memalign", pointer, {word, word}),
                                        {call.getArgOperand(1), call.getArgOperand(2)});
  memory->addRetAttr(Attribute::NoAlias);
  builder.CreateStore(memory, call.getArgOperand(0));
  Type *status = call.getType();
  call.replaceAllUsesWith(builder.CreateSelect(builder.CreateIsNull(memory), ConstantInt::get(status, out_of_memory),
                                               Constant::getNullValue(status)));
  return true;
}

/// A search in the object of argument 0, or null: the distance from there, which is the same in the shadow.
bool expand_search(CallInst &call) {
  if (!call.getType()->isPointerTy() || is_measured_search(call))
    return false;
  call.addFnAttr(Attribute::get(call.getContext(), measured_search_attribute));
  IRBuilder<> builder(&**call.getInsertionPointAfterDef());
  Value *object = call.getArgOperand(0), *none = builder.CreateIsNull(&call);
  Type *word = builder.getIntPtrTy(call.getModule()->getDataLayout());
  Value *address = builder.CreatePtrToInt(&call, word);
  Value *distance = builder.CreateSub(address, builder.CreatePtrToInt(object, word));
  Value *found = builder.CreateSelect(none, Constant::getNullValue(call.getType()),
                                      builder.CreateGEP(builder.getInt8Ty(), object, distance));
  call.replaceUsesWithIf(found, [&](const Use &use) { return use.getUser() != none && use.getUser() != address; });
  return false; // stays
}

/// strtod(s, end) and relatives: the end is the distance from the start of the text, as for a search.
bool expand_conversion(CallInst &call) {
  Value *text = call.getArgOperand(0), *end = call.getArgOperand(1);
  if (isa<ConstantPointerNull>(end) || call.hasFnAttr(noreturn_path_call_attribute))
    return false;
  call.addFnAttr(
      Attribute::get(call.getContext(), noreturn_path_call_attribute)); // it writes to memory of its own alone
  BasicBlock &entry = call.getFunction()->getEntryBlock();
  IRBuilder<> slots(&entry, entry.getFirstInsertionPt());
  AllocaInst *found = slots.CreateAlloca(text->getType(), nullptr, "text.end");
  AllocaInst *nowhere = slots.CreateAlloca(text->getType(), nullptr, "text.unused");
  call.setArgOperand(1, found);
  call.setTailCallKind(CallInst::TCK_None); // Such a call would not see the variable.
  IRBuilder<> builder(call.getNextNode());
  Type *word = builder.getIntPtrTy(call.getDataLayout());
  Value *address = builder.CreatePtrToInt(builder.CreateLoad(text->getType(), found), word);
  Value *distance = builder.CreateSub(address, builder.CreatePtrToInt(text, word));
  Value *place = end;
  if (!isa<AllocaInst>(end->stripInBoundsOffsets()))
    place = builder.CreateSelect(builder.CreateIsNull(end), nowhere, end);
  builder.CreateStore(builder.CreateGEP(builder.getInt8Ty(), text, distance), place);
  return false; // stays
}

using Expansion = bool (*)(CallInst &);

Expansion expansion_of_intrinsic(Intrinsic::ID id) {
  if (id == Intrinsic::modf)
    return expand_modf_intrinsic;
  if (id == Intrinsic::frexp)
    return expand_frexp_intrinsic;
  return id == Intrinsic::sincos ? expand_sincos_intrinsic : nullptr;
}

Expansion expansion_of_role(LibraryRole role) {
  switch (role) {
  case LibraryRole::sine_and_cosine:
    return expand_sincos;
  case LibraryRole::fraction:
    return expand_modf;
  case LibraryRole::reallocate:
    return expand_realloc;
  case LibraryRole::reallocate_array:
    return expand_reallocarray;
  case LibraryRole::rust_reallocate:
    return expand_rust_realloc;
  case LibraryRole::allocate_into:
    return expand_posix_memalign;
  case LibraryRole::duplicate_text:
    return expand_strdup;
  case LibraryRole::sort:
    return expand_qsort;
  case LibraryRole::binary_search:
    return expand_bsearch;
  case LibraryRole::search:
    return expand_search;
  case LibraryRole::convert_text:
    return expand_conversion;
  case LibraryRole::none:
  case LibraryRole::device_form:
  case LibraryRole::device_memory:
  case LibraryRole::copy_bytes: // these become intrinsics where memory is typed
  case LibraryRole::copy_bytes_to_end:
  case LibraryRole::move_bytes:
  case LibraryRole::fill_bytes:
  case LibraryRole::clear_bytes:
  case LibraryRole::scan_format: // these are read apart (text_input.hpp)
  case LibraryRole::read_number:
  case LibraryRole::read_bytes:
  case LibraryRole::read_word:
  case LibraryRole::read_line:
  case LibraryRole::read_line_until:
  case LibraryRole::make_exception: // these are not calls that are written in others
  case LibraryRole::catch_exception:
  case LibraryRole::throw_exception:
  case LibraryRole::run_at_exit:
  case LibraryRole::start_threads:
  case LibraryRole::long_jump:
  case LibraryRole::never_called:
  case LibraryRole::launch_kernel:
  case LibraryRole::print:
  case LibraryRole::extremum:
  case LibraryRole::object_of_library:
    break;
  }
  return nullptr;
}

Expansion expansion_of(const CallInst &call, const FunctionInfo &function_info) {
  const Function &callee = *call.getCalledFunction();
  if (callee.isIntrinsic())
    return expansion_of_intrinsic(callee.getIntrinsicID());
  const LibraryFunction *known = function_info.library_function(callee);
  return known && !callee.isVarArg() ? expansion_of_role(known->role) : nullptr;
}

/// A comparator that throws passes the sort by.
void end_invokes_of_algorithms(Function &function) {
  for (BasicBlock &block : function) {
    auto *invoke = dyn_cast<InvokeInst>(block.getTerminator());
    const Function *callee = invoke ? invoke->getCalledFunction() : nullptr;
    const LibraryRole role = callee && callee->isDeclaration() ? library_role(*callee) : LibraryRole::none;
    if (role == LibraryRole::sort || role == LibraryRole::binary_search)
      changeToCall(invoke);
  }
}

} // namespace

void expand_known_calls(Function &function, const FunctionInfo &function_info) {
  end_invokes_of_algorithms(function);
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *call = dyn_cast<CallInst>(&instruction);
    if (!call || !call->getCalledFunction() || !call->getCalledFunction()->isDeclaration())
      continue;
    if (split_complex_call(*call, function_info))
      continue;
    if (Expansion expand = expansion_of(*call, function_info); expand && expand(*call))
      call->eraseFromParent();
  }
}

} // namespace assay::engine
