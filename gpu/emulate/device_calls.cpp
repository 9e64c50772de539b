// Atomics become plain operations: between two barriers nothing interrupts a thread. The device library becomes the
// mathematical library of the host, where that has the function; the others are in `gpu/runtime/device_library.cpp`.

#include "core/engine/support/tensor_cores.hpp"
#include "gpu/emulate/steps.hpp"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"
#include <optional>

using namespace llvm;

namespace assay::gpu {

namespace {

// ---- Special registers: words of ThreadContext ----

constexpr unsigned first_thread = 0, first_block = 3, first_block_size = 6, first_grid_size = 9, dynamic_shared = 12;

std::optional<unsigned> word_of(StringRef name) {
  if (name == "dynamic_smem_size")
    return dynamic_shared;
  const auto [group, axis] = name.rsplit('.');
  if (axis != "x" && axis != "y" && axis != "z")
    return std::nullopt;
  const unsigned offset = static_cast<unsigned>(axis[0] - 'x');
  if (group == "tid")
    return first_thread + offset;
  if (group == "ctaid")
    return first_block + offset;
  if (group == "ntid")
    return first_block_size + offset;
  if (group == "nctaid")
    return first_grid_size + offset;
  return std::nullopt;
}

Value *read_word(IRBuilder<> &builder, Module &module, unsigned word) {
  auto *type = builder.getInt32Ty();
  return builder.CreateLoad(type, builder.CreateConstInBoundsGEP2_32(thread_context(module)->getValueType(),
                                                                     thread_context(module), 0, word));
}

/// Of the thread in its block.
Value *linear_index(IRBuilder<> &builder, Module &module) {
  const auto word = [&](unsigned index) { return read_word(builder, module, index); };
  Value *row =
      builder.CreateAdd(word(first_thread + 1), builder.CreateMul(word(first_thread + 2), word(first_block_size + 1)));
  return builder.CreateAdd(word(first_thread), builder.CreateMul(row, word(first_block_size)));
}

Value *special_register(IRBuilder<> &builder, Module &module, CallInst &call, StringRef name) {
  if (const auto word = word_of(name))
    return read_word(builder, module, *word);
  auto *zero = Constant::getNullValue(call.getType());
  if (name == "warpsize")
    return builder.getInt32(32);
  const auto lane = [&] { return builder.CreateAnd(linear_index(builder, module), builder.getInt32(31)); };
  const auto bit = [&] { return builder.CreateShl(builder.getInt32(1), lane()); };
  if (name == "laneid")
    return lane();
  if (name == "warpid")
    return builder.CreateLShr(linear_index(builder, module), builder.getInt32(5));
  if (name == "lanemask.eq")
    return bit();
  if (name == "lanemask.lt")
    return builder.CreateSub(bit(), builder.getInt32(1));
  if (name == "lanemask.le")
    return builder.CreateOr(bit(), builder.CreateSub(bit(), builder.getInt32(1)));
  if (name == "lanemask.ge")
    return builder.CreateNot(builder.CreateSub(bit(), builder.getInt32(1)));
  if (name == "lanemask.gt")
    return builder.CreateNot(builder.CreateOr(bit(), builder.CreateSub(bit(), builder.getInt32(1))));
  if (name == "smid" || name == "gridid" || name.starts_with("cluster"))
    return zero;
  if (name == "nsmid")
    return builder.getInt32(1);
  if (name.starts_with("clock") || name.starts_with("globaltimer"))
    return builder.CreateZExtOrTrunc(
        builder.CreateCall(module.getOrInsertFunction("assay_gpu_clock", builder.getInt64Ty())), call.getType());
  return nullptr;
}

// ---- Other intrinsics of the device ----

/// In the form of LLVM's general intrinsics or of plain instructions; null where there is none.
Value *general_form(IRBuilder<> &builder, CallInst &call, StringRef name) {
  const auto argument = [&](unsigned index) { return call.getArgOperand(index); };
  Type *type = call.getType();
  const auto unary = [&](Intrinsic::ID intrinsic) { return builder.CreateUnaryIntrinsic(intrinsic, argument(0)); };
  const auto binary = [&](Intrinsic::ID intrinsic) {
    return builder.CreateBinaryIntrinsic(intrinsic, argument(0), argument(1));
  };
  const auto is = [&](StringRef stem) { return name == stem || name.starts_with((stem + ".").str()); };
  if (is("fabs"))
    return unary(Intrinsic::fabs);
  if (is("sqrt"))
    return unary(Intrinsic::sqrt);
  if (is("rsqrt"))
    return builder.CreateFDiv(ConstantFP::get(type, 1), unary(Intrinsic::sqrt));
  if (is("rcp"))
    return builder.CreateFDiv(ConstantFP::get(type, 1), argument(0));
  if (is("sin"))
    return unary(Intrinsic::sin);
  if (is("cos"))
    return unary(Intrinsic::cos);
  if (is("ex2"))
    return unary(Intrinsic::exp2);
  if (is("lg2"))
    return unary(Intrinsic::log2);
  if (is("tanh"))
    return unary(Intrinsic::tanh);
  if (is("floor"))
    return unary(Intrinsic::floor);
  if (is("ceil"))
    return unary(Intrinsic::ceil);
  if (is("trunc"))
    return unary(Intrinsic::trunc);
  if (is("round"))
    return unary(Intrinsic::rint);
  if (is("fmin"))
    return binary(name.contains("nan") ? Intrinsic::minimum : Intrinsic::minnum);
  if (is("fmax"))
    return binary(name.contains("nan") ? Intrinsic::maximum : Intrinsic::maxnum);
  if (is("fma.rn"))
    return builder.CreateIntrinsic(Intrinsic::fma, {type}, {argument(0), argument(1), argument(2)});
  if (is("add.rn"))
    return builder.CreateFAdd(argument(0), argument(1));
  if (is("mul.rn"))
    return builder.CreateFMul(argument(0), argument(1));
  if (is("div.rn") || is("div.approx") || is("div.full"))
    return builder.CreateFDiv(argument(0), argument(1));
  if (is("saturate"))
    return builder.CreateBinaryIntrinsic(
        Intrinsic::minnum, builder.CreateBinaryIntrinsic(Intrinsic::maxnum, argument(0), ConstantFP::get(type, 0)),
        ConstantFP::get(type, 1));
  if (is("bitcast.f2i") || is("bitcast.i2f"))
    return builder.CreateBitCast(argument(0), type);
  if (name == "reflect")
    return ConstantInt::get(type, 0);
  if (name.starts_with("isspacep.global"))
    return builder.getTrue();
  if (name.starts_with("isspacep."))
    return builder.getFalse();
  return nullptr;
}

bool is_without_effect(StringRef name) {
  return name.starts_with("membar.") || name.starts_with("fence.") || name.starts_with("prefetch") ||
         name == "nanosleep" || name.starts_with("pm.event") || name.starts_with("discard") ||
         name.starts_with("applypriority");
}

void replace_intrinsics(Module &module) {
  constexpr StringRef prefix = "llvm.nvvm.", registers = "read.ptx.sreg.";
  for (Function &function : make_early_inc_range(module)) {
    if (!function.isDeclaration() || !function.getName().starts_with(prefix))
      continue;
    const std::string name = function.getName().drop_front(prefix.size()).str();
    for (CallInst *call : calls_of(function)) {
      IRBuilder<> builder(call);
      if (auto *operation = dyn_cast<FPMathOperator>(call))
        builder.setFastMathFlags(operation->getFastMathFlags());
      Value *result = nullptr;
      if (StringRef(name).starts_with(registers))
        result = special_register(builder, module, *call, StringRef(name).drop_front(registers.size()));
      else if (name == "exit")
        builder.CreateCall(module.getOrInsertFunction("assay_gpu_exit", builder.getVoidTy(), builder.getPtrTy()),
                           {site_of(*call)});
      else if (!is_without_effect(name))
        result = general_form(builder, *call, name);
      if (!result && (!call->getType()->isVoidTy() || (name != "exit" && !is_without_effect(name))))
        throw NotEmulated((engine::is_of_tensor_cores(prefix.str() + name)
                               ? "tensor cores cannot be emulated: "
                               : "the instruction " + prefix.str() + name + " cannot be emulated: ") +
                          place_of(*call));
      if (result)
        call->replaceAllUsesWith(result);
      call->eraseFromParent();
    }
    if (function.use_empty())
      function.eraseFromParent();
  }
}

// ---- Functions ----

Intrinsic::ID general_intrinsic(StringRef stem) {
  static const StringMap<Intrinsic::ID> known = {
      {"fabs", Intrinsic::fabs},   {"sqrt", Intrinsic::sqrt},           {"fma", Intrinsic::fma},
      {"floor", Intrinsic::floor}, {"ceil", Intrinsic::ceil},           {"trunc", Intrinsic::trunc},
      {"rint", Intrinsic::rint},   {"nearbyint", Intrinsic::nearbyint}, {"fmin", Intrinsic::minnum},
      {"fmax", Intrinsic::maxnum}, {"copysign", Intrinsic::copysign},   {"round", Intrinsic::round}};
  const auto found = known.find(stem);
  return found == known.end() ? Intrinsic::not_intrinsic : found->second;
}

/// The library of the host has a function of this name that does the same.
bool is_in_host_library(StringRef name) {
  static const StringSet<> stems = {"acos",   "acosh", "asin",   "asinh", "atan", "atan2", "atanh", "cbrt", "cos",
                                    "cosh",   "erf",   "erfc",   "exp",   "exp2", "expm1", "fdim",  "fmod", "hypot",
                                    "lgamma", "log",   "log10",  "log1p", "log2", "logb",  "j0",    "j1",   "y0",
                                    "y1",     "jn",    "yn",     "pow",   "sin",  "sinh",  "tan",   "tanh", "remainder",
                                    "tgamma", "ldexp", "scalbn", "frexp", "modf", "exp10"};
  return stems.contains(name) || (name.ends_with("f") && stems.contains(name.drop_back()));
}

StringRef without_fast(StringRef name) {
  name.consume_front("fast_");
  return name;
}

bool is_move_of_bits(StringRef name) {
  return is_contained(
      {"float_as_int", "float_as_uint", "int_as_float", "uint_as_float", "double_as_longlong", "longlong_as_double"},
      name);
}

void replace_library_call(CallInst &call, StringRef name) {
  const StringRef stem = call.getType()->isFloatTy() && name.ends_with("f") ? name.drop_back() : name;
  const Intrinsic::ID intrinsic = general_intrinsic(stem);
  IRBuilder<> builder(&call);
  if (auto *operation = dyn_cast<FPMathOperator>(&call))
    builder.setFastMathFlags(operation->getFastMathFlags());
  Value *plain = nullptr;
  if (is_move_of_bits(name))
    plain = builder.CreateBitCast(call.getArgOperand(0), call.getType());
  else if (intrinsic != Intrinsic::not_intrinsic)
    plain = builder.CreateIntrinsic(intrinsic, {call.getType()}, SmallVector<Value *, 3>(call.args()));
  else
    return;
  call.replaceAllUsesWith(plain);
  call.eraseFromParent();
}

void replace_library(Module &module) {
  constexpr StringRef prefix = "__nv_";
  for (Function &function : make_early_inc_range(module)) {
    if (!function.isDeclaration() || !function.getName().starts_with(prefix))
      continue;
    const std::string name = without_fast(function.getName().drop_front(prefix.size())).str();
    for (CallInst *call : calls_of(function))
      replace_library_call(*call, name);
    if (function.use_empty()) {
      function.eraseFromParent();
      continue;
    }
    const bool has_pointer =
        any_of(function.args(), [](const Argument &argument) { return argument.getType()->isPointerTy(); });
    if (!has_pointer && !function.getReturnType()->isVoidTy()) {
      function.setDoesNotAccessMemory();
      function.setWillReturn();
    }
    function.setDoesNotThrow();
    if (!is_in_host_library(name))
      continue;
    if (Function *other = module.getFunction(name)) {
      if (other->getFunctionType() != function.getFunctionType())
        continue;
      function.replaceAllUsesWith(other);
      function.eraseFromParent();
    } else {
      function.setName(name);
    }
  }
}

/// Names of the device's own functions that the runtime has under others.
void rename_functions(Module &module) {
  static constexpr std::pair<StringRef, StringRef> names[] = {{"vprintf", "assay_gpu_vprintf"},
                                                              {"malloc", "assay_gpu_malloc"},
                                                              {"free", "assay_gpu_free"},
                                                              {"__assertfail", "assay_gpu_assert_fail"}};
  for (const auto &[device, host] : names)
    if (Function *function = module.getFunction(device); function && function->isDeclaration())
      function->setName(host);
}

void replace_traps(Module &module) {
  Function *trap = module.getFunction("llvm.trap");
  if (!trap)
    return;
  for (CallInst *call : calls_of(*trap)) {
    IRBuilder<> builder(call);
    builder.CreateCall(module.getOrInsertFunction("assay_gpu_trap", builder.getVoidTy(), builder.getPtrTy()),
                       {site_of(*call)});
    call->eraseFromParent();
  }
}

void lower_atomics(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
      if (auto *load = dyn_cast<LoadInst>(&instruction); load && load->isAtomic())
        load->setAtomic(AtomicOrdering::NotAtomic);
      else if (auto *store = dyn_cast<StoreInst>(&instruction); store && store->isAtomic())
        store->setAtomic(AtomicOrdering::NotAtomic);
      else if (auto *fence = dyn_cast<FenceInst>(&instruction))
        fence->eraseFromParent();
      else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
        lowerAtomicCmpXchgInst(exchange);
      else if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
        lowerAtomicRMWInst(update);
    }
}

/// All `extern __shared__` arrays are one.
void share_dynamic_memory(Module &module) {
  constexpr unsigned shared_space = 3;
  SmallVector<GlobalVariable *, 4> arrays;
  for (GlobalVariable &global : module.globals())
    if (global.isDeclaration() && global.getAddressSpace() == shared_space)
      arrays.push_back(&global);
  if (arrays.empty())
    return;
  auto *all = new GlobalVariable(module, ArrayType::get(Type::getInt8Ty(module.getContext()), 0), false,
                                 GlobalValue::ExternalLinkage, nullptr, "assay_gpu_dynamic_shared", nullptr,
                                 GlobalValue::NotThreadLocal, shared_space);
  for (GlobalVariable *array : arrays) {
    array->replaceAllUsesWith(all);
    array->eraseFromParent();
  }
}

void refuse_what_is_missing(Module &module) {
  for (const Function &function : module) {
    if (!function.isDeclaration() || function.isIntrinsic() || function.use_empty() ||
        function.getName().starts_with("assay_gpu_"))
      continue;
    for (const char *start : {"__tex", "tex", "cudaLaunchDevice", "cudaGetParameterBuffer"})
      if (function.getName().starts_with(start))
        throw NotEmulated(function.getName().str() + " cannot be emulated");
  }
}

} // namespace

void replace_device_calls(Module &module) {
  replace_intrinsics(module);
  replace_library(module);
  rename_functions(module);
  replace_traps(module);
  lower_atomics(module);
  share_dynamic_memory(module);
  refuse_what_is_missing(module);
}

} // namespace assay::gpu
