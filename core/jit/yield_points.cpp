#include "core/jit/yield_points.hpp"

#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace assay::jit {

namespace {

using Access = YieldListener::Access;

constexpr const char *access_name = "assay_yield_access", *enter_name = "assay_yield_enter",
                     *leave_name = "assay_yield_leave", *leave_if_name = "assay_yield_leave_if";

thread_local YieldListener *listener = nullptr;

void on_access(const void *address, int access) {
  if (listener)
    listener->before(static_cast<Access>(access), address);
}
void on_enter() {
  if (listener)
    listener->enter();
}
void on_leave() {
  if (listener)
    listener->leave();
}
/// After an attempt to take a lock that did not take it, as its result tells.
void on_leave_if(int result, int is_taken_if_zero) {
  if (listener && (result == 0) != (is_taken_if_zero != 0))
    listener->leave();
}

/// What functions of libraries do to locks.
enum class Lock : std::uint8_t { none, takes, releases, tries, guards, once };

Lock lock_of(llvm::StringRef name) {
  static const llvm::StringSet<> taking{
      "pthread_mutex_lock", "pthread_spin_lock",   "pthread_rwlock_rdlock",    "pthread_rwlock_wrlock", "mtx_lock",
      "omp_set_lock",       "GOMP_critical_start", "GOMP_critical_name_start", "__kmpc_critical",       "sem_wait"};
  static const llvm::StringSet<> releasing{
      "pthread_mutex_unlock", "pthread_spin_unlock",    "pthread_rwlock_unlock", "mtx_unlock", "omp_unset_lock",
      "GOMP_critical_end",    "GOMP_critical_name_end", "__kmpc_end_critical",   "sem_post",   "__cxa_guard_release",
      "__cxa_guard_abort"};
  static const llvm::StringSet<> trying{"pthread_mutex_trylock", "pthread_spin_trylock", "mtx_trylock"};
  static const llvm::StringSet<> once{"pthread_once", "call_once", "__gthread_once"};
  if (taking.contains(name))
    return Lock::takes;
  if (releasing.contains(name))
    return Lock::releases;
  if (trying.contains(name))
    return Lock::tries;
  if (once.contains(name))
    return Lock::once;
  return name == "__cxa_guard_acquire" ? Lock::guards : Lock::none;
}

/// Memory of the call alone, or that nobody writes.
bool is_private(const llvm::Value *pointer) {
  const llvm::Value *object = llvm::getUnderlyingObject(pointer);
  if (const auto *global = llvm::dyn_cast<llvm::GlobalVariable>(object))
    return global->isConstant() || global->isThreadLocal();
  const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(object);
  return llvm::isa<llvm::AllocaInst>(object) || llvm::isa<llvm::Function>(object) ||
         (call && call->getIntrinsicID() == llvm::Intrinsic::threadlocal_address);
}

/// Loops that wait for another thread read atomic, or, as old locks do, volatile variables.
template <class Instruction>
bool may_wait(const Instruction &access) {
  return access.isAtomic() || access.isVolatile();
}

class YieldPoints {
public:
  explicit YieldPoints(llvm::Module &module) : module_(module), context_(module.getContext()) {}

  void add_to(llvm::Function &function) {
    llvm::SmallVector<llvm::Instruction *, 64> instructions;
    for (llvm::Instruction &instruction : llvm::instructions(function))
      instructions.push_back(&instruction);
    for (llvm::Instruction *instruction : instructions)
      add_at(*instruction);
  }

private:
  void add_at(llvm::Instruction &instruction) {
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      return add(*load, load->getPointerOperand(), may_wait(*load) ? Access::atomic : Access::read);
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      return add(*store, store->getPointerOperand(), may_wait(*store) ? Access::atomic : Access::write);
    if (auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
      return add(*update, update->getPointerOperand(), Access::atomic);
    if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
      return add(*exchange, exchange->getPointerOperand(), Access::atomic);
    if (auto *move = llvm::dyn_cast<llvm::AnyMemIntrinsic>(&instruction)) {
      if (auto *transfer = llvm::dyn_cast<llvm::AnyMemTransferInst>(move))
        add(*move, transfer->getRawSource(), Access::read);
      return add(*move, move->getRawDest(), Access::write);
    }
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      add_at_call(*call);
  }

  /// A function of a library may read or write what it is given.
  void add_at_call(llvm::CallBase &call) {
    const llvm::Function *callee = call.getCalledFunction();
    if (!callee || callee->isIntrinsic() || !callee->isDeclaration())
      return;
    if (const Lock lock = lock_of(callee->getName()); lock != Lock::none)
      return add_lock(call, lock);
    for (unsigned index = 0; index < call.arg_size(); ++index)
      if (llvm::Value *argument = call.getArgOperand(index); argument->getType()->isPointerTy())
        add(call, argument,
            call.onlyWritesMemory(index) || is_destination(callee->getName(), index) ? Access::write : Access::read);
  }

  static bool is_destination(llvm::StringRef name, unsigned index) {
    return index == 0 && (name == "memcpy" || name == "memmove" || name == "memset");
  }

  void add_lock(llvm::CallBase &call, Lock lock) {
    llvm::IRBuilder<> before(&call), after(context_);
    if (auto *invoke = llvm::dyn_cast<llvm::InvokeInst>(&call))
      after.SetInsertPoint(&*invoke->getNormalDest()->getFirstInsertionPt());
    else
      after.SetInsertPoint(call.getNextNode());
    if (lock != Lock::releases)
      before.CreateCall(function(enter_name, {}));
    if (lock == Lock::releases || lock == Lock::once)
      after.CreateCall(function(leave_name, {}));
    if (lock == Lock::tries || lock == Lock::guards)
      after.CreateCall(function(leave_if_name, {after.getInt32Ty(), after.getInt32Ty()}),
                       {after.CreateIntCast(&call, after.getInt32Ty(), false), after.getInt32(lock == Lock::tries)});
  }

  void add(llvm::Instruction &instruction, llvm::Value *pointer, Access access) {
    if (is_private(pointer) || pointer->getType()->getPointerAddressSpace() != 0)
      return;
    llvm::IRBuilder<> builder(&instruction);
    builder.CreateCall(function(access_name, {builder.getPtrTy(), builder.getInt32Ty()}),
                       {pointer, builder.getInt32(static_cast<unsigned>(access))});
  }

  llvm::FunctionCallee function(llvm::StringRef name, llvm::ArrayRef<llvm::Type *> types) {
    return module_.getOrInsertFunction(name, llvm::FunctionType::get(llvm::Type::getVoidTy(context_), types, false));
  }

  llvm::Module &module_;
  llvm::LLVMContext &context_;
};

} // namespace

void insert_yield_points(llvm::Module &module) {
  YieldPoints points(module);
  for (llvm::Function &function : module)
    if (!function.isDeclaration()) {
      // They now do what these promise not to do.
      function.removeFnAttr(llvm::Attribute::Memory);
      function.removeFnAttr(llvm::Attribute::NoSync);
      points.add_to(function);
    }
}

YieldListener::YieldListener() : outer_(std::exchange(listener, this)) {}

YieldListener::~YieldListener() {
  listener = outer_;
}

std::vector<std::pair<std::string_view, void *>> yield_symbols() {
  return {{access_name, reinterpret_cast<void *>(&on_access)},
          {enter_name, reinterpret_cast<void *>(&on_enter)},
          {leave_name, reinterpret_cast<void *>(&on_leave)},
          {leave_if_name, reinterpret_cast<void *>(&on_leave_if)}};
}

} // namespace assay::jit
