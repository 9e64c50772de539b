#include "core/engine/analysis/evidence.hpp"
#include "core/engine/analysis/basic_type.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/IR/Type.h"
#include "llvm/Support/raw_ostream.h"

namespace assay::engine {
namespace {

constexpr std::uint16_t integer_bit = 1, pointer_bit = 2;
constexpr unsigned first_floating_bit = 2;
constexpr std::array floating_types{llvm::Type::HalfTyID,     llvm::Type::BFloatTyID,   llvm::Type::FloatTyID,
                                    llvm::Type::DoubleTyID,   llvm::Type::X86_FP80TyID, llvm::Type::FP128TyID,
                                    llvm::Type::PPC_FP128TyID};
std::uint16_t floating_bit(llvm::Type::TypeID type) {
  const auto index = llvm::find(floating_types, type) - floating_types.begin();
  return static_cast<std::uint16_t>(1U << (first_floating_bit + index));
}
const std::uint16_t float_bit = floating_bit(llvm::Type::FloatTyID), double_bit = floating_bit(llvm::Type::DoubleTyID);

std::uint16_t bit_of(BasicType type) {
  switch (type.kind) {
  case ByteKind::unknown:
    return 0;
  case ByteKind::integer:
    return integer_bit;
  case ByteKind::pointer:
    return pointer_bit;
  case ByteKind::floating:
    for (unsigned index = 0; index < floating_types.size(); ++index)
      if (floating_types[index] == type.floating->getTypeID())
        return static_cast<std::uint16_t>(1U << (first_floating_bit + index));
    return 0;
  }
  return 0;
}

} // namespace

Evidence Evidence::of(BasicType type, Rank rank) {
  Evidence result;
  result.bits_[static_cast<std::size_t>(rank)] = bit_of(type);
  return result;
}

bool Evidence::merge(Evidence other) {
  Evidence before = *this;
  for (std::size_t rank = 0; rank < bits_.size(); ++rank)
    bits_[rank] |= other.bits_[rank];
  return !(before == *this);
}

bool Evidence::mentions_floating() const {
  return llvm::any_of(bits_, [](std::uint16_t bits) { return (bits & ~(integer_bit | pointer_bit)) != 0; });
}

bool Evidence::mentions_pointers() const {
  return llvm::any_of(bits_, [](std::uint16_t bits) { return (bits & pointer_bit) != 0; });
}

bool Evidence::mentions_several() const {
  std::uint16_t all = 0;
  for (const std::uint16_t bits : bits_)
    all |= bits;
  return llvm::popcount(all) > 1;
}

MemoryWords Evidence::words() const {
  MemoryWords all = MemoryWords::unknown;
  for (std::uint16_t bits : bits_) {
    if ((bits & ~(integer_bit | pointer_bit | float_bit | double_bit)) != 0)
      return MemoryWords::others;
    if ((bits & float_bit) != 0)
      all = joined(all, MemoryWords::floats);
    if ((bits & double_bit) != 0)
      all = joined(all, MemoryWords::doubles);
    if (bits != 0)
      all = joined(all, MemoryWords::plain);
  }
  return all;
}

Evidence Evidence::fitting(std::uint64_t bytes) const {
  constexpr std::array<std::uint64_t, floating_types.size()> sizes{2, 2, 4, 8, 10, 16, 16};
  std::uint16_t fits = integer_bit;
  if (bytes >= 8)
    fits |= pointer_bit;
  for (unsigned index = 0; index < sizes.size(); ++index)
    if (sizes[index] <= bytes)
      fits |= static_cast<std::uint16_t>(1U << (first_floating_bit + index));
  Evidence result = *this;
  for (std::uint16_t &bits : result.bits_)
    bits &= fits;
  return result;
}

Evidence Evidence::as_hint() const {
  Evidence result;
  for (const std::uint16_t bits : bits_)
    result.bits_[static_cast<std::size_t>(Rank::hint)] |= bits;
  return result;
}

Evidence Evidence::only(Rank rank) const {
  Evidence result;
  result.bits_[static_cast<std::size_t>(rank)] = bits_[static_cast<std::size_t>(rank)];
  return result;
}

Evidence Evidence::without_other_floats() const {
  Evidence result = *this;
  for (std::uint16_t &bits : result.bits_)
    bits &= integer_bit | pointer_bit | double_bit;
  return result;
}

Evidence Evidence::together_with(const Evidence &other) const {
  const auto is_set = [](std::uint16_t bits) { return bits != 0; };
  Evidence result = *this;
  auto *const best = llvm::find_if(result.bits_, is_set);
  const auto *const added = llvm::find_if(other.bits_, is_set);
  if (best != result.bits_.end() && added != other.bits_.end())
    *best |= *added;
  return result;
}

void Evidence::join_best(const Evidence &other) {
  bits_.front() = static_cast<std::uint16_t>(best() | other.best());
}

bool Evidence::includes_best_of(const Evidence &other) const {
  return (other.best() & ~best()) == 0;
}

bool Evidence::includes(const Evidence &other) const {
  for (std::size_t rank = 0; rank < bits_.size(); ++rank)
    if ((other.bits_[rank] & ~bits_[rank]) != 0)
      return false;
  return true;
}

static bool is_floating(std::uint16_t bits) {
  return (bits & ~(integer_bit | pointer_bit)) != 0;
}

std::uint16_t Evidence::best() const {
  const auto *const found = llvm::find_if(bits_, [](std::uint16_t bits) { return bits != 0; });
  return found == bits_.end() ? std::uint16_t(0) : *found;
}

bool Evidence::tells_floating() const {
  return is_floating(best());
}

bool Evidence::tells_pointer() const {
  return (best() & pointer_bit) != 0;
}

bool Evidence::may_exclude() const {
  return tells_pointer() || tells_floating();
}

static bool exclude(std::uint16_t own, std::uint16_t others) {
  return ((own & pointer_bit) != 0 && is_floating(others)) || ((others & pointer_bit) != 0 && is_floating(own));
}

bool Evidence::excludes(const Evidence &other) const {
  return exclude(best(), other.best());
}

bool Evidence::is_contradicted_by(const Evidence &other) const {
  const std::uint16_t own = best(), others = other.best();
  return (others & ~own) != 0 && exclude(own, others);
}

bool Evidence::is_weaker_than(const Evidence &other) const {
  const auto is_set = [](std::uint16_t bits) { return bits != 0; };
  const auto best = [&](const Evidence &evidence) {
    return llvm::find_if(evidence.bits_, is_set) - evidence.bits_.begin();
  };
  return best(*this) > best(other);
}

std::string Evidence::text(llvm::LLVMContext &context) const {
  std::string all;
  llvm::raw_string_ostream out(all);
  for (std::uint16_t bits : bits_) {
    for (unsigned bit = 0; bit < first_floating_bit + floating_types.size(); ++bit) {
      if ((bits >> bit & 1U) == 0)
        continue;
      out << (all.empty() ? "" : " or ");
      if (bit >= first_floating_bit)
        out << *llvm::Type::getPrimitiveType(context, floating_types[bit - first_floating_bit]);
      else
        out << ((1U << bit) == integer_bit ? "integer" : "pointer");
    }
    if (!all.empty())
      break;
  }
  return all;
}

static BasicType type_of_bit(unsigned bit, llvm::LLVMContext &context) {
  if (1U << bit == integer_bit)
    return integer_type();
  if (1U << bit == pointer_bit)
    return pointer_type();
  return {ByteKind::floating, llvm::Type::getPrimitiveType(context, floating_types[bit - first_floating_bit])};
}

BasicType Evidence::resolve(llvm::LLVMContext &context) const {
  const std::uint16_t bits = best();
  return llvm::popcount(bits) == 1 ? type_of_bit(static_cast<unsigned>(llvm::countr_zero(bits)), context) : BasicType{};
}

llvm::SmallVector<BasicType, 2> Evidence::parts(llvm::LLVMContext &context) const {
  llvm::SmallVector<BasicType, 2> found;
  const std::uint16_t bits = best();
  for (unsigned bit = 0; bit < first_floating_bit + floating_types.size(); ++bit)
    if ((bits >> bit & 1U) != 0)
      found.push_back(type_of_bit(bit, context));
  return found;
}

} // namespace assay::engine
