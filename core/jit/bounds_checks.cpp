#include "core/jit/bounds_checks.hpp"

#include "core/jit/source_names.hpp"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <array>
#include <cstddef>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <utility>

namespace assay::jit {

namespace {

constexpr const char *handler_name = "assay_out_of_bounds";

thread_local std::set<std::string> sentences;

/// Where the access goes instead, so that it destroys nothing; it reads NaNs there. The widest vectors have 64 bytes,
/// and an aggregate that is accessed as a whole is small.
void *on_out_of_bounds(const char *sentence) {
  constexpr std::size_t most = 8, room = 4096;
  alignas(64) static thread_local std::array<std::byte, room> instead;
  instead.fill(std::byte(0xff));
  if (sentences.size() < most)
    sentences.emplace(sentence);
  return instead.data();
}

/// Where the source makes an access: `f` and ` at rule.c:12`, or what there is without debug information.
std::pair<std::string, std::string> source_of(const llvm::Instruction &instruction) {
  if (const llvm::DebugLoc &place = instruction.getDebugLoc(); place && place.getLine() != 0)
    if (const llvm::DISubprogram *function = place->getScope()->getSubprogram())
      return {function->getName().str(),
              fmt::format(" at {}:{}", llvm::sys::path::filename(place->getFilename()).str(), place.getLine())};
  const std::string name = source_name_of_function(*instruction.getFunction());
  return {name.empty() ? "the derivative" : name, ""};
}

struct Access {
  llvm::Instruction *instruction;
  llvm::Value *pointer, *bytes;
  std::optional<unsigned> operand; ///< Which the pointer is; nothing where the operation can be left out.
};

/// Memory whose size is known where it is accessed.
struct Object {
  llvm::Value *begin;
  llvm::Value *bytes;
  std::string name;
};

class BoundsChecks {
public:
  explicit BoundsChecks(llvm::Function &function)
      : function_(function), layout_(function.getDataLayout()), dominators_(function),
        size_type_(llvm::Type::getInt64Ty(function.getContext())) {}

  void add() {
    llvm::SmallVector<std::pair<Access, Object>> checked;
    for (const Access &access : accesses_of_function())
      if (std::optional<Object> object = object_of(access))
        checked.emplace_back(access, *std::move(object));
    for (const auto &[access, object] : checked)
      add(access, object);
  }

private:
  llvm::SmallVector<Access> accesses_of_function() const {
    llvm::SmallVector<Access> found;
    const auto add = [&](llvm::Instruction &instruction, unsigned operand, llvm::Type *type) {
      const llvm::TypeSize bytes = layout_.getTypeStoreSize(type);
      if (!bytes.isScalable())
        found.push_back({&instruction, instruction.getOperand(operand),
                         llvm::ConstantInt::get(size_type_, bytes.getFixedValue()), operand});
    };
    for (llvm::Instruction &instruction : llvm::instructions(function_)) {
      if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
        add(instruction, load->getPointerOperandIndex(), load->getType());
      else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
        add(instruction, store->getPointerOperandIndex(), store->getValueOperand()->getType());
      else if (auto *sum = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
        add(instruction, sum->getPointerOperandIndex(), sum->getType());
      else if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
        add(instruction, exchange->getPointerOperandIndex(), exchange->getNewValOperand()->getType());
      else if (auto *bytes = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
        found.push_back({&instruction, bytes->getRawDest(), bytes->getLength(), std::nullopt});
        if (auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(bytes))
          found.push_back({&instruction, copy->getRawSource(), copy->getLength(), std::nullopt});
      }
    }
    return found;
  }

  /// Nothing where it may be one of several, or one whose size is not known; nor where the access is seen to lie in it.
  std::optional<Object> object_of(const Access &access) {
    llvm::SmallVector<const llvm::Value *, 4> objects;
    llvm::getUnderlyingObjects(access.pointer, objects, nullptr, 0);
    if (objects.size() != 1)
      return std::nullopt;
    auto *begin = const_cast<llvm::Value *>(objects.front()); // NOLINT(cppcoreguidelines-pro-type-const-cast)
    if (const auto *made = llvm::dyn_cast<llvm::Instruction>(begin);
        made && !dominators_.dominates(made, access.instruction))
      return std::nullopt;
    std::optional<Object> object = known(begin);
    return object && !lies_in(access, *object) ? std::move(object) : std::nullopt;
  }

  std::optional<Object> known(llvm::Value *begin) {
    if (auto *local = llvm::dyn_cast<llvm::AllocaInst>(begin))
      return Object{begin, size_of(*local), local->hasName() ? "its array " + local->getName().str() : "its own array"};
    llvm::Value *variable = begin;
    if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(begin);
        call && call->getIntrinsicID() == llvm::Intrinsic::threadlocal_address)
      variable = call->getArgOperand(0);
    const auto *global = llvm::dyn_cast<llvm::GlobalVariable>(variable);
    if (!global || !global->hasDefinitiveInitializer() || global->getName().starts_with("assay."))
      return std::nullopt;
    const std::uint64_t bytes = layout_.getTypeAllocSize(global->getValueType()).getFixedValue();
    return Object{begin, llvm::ConstantInt::get(size_type_, bytes),
                  "the variable " + source_name_of_variable(*function_.getParent(), global->getName())};
  }

  llvm::Value *size_of(llvm::AllocaInst &local) {
    if (const std::optional<llvm::TypeSize> bytes = local.getAllocationSize(layout_); bytes && !bytes->isScalable())
      return llvm::ConstantInt::get(size_type_, bytes->getFixedValue());
    llvm::Value *&bytes = sizes_[&local];
    if (!bytes) {
      llvm::IRBuilder<> builder(local.getNextNode());
      const std::uint64_t each = layout_.getTypeAllocSize(local.getAllocatedType()).getKnownMinValue();
      bytes = builder.CreateMul(builder.CreateZExtOrTrunc(local.getArraySize(), size_type_),
                                llvm::ConstantInt::get(size_type_, each));
    }
    return bytes;
  }

  bool lies_in(const Access &access, const Object &object) const {
    llvm::APInt offset(layout_.getIndexTypeSizeInBits(access.pointer->getType()), 0);
    const auto *bytes = llvm::dyn_cast<llvm::ConstantInt>(access.bytes);
    const auto *size = llvm::dyn_cast<llvm::ConstantInt>(object.bytes);
    return bytes && size && access.pointer->stripAndAccumulateConstantOffsets(layout_, offset, true) == object.begin &&
           offset.isNonNegative() && offset.getZExtValue() <= size->getZExtValue() &&
           bytes->getZExtValue() <= size->getZExtValue() - offset.getZExtValue();
  }

  void add(const Access &access, const Object &object) {
    llvm::IRBuilder<> builder(access.instruction);
    llvm::Value *offset = builder.CreateSub(builder.CreatePtrToInt(access.pointer, size_type_),
                                            builder.CreatePtrToInt(object.begin, size_type_));
    llvm::Value *bytes = builder.CreateZExtOrTrunc(access.bytes, size_type_);
    llvm::Value *is_large = builder.CreateICmpULT(object.bytes, bytes);
    llvm::Value *is_late = builder.CreateICmpUGT(offset, builder.CreateSub(object.bytes, bytes));
    llvm::Value *is_beyond = builder.CreateAnd(builder.CreateOr(is_large, is_late),
                                               builder.CreateICmpNE(bytes, llvm::ConstantInt::get(size_type_, 0)));
    if (auto *operation = llvm::dyn_cast<llvm::MemIntrinsic>(access.instruction))
      operation->setLength(builder.CreateSelect(is_beyond, llvm::ConstantInt::get(operation->getLength()->getType(), 0),
                                                operation->getLength()));
    llvm::BasicBlock *head = access.instruction->getParent();
    llvm::Instruction *then = llvm::SplitBlockAndInsertIfThen(is_beyond, access.instruction, false);
    builder.SetInsertPoint(then);
    llvm::Value *instead = call_handler(builder, access, object);
    if (!access.operand)
      return;
    llvm::PHINode *pointer = llvm::PHINode::Create(access.pointer->getType(), 2, "", access.instruction->getIterator());
    pointer->addIncoming(access.pointer, head);
    pointer->addIncoming(instead, then->getParent());
    access.instruction->setOperand(*access.operand, pointer);
  }

  llvm::Value *call_handler(llvm::IRBuilder<> &builder, const Access &access, const Object &object) {
    const llvm::FunctionCallee handler = function_.getParent()->getOrInsertFunction(
        handler_name, llvm::FunctionType::get(builder.getPtrTy(), {builder.getPtrTy()}, false));
    const auto [function, place] = source_of(*access.instruction);
    return builder.CreateCall(handler, {builder.CreateGlobalString(fmt::format("{} accesses memory beyond {}{}",
                                                                               function, object.name, place))});
  }

  llvm::Function &function_;
  const llvm::DataLayout &layout_;
  llvm::DominatorTree dominators_;
  llvm::Type *size_type_;
  llvm::DenseMap<llvm::AllocaInst *, llvm::Value *> sizes_;
};

} // namespace

void add_bounds_checks(llvm::Module &module) {
  for (llvm::Function &function : module)
    if (!function.isDeclaration() && !function.getName().starts_with("assay"))
      BoundsChecks(function).add();
}

NamedFunctions bounds_check_symbols() {
  return {{handler_name, reinterpret_cast<void *>(on_out_of_bounds)}};
}

BoundsWatch::BoundsWatch() {
  sentences.clear();
}

std::vector<std::string> BoundsWatch::report() {
  return {sentences.begin(), sentences.end()};
}

} // namespace assay::jit
