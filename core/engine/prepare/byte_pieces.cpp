#include "core/engine/prepare/byte_pieces.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include <algorithm>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace assay::engine {
namespace {

using Kind = BytePiece::Kind;
constexpr unsigned byte_bits = 8, most_operations = 40, widest_bytes = 16;

/// So many whole bytes; zero of everything else.
unsigned whole_bytes(const Type &type) {
  const std::uint64_t bits = type.isIntegerTy() || type.isFloatingPointTy() ? type.getPrimitiveSizeInBits() : 0;
  return bits % byte_bits == 0 && bits / byte_bits <= widest_bytes ? static_cast<unsigned>(bits / byte_bits) : 0;
}

bool is_plain_number(const Type &type) {
  return type.isFloatTy() || type.isDoubleTy();
}

/// Moved up by so many bytes.
BytePieces shifted(const BytePieces &pieces, int bytes) {
  BytePieces result(pieces.size(), BytePiece{Kind::zero});
  for (int index = 0; index < static_cast<int>(pieces.size()); ++index)
    if (const int from = index - bytes; from >= 0 && from < static_cast<int>(pieces.size()))
      result[index] = pieces[from];
  return result;
}

BytePieces constant_pieces(const Constant &constant, unsigned bytes) {
  const auto *integer = dyn_cast<ConstantInt>(&constant);
  BytePieces pieces(bytes, BytePiece{isa<UndefValue>(constant) ? Kind::zero : Kind::constant});
  for (unsigned index = 0; integer && index < bytes; ++index)
    if (integer->getValue().extractBits(byte_bits, index * byte_bits).isZero())
      pieces[index] = BytePiece{Kind::zero};
  return pieces;
}

class Trace {
public:
  BytePieces of(Value &value) {
    const unsigned bytes = whole_bytes(*value.getType());
    const BytePieces unknown(bytes);
    if (bytes == 0 || ++operations_ > most_operations)
      return unknown;
    if (const auto *constant = dyn_cast<Constant>(&value))
      return constant_pieces(*constant, bytes);
    if (auto *load = dyn_cast<LoadInst>(&value))
      return load->isSimple() ? all_of_source(*load, Kind::memory) : unknown;
    if (auto *operation = dyn_cast<Instruction>(&value))
      return of_operation(*operation, unknown);
    return unknown;
  }

private:
  static BytePieces all_of_source(Value &source, Kind kind) {
    BytePieces pieces;
    for (unsigned index = 0; index < whole_bytes(*source.getType()); ++index)
      pieces.push_back({kind, &source, index});
    return pieces;
  }

  BytePieces of_operation(Instruction &operation, const BytePieces &unknown) {
    Value *first = operation.getNumOperands() > 0 ? operation.getOperand(0) : nullptr;
    const APInt *amount = nullptr;
    switch (operation.getOpcode()) {
    case Instruction::BitCast:
      return is_plain_number(*first->getType()) ? all_of_source(*first, Kind::number) : unknown;
    case Instruction::Freeze:
      return of(*first);
    case Instruction::Trunc:
    case Instruction::ZExt: {
      BytePieces pieces = of(*first);
      if (!pieces.empty())
        pieces.resize(unknown.size(), BytePiece{Kind::zero});
      return pieces.empty() ? unknown : pieces;
    }
    case Instruction::Shl:
    case Instruction::LShr: {
      if (!match(operation.getOperand(1), m_APInt(amount)) || amount->urem(byte_bits) != 0)
        return unknown;
      const int bytes = static_cast<int>(amount->getLimitedValue(widest_bytes * byte_bits) / byte_bits);
      return shifted(of(*first), operation.getOpcode() == Instruction::Shl ? bytes : -bytes);
    }
    case Instruction::And:
      return match(operation.getOperand(1), m_APInt(amount)) ? masked(of(*first), *amount) : unknown;
    case Instruction::Or:
    case Instruction::Xor:
      return united(*first, *operation.getOperand(1), unknown);
    case Instruction::Add:
      return haveNoCommonBitsSet(first, operation.getOperand(1), operation.getDataLayout())
                 ? united(*first, *operation.getOperand(1), unknown)
                 : unknown;
    case Instruction::Call:
      return of_intrinsic(operation, unknown);
    default:
      return unknown;
    }
  }

  BytePieces of_intrinsic(Instruction &call, const BytePieces &unknown) {
    Value *first = nullptr, *second = nullptr;
    const APInt *amount = nullptr;
    if (match(&call, m_BSwap(m_Value(first)))) {
      BytePieces pieces = of(*first);
      std::reverse(pieces.begin(), pieces.end());
      return pieces;
    }
    const auto *funnel = dyn_cast<IntrinsicInst>(&call);
    if (!funnel || (funnel->getIntrinsicID() != Intrinsic::fshl && funnel->getIntrinsicID() != Intrinsic::fshr) ||
        !match(funnel->getArgOperand(2), m_APInt(amount)) || amount->urem(byte_bits) != 0)
      return unknown;
    const auto bytes = static_cast<unsigned>(amount->urem(unknown.size() * byte_bits) / byte_bits);
    first = funnel->getArgOperand(0), second = funnel->getArgOperand(1);
    BytePieces row = of(*second); // the lower half
    row.append(of(*first));
    const unsigned begin = funnel->getIntrinsicID() == Intrinsic::fshr ? bytes : unknown.size() - bytes;
    return {row.begin() + begin, row.begin() + begin + unknown.size()};
  }

  static BytePieces masked(BytePieces pieces, const APInt &mask) {
    for (unsigned index = 0; index < pieces.size(); ++index) {
      const APInt kept = mask.extractBits(byte_bits, index * byte_bits);
      if (!kept.isAllOnes())
        pieces[index] = BytePiece{kept.isZero() ? Kind::zero : Kind::unknown};
    }
    return pieces;
  }

  BytePieces united(Value &one, Value &other, const BytePieces &unknown) {
    const BytePieces left = of(one), right = of(other);
    BytePieces result = unknown;
    for (unsigned index = 0; index < result.size(); ++index)
      if (left[index].kind == Kind::zero)
        result[index] = right[index];
      else if (right[index].kind == Kind::zero)
        result[index] = left[index];
    return result;
  }

  unsigned operations_ = 0;
};

} // namespace

BytePieces byte_pieces(Value &integer) {
  return Trace().of(integer);
}

std::uint64_t bytes_of(const Value &value) {
  return value.getType()->getPrimitiveSizeInBits() / byte_bits;
}

bool is_whole(const BytePieces &pieces, const Value &source) {
  return pieces.size() == bytes_of(source) &&
         all_of(enumerate(pieces), [&](const auto &piece) { return piece.value().is_of(source, piece.index()); });
}

bool has_bytes_of_number(const BytePieces &pieces) {
  const auto *number = find_if(pieces, [](const BytePiece &piece) { return piece.kind == Kind::number; });
  return number != pieces.end() && !is_whole(pieces, *number->source);
}

std::optional<ChosenByte> chosen_byte(Value &integer) {
  Value *number = nullptr, *shift = nullptr;
  if (!integer.getType()->isIntegerTy(byte_bits) ||
      !match(&integer, m_Trunc(m_LShr(m_BitCast(m_Value(number)), m_Value(shift)))) ||
      !is_plain_number(*number->getType()) || isa<Constant>(shift))
    return std::nullopt;
  constexpr unsigned shift_of_bytes = 3;
  const auto &instruction = cast<Instruction>(integer);
  return computeKnownBits(shift, instruction.getDataLayout()).countMinTrailingZeros() >= shift_of_bytes
             ? std::optional(ChosenByte{number, shift})
             : std::nullopt;
}

} // namespace assay::engine
