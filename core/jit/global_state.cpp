#include "core/jit/global_state.hpp"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <utility>

namespace assay::jit {

namespace {

bool can_change(const llvm::GlobalVariable &global) {
  const llvm::DataLayout &layout = global.getParent()->getDataLayout();
  constexpr unsigned shared_space = 3; // Of device code. What it holds does not outlive a launch.
  return global.getAddressSpace() != shared_space && layout.getTypeAllocSize(global.getValueType()) != 0 &&
         !global.isDeclaration() && !global.isConstant() && !global.hasAvailableExternallyLinkage() &&
         !global.getName().starts_with("llvm.") && !global.getName().starts_with("assay.marker.");
}

/// Objects that are made and destroyed with their thread must not be made twice: their destructors would run twice.
bool has_thread_local_objects(const llvm::Module &module) {
  return module.getFunction("__cxa_thread_atexit") != nullptr;
}

bool is_destroyed_at_exit(const llvm::GlobalVariable &object) {
  return llvm::any_of(object.users(), [](const llvm::User *user) {
    const auto *call = llvm::dyn_cast<llvm::CallBase>(user);
    const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
    return callee && callee->getName() == "__cxa_atexit";
  });
}

/// The same of static objects in functions, whose destructor is noted when the first call makes them, and of the
/// variables that say whether they are made.
bool is_made_once(const llvm::GlobalVariable &global) {
  llvm::StringRef name = global.getName();
  const llvm::Module &module = *global.getParent();
  if (name.consume_front("_ZGV")) {
    const llvm::GlobalVariable *object = module.getGlobalVariable(("_Z" + name).str(), true);
    return object && is_destroyed_at_exit(*object);
  }
  return name.consume_front("_Z") && module.getGlobalVariable(("_ZGV" + name).str(), true) &&
         is_destroyed_at_exit(global);
}

/// Whether anything but loads uses the address.
bool may_be_written(const llvm::Value &address) {
  return llvm::any_of(address.users(), [](const llvm::User *user) {
    if (llvm::isa<llvm::LoadInst>(user))
      return false;
    if (const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(user);
        !llvm::isa<llvm::GEPOperator>(user) &&
        !(call && call->getIntrinsicID() == llvm::Intrinsic::threadlocal_address))
      return true;
    return may_be_written(*user);
  });
}

/// The rows of one module.
class Table {
public:
  explicit Table(llvm::Module &module)
      : module_(module), layout_(module.getDataLayout()), size_type_(llvm::Type::getInt64Ty(module.getContext())),
        pointer_type_(llvm::PointerType::getUnqual(module.getContext())),
        row_type_(llvm::StructType::get(pointer_type_, size_type_, size_type_, size_type_, pointer_type_, size_type_)) {
  }

  void add_variable(llvm::GlobalVariable &global) {
    add_row(Source{global, 0}, 0, layout_.getTypeAllocSize(global.getValueType()), 0);
  }

  void add_lasting(llvm::GlobalVariable &global) {
    add_row(Source{global, GlobalRow::lasting}, 0, layout_.getTypeAllocSize(global.getValueType()), 0);
  }

  void add_numbers(llvm::GlobalVariable &global, Access access) {
    add_numbers(Source{global, access == Access::only_read ? GlobalRow::only_read : 0}, global.getValueType(), 0);
  }

  void write(llvm::StringRef name) {
    rows_.push_back(llvm::Constant::getNullValue(row_type_));
    auto *type = llvm::ArrayType::get(row_type_, rows_.size());
    new llvm::GlobalVariable(module_, type, true, llvm::GlobalValue::ExternalLinkage,
                             llvm::ConstantArray::get(type, rows_), name);
  }

private:
  struct Source {
    llvm::GlobalVariable &global;
    std::uint64_t flags;
  };

  /// An array of structs has a row for each number, up to so many.
  static constexpr std::size_t most_rows = 4096;

  llvm::Constant *number(std::uint64_t value) const { return llvm::ConstantInt::get(size_type_, value); }

  /// A function that returns where the variable of its thread is.
  llvm::Constant *accessor(llvm::GlobalVariable &global) {
    llvm::Constant *&known = accessors_[&global];
    if (known)
      return known;
    auto *function = llvm::Function::Create(llvm::FunctionType::get(pointer_type_, false),
                                            llvm::GlobalValue::InternalLinkage, "assay.address", module_);
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module_.getContext(), "", function));
    builder.CreateRet(builder.CreateThreadLocalAddress(&global));
    return known = function;
  }

  llvm::Constant *name_of(llvm::GlobalVariable &global) {
    llvm::Constant *&known = names_[&global];
    if (known)
      return known;
    llvm::Constant *text = llvm::ConstantDataArray::getString(module_.getContext(), global.getName());
    return known = new llvm::GlobalVariable(module_, text->getType(), true, llvm::GlobalValue::PrivateLinkage, text,
                                            "assay.name");
  }

  void add_row(const Source &source, std::uint64_t offset, std::uint64_t size, std::int64_t unit) {
    llvm::GlobalVariable &global = source.global;
    const bool is_of_thread = global.isThreadLocal();
    const std::uint64_t flags = source.flags | (is_of_thread ? GlobalRow::thread_local_variable : 0);
    llvm::Constant *address = is_of_thread ? accessor(global) : &global;
    rows_.push_back(llvm::ConstantStruct::get(row_type_, address, number(offset), number(size),
                                              llvm::ConstantInt::getSigned(size_type_, unit), name_of(global),
                                              number(flags)));
  }

  /// 0 for what is no number.
  static std::int64_t unit_of(const llvm::Type &type) {
    if (type.isDoubleTy() || type.isFloatTy())
      return type.isDoubleTy() ? sizeof(double) : sizeof(float);
    for (const unsigned bits : {8U, 16U, 32U, 64U})
      if (type.isIntegerTy(bits))
        return -static_cast<std::int64_t>(bits / 8);
    return 0;
  }

  void add_numbers(const Source &source, llvm::Type *type, std::uint64_t offset) {
    if (rows_.size() >= most_rows)
      return;
    if (const std::int64_t unit = unit_of(*type))
      return add_row(source, offset, layout_.getTypeAllocSize(type), unit);
    if (auto *array = llvm::dyn_cast<llvm::ArrayType>(type))
      return add_elements(source, array->getElementType(), array->getNumElements(), offset);
    if (auto *record = llvm::dyn_cast<llvm::StructType>(type))
      for (unsigned index = 0; index < record->getNumElements(); ++index)
        add_numbers(source, record->getElementType(index),
                    offset + layout_.getStructLayout(record)->getElementOffset(index));
  }

  void add_elements(const Source &source, llvm::Type *type, std::uint64_t count, std::uint64_t offset) {
    const std::uint64_t size = layout_.getTypeAllocSize(type);
    if (const std::int64_t unit = unit_of(*type))
      return add_row(source, offset, count * size, unit);
    for (std::uint64_t index = 0; index < count && rows_.size() < most_rows; ++index)
      add_numbers(source, type, offset + index * size);
  }

  llvm::Module &module_;
  const llvm::DataLayout &layout_;
  llvm::IntegerType *size_type_;
  llvm::PointerType *pointer_type_;
  llvm::StructType *row_type_;
  std::vector<llvm::Constant *> rows_;
  llvm::DenseMap<llvm::GlobalVariable *, llvm::Constant *> accessors_, names_;
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

/// In the calling thread.
std::byte *address_of(const GlobalRow &row) {
  if (row.flags & GlobalRow::thread_local_variable)
    return static_cast<std::byte *>(reinterpret_cast<void *(*)()>(row.address)());
  return static_cast<std::byte *>(row.address);
}

std::size_t bytes_of(const GlobalRow &row) {
  return static_cast<std::size_t>(std::abs(row.unit));
}

template <class Number>
double read(const std::byte *memory) {
  Number number;
  std::memcpy(&number, memory, sizeof number);
  return static_cast<double>(number);
}

double read_number(const std::byte *memory, std::int64_t unit) {
  switch (unit) {
  case sizeof(double):
    return read<double>(memory);
  case sizeof(float):
    return read<float>(memory);
  case -1:
    return read<std::int8_t>(memory);
  case -2:
    return read<std::int16_t>(memory);
  case -4:
    return read<std::int32_t>(memory);
  default:
    return read<std::int64_t>(memory);
  }
}

bool is_nan(const std::byte *memory, std::int64_t unit) {
  return unit > 0 && std::isnan(read_number(memory, unit));
}

/// What the names of variables of the engine's own library begin with, in which no thread disturbs another.
constexpr std::string_view engine_variable = "assay.";

/// Where the heap and the code of a process lie. Two modules have their objects at different ones.
bool may_be_address(const std::byte *memory, std::int64_t unit) {
  const double number = read_number(memory, unit);
  return unit == -8 && number >= 0x1p30 && number < 0x1p47;
}

/// The first number that differs, as an offset in bytes; `size` if there is none.
std::size_t first_difference(const std::byte *seen, const std::byte *expected, const GlobalRow &row) {
  const std::size_t bytes = bytes_of(row);
  if (std::memcmp(seen, expected, row.size) == 0)
    return row.size;
  for (std::size_t at = 0; at < row.size; at += bytes)
    if (std::memcmp(seen + at, expected + at, bytes) != 0 &&
        !(is_nan(seen + at, row.unit) && is_nan(expected + at, row.unit)) &&
        !(may_be_address(seen + at, row.unit) && may_be_address(expected + at, row.unit)))
      return at;
  return row.size;
}

} // namespace

OwnVariables changing_variables(const llvm::Module &module) {
  OwnVariables variables;
  for (const llvm::GlobalVariable &global : module.globals())
    if (can_change(global))
      variables[global.getName()] = may_be_written(global) ? Access::written : Access::only_read;
  return variables;
}

static bool lasts(const llvm::GlobalVariable &global) {
  return is_made_once(global) || (global.isThreadLocal() && has_thread_local_objects(*global.getParent()));
}

bool has_lasting_objects(const llvm::Module &module) {
  return llvm::any_of(module.globals(),
                      [](const llvm::GlobalVariable &global) { return can_change(global) && lasts(global); });
}

void write_global_table(llvm::Module &module, llvm::StringRef name, const OwnVariables &own) {
  Table table(module);
  std::vector<llvm::GlobalVariable *> variables;
  std::vector<llvm::GlobalVariable *> objects;
  for (llvm::GlobalVariable &global : module.globals())
    if (can_change(global) && !lasts(global))
      variables.push_back(&global);
    else if (can_change(global) && !global.isThreadLocal() && !global.getName().starts_with("_ZGV"))
      objects.push_back(&global);
  for (llvm::GlobalVariable *global : variables)
    table.add_variable(*global);
  for (llvm::GlobalVariable *global : objects)
    table.add_lasting(*global);
  for (llvm::GlobalVariable *global : variables)
    if (const auto found = own.find(global->getName()); found != own.end())
      table.add_numbers(*global, found->second);
  table.write(name);
}

GlobalState::GlobalState(const GlobalRow *table) {
  for (const GlobalRow *row = table; row->size != 0; ++row) {
    if (row->unit != 0 || (row->flags & GlobalRow::lasting)) {
      (row->unit != 0 ? numbers_ : lasting_).push_back(*row);
      continue;
    }
    const std::byte *address = address_of(*row);
    variables_.push_back({*row, std::vector<std::byte>(address, address + row->size)});
  }
}

void GlobalState::restore() const {
  for (const Variable &variable : variables_)
    std::copy(variable.contents.begin(), variable.contents.end(), address_of(variable.row));
}

std::vector<std::uintptr_t> GlobalState::addresses() const {
  constexpr std::uintptr_t least = 0x1000;
  std::vector<std::uintptr_t> found;
  const auto add_those_in = [&](const GlobalRow &row) {
    const std::byte *begin = address_of(row);
    for (std::size_t at = 0; at + sizeof(std::uintptr_t) <= row.size; at += sizeof(std::uintptr_t)) {
      std::uintptr_t word = 0;
      std::memcpy(&word, begin + at, sizeof word);
      if (word >= least)
        found.push_back(word);
    }
  };
  for (const Variable &variable : variables_)
    add_those_in(variable.row);
  for (const GlobalRow &row : lasting_)
    add_those_in(row);
  return found;
}

void GlobalState::restore(std::string_view name) const {
  for (const Variable &variable : variables_)
    if (name == variable.row.name)
      std::copy(variable.contents.begin(), variable.contents.end(), address_of(variable.row));
}

const GlobalState::Variable &GlobalState::variable_of(const GlobalRow &numbers) const {
  return *std::ranges::find_if(variables_, [&](const Variable &one) { return one.row.address == numbers.address; });
}

void GlobalState::scramble(const std::set<std::string> &kept) const {
  for (const GlobalRow &row : numbers_) {
    const std::size_t bytes = bytes_of(row);
    if (kept.contains(row.name) || bytes < sizeof(float) || (row.flags & GlobalRow::thread_local_variable))
      continue;
    std::byte *numbers = address_of(row) + row.offset;
    const std::byte *before = variable_of(row).contents.data() + row.offset;
    for (std::size_t at = 0; at < row.size; at += bytes)
      if (bytes == sizeof(double))
        scramble_number<std::uint64_t>(numbers + at, before + at, row.unit, 0x7FF4A55A00000000);
      else
        scramble_number<std::uint32_t>(numbers + at, before + at, row.unit, 0x7FA5A500);
  }
}

static bool is_of_thread(const GlobalRow &row, const GlobalState::Private &further) {
  return (row.flags & GlobalRow::thread_local_variable) != 0 || std::ranges::find(further, row.name) != further.end();
}

GlobalState::Memory GlobalState::memory_of_thread(const Private &further) const {
  Memory memory;
  for (const Variable &variable : variables_)
    if (is_of_thread(variable.row, further))
      memory.emplace_back(address_of(variable.row), address_of(variable.row) + variable.row.size);
  return memory;
}

void GlobalState::put_memory_of_thread(const Private &further, const Memory &memory) const {
  auto next = memory.begin();
  for (const Variable &variable : variables_)
    if (is_of_thread(variable.row, further) && next != memory.end())
      std::ranges::copy(*next++, address_of(variable.row));
}

static bool is_shared_and_at(const GlobalRow &row, const void *address) {
  const auto *begin = static_cast<const std::byte *>(row.address);
  return !(row.flags & GlobalRow::thread_local_variable) && address >= begin && address < begin + row.size &&
         !std::string_view(row.name).starts_with(engine_variable);
}

std::string_view GlobalState::shared_variable_at(const void *address) const {
  for (const Variable &variable : variables_)
    if (is_shared_and_at(variable.row, address))
      return variable.row.name;
  for (const GlobalRow &row : lasting_)
    if (is_shared_and_at(row, address))
      return row.name;
  return {};
}

bool GlobalState::is_lasting(std::string_view name) const {
  return std::ranges::any_of(lasting_, [&](const GlobalRow &row) { return row.name == name; });
}

std::vector<std::string> GlobalState::changed() const {
  std::vector<std::string> names;
  for (const Variable &variable : variables_)
    if (!std::equal(variable.contents.begin(), variable.contents.end(), address_of(variable.row)))
      names.emplace_back(variable.row.name);
  return names;
}

GlobalState::Contents GlobalState::changed_contents() const {
  Contents contents;
  for (const Variable &variable : variables_) {
    const std::byte *now = address_of(variable.row);
    if (!std::equal(variable.contents.begin(), variable.contents.end(), now))
      contents[variable.row.name].assign(now, now + variable.contents.size());
  }
  return contents;
}

std::vector<StateDifference> GlobalState::differences_from(const GlobalState &function) const {
  std::map<std::pair<std::string_view, std::uint64_t>, const GlobalRow *> known;
  for (const GlobalRow &row : function.numbers_)
    known[{row.name, row.offset}] = &row;
  std::vector<StateDifference> differences;
  for (const GlobalRow &row : numbers_) {
    if (!differences.empty() && differences.back().variable == row.name)
      continue;
    const std::byte *before = variable_of(row).contents.data() + row.offset;
    const auto found = known.find({row.name, row.offset});
    const bool is_known = found != known.end() && found->second->size == row.size && found->second->unit == row.unit;
    if (!is_known && !(row.flags & GlobalRow::only_read))
      continue;
    const std::byte *expected =
        row.flags & GlobalRow::only_read ? before : address_of(*found->second) + found->second->offset;
    const std::byte *seen = address_of(row) + row.offset;
    const std::size_t at = first_difference(seen, expected, row);
    if (at == row.size)
      continue;
    const std::size_t bytes = bytes_of(row), elements = variable_of(row).row.size / bytes;
    differences.push_back({row.name, (row.offset + at) / bytes, elements, read_number(seen + at, row.unit),
                           read_number(expected + at, row.unit), read_number(before + at, row.unit)});
  }
  return differences;
}

} // namespace assay::jit
