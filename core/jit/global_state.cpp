#include "core/jit/global_state.hpp"

#include "llvm/IR/Constants.h"
#include <algorithm>
#include <cstring>

namespace assay::jit {

namespace {

bool can_change(const llvm::GlobalVariable &global) {
  const llvm::DataLayout &layout = global.getParent()->getDataLayout();
  return layout.getTypeAllocSize(global.getValueType()) != 0 && !global.isDeclaration() && !global.isConstant() &&
         !global.isThreadLocal() && !global.hasAvailableExternallyLinkage() && !global.getName().starts_with("llvm.");
}

/// The rows of one module.
class Table {
public:
  explicit Table(llvm::Module &module)
      : layout_(module.getDataLayout()), size_type_(llvm::Type::getInt64Ty(module.getContext())),
        row_type_(llvm::StructType::get(llvm::PointerType::getUnqual(module.getContext()), size_type_, size_type_)) {}

  void add_variable(llvm::GlobalVariable &global) {
    add_row(global, 0, layout_.getTypeAllocSize(global.getValueType()), 0);
  }

  void add_numbers(llvm::GlobalVariable &global) { add_numbers(global, global.getValueType(), 0); }

  void write(llvm::Module &module, llvm::StringRef name) {
    rows_.push_back(llvm::Constant::getNullValue(row_type_));
    auto *type = llvm::ArrayType::get(row_type_, rows_.size());
    new llvm::GlobalVariable(module, type, true, llvm::GlobalValue::ExternalLinkage,
                             llvm::ConstantArray::get(type, rows_), name);
  }

private:
  /// An array of structs has a row for each number, up to so many.
  static constexpr std::size_t most_rows = 4096;

  void add_row(llvm::GlobalVariable &global, std::uint64_t offset, std::uint64_t size, std::int64_t unit) {
    llvm::Constant *address = llvm::ConstantExpr::getGetElementPtr(llvm::Type::getInt8Ty(global.getContext()), &global,
                                                                   llvm::ConstantInt::get(size_type_, offset));
    rows_.push_back(llvm::ConstantStruct::get(row_type_, address, llvm::ConstantInt::get(size_type_, size),
                                              llvm::ConstantInt::getSigned(size_type_, unit)));
  }

  /// 0 for what is no number.
  static std::int64_t unit_of(const llvm::Type &type) {
    if (type.isDoubleTy() || type.isFloatTy())
      return type.isDoubleTy() ? sizeof(double) : sizeof(float);
    return type.isIntegerTy(32) || type.isIntegerTy(64) ? -static_cast<std::int64_t>(type.getIntegerBitWidth() / 8) : 0;
  }

  void add_numbers(llvm::GlobalVariable &global, llvm::Type *type, std::uint64_t offset) {
    if (rows_.size() >= most_rows)
      return;
    if (const std::int64_t unit = unit_of(*type))
      return add_row(global, offset, layout_.getTypeAllocSize(type), unit);
    if (auto *array = llvm::dyn_cast<llvm::ArrayType>(type))
      return add_elements(global, array->getElementType(), array->getNumElements(), offset);
    if (auto *record = llvm::dyn_cast<llvm::StructType>(type))
      for (unsigned index = 0; index < record->getNumElements(); ++index)
        add_numbers(global, record->getElementType(index),
                    offset + layout_.getStructLayout(record)->getElementOffset(index));
  }

  void add_elements(llvm::GlobalVariable &global, llvm::Type *type, std::uint64_t count, std::uint64_t offset) {
    const std::uint64_t size = layout_.getTypeAllocSize(type);
    if (const std::int64_t unit = unit_of(*type))
      return add_row(global, offset, count * size, unit);
    for (std::uint64_t index = 0; index < count && rows_.size() < most_rows; ++index)
      add_numbers(global, type, offset + index * size);
  }

  const llvm::DataLayout &layout_;
  llvm::IntegerType *size_type_;
  llvm::StructType *row_type_;
  std::vector<llvm::Constant *> rows_;
};

template <class Bits>
void scramble_number(std::byte *number, const std::byte *before, std::int64_t unit, Bits signalling) {
  if (unit > 0)
    std::memcpy(number, &signalling, sizeof(Bits));
  else if (std::memcmp(number, before, sizeof(Bits)) == 0) {
    Bits value;
    std::memcpy(&value, number, sizeof(Bits));
    value = value == 0 ? 1 : 0;
    std::memcpy(number, &value, sizeof(Bits));
  }
}

} // namespace

llvm::StringSet<> changing_variables(const llvm::Module &module) {
  llvm::StringSet<> names;
  for (const llvm::GlobalVariable &global : module.globals())
    if (can_change(global))
      names.insert(global.getName());
  return names;
}

void write_global_table(llvm::Module &module, llvm::StringRef name, const llvm::StringSet<> &own) {
  Table table(module);
  for (llvm::GlobalVariable &global : module.globals())
    if (can_change(global))
      table.add_variable(global);
  for (llvm::GlobalVariable &global : module.globals())
    if (can_change(global) && own.contains(global.getName()))
      table.add_numbers(global);
  table.write(module, name);
}

GlobalState::GlobalState(const GlobalRow *table) {
  for (const GlobalRow *row = table; row->size != 0; ++row) {
    auto *address = static_cast<std::byte *>(row->address);
    if (row->unit == 0)
      variables_.push_back({address, std::vector<std::byte>(address, address + row->size)});
    else
      numbers_.push_back(*row);
  }
}

void GlobalState::restore() const {
  for (const Variable &variable : variables_)
    std::copy(variable.contents.begin(), variable.contents.end(), variable.address);
}

void GlobalState::scramble() const {
  for (const GlobalRow &row : numbers_) {
    auto *numbers = static_cast<std::byte *>(row.address);
    const auto variable = std::ranges::find_if(variables_, [&](const Variable &one) {
      return one.address <= numbers && numbers < one.address + one.contents.size();
    });
    const std::byte *before = variable->contents.data() + (numbers - variable->address);
    const auto bytes = static_cast<std::size_t>(std::abs(row.unit));
    for (std::size_t at = 0; at < row.size; at += bytes)
      if (bytes == sizeof(double))
        scramble_number<std::uint64_t>(numbers + at, before + at, row.unit, 0x7FF4A55A00000000);
      else
        scramble_number<std::uint32_t>(numbers + at, before + at, row.unit, 0x7FA5A500);
  }
}

} // namespace assay::jit
