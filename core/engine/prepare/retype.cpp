#include "core/engine/prepare/retype.hpp"
#include "core/engine/analysis/integer_provenance.hpp"
#include "core/engine/analysis/tbaa_types.hpp"
#include "core/engine/analysis/types.hpp"
#include "core/engine/prepare/joined_words.hpp"
#include "core/engine/prepare/loaded_bits.hpp"
#include "core/engine/prepare/retype_bytes.hpp"
#include "core/engine/prepare/retype_constants.hpp"
#include "core/engine/prepare/retype_integers.hpp"
#include "core/engine/prepare/retype_transfers.hpp"
#include "core/engine/prepare/retype_words.hpp"
#include "core/engine/prepare/union_variables.hpp"
#include "core/engine/support/library_table.hpp"
#include "core/engine/support/type_options.hpp"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

namespace assay::engine {
namespace {

constexpr const char *metadata_name = "assay.type";
constexpr llvm::StringLiteral words_told_by_halves = "words of doubles or single floats";

llvm::StringRef name_of(const llvm::Type &type) {
  switch (type.getTypeID()) {
  case llvm::Type::HalfTyID:
    return "half";
  case llvm::Type::BFloatTyID:
    return "bfloat";
  case llvm::Type::FloatTyID:
    return "float";
  case llvm::Type::DoubleTyID:
    return "double";
  case llvm::Type::X86_FP80TyID:
    return "x86_fp80";
  case llvm::Type::FP128TyID:
    return "fp128";
  default:
    return "ppc_fp128";
  }
}

llvm::Type *type_of_name(llvm::StringRef name, llvm::LLVMContext &context) {
  auto id = llvm::StringSwitch<llvm::Type::TypeID>(name)
                .Case("half", llvm::Type::HalfTyID)
                .Case("bfloat", llvm::Type::BFloatTyID)
                .Case("float", llvm::Type::FloatTyID)
                .Case("double", llvm::Type::DoubleTyID)
                .Case("x86_fp80", llvm::Type::X86_FP80TyID)
                .Case("fp128", llvm::Type::FP128TyID)
                .Case("ppc_fp128", llvm::Type::PPC_FP128TyID)
                .Default(llvm::Type::VoidTyID);
  return id == llvm::Type::VoidTyID ? nullptr : llvm::Type::getPrimitiveType(context, id);
}

/// The same as an intrinsic, or nothing for a call that moves no memory. Returns what the call did.
llvm::Value *write_as_intrinsic(llvm::CallInst &call, LibraryRole role) {
  llvm::IRBuilder<> builder(&call);
  const auto operand = [&](unsigned index) { return call.getArgOperand(index); };
  switch (role) {
  case LibraryRole::copy_bytes:
  case LibraryRole::copy_bytes_to_end:
    builder.CreateMemCpy(operand(0), call.getParamAlign(0), operand(1), call.getParamAlign(1), operand(2));
    return role == LibraryRole::copy_bytes ? operand(0) : builder.CreatePtrAdd(operand(0), operand(2));
  case LibraryRole::move_bytes:
    builder.CreateMemMove(operand(0), call.getParamAlign(0), operand(1), call.getParamAlign(1), operand(2));
    return operand(0);
  case LibraryRole::fill_bytes:
    builder.CreateMemSet(operand(0), builder.CreateTrunc(operand(1), builder.getInt8Ty()), operand(2),
                         call.getParamAlign(0));
    return operand(0);
  case LibraryRole::clear_bytes:
    builder.CreateMemSet(operand(0), builder.getInt8(0), operand(1), call.getParamAlign(0));
    return operand(0);
  default:
    return nullptr;
  }
}

/// Calls of the C library's memcpy and relatives, as the intrinsics that they mean. True where there are any.
bool recognise_library_calls(llvm::Function &function) {
  bool changed = false;
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    const llvm::Function *callee = call != nullptr ? call->getCalledFunction() : nullptr;
    if (callee == nullptr || !callee->isDeclaration() || callee->isVarArg())
      continue;
    llvm::Value *result = write_as_intrinsic(*call, library_role(*callee));
    if (result == nullptr)
      continue;
    if (!call->use_empty())
      call->replaceAllUsesWith(result);
    call->eraseFromParent();
    changed = true;
  }
  return changed;
}

void warn_of_guess(const llvm::Instruction &instruction, const llvm::Type &guess) {
  if (!type_options().warnings)
    return;
  std::string text = "the type of the memory that is moved is not known; it is taken for ";
  llvm::raw_string_ostream(text) << guess;
  instruction.getContext().diagnose(
      llvm::DiagnosticInfoUnsupported(*instruction.getFunction(), text, instruction.getDebugLoc(), llvm::DS_Warning));
}

/// The floating type that a function works with; double where there are several or none.
llvm::Type *usual_type(const llvm::Function &function) {
  llvm::Type *usual = nullptr;
  for (const llvm::Instruction &instruction : llvm::instructions(function)) {
    llvm::Type *type = instruction.getType()->getScalarType();
    if (!type->isFloatingPointTy())
      continue;
    if (usual != nullptr && usual != type)
      return llvm::Type::getDoubleTy(function.getContext());
    usual = type;
  }
  return usual != nullptr ? usual : llvm::Type::getDoubleTy(function.getContext());
}

void guess_memory_kinds(llvm::Function &function) {
  llvm::Type *guess = usual_type(function);
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    auto *intrinsic = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction);
    if (intrinsic == nullptr || memory_kind(*intrinsic))
      continue;
    warn_of_guess(*intrinsic, *guess);
    set_memory_kind(*intrinsic, {MemoryContent::floating, guess});
  }
}

/// False where an integer of unknown content is stored that may be a part of floats.
bool knows_moved_integers(const llvm::Function &function, const TypeAnalysis &types) {
  return llvm::all_of(llvm::instructions(function), [&](const llvm::Instruction &instruction) {
    const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    if (store == nullptr || llvm::isa<llvm::Constant>(store->getValueOperand()))
      return true;
    const llvm::Value &stored = *store->getValueOperand();
    return !stored.getType()->isIntOrIntVectorTy() || stored.getType()->getScalarSizeInBits() < 16 ||
           (types.of(stored).kind != ByteKind::unknown && !types.is_only_hinted(stored));
  });
}

bool stores_words(const llvm::Instruction &instruction) {
  const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  return store != nullptr && !llvm::isa<llvm::Constant>(store->getValueOperand()) &&
         store->getValueOperand()->getType()->isIntOrIntVectorTy();
}

bool stores_unknown_words(const llvm::Function &function, const TypeAnalysis &types) {
  return llvm::any_of(llvm::instructions(function), [&](const llvm::Instruction &instruction) {
    return stores_words(instruction) && types.of(*instruction.getOperand(0)).kind == ByteKind::unknown;
  });
}

bool knows_moved_memory(const llvm::Function &function) {
  return llvm::all_of(llvm::instructions(function), [](const llvm::Instruction &instruction) {
    const auto *intrinsic = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction);
    return intrinsic == nullptr || memory_kind(*intrinsic);
  });
}

/// What the function itself says is found again; only what callers say of integers is to be noted. Of less than a
/// word that is only copied nothing is found: it might be a part of a number.
void forget_integers(llvm::Function &function) {
  constexpr unsigned word_bits = 32;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (instruction.hasMetadata(integer_metadata) && instruction.getType()->getPrimitiveSizeInBits() >= word_bits)
      instruction.setMetadata(integer_metadata, nullptr);
}

/// TBAA that calls a float an integer would let later passes reorder derivatives with what reads them as floats.
void drop_contradicting_tags(llvm::Function &function) {
  for (llvm::Instruction &access : llvm::instructions(function)) {
    if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(access))
      continue;
    const llvm::Type *type = llvm::getLoadStoreType(&access);
    if (!type->isFPOrFPVectorTy())
      continue;
    const auto fields = fields_of_tag(access);
    const bool agrees = llvm::any_of(fields, [&](const TaggedField &field) {
      return field.offset == 0 && field.type.floating == type->getScalarType();
    });
    if (!fields.empty() && !agrees)
      access.setMetadata(llvm::LLVMContext::MD_tbaa, nullptr);
  }
}

} // namespace

bool retype_memory(llvm::Function &prepared, Unknown unknown, BodyOf body_of, const TypeHints *hints,
                   std::optional<TypeAnalysis> known) {
  const bool loose_types = unknown == Unknown::guessed;
  const bool recognised = recognise_library_calls(prepared);
  if (store_bits_as_loaded(prepared) || recognised || !known)
    known.emplace(prepared, loose_types, body_of, hints);
  const TypeAnalysis &types = *known;
  if (keep_joined_words_in_memory(prepared, types) || copy_union_variables_as_words(prepared, types) ||
      retype_bytes(prepared, types))
    return retype_memory(prepared, unknown, body_of, hints);
  const bool knows_integers = knows_moved_integers(prepared, types);
  retype_open_words(prepared, types);
  retype_transfers(prepared, types, loose_types);
  retype_constant_stores(prepared, types);
  retype_integers(prepared, types, loose_types);
  const bool knows_all = knows_integers && knows_moved_memory(prepared);
  if (knows_all || unknown != Unknown::left)
    retype_words(prepared, types);
  if (loose_types)
    guess_memory_kinds(prepared);
  if (hints == nullptr)
    forget_integers(prepared);
  drop_contradicting_tags(prepared);
  return knows_all;
}

void retype_transfers_left(llvm::Function &prepared, BodyOf body_of) {
  if (!knows_moved_memory(prepared))
    retype_transfers(prepared, TypeAnalysis(prepared, false, body_of), false);
}

std::optional<TypeAnalysis> retype_words_left(llvm::Function &prepared, BodyOf body_of) {
  constexpr unsigned most_rounds = 8; // What moves as words tells less of the memory that it is moved between.
  if (llvm::none_of(llvm::instructions(prepared), stores_words))
    return std::nullopt;
  for (unsigned round = 0; round < most_rounds; ++round) {
    TypeAnalysis types(prepared, false, body_of);
    if (!stores_unknown_words(prepared, types))
      return types;
    const unsigned instructions_before = prepared.getInstructionCount();
    if (!keep_joined_words_in_memory(prepared, types))
      retype_words(prepared, types);
    if (prepared.getInstructionCount() == instructions_before)
      break; // It would go on like that.
  }
  return std::nullopt;
}

std::optional<MemoryKind> memory_kind(const llvm::MemIntrinsic &intrinsic) {
  const llvm::MDNode *node = intrinsic.getMetadata(metadata_name);
  if (node == nullptr || node->getNumOperands() != 1)
    return std::nullopt;
  const auto *text = llvm::dyn_cast<llvm::MDString>(node->getOperand(0));
  if (text == nullptr)
    return std::nullopt;
  if (text->getString() == "none")
    return MemoryKind{MemoryContent::none, nullptr};
  if (text->getString() == "pointer")
    return MemoryKind{MemoryContent::pointer, nullptr};
  llvm::StringRef name = text->getString();
  if (name == "words" || name == words_told_by_halves)
    return MemoryKind{MemoryContent::words, nullptr, name == words_told_by_halves};
  if (name == "bytes")
    return MemoryKind{MemoryContent::bytes, nullptr};
  const bool are_words = name.consume_front("words of "), is_reversed = name.consume_front("bytes reversed of ");
  llvm::Type *type = type_of_name(name, intrinsic.getContext());
  if (type == nullptr)
    return std::nullopt;
  return MemoryKind{are_words     ? MemoryContent::words
                    : is_reversed ? MemoryContent::reversed
                                  : MemoryContent::floating,
                    type};
}

void set_memory_kind(llvm::MemIntrinsic &intrinsic, MemoryKind kind) {
  std::string text = kind.content == MemoryContent::none      ? "none"
                     : kind.content == MemoryContent::pointer ? "pointer"
                     : kind.content == MemoryContent::bytes   ? "bytes"
                     : kind.halves_tell                       ? words_told_by_halves.str()
                     : kind.floating == nullptr               ? "words"
                                                              : name_of(*kind.floating).str();
  if (kind.content == MemoryContent::words && kind.floating != nullptr)
    text = "words of " + text;
  if (kind.content == MemoryContent::reversed)
    text = "bytes reversed of " + text;
  llvm::LLVMContext &context = intrinsic.getContext();
  intrinsic.setMetadata(metadata_name, llvm::MDNode::get(context, llvm::MDString::get(context, text)));
}

} // namespace assay::engine
