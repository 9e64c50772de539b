#pragma once
// IR text, a derivative of its function `f`, and that derivative compiled in memory.

#include "core/engine/lowering/engine.hpp"
#include "core/test/support/ir.hpp"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/TargetSelect.h"
#include <gtest/gtest.h>
#include <string>

namespace assay::test {

/// One letter for each argument and one for the result: c constant, d duplicated.
class Differentiated {
public:
  Differentiated(const std::string &text, const std::string &activities, unsigned width = 1,
                 engine::Options options = {})
      : context_(std::make_unique<llvm::LLVMContext>()), module_(parsed(text, *context_)) {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    auto target = llvm::cantFail(llvm::orc::JITTargetMachineBuilder::detectHost());
    module_->setDataLayout(llvm::cantFail(target.getDefaultDataLayoutForTarget()));
    module_->setTargetTriple(target.getTargetTriple());
    differentiate(activities, width, options);
  }

  const std::string &error() const { return error_; }
  llvm::Function &function() { return *derivative_; }
  llvm::Module &module() { return *module_; }

  unsigned count(unsigned opcode) {
    unsigned found = 0;
    for (llvm::Instruction &instruction : llvm::instructions(*derivative_))
      found += instruction.getOpcode() == opcode;
    return found;
  }

  /// The derivative as machine code; the module is gone afterwards.
  template <class Signature>
  Signature *compiled() {
    derivative_->setLinkage(llvm::GlobalValue::ExternalLinkage);
    derivative_->setName("assay_test_derivative");
    jit_ = llvm::cantFail(llvm::orc::LLJITBuilder().create());
    jit_->getMainJITDylib().addGenerator(llvm::cantFail(
        llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(jit_->getDataLayout().getGlobalPrefix())));
    llvm::cantFail(jit_->addIRModule(llvm::orc::ThreadSafeModule(std::move(module_), std::move(context_))));
    return llvm::cantFail(jit_->lookup("assay_test_derivative")).toPtr<Signature *>();
  }

private:
  void differentiate(const std::string &activities, unsigned width, engine::Options options) {
    engine::Request request;
    request.function = module_->getFunction("f");
    request.mode = engine::Mode::forward;
    request.width = width;
    request.options = options;
    const auto activity = [](char letter) {
      return letter == 'd' ? engine::Activity::duplicated : engine::Activity::constant;
    };
    for (unsigned index = 0; index < request.function->arg_size(); ++index)
      request.argument_activity.push_back(activity(activities.at(index)));
    request.return_activity = activity(activities.at(request.function->arg_size()));

    Analyses analyses;
    engine::Engine engine(*module_, llvm::cantFail(engine::FunctionInfo::read(*module_)), analyses.modules);
    llvm::Expected<llvm::Function *> derivative = engine.derivative(request);
    if (!derivative) {
      error_ = llvm::toString(derivative.takeError());
      return;
    }
    derivative_ = *derivative;
    std::string problem;
    llvm::raw_string_ostream out(problem);
    if (llvm::verifyModule(*module_, &out))
      throw std::runtime_error(problem);
  }

  std::unique_ptr<llvm::LLVMContext> context_;
  std::unique_ptr<llvm::Module> module_;
  std::unique_ptr<llvm::orc::LLJIT> jit_;
  llvm::Function *derivative_ = nullptr;
  std::string error_;
};

} // namespace assay::test
