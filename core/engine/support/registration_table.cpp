#include "core/engine/support/registration_table.hpp"
#include "core/engine/support/constant_resolution.hpp"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include <map>

using namespace llvm;

namespace assay::engine {
namespace {

Constant *stripped(Constant *entry) {
  Constant *resolved = resolve_constant(entry);
  return resolved ? resolved : entry;
}

void flatten(Constant *initializer, SmallVectorImpl<Constant *> &entries) {
  if (!isa<ArrayType, StructType>(initializer->getType())) {
    entries.push_back(stripped(initializer));
    return;
  }
  const unsigned count = isa<ArrayType>(initializer->getType())
                             ? cast<ArrayType>(initializer->getType())->getNumElements()
                             : cast<StructType>(initializer->getType())->getNumElements();
  for (unsigned index = 0; index < count; ++index)
    flatten(initializer->getAggregateElement(index), entries);
}

using StoredEntries = std::map<std::int64_t, Constant *>;

/// Finds stores to the table at constant offsets, wherever they are: its dynamic initialiser is the only code that
/// writes it.
void collect_stores(Value &address, std::int64_t offset, const DataLayout &layout, StoredEntries &stored) {
  for (User *user : address.users()) {
    if (auto *store = dyn_cast<StoreInst>(user)) {
      if (store->getPointerOperand() == &address)
        stored[offset] = resolve_constant(store->getValueOperand());
    } else if (auto *gep = dyn_cast<GEPOperator>(user)) {
      APInt step(layout.getIndexTypeSizeInBits(gep->getType()), 0);
      if (gep->accumulateConstantOffset(layout, step))
        collect_stores(*gep, offset + step.getSExtValue(), layout, stored);
    }
  }
}

bool is_filled_at_start(const SmallVectorImpl<Constant *> &entries) {
  return all_of(entries, [](Constant *entry) { return entry->isNullValue(); });
}

} // namespace

RegistrationTable RegistrationTable::read(GlobalVariable &global) {
  RegistrationTable table(global);
  if (!global.hasInitializer())
    return table;
  flatten(global.getInitializer(), table.entries_);
  if (!is_filled_at_start(table.entries_))
    return table;
  StoredEntries stored;
  const DataLayout &layout = global.getParent()->getDataLayout();
  collect_stores(global, 0, layout, stored);
  if (stored.empty())
    return table;
  table.entries_.clear();
  for (auto [offset, value] : stored)
    table.entries_.push_back(value);
  return table;
}

std::string RegistrationTable::name() const {
  return demangle(global_->getName().str());
}

Error RegistrationTable::malformed(const Twine &reason) const {
  return createStringError("registration table '" + name() + "': " + reason.str());
}

Error RegistrationTable::expect_size(unsigned count, StringRef meaning) const {
  if (size() == count)
    return Error::success();
  return malformed("it has " + Twine(size()) + (size() == 1 ? " entry" : " entries") + ", but needs " + Twine(count) +
                   ": " + meaning);
}

Expected<Function *> RegistrationTable::function(unsigned index) const {
  if (auto *found = dyn_cast_or_null<Function>(entries_[index]))
    return found;
  return malformed("entry " + Twine(index) + " is not a function that is known when compiling");
}

Expected<GlobalVariable *> RegistrationTable::global(unsigned index) const {
  if (auto *found = dyn_cast_or_null<GlobalVariable>(entries_[index]))
    return found;
  return malformed("entry " + Twine(index) + " is not the address of a global variable");
}

Expected<std::string> RegistrationTable::text(unsigned index) const {
  auto *string = dyn_cast_or_null<GlobalVariable>(entries_[index]);
  if (string && string->hasInitializer())
    if (auto *data = dyn_cast<ConstantDataSequential>(string->getInitializer()); data && data->isCString())
      return data->getAsCString().str();
  return malformed("entry " + Twine(index) + " is not a string");
}

Expected<std::int64_t> RegistrationTable::number(unsigned index) const {
  Constant *entry = entries_[index];
  if (auto *integer = dyn_cast_or_null<ConstantInt>(entry))
    return integer->getSExtValue();
  if (entry && entry->isNullValue())
    return 0;
  return malformed("entry " + Twine(index) + " is not a number");
}

} // namespace assay::engine
